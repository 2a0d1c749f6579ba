/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_mask.c - K-X-mask, query weight elimination for encoders, decoders, and any other mask.
 *
 * Statement.  Section 3 defines attention with a mask M of 0 and -infinity: causal for decoders, 0 for encoders;
 * the analysis extends to encoders "without any modification".  In fact it holds for any fixed mask.
 *
 * Construction.  As in the theorems; the mask is not touched.
 *
 * Why it works.  The mask acts on the scores, behind the projections, and the scores are equal entry by
 * entry: (X~ Q~)(X~ K~)' = (X Q)(X K)'.  Whatever is done with the visible scores of a row is the same in both
 * models; it need not even be the softmax (N16).                                                       */
#include "src/claim/reduce.h"

static void with_mask(shape *sh, reduction which, mask_kind mask)
{
    reduce_switches(sh, which);
    sh->mask = mask;
}

static void decoder(shape *sh)        { with_mask(sh, ONE_LAYER, MASK_CAUSAL); }
static void encoder(shape *sh)        { with_mask(sh, ONE_LAYER, MASK_FULL); }
static void arbitrary(shape *sh)      { with_mask(sh, ONE_LAYER, MASK_ARBITRARY); }
static void shared_decoder(shape *sh) { with_mask(sh, SHARED_BLOCK, MASK_CAUSAL); }
static void shared_encoder(shape *sh) { with_mask(sh, SHARED_BLOCK, MASK_FULL); }
static void skip_decoder(shape *sh)   { with_mask(sh, ATTENTION_SKIP, MASK_CAUSAL); }
static void skip_encoder(shape *sh)   { with_mask(sh, ATTENTION_SKIP, MASK_FULL); }
static void skip_arbitrary(shape *sh) { with_mask(sh, ATTENTION_SKIP, MASK_ARBITRARY); }

/* The reduced model looks through another mask: all entries; only the token itself; that and what the original does
 * not see, which differs from every mask of two tokens or more. */
typedef enum { ALL, OWN, TURNED_OVER } looks_at;
static void other_mask(trial *t, looks_at what)
{
    model_pair r = reduce_by_table(t);
    const long n = r.M.s.n;
    unsigned char *seen = scope_alloc(&t->s, (size_t)(n * n));
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            seen[i * n + j] = i == j || (what == TURNED_OVER && r.M.visible && !r.M.visible[i * n + j]);
    r.R.visible = what == ALL ? NULL : seen;
    claim_same_function(t, &r.M, &r.R);
}
static void no_mask(trial *t)     { other_mask(t, ALL); }
static void own_token(trial *t)   { other_mask(t, OWN); }
static void turned_over(trial *t) { other_mask(t, TURNED_OVER); }

static const control masked[] = {
    { "mask-lifted", no_mask,   "the reduced model sees all tokens" },
    { "own-token",   own_token, "the reduced model sees the token itself alone" },
};
static const control full[] = { { "own-token", own_token, "the reduced model sees the token itself alone" } };
static const control any_mask[] = {
    { "mask-turned-over", turned_over, "the reduced model sees itself and what the original does not" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_one_layer, decoder, CONTROLS(masked),
                 .statement = "Theorem 4.2 for decoders (causal mask)"),
    INDUCTIVE_PART("as-stated-encoder", reduction_one_layer, encoder, CONTROLS(full),
                 .statement = "Theorem 4.2 for encoders (no mask)"),
    INDUCTIVE_PART("as-stated-any", reduction_one_layer, arbitrary, CONTROLS(any_mask),
                 .statement = "Theorem 4.2 for a random mask"),
    INDUCTIVE_PART("as-stated-theorem-4.3-decoder", reduction_shared_block, shared_decoder,
                   .models = "norm = none; shared = 1; tied = 0",
                   CONTROLS(masked),
                 .statement = "Theorem 4.3 for decoders"),
    INDUCTIVE_PART("as-stated-theorem-4.3-encoder", reduction_shared_block, shared_encoder,
                   .models = "norm = none; shared = 1; tied = 0",
                   CONTROLS(full),
                 .statement = "Theorem 4.3 for encoders"),
    INDUCTIVE_PART("as-stated-theorem-4.4-decoder", reduction_attention_skip, skip_decoder,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   CONTROLS(masked),
                 .statement = "Theorem 4.4 for decoders"),
    INDUCTIVE_PART("as-stated-theorem-4.4-encoder", reduction_attention_skip, skip_encoder,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   CONTROLS(full),
                 .statement = "Theorem 4.4 for encoders"),
    INDUCTIVE_PART("as-stated-theorem-4.4-random-mask", reduction_attention_skip, skip_arbitrary,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   CONTROLS(any_mask),
                 .statement = "Theorem 4.4 for a random mask"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 6", "The analysis extends to encoder-only architectures with potentially larger "
      "relative savings due to smaller output projections." },
    { TEXT_003, "Section 3", "We let $M \\in \\{0, -\\infty\\}^{n \\times n}$ denote the attention mask: "
      "$M_{ij} = 0$ if token i can attend to token j , $-\\infty$ otherwise. For decoder-only (causal) "
      "attention, $M_{ij} = -\\infty$ when $j > i$; for encoder-only (bidirectional) attention, $M = 0$." },
    { TEXT_003, "Section 6", "The analysis extends without any modification to encoder-only architectures, with "
      "potentially larger relative savings." },
    { TEXT_000, "Section 3.1", "We let denote the mask matrix defining the graph of allowed attention "
      "connections. The entry determines whether position can attend to position :" },
    { TEXT_000, "Section 6", "The analysis extends without any modification to encoder-only architectures, with "
      "potentially larger relative savings." },
};
static const claim K_X_MASK = {
    .id = "K-X-mask", .title = "encoder and decoder masks",
    .where = "001 Section 6; 003 Sections 3 and 6; 000 Sections 3.1 and 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$; one fixed mask in "
                  "both models",
    .assumes = "invertible W_Q",
    .construction = "as in the theorems; the mask stays as it is",
    .why = "The mask acts on the scores, and the scores of the two models are equal entry by entry, so any mask may "
           "follow: causal, none, or a random one.",
    .models = "norm = none; tied = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4 N16",
};
THEOREM_PROGRAM(K_X_MASK)
