/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_shape.c - which sizes an arithmetic takes: see runner.h. */
#include <string.h>
#include "src/claim/runner/runner.h"

/* Pairwise different, also from a d_k for 1 <= a <= 8, so that a wrong shape shows; in different orders, the last
 * ones large; larger than the numbers that bodies use for themselves.  An even d_k is one more. */
static const struct { long n, dk, more, m, V; } sizes[SIZE_VECTORS] = {
    { 11, 7, 5, 17, 23 }, { 20, 25, 5, 47, 60 }, { 19, 11, 4, 56, 23 }, { 45, 27, 9, 21, 18 }, { 39, 9, 5, 7, 38 },
    { 255, 49, 3, 149, 214 },
};

void runner_sym_sizes(shape *sh, int which)
{
    const long between = sh->d - sh->h * sh->dk;          /* its sign stays */
    sh->n = sizes[which].n;
    sh->dk = sizes[which].dk + (sh->rope ? 1 : 0);
    sh->d = sh->h * sh->dk + (between > 0 ? sizes[which].more : between < 0 ? -sizes[which].more : 0);
    sh->m = sizes[which].m;
    sh->V = sizes[which].V;
    sh->scale_num = 1;
    sh->scale_den = sh->dk;
}

/* Nothing is said of softmax by linear attention, nor of GELU by ReLU: balls, which have both, do not run. */
static bool alone_over_q(const part *P)
{
    return part_shows_facts(P->kind) && P->without && strstr(P->without, arith_names[A_ARB]);
}

bool runner_adapt_shape(const part *P, int kind, shape *sh)
{
    const shape asked = *sh;
    if (kind == A_SYM) {
        runner_sym_sizes(sh, 0);
        const long L = sh->shared ? 2 * sh->shared : 2;
        if (sh->L > L) sh->L = L;
    }
    if (kind == A_Q) {                         /* exact functions only; sizes keep the bits in bounds */
        if (sh->d > 6) return false;
        sh->act = sh->act == ACT_IDENTITY ? ACT_IDENTITY : ACT_RELU;
        sh->attention = ROWMAP_LINEAR;
        if (P->own_row_map || alone_over_q(P)) sh->attention = asked.attention;
        if (alone_over_q(P)) sh->act = asked.act;
        sh->scale_num = sh->scale_den = 1;
        if (sh->n > 3) sh->n = 3;
        if (sh->V > 5) sh->V = 5;
        const long L = sh->shared ? 2 * sh->shared : 2;
        if (sh->L > L) sh->L = L;
    }
    return true;
}
