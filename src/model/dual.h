/* SPDX-License-Identifier: GPL-3.0-or-later
 * dual.h - first derivatives without differences: A + eps A', eps^2 = 0.
 *
 * A dual matrix is a value and its derivative along one direction of the weights.  The rules are those of
 * products, sums and blocks, and of two functions that say their own derivative:
 *   tanh:      dY = (1 - Y o Y) o dA
 *   softmax:   dP_ij = c P_ij (dA_ij - sum_k P_ik dA_ik)     on the visible entries, c the factor of the scores
 *   linear:    dP_ij = c dA_ij                               on the visible entries
 * Nothing is approximated: over balls the derivative is certified, over Q it is exact.                        */
#ifndef DUAL_H
#define DUAL_H
#include "src/model/model.h"

typedef struct { const mat *v, *d; } dual;               /* d may be NULL: a constant                   */

/* The logits of M and their derivative along `along`, a model of which every weight is a direction of the
 * same shape, or NULL.  M: no norm, tanh (or identity), no biases, gates, experts, RoPE or QK-norm,
 * untied; attention softmax or linear, with a factor that is a square. */
dual dual_derivative(scope *s, const model *M, const model *along);
/* A model without weights, for `along`. */
model dual_no_direction(const model *M);

typedef enum { QUERY, KEY, VALUE, OUTPUT, UP, DOWN, EMBED, PLACES, HEAD, WEIGHTS } weight_kind;
const mat **dual_weight(model *M, long i, weight_kind which);      /* of layer i; the last three are M's   */
bool dual_weight_writes(weight_kind which);                           /* to the stream; the others read it    */
/* Gradient of |F - Y|^2 / 2, F the logits of M, with respect to that weight, entry by entry. */
const mat *dual_gradient(scope *s, model *M, long i, weight_kind which, const mat *Y);
#endif
