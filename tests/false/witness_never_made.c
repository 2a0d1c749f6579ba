/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_never_made.c - the check that is said to speak of the sentence is never made.
 * Caught by the rule that the body makes the check: no check has the name */
#include "tests/false/nothing.h"

FALSE_COUNTEREXAMPLE("F-UNMADE", "the check that speaks of the sentence is never made", small, .run = less,
                     OF_TRANSPOSES, ABOUT_QUANTITY("(AB)'", "(AB)' and B'A'"))
