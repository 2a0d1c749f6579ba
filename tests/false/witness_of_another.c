/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_of_another.c - a true sentence is refuted by a fact about what it does not speak of.
 * Caught by the contract of a part: its statement does not contain */
#include "tests/false/nothing.h"

FALSE_COUNTEREXAMPLE("F-ANOTHER", "a true sentence is refuted by a fact about another quantity", small, .run = less,
                     OF_TRANSPOSES, ABOUT_QUANTITY("W_Q", "1 < 2"))
