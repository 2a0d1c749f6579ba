/* SPDX-License-Identifier: GPL-3.0-or-later
 * gradients.h - do the gradients of A and of its image B correspond, as the chain rule says?
 *
 * Where B = f(A) and a loss L of the logits is the same function of both, for every direction E of A's weights
 *     <dL/dW, E> = <dL/dW~, Df E>,   that is   dL/dW = (Df)' dL/dW~.
 * f is what gauge_found.h found.  With the basis Theta of the residual stream, its shift c, and the gains G and G~ of
 * the norms (I: none), a direction E moves in B
 *     what reads      G~^-1 Theta^-1 G E,  and its bias by -c Theta^-1 G E
 *     what writes     E Theta                          (embedding, positions, W_O, down, their biases)
 *     a gain, diag(e) all matrices behind it:  G~^-1 Theta^-1 diag(e) W
 * and then, head by head, E_V H, H^-1 E_O, E_K G, E_Q G^-T, and the neurons in their order.  Of a tied head the
 * embedding moves both.
 *
 * Both sides are computed, for L = sum of +- logits with drawn signs (every loss of the logits follows) and a drawn E
 * in all layers at once, for each kind of tensor, as central differences in balls with a step of 2^-60. */
#ifndef CHECKPOINT_GRADIENTS_H
#define CHECKPOINT_GRADIENTS_H
#include "src/checkpoint/gauge_found.h"

enum { GRADIENT_ROLES = ROLES };
typedef struct {
    tensor_role role;                    /* the embedding, W_Q, ...                                     */
    double of_a, of_b;                   /* the derivative in A along E, in B along Df E                */
    double tolerance;                    /* what rounding the files' numbers explains: as in compare.h, of the root mean
                                            square of a few draws                                       */
} gradient_gap;

/* Returns how many kinds of tensors there are.  g: found.  alike: the numbers are the same. */
long gradients_between(const transformer *A, const transformer *B, const gauge_found *g, bool alike, long bits,
                       const token_list *t, uint64_t seed, gradient_gap to[GRADIENT_ROLES]);
#endif
