/* SPDX-License-Identifier: GPL-3.0-or-later
 * hypothesis_of_nothing.c - the hypotheses of a true sentence are said to fail by a fact beside it: not 2 < 1.
 * Caught by the rule that a witness is of something drawn or given: of literals alone */
#include "tests/false/nothing.h"

FALSE_PART("F-HYPOTHESIS", "the hypotheses of a true sentence are said to fail", small, PART_HYPOTHESIS,
           .run = more, OF_TRANSPOSES, BY_LITERALS)
