/* SPDX-License-Identifier: GPL-3.0-or-later
 * spread.h - how far tokens are apart, coordinate by coordinate, and how much averaging brings them together.
 *
 * Dobrushin: if rows of A >= 0 sum to 1, spread(A X) <= delta(A) spread(X) in each coordinate, for
 * (A X)_i - (A X)_k = sum_j (a_ij - a_kj) x_j, where the positive and the negative part of a_i - a_k both sum to at
 * most delta.  Exact over q; over arb where the balls can be told apart. */
#ifndef SPREAD_H
#define SPREAD_H
#include "src/methods/order/order.h"

const mat *spread_of(scope *s, const mat *X, long c);        /* max - min of column c of X; 1 x 1         */
const mat *spread_dobrushin(scope *s, const mat *A);         /* max over i, k of 1/2 sum_j |a_ij - a_kj|  */
#endif
