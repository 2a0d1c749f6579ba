/* b_33.c - B-33, ratios of parameter counts.
 *
 * Of the ratios in the text those of MNIST are right but one; on CIFAR-10 an eighth is called a tenth, and 6.3 per
 * cent 5. The third of "the variant with collapsed matrices" is that of the unchanged model without MLP. */
#include "src/audit/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "MNIST: symmetric about 25\\%, minimum below 10\\%, 5\\% of 12 encoders, 90\\% saved" },
    { .name = "as-stated-slips", .kind = PART_COUNTEREXAMPLE, RECOUNT_SLIPS,
      .statement = "collapsed about 33\\%; on CIFAR-10 a tenth, below 10\\%, and 5\\% of 12 encoders" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "collapsed 25.3\\%; CIFAR-10 12.2\\% and 6.3\\%" },
};
static const claim B_33 = {
    .id = "B-33", .title = "ratios of parameter counts",
    .where = "002 6.1, 6.2, 7, abstract",
    .why = "From the printed counts: $70{,}570/279{,}106=25.3\\%$ for $W_{QK}$ without MLP (257,506 of it, 92\\%, "
           "with MLP), while $92{,}890/279{,}106=33.3\\%$ is nothing but the missing MLP. "
           "$35{,}230/287{,}686=12.2\\%$, since the patches of CIFAR-10 take 11,580 parameters of any variant; of "
           "the 563,242 with 12 encoders it is 6.25\\%.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-P",
};
THEOREM_PROGRAM(B_33)
