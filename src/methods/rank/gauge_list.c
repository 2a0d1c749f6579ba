/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_list.c - what all factors of the gauge need: the list of tangents, small matrices, and who writes to a stage of
 * the stream and who reads from it: see gauge_list.h. */
#include "src/methods/rank/gauge_list.h"

void tangent_next(tangents *g)
{
    if (g->n == g->capacity) {
        mat **bigger = scope_alloc(g->s, (size_t)(2 * g->capacity + 64) * sizeof(void *));
        for (long k = 0; k < g->n; k++) bigger[k] = g->row[k];
        g->capacity = 2 * g->capacity + 64;
        g->row = bigger;
    }
    g->row[g->n++] = mat_blank(g->s, 1, g->P->free + g->P->frozen);
}

/* Weight W (over the tape; may be NULL) changes by D, which is put at its entry (i, j). */
void tangent_put_at(tangents *g, const mat *W, const mat *D, long i, long j)
{
    if (!W) return;
    const parameter *p = parameters_find(g->P, W);
    REQUIRE(p, "a weight of %ldx%ld that is no parameter", W->rows, W->cols);
    mat *row = g->row[g->n - 1];
    for (long r = 0; r < D->rows; r++)
        if (p->diagonal) mat_put(row, 0, p->at + r, D, r, r, 1, 1);
        else             mat_put(row, 0, p->at + (i + r) * W->cols + j, D, r, 0, 1, D->cols);
}
void tangent_put(tangents *g, const mat *W, const mat *D) { if (W) tangent_put_at(g, W, D, 0, 0); }

const mat *tangent_value(const mat *W)             { return W ? tape_value(W) : NULL; }

const mat *tangent_skew(scope *s, long n, long i, long j)
{
    return mat_sub(s, mat_unit(s, n, n, i, j), mat_unit(s, n, n, j, i));
}

long tangent_blocks(const shape *sh) { return sh->shared ? sh->shared : sh->L; }
long tangent_experts(const shape *sh) { return sh->experts ? sh->experts : 1; }

const mat *tangent_row(scope *s, long d, long c) { return mat_unit(s, 1, d, 0, c); }

/* ---- stages of the stream ------------------------------------------------------------------------------ */

static void unify(tangents *g, long a, long b)
{
    const long from = g->klass[b], to = g->klass[a];
    for (long s = 0; s <= 2 * g->M->s.L; s++) if (g->klass[s] == from) g->klass[s] = to;
}

void tangent_classes(tangents *g, bool skips)
{
    const shape *sh = &g->M->s;
    for (long s = 0; s <= 2 * sh->L; s++) g->klass[s] = s;
    for (long i = 0; i < sh->L; i++) {
        if (skips && sh->parallel && sh->attn_skip)   unify(g, 2 * i, 2 * i + 2);
        if (skips && !sh->parallel && sh->attn_skip)  unify(g, 2 * i, 2 * i + 1);
        if (skips && !sh->parallel && sh->mlp_skip)   unify(g, 2 * i + 1, 2 * i + 2);
        if (sh->shared && i + sh->shared < sh->L)
            for (long k = 0; k < 3; k++) unify(g, 2 * i + k, 2 * (i + sh->shared) + k);
    }
}

void tangent_each_writer(tangents *g, long s, tangent_visit *f, const mat *with)
{
    const model *M = g->M;
    const shape *sh = &M->s;
    if (s == 0) { f(g, M->E, NULL, with); f(g, M->P, NULL, with); return; }
    const long i = (s - 1) / 2;
    if (i >= tangent_blocks(sh)) return;    /* a shared block is visited where it stands first                      */
    const layer *W = &M->at[i];
    if (sh->parallel ? s % 2 == 0 : s % 2 == 1) { f(g, W->O, NULL, with); f(g, W->bO, NULL, with); }
    if (s % 2 == 0)
        for (long e = 0; e < tangent_experts(sh); e++) {
            f(g, W->expert[e].down, NULL, with);
            f(g, W->expert[e].b_down, NULL, with);
        }
}

static void each_mlp_reader(tangents *g, const layer *W, const mat *gain, tangent_visit *f, const mat *with)
{
    for (long e = 0; e < tangent_experts(&g->M->s); e++) {
        f(g, W->expert[e].up, gain, with);
        f(g, W->expert[e].gate, gain, with);
    }
    f(g, W->router, gain, with);
}

void tangent_each_reader(tangents *g, long s, tangent_visit *f, const mat *with)
{
    const model *M = g->M;
    const shape *sh = &M->s;
    if (s == 2 * sh->L) { f(g, M->head, M->gain_f, with); return; }
    if (s / 2 >= tangent_blocks(sh)) return;
    const layer *W = &M->at[s / 2];
    if (s % 2 == 0) {
        f(g, W->Q, W->gain1, with);
        f(g, W->K, W->gain1, with);
        f(g, W->V, W->gain1, with);
        if (sh->parallel) each_mlp_reader(g, W, W->gain1, f, with);
    } else if (!sh->parallel) {
        each_mlp_reader(g, W, W->gain2, f, with);
    }
}

/* gain and bias of the norm in front of the readers of stage s; NULL where there is none */
void tangent_norm_at(const model *M, long s, const mat **gain, const mat **bias)
{
    const shape *sh = &M->s;
    *gain = *bias = NULL;
    if (s == 2 * sh->L) { *gain = M->gain_f; *bias = M->bias_f; return; }
    if (s / 2 >= tangent_blocks(sh) || (s % 2 && sh->parallel)) return;
    const layer *W = &M->at[s / 2];
    *gain = s % 2 ? W->gain2 : W->gain1;
    *bias = s % 2 ? W->bias2 : W->bias1;
}

void tangent_absorb(tangents *g, const mat *W, const mat *b, const mat *c)    /* b - c W */
{
    if (W) tangent_put(g, b, mat_neg(g->s, mat_mul(g->s, c, tangent_value(W))));
}

void tangent_absorb_mlp(tangents *g, const layer *W, const mat *c)
{
    for (long e = 0; e < tangent_experts(&g->M->s); e++) {
        tangent_absorb(g, W->expert[e].up, W->expert[e].b_up, c);
        tangent_absorb(g, W->expert[e].gate, W->expert[e].b_gate, c);
    }
}

