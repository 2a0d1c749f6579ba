/* SPDX-License-Identifier: GPL-3.0-or-later
 * gap_of_nothing.c - a true sentence is said to lack a hypothesis by a fact beside it: 1 < 2.
 * Caught by the rule that a witness is of something drawn or given: of literals alone */
#include "tests/false/nothing.h"

FALSE_PART("F-GAP", "a true sentence is said to lack a hypothesis by a fact beside it", small, PART_GAP,
           .run = less, OF_TRANSPOSES, BY_LITERALS)
