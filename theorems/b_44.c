/* b_44.c - B-44, computing time in proportion to parameters.
 *
 * Counted in products per token the savings follow the parameters only roughly: 35 per cent of the work for 33 of
 * the parameters, 28 for 25, 13 for 10; products between tokens have no parameters. Time itself is a matter of
 * measurement. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated-gap", .kind = PART_GAP, RECOUNT_SLIPS,
      .statement = "products per token (no times are printed) do not fall to the shares of the parameters, 33.3, 25.0 "
                   "and 9.5\\%" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "products per token fall to 35.4, 27.8, 12.6\\% where parameters fall to 33.3, 25.0, 9.5\\%" },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 7", "The savings in computing time have been proportional to the savings in parameter "
      "numbers." },
};
static const claim B_44 = {
    .id = "B-44", .title = "computing time in proportion to parameters",
    .where = "002 Section 7",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "operations, not time; identities are not multiplied with",
    .why = "A token of a full encoder takes $4N^2+2\\cdot 256N$ products with weights and $2TN$ with the 16 "
           "tokens: $6(14{,}400+30{,}720+1{,}920)+2{,}940=285{,}180$; without MLP 100,860, symmetric or collapsed "
           "79,260 (the product $XW_Q$ is made once), minimum 36,060. That is if products with identity matrices "
           "are left out. Wall time at this size is that of starting operations, so the sentence is about "
           "arithmetic at most.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_44)
