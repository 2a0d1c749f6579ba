/* SPDX-License-Identifier: GPL-3.0-or-later
 * nearest_order.h - A with its heads and neurons in the order of those of B that they are nearest to.
 *
 * For every order pi, up, gate and their biases with columns pi(j) and down with rows pi(j) are the same function, and
 * so are key heads with their query heads, W_K, W_V and their biases by columns, W_O by rows.  So nothing rests on the
 * order being right: how far B is from A in that order is measured afterwards, number by number.
 *
 * Near are columns behind the same norm that are parallel: with the norm's gain multiplied in, and behind LayerNorms
 * less their mean, which these subtract; a neuron by its gate, up and down, a head by its coordinates of keys and
 * values, then of queries.  Scalings of neurons and of coordinates, folded gains and roundings change none of that. */
#ifndef CHECKPOINT_NEAREST_ORDER_H
#define CHECKPOINT_NEAREST_ORDER_H
#include "src/checkpoint/expansion.h"

/* A in the order of B.  false: it is in it already, or there is none; then nothing is to free.
 * Contract: equal sizes; forward_refuses() is silent for both. */
bool nearest_order(const transformer *A, const transformer *B, contracted *to);
#endif
