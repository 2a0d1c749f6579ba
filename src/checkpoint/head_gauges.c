/* SPDX-License-Identifier: GPL-3.0-or-later
 * head_gauges.c - what stands between the matrices of a head and may be anything invertible: W_V and W_O (N1), W_Q and
 * W_K (K-P3.2); with RoPE between the latter only what commutes with its rotations (K-X-rope).  Query heads that share
 * keys and values share their gauge. */
#include <stdlib.h>
#include "src/checkpoint/conditions.h"
#include "src/checkpoint/rewrite.h"

/* ---- columns of heads -------------------------------------------------------------------------------------------- */

/* Columns of head a times D[a / each], side by side; NULL stays NULL. */
static const mat *by_heads(scope *s, const mat *W, long heads, long each, long dk, const mat *const D[])
{
    if (!W) return NULL;
    mat *C = mat_blank(s, W->rows, W->cols);
    for (long a = 0; a < heads; a++) {
        const mat *own = mat_mul(s, mat_cols(s, W, a * dk, dk), D[a / each]);
        mat_put(C, 0, a * dk, own, 0, 0, W->rows, dk);
    }
    return C;
}

/* dk rows of the columns of a head that are far from dependent, in rising order. */
static int rising(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}
static void choose_rows(const mat *W, long first, long dk, long *row)
{
    double *x = must_calloc((size_t)(W->rows * dk), sizeof *x);
    for (long i = 0; i < W->rows; i++) for (long j = 0; j < dk; j++) x[i * dk + j] = mat_get_d(W, i, first + j);
    pivoted_rows(W->rows, dk, x, row);
    qsort(row, (size_t)dk, sizeof *row, rising);
    free(x);
}

typedef struct { const mat *block, *inverse; long *row; } head_block;      /* block = W[row, head]; row NULL: I */

/* keep: this head keeps its columns. */
static head_block block_of(scope *s, const mat *W, long head, long dk, bool keep)
{
    if (keep) {
        const mat *one = mat_identity(s, dk);
        return (head_block){ one, one, NULL };
    }
    head_block b = { .row = scope_alloc(s, (size_t)dk * sizeof(long)) };
    mat *block = mat_blank(s, dk, dk);
    choose_rows(W, head * dk, dk, b.row);
    for (long k = 0; k < dk; k++) mat_put(block, k, 0, W, b.row[k], head * dk, 1, dk);
    b.block = block;
    b.inverse = mat_inv(s, block);
    return b;
}

/* W of all heads times the inverses of their blocks: rows row[k] of a head are those of the identity, exactly. */
static const mat *with_identities(scope *s, const mat *W, long heads, long dk, const head_block *b)
{
    mat *C = mat_blank(s, W->rows, W->cols);
    const mat *one = mat_identity(s, 1);
    for (long a = 0; a < heads; a++) {
        const mat *own = mat_mul(s, mat_cols(s, W, a * dk, dk), b[a].inverse);
        for (long i = 0, k = 0; i < W->rows; i++) {
            if (b[a].row && k < dk && i == b[a].row[k]) mat_put(C, i, a * dk + k++, one, 0, 0, 1, 1);
            else mat_put(C, i, a * dk, own, i, 0, 1, dk);
        }
    }
    return C;
}

/* H, or G, of each key head of the layer. */
static void tell(const rewrite *r, tensor_role role, const mat *const D[])
{
    const bool values = role == ROLE_V;
    if (r->told) gauge_file_take_heads(r->D, &(values ? r->told->values : r->told->queries)[r->at], D, !values);
}

/* ---- values and outputs ----------------------------------------------------------------------------------------- */

static void gauge_values(rewrite *r, const bool *keep)
{
    scope *s = &r->layer;
    const transformer *D = r->D;
    const long dk = D->dk, each = D->h / D->h_kv;
    const mat *V = r->of[ROLE_V], *O = r->of[ROLE_O];
    head_block *b = scope_alloc(s, (size_t)D->h_kv * sizeof *b);
    const mat **inverse = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    for (long g = 0; g < D->h_kv; g++) {
        b[g] = block_of(s, V, g, dk, keep && keep[g]);
        inverse[g] = b[g].inverse;
    }
    tell(r, ROLE_V, inverse);
    r->of[ROLE_V] = with_identities(s, V, D->h_kv, dk, b);
    r->of[ROLE_V_BIAS] = by_heads(s, r->of[ROLE_V_BIAS], D->h_kv, 1, dk, inverse);
    mat *out = mat_blank(s, O->rows, O->cols);
    for (long a = 0; a < D->h; a++) {
        const mat *own = mat_mul(s, b[a / each].block, mat_rows(s, O, a * dk, dk));
        mat_put(out, a * dk, 0, own, 0, 0, dk, O->cols);
    }
    r->of[ROLE_O] = out;
}

/* ---- queries and keys ------------------------------------------------------------------------------------------- */

/* Blocks in W_K where query heads share keys, else in W_Q; the other of the two takes block'. */
static void gauge_queries(rewrite *r, const bool *keep)
{
    scope *s = &r->layer;
    const transformer *D = r->D;
    const bool keys = D->h_kv < D->h;
    const tensor_role own = keys ? ROLE_K : ROLE_Q, other = keys ? ROLE_Q : ROLE_K;
    const tensor_role own_bias = keys ? ROLE_K_BIAS : ROLE_Q_BIAS, other_bias = keys ? ROLE_Q_BIAS : ROLE_K_BIAS;
    const long dk = D->dk, each = D->h / D->h_kv;
    head_block *b = scope_alloc(s, (size_t)D->h_kv * sizeof *b);
    const mat **inverse = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    const mat **turned = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    for (long g = 0; g < D->h_kv; g++) {
        b[g] = block_of(s, r->of[own], g, dk, keep && keep[g]);
        inverse[g] = b[g].inverse;
        turned[g] = mat_t(s, b[g].block);
    }
    tell(r, ROLE_K, keys ? inverse : turned);
    r->of[own] = with_identities(s, r->of[own], D->h_kv, dk, b);
    r->of[own_bias] = by_heads(s, r->of[own_bias], D->h_kv, 1, dk, inverse);
    r->of[other] = by_heads(s, r->of[other], D->h, each, dk, turned);
    r->of[other_bias] = by_heads(s, r->of[other_bias], D->h, each, dk, turned);
}

void rotary_pair(const transformer *D, long k, long *p, long *q)
{
    const bool halves = D->pairs == PAIRS_HALVES;
    *p = halves ? k : 2 * k;
    *q = halves ? k + D->rotary / 2 : 2 * k + 1;
}

const mat *rotary_blocks(const transformer *D, scope *s, const mat *re, const mat *im)
{
    mat *C = mat_blank(s, D->dk, D->dk);
    const mat *back = mat_neg(s, im), *one = mat_identity(s, 1);
    for (long k = 0; k < D->rotary / 2; k++) {
        long p, q;
        rotary_pair(D, k, &p, &q);
        mat_put(C, p, p, re, k, 0, 1, 1);
        mat_put(C, q, q, re, k, 0, 1, 1);
        mat_put(C, p, q, im, k, 0, 1, 1);
        mat_put(C, q, p, back, k, 0, 1, 1);
    }
    for (long k = D->rotary; k < D->dk; k++) mat_put(C, k, k, one, 0, 0, 1, 1);
    return C;
}

/* The row in which pair (p, q) of W is largest. */
static long largest_row(const mat *W, long p, long q)
{
    long at = 0;
    double most = -1;
    for (long i = 0; i < W->rows; i++) {
        const double a = mat_get_d(W, i, p), b = mat_get_d(W, i, q), size = a * a + b * b;
        if (size > most) most = size, at = i;
    }
    return at;
}

/* Each pair (p, q) of a key head has one row (a, b) that (x, y; -y, x) turns into (1, 0):
 * x = a / (a^2 + b^2), y = -b / (a^2 + b^2).  The queries take its inverse's transpose, (a, -b; b, a).  A pair that is
 * 0 in every row stays: (x, y) = (1, 0). */
static void gauge_pairs(rewrite *r)
{
    scope *s = &r->layer;
    const transformer *D = r->D;
    const long dk = D->dk, n = D->rotary / 2, each = D->h / D->h_kv, d = D->d;
    const mat *K = r->of[ROLE_K], *unit = mat_from_si(s, 1, 2, (long[]){ 1, 0 });
    const mat **forth = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    const mat **turned = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    mat *C = mat_blank(s, d, K->cols);
    for (long g = 0; g < D->h_kv; g++) {
        const mat *own = mat_cols(s, K, g * dk, dk);
        mat *a = mat_blank(s, n, 1), *b = mat_blank(s, n, 1);
        long *row = scope_alloc(s, (size_t)dk * sizeof *row);            /* of the pair of each coordinate */
        for (long j = 0; j < dk; j++) row[j] = -1;
        for (long k = 0; k < n; k++) {
            long p, q;
            rotary_pair(D, k, &p, &q);
            const long at = largest_row(own, p, q);
            const bool zero = mat_get_d(own, at, p) == 0 && mat_get_d(own, at, q) == 0;
            mat_put(a, k, 0, zero ? unit : own, zero ? 0 : at, zero ? 0 : p, 1, 1);
            mat_put(b, k, 0, zero ? unit : own, zero ? 0 : at, zero ? 1 : q, 1, 1);
            if (!zero) row[p] = row[q] = at;
        }
        const mat *over = mat_reciprocal(s, mat_add(s, mat_hadamard(s, a, a), mat_hadamard(s, b, b)));
        const mat *minus = mat_neg(s, b);
        forth[g] = rotary_blocks(D, s, mat_hadamard(s, a, over), mat_hadamard(s, minus, over));
        turned[g] = rotary_blocks(D, s, a, minus);
        const mat *made = mat_mul(s, own, forth[g]);
        for (long j = 0; j < dk; j++) {
            long p = -1, q = -1;
            for (long k = 0; k < n && p != j && q != j; k++) rotary_pair(D, k, &p, &q);
            for (long i = 0; i < d; i++) {
                if (i == row[j]) mat_put(C, i, g * dk + j, unit, 0, j == q, 1, 1);
                else mat_put(C, i, g * dk + j, made, i, j, 1, 1);
            }
        }
    }
    tell(r, ROLE_K, forth);
    r->of[ROLE_K] = C;
    r->of[ROLE_K_BIAS] = by_heads(s, r->of[ROLE_K_BIAS], D->h_kv, 1, dk, forth);
    r->of[ROLE_Q] = by_heads(s, r->of[ROLE_Q], D->h, each, dk, turned);
    r->of[ROLE_Q_BIAS] = by_heads(s, r->of[ROLE_Q_BIAS], D->h, each, dk, turned);
}

/* The layer whose W_Q is a triangle: its gauge came with the rotation. */
static void follow_triangle(rewrite *r)
{
    scope *s = &r->layer;
    const transformer *D = r->D;
    const long dk = D->dk, each = D->h / D->h_kv;
    tell(r, ROLE_K, r->turn_back);
    r->of[ROLE_Q] = r->triangle;
    r->of[ROLE_Q_BIAS] = by_heads(s, r->of[ROLE_Q_BIAS], D->h, each, dk, r->turn);
    r->of[ROLE_K] = by_heads(s, r->of[ROLE_K], D->h_kv, 1, dk, r->turn_back);
    r->of[ROLE_K_BIAS] = by_heads(s, r->of[ROLE_K_BIAS], D->h_kv, 1, dk, r->turn_back);
}

static const bool *kept_heads(const rewrite *r, const bool *keep, long layer)
{
    return keep ? keep + layer * r->D->h_kv : NULL;
}

void rewrite_head_gauges(rewrite *r, long layer)
{
    const bool ones = rewrite_keys_are_ones(r, layer);
    if (r->triangle && layer == r->plan.layer) follow_triangle(r);
    else if (!ones && !rewrite_query_is_one(r, layer)) {
        if (r->plan.queries) gauge_queries(r, kept_heads(r, r->plan.keep_queries, layer));
        if (r->plan.pairs) gauge_pairs(r);
    }
    if (r->plan.values && !ones) gauge_values(r, kept_heads(r, r->plan.keep_values, layer));
}
