/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_5.c - B-5, the MLP of Eq. 7 and the number of its parameters.
 *
 * Statement (Eq. 7).  h = f(z W1 + b1), y = h W2 + b2.  With W1 (N x m) and W2 (m x N) it has
 * N m + m + m N + N parameters.
 *
 * Shown.  The model's own MLP, with biases, is this expression; and the entries of its four matrices, counted one
 * matrix at a time, are that many: 31,036 for N = 60, m = 256, the size that the paper's tables need.    */
#include "src/claim/claim.h"

enum { PRINTED_WIDTH = 60, PRINTED_HIDDEN = 256, OF_THE_TABLES = 31036 };

static void with_biases(shape *sh) { sh->biases = true; }

static void equation_7(trial *t, bool hidden_bias)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    mlp W = M.at[0].expert[0];
    const mat *z = mat_draw(s, "z", M.s.n, M.s.d, 0), *one = mat_ones(s, M.s.n, 1);
    const bool dead_neurons = claim_over(t, OVER_RATIONALS);             /* q: ReLU */
    claim_reduced(t, dead_neurons ? 1 : 3, (const mat **[]){ &W.b_down, &W.b_up, &W.up });
    const mat *inner = mat_mul(s, z, W.up);
    if (hidden_bias) inner = mat_add(s, inner, mat_mul(s, one, W.b_up));
    const mat *h = mat_phi(s, inner, M.s.act, (place){ 0, PLACE_MLP, 0 });
    const mat *y = mat_add(s, mat_mul(s, h, W.down), mat_mul(s, one, W.b_down));
    claim_equal(t, "y = f(z W1 + b1) W2 + b2", model_mlp(s, &M, 0, z), y);
}

static void stated(trial *t)      { equation_7(t, true); }
static void no_bias(trial *t)     { equation_7(t, false); }

static long entries(const mat *A) { return A->rows * A->cols; }

static void count(trial *t, long per_neuron_biases)
{
    model M = model_random(&t->s, t->sh);
    const mlp *W = &M.at[0].expert[0];
    const long N = M.s.d, m = M.s.m;
    const long counted = entries(W->up) + entries(W->b_up) + entries(W->down) + entries(W->b_down);
    claim_decided(t, "N m + m + m N + N entries", counted == N * m + per_neuron_biases * m + m * N + N);
    if (N == PRINTED_WIDTH && m == PRINTED_HIDDEN) claim_decided(t, "31,036 of them", counted == OF_THE_TABLES);
}

static void counted(trial *t)     { count(t, 1); }
static void no_hidden(trial *t)   { count(t, 0); }

static const control of_function[] = { { "no-hidden-bias", no_bias, "$b^{(1)}$ left out" } };
static const control of_count[] = { { "no-hidden-bias", no_hidden, "$b^{(1)}$ not counted" } };
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 1 } },
    { .sh = { .n = 3, .d = 6, .h = 1, .m = 5, .V = 7, .L = 1 } },
    { .sh = { .n = 3, .d = PRINTED_WIDTH, .h = 1, .m = PRINTED_HIDDEN, .V = 7, .L = 1 } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = stated,
      .models = "given MLP; experts = 0; gated = 0; biases = 1",
      .statement = "the MLP is $y = f(zW^{(1)} + b^{(1)})W^{(2)} + b^{(2)}$, for every $f$",
      CONTROLS(of_function) },
    { .name = "as-stated-count", .kind = PART_IDENTITY, .run = counted, .no_minimal = true,
      .statement = "it has $Nm + m + mN + N$ parameters; 31,036 for $N = 60$, $m = 256$",
      .basis = "recount: the entries of the four matrices, at each size",
      .without = "f64 mpfr arb sym", .why_without = "a count of entries is the same everywhere",
      CONTROLS(of_count) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (7)", "The second component is a standard MLP with a single hidden layer, applied to each "
      "intermediary embedding" },
    { TEXT_002, "Eq. (7)", "with f() being a nonlinear function, usually the *Gaussian Error Linear Unit "
      "(GELU)* (Hendrycks and Gimpel, 2023), weight matrices $W_s^{(1)}$ and $W_s^{(2)}$ as well as bias "
      "vectors $b_s^{(1)}$ and $b_s^{(2)}$ ." },
};
static const claim B_5 = {
    .id = "B-5", .title = "the MLP and the number of its parameters", .where = "002 Eq. (7)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one hidden layer, with biases",
    .why = "A definition, and a count: $N \\times m$ and $m \\times N$ weights, $m$ and $N$ biases. Width 256 is "
           "what the printed totals need at $N = 60$ (claim B-P).",
    .models = "experts = 0; gated = 0; biases = 1",
    .prepare = with_biases, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_5)
