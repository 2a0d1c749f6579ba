/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_by_draws.c - the same, declared as a statement about finitely many cases.
 * Caught by the draws: speaks of finitely many cases and draws */
#include "tests/false/whole_number.h"

FALSE_IDENTITY("F-FINITE", "32 x is a whole number, of finitely many x", sizes, ALL_X, .about = ABOUT_FINITE)
