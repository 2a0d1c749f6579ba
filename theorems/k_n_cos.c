/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_n_cos.c - K-N-cos, cosine 0.999, 2.5 degrees, distance 0.002.
 *
 * A cosine of 0.999 is a distance of 0.001 and an angle of 2.56 degrees. 0.9985 alone rounds to a cosine of 0.999
 * and to a distance of 0.002; otherwise text and caption speak of different targets or of different means. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated-gap", .kind = PART_GAP, RECOUNT_SLIPS,
      .quantity = "mean cosine", .shown_by = "angle of cosine 0.999, in degrees",
      .statement = "$2.5^\\circ$, a mean cosine of 0.9990, and a distance of 0.002, a cosine of at most 0.9985, are "
                   "not figures of one mean; both are printed of one experiment" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_SUPPORTS,
      .statement = "0.999 is $2.56^\\circ$; a distance of 0.002 is a cosine of 0.998, $3.62^\\circ$" },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 5.1", "the trained MLP achieves mean cosine similarities around between predicted and "
      "target outputs, while the linear baseline achieves ." },
    { TEXT_003, "Appendix D", "Mean cosine similarity reaches 0.999 ($\\approx 2.5^\\circ$ angular error)." },
    { TEXT_003, "Figure 2", "The MLP maintains a distance of approximately 0.002 across all dimensions, while "
      "the linear baseline remains above 0.009, indicating superior directional alignment." },
    { TEXT_000, "Section 8.4", "Mean cosine similarity reaches 0.999 ( angular error)." },
};
static const claim K_N_COS = {
    .id = "K-N-cos", .title = "cosine 0.999, 2.5 degrees, distance 0.002",
    .where = "001 Section 5.1; 003 Appendix D; 000 Section 8.4",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "A distance of 0.002 is a cosine of 0.998, $3.62^\\circ$, or with rounding one of 0.9975 to 0.9985, and "
           "$2.5^\\circ$ is a cosine of 0.9990: as figures of one mean they clash.  $\\arccos 0.999=2.563^\\circ$, "
           "and 0.9985 alone would round to both, 0.999 and a distance of 0.002.  Only if $2.5^\\circ$ is a mean of "
           "angles, which may be smaller than the angle of the mean cosine ($\\arccos$ is concave on $[0,1]$), can "
           "all three be of one experiment. The 0.999 belongs to the target of 001, which has another linear part "
           "(see K-AppD).",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_N_COS)
