/* SPDX-License-Identifier: GPL-3.0-or-later
 * n9.c - N9, how many dimensions of functions are lost when W_Q = I is imposed.
 *
 * Statement.  dim{functions of the model} - dim{functions of the same model with W_Q = I in the layers S}
 * equals, with b = h dk^2 and for |S| layers (fixed width, weights in general position):
 *     no norm, all skips, untied   (|S| - 1)(d^2 - b)                         one layer is free: Theorem 4.2
 *     one kind of skip, no skip, shared blocks, parallel without skip: 0      Theorems 4.3, 4.4; N2
 *     RoPE, h = 1, all skips       (|S| - 1)(d^2 - d)                         Proposition 4.1 fails under RoPE
 *     tied, all skips; RMSNorm     |S| (d^2 - b) - d(d-1)/2 + h dk(dk-1)/2
 *     LayerNorm                    |S| (d(d-1) - b) - (d-1)(d-2)/2 + h (dk-1)(dk-2)/2
 *     tied with a norm             |S| (d^2 - b) for RMSNorm, |S| (d(d-1) - b) for LayerNorm
 *
 * Why.  Both dimensions are ranks, decided as in N8.  The gauge moves (W_Q^l)_l along -X W_Q^l + W_Q^l
 * diag(A^l_a): at W_Q = I it reaches X - diag(A^l_a), so that it can reach W_Q = I from everywhere but for
 * the cokernel of this map. X runs through gl(d), or so(d) where a norm or a tied head must be kept; the
 * sums overlap in the X that are block diagonal.  LayerNorm reads d - 1 directions only: the row of W_Q
 * along 1 is free anyway.  */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"

typedef long formula(const shape *sh, long layers);
static long heads(const shape *sh)                  { return sh->h_kv * sh->dk * sh->dk; }
static long none(const shape *sh, long n)           { (void)sh; (void)n; return 0; }
static long stream_once(const shape *sh, long n)    { return (n - 1) * (sh->d * sh->d - heads(sh)); }
static long rope_one_head(const shape *sh, long n)  { return (n - 1) * (sh->d * sh->d - sh->d); }

static long orthogonal(const shape *sh, long n)
{
    const long d = sh->d;
    return n * (d * d - heads(sh)) - d * (d - 1) / 2 + sh->h * sh->dk * (sh->dk - 1) / 2;
}

static long layer_norm(const shape *sh, long n)
{
    const long d = sh->d;
    return n * (d * (d - 1) - heads(sh)) - (d - 1) * (d - 2) / 2 + sh->h * (sh->dk - 1) * (sh->dk - 2) / 2;
}
static long tied_rms(const shape *sh, long n)        { return n * (sh->d * sh->d - heads(sh)); }
static long tied_layer_norm(const shape *sh, long n) { return n * (sh->d * (sh->d - 1) - heads(sh)); }

typedef struct { const char *architecture; long d, h, L, layers; formula *lost; } configuration;
static const configuration of_ledger[] = {
    { "all-skip",                 4, 2, 2, 1, stream_once },
    { "all-skip",                 4, 2, 2, 2, stream_once },
    { "all-skip",                 4, 2, 3, 2, stream_once },
    { "all-skip",                 4, 2, 3, 3, stream_once },
    { "all-skip",                 6, 3, 2, 2, stream_once },
    { "all-skip",                 4, 1, 2, 2, stream_once },
    { "attn-skip",                4, 2, 2, 2, none },
    { "mlp-skip",                 4, 2, 2, 2, none },
    { "skipless",                 4, 2, 2, 2, none },
    { "attn-skip+tied",           4, 2, 2, 2, none },
    { "all-skip+shared",          4, 2, 3, 3, none },
    { "attn-skip+rope",           4, 2, 2, 2, none },
    { "attn-skip+qk-norm",        4, 2, 2, 2, none },
    { "parallel-skipless",        4, 2, 2, 2, none },
    { "all-skip+rope",            4, 1, 2, 2, rope_one_head },
    { "all-skip+tied",            4, 2, 2, 1, orthogonal },
    { "all-skip+tied",            4, 1, 2, 1, orthogonal },
    { "all-skip+rms",             4, 2, 2, 1, orthogonal },
    { "all-skip+rms",             4, 2, 2, 2, orthogonal },
    { "all-skip+layer-norm",      4, 2, 2, 1, layer_norm },
    { "all-skip+layer-norm",      4, 2, 2, 2, layer_norm },
    { "all-skip+layer-norm+tied", 4, 2, 2, 1, tied_layer_norm },
    { "all-skip+layer-norm+tied", 4, 2, 2, 2, tied_layer_norm },
    { "all-skip+rms+tied",        4, 2, 2, 2, tied_rms },
};
static const configuration further[] = {
    { "attn-skip+gqa",            4, 2, 2, 2, none },
    { "all-skip+gqa",             4, 2, 2, 2, stream_once },
    { "all-skip+biases",          4, 2, 2, 2, stream_once },
    { "all-skip+gated",           4, 2, 2, 2, stream_once },
    { "parallel",                 4, 2, 2, 2, stream_once },
    { "all-skip+tied",            4, 2, 2, 2, orthogonal },
    { "all-skip+moe",             4, 2, 2, 2, stream_once },
    { "all-skip",                 4, 4, 2, 2, stream_once },
    { "mlp-skip+rope",            4, 2, 2, 2, none },
    { "attn-skip+biases",         4, 2, 2, 2, none },
    { "all-skip+rms+tied",        4, 2, 2, 1, tied_rms },
    { "all-skip+full-mask",       4, 2, 2, 2, stream_once },
};

static void deficit(trial *t, const configuration *c, const char *what, long error)
{
    const shape sizes = { .n = 3, .d = c->d, .h = c->h, .m = c->d + 1, .V = c->d + 2, .L = c->L };
    const dimension_of full = dimension_family_named(sizes, c->architecture);
    const uint64_t fixed = ((uint64_t)1 << c->layers) - 1;
    claim_deficit(t, what, &full, fixed, c->lost(&full.sh, c->layers) + error);
}

/* Three trials share the list. */
static void all_of(trial *t, const configuration list[], size_t n)
{
    for (size_t k = 0; k < n; k++)
        if ((long)k % 3 == t->number % 3) deficit(t, &list[k], list[k].architecture, 0);
}
static void as_stated(trial *t) { all_of(t, of_ledger, COUNT(of_ledger)); }
static void beyond(trial *t)    { all_of(t, further, COUNT(further)); }

static void one_more(trial *t)  { deficit(t, &of_ledger[1], of_ledger[1].architecture, 1); }
static void one_less(trial *t)  { deficit(t, &of_ledger[18], of_ledger[18].architecture, -1); }

static void no_heads(trial *t)
{
    deficit(t, &of_ledger[1], of_ledger[1].architecture, heads(&(shape){ .h_kv = 2, .dk = 2 }));
}

static void layer_as_rms(trial *t)
{
    const configuration c = { "all-skip+layer-norm", 4, 2, 2, 1, orthogonal };
    deficit(t, &c, c.architecture, 0);
}

/* Of `further`: all skips with grouped heads; the parallel block with skips as if it had none. */
static void gqa_one_more(trial *t) { deficit(t, &further[1], further[1].architecture, 1); }

static void gqa_no_heads(trial *t)
{
    deficit(t, &further[1], further[1].architecture, heads(&(shape){ .h_kv = 1, .dk = 2 }));
}

static void as_skipless(trial *t)
{
    const configuration c = { "parallel", 4, 2, 2, 2, none };
    deficit(t, &c, c.architecture, 0);
}

static const control wrong[] = {
    { "one-more",     one_more,     "the formula plus 1" },
    { "one-less",     one_less,     "the formula minus 1" },
    { "no-heads",     no_heads,     "$(|S|-1)d^2$: the gauge of query and key is forgotten" },
    { "layer-as-rms", layer_as_rms, "the formula of RMSNorm for LayerNorm" },
};
static const control wrong_further[] = {
    { "one-more",    gqa_one_more, "the formula plus 1" },
    { "no-heads",    gqa_no_heads, "$(|S|-1)d^2$: the gauge of query and key is forgotten" },
    { "as-skipless", as_skipless,  "the formula of parallel blocks without skip for those with one" },
};
#define FIELD_ONLY .no_minimal = true, RANKS_OVER_FIELD, .basis = BY_TWO_RANKS
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2, .mask = MASK_CAUSAL, .act = ACT_GELU } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = as_stated, FIELD_ONLY,
      .statement = "24 configurations, $d = 4, 6$, $L = 2, 3$: the rank lost with $W_Q = I$ is the closed formula, "
                   "e.g. $(L-1)(d^2-hd_k^2) = 8$ with all skips, $4$ and $12$ under RMSNorm, $1$ and $5$ under "
                   "LayerNorm",
      CONTROLS(wrong) },
    { .name = "as-stated-more", .kind = PART_IDENTITY, .run = beyond, FIELD_ONLY,
      .statement = "12 further configurations: GQA, biases, gated, mixture of experts, parallel with skip",
      CONTROLS(wrong_further) },
};
static const claim N9 = {
    .id = "N9", .title = "how many dimensions are lost with the query weights",
    .where = "new; quantifies 003 Remarks 3, 4 and 7",
    .hypotheses = "weights in general position, fixed width; the norms' $\\varepsilon > 0$; QK-norm without gains",
    .construction = "the gauge moves $W_Q^l = I$ by $-X + \\mathrm{diag}(A^l_a)$; the lost dimensions are its "
                    "cokernel",
    .why = "Full and reduced family have their dimensions as ranks of Jacobians.  Two layers with all skips, $d = "
           "4$, $h = 2$: $32$ weights are removed, $X$ gives $16$, the heads give $8$ per layer, and $8$ are "
           "counted twice: $32 - 24 = 8$ dimensions are lost.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "N8 K-T4.2 K-T4.3 K-T4.4",
};
THEOREM_PROGRAM(N9)
