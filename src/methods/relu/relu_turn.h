/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_turn.h - ReLU networks in groups of neurons, some of which are turned over: what Theorem E.1, its corollary and
 * their relatives compare, at drawn points and in every arithmetic.
 *
 * Neurons turned over have -w for their row w of W1.  ReLU(y) - ReLU(-y) = y, so that turning J over changes the
 * network by -W2[:,J] W1[J,:] x.  Nothing else of ReLU is used: where an arithmetic has no order, the activation is any
 * phi with phi(y) - phi(-y) = y.                                                                              */
#ifndef RELU_TURN_H
#define RELU_TURN_H
#include "src/claim/check.h"

/* ReLU; over prime fields and symbols any phi with phi(y) - phi(-y) = y. */
activation relu_or_half_odd(const scope *s);

/* n drawn columns of height h and their negatives (h x 2n): no ReLU neuron is dead at all of them. */
const mat *relu_points(scope *s, long h, long n);

/* cols phi(rows X): rows (w x h), cols (out x w), X (h x n).  Neurons that are compared share the number `group`, and
 * with it their function.  Of ReLU over balls each sign must be certain; else the scope becomes UNDECIDED. */
const mat *relu_neurons(scope *s, const mat *cols, const mat *rows, const mat *X, activation act, int group);

/* Three groups of neurons, of which the first two are J: rows U (h x h), B (m x h), R (rest x h). */
typedef struct { const mat *rows[3], *cols[3]; } relu_groups;
/* Columns ((T - Y B) U^-1 | Y | Q): W2[:,J] W1[J,:] = T (h x h).  By permuting neurons every network is of this form
 * whose W1[J,:] has rank h, as it has for every invertible T; a column of Y or Q may be 0. */
relu_groups relu_groups_with(scope *s, long h, long m, long rest, const mat *T);
const mat *relu_rows_of(scope *s, const relu_groups *g);         /* W1 (h + m + rest x h), group below group */
const mat *relu_cols_of(scope *s, const relu_groups *g);         /* W2 (h x h + m + rest)                     */
relu_groups relu_turned(scope *s, const relu_groups *g);         /* J turned over                             */
/* sum_k cols[k] phi(rows[k] X) */
const mat *relu_groups_at(scope *s, const relu_groups *g, const mat *X, activation act);

/* Corollary E.2 fails at (W1, W2, Z): the conditions of E.1 hold, (-W1, W2, Z + W2 W1) is the same function, and W2 W1
 * is invertible.  Over q alone; the certificate of the equality is called `name`. */
void relu_corollary_fails(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z);
#endif
