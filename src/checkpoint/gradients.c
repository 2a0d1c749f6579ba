/* gradients.c - see gradients.h. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/gradients.h"
#include "src/checkpoint/relation.h"

enum { STEP = 60, DIRECTION = 1, SIGNS = 2, NUDGE = 3 };

/* W + sign 2^-STEP E in one role. */
typedef struct {
    const transformer *D;
    const gauge_found *g;
    tensor_role role;
    bool   in_a;                         /* E of A, else E~ of B                                        */
    int    sign;
    double unit;                         /* weights are multiplied by 1 +- unit; 0: they are not        */
    bool   types;                        /* by the unit roundoff of their types as well                 */
    uint64_t seed;
} moved;

static int64_t sign_of(uint64_t seed, uint64_t what, uint64_t where, uint64_t number)
{
    const uint64_t key[2] = { seed, (what << 56) + where };
    return random_below(key, number, 2) ? 1 : -1;
}

/* E~ in the order of halves: d x heads dk, W_O heads dk x d. */
static const mat *drawn(scope *s, const moved *w, long layer, long rows, long cols)
{
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long k = 0; k < rows * cols; k++)
        m[k] = sign_of(w->seed, DIRECTION, ((uint64_t)w->role << 32) + (uint64_t)layer, (uint64_t)k);
    const mat *E = mat_dyadic(s, rows, cols, m, 0);
    free(m);
    return E;
}

/* E of E~. */
static const mat *carried(scope *s, const moved *w, long layer, const mat *E)
{
    const long dk = w->D->dk, group = w->D->h / w->D->h_kv;
    mat *to = mat_blank(s, E->rows, E->cols);
    bool any = false;
    for (long k = 0; k < w->g->maps; k++) {
        const head_map *h = &w->g->map[k];
        if (h->layer != layer) continue;
        any = true;
        const bool values = w->role == ROLE_V || w->role == ROLE_O;
        const mat *G = mat_of_doubles(s, dk, dk, values ? h->H : h->G);
        if (w->role == ROLE_V || w->role == ROLE_K) {
            mat_put(to, 0, h->from * dk, mat_mul(s, mat_cols(s, E, h->g * dk, dk), mat_inv(s, G)), 0, 0, E->rows, dk);
            continue;
        }
        for (long q = 0; q < group; q++) {
            const long b = h->g * group + q, a = h->query[q];
            if (w->role == ROLE_Q)
                mat_put(to, 0, a * dk, mat_mul(s, mat_cols(s, E, b * dk, dk), mat_t(s, G)), 0, 0, E->rows, dk);
            else mat_put(to, a * dk, 0, mat_mul(s, G, mat_rows(s, E, b * dk, dk)), 0, 0, dk, E->cols);
        }
    }
    return any ? to : E;
}

/* The columns of W_Q and W_K in the order of the file. */
static const mat *as_stored(scope *s, const moved *w, const mat *E)
{
    const transformer *D = w->D;
    if (D->pairs != PAIRS_ADJACENT || (w->role != ROLE_Q && w->role != ROLE_K)) return E;
    mat *to = mat_blank(s, E->rows, E->cols);
    const long half = D->rotary / 2;
    for (long c = 0; c < E->cols; c++) {
        const long i = c % D->dk;
        mat_put(to, 0, c - i + (i >= 2 * half ? i : i < half ? 2 * i : 2 * (i - half) + 1), E, 0, c, E->rows, 1);
    }
    return to;
}

static const mat *moved_part(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    const moved *w = of;
    long rows, cols;
    double *x = doubles_of_part(w->D, role, layer, first, count, &rows, &cols);
    if (!x) return NULL;
    const double u = w->unit > 0 && w->types ? w->unit + unit_roundoff(tensor_of_part(w->D, role, layer)->numbers)
                                             : w->unit;
    const uint64_t where = ((uint64_t)role << 32) + (uint64_t)(layer + 1);
    for (long k = 0; k < rows * cols && u > 0; k++)
        x[k] *= 1 + u * (double)sign_of(w->seed, NUDGE, where, ((uint64_t)first << 32) + (uint64_t)k);
    const mat *W = mat_of_doubles(s, rows, cols, x);
    free(x);
    if (role != w->role) return W;
    const mat *E = drawn(s, w, layer, rows, cols);
    return mat_add(s, W, mat_scale_entries(s, w->sign, -STEP, as_stored(s, w, w->in_a ? carried(s, w, layer, E) : E)));
}

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

long gradients_between(const transformer *A, const transformer *B, const gauge_found *g, bool alike, long bits,
                       const token_list *t, uint64_t seed, gradient_gap to[GRADIENT_ROLES])
{
    static const tensor_role roles[GRADIENT_ROLES] = { ROLE_Q, ROLE_K, ROLE_V, ROLE_O };
    arith R = arith_arb(bits);
    long n = 0;
    for (int k = 0; k < GRADIENT_ROLES; k++) {
        if (!tensor_of_part(A, roles[k], 0) || !tensor_of_part(B, roles[k], 0)) continue;
        const double unit = (double)(A->d > A->m ? A->d : A->m) * 0x1p-53;
        double of[2][2];                 /* [A, B][as stored, nudged] */
        for (int m = 0; m < 2; m++)
            for (int nudged = 0; nudged < 2; nudged++)
                of[m][nudged] = derivative(&R, (moved){ .D = m ? B : A, .g = g, .role = roles[k], .in_a = m == 0,
                                           .unit = nudged ? unit : 0, .types = !alike, .seed = seed }, t);
        to[n++] = (gradient_gap){ roles[k], of[0][0], of[1][0],
                                  COMPARE_FACTOR * (fabs(of[0][1] - of[0][0]) + fabs(of[1][1] - of[1][0])) };
    }
    arith_close(&R);
    return n;
}
