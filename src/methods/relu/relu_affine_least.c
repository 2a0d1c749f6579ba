/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_affine_least.c - the least width of a ReLU network with biases and without a skip that is a given function.
 *
 * Let sum_k c_k |u_k.x + beta_k| + L_0 x + d_0 be the canonical form, k = 1..p. Every network that is the function
 * has a neuron on each of these hyperplanes. One alone is 2 c_k ReLU(s_k (u_k.x + beta_k)), s_k = 1 or -1, with
 * affine part s_k c_k (u_k.x + beta_k); two carry any l (u_k.x + beta_k). On any other hyperplane the |.| must
 * cancel: one neuron gives nothing, two give any e (g.x + gamma). A neuron with w = 0 is a constant. The output
 * bias absorbs all constants, so only the linear parts count, and the least width is
 *     p + min |K| + 2 rank (L_0 - sum_{k not in K} s_k c_k u_k'  modulo  span u_K)     over sets K and signs s.
 * Without an output bias the same holds with [L_0 | d_0] and (u_k | beta_k), and with (0 | 1), a constant neuron,
 * as one more row at cost 1.
 *
 * All K and signs are tried: 3^p ranks. V is built from the best choice and verified by the canonical form.  */
#include <stdlib.h>
#include "src/methods/relu/relu_affine.h"
#include "src/methods/relu/relu_neurons.h"

typedef struct {
    const relu_form *F;                  /* of the lifted network                                         */
    long     n, in, out, p;              /* columns that count: in, or in + 1 without an output bias      */
    uint64_t K, minus;                   /* kinks with two neurons; of the others, those with s_k = -1    */
    bool     constant;                   /* a neuron (0 | 1)                                              */
    long     rank;
} choice;

/* Rows of u_K, then (0 | 1); how many. */
static long known_rows(fmpq_mat_t B, const choice *c)
{
    long rows = 0;
    for (long k = 0; k < c->p; k++) {
        if (!(c->K >> k & 1)) continue;
        relu_copy_row(B, rows++, c->F->U, k);
    }
    if (c->constant) fmpq_one(fmpq_mat_entry(B, rows++, c->n - 1));
    return rows;
}

/* Below them from row `at`: L - sum_{k not in K} s_k c_k u_k' */
static void remainder_below(fmpq_mat_t B, long at, const choice *c)
{
    for (long i = 0; i < c->out; i++) relu_copy_row(B, at + i, c->F->L, i);
    for (long k = 0; k < c->p; k++)
        if (!(c->K >> k & 1)) relu_add_kink(B, at, c->F, k, c->minus >> k & 1 ? 1 : -1);
}

static long cost(const choice *c) { return __builtin_popcountll(c->K) + c->constant + 2 * c->rank; }

static void rank_choice(choice *c)
{
    fmpq_mat_t B;
    fmpq_mat_init(B, c->p + 1 + c->out, c->n);
    const long rows = known_rows(B, c);
    remainder_below(B, rows, c);
    c->rank = relu_rank_of_rows(B, rows + c->out) - relu_rank_of_rows(B, rows);
    fmpq_mat_clear(B);
}

static choice best_choice(const relu_form *F, bool output_bias)
{
    const long in = fmpq_mat_ncols(F->L) - 1;
    choice best = { .F = F, .n = in + !output_bias, .in = in, .out = fmpq_mat_nrows(F->L), .p = relu_kinks(F) };
    REQUIRE(best.p <= RELU_AFFINE_KINKS, "%ld kinks", best.p);
    rank_choice(&best);
    const uint64_t all = ((uint64_t)1 << best.p) - 1;
    for (uint64_t K = 0; K <= all; K++)
        for (int constant = 0; constant <= (output_bias ? 0 : 1); constant++)
            for (uint64_t minus = 0; minus <= all; minus++) {
                choice c = best;
                c.K = K;
                c.minus = minus;
                c.constant = constant;
                if (minus & K || __builtin_popcountll(K) + constant >= cost(&best)) continue;
                rank_choice(&c);
                if (cost(&c) < cost(&best)) best = c;
            }
    return best;
}

/* ---- the network --------------------------------------------------------------------------------------- */

static void put(relu_affine *V, long *at, relu_neuron n)
{
    relu_put_neuron(V->net.W1, V->b1, V->net.W2, (*at)++, &n);
}

/* Keeps the known rows of B and, of those below, each that is independent of all above it; how many rows. */
static long keep_independent(fmpq_mat_t B, long known, long all)
{
    long rows = known;
    for (long i = known; i < all; i++) {
        relu_copy_row(B, rows, B, i);
        rows += relu_rank_of_rows(B, rows + 1) > relu_rank_of_rows(B, rows);
    }
    return rows;
}

static void build(relu_affine *V, const choice *c)
{
    const fmpq_mat_struct *U = c->F->U, *C = c->F->C;
    fmpq_mat_t all, B, M, X;
    fmpq_mat_init(all, c->p + 1 + c->out, c->n);
    fmpq_mat_init(M, c->out, c->n);
    const long known = known_rows(all, c);
    remainder_below(all, known, c);
    remainder_below(M, 0, c);
    const long rows = keep_independent(all, known, known + c->out);
    fmpq_mat_init(B, rows, c->n);
    for (long i = 0; i < rows; i++) relu_copy_row(B, i, all, i);
    fmpq_mat_init(X, rows, c->out);
    relu_solve_rows(X, B, M);
    long at = 0, row = 0;
    for (long k = 0; k < c->p; k++) {
        if (c->K >> k & 1) {
            for (int sign = 1; sign >= -1; sign -= 2) put(V, &at, (relu_neuron){ U, k, sign, C, k, 1, X, row, sign });
            row++;
        } else put(V, &at, (relu_neuron){ U, k, c->minus >> k & 1 ? -1 : 1, C, k, 2, NULL, 0, 0 });
    }
    if (c->constant) {
        put(V, &at, (relu_neuron){ B, row, 1, NULL, 0, 0, X, row, 1 });
        row++;
    }
    for (; row < rows; row++)
        for (int sign = 1; sign >= -1; sign -= 2) put(V, &at, (relu_neuron){ B, row, sign, NULL, 0, 0, X, row, sign });
    fmpq_mat_clear(all);
    fmpq_mat_clear(B);
    fmpq_mat_clear(M);
    fmpq_mat_clear(X);
}

/* The output bias that makes the constants equal */
static void set_output_bias(relu_affine *V, const relu_form *F)
{
    relu_form G = relu_affine_form(V);
    const long in = fmpq_mat_ncols(F->L) - 1;
    for (long i = 0; i < fmpq_mat_nrows(F->L); i++)
        fmpq_sub(fmpq_mat_entry(V->b2, i, 0), fmpq_mat_entry(F->L, i, in), fmpq_mat_entry(G.L, i, in));
    relu_form_clear(&G);
}

long relu_affine_least(const relu_affine *f, bool output_bias, relu_affine *V)
{
    relu_form F = relu_affine_form(f);
    const choice c = best_choice(&F, output_bias);
    const long width = c.p + cost(&c);
    relu_affine_init(V, c.in, width ? width : 1, c.out);
    build(V, &c);
    if (output_bias) set_output_bias(V, &F);
    const bool same = relu_affine_same(f, V);
    REQUIRE(same, "V is another function, width %ld", width);
    relu_form_clear(&F);
    return width;
}
