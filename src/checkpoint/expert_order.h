/* SPDX-License-Identifier: GPL-3.0-or-later
 * expert_order.h - A with its experts in the order of those of B whose rows of the router are nearest.
 *
 * For every order pi, the router with rows pi(e) and the experts pi(e) are the same function, wherever no two entries
 * of the router are equal at the border of those chosen: the sum over the chosen has no order.  So nothing rests on the
 * order being right: how far B is from A in that order is measured afterwards, number by number.
 *
 * Near are rows behind the same norm, with its gain multiplied in, less the mean of all rows, which the softmax does
 * not see.  Rows that are as near to two of A's have no order here.
 */
#ifndef CHECKPOINT_EXPERT_ORDER_H
#define CHECKPOINT_EXPERT_ORDER_H
#include "src/checkpoint/expansion.h"

/* A in the order of B.  false: it is in it already, or there is none; then nothing is to free.
 * Contract: equal sizes; forward_refuses() is silent for both. */
bool expert_order(const transformer *A, const transformer *B, contracted *to);
#endif
