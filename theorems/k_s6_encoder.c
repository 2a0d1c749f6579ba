/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s6_encoder.c - K-S6-encoder, encoders potentially save relatively more.
 *
 * True as worded: "potentially". W_Q is 6.46 per cent of BERT-base and 5.69 per cent of the paper's decoder, 4.34
 * per cent where its head is not tied. Of the blocks it is a twelfth in all of them: what makes the difference is
 * the vocabulary, how large it is and how often it is stored, which is what 001 says in other words ("smaller output
 * projections"). An encoder with 250,002 tokens saves less than the decoder. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "there is an encoder, BERT-base, in which $W_Q$ is a larger share of all parameters than in the "
                   "decoder, tied or untied" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "6.46\\% of BERT-base, 5.69\\% and 4.34\\% of the decoder, 2.55\\% of XLM-R base: the vocabulary "
                   "decides; of the matrices of the blocks of BERT-base it is 8.33\\%" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 6", "The analysis extends without any modification to encoder-only architectures, with "
                             "potentially larger relative savings." },
    { TEXT_000, "Section 6", "The analysis extends without any modification to encoder-only architectures, with "
                             "potentially larger relative savings." },
    { TEXT_001, "Section 6", "The analysis extends to encoder-only architectures with potentially larger relative "
                             "savings due to smaller output projections." },
};
static const claim K_S6_ENCODER = {
    .id = "K-S6-encoder", .title = "encoders potentially save relatively more",
    .where = "003 Section 6; 000 Section 6; 001 Section 6", .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "BERT-base and XLM-R base as published, with the pooler and without a head for a task; the decoder "
                  "is NanoGPT of 124.37M, or of 163.01M with an untied head",
    .why = "All have $12\\cdot 768^2 = 7{,}077{,}888$ query weights in twelve layers. BERT-base has 109,482,240 "
           "parameters in all, since it embeds 30,522 tokens and not 50,304 and reads none out; the decoder has "
           "124,373,760, untied 163,007,232. XLM-R base embeds 250,002 tokens and has 278,043,648.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-N-percent",
};
THEOREM_PROGRAM(K_S6_ENCODER)
