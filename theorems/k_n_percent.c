/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_n_percent.c - K-N-percent, 8 per cent and 8.3 per cent.
 *
 * W_Q is 1 of 12 equal d x d blocks of a layer with a four-fold MLP: 8.33 per cent of the matrices, 8.33 per cent
 * of all but the embeddings, 5.7 per cent of everything. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "$W_Q$ is 8\\% (over 8\\%) of the non-embedding parameters and 8.3\\% of those of the blocks" },
};
static const quotation quotes[] = {
    { TEXT_001, "abstract", "thereby reducing the number of non-embedding/lm-head parameters by over 8%" },
    { TEXT_001, "Section 1", "removing 25% of attention parameters per layer (8.3% of transformer block "
      "parameters)" },
    { TEXT_003, "Section 1", "the reduced 117M model matches the full 124M baseline despite 8% fewer "
      "non-embedding parameters" },
    { TEXT_000, "Section 1", "removing 25% of attention parameters per layer (8% of transformer block "
      "parameters)" },
    { TEXT_000, "Section 1.1", "the reduced 117M model matches the full 124M baseline despite 8% fewer "
      "non-embedding parameters" },
};
static const char *const judged[] = {
    "reducing the number of non-embedding/lm-head parameters by over 8%",
    "removing 25% of attention parameters per layer (8.3% of transformer block parameters)",
    "despite 8% fewer non-embedding parameters",
    "8% of transformer block parameters",
};
static const claim K_N_PERCENT = {
    .id = "K-N-percent", .title = "8 per cent and 8.3 per cent",
    .where = "001 abstract, Sections 1 and 7; 003 Sections 1 and 5; 000 Sections 1 and 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .judged = judged, .njudged = COUNT(judged),
    .hypotheses = "NanoGPT: $L=12$, $h=12$, $d=768$, $V=50304$ (padded), $T=1024$, no biases, gains of $2L+1$ "
                  "LayerNorms, tied head",
    .why = "$12\\cdot 768^2=7{,}077{,}888$ of 84,953,856 is 8.3314\\%; of the $12\\cdot 12\\cdot 768^2$ weights in "
           "matrices it is exactly $1/12$. Of all 124,373,760 parameters it is 5.69\\%, which is why the controls "
           "take that total.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_N_PERCENT)
