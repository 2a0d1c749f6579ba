/* SPDX-License-Identifier: GPL-3.0-or-later
 * thousand.c - the first 1000 tokens are all tokens.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/rows.h"
static void many(trial *t) { first_rows(t, t->sh.n, 1000); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-ZZ-1000", "the first 1000 tokens are all tokens", small, .run = many,
               .statement = "the first 1000 tokens are all tokens", BROKEN_BY("one", one, "one row"))
