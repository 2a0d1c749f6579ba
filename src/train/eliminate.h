/* SPDX-License-Identifier: GPL-3.0-or-later
 * eliminate.h - the theorems that eliminate all W_Q, on a trained model: the function stays the same.  So do those for
 * all W_K, or all W_V.
 *
 * Theorem 4.4 (K-T4.4, N2), without norms, where no skip or only one kind of skip is left: the stream of block i is
 * written in the basis Theta_i = W_Q^i (W_K^i, W_V^i), so that the block's input is its query:
 *     embeddings and positions times Theta_1;  W_K, W_V, W_fc times the inverse of the basis they read from the left;
 *     W_O and W_proj times that of the place they write to from the right;  before the head I or, where the head is
 *     tied, Theta_1'^-1, so that it stays tied.
 * Proposition 4.1, one head, whatever norms and skips: the new W_K is W_K W_Q', the new W_Q is W_Q W_K', the new W_O is
 * W_V W_O.
 * The code is that of the theorems' own programs (src/claim/reduce.h). */
#ifndef TRAIN_ELIMINATE_H
#define TRAIN_ELIMINATE_H
#include "src/train/gpt.h"

/* NULL, or why no theorem applies to such models and this projection. */
const char *eliminate_hypotheses(const gpt_config *c, gpt_projection which);
/* What N is: *c with this projection, and no other, the identity. */
gpt_config eliminate_config(const gpt_config *c, gpt_projection which);
/* Writes into N what the construction makes of M, whether its hypotheses hold or not.  NULL, or what prevented it: a
 * singular W_Q (W_K, W_V), or more than 64 blocks.  Contract: M has that projection. */
const char *eliminate_projection(gpt *M, const gpt_config *c, gpt_projection which, gpt *N);
#endif
