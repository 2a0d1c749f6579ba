/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s2_albert.c - K-S2-albert, with shared layers only the normalization is left in the way.
 *
 * Statement.  For models that share all layers, as ALBERT does, with all skips, the theory "only relies on the
 * approximation of the change of basis through the LayerNorm".
 *
 * True.  Without a norm nothing is lost (Theorem 4.3); with one, what is lost is what a single layer loses, at any
 * depth, for there is one W_Q:
 *     no norm 0,    LayerNorm  d(d-1) - h dk^2 - (d-1)(d-2)/2 + h(dk-1)(dk-2)/2,
 *                   RMSNorm    d^2 - h dk^2 - d(d-1)/2 + h dk(dk-1)/2.
 * At d = 768, h = 12 LayerNorm costs 269,579 of the 589,824 dimensions of W_Q, which no width that is the same can
 * make up: there the approximation has to do its work.  So "only" is right, and it is not nothing.
 *
 * What the sentence leaves out is a tied head, which ALBERT's language model has: then d(d-1) - h dk^2 are lost with
 * LayerNorm, 539,904.  (ALBERT normalizes behind its sublayers; here, as in the paper's experiments, it is before.) */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"

typedef struct { const char *architecture; long d, h, L; } setting;
static const setting settings[] = {
    { "all-skip+shared",                        4, 2, 2 }, { "all-skip+shared",                    4, 2, 3 },
    { "all-skip+shared+layer-norm",             4, 2, 2 }, { "all-skip+shared+layer-norm",         4, 2, 3 },
    { "all-skip+shared+layer-norm",             3, 3, 2 }, { "all-skip+shared+rms",                4, 2, 2 },
    { "all-skip+shared+rms",                    4, 2, 3 }, { "all-skip+shared+rms",                3, 3, 2 },
    { "all-skip+shared+layer-norm+biases",      4, 2, 2 },
};
static const setting tied[] = {
    { "all-skip+shared+tied",                   4, 2, 2 }, { "all-skip+shared+layer-norm+tied",    4, 2, 2 },
    { "all-skip+shared+layer-norm+tied",        4, 4, 2 },
};

/* What one layer loses; d = h dk, h > 1. */
static long of_one_layer(const shape *sh)
{
    const long d = sh->d, dk = sh->dk, blocks = sh->h * dk * dk;
    if (sh->tied && sh->norm == NORM_LAYER) return d * (d - 1) - blocks;
    if (sh->norm == NORM_LAYER)
        return d * (d - 1) - blocks - (d - 1) * (d - 2) / 2 + sh->h * (dk - 1) * (dk - 2) / 2;
    if (sh->norm == NORM_RMS || sh->tied) return d * d - blocks - d * (d - 1) / 2 + sh->h * dk * (dk - 1) / 2;
    return 0;
}

/* Three trials share the list; `layers` counts each of the L layers. */
static void lost_in(trial *t, const setting list[], size_t n, long error, bool each_layer)
{
    for (size_t k = 0; k < n; k++) {
        const setting *c = &list[k];
        if ((long)k % 3 != t->number % 3) continue;
        const shape sizes = { .n = 3, .d = c->d, .h = c->h, .m = c->d + 1, .V = c->d + 2, .L = c->L };
        const dimension_of full = dimension_family_named(sizes, c->architecture);
        const long lost = of_one_layer(&full.sh) * (each_layer ? c->L : 1) + error;
        claim_deficit(t, c->architecture, &full, ((uint64_t)1 << c->L) - 1, lost);
    }
}
static void untied_head(trial *t)  { lost_in(t, settings, COUNT(settings), 0, false); }
static void tied_head(trial *t)    { lost_in(t, tied, COUNT(tied), 0, false); }
static void one_more(trial *t)     { lost_in(t, settings, COUNT(settings), 1, false); }
static void one_more_tied(trial *t) { lost_in(t, tied, COUNT(tied), 1, false); }

static void each_layer(trial *t)
{
    static const setting deeper[] = {
        { "all-skip+shared+layer-norm", 4, 2, 2 }, { "all-skip+shared+layer-norm", 4, 2, 3 },
        { "all-skip+shared+rms", 4, 2, 2 } };
    lost_in(t, deeper, COUNT(deeper), 0, true);
}

static const control of_untied[] = {
    { "one-more",   one_more,   "the formulas plus 1" },
    { "each-layer", each_layer, "the same for each of the $L$ layers" },
};
static const control of_tied[] = { { "one-more", one_more_tied, "the formulas plus 1" } };
#define FIELD_ONLY .no_minimal = true, .no_large = true, RANKS_OVER_FIELD, .basis = BY_TWO_RANKS
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2, .act = ACT_GELU } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = untied_head, FIELD_ONLY,
      .statement = "all layers shared, all skips, untied: $W_Q = I$ loses nothing without a norm; with one what a "
                   "single layer loses, at $L = 2$ and $3$: LayerNorm 1, RMSNorm 4 ($d = 4$, $h = 2$)",
      CONTROLS(of_untied) },
    { .name = "as-stated-tied", .kind = PART_IDENTITY, .run = tied_head, FIELD_ONLY,
      .statement = "with a tied head $4$ are lost without a norm and $d(d-1)-hd_k^2 = 4$ with LayerNorm",
      CONTROLS(of_tied) },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 2", "In this case the conditions of our theory are further relaxed: we systematically treat "
                             "the case where all the skip connections are present, and only rely on the approximation "
                             "of the change of basis through the LayerNorm." },
    { TEXT_000, "Section 2", "In this case the conditions of our theory are further relaxed: we systematically treat "
                             "the case where all the skip connections are present, and only rely on the approximation "
                             "of the change of basis through the LayerNorm." },
};
static const claim K_S2_ALBERT = {
    .id = "K-S2-albert", .title = "with shared layers only the normalization is in the way",
    .where = "003 Section 2; 000 Section 2", .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one block for all layers, all skips, $h > 1$; weights in general position, fixed width; norms "
                  "before the sublayers, $\\varepsilon > 0$",
    .construction = "the gauge moves $W_Q = I$ by $-X + \\mathrm{diag}(A_a)$, $X$ skew under a norm",
    .why = "There is one $W_Q$ and one basis.  Without a norm the basis is any of $\\mathrm{GL}(d)$, and Theorem 4.3 "
           "uses it; behind a norm only orthogonal bases remain, under LayerNorm of the vectors of mean 0.  So "
           "exactly what the sentence says is left, and it is the loss of one layer, not of $L$: $1$ and $4$ at $d = "
           "4$, $h = 2$, by the formula 269,579 of 589,824 at BERT-base's size under LayerNorm.  A tied head, which "
           "ALBERT's language model has, adds to it.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.3 N9 K-Tab1",
};
THEOREM_PROGRAM(K_S2_ALBERT)
