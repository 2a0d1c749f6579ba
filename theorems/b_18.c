/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_18.c - B-18, the value matrices of multi-head layers cannot be concatenated.
 *
 * Statement.  With several heads the value and projection matrices of a stack cannot be multiplied together
 * over the layers, as those of one head can.
 *
 * Why.  If they could, one N x N matrix after the last layer would stand for all of them, beside the scores
 * of rank r = N/H matrices M_h, which have S(2N^2 - N^2/H) dimensions: at most S(2N^2 - N^2/H) + N^2
 * together.  The family has
 *     2S(2N^2 - N^2/H) - (S-1)N^2
 * dimensions, which is more by (S-1)(N^2 - N^2/H) for S, H > 1.  What is left of the concatenation is
 * -(S-1)N^2: between two layers the stream may be written in any basis, so that one N x N block per
 * interface can still be the identity. With skips that disappears, too: 2S(2N^2 - N^2/H).  */
#include "src/claim/shapes.h"
#include "src/methods/rank/stack_family.h"

static stack_shape shape_of(const trial *t, bool skip)
{
    const shape *sh = &t->sh;
    return (stack_shape){ .S = sh->L, .N = sh->d, .H = sh->h, .T = sh->n, .skip = skip, .form = STACK_FACTORS };
}

static long one_side(const stack_shape *sh) { return sh->S * (2 * sh->N * sh->N - sh->N * sh->N / sh->H); }

/* Elimination in balls takes time: two layers are enough. */
static bool short_enough(trial *t)
{
    const bool balls = claim_over(t, OVER_BALLS);
    if (balls && t->sh.L > 2) scope_not_here(&t->s, REASON_TOO_LARGE, "ranks of three layers in balls take too long");
    return !balls || t->sh.L <= 2;
}

static void ranks(trial *t, bool skip, long error)
{
    if (!short_enough(t)) return;
    const stack_shape sh = shape_of(t, skip);
    const long interfaces = skip ? 0 : (sh.S - 1) * sh.N * sh.N, rank = 2 * one_side(&sh) - interfaces;
    claim_stack_rank(t, "rank", &sh, rank + error);
    if (!error && sh.S > 1 && sh.H > 1) claim_decided(t, "more than concatenated", rank > one_side(&sh) + sh.N * sh.N);
}
static void as_stated(trial *t)  { ranks(t, false, 0); }
static void skips(trial *t)      { ranks(t, true, 0); }

static void one_more(trial *t)     { ranks(t, false, 1); }
static void one_less(trial *t)     { ranks(t, false, -1); }

static void skip_ignored(trial *t)
{
    const stack_shape sh = shape_of(t, true);
    if (!short_enough(t)) return;
    if (sh.S == 1) scope_not_here(&t->s, REASON_NO_QUESTION, "one layer has no interface");
    else claim_stack_rank(t, "rank", &sh, 2 * one_side(&sh) - (sh.S - 1) * sh.N * sh.N);
}

static void concatenated(trial *t)                           /* (S+1) N^2, as for one head */
{
    const stack_shape sh = shape_of(t, false);
    if (short_enough(t)) claim_stack_rank(t, "rank", &sh, (sh.S + 1) * sh.N * sh.N);
}

static const control wrong[] = {
    { "one-more",     one_more,     "the formula plus 1" },
    { "one-less",     one_less,     "the formula minus 1" },
    { "concatenated", concatenated, "$(S+1)N^2$, as for one head" },
};
static const control with_skip[] = { { "skip-ignored", skip_ignored, "the formula without skip" } };
#define FIELD_ONLY .no_minimal = true, .without = "f64 mpfr q sym", \
    .why_without = "ranks over F_p, where exponentials are formal, and in balls", \
    .by_proof = "that its gauge tangents are those of b_18.v, which Coq proves to be null directions", \
    .basis = "a minor not 0 modulo a prime (certain) meets independent gauge tangents"
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(4, 4, 2, 1, MASK_FULL) }, { .sh = ATTENTION_SHAPE(4, 4, 2, 2, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(4, 4, 2, 3, MASK_FULL) }, { .sh = ATTENTION_SHAPE(4, 3, 3, 2, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(4, 4, 4, 2, MASK_FULL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = as_stated, FIELD_ONLY,
      .statement = "no skip: $2S(2N^2-N^2/H)-(S-1)N^2$ dimensions, more than the $S(2N^2-N^2/H)+N^2$ of "
                   "concatenated values: $48, 80, 112, 51, 96$ for $(S,N,H) = (1,4,2), (2,4,2), (3,4,2), (2,3,3), "
                   "(2,4,4)$",
      CONTROLS(wrong) },
    { .name = "as-stated-skip", .kind = PART_IDENTITY, .run = skips, FIELD_ONLY,
      .statement = "with skips: $2S(2N^2-N^2/H)$", CONTROLS(with_skip) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 4", "Moreover, it is impossible to equivalently concatenate the value/projection "
      "matrices $W_{sh}^{VO}$ to a unique product because of varying index *h* along various paths through the "
      "heads." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 4", "it is common to map the embedding vector to a narrower vector of width N/H, "
      "assumed to be integer." },
};
static const claim B_18 = {
    .id = "B-18", .title = "multi-head values cannot be concatenated",
    .where = "002 Section 4",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$H > 1$, $S > 1$; no MLP, no norm, no biases, no mask",
    .construction = NULL,
    .why = "A head's $W_Q^hW_K^{h\\top}$ and $W_V^hW_O^h$ have rank $r = N/H$, that is $2Nr - r^2$ dimensions "
           "each; $S$ layers of $H$ heads have $2S(2N^2-N^2/H)$, less $N^2$ for the free basis between two layers. "
           " For $S=2$, $N=4$, $H=2$: $80$, but concatenated values would leave at most $48 + 16 = 64$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-12",
};
THEOREM_PROGRAM(B_18)
