/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_33.c - B-33, ratios of parameter counts.
 *
 * Of the ratios in the text those of MNIST are right but one; on CIFAR-10 an eighth is called a tenth, and 6.3 per
 * cent 5. The third of "The variant with collapsed matrices" is that of the unchanged model without MLP. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "MNIST: symmetric about 25\\%, minimum below 10\\%, 5\\% of 12 encoders, 90\\% saved" },
    { .name = "as-stated-slips", .kind = PART_SLIP, RECOUNT_SLIPS,
      .quantity = "the minimum", .shown_by = "minimum variant of full, CIFAR-10: a tenth",
      .statement = "collapsed is not about 33\\%; on CIFAR-10 the minimum is not a tenth, not below 10\\%, "
                   "nor 5\\% of 12 encoders" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "MNIST, collapsed without MLP: 25.3\\% of the original; CIFAR-10, minimum: 12.2\\% of it, 6.3\\% "
                   "of that with 12 encoders" },
};
static const quotation quotes[] = {
    { TEXT_002, "abstract", "saving up to 90 % of parameters" },
    { TEXT_002, "Section 6.1", "The symmetric variant without MLP has only about 25 % of the parameter number "
      "of the original, full variant with MLP. The variant with collapsed matrices has about 33 % of the "
      "original parameters." },
    { TEXT_002, "Section 6.2", "whose parameter count is only a tenth of the original version with MLP" },
    { TEXT_002, "Section 7", "Both preceding reductions amount to a reduction to 25 % of the original attention "
      "module size." },
    { TEXT_002, "Section 7", "These minimum variants have less than 10% of parameters compared with the "
      "classical transformers, including MLP. Compared to the architecture with 12 encoders, it is as little as "
      "5%." },
};
static const claim B_33 = {
    .id = "B-33", .title = "ratios of parameter counts",
    .where = "002 abstract, Sections 6.1, 6.2 and 7",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "From the printed counts: $70{,}570/279{,}106=25.3\\%$ for $W_{QK}$ without MLP (257,506 of it, 92\\%, "
           "with MLP), while $92{,}890/279{,}106=33.3\\%$ is nothing but the missing MLP. "
           "$35{,}230/287{,}686=12.2\\%$, since the patches of CIFAR-10 take 11,580 parameters of any variant; of "
           "the 563,242 with 12 encoders it is 6.25\\%.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-P",
};
THEOREM_PROGRAM(B_33)
