/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_of_nothing.c - a true sentence is refuted by a fact beside it: 1 < 2.
 * Caught by the rule that a witness is of something drawn or given: of literals alone */
#include "tests/false/nothing.h"

FALSE_COUNTEREXAMPLE("F-NOTHING", "a true sentence is refuted by a fact beside it", small, .run = less, OF_TRANSPOSES,
                     BY_LITERALS)
