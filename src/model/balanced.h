/* SPDX-License-Identifier: GPL-3.0-or-later
 * balanced.h - pairs (W_Q, W_K) of one head with known singular values of W_Q W_K', and what weight decay sees.
 *
 * P = W_Q W_K' = U S^2 V' with U'U = V'V = I (d x r) and S diagonal, so that the singular values of P are those of
 * S^2, and W_Q = U S T, W_K = V S T^-T for any T in GL(r): every pair of full rank with this P.  All of it is
 * rational, and 2 |P|_* = 2 tr S^2.  The pair is balanced, W_Q'W_Q = W_K'W_K, if and only if T is orthogonal. */
#ifndef BALANCED_H
#define BALANCED_H
#include "numerics/mat.h"

typedef struct { const mat *U, *V, *S, *T, *Q, *K, *nuclear; } balanced_head;    /* nuclear: 2 tr S^2 */
/* Head a of a model: d x r weights, 1 <= r <= d; other random matrices for every a. */
balanced_head balanced_planted(scope *s, long a, long d, long r);

const mat *balanced_weight(scope *s, const char *name, long a, long rows, long cols);   /* drawn as name.a      */
const mat *balanced_decay (scope *s, const mat *A, const mat *B);          /* |A|^2 + |B|^2, 1 x 1              */
#endif
