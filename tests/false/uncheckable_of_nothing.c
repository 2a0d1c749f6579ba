/* SPDX-License-Identifier: GPL-3.0-or-later
 * uncheckable_of_nothing.c - a true sentence is called uncheckable by a fact beside it: 1 < 2.
 * Caught by the rule that a witness is of something drawn or given: of literals alone */
#include "tests/false/nothing.h"

FALSE_PART("F-UNCHECKABLE", "a true sentence is called uncheckable by a fact beside it", small, PART_UNCHECKABLE,
           .run = less, OF_TRANSPOSES, BY_LITERALS)
