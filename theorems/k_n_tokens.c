/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_n_tokens.c - K-N-tokens, tokens per step, in training and in evaluation.
 *
 * A step takes 480 sequences of 1,024 tokens; 60,000 steps take 29.49 billion, 100,000 steps 49.15 billion, 2,400
 * sequences of evaluation 2.46 million. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "with 480 sequences of 1,024 tokens in a step: 490k tokens per step, 29.5B in 60k steps; 2.5M in "
                   "2,400 sequences of an evaluation; the 100k steps of 003 take 49.2B, 5.5 passes over 9B" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 5.1", "We train for 100k gradient steps (of 600k in the full NanoGPT schedule)" },
    { TEXT_003, "Section 5.1", "gradient clipping at 1.0, and $\\sim 490\\text{k}$ tokens per gradient step" },
    { TEXT_000, "Section 5.1", "490k tokens per gradient step (29.5B tokens total" },
    { TEXT_000, "Section 5.1", "Validation loss is estimated every 1000 steps by averaging over 2400 sequences "
      "(2.5M tokens) drawn independently from the validation split." },
};
static const char *const judged[] = {
    "We train for 100k gradient steps",
    "$\\sim 490\\text{k}$ tokens per gradient step",
    "490k tokens per gradient step (29.5B tokens total",
    "by averaging over 2400 sequences (2.5M tokens)",
};
static const claim K_N_TOKENS = {
    .id = "K-N-tokens", .title = "tokens per step, in training and in evaluation",
    .where = "003 Section 5.1; 000 Sections 1.1 and 5.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .why = "$480\\cdot 1024=491{,}520$ (480 is NanoGPT's accumulation, $40\\cdot 12$); times 60,000 it is "
           "29,491,200,000, where the rounded 490k would give 29.4B; $2400\\cdot 1024=2{,}457{,}600$. 003 "
           "names the size of its data set, about 9B tokens, and not how many it trains on: 100k steps take 49.2B, 5.5 "
           "passes.  That OpenWebText has 9B tokens was not counted here.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_N_TOKENS)
