/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_13.c - B-13, slightly more than 25 per cent.
 *
 * (S + 1) N^2 of 4 S N^2 is 25 per cent and 25/S more: 27 to 29 per cent for the 12 and 6 encoders of the paper, a
 * half for one. "only slightly more" needs many encoders. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated-gap", .kind = PART_GAP, RECOUNT_SLIPS,
      .quantity = "(S+1)N^2", .shown_by = "(S+1)N^2 of 4SN^2, S = 1",
      .statement = "$(S+1)N^2$ of $4SN^2$ does not round to 25\\% for $S=1,2,6,12$" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "it is $25\\%+25\\%/S$: 50.0, 37.5, 29.2, 27.1\\% for $S=1,2,6,12$" },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "The total number of parameters with *S* matrices $W_s^{QK}$ and a single matrix "
      "$W^{VO}$ is $(S + 1)N^2$ , only slightly more than 25 % of the original size without MLP." },
};
static const claim B_13 = {
    .id = "B-13", .title = "slightly more than 25 per cent",
    .where = "002 Section 3",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "large $S$",
    .why = "$(S+1)/(4S)=1/4+1/(4S)$. With the paper's 6 encoders it is 29.2\\%, with 12 it is 27.1\\%, which one may "
           "call slightly more; with 1 and 2 encoders it is 50\\% and 37.5\\%, and it prints as 25\\% from $S=51$ on. "
           "B-12 says which parts can be removed this way.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-12",
};
THEOREM_PROGRAM(B_13)
