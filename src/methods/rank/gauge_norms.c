/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_norms.c - tangents that norms add: a gain against the rows it multiplies, and for LayerNorm the direction 1,
 * which writers may fill and readers may read without effect. */
#include "src/methods/rank/gauge_list.h"

static void scale_row(tangents *g, const mat *W, const mat *gain, const mat *e)    /* -e_kk W */
{
    (void)gain;
    if (W) tangent_put(g, W, mat_neg(g->s, mat_mul(g->s, e, tangent_value(W))));
}

static void shift_rows(tangents *g, const mat *W, const mat *gain, const mat *one)    /* each row: + v 1' */
{
    (void)gain;
    if (!W || (W == g->M->E && g->M->s.tied)) return;
    for (long r = 0; r < W->rows; r++) {
        tangent_next(g);
        tangent_put_at(g, W, one, r, 0);
    }
}

static const mat *bias_of_layer(const layer *W, const mat *weight)
{
    if (weight == W->Q) return W->bQ;
    if (weight == W->K) return W->bK;
    if (weight == W->V) return W->bV;
    for (long e = 0; e < MAX_EXPERTS; e++) {
        if (weight == W->expert[e].up)   return W->expert[e].b_up;
        if (weight == W->expert[e].gate) return W->expert[e].b_gate;
    }
    return NULL;
}

static const mat *bias_of(const model *M, const mat *weight)            /* NULL: the head, a router, no biases */
{
    for (long i = 0; i < M->s.L; i++) {
        const mat *b = bias_of_layer(&M->at[i], weight);
        if (b) return b;
    }
    return NULL;
}

/* A reader: + Gamma^-1 1 w', its bias b - beta Gamma^-1 1 w'.  The head has none: w' = u' W_LM, beta - (..) u'.
 * A router has none either: its share of beta cannot be absorbed. */
static void shift_columns(tangents *g, const mat *W, const mat *gain, const mat *beta)
{
    scope *s = g->s;
    if (!W) return;
    const mat *b = bias_of(g->M, W), *v = mat_mul(s, mat_inv(s, tangent_value(gain)), mat_ones(s, gain->rows, 1));
    const bool through_head = beta && !b;
    if (through_head && W != g->M->head) return;
    const long n = through_head ? W->rows : W->cols;
    for (long c = 0; c < n; c++) {
        const mat *e = tangent_row(s, n, c);
        tangent_next(g);
        tangent_put(g, W, mat_mul(s, v, through_head ? mat_mul(s, e, tangent_value(W)) : e));
        if (beta) tangent_put(g, b ? b : beta, mat_neg(s, mat_mul(s, mat_mul(s, tangent_value(beta), v), e)));
    }
}

static void absorb_in(tangents *g, const mat *W, const mat *gain, const mat *c)         /* b - c W */
{
    (void)gain;
    if (W) tangent_absorb(g, W, bias_of(g->M, W), c);
}

static void layer_norm(tangents *g)
{
    const shape *sh = &g->M->s;
    const mat *gain, *beta, *one = mat_ones(g->s, 1, sh->d);
    for (long s = 0; s <= 2 * sh->L; s++) {
        tangent_each_writer(g, s, shift_rows, one);
        tangent_norm_at(g->M, s, &gain, &beta);
        if (!gain) continue;
        tangent_each_reader(g, s, shift_columns, beta);
        const bool routed = sh->experts && (s % 2 || sh->parallel);
        for (long k = 0; beta && s < 2 * sh->L && !routed && k < sh->d; k++) {          /* beta + c, b - c W */
            const mat *c = tangent_row(g->s, sh->d, k);
            tangent_next(g);
            tangent_put(g, beta, c);
            tangent_each_reader(g, s, absorb_in, c);
        }
    }
}

void gauge_norm_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    for (long s = 0; s <= 2 * sh->L && sh->norm != NORM_NONE; s++) {
        const mat *gain, *beta;
        tangent_norm_at(g->M, s, &gain, &beta);
        const bool moves = gain && parameters_find(g->P, gain) && !(s == 2 * sh->L && sh->tied);
        for (long k = 0; moves && k < sh->d; k++) {
            const mat *e = mat_unit(g->s, sh->d, sh->d, k, k);
            tangent_next(g);
            tangent_put(g, gain, mat_mul(g->s, tangent_value(gain), e));
            if (beta) tangent_put(g, beta, mat_mul(g->s, tangent_value(beta), e));
            tangent_each_reader(g, s, scale_row, e);
        }
    }
    if (sh->norm == NORM_LAYER) layer_norm(g);
}

