/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r1_two.c - K-R1-two, one of Q, K and V can go, and no two of them at once.
 *
 * Statement.  "One of the Query, Key or Value weights are redundant": 000 says one; 003 lists three and saves 25 per
 * cent, which is one of four, and its Remark 1 eliminates W_K or W_V "instead".  Both mean one at a time, and that is
 * as far as it goes.
 *
 * How it is decided.  No norm, all skips, untied, one layer of several, d = h dk.  By two ranks the functions that are
 * lost where weights of the layer are fixed at I are
 *     one of W_Q, W_K, W_V:    0                                    Theorem 4.2, Remark 1
 *     W_Q and W_V, W_K and W_V:  d^2 - h dk^2
 *     W_Q and W_K:             d^2 - h dk(dk+1)/2
 *     all three:               2 d^2 - h dk(3 dk+1)/2
 * so two can go at once for one head only, and then W_V must be one of them: Proposition 4.1.
 *
 * Why.  The stream's basis X, A of query and key and B of value and output move the three at (I, I, I) by X.. -X + A,
 * -X - A', -X + B, with A, B block diagonal.  What they do not reach is lost.  Two matrices have 2 d^2 entries; X gives
 * d^2, and the heads only the blocks: for W_Q = W_V = I every A - B is spent on the h dk^2 entries of the blocks.  For
 * W_Q = W_K = I the scores of a head are x_a y_a', symmetric in x and y, which d^2 - h dk(dk+1)/2 equations say.     */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"

enum { QUERY = 1, KEY = 2, VALUE = 4 };

static long heads(const shape *sh) { return sh->h * sh->dk * sh->dk; }

static long lost_with(const shape *sh, unsigned fixed)
{
    const long d2 = sh->d * sh->d, symmetric = sh->h * sh->dk * (sh->dk + 1) / 2;
    switch (fixed) {
    case QUERY | VALUE:
    case KEY | VALUE:         return d2 - heads(sh);
    case QUERY | KEY:         return d2 - symmetric;
    case QUERY | KEY | VALUE: return 2 * d2 - heads(sh) - symmetric;
    default:                  return 0;
    }
}

/* The last layer loses what is in `fixed`. */
static void fixed_in_layer(trial *t, const char *what, unsigned fixed, long error)
{
    const uint64_t last = (uint64_t)1 << (t->sh.L - 1);
    const dimension_of full = { .sh = t->sh };
    const dimension_of reduced = { .sh = t->sh, .without_query = fixed & QUERY ? last : 0,
                                   .without_key = fixed & KEY ? last : 0, .without_value = fixed & VALUE ? last : 0 };
    claim_lost(t, what, &full, &reduced, lost_with(&t->sh, fixed) + error);
}

static void one_of_three(trial *t)
{
    static const struct { const char *what; unsigned fixed; } one[] = {
        { "W_Q = I loses nothing", QUERY }, { "W_K = I loses nothing", KEY }, { "W_V = I loses nothing", VALUE } };
    fixed_in_layer(t, one[t->number % 3].what, one[t->number % 3].fixed, 0);    /* one a trial */
}
static void one_plus_1(trial *t) { fixed_in_layer(t, "W_Q = I loses nothing", QUERY, 1); }

static const char query_value[] = "W_Q = W_V = I: d^2 - h dk^2";
static void two_of_three(trial *t)
{
    switch (t->number % 3) {
    case 0: fixed_in_layer(t, query_value, QUERY | VALUE, 0); break;
    case 1: fixed_in_layer(t, "W_K = W_V = I: d^2 - h dk^2", KEY | VALUE, 0); break;
    default: fixed_in_layer(t, "W_Q = W_K = I: d^2 - h dk(dk+1)/2", QUERY | KEY, 0);
             fixed_in_layer(t, "all three: 2 d^2 - h dk(3 dk+1)/2", QUERY | KEY | VALUE, 0);
    }
}

static void for_nothing(trial *t)
{
    if (t->sh.h == 1) scope_not_here(&t->s, REASON_NO_QUESTION, "one head loses nothing");
    else fixed_in_layer(t, query_value, QUERY | VALUE, -lost_with(&t->sh, QUERY | VALUE));
}
static void two_plus_1(trial *t) { fixed_in_layer(t, query_value, QUERY | VALUE, 1); }

static void as_query_value(trial *t)
{
    if (t->sh.dk == 1) scope_not_here(&t->s, REASON_NO_QUESTION, "a block of width 1 is symmetric");
    else fixed_in_layer(t, "W_Q = W_K = I: d^2 - h dk(dk+1)/2", QUERY | KEY,
                        lost_with(&t->sh, QUERY | VALUE) - lost_with(&t->sh, QUERY | KEY));
}

static void all_skips(shape *sh) { sh->attn_skip = sh->mlp_skip = true; }

static const control of_one[] = { { "one-more", one_plus_1, "one dimension more" } };
static const control of_two[] = {
    { "for-nothing",   for_nothing,    "two go at once without loss, $h > 1$" },
    { "one-more",      two_plus_1,     "one dimension more" },
    { "no-symmetry",   as_query_value, "$d^2-hd_k^2$ for $W_Q = W_K = I$, whose scores are symmetric" },
};
#define FIELD_ONLY .no_minimal = true, RANKS_OVER_FIELD, .basis = BY_TWO_RANKS
static const shape_case shapes[] = {
    { .sh = RANK_SHAPE(4, 2, 2) }, { .sh = RANK_SHAPE(3, 1, 2) }, { .sh = RANK_SHAPE(4, 4, 2) },
    { .sh = RANK_SHAPE(3, 3, 2) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = one_of_three, FIELD_ONLY,
      .statement = "any one of $W_Q$, $W_K$, $W_V$ of a layer can be $I$: no function is lost",
      CONTROLS(of_one) },
    { .name = "as-stated-two", .kind = PART_IDENTITY, .run = two_of_three, FIELD_ONLY,
      .statement = "two at once lose $d^2-hd_k^2$ dimensions of functions ($W_V$ one of them), $d^2-hd_k(d_k+1)/2$ "
                   "($W_Q$ and $W_K$), all three $2d^2-hd_k(3d_k+1)/2$: nothing only for $h = 1$ with $W_V$",
      CONTROLS(of_two) },
};
static const quotation quotes[] = {
    { TEXT_000, "Abstract", "Under mild assumptions, we prove that one of the Query, Key or Value weights are "
                            "redundant and can be replaced with the identity matrix, reducing attention parameters by "
                            "25%." },
    { TEXT_003, "Remark 1", "By the same argument, we can eliminate W_K (setting $\\Theta = W_K$) or W_V (setting "
                            "$\\Theta = W_V$) instead, with the remaining matrices absorbing the basis change." },
};
static const quotation standing[] = { W_Q_IS_INVERTIBLE };
static const claim K_R1_TWO = {
    .id = "K-R1-two", .title = "one of Q, K and V can go, and no two of them",
    .where = "000 abstract; 003 Remark 1", .quotes = quotes, .nquotes = COUNT(quotes),
    .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no norm, all skips, untied, $d = hd_k$, one layer of several; weights in general position, fixed "
                  "width",
    .construction = "the gauge moves $(W_Q, W_K, W_V) = (I, I, I)$ by $(-X+A,\\ -X-A^\\top,\\ -X+B)$, $A$ and $B$ "
                    "block diagonal",
    .why = "Two matrices have $2d^2$ entries, one basis of the stream has $d^2$, and the heads' own bases reach the "
           "blocks only.  With $d = 4$, $h = 2$: $W_Q = W_V = I$ loses $16 - 8 = 8$ dimensions, $W_Q = W_K = I$ loses "
           "$16 - 6 = 10$, for it makes the scores of each head symmetric, and all three lose $32 - 14 = 18$.  With "
           "one head $W_Q = W_V = I$ is Proposition 4.1 and costs nothing; $W_Q = W_K = I$ costs $d(d-1)/2$ even "
           "then.",
    .prepare = all_skips, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-R1 K-T4.2 K-P4.1 N8",
};
THEOREM_PROGRAM(K_R1_TWO)
