/* SPDX-License-Identifier: GPL-3.0-or-later
 * slip_of_nothing.c - a true sentence is called a misprint by a fact beside it: 1 < 2.
 * Caught by the rule that a witness is of something drawn or given: of literals alone */
#include "tests/false/nothing.h"

FALSE_PART("F-SLIP", "a true sentence is called a misprint by a fact beside it", small, PART_SLIP,
           .run = less, OF_TRANSPOSES, BY_LITERALS)
