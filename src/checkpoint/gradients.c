/* SPDX-License-Identifier: GPL-3.0-or-later
 * gradients.c - see gradients.h. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/gradients.h"
#include "src/checkpoint/relation.h"
#include "src/checkpoint/stream_found.h"

enum { STEP = 60, DIRECTION = 1, SIGNS = 2, NUDGE = 3, NUDGES = 4 };        /* NUDGES: how many are drawn */

/* W + sign 2^-STEP E in one role of A, or what becomes of it in B. */
typedef struct {
    const transformer *D;
    const gauge_found *g;
    const stream_found *stream;          /* of A and B                                                  */
    tensor_role role;
    bool   in_a;
    int    sign;
    double unit;                         /* weights are multiplied by 1 +- unit; 0: they are not        */
    bool   types;                        /* by the unit roundoff of their types as well                 */
    uint64_t seed, draw;                 /* draw: of the signs of unit                                  */
} moved;

static int64_t sign_of(uint64_t seed, uint64_t what, uint64_t where, uint64_t number)
{
    const uint64_t key[2] = { seed, (what << 56) + where };
    return random_below(key, number, 2) ? 1 : -1;
}

/* ---- the direction in A ------------------------------------------------------------------------------------------ */

/* The embedding is also the head. */
static bool is_tied_head(const moved *w, tensor_role role)
{
    return role == ROLE_HEAD && w->role == ROLE_EMBED && w->stream->A->tied;
}

/* Whether E moves this part of A. */
static bool moves(const moved *w, tensor_role role) { return role == w->role || is_tied_head(w, role); }

/* E of a part of that shape, the rows of an embedding and the columns of a head from `first` on. */
static const mat *drawn(scope *s, const moved *w, tensor_role role, long layer, long first, long rows, long cols)
{
    const bool by_columns = role == ROLE_HEAD || role == ROLE_HEAD_BIAS;
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            const long number = by_columns ? (first + c) * rows + r : (first + r) * cols + c;
            m[r * cols + c] = sign_of(w->seed, DIRECTION, ((uint64_t)w->role << 32) + (uint64_t)(layer + 1),
                                      (uint64_t)number);
        }
    const mat *E = mat_dyadic(s, rows, cols, m, 0);
    free(m);
    return E;
}

static const mat *plus_step(scope *s, const moved *w, const mat *W, const mat *E)
{
    return mat_add(s, W, mat_scale_entries(s, w->sign, -STEP, E));
}

/* What the step changes in the image is linear in it.  In the order of halves: the step itself in the parts that it
 * moves; where that is a gain, the matrices behind it as they are, else the gains; nothing of the other parts. */
static const mat *step_alone(const void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    const moved *w = of;
    const halves_source file = halves_of_file(w->stream->A);
    const bool gain = role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_FINAL_GAIN;
    const bool is = moves(w, role), factor = gain || (w->stream->fold && stream_gain_of(role) == w->role);
    const mat *W = is || factor ? file.part(file.of, s, role, layer, first, count) : NULL;
    return W && is ? mat_scale_entries(s, w->sign, -STEP, drawn(s, w, role, layer, first, W->rows, W->cols)) : W;
}

/* ---- what becomes of it in B ------------------------------------------------------------------------------------- */

static const mat *diagonal(scope *s, const mat *g, const mat *W) { return mat_scale_rows(s, mat_t(s, g), W); }

/* 1/g, of any sign. */
static const mat *reciprocal(scope *s, const mat *g)
{
    return mat_hadamard(s, g, mat_reciprocal(s, mat_hadamard(s, g, g)));
}

/* Under the gauges of the heads of a layer. */
static const mat *gauged(scope *s, const moved *w, tensor_role role, long layer, const mat *E)
{
    const long dk = w->D->dk, group = w->D->h / w->D->h_kv;
    const bool query = role == ROLE_Q || role == ROLE_Q_BIAS, output = role == ROLE_O;
    const bool values = role == ROLE_V || role == ROLE_V_BIAS || output;
    mat *to = mat_blank(s, E->rows, E->cols);
    bool any = false;
    for (long k = 0; k < w->g->maps; k++) {
        const head_map *h = &w->g->map[k];
        if (h->layer != layer) continue;
        any = true;
        const mat *G = mat_of_doubles(s, dk, dk, values ? h->H : h->G);
        const mat *back = query ? mat_t(s, mat_inv(s, G)) : output ? mat_inv(s, G) : NULL;
        for (long q = 0; q < (back ? group : 1); q++) {
            const long b = back ? h->g * group + q : h->g, a = back ? h->query[q] : h->from;
            if (output) mat_put(to, b * dk, 0, mat_mul(s, back, mat_rows(s, E, a * dk, dk)), 0, 0, dk, E->cols);
            else mat_put(to, 0, b * dk, mat_mul(s, mat_cols(s, E, a * dk, dk), back ? back : G), 0, 0, E->rows, dk);
        }
    }
    return any ? to : E;
}

/* Neurons first ... of B: rows of down, columns of the others. */
static const mat *reordered(scope *s, const moved *w, tensor_role role, long layer, const mat *E)
{
    const long *from = NULL;
    for (long k = 0; k < w->g->layers; k++) if (w->g->order[k].layer == layer) from = w->g->order[k].from;
    if (!from) return E;
    mat *to = mat_blank(s, E->rows, E->cols);
    for (long j = 0; j < w->D->m; j++) {
        if (role == ROLE_DOWN) mat_put(to, j, 0, E, from[j], 0, 1, E->cols);
        else mat_put(to, 0, j, E, 0, from[j], E->rows, 1);
    }
    return to;
}

/* Whether E moves this part of B. */
static bool reaches(const moved *w, tensor_role role)
{
    const bool gain = role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_FINAL_GAIN, fold = w->stream->fold;
    if (fold && gain) return false;                      /* the matrices behind it take it up           */
    return moves(w, role) || moves(w, stream_matrix_of(role)) || (fold && stream_gain_of(role) == w->role);
}

/* Df E: what the image of A with the step has more than that of A. */
static const mat *pushed(scope *s, const moved *w, tensor_role role, long layer, long first, long count)
{
    const halves_source step = { step_alone, w };
    const mat *E = stream_step_of(w->stream, &step, s, role, layer, first, count);
    if (!E) return NULL;
    const tensor_role gain = stream_gain_of(role);
    if (w->stream->fold && gain) {
        const halves_source own = halves_of_file(w->D);
        const mat *g = own.part(own.of, s, gain, role == ROLE_HEAD ? -1 : layer, 0, 0);
        if (g) E = diagonal(s, reciprocal(s, g), E);
    }
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V: case ROLE_O: case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS:
        return gauged(s, w, role, layer, E);
    case ROLE_UP: case ROLE_GATE: case ROLE_DOWN: case ROLE_UP_BIAS: case ROLE_GATE_BIAS:
        return reordered(s, w, role, layer, E);
    default: return E;
    }
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* The columns of W_Q and W_K, and their biases and gains, in the order of the file. */
static const mat *as_stored(scope *s, const moved *w, tensor_role role, const mat *E)
{
    const transformer *D = w->D;
    const bool turns = role == ROLE_Q || role == ROLE_K || role == ROLE_Q_BIAS || role == ROLE_K_BIAS
                       || role == ROLE_Q_GAIN || role == ROLE_K_GAIN;
    if (D->pairs != PAIRS_ADJACENT || !turns) return E;
    mat *to = mat_blank(s, E->rows, E->cols);
    const long half = D->rotary / 2;
    for (long c = 0; c < E->cols; c++) {
        const long i = c % D->dk;
        mat_put(to, 0, c - i + (i >= 2 * half ? i : i < half ? 2 * i : 2 * (i - half) + 1), E, 0, c, E->rows, 1);
    }
    return to;
}

/* The part of the file, nudged. */
static const mat *nudged(scope *s, const moved *w, tensor_role role, long layer, long first, long count)
{
    long rows, cols;
    double *x = doubles_in_halves(w->D, role, layer, first, count, &rows, &cols);
    if (!x) return NULL;
    const double u = w->unit > 0 && w->types ? w->unit + unit_roundoff(tensor_of_part(w->D, role, layer)->numbers)
                                             : w->unit;
    const uint64_t where = ((uint64_t)role << 32) + (uint64_t)(layer + 1);
    for (long k = 0; k < rows * cols && u > 0; k++)
        x[k] *= 1 + u * (double)sign_of(w->seed, NUDGE + w->draw, where, ((uint64_t)first << 32) + (uint64_t)k);
    const mat *W = mat_of_doubles(s, rows, cols, x);
    free(x);
    return W;
}

static const mat *moved_part(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    const moved *w = of;
    const mat *W = nudged(s, w, role, layer, first, count), *E = NULL;
    if (w->in_a && W && moves(w, role))
        W = plus_step(s, w, W, drawn(s, w, role, layer, first, W->rows, W->cols));
    if (!w->in_a && reaches(w, role)) E = pushed(s, w, role, layer, first, count);
    if (E && !W && role >= ROLE_Q && role <= ROLE_V) W = mat_identity(s, E->rows);
    if (E) W = W ? mat_add(s, W, E) : E;
    return W ? as_stored(s, w, role, W) : NULL;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* L = sum of +- logits, kept in a scope of its own. */
typedef struct { scope *s; const mat *sum; uint64_t seed; } loss;

static void add_logits(void *with, forward_stage stage, long layer, long first, const mat *X)
{
    (void)layer;
    loss *l = with;
    if (stage != STAGE_LOGITS) return;
    int64_t *m = must_calloc((size_t)(X->rows * X->cols), sizeof *m);
    for (long r = 0; r < X->rows; r++)
        for (long c = 0; c < X->cols; c++)
            m[r * X->cols + c] = sign_of(l->seed, SIGNS, (uint64_t)r, (uint64_t)(first + c));
    const mat *signed_logits = mat_hadamard(l->s, X, mat_dyadic(l->s, X->rows, X->cols, m, 0));
    free(m);
    const mat *sum = mat_mul3(l->s, mat_ones(l->s, 1, X->rows), signed_logits, mat_ones(l->s, X->cols, 1));
    l->sum = l->sum ? mat_add(l->s, l->sum, sum) : sum;
}

/* (L(W + 2^-STEP E) - L(W - 2^-STEP E)) 2^(STEP - 1); NaN where the balls fail. */
static double derivative(const arith *R, moved w, const token_list *t)
{
    scope keep = scope_open(R, 0, 0);
    const mat *at[2];
    bool good = true;
    for (int k = 0; k < 2; k++) {
        w.sign = k ? -1 : 1;
        scope s = scope_open(R, 0, 0);
        s.frugal = true;
        loss l = { &keep, NULL, w.seed };
        forward_run(&s, &(weight_source){ .D = w.D, .part = moved_part, .of = &w }, t, add_logits, &l);
        good = good && s.status == HOLDS;
        at[k] = l.sum;
        scope_close(&s);
    }
    const double d = good ? mat_get_d(mat_scale_entries(&keep, 1, STEP - 1, mat_sub(&keep, at[0], at[1])), 0, 0) : NAN;
    scope_close(&keep);
    return d;
}

/* Root mean square of what it changes by where every weight is nudged.  It is one number, and a single draw of that may
 * be near 0 by chance. */
static double usual_change(const arith *R, moved w, const token_list *t, double as_stored)
{
    double squares = 0;
    for (w.draw = 0; w.draw < NUDGES; w.draw++) {
        const double change = derivative(R, w, t) - as_stored;
        squares += change * change / NUDGES;
    }
    return sqrt(squares);
}

/* Whether both models store it; a head of its own, a bias and a gain may stand in one alone. */
static bool is_there(const transformer *A, const transformer *B, tensor_role role)
{
    const long layer = role < ROLE_GAIN1 ? -1 : 0;
    if (role == ROLE_QKV || role == ROLE_QKV_BIAS || (role == ROLE_HEAD && A->tied)) return false;
    const bool matrix = role >= ROLE_Q && role <= ROLE_V;
    return tensor_of_part(A, role, layer) && (!matrix || tensor_of_part(B, role, layer));
}

long gradients_between(const transformer *A, const transformer *B, const gauge_found *g, bool alike, long bits,
                       const token_list *t, uint64_t seed, gradient_gap to[GRADIENT_ROLES])
{
    arith R = arith_arb(bits);
    const bool given = g->basis == 1 + BASIS_GIVEN;
    stream_found f = given ? stream_given(A, B, g->given, &R)
                   : g->basis ? stream_between(A, B, (basis_way)(g->basis - 1), &R, g->within) : stream_none(A, B, &R);
    const double unit = (double)(A->d > A->m ? A->d : A->m) * 0x1p-53;
    long n = 0;
    for (tensor_role role = ROLE_EMBED; role < ROLES && !f.why; role++) {
        if (!is_there(A, B, role)) continue;
        double of[2], by[2];
        for (int m = 0; m < 2; m++) {
            moved w = { .D = m ? B : A, .g = g, .stream = &f, .role = role, .in_a = m == 0, .types = !alike,
                        .seed = seed };
            of[m] = derivative(&R, w, t);
            w.unit = unit;
            by[m] = usual_change(&R, w, t, of[m]);
        }
        to[n++] = (gradient_gap){ role, of[0], of[1], COMPARE_FACTOR * (by[0] + by[1]) };
    }
    stream_found_free(&f);
    arith_close(&R);
    return n;
}
