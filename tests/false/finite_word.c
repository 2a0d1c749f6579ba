/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_word.c - P = NP, because the body says so.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/finite.h"

static void by_word(trial *t) { claim_decided(t, ONE_FACT, true); }
FINITE("F-WORD", "P = NP", by_word, OVER_Q)
