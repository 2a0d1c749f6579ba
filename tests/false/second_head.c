/* SPDX-License-Identifier: GPL-3.0-or-later
 * second_head.c - W_V of every head but the first is doubled, and the same attention is claimed for any number
 * of heads; the shapes have one head.
 * Caught by a number of heads: h = 1 (with h = 2 */
#include "tests/false/second_head.h"

FALSE_IDENTITY("F-HEAD-2", "W_V of every head but the first is doubled", one_head, SECOND_HEAD)
