/* SPDX-License-Identifier: GPL-3.0-or-later
 * informal_of_nothing.c - a true sentence is called informal by a fact beside it: 1 < 2.
 * Caught by the rule that a witness is of something drawn or given: of literals alone */
#include "tests/false/nothing.h"

FALSE_PART("F-INFORMAL", "a true sentence is called informal by a fact beside it", small, PART_INFORMAL,
           .run = less, OF_TRANSPOSES, BY_LITERALS)
