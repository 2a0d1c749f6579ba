/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_48.c - B-48, the smallest variant has the highest losses on MNIST.
 *
 * True of both losses, against each of the other nine variants of Table 2. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "Table 2 (MNIST, 6 encoders): the variant with one matrix for $W_QW_K^\\top$, without $W_V$, $W_O$ "
                   "and MLP has a higher training loss and a higher validation loss than each of the other nine" },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 6.1", "The minimum variant with query and key matrices $W^Q, W^K$ collapsed to $W^{QK} = W^Q "
      "W^{KT}$ and additionally omitted value and projection matrices show a higher loss than other variants." },
};
static const claim B_48 = {
    .id = "B-48", .title = "the smallest variant has the highest losses on MNIST", .where = "002 Section 6.1, Table 2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "Training loss 0.1697, the next is 0.0374; validation loss 0.1536, the next is 0.1023. That the reason is "
           "its small number of parameters is a guess of the text (``may be''). With the MLP kept, the same omission "
           "has a validation loss of 0.0951, below three of the variants without MLP.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_48)
