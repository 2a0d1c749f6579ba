/* SPDX-License-Identifier: GPL-3.0-or-later
 * fused_order.h - in which order, and along which side, the parts of a fused tensor lie in it.  Names do not say that:
 * some architectures take gate and up by turns, or queries, keys and values head by head.  Equal numbers in one order
 * prove something only where the architecture is known to read them so. */
#ifndef CHECKPOINT_FUSED_ORDER_H
#define CHECKPOINT_FUSED_ORDER_H
#include "src/checkpoint/fused.h"
#include "src/checkpoint/numbers_apart.h"

const char *fused_type(const weights *w);                /* its model_type, or GGUF's architecture; NULL: not said */
/* Does that architecture read the parts one behind the other, in the order of fused_tensor? */
bool fused_order_known(const fused_tensor *f, const weights *of_whole);
/* How far apart the numbers are in the nearest of all orders: both sorted, expert by expert.  whole_is_b: as B's. */
numbers_apart fused_in_any_order(const fused_tensor *f, bool whole_is_b);
#endif
