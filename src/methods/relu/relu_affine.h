/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_affine.h - ReLU networks with biases over Q: canonical form, absorption of a skip, and the least width.
 *
 *     f(x) = W2 ReLU(W1 x + b1) + b2 + Z x,     W1 (m x in), W2 (out x m), Z (out x in), b1 (m x 1), b2 (out x 1)
 *
 * Canonical form.  Lift x to (x, 1): a neuron with w_j != 0 is ReLU(w^_j.(x,1)), w^_j = (w_j | b_j) = s_j (u |
 * beta), where (u | beta) names the hyperplane u.x + beta = 0; neurons with w_j = 0 are constants. So
 *     f(x) = sum_k c_k |u_k.x + beta_k| + L_0 x + d_0,     d_0 = b2 + 1/2 sum w2_j b_j + sum_{w_j = 0} w2_j ReLU(b_j),
 * is relu_form_of the lifted network, with [L_0 | d_0] for L. It is unique: a second difference across one
 * hyperplane, at a point of it that lies on no other, is 0 for every other term, so (u_k, beta_k, c_k != 0) are
 * determined; then L_0 and d_0 are.                                                                          */
#ifndef RELU_AFFINE_H
#define RELU_AFFINE_H
#include "src/methods/relu/relu.h"

typedef struct { relu_net net; fmpq_mat_t b1, b2; } relu_affine;
void relu_affine_init(relu_affine *f, long in, long m, long out);          /* zeros                       */
void relu_affine_clear(relu_affine *f);
/* From exact matrices (over q); NULL for Z, b1, b2 is zero.  Contract: the shapes above. */
relu_affine relu_affine_of(const mat *W1, const mat *W2, const mat *Z, const mat *b1, const mat *b2) MUST_USE;

relu_form relu_affine_form(const relu_affine *f) MUST_USE;      /* U kinks x (in+1), C, L out x (in+1)     */
bool relu_affine_same(const relu_affine *f, const relu_affine *g) MUST_USE;
/* No w_j = 0, no column of W2 is 0, hyperplanes pairwise different (parallel ones are allowed). */
bool relu_affine_regular(const relu_affine *f) MUST_USE;

/* Regular networks: is f(x) = V2 ReLU(V1 x + c1) + c2 at the same width?  HOLDS if and only if W2[:,J] W1[J,:] = -Z
 * for some J, in `chosen`; without an output bias (c2 = 0) also b2 + W2[:,J] b1[J] = 0.  Else `y` (out x in, row by
 * row; without an output bias out x (in+1)) is a certificate by linear algebra, if there is one.  Then subset_clear. */
subset relu_affine_J(const relu_affine *f, bool output_bias) MUST_USE;
/* D = I - 2 Pi_J: V1 = D W1, c1 = D b1, V2 = W2, c2 = b2 + W2[:,J] b1[J]; contract: J as above */
relu_affine relu_affine_turned(const relu_affine *f, const unsigned char *J) MUST_USE;

/* The least width of a network without skip that is f, by trying all choices (relu_affine_least.c); V becomes such a
 * network (of at least one neuron), verified.  Contract: at most RELU_AFFINE_KINKS kinks. */
enum { RELU_AFFINE_KINKS = 10 };
long relu_affine_least(const relu_affine *f, bool output_bias, relu_affine *V);

/* ---- networks for theorem programs (relu_affine_draw.c) ------------------------------------------------ */

typedef struct { const mat *W1, *W2, *Z, *b1, *b2; } relu_affine_weights;
/* Integers; redrawn until regular.  The first two of m >= 2 hyperplanes are parallel; all are, where h = 1. */
relu_affine_weights relu_affine_drawn(scope *s, long h, long m);
bool relu_affine_regular_weights(const relu_affine_weights *w);
const unsigned char *relu_drawn_J(scope *s, const char *name, long m);    /* m flags; neuron 1 is in J      */
#endif
