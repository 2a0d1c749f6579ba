/* eliminate.h - Theorem 4.4 on a trained model: all W_Q become the identity, and the function is the same.  So do all
 * W_K, or all W_V, with Theta_i = W_K^i, W_V^i.
 *
 * The stream of block i is written in the basis Theta_i = W_Q^i, so that the block's input is its query:
 *     embeddings and positions times Theta_1;  W_K, W_V, W_fc times Theta_i^-1 from the left;
 *     W_O times Theta_i from the right, because its result joins the skip;  W_proj times Theta_(i+1), where the
 *     stream passes the MLP alone;  Theta_(L+1) = I before the head.
 * It is exact without norms, with skips around attention at most and with a head of its own.  The code is that of the
 * theorem's own program (src/claim/reduce.h). */
#ifndef TRAIN_ELIMINATE_H
#define TRAIN_ELIMINATE_H
#include "src/train/gpt.h"

/* NULL, or why the theorem does not apply to such models and this projection. */
const char *eliminate_hypotheses(const gpt_config *c, gpt_projection which);
/* What N is: *c with this projection, and no other, the identity. */
gpt_config eliminate_config(const gpt_config *c, gpt_projection which);
/* Writes into N what the construction makes of M, whether its hypotheses hold or not.  NULL, or what prevented it: a
 * singular W_Q (W_K, W_V), or more than 64 blocks.  Contract: M has that projection. */
const char *eliminate_projection(gpt *M, const gpt_config *c, gpt_projection which, gpt *N);
#endif
