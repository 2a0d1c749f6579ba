/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_absorb.c - is W2 ReLU(W1 x) + Z x = V2 ReLU(V1 x) for some V1, V2 of the same width m?
 *
 * Sufficient, whatever the weights: W2[:,J] W1[J,:] = -Z.  For ReLU(y) - ReLU(-y) = y, so changing the signs of the
 * rows of J changes W2 ReLU(W1 x) by -W2[:,J] W1[J,:] x = Z x:  V1 = (I - 2 Pi_J) W1, V2 = W2.  Where E.1's conditions
 * hold it is necessary, too; else relu_criterion.c decides. */
#include <stdlib.h>
#include "src/methods/relu/relu_criterion.h"

static void flip_rows(fmpq_mat_t V1, const unsigned char *J)
{
    for (long j = 0; j < fmpq_mat_nrows(V1); j++)
        for (long i = 0; J[j] && i < fmpq_mat_ncols(V1); i++)
            fmpq_neg(fmpq_mat_entry(V1, j, i), fmpq_mat_entry(V1, j, i));
}

void absorption_verify(const absorption *a, const relu_net *f)
{
    relu_net g;
    relu_net_init(&g, fmpq_mat_ncols(f->W1), fmpq_mat_nrows(f->W1), fmpq_mat_nrows(f->W2));
    fmpq_mat_set(g.W1, a->V1);
    fmpq_mat_set(g.W2, a->V2);
    const bool same = relu_same(f, &g);
    REQUIRE(same, "V is another function, %ld kinks", a->live);
    relu_net_clear(&g);
}

void absorption_begin(absorption *a, const relu_net *f)
{
    fmpq_mat_init(a->V1, fmpq_mat_nrows(f->W1), fmpq_mat_ncols(f->W1));
    fmpq_mat_init(a->V2, fmpq_mat_nrows(f->W2), fmpq_mat_ncols(f->W2));
}

/* ---- by J ---------------------------------------------------------------------------------------------- */

/* Columns vec(w2_j w1_j), right side vec(-Z). */
static void system_for_J(fmpq_mat_t A, fmpq_mat_t b, const relu_net *f)
{
    const long m = fmpq_mat_nrows(f->W1), in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2);
    for (long i = 0; i < out; i++)
        for (long l = 0; l < in; l++) {
            for (long j = 0; j < m; j++)
                fmpq_mul(fmpq_mat_entry(A, i * in + l, j), fmpq_mat_entry(f->W2, i, j), fmpq_mat_entry(f->W1, j, l));
            fmpq_neg(fmpq_mat_entry(b, i * in + l, 0), fmpq_mat_entry(f->Z, i, l));
        }
}

static void take_J(absorption *a, const relu_net *f, const unsigned char *J)
{
    const long m = fmpq_mat_nrows(f->W1);
    a->J = must_calloc((size_t)m, 1);
    for (long j = 0; j < m; j++) a->J[j] = J[j];
    absorption_begin(a, f);
    fmpq_mat_set(a->V1, f->W1);
    fmpq_mat_set(a->V2, f->W2);
    flip_rows(a->V1, a->J);
    absorption_verify(a, f);
}

static void take_y(absorption *a, const relu_net *f, const fmpq_mat_t y)
{
    const long in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2);
    a->has_y = true;
    fmpq_mat_init(a->y, out, in);
    for (long i = 0; i < out; i++)
        for (long l = 0; l < in; l++) fmpq_set(fmpq_mat_entry(a->y, i, l), fmpq_mat_entry(y, 0, i * in + l));
}

static void by_J(absorption *a, const relu_net *f, int64_t *work)
{
    const long m = fmpq_mat_nrows(f->W1), N = fmpq_mat_nrows(f->W2) * fmpq_mat_ncols(f->W1);
    fmpq_mat_t A, b;
    fmpq_mat_init(A, N, m);
    fmpq_mat_init(b, N, 1);
    system_for_J(A, b, f);
    subset S = subset_sum(A, b, work);
    a->is = S.is;
    a->free = S.free;
    a->why = S.why;
    if (S.is == HOLDS) take_J(a, f, S.chosen);
    if (S.is == REFUTED && S.has_y && a->regular) take_y(a, f, S.y);
    subset_clear(&S);
    fmpq_mat_clear(A);
    fmpq_mat_clear(b);
}

absorption relu_absorb(const relu_net *f)
{
    relu_form F = relu_form_of(f);
    absorption a = { .is = UNDECIDED, .live = relu_kinks(&F) };
    int64_t work = RELU_WORK, half = RELU_WORK / 2;
    a.regular = a.live == fmpq_mat_nrows(f->W1);
    by_J(&a, f, a.regular ? &work : &half);
    if (a.is != HOLDS && !a.regular) relu_criterion(&a, f, &F, &half);
    relu_form_clear(&F);
    return a;
}

void absorption_clear(absorption *a)
{
    if (a->is == HOLDS) {
        fmpq_mat_clear(a->V1);
        fmpq_mat_clear(a->V2);
    }
    if (a->has_y) fmpq_mat_clear(a->y);
    free(a->J);
    a->J = NULL;
    a->has_y = false;
    a->is = UNDECIDED;
}
