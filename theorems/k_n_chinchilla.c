/* k_n_chinchilla.c - K-N-chinchilla, 29.5B tokens are not Chinchilla-optimal for 124M parameters.
 *
 * By the rule of 20 tokens per parameter 124.4M parameters ask for 2.49B tokens; 29.5B are 11.9 times as many.
 * Section 6 of the same text says itself that it trains beyond the optimum. */
#include "src/audit/recount.h"

static const part parts[] = {
    { .name = "as-stated-slips", .kind = PART_COUNTEREXAMPLE, RECOUNT_SLIPS,
      .statement = "29.5B tokens are (approximately) Chinchilla-optimal for 124M parameters" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "29.49B tokens are 11.9 times the 20 tokens per parameter, and 17.4 times those per "
                   "non-embedding parameter" },
};
static const claim K_N_CHINCHILLA = {
    .id = "K-N-chinchilla", .title = "29.5B tokens are not Chinchilla-optimal for 124M parameters",
    .where = "000 1 (contributions) and 5.1",
    .hypotheses = "20 tokens per parameter, Hoffmann et al. 2022",
    .why = "Hoffmann et al. find about 20 tokens per parameter: $20\\cdot 124{,}373{,}760=2.49\\cdot 10^9$. "
           "$29.4912/2.4875=11.86$. The limitations of the same version say ``training approximately [a factor, "
           "lost in our text] beyond Chinchilla-optimal token count'', so it contradicts itself; 003 dropped the "
           "claim.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_N_CHINCHILLA)
