/* SPDX-License-Identifier: GPL-3.0-or-later
 * n8.c - N8, the gauge dimension of a transformer is the nullity of its parameter Jacobian.
 *
 * Statement.  In 16 architectures the closed formulas of src/methods/rank/nullity.c are the nullity exactly: nothing
 * moves the weights without changing the function but the gauge, up to finitely many steps (permutations,
 * signs).  With G = 2 L h dk^2:  no norm, all skips, untied: d^2 + G + d;  one kind of skip: (L+1) d^2 + G +
 * d;  no skip: (2L+1) d^2 + G + d;  tied, all skips: d(d-1)/2 + G;  tied, attention skip: L d^2 + G;  blocks
 * shared: d^2 + G/L + d; RoPE: L d in place of the L h dk^2 of (W_Q, W_K);  and so on.
 *
 * Why it is decided.  Upper bound of the rank: the tangents of the gauge are null vectors, and so many of
 * them are independent.  Lower bound: a minor of the Jacobian that is not 0.  They meet.  The lower bound is
 * certain: the minor is computed modulo a prime, at one point, and not 0 there, so it is not 0.  What it
 * means for real functions is stated in src/methods/rank/jacobian.h: over F_p for almost every activation (and radial
 * norm), with exponentials whose arguments are independent over Q modulo constants, which `as-stated-exponentials`
 * tests; over balls for GELU, ReLU, RMSNorm, LayerNorm.
 *
 * Corrected.  The formulas need enough tokens and positions (n V states of the first layer), h > 1 under
 * LayerNorm (for h = 1 each of the two pairs has one dimension less), and, causal and without attention
 * skip, 2 h_kv dk >= d: otherwise P_1 may move by the d - 2 h_kv dk directions that W_K and W_V of layer 1
 * do not see.  */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"
#include "src/methods/rank/exponential_independence.h"

static const char *const sixteen[] = {
    "all-skip", "attn-skip", "mlp-skip", "skipless", "attn-skip+tied", "all-skip+tied", "all-skip+shared",
    "all-skip+rope", "all-skip+qk-norm", "all-skip+gqa", "all-skip+biases", "all-skip+rms", "all-skip+layer-norm",
    "parallel", "parallel-skipless",                                             /* and ReLU, over balls */
};
static const char *const beyond[] = {
    "mlp-skip+tied", "skipless+tied", "attn-skip+rope+gqa", "all-skip+rope+qk-norm", "all-skip+qk-gains+rope",
    "all-skip+gated", "all-skip+moe", "all-skip+shared+biases", "skipless+biases", "mlp-skip+mqa",
    "all-skip+rms+tied", "all-skip+layer-norm+tied", "skipless+gqa+full-mask",
    "all-skip+rms+rope+qk-norm+gated+gqa", "all-skip+rope+biases",
    "all-skip+layer-norm+biases+tied" /* as GPT-2 */, "all-skip+rms+gated+rope+gqa" /* as Llama */,
};
static const char *const real_functions[] = { "all-skip", "all-skip+relu", "attn-skip+rms", "all-skip+layer-norm" };

/* The sizes of this trial, each head with its own keys unless the architecture says otherwise. */
static dimension_of family_of(const trial *t, const char *architecture)
{
    shape sizes = t->sh;
    sizes.h_kv = 0;
    return dimension_family_named(sizes, architecture);
}

/* Every list[k], or only those whose turn it is in this trial, so that three trials see all. */
static void all_of(trial *t, const char *const list[], size_t n, bool in_turn, long error)
{
    for (size_t k = 0; k < n; k++) {
        if (in_turn && (long)k % 3 != t->number % 3) continue;
        const dimension_of what = family_of(t, list[k]);
        claim_nullity(t, list[k], &what, nullity_predicted(&what.sh, what.unit_gains) + error);
    }
}

static void as_stated(trial *t) { all_of(t, sixteen, COUNT(sixteen), t->sh.L > 1, 0); }
static void further(trial *t)   { all_of(t, beyond, COUNT(beyond), true, 0); }

/* One layer keeps elimination in balls short. */
static void over_balls(trial *t)
{
    t->sh.L = 1;
    all_of(t, real_functions, COUNT(real_functions), true, 0);
}

/* Shapes where more, or less, moves: P_1 in the kernel of the one W_K and W_V of d x 1; heads of width d behind
 * LayerNorm; E + 1 w', P - 1 w' of a tied head behind LayerNorm. */
static void special_shape(trial *t, int k, long error)
{
    static const char *const list[] = { "skipless+mqa", "all-skip+layer-norm", "all-skip+layer-norm+tied" };
    static const long heads[] = { 4, 1, 2 };
    shape sizes = t->sh;
    sizes.h = heads[k];
    sizes.h_kv = sizes.dk = sizes.scale_den = 0;
    const dimension_of what = dimension_family_named(sizes, list[k]);
    claim_nullity(t, list[k], &what, nullity_predicted(&what.sh, what.unit_gains) + error);
}
static void special(trial *t)    { for (int k = 0; k < 3; k++) special_shape(t, k, 0); }
static void first_kept(trial *t) { special_shape(t, 0, -2); }
static void full_width(trial *t) { special_shape(t, 1, 4); }

/* One residual pattern a trial: no skip, all skips, attention skip. */
static void exponentials(trial *t)
{
    t->sh.attn_skip = t->number % 3 != 0;
    t->sh.mlp_skip = t->number % 3 == 1;
    claim_exponential_independence(t, true);
}

static void one_too_many(trial *t) { all_of(t, sixteen, 1, false, 1); }
static void one_too_few(trial *t)  { all_of(t, sixteen, 1, false, -1); }

/* A gauge direction is left out: the bounds do not meet. */
static void forget_position(trial *t, const char *architecture)
{
    dimension_of what = family_of(t, architecture);
    what.gauge = GAUGE_ALL & ~(unsigned)GAUGE_POSITION;
    claim_nullity(t, architecture, &what, nullity_predicted(&what.sh, what.unit_gains));
}
static void forgotten(trial *t) { forget_position(t, "all-skip"); }

static void few_sequences(trial *t)
{
    dimension_of what = family_of(t, "all-skip");
    what.sequences = 8;
    claim_nullity(t, "all-skip", &what, nullity_predicted(&what.sh, false));
}

/* W_Q of layer 1 is held fast, or not; `less` directions of the gauge are taken as used up. */
static void nullity_with(trial *t, const char *architecture, bool fixed, long less)
{
    dimension_of what = family_of(t, architecture);
    what.without_query = fixed;
    what.frozen_query = fixed;
    claim_nullity(t, architecture, &what, nullity_predicted(&what.sh, false) - less);
}
static void one_fixed(trial *t) { nullity_with(t, "all-skip", true, 0); }

/* Of `beyond`. */
static void one_more_gated(trial *t)  { all_of(t, beyond + 5, 1, false, 1); }
static void one_less_llama(trial *t)  { all_of(t, beyond + 16, 1, false, -1); }
static void forgotten_gated(trial *t) { forget_position(t, "all-skip+gated"); }

/* Over balls, one layer. */
static void real_too_many(trial *t) { t->sh.L = 1; all_of(t, real_functions, 1, false, 1); }
static void real_too_few(trial *t)  { t->sh.L = 1; all_of(t, real_functions + 1, 1, false, -1); }
static void real_fixed(trial *t)    { t->sh.L = 1; nullity_with(t, "all-skip", true, 0); }

static void fixed_factor(trial *t)
{
    for (int k = 0; k < 4; k++)
        if (k % 3 == t->number % 3) nullity_with(t, sixteen[k], true, t->sh.d * t->sh.d);
}
static void not_lowered(trial *t)  { nullity_with(t, "all-skip", true, 0); }
static void head_lowered(trial *t) { nullity_with(t, "all-skip", true, t->sh.h * t->sh.dk * t->sh.dk); }
static void not_fixed(trial *t)    { nullity_with(t, "all-skip", false, t->sh.d * t->sh.d); }

static void unsplit(trial *t) { claim_exponential_independence(t, false); }

static const control wrong[] = {
    { "one-too-many",  one_too_many,  "the formula plus 1" },
    { "one-too-few",   one_too_few,   "the formula minus 1" },
    { "forgotten",     forgotten,     "the gauge directions $E + 1c$, $P - 1c$ are forgotten" },
    { "few-sequences", few_sequences, "8 sequences are too few: a false nullity" },
    { "one-fixed",     one_fixed,     "$W_Q$ of layer 1 is held fixed, the formula is not changed" },
};
static const control wrong_beyond[] = {
    { "one-too-many",  one_more_gated,  "the formula plus 1" },
    { "one-too-few",   one_less_llama,  "the formula minus 1" },
    { "forgotten",     forgotten_gated, "the gauge directions $E + 1c$, $P - 1c$ are forgotten" },
};
static const control wrong_fixed[] = {
    { "not-lowered",   not_lowered,  "$W_Q$ of layer 1 is held fixed, the formula is not changed" },
    { "heads-lowered", head_lowered, "lowered by $hd_k^2$, the gauge of query and key, in place of $d^2$" },
    { "not-fixed",     not_fixed,    "lowered by $d^2$ although nothing is held fixed" },
};
static const control wrong_real[] = {
    { "one-too-many",  real_too_many, "the formula plus 1" },
    { "one-too-few",   real_too_few,  "the formula minus 1" },
    { "one-fixed",     real_fixed,    "$W_Q$ of layer 1 is held fixed, the formula is not changed" },
};
static const control uncorrected[] = {
    { "P1-fixed",   first_kept, "without the $d - 2h_{kv}d_k = 2$ directions of $P_1$" },
    { "full-width", full_width, "$G = 2Lhd_k^2$ for $h = 1$ under LayerNorm: $2L = 4$ too many" },
};
static const control unlicensed[] = {
    { "unsplit", unsplit, "scores of the first layer alone, taken as they are: they satisfy linear relations" },
};
#define FIELD_ONLY .no_large = true, .no_minimal = true, RANKS_OVER_FIELD
static const char minor[] = "a minor not 0 modulo a prime (certain) meets independent gauge tangents";
static const char tangents[] = "the gauge tangents are null directions";
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2, .mask = MASK_CAUSAL, .act = ACT_GELU } },
    { .sh = { .n = 3, .d = 6, .h = 3, .m = 7, .V = 7, .L = 1, .mask = MASK_CAUSAL, .act = ACT_GELU }, .large = true },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = as_stated, .no_minimal = true, .without = "f64 mpfr arb q sym",
      .why_without = "ranks over F_p, where activations and exponentials are formal", .basis = minor,
      .by_proof = tangents,
      .statement = "15 architectures (the sixteenth, ReLU, is decided in balls): parameters $-$ rank of the "
                   "Jacobian $=$ number of independent gauge directions $=$ closed formula",
      CONTROLS(wrong) },
    { .name = "as-stated-more", .kind = PART_IDENTITY, .run = further, FIELD_ONLY, .basis = minor,
      .by_proof = tangents,
      .statement = "17 further architectures, among them those of GPT-2 and Llama, gated MLPs, mixtures of experts",
      CONTROLS(wrong_beyond) },
    { .name = "as-stated-query-held-fixed", .kind = PART_IDENTITY, .run = fixed_factor, FIELD_ONLY, .basis = minor,
      .by_proof = tangents,
      .statement = "holding $W_Q$ of one layer fixed lowers the nullity by $d^2$",
      CONTROLS(wrong_fixed) },
    { .name = "as-stated-exponentials", .kind = PART_IDENTITY, .run = exponentials, FIELD_ONLY,
      .basis = "rank of the arguments at random points; that it suffices is Ax's theorem",
      .statement = "the arguments of all exponentials, those of the first layer split into the four summands of "
                   "$(E_t+P_i)M(E_s+P_j)^\\top$, are linearly independent over $\\mathbb{Q}$ modulo constants",
      CONTROLS(unlicensed) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = special, FIELD_ONLY, .basis = minor,
      .by_proof = tangents,
      .statement = "causal, no attention skip, $2h_{kv}d_k < d$: $d - 2h_{kv}d_k$ more; LayerNorm, $h = 1$: "
                   "$2(d^2-1)$ in place of $2d_k^2$ per layer; LayerNorm, tied: one more, $(E + 1w^\\top, P - "
                   "1w^\\top)$ with $w = \\Gamma_f^{-1}1$",
      CONTROLS(uncorrected) },
    { .name = "corrected-real", .kind = PART_IDENTITY, .run = over_balls, .no_large = true, .no_minimal = true,
      .basis = "a minor of the real functions whose ball excludes 0, and gauge tangents",
      .without = "f64 mpfr fp q sym", .why_without = "balls alone bound the real functions",
      .statement = "softmax with GELU, ReLU, RMSNorm and LayerNorm ($\\varepsilon = 2^{-17}$) themselves, one layer",
      CONTROLS(wrong_real) },
};
static const claim N8 = {
    .id = "N8", .title = "gauge dimension equals Jacobian nullity",
    .where = "new",
    .hypotheses = "weights in general position; $V > d$, $m \\ge d$; enough tokens and positions; $h > 1$ under "
                  "LayerNorm; causal and without attention skip: $2h_{kv}d_k \\ge d$",
    .construction = "tangents of the gauge group: stream bases, $(W_QA, -W_KA^\\top)$, $(W_VB, -BW_O)$, $(E + 1c, "
                    "P - 1c)$, neuron scales, constants, gains",
    .why = "The tangents bound the rank of the Jacobian from above, a minor that is not $0$ bounds it from below; "
           "the bounds meet.  With $d=4$, $h=2$, $L=2$ and no norm: $d^2+G+d = 16+32+4 = 52$ with all skips, $84$ "
           "with one kind, $116$ without.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P3.2 K-T4.2 K-T4.3 K-T4.4 K-P3.2-dim",
};
THEOREM_PROGRAM(N8)
