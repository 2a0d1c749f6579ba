/* gauge_norms.c - tangents that norms add: a gain against the rows it multiplies, and for LayerNorm the direction 1,
 * which writers may fill and readers may read without effect. */
#include "src/gauge_list.h"

static void scale_row(tangents *g, const mat *W, const mat *gain, const mat *e)    /* -e_kk W */
{
    (void)gain;
    if (W) tangent_put(g, W, tangent_minus(g->s, mat_mul(g->s, e, tangent_value(W))));
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

static const mat *bias_of(const layer *W, const mat *weight)
{
    const mat *pair[][2] = { { W->Q, W->bQ }, { W->K, W->bK }, { W->V, W->bV } };
    for (size_t k = 0; k < COUNT(pair); k++) if (pair[k][0] == weight) return pair[k][1];
    for (long e = 0; e < MAX_EXPERTS; e++) {
        if (W->expert[e].up == weight) return W->expert[e].b_up;
        if (W->expert[e].gate == weight) return W->expert[e].b_gate;
    }
    return NULL;
}

/* Readers behind stage s: + Gamma^-1 1 w', b - beta Gamma^-1 1 w'; the head, which has no bias, w' = u' W_LM. */
static void shift_columns(tangents *g, const mat *W, const mat *gain, long s, const mat *beta)
{
    scope *o = g->s;
    if (!W) return;
    const mat *v = mat_mul(o, mat_inv(o, tangent_value(gain)), mat_ones(o, gain->rows, 1));
    const mat *b = s < 2 * g->M->s.L ? bias_of(&g->M->at[s / 2], W) : NULL;
    const bool through_head = beta && !b;
    for (long c = 0; c < (through_head ? W->rows : W->cols); c++) {
        const mat *e = tangent_row(o, through_head ? W->rows : W->cols, c);
        const mat *w = through_head ? mat_mul(o, e, tangent_value(W)) : e;
        if (through_head && s < 2 * g->M->s.L) return;    /* a router: its share of beta cannot be absorbed */
        tangent_next(g);
        tangent_put(g, W, mat_mul(o, v, w));
        if (beta) tangent_put(g, b ? b : beta, tangent_minus(o, mat_mul(o, mat_mul(o, tangent_value(beta), v), e)));
    }
}

static void layer_norm(tangents *g)
{
    const model *M = g->M;
    const shape *sh = &M->s;
    const mat *gain, *beta, *one = mat_ones(g->s, 1, sh->d);
    for (long s = 0; s <= 2 * sh->L; s++) {
        tangent_each_writer(g, s, shift_rows, one);
        tangent_norm_at(M, s, &gain, &beta);
        if (!gain) continue;
        const layer *W = &M->at[s < 2 * sh->L ? s / 2 : 0];
        if (s == 2 * sh->L) shift_columns(g, M->head, gain, s, beta);
        const mat *of_attention[] = { W->Q, W->K, W->V };
        for (size_t k = 0; s < 2 * sh->L && s % 2 == 0 && k < COUNT(of_attention); k++)
            shift_columns(g, of_attention[k], gain, s, beta);
        for (long e = 0; s < 2 * sh->L && (s % 2 || sh->parallel) && e < tangent_experts(sh); e++) {
            shift_columns(g, W->expert[e].up, gain, s, beta);
            shift_columns(g, W->expert[e].gate, gain, s, beta);
        }
        if (s < 2 * sh->L && (s % 2 || sh->parallel)) shift_columns(g, W->router, gain, s, beta);
        for (long k = 0; beta && s < 2 * sh->L && k < sh->d; k++) {    /* beta + c, b - c W */
            const mat *c = tangent_row(g->s, sh->d, k);
            if ((s % 2 || sh->parallel) && sh->experts) break;
            tangent_next(g);
            tangent_put(g, beta, c);
            for (size_t r = 0; s % 2 == 0 && r < COUNT(of_attention); r++)
                tangent_absorb(g, of_attention[r], bias_of(W, of_attention[r]), c);
            if (s % 2 || sh->parallel) tangent_absorb_mlp(g, W, c);
        }
    }
}

void gauge_norm_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    for (long s = 0; s <= 2 * sh->L && sh->norm != NORM_NONE; s++) {
        const mat *gain, *beta;
        tangent_norm_at(g->M, s, &gain, &beta);
        for (long k = 0; gain && k < sh->d && !(s == 2 * sh->L && sh->tied); k++) {
            const mat *e = tangent_unit(g->s, sh->d, sh->d, k, k);
            tangent_next(g);
            tangent_put(g, gain, mat_mul(g->s, tangent_value(gain), e));
            if (beta) tangent_put(g, beta, mat_mul(g->s, tangent_value(beta), e));
            tangent_each_reader(g, s, scale_row, e);
        }
    }
    if (sh->norm == NORM_LAYER) layer_norm(g);
}

