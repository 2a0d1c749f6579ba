/* SPDX-License-Identifier: GPL-3.0-or-later
 * n18.c - N18, how much of its query weights a model as it is trained really uses.
 *
 * Statement.  LayerNorm, all skips, tied head, h > 1 (nanoGPT, and GPT-2 with its biases), weights in general position:
 * with W_Q = I in n layers the model loses n (d(d-1) - h dk^2) dimensions of functions.  Of the d^2 weights of each W_Q
 * only d + h dk^2 are redundant.  At the size of GPT-2 small, L = h = 12, d = 768: of 7,077,888 weights of W_Q
 * 6,478,848 carry the function and 599,040 (8.46 %) do not.
 *
 * What it says about the papers' experiment.  They train this architecture with W_Q = I and lose next to nothing.  The
 * theorems do not explain that: theirs is not the same set of functions in another basis, for the norm and the
 * tied head leave no basis to choose.  What is lost here is dimensions; how much training makes of them is another
 * question, and only training answers it.
 *
 * Construction, of the d + h dk^2.  (1) Rows of LayerNorm's output sum to 0, so N(X) Gamma v = 0 for v = Gamma^-1 1,
 * and W_Q - v w' is as good as W_Q: with w' = (last row of W_Q) / v_d that row becomes 0.  (2) Proposition 3.2: dk rows
 * of each head become I.
 *
 * Why no more.  Both dimensions are ranks, decided as in N8.  The gauge of such a model moves W_Q^i by
 * W_Q^i diag(A_a) + Gamma^-1 1 w' - e W_Q^i (gains e); at W_Q = I the last is a diag(A_a), which leaves h dk^2 + d.
 * With the gains folded into the matrices W_Q may be fixed at any matrix in general position instead of I: as much is
 * lost.
 * A fixed matrix behind gains that stay free loses d - 1 fewer per layer, for a gain can scale its rows.
 *
 * What is exact: the construction as an identity; the numbers of the 124M model as whole numbers.  The formula itself
 * is decided at the sizes below, by certain lower bounds on ranks and by the gauge as upper bound.             */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"
#include "src/claim/reduce.h"

/* ---- what is lost ------------------------------------------------------------------------------------ */

typedef struct { long d, h, L, layers; } size_of;
static const size_of sizes[] = { { 4, 2, 1, 1 }, { 4, 2, 2, 2 }, { 4, 2, 3, 3 }, { 4, 2, 3, 1 }, { 4, 4, 2, 2 },
                                 { 6, 2, 1, 1 }, { 6, 3, 2, 2 }, { 6, 6, 1, 1 }, { 8, 4, 1, 1 } };
static const size_of biased[] = { { 4, 2, 1, 1 }, { 4, 2, 2, 2 }, { 6, 3, 1, 1 } };

static long effective(const size_of *c) { return c->layers * (c->d * (c->d - 1) - c->d * c->d / c->h); }

static dimension_of family_at(const size_of *c, const char *architecture)
{
    const shape of = { .n = 3, .d = c->d, .h = c->h, .m = c->d + 1, .V = c->d + 2, .L = c->L };
    return dimension_family_named(of, architecture);
}

static void loses(trial *t, const size_of *c, dimension_of full, long expected)
{
    claim_deficit(t, "dimensions lost", &full, ((uint64_t)1 << c->layers) - 1, expected);
}

static const char nanogpt[] = "all-skip+layer-norm+tied", gpt2[] = "all-skip+layer-norm+tied+biases";

/* Three trials share a list. */
static void identity_queries(trial *t)
{
    for (size_t k = 0; k < COUNT(sizes); k++)
        if ((long)k % 3 == t->number % 3) loses(t, &sizes[k], family_at(&sizes[k], nanogpt), effective(&sizes[k]));
}

static void with_biases(trial *t)
{
    const size_of *c = &biased[t->number % 3];
    loses(t, c, family_at(c, gpt2), effective(c));
}

static dimension_of fixed_query(const size_of *c, bool folded)
{
    dimension_of full = family_at(c, nanogpt);
    full.frozen_query = true;
    full.folded_gains = folded;
    return full;
}

static void folded_anywhere(trial *t)
{
    for (size_t k = 0; k < COUNT(sizes); k++)
        if ((long)k % 3 == t->number % 3) loses(t, &sizes[k], fixed_query(&sizes[k], true), effective(&sizes[k]));
}

static void free_gains(trial *t)
{
    const size_of *c = &sizes[5 + t->number % 3];
    loses(t, c, fixed_query(c, false), effective(c) - c->layers * (c->d - 1));
}

static void all_of_it(trial *t)     { loses(t, &sizes[1], family_at(&sizes[1], nanogpt), 2 * 16); }
static void no_centre(trial *t)     { loses(t, &sizes[1], family_at(&sizes[1], nanogpt), 2 * (16 - 8)); }
static void one_less(trial *t)      { loses(t, &sizes[1], family_at(&sizes[1], nanogpt), effective(&sizes[1]) - 1); }

static void untied(trial *t)
{
    loses(t, &sizes[1], family_at(&sizes[1], "all-skip+layer-norm"), effective(&sizes[1]));
}
static void gains_at_work(trial *t) { loses(t, &sizes[5], fixed_query(&sizes[5], false), effective(&sizes[5])); }

static void gains_away(trial *t)
{
    loses(t, &sizes[5], fixed_query(&sizes[5], true), effective(&sizes[5]) - (sizes[5].d - 1));
}
static void biased_as_rms(trial *t) { loses(t, &biased[1], family_at(&biased[1], gpt2), 2 * (16 - 8)); }

/* ---- the weights that are redundant ------------------------------------------------------------------ */

static void trained(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->norm = NORM_LAYER;
    sh->tied = true;
}

static const mat *unseen(const layer_site *at, const layer *W)                            /* v = Gamma^-1 1 */
{
    return mat_mul(at->s, mat_inv(at->s, W->gain1), mat_ones(at->s, at->sh.d, 1));
}
static const mat *top(const layer_site *at, long a) { return induction_layer_draw(at, "top", a, at->sh.dk, at->sh.dk); }

/* Heads with blocks of their own on top and a last row of zeros: W_Q but for v w'. */
static const mat *but_for_the_last_row(const layer_site *at)
{
    const long d = at->sh.d, dk = at->sh.dk;
    const mat *head[MAX_HEADS];
    for (long a = 0; a < at->sh.h; a++) {
        const mat *piece[3] = { top(at, a) };
        long n = 1;
        if (d - dk > 1) piece[n++] = induction_layer_draw(at, "middle", a, d - dk - 1, dk);
        piece[n++] = mat_zero(at->s, 1, dk);
        head[a] = mat_vcat(at->s, n, piece);
    }
    return mat_hcat(at->s, at->sh.h, head);
}

static void plant_along(const layer_site *at, layer *W, const mat *v)
{
    W->Q = mat_add(at->s, but_for_the_last_row(at), mat_mul(at->s, v, induction_layer_draw(at, "w", 0, 1, at->sh.d)));
}
static void plant(const layer_site *at, layer *W)          { plant_along(at, W, unseen(at, W)); }
static void plant_ones(const layer_site *at, layer *W)     { plant_along(at, W, mat_ones(at->s, at->sh.d, 1)); }

static void turn(const layer_site *at, const layer *W, layer *R)
{
    const mat *D[MAX_HEADS];
    (void)W;
    for (long a = 0; a < at->sh.h; a++) D[a] = mat_inv(at->s, top(at, a));
    R->Q = but_for_the_last_row(at);
    gauge_query_key(at->s, &at->sh, R, D);
}

static void turn_queries(const layer_site *at, const layer *W, layer *R)
{
    turn(at, W, R);
    R->K = W->K;
}

static void fewer_weights(trial *t, const layer_site *at, const layer *R)
{
    scope *s = &t->s;
    const long d = at->sh.d, dk = at->sh.dk;
    claim_equal(t, "a row of zeros", mat_rows(s, R->Q, d - 1, 1), mat_zero(s, 1, d));
    for (long a = 0; a < at->sh.h; a++)
        claim_equal(t, "identity blocks", mat_rows(s, mat_cols(s, R->Q, a * dk, dk), 0, dk), mat_identity(s, dk));
}
#define IN_PLACE(planting, rewriting) \
    { .kinds = (const layer_kind[]){ { .name = "layer with fewer query weights", .plant = planting, \
                                       .reduce = rewriting, .facts = fewer_weights } }, \
      .nkinds = 1, .bases = BASIS_NONE }
static const induction form = IN_PLACE(plant, turn);
static const induction gain_forgotten = IN_PLACE(plant_ones, turn);
static const induction keys_left = IN_PLACE(plant, turn_queries);

static void rms_norm(trial *t)  { shape sh = t->sh; sh.norm = NORM_RMS; claim_built(t, sh, &form); }
static void no_gain(trial *t)   { claim_built(t, t->sh, &gain_forgotten); }
static void keys_kept(trial *t) { claim_built(t, t->sh, &keys_left); }

/* ---- the model of the papers ------------------------------------------------------------------------- */

static void count(trial *t, long L, long h, long d)
{
    const size_of c = { d, h, L, L };
    const long all = L * d * d, used = effective(&c), spare = L * (d + d * d / h);
    claim_decided(t, "7,077,888 weights of W_Q", all == 7077888);
    claim_decided(t, "6,478,848 dimensions", used == 6478848);
    claim_decided(t, "599,040 redundant", spare == 599040 && used + spare == all);
    claim_decided(t, "8.46 %", 100000 * spare >= 8455 * all && 100000 * spare < 8465 * all);
}
static void model_124m(trial *t)  { count(t, 12, 12, 768); }
static void eight_heads(trial *t) { count(t, 12, 8, 768); }

static const control of_identity[] = {
    { "all-of-it",  all_of_it, "$nd^2$: nothing were redundant" },
    { "one-less",   one_less,  "the formula minus 1" },
    { "as-rms",     no_centre, "$n(d^2-hd_k^2)$, as if rows did not sum to 0" },
    { "untied",     untied,    "an untied head leaves a basis to choose" },
};
static const control of_folded[] = { { "free-gains", gains_at_work, "gains stay free and scale rows of $W_Q$" } };
static const control of_gains[]  = { { "gains-folded", gains_away, "gains are folded: nothing scales rows of $W_Q$" } };
static const control of_biased[] = { { "biased-as-rms", biased_as_rms, "$n(d^2-hd_k^2)$" } };
static const control of_form[]   = {
    { "rms-norm",       rms_norm,  "RMSNorm sees every direction" },
    { "gain-forgotten", no_gain,   "$v = 1$ instead of $\\Gamma^{-1}1$" },
    { "keys-kept",      keys_kept, "$W_K$ is not turned along" },
};
static const control of_count[] = { { "eight-heads", eight_heads, "eight heads" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = identity_queries, RANKS_AT_ONE_SHAPE,
      .statement = "LayerNorm, all skips, tied: $W_Q = I$ in $n$ layers loses $n(d(d-1)-hd_k^2)$ dimensions of "
                   "functions; $d = 4, 6, 8$, $h = 2, 3, 4, 6$, $L = 1, 2, 3$",
      CONTROLS(of_identity) },
    { .name = "as-stated-any", .kind = PART_IDENTITY, .run = folded_anywhere, RANKS_AT_ONE_SHAPE,
      .statement = "gains folded into the matrices: any fixed $W_Q$ in general position, in place of $I$, loses as "
                   "much",
      CONTROLS(of_folded) },
    { .name = "as-stated-gain", .kind = PART_IDENTITY, .run = free_gains, RANKS_AT_ONE_SHAPE,
      .statement = "gains free: a fixed $W_Q$ in general position loses $d-1$ fewer per layer",
      CONTROLS(of_gains) },
    { .name = "as-stated-bias", .kind = PART_IDENTITY, .run = with_biases, RANKS_AT_ONE_SHAPE,
      .statement = "the same as the first with biases, as GPT-2 has them",
      CONTROLS(of_biased) },
    INDUCTIVE_PART("as-stated-form", form, trained, .assumes = "invertible top; invertible gain",
                   CONTROLS(of_form), .without = "fp q sym",
                   .why_without = "q has no square roots; to sym and fp LayerNorm is any function of a row",
                   .statement = "in every layer the last row of $W_Q$ becomes $0$ and $d_k$ rows of each head become "
                                "$I$: $d + hd_k^2$ weights are redundant"),
    REDUCED_PART("as-stated-124M", model_124m, trained, CONTROLS(of_count),
                 .no_minimal = true, .about = ABOUT_FINITE, .without = "f64 mpfr arb sym",
                 .why_without = "whole numbers",
                 .statement = "$L = h = 12$, $d = 768$: by the formula $6478848$ of $7077888$ query weights carry "
                              "dimensions, $599040$ (8.46 \\%) are redundant"),
};
static const claim N18 = {
    .id = "N18", .title = "query weights that a trained architecture uses",
    .where = "new; beside 003 Section 5 and Remark 7",
    .hypotheses = "LayerNorm before both sublayers and the tied head, $\\varepsilon > 0$; all skips; $h > 1$; weights "
                  "in general position, fixed width",
    .construction = "$\\tilde W_Q = (W_Q - \\Gamma^{-1}1w^\\top)\\,\\mathrm{diag}(D_a)$: one row $0$, $d_k$ rows of "
                    "each head $I$",
    .why = "The norm and the tied head leave no basis of the stream to choose.  What moves $W_Q$ without the function "
           "are $D_a$ of each head and the direction that LayerNorm does not see, $hd_k^2 + d$ dimensions of $d^2$.  A "
           "model trained with $W_Q = I$, as the papers train it, is not the baseline in another basis: 91.5 "
           "\\% of the query weights carry dimensions of functions that it has not.  That it trains as well is an "
           "observation about training, which gauge freedom does not explain.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "N8 N9 K-P3.2 N1b",
};
THEOREM_PROGRAM(N18)
