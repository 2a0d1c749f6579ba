/* SPDX-License-Identifier: GPL-3.0-or-later
 * n10.c - N10, Graef's elimination of W_Q and W_O together.
 *
 * Statement.  In skipless transformers without normalization W_Q and W_O can both be made the identity in all
 * layers (the papers cite this from Graef); W_O need not be invertible.
 *
 * Construction.  h dk = d.  Theta_i = W_Q^i in front of block i, Theta_{L+1} = I, and
 *     Q~ = I,  K~ = Theta_i^-1 K,  V~ = Theta_i^-1 V,  O~ = I,  up~ = O up,  down~ = down Theta_{i+1}.
 * Routers and gates read what W_u reads, so they become O W_r, O W_g.  Tied: Theta_{L+1} = Theta_1'^-1.
 *
 * Why it works.  Without a skip nothing but the MLP sees S W_O, so W_O moves into it: (S W_O) W_u = S (W_O W_u).  The
 * bases of the stream change in front of each block as in Theorem 4.4.  A skip around attention would add X to S W_O
 * and still need W_O; a norm would stand between W_O and W_u. */
#include "src/claim/reduce.h"

static void skipless(shape *sh)
{
    reduce_switches(sh, ATTENTION_SKIP);
    sh->attn_skip = sh->mlp_skip = false;
}
static void tied_head(shape *sh) { skipless(sh); sh->tied = true; }
static void experts(shape *sh)   { skipless(sh); sh->experts = 2; sh->gated = true; }

static const mat *after(scope *s, const mat *O, const mat *W) { return W ? mat_mul(s, O, W) : NULL; }

static void low_output(const layer_site *at, layer *W)                            /* W_O of rank d - 1 */
{
    const long d = at->sh.d;
    W->O = mat_mul(at->s, induction_layer_draw(at, "O left", 0, d, d - 1),
                   induction_layer_draw(at, "O right", 0, d - 1, d));
}

/* W_O moves into what reads it; `turned`: its transpose does. */
static void output_moves(const layer_site *at, const layer *W, layer *R, bool turned)
{
    scope *s = at->s;
    const mat *O = W->O;
    *R = gauge_layer(s, &at->sh, W, at->in, at->out);
    R->router = after(s, O, W->router);
    for (long e = 0; e < MAX_EXPERTS; e++) {
        R->expert[e].up   = after(s, turned ? mat_t(s, O) : O, W->expert[e].up);
        R->expert[e].gate = after(s, O, W->expert[e].gate);
    }
    R->Q = R->O = mat_identity(s, at->sh.d);
}
static void both_go(const layer_site *at, const layer *W, layer *R)    { output_moves(at, W, R, false); }
static void wrong_side_goes(const layer_site *at, const layer *W, layer *R) { output_moves(at, W, R, true); }

static void gates_stay(const layer_site *at, const layer *W, layer *R)
{
    both_go(at, W, R);
    for (long e = 0; e < MAX_EXPERTS; e++) R->expert[e].gate = W->expert[e].gate;
}

#define TABLE(at_the_head, ...) \
    { .kinds = (const layer_kind[]){ { .name = "layer whose W_Q and W_O become I", __VA_ARGS__, \
                                       .chooses = reduce_query_basis, .facts = reduce_claim_query_identity } }, \
      .nkinds = 1, .bases = BASIS_EACH, .last = at_the_head }
static const induction both = TABLE(NULL, .reduce = both_go);
static const induction singular = TABLE(NULL, .reduce = both_go, .plant = low_output);
static const induction turned = TABLE(NULL, .reduce = wrong_side_goes);
static const induction low_turned = TABLE(NULL, .reduce = wrong_side_goes, .plant = low_output);
static const induction gate_kept = TABLE(NULL, .reduce = gates_stay);

/* The head's basis is not transposed, so that a tied head is not tied any more. */
static const mat *inverse(scope *s, const shape *sh, basis first) { (void)s; (void)sh; return first.from; }
static const induction to_inverse = TABLE(inverse, .reduce = both_go);

static void attention_skip(trial *t) { shape sh = t->sh; sh.attn_skip = true; claim_built(t, sh, &both); }
static void mlp_skip(trial *t)       { shape sh = t->sh; sh.mlp_skip = true;  claim_built(t, sh, &both); }
static void normed(trial *t)         { shape sh = t->sh; sh.norm = NORM_RMS;  claim_built(t, sh, &both); }
static void wrong_side(trial *t)     { claim_built(t, t->sh, &turned); }
static void low_skip(trial *t)       { shape sh = t->sh; sh.attn_skip = true; claim_built(t, sh, &singular); }
static void low_wrong_side(trial *t) { claim_built(t, t->sh, &low_turned); }
static void untransposed(trial *t)   { claim_built(t, t->sh, &to_inverse); }
static void gates_left(trial *t)     { claim_built(t, t->sh, &gate_kept); }

static const control hypotheses[] = {
    { "attn-skip",    attention_skip, "a skip around the attention adds $X$ to $SW_O$" },
    { "mlp-skip",     mlp_skip,       "a skip around the MLP carries $SW_O$ past $W_u$" },
    { "norm-present", normed,         "norms, which commute with neither $\\Theta$ nor $W_O$" },
    { "transposed",   wrong_side,     "$\\tilde W_u = W_O^\\top W_u$" },
};
static const control of_singular[] = {
    { "low-attn-skip",  low_skip,       "a skip around the attention adds $X$ to $SW_O$" },
    { "low-transposed", low_wrong_side, "$\\tilde W_u = W_O^\\top W_u$" },
};
static const control of_tied[] = {
    { "tied-untransposed", untransposed,   "$\\Theta_{L+1} = \\Theta_1^{-1}$" },
    { "attn-skip",         attention_skip, "a skip around the attention adds $X$ to $SW_O$" },
};
static const control of_experts[] = {
    { "gates-left", gates_left,     "the gates of the experts are not $W_OW_g$" },
    { "attn-skip",  attention_skip, "a skip around the attention adds $X$ to $SW_O$" },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", both, skipless, CONTROLS(hypotheses),
                 .statement = "all $\\tilde W_Q^i = \\tilde W_O^i = I$, untied"),
    INDUCTIVE_PART("as-stated-singular", singular, skipless, CONTROLS(of_singular),
                 .assumes = "invertible W_Q; constrained W_O; d >= 2",
                 .statement = "the same where every $W_O^i$ has rank at most $d - 1$"),
    INDUCTIVE_PART("as-stated-tied", both, tied_head, CONTROLS(of_tied),
                 .statement = "the same with a tied head, which stays tied"),
    INDUCTIVE_PART("as-stated-experts", both, experts, CONTROLS(of_experts),
                 .statement = "the same with a mixture of gated experts"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 2", "Graef [Gra24] formally proves that in skipless transformers without normalization, both "
      "and can be eliminated simultaneously" },
    { TEXT_003, "Section 2", "Graef (2024) formally proves that in skipless transformers without normalization, both "
      "W_Q and W_O can be eliminated simultaneously" },
    { TEXT_000, "Section 2", "Graef [graef2024transformer] formally proves that in skipless transformers without "
      "normalization, both and can be eliminated simultaneously" },
};
static const claim N10 = {
    .id = "N10", .title = "query and output weights together in skipless models",
    .where = "001 Section 2; 003 Section 2; 000 Section 2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "no normalization; no skips; $hd_k = d$; all $W_Q^i \\in \\mathrm{GL}(d)$",
    .assumes = "invertible W_Q",
    .construction = "$\\Theta_i = W_Q^i$: $\\tilde W_{K,V}^i = \\Theta_i^{-1}W_{K,V}^i$, $\\tilde W_u^i = W_O^iW_u^i$, "
                    "$\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "Nothing but the MLP sees $SW_O$, so $(SW_O)W_u = S(W_OW_u)$; the bases in front of the blocks telescope "
           "as in Theorem 4.4.  The result is Graef's (arXiv:2404.12362); singular $W_O$ and experts are checked here.",
    .models = "norm = none; attn_skip = 0; mlp_skip = 0; parallel = 0; biases = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.4",
};
THEOREM_PROGRAM(N10)
