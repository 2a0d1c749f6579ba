/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_biases.c - tangents that move constants: key biases that the softmax does not feel, value biases into b_O,
 * and translations of the stream at one stage. */
#include "src/methods/rank/gauge_list.h"

static void head_biases(tangents *g, const layer *W)
{
    const shape *sh = &g->M->s;
    scope *s = g->s;
    const long dk = sh->dk, group = sh->h / sh->h_kv;
    for (long k = 0; k < sh->h_kv * dk; k++) {
        if (!sh->rope && !sh->qk_norm) {    /* q_i b_K' is the same for all keys j */
            tangent_next(g);
            tangent_put(g, W->bK, tangent_row(s, sh->h_kv * dk, k));
        }
        const mat *out = mat_zero(s, 1, sh->d);    /* weights of a row sum to 1 */
        for (long a = k / dk * group; a < (k / dk + 1) * group; a++)
            out = mat_add(s, out, mat_rows(s, tangent_value(W->O), a * dk + k % dk, 1));
        tangent_next(g);
        tangent_put(g, W->bV, tangent_row(s, sh->h_kv * dk, k));
        tangent_put(g, W->bO, mat_neg(s, out));
    }
}

static void down_biases(tangents *g, const layer *W, const mat *c)
{
    for (long e = 0; e < tangent_experts(&g->M->s); e++) tangent_put(g, W->expert[e].b_down, c);
}

/* The stream of stage s, and of those that share it, is translated by c; skips carry the change one stage on. */
static void translate(tangents *g, long s, const mat *c)
{
    const model *M = g->M;
    const shape *sh = &M->s;
    const mat *back = mat_neg(g->s, c);
    tangent_next(g);
    if (s == 0) {
        const mat *W = M->P ? M->P : M->E;
        tangent_put(g, W, mat_mul(g->s, mat_ones(g->s, W->rows, 1), c));
    }
    else if (s % 2) tangent_put(g, M->at[(s - 1) / 2].bO, c);
    else down_biases(g, &M->at[s / 2 - 1], c);
    const layer *W = &M->at[s / 2];
    if (s % 2 == 0) {
        tangent_absorb(g, W->Q, W->bQ, c);
        tangent_absorb(g, W->K, W->bK, c);
        tangent_absorb(g, W->V, W->bV, c);
    }
    if (s % 2 || sh->parallel) tangent_absorb_mlp(g, W, c);
    if (s % 2 ? sh->mlp_skip : sh->parallel && sh->attn_skip) down_biases(g, W, back);
    if (s % 2 == 0 && !sh->parallel && sh->attn_skip) tangent_put(g, W->bO, back);
}

void gauge_bias_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    if (!sh->biases) return;
    for (long i = 0; i < tangent_blocks(sh); i++) {
        head_biases(g, &g->M->at[i]);
        for (long k = 0; k < sh->d && sh->parallel; k++) {  /* b_O and b_d are added to the same stage */
            tangent_next(g);
            tangent_put(g, g->M->at[i].bO, tangent_row(g->s, sh->d, k));
            down_biases(g, &g->M->at[i], mat_neg(g->s, tangent_row(g->s, sh->d, k)));
        }
    }
    tangent_classes(g, false);
    for (long s = 0; s < 2 * sh->L && sh->norm == NORM_NONE; s++) {
        const bool mlp_reads = s % 2 || sh->parallel;
        if (g->klass[s] != s || g->klass[2 * sh->L] == s) continue;    /* the head has no bias to absorb it */
        if (s == 0 && (sh->shared || (!g->M->P && sh->tied))) continue;                /* a tied head reads E */
        if ((sh->parallel && s % 2) || (mlp_reads && sh->experts)) continue;
        for (long k = 0; k < sh->d; k++) translate(g, s, tangent_row(g->s, sh->d, k));
    }
}

