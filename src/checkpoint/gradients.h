/* gradients.h - do the gradients of A and of its image B correspond, as the chain rule says?
 *
 * The image is W_V~ = W_V H, W_O~ = H^-1 W_O, W_K~ = W_K G, W_Q~ = W_Q G^-T, and a loss L of the logits is the same
 * function of both.  A direction E~ of B's weights is E = E~ H^-1, H E~, E~ G^-1, E~ G' of A's, so that
 *     <dL/dW~, E~> = <dL/dW, E>,   that is   dL/dW_V~ = dL/dW_V H^-T, and so on.
 * Both sides are computed, for L = sum of +- logits with drawn signs (every loss of the logits follows) and a drawn E~
 * in all layers at once, as central differences in balls with a step of 2^-60. */
#ifndef CHECKPOINT_GRADIENTS_H
#define CHECKPOINT_GRADIENTS_H
#include "src/checkpoint/gauge_found.h"

enum { GRADIENT_ROLES = 4 };
typedef struct {
    tensor_role role;                    /* W_Q, W_K, W_V, W_O                                          */
    double of_a, of_b;                   /* the derivative in A along E, in B along E~                  */
    double tolerance;                    /* what rounding the files' numbers explains: as in compare.h  */
} gradient_gap;

/* Returns how many of the four there are.  g: found.  alike: the numbers are the same. */
long gradients_between(const transformer *A, const transformer *B, const gauge_found *g, bool alike, long bits,
                       const token_list *t, uint64_t seed, gradient_gap to[GRADIENT_ROLES]);
#endif
