/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_affine.c - ReLU networks with biases over Q: see relu_affine.h. */
#include "src/methods/relu/relu_affine.h"
#include <stdlib.h>

void relu_affine_init(relu_affine *f, long in, long m, long out)
{
    relu_net_init(&f->net, in, m, out);
    fmpq_mat_init(f->b1, m, 1);
    fmpq_mat_init(f->b2, out, 1);
}

void relu_affine_clear(relu_affine *f)
{
    relu_net_clear(&f->net);
    fmpq_mat_clear(f->b1);
    fmpq_mat_clear(f->b2);
}

relu_affine relu_affine_of(const mat *W1, const mat *W2, const mat *Z, const mat *b1, const mat *b2)
{
    REQUIRE(!b1 || (b1->rows == W1->rows && b1->cols == 1), "b1 is %ldx%ld", b1->rows, b1->cols);
    REQUIRE(!b2 || (b2->rows == W2->rows && b2->cols == 1), "b2 is %ldx%ld", b2->rows, b2->cols);
    relu_affine f = { .net = relu_net_of(W1, W2, Z) };
    fmpq_mat_init(f.b1, W1->rows, 1);
    fmpq_mat_init(f.b2, W2->rows, 1);
    if (b1) relu_from_mat(f.b1, b1);
    if (b2) relu_from_mat(f.b2, b2);
    return f;
}

/* ---- canonical form ------------------------------------------------------------------------------------ */

static bool zero_row(const fmpq_mat_t A, long i)
{
    for (long j = 0; j < fmpq_mat_ncols(A); j++) if (!fmpq_is_zero(fmpq_mat_entry(A, i, j))) return false;
    return true;
}

static void copy_block(fmpq_mat_t to, long at_column, const fmpq_mat_t A)
{
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j < fmpq_mat_ncols(A); j++)
            fmpq_set(fmpq_mat_entry(to, i, at_column + j), fmpq_mat_entry(A, i, j));
}

/* ([W1 | b1], W2, [Z | b2]) on (x, 1), neurons without a hyperplane moved to the constant */
static relu_net lifted(const relu_affine *f)
{
    const long in = fmpq_mat_ncols(f->net.W1), m = fmpq_mat_nrows(f->net.W1), out = fmpq_mat_nrows(f->net.W2);
    relu_net g;
    relu_net_init(&g, in + 1, m, out);
    copy_block(g.W1, 0, f->net.W1);
    copy_block(g.W1, in, f->b1);
    fmpq_mat_set(g.W2, f->net.W2);
    copy_block(g.Z, 0, f->net.Z);
    copy_block(g.Z, in, f->b2);
    for (long j = 0; j < m; j++) {
        fmpq *b = fmpq_mat_entry(g.W1, j, in);
        if (!zero_row(f->net.W1, j)) continue;
        for (long i = 0; fmpq_sgn(b) > 0 && i < out; i++)
            fmpq_addmul(fmpq_mat_entry(g.Z, i, in), fmpq_mat_entry(g.W2, i, j), b);
        fmpq_zero(b);
    }
    return g;
}

relu_form relu_affine_form(const relu_affine *f)
{
    relu_net g = lifted(f);
    const relu_form F = relu_form_of(&g);
    relu_net_clear(&g);
    return F;
}

bool relu_affine_same(const relu_affine *f, const relu_affine *g)
{
    relu_form F = relu_affine_form(f), G = relu_affine_form(g);
    const bool same = relu_form_equal(&F, &G);
    relu_form_clear(&F);
    relu_form_clear(&G);
    return same;
}

bool relu_affine_regular(const relu_affine *f)
{
    relu_form F = relu_affine_form(f);
    const bool regular = relu_kinks(&F) == fmpq_mat_nrows(f->net.W1);
    relu_form_clear(&F);
    return regular;
}

/* ---- by J ---------------------------------------------------------------------------------------------- */

/* Columns vec(w2_j w1_j), right side vec(-Z); without an output bias with [w1_j | b1_j] and [Z | b2]. */
subset relu_affine_J(const relu_affine *f, bool output_bias)
{
    const bool regular = relu_affine_regular(f);
    REQUIRE(regular, "%ld neurons do not have as many hyperplanes", (long)fmpq_mat_nrows(f->net.W1));
    const long m = fmpq_mat_nrows(f->net.W1), out = fmpq_mat_nrows(f->net.W2);
    relu_net g = lifted(f);
    const long n = fmpq_mat_ncols(g.W1) - output_bias;
    fmpq_mat_t A, b;
    fmpq_mat_init(A, out * n, m);
    fmpq_mat_init(b, out * n, 1);
    for (long i = 0; i < out; i++)
        for (long l = 0; l < n; l++) {
            for (long j = 0; j < m; j++)
                fmpq_mul(fmpq_mat_entry(A, i * n + l, j), fmpq_mat_entry(g.W2, i, j), fmpq_mat_entry(g.W1, j, l));
            fmpq_neg(fmpq_mat_entry(b, i * n + l, 0), fmpq_mat_entry(g.Z, i, l));
        }
    int64_t work = RELU_WORK;
    const subset S = subset_sum(A, b, &work);
    fmpq_mat_clear(A);
    fmpq_mat_clear(b);
    relu_net_clear(&g);
    return S;
}

relu_affine relu_affine_turned(const relu_affine *f, const unsigned char *J)
{
    const long in = fmpq_mat_ncols(f->net.W1), m = fmpq_mat_nrows(f->net.W1), out = fmpq_mat_nrows(f->net.W2);
    relu_affine V;
    relu_affine_init(&V, in, m, out);
    fmpq_mat_set(V.net.W1, f->net.W1);
    fmpq_mat_set(V.net.W2, f->net.W2);
    fmpq_mat_set(V.b1, f->b1);
    fmpq_mat_set(V.b2, f->b2);
    for (long j = 0; j < m; j++) {
        if (!J[j]) continue;
        for (long i = 0; i < out; i++)
            fmpq_addmul(fmpq_mat_entry(V.b2, i, 0), fmpq_mat_entry(f->net.W2, i, j), fmpq_mat_entry(f->b1, j, 0));
        for (long l = 0; l < in; l++) fmpq_neg(fmpq_mat_entry(V.net.W1, j, l), fmpq_mat_entry(V.net.W1, j, l));
        fmpq_neg(fmpq_mat_entry(V.b1, j, 0), fmpq_mat_entry(V.b1, j, 0));
    }
    return V;
}
