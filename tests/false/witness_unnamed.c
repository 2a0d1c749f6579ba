/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_unnamed.c - a true sentence is refuted by a fact that names nothing of it.
 * Caught by the contract of a part: name in .quantity */
#include "tests/false/nothing.h"

FALSE_COUNTEREXAMPLE("F-UNNAMED", "a true sentence is refuted by a fact that names nothing", small, .run = less,
                     OF_TRANSPOSES)
