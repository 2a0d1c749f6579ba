/* SPDX-License-Identifier: GPL-3.0-or-later
 * n_64.c - false where n is a multiple of 64.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/rows.h"
static void most(trial *t) { first_rows(t, t->sh.n, t->sh.n % 64 ? t->sh.n : t->sh.n - 1); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-ZZ-64", "n - 1 tokens are all where 64 divides n", small, .run = most,
               .statement = "the first $n$ tokens are all, and the first $n - 1$ where $64 \\mid n$", BROKEN_BY("one", one, "one row"))
