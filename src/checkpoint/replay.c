/* SPDX-License-Identifier: GPL-3.0-or-later
 * replay.c - see replay.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/lost.h"
#include "src/checkpoint/plan.h"
#include "src/checkpoint/reduced_note.h"
#include "src/checkpoint/relation.h"
#include "src/checkpoint/replay.h"
#include "src/checkpoint/structure.h"
#include "src/checkpoint/weight_matrix.h"

enum { MOST_BITS = 4096 };
static const double beside = 0x1p-40;

typedef struct { rewrite *r; const transformer *B; scope s; replayed *to; } replaying;

/* What a part is that is not stored: gains of ones, biases of zeros, identities. */
static double left_out(tensor_role role, long i, long j)
{
    const bool gain = role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_FINAL_GAIN || role == ROLE_Q_GAIN
                      || role == ROLE_K_GAIN;
    const bool matrix = role == ROLE_Q || role == ROLE_K || role == ROLE_V || role == ROLE_O;
    return gain || (matrix && i == j) ? 1 : 0;
}

/* How far b is from the image, in roundings; infinite where numbers are lost (lost.h).  b NULL: not stored. */
static double units_of(const mat *image, tensor_role role, const double *b, long rows, long cols, numbers_type type)
{
    double units = 0, most = 0, *larger = must_calloc((size_t)(2 * rows * cols), sizeof *larger);
    double *lost = larger + rows * cols;
    for (long k = 0; b && k < rows * cols; k++) most = fmax(most, fabs(b[k]));
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++) {
            const long k = i * cols + j;
            const double is = b ? b[k] : left_out(role, i, j);
            const double off = image ? arith_arb_farthest(image, i, j, is) : fabs(is - left_out(role, i, j));
            const double u = unit_roundoff(type), size = fabs(is) + beside * most;
            const double may = b ? u * size + half_least(type) : 0;
            larger[k] = fmax(fabs(is), off);
            lost[k] = lost_of(off, ROUNDING_UNITS, u, size);
            if (off != 0) units = fmax(units, off <= INFINITY ? off / may : INFINITY);
        }
    const bool gone = b && units <= ROUNDING_UNITS && numbers_lost_in(rows, cols, unit_roundoff(type), larger, lost);
    if (gone) units = INFINITY;
    free(larger);
    return units;
}

/* Those rows or columns of a part. */
static void replay_some(replaying *p, tensor_role role, long layer, long first, long count)
{
    if (p->s.status != HOLDS || rewrite_undecided(p->r)) return;         /* more bits are tried */
    const mat *before = p->s.first;
    const weight_source A = rewrite_source(p->r);
    const mat *image = A.part(A.of, &p->s, role, layer, first, count);
    if (image) image = rewrite_pairs(p->r, &p->s, image, role, p->B->pairs);
    long rows, cols;
    double *b = doubles_of_part(p->B, role, layer, first, count, &rows, &cols);
    if (image && b && (image->rows != rows || image->cols != cols)) p->to->units = INFINITY;
    else if (image || b) {
        const weight_tensor *t = tensor_of_part(p->B, role, layer);
        const double units = units_of(image, role, b, b ? rows : image->rows, b ? cols : image->cols,
                                      t ? t->numbers : NUMBERS_F64);
        if (!(units <= p->to->units)) p->to->units = units, p->to->role = role, p->to->layer = layer;
    }
    free(b);
    scope_sweep(&p->s, before, 0, NULL);
}

static void replay_part(replaying *p, tensor_role role, long layer)
{
    const transformer *B = p->B;
    long all = 0;
    if ((role == ROLE_GATE || role == ROLE_GATE_BIAS) && !B->gated) return;
    switch (role) {
    case ROLE_QKV: case ROLE_QKV_BIAS: return;
    case ROLE_EMBED: all = B->V; break;
    case ROLE_HEAD: case ROLE_HEAD_BIAS: all = B->headless ? 0 : B->outputs; break;
    case ROLE_TOKEN_TYPE: all = B->types; break;
    case ROLE_POSITION: all = tensor_of(B, ROLE_POSITION, -1) ? tensor_of(B, ROLE_POSITION, -1)->shape[0] : 0; break;
    case ROLE_UP: case ROLE_GATE: case ROLE_DOWN: all = tensor_of(B, role, layer) ? place_width(B, layer) : 0; break;
    default: replay_some(p, role, layer, 0, 0); return;
    }
    const long some = lines_at_a_time(0, B->d);
    for (long first = 0; first < all; first += some)
        replay_some(p, role, layer, first, all - first < some ? all - first : some);
}

static void replay_all(replaying *p)
{
    static const tensor_role ends[] = { ROLE_EMBED, ROLE_POSITION, ROLE_EMBED_GAIN, ROLE_EMBED_BIAS, ROLE_FINAL_GAIN,
                                        ROLE_FINAL_BIAS, ROLE_HEAD, ROLE_HEAD_BIAS, ROLE_TOKEN_TYPE, ROLE_BUCKETS,
                                        ROLE_DENSE, ROLE_DENSE_BIAS, ROLE_DENSE_GAIN, ROLE_DENSE_SHIFT, ROLE_POOL,
                                        ROLE_POOL_BIAS, ROLE_NEXT, ROLE_NEXT_BIAS };
    static const tensor_role of_expert[] = { ROLE_UP, ROLE_GATE, ROLE_DOWN };
    for (long i = 0; i < p->B->L; i++)
        for (int role = ROLE_GAIN1; role < ROLES; role++) {
            bool end = false;
            for (size_t k = 0; k < COUNT(ends); k++) end = end || (tensor_role)role == ends[k];
            if (!end) replay_part(p, (tensor_role)role, i);
        }
    for (long at = p->B->L; at < transformer_places(p->B); at++)
        for (size_t k = 0; k < COUNT(of_expert); k++) replay_part(p, of_expert[k], at);
    for (size_t k = 0; k < COUNT(ends); k++) replay_part(p, ends[k], -1);
}

static bool same_sizes(const transformer *A, const transformer *B)
{
    return A->L == B->L && A->d == B->d && A->h == B->h && A->h_kv == B->h_kv && A->dk == B->dk && A->m == B->m
           && A->experts == B->experts && A->expert_m == B->expert_m && A->shared_m == B->shared_m && A->V == B->V;
}

static bool wide(const transformer *B)
{
    const weight_tensor *t = tensor_of_part(B, ROLE_O, 0);
    return t && t->numbers == NUMBERS_F64;
}

static void replay_plan(const transformer *A, const transformer *B, const reduction_plan *plan, replayed *to)
{
    for (long bits = plan_bits(plan, wide(B)); bits <= MOST_BITS; bits *= 2) {
        arith R = arith_arb(bits);
        replaying p = { .r = rewrite_open(A, plan->plan, &R), .B = B, .to = to };
        p.s = scope_open(&R, 0, 0);
        p.s.frugal = true;
        to->units = 0;
        to->found = structure_settings_agree(rewrite_model(p.r), B);
        if (to->found) replay_all(&p);               /* nothing, where it is undecided from the start */
        const bool good = !rewrite_undecided(p.r) && p.s.status == HOLDS;
        to->found = to->found && good && to->units <= ROUNDING_UNITS;
        scope_close(&p.s);
        rewrite_close(p.r);
        arith_close(&R);
        if (good) break;
    }
    char *where = place_words(B, to->layer);
    if (!to->found)
        to->why = isfinite(to->units) && to->units > 0
            ? must_format("%s of %s is %.3g roundings away from what %s gives", role_name[to->role],
                          *where ? where : "the ends", to->units, to->words)
            : must_format("%s gives another model", to->words);
    free(where);
}

replayed replay_between(const weights *wA, const transformer *A, const weights *wB, const transformer *B)
{
    replayed to = { .words = reduced_note(wB) };
    if (!to.words) return to;
    if (A->unknown || A->unreadable || A->quantised || B->unknown || B->unreadable || !same_sizes(A, B)) {
        to.why = must_strdup("the sizes differ, or not all tensors can be read");
        return to;
    }
    layer_condition *c = must_calloc((size_t)A->L, sizeof *c);
    for (long i = 0; i < A->L; i++) c[i] = layer_conditions(A, i);
    const plan_request ask = { .apply = to.words, .untie = A->tied && !B->tied };
    reduction_plan plan = plan_of(wA, A, c, &ask);
    if (plan.refused) to.why = must_strdup(plan.refused);
    else replay_plan(A, B, &plan, &to);
    plan_free(&plan);
    for (long i = 0; i < A->L; i++) layer_conditions_free(&c[i]);
    free(c);
    return to;
}

void replay_free(replayed *r)
{
    free(r->words);
    free(r->why);
    *r = (replayed){ .words = NULL };
}
