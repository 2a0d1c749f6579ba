/* SPDX-License-Identifier: GPL-3.0-or-later
 * attention_forms.c - other forms of the matrices of a layer, which leave heads and stream as they are: a row of W_Q
 * behind LayerNorm that nothing reaches (N18); one head, of which W_Q W_K' and W_V W_O are all that is used (K-P4.1);
 * values computed from keys (N11). */
#include <math.h>
#include "src/checkpoint/rewrite.h"

/* The row with the smallest gain, so that no quotient of gains is above 1. */
static long least_gain(const mat *g)
{
    long r = 0;
    for (long i = 1; i < g->cols; i++) if (fabs(mat_get_d(g, 0, i)) < fabs(mat_get_d(g, 0, r))) r = i;
    return r;
}

/* c_r = 1, c_i = g_r / g_i: d x 1. */
static const mat *quotients(scope *s, const mat *g, long r)
{
    mat *c = mat_blank(s, g->cols, 1);
    const mat *x = mat_zero(s, g->cols, 1);              /* g_r = 0: what reaches row r is its bias alone */
    if (mat_get_d(g, 0, r) != 0) {
        const mat *all = mat_t(s, g), *over = mat_reciprocal(s, mat_hadamard(s, all, all));    /* 1/x takes x > 0 */
        x = mat_scale_by(s, mat_cols(s, g, r, 1), mat_hadamard(s, all, over));
    }
    mat_put(c, 0, 0, x, 0, 0, g->cols, 1);
    mat_put(c, r, 0, mat_identity(s, 1), 0, 0, 1, 1);
    return c;
}

void zero_row_form(scope *s, const mat *g, const mat *beta, long at, const mat **W, const mat **b)
{
    const mat *c = quotients(s, g, at), *row = mat_rows(s, *W, at, 1), *less = mat_sub(s, *W, mat_mul(s, c, row));
    mat *made = mat_blank(s, less->rows, less->cols);
    mat_put(made, 0, 0, less, 0, 0, less->rows, less->cols);
    mat_put(made, at, 0, mat_zero(s, 1, less->cols), 0, 0, 1, less->cols);        /* exactly */
    *W = made;
    if (beta) *b = mat_add(s, *b, mat_mul(s, mat_mul(s, beta, c), row));
}

void rewrite_zero_row(rewrite *r, long layer)
{
    scope *s = &r->layer;
    const mat *g = part_of_file(r->D, s, ROLE_GAIN1, layer, 0, 0);
    const mat *beta = part_of_file(r->D, s, ROLE_BIAS1, layer, 0, 0);
    zero_row_form(s, g, beta, least_gain(g), &r->of[ROLE_Q], &r->of[ROLE_Q_BIAS]);
}

/* Scores are X W_Q W_K' X' and values X W_V W_O: W_K and W_O become the identity, W_K not where W_Q is it already.
 * Contract: one head as wide as the stream, no biases, plain scores; W_O writes into the new basis already. */
void rewrite_collapse(rewrite *r, long layer)
{
    scope *s = &r->layer;
    const long d = r->D->d;
    REQUIRE(r->D->h == 1 && r->D->dk == d && !r->of[ROLE_Q_BIAS] && !r->of[ROLE_K_BIAS], "%ld heads", r->D->h);
    if (!rewrite_query_is_one(r, layer) && !r->triangle) {
        r->of[ROLE_Q] = mat_mul(s, r->of[ROLE_Q], mat_t(s, r->of[ROLE_K]));
        r->of[ROLE_K] = unit_columns(s, d, 0, d);
    }
    r->of[ROLE_V] = mat_mul(s, r->of[ROLE_V], r->of[ROLE_O]);
    r->of[ROLE_O] = unit_columns(s, d, 0, d);
}

/* V = X W_V + b_V = (K - b_K) W_K^-1 W_V + b_V for K = X W_K + b_K: W~ = W_K^-1 W_V, b~ = b_V - b_K W~. */
void rewrite_slim(rewrite *r, long layer)
{
    scope *s = &r->layer;
    REQUIRE(r->D->h_kv * r->D->dk == r->D->d, "layer %ld: W_K is not square", layer);
    const mat *W = mat_mul(s, mat_inv(s, r->of[ROLE_K]), r->of[ROLE_V]), *b = r->of[ROLE_K_BIAS];
    r->of[ROLE_V] = W;
    if (b) r->of[ROLE_V_BIAS] = mat_sub(s, r->of[ROLE_V_BIAS], mat_mul(s, b, W));
}
