/* SPDX-License-Identifier: GPL-3.0-or-later
 * full_d_one_head.c - W_Q D and W_K D^-T with a full D, claimed for any number of heads; the shapes have one
 * head, where block-diagonal and full are the same.
 * Caught by a number of heads: h = 1 (with h = 2 */
#include "tests/false/full_d.h"

FALSE_IDENTITY("F-FULL-D", "W_Q D and W_K D^-T with a full D", one_head, FULL_D)
