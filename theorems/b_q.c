/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_q.c - B-Q, the printed ratios of overdetermination.
 *
 * All 35 printed Q are K M / P to two decimals, with the printed P where there is one: where P is a slip (B-P), so
 * is Q. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "$Q=KM/P$ to two decimals in all 35 rows, with $K=60{,}000$ or $50{,}000$, $M=10$ and $P$ as "
                   "printed, where none is printed (MNIST, 12 encoders) with the recounted $P$" },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (12)", "As a criterion for this, the overdetermination ratio of each benchmark candidate "
      "has been evaluated (Hrycej et al., 2023):" },
    { TEXT_002, "Eq. (12)", "with K being the number of training examples, M being the output vector length "
      "(usually equal to the number of classes), and P being the number of trainable model parameters." },
    { TEXT_002, "Table 1", "6-1 yes 2.15 0.0067 0.0747 99.78 98.38" },
};
static const claim B_Q = {
    .id = "B-Q", .title = "the printed ratios of overdetermination",
    .where = "002 Tables 1 to 3, Eq. (12)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "For example $600{,}000/279{,}106=2.1497$ and $500{,}000/198{,}100=2.524$. The last shows that 198,100 "
           "was in the calculation, not only in print: with 190,810 it would be 2.62. MNIST with 12 encoders has "
           "no printed $P$; the recount gives 1.08 and 3.29. The control takes the number of examples of the other "
           "data set.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-P",
};
THEOREM_PROGRAM(B_Q)
