/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_n_chinchilla.c - K-N-chinchilla, 29.5B tokens are not Chinchilla-optimal for 124M parameters.
 *
 * By the rule of 20 tokens per parameter 124.4M parameters ask for 2.49B tokens; 29.5B are 11.9 times as many.
 * Section 6 of the same text says itself that it trains beyond the optimum. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated-slips", .kind = PART_SLIP, RECOUNT_SLIPS,
      .quantity = "29.5B tokens", .shown_by = "Chinchilla-optimal tokens at 20 per parameter",
      .statement = "29.5B tokens are not the 20 per parameter that are Chinchilla-optimal for 124M parameters" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "29.49B tokens are 11.9 times the 20 tokens per parameter, and 17.4 times those per "
                   "non-embedding parameter" },
};
static const quotation quotes[] = {
    { TEXT_000, "Section 1.1", "comparing against parameter-matched baselines on fully converged training runs "
      "(29.5B tokens, Chinchilla-optimal)" },
    { TEXT_000, "Section 5.1", "490k tokens per gradient step (29.5B tokens total, approximately "
      "Chinchilla-optimal [hoffmann2022training] for models of this size)" },
};
static const quotation standing[] = {
    { TEXT_000, "Section 6", "training approximately beyond Chinchilla-optimal token count" },
};
static const claim K_N_CHINCHILLA = {
    .id = "K-N-chinchilla", .title = "29.5B tokens are not Chinchilla-optimal for 124M parameters",
    .where = "000 Sections 1.1, 5.1 and 6; 001 and 003 do not have it",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "20 tokens per parameter, Hoffmann et al. 2022",
    .why = "Hoffmann et al. find about 20 tokens per parameter: $20\\cdot 124{,}373{,}760=2.49\\cdot 10^9$. "
           "$29.4912/2.4875=11.86$. The limitations of the same version say ``beyond Chinchilla-optimal token "
           "count'', by a factor that our copy lost, and so correct it; nothing depends on it, and 003 does not have "
           "the claim.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_N_CHINCHILLA)
