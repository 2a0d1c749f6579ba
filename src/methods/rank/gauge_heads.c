/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_heads.c - tangents inside the heads, (W_Q A, -W_K A') and (W_V B, -B W_O), and inside the MLP. */
#include "src/methods/rank/gauge_list.h"

/* Element k of a basis of the A that commute with the operation between query and key; NULL: no more. */
static const mat *head_element(tangents *g, long k)
{
    const shape *sh = &g->M->s;
    scope *s = g->s;
    const long dk = sh->dk, i = k / dk, j = k % dk;
    if (sh->qk_norm && !g->unit_gains) return NULL;
    if (sh->rope) {    /* 1 and i on each pair */
        const long kinds = sh->qk_norm ? 1 : 2, pair = k / kinds;
        if (pair >= dk / 2) return NULL;
        if (sh->qk_norm || k % 2) return tangent_skew(s, dk, 2 * pair, 2 * pair + 1);
        return mat_add(s, mat_unit(s, dk, dk, 2 * pair, 2 * pair),
                       mat_unit(s, dk, dk, 2 * pair + 1, 2 * pair + 1));
    }
    if (k >= dk * dk) return NULL;
    return sh->qk_norm ? tangent_skew(s, dk, i, j) : mat_unit(s, dk, dk, i, j);
}

/* Head a of W changes by W_a A. */
static void head_columns(tangents *g, const mat *W, long a, const mat *A)
{
    const long dk = A->rows;
    tangent_put_at(g, W, mat_mul(g->s, mat_cols(g->s, tangent_value(W), a * dk, dk), A), 0, a * dk);
}

/* Head a of W_O changes by -B W_O^a. */
static void head_rows(tangents *g, const mat *W, long a, const mat *B)
{
    const long dk = B->rows;
    const mat *BW = mat_mul(g->s, B, mat_rows(g->s, tangent_value(W), a * dk, dk));
    tangent_put_at(g, W, mat_neg(g->s, BW), a * dk, 0);
}

void gauge_query_key_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    scope *s = g->s;
    const long dk = sh->dk, group = sh->h / sh->h_kv;
    for (long i = 0; i < tangent_blocks(sh); i++)
        for (long kv = 0; kv < sh->h_kv; kv++) {
            const layer *W = &g->M->at[i];
            const mat *A;
            for (long k = 0; (A = head_element(g, k)) != NULL; k++) {
                const mat *At = mat_neg(s, mat_t(s, A)), *rows[][2] = { { W->Q, W->K }, { W->bQ, W->bK } };
                tangent_next(g);
                for (size_t b = 0; b < COUNT(rows) && rows[b][0]; b++) {
                    for (long a = kv * group; a < (kv + 1) * group; a++)
                        head_columns(g, rows[b][0], a, A);
                    head_columns(g, rows[b][1], kv, At);
                }
            }
        }
    if (!sh->qk_norm || g->unit_gains) return;
    for (long i = 0; i < tangent_blocks(sh); i++)    /* gain_q c, gain_k / c; c equal on the pairs of RoPE */
        for (long k = 0; k < dk; k += sh->rope ? 2 : 1) {
            const mat *c = mat_unit(s, dk, dk, k, k);
            if (sh->rope) c = mat_add(s, c, mat_unit(s, dk, dk, k + 1, k + 1));
            tangent_next(g);
            tangent_put(g, g->M->at[i].gain_q, mat_mul(s, tangent_value(g->M->at[i].gain_q), c));
            tangent_put(g, g->M->at[i].gain_k, mat_neg(s, mat_mul(s, tangent_value(g->M->at[i].gain_k), c)));
        }
}

void gauge_value_output_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    scope *s = g->s;
    const long dk = sh->dk, group = sh->h / sh->h_kv;
    for (long i = 0; i < tangent_blocks(sh); i++)
        for (long kv = 0; kv < sh->h_kv; kv++)
            for (long k = 0; k < dk * dk; k++) {
                const layer *W = &g->M->at[i];
                const mat *B = mat_unit(s, dk, dk, k / dk, k % dk);
                tangent_next(g);
                head_columns(g, W->V, kv, B);
                if (W->bV) head_columns(g, W->bV, kv, B);
                for (long a = kv * group; a < (kv + 1) * group; a++)
                    head_rows(g, W->O, a, B);
            }
}

/* Under a causal mask the first token attends to itself alone.  Without attention skip and norm its position acts
 * only through W_K and W_V of the first layer: P_1 may become P_1 + c with c W_K = c W_V = 0.  c: last rows of
 * (W_K | W_V | C)^-1. */
static void first_position(tangents *g)
{
    const shape *sh = &g->M->s;
    scope *s = g->s;
    const layer *W = &g->M->at[0];
    const long constraints = 2 * sh->h_kv * sh->dk;
    if (sh->mask != MASK_CAUSAL || sh->attn_skip || sh->parallel || sh->norm != NORM_NONE) return;
    if (constraints >= sh->d) return;
    const mat *C = mat_draw(s, "complement", sh->d, sh->d - constraints, 0);
    const mat *all = mat_hcat(s, 3, (const mat *const[]){ tangent_value(W->K), tangent_value(W->V), C });
    const mat *c = mat_rows(s, mat_inv(s, all), constraints, sh->d - constraints);
    for (long k = 0; k < c->rows; k++) {
        tangent_next(g);
        tangent_put_at(g, g->M->P, mat_rows(s, c, k, 1), 0, 0);
    }
}

void gauge_position_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    scope *s = g->s;
    if (!g->M->P) return;
    first_position(g);
    if (sh->tied && sh->norm == NORM_LAYER && !sh->biases) {    /* a tied head reads E orthogonally to w */
        const mat *w = mat_t(s, mat_mul(s, mat_inv(s, tangent_value(g->M->gain_f)), mat_ones(s, sh->d, 1)));
        tangent_next(g);
        tangent_put(g, g->M->E, mat_mul(s, mat_ones(s, sh->V, 1), w));
        tangent_put(g, g->M->P, mat_neg(s, mat_mul(s, mat_ones(s, sh->n, 1), w)));
    }
    for (long c = 0; c < sh->d && !sh->tied; c++) {
        tangent_next(g);
        tangent_put(g, g->M->E, mat_mul(s, mat_ones(s, sh->V, 1), tangent_row(s, sh->d, c)));
        tangent_put(g, g->M->P, mat_neg(s, mat_mul(s, mat_ones(s, sh->n, 1), tangent_row(s, sh->d, c))));
    }
}

/* up T, -T down: T scales a neuron, or is any matrix where there is no activation */
static void mix_neurons(tangents *g, const mat *up, const mat *b_up, const mat *down, const mat *T)
{
    scope *s = g->s;
    tangent_next(g);
    tangent_put(g, up, mat_mul(s, tangent_value(up), T));
    if (b_up) tangent_put(g, b_up, mat_mul(s, tangent_value(b_up), T));
    tangent_put(g, down, mat_neg(s, mat_mul(s, T, tangent_value(down))));
}

void gauge_unit_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    const bool linear = sh->act == ACT_IDENTITY, scales = linear || sh->act == ACT_RELU;
    for (long i = 0; i < tangent_blocks(sh); i++)
        for (long e = 0; e < tangent_experts(sh); e++) {
            const mlp *F = &g->M->at[i].expert[e];
            for (long j = 0; j < sh->m; j++)
                for (long k = 0; k < sh->m; k++) {
                    const mat *T = mat_unit(g->s, sh->m, sh->m, j, k);
                    if (j == k && F->gate) mix_neurons(g, F->up, F->b_up, F->down, T);
                    if (j == k && F->gate && scales) mix_neurons(g, F->gate, F->b_gate, F->down, T);
                    if (!F->gate && (linear || (j == k && scales))) mix_neurons(g, F->up, F->b_up, F->down, T);
                }
        }
}

void gauge_router_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    for (long i = 0; i < tangent_blocks(sh) && sh->experts; i++)
        for (long k = 0; k < sh->d; k++) {
            tangent_next(g);
            const mat *column = mat_unit(g->s, sh->d, 1, k, 0);
            tangent_put(g, g->M->at[i].router, mat_mul(g->s, column, mat_ones(g->s, 1, sh->experts)));
        }
}

