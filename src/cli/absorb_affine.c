/* SPDX-License-Identifier: GPL-3.0-or-later
 * absorb_affine.c - `provably absorb` with biases: is W2 ReLU(W1 x + b1) + b2 + Z x = V2 ReLU(V1 x + c1) + c2?
 *
 * Where the hyperplanes w_j.x + b_j = 0 are pairwise different, J decides (src/methods/relu/relu_affine.h); otherwise
 * the least width does, which is searched for if there are few hyperplanes. */
#include "src/cli/absorb.h"

static void found(const relu_affine *V, bool output_bias, const char *prefix)
{
    const named_matrix list[] = { { "V1", V->net.W1 }, { "c1", V->b1 }, { "V2", V->net.W2 }, { "c2", V->b2 } };
    absorb_print(output_bias ? 4 : 3, list);
    printf("checked: the canonical forms of both networks are equal, so they are one function\n");
    if (prefix) absorb_write(prefix, output_bias ? 4 : 3, list);
}

static int by_J(const relu_affine *f, bool output_bias, const char *prefix)
{
    const wording *w = output_bias ? &absorb_plain : &absorb_lifted;
    const char *between = "";
    const long m = fmpq_mat_nrows(f->net.W1), out = fmpq_mat_nrows(f->net.W2);
    const long n = fmpq_mat_ncols(f->net.W1) + !output_bias;
    subset S = relu_affine_J(f, output_bias);
    if (S.is == HOLDS) {
        relu_affine V = relu_affine_turned(f, S.chosen);
        const bool same = relu_affine_same(f, &V);
        REQUIRE(same, "V is another function, %ld neurons", m);
        printf("absorbable\nJ = {");
        for (long j = 0; j < m; j++) if (S.chosen[j]) { printf("%s%ld", between, j + 1); between = ", "; }
        printf("}: %s, so V1 and c1 are W1 and b1 with rows J times -1, V2 is W2\n", w->equation);
        found(&V, output_bias, prefix);
        relu_affine_clear(&V);
    } else if (S.is == REFUTED) {
        printf("not absorbable\ncertificate: ");
        absorb_print_no_J(&S, m, w);
        fmpq_mat_t Y;
        fmpq_mat_init(Y, out, n);
        for (long k = 0; S.has_y && k < out * n; k++)
            fmpq_set(fmpq_mat_entry(Y, k / n, k % n), fmpq_mat_entry(S.y, 0, k));
        if (S.has_y) absorb_print(1, &(named_matrix){ "Y", Y });
        fmpq_mat_clear(Y);
    } else
        printf("UNDECIDED: %s\n", S.why);
    const int status = S.is == UNDECIDED;
    subset_clear(&S);
    return status;
}

/* V with zero neurons up to the width of f */
static relu_affine padded(const relu_affine *V, long m)
{
    const long in = fmpq_mat_ncols(V->net.W1), out = fmpq_mat_nrows(V->net.W2);
    relu_affine P;
    relu_affine_init(&P, in, m, out);
    for (long j = 0; j < fmpq_mat_nrows(V->net.W1); j++) {
        for (long l = 0; l < in; l++) fmpq_set(fmpq_mat_entry(P.net.W1, j, l), fmpq_mat_entry(V->net.W1, j, l));
        for (long i = 0; i < out; i++) fmpq_set(fmpq_mat_entry(P.net.W2, i, j), fmpq_mat_entry(V->net.W2, i, j));
        fmpq_set(fmpq_mat_entry(P.b1, j, 0), fmpq_mat_entry(V->b1, j, 0));
    }
    fmpq_mat_set(P.b2, V->b2);
    return P;
}

static int by_width(const relu_affine *f, long kinks, bool output_bias, const char *prefix)
{
    const long m = fmpq_mat_nrows(f->net.W1);
    if (kinks > RELU_AFFINE_KINKS) {
        printf("UNDECIDED: neurons share hyperplanes or vanish; %ld hyperplanes leave too many choices\n", kinks);
        return 1;
    }
    relu_affine V;
    const long width = relu_affine_least(f, output_bias, &V);
    if (width <= m) {
        relu_affine P = padded(&V, m);
        printf("absorbable\nwithout J: neurons that share a hyperplane, or vanish, carry the skip; %ld are enough\n",
               width);
        found(&P, output_bias, prefix);
        relu_affine_clear(&P);
    } else
        printf("not absorbable\ncertificate: all choices of signs and spare neurons on %ld hyperplanes were looked at; "
               "the least width is %ld, not %ld\n", kinks, width, m);
    relu_affine_clear(&V);
    return 0;
}

int absorb_affine(const relu_affine *f, bool output_bias, const char *prefix)
{
    relu_form F = relu_affine_form(f);
    const long kinks = relu_kinks(&F);
    relu_form_clear(&F);
    return kinks == fmpq_mat_nrows(f->net.W1) ? by_J(f, output_bias, prefix) : by_width(f, kinks, output_bias, prefix);
}
