/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_n_wd.c - K-N-wd, what the three versions say of weight decay.
 *
 * 2^-5 is 0.03, and 0.1 is 3.2 times that. But 001 and 003 call the smaller decay of the reduced model necessary,
 * and 000 trains it at the standard value and says that this suffices. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "$2^{-5}\\approx 0.03$ is over 3 times lower than 0.1" },
    { .name = "as-stated-gap", .kind = PART_INFORMAL, RECOUNT_SLIPS,
      .quantity = "decay", .shown_by = "weight decay of the reduced model in 003",
      .statement = "003's decay $2^{-5}$ is not the standard $0.1$ (so printed in 001); 000, whose figure is lost in "
                   "our text, says that the standard one suffices, at a higher learning rate" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "the standard decay 0.1 of 001 and 003 is 3.2 times that of 003's reduced model" },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 5.2.2", "The reduction to decay is thus not merely a hyperparameter adjustment but a "
      "necessary rebalancing to maintain effective model capacity." },
    { TEXT_003, "Section 5.1", "Two modifications are necessary for the reduced architecture" },
    { TEXT_003, "Section 5.1", "We reduce the weight decay coefficient from 0.1 to $2^{-5} \\approx 0.03$." },
    { TEXT_003, "abstract", "Training remains stable at over $3\\times$ lower weight decay, suggesting Query "
      "weight elimination provides implicit regularization." },
    { TEXT_000, "Section 5.1", "Standard weight decay () is used throughout." },
    { TEXT_000, "Section 5", "Standard weight decay suffices. All models use weight decay , the standard value. "
      "No special regularization adjustment is needed for the reduced architecture." },
    { TEXT_000, "Section 6", "however, weight decay and all other hyperparameters remain unchanged." },
    { TEXT_000, "Remark 6", "Notably, we test both a slightly larger hidden dimension in the MLP, as well as reduced "
      "weight decay compared to the original model." },
};
static const claim K_N_WD = {
    .id = "K-N-wd", .title = "what the three versions say of weight decay",
    .where = "001 Section 5.2.2; 003 abstract, Sections 1 and 5.1; 000 Sections 5, 5.1 and 6, Remark 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "The word ``necessary'' is said of the middle version's own setting, and no printed run tests it: the "
           "decay is one that was used.  003 lists ``We reduce the weight decay coefficient from 0.1 to $2^{-5} "
           "\\approx 0.03$'' under ``Two modifications are necessary'', 001 calls it ``a necessary rebalancing''; 000 "
           "says ``Standard weight decay suffices'' and uses it throughout, with a higher rate. $0.1\\cdot 2^5=3.2$.  "
           "Two sentences of 000 are left over from another version: Remark 6 still tests a ``reduced weight decay'', "
           "and Section 6 leaves ``all other hyperparameters'' as they were, while Section 5.1 changes the factor of "
           "the scores and the least rate, too.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_N_WD)
