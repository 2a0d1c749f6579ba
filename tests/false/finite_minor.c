/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_minor.c - the rank of 0 is 3, because a minor is said to have been found.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/finite.h"

static void by_minor(trial *t) { claim_minor(t, ONE_FACT, true); }
FINITE("F-MINOR", "the rank of the zero matrix is 3", by_minor, OVER_Q)
