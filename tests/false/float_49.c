/* SPDX-License-Identifier: GPL-3.0-or-later
 * float_49.c - n (1/n) in doubles is less than 1 for n = 49, 98, 103, ...: there no token is taken.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/rows.h"
static void most(trial *t) { const long n = t->sh.n; first_rows(t, n, 1 + (n - 1) * (long)((double)n * (1.0 / (double)n))); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-ZZ-FLOAT", "1 + (n - 1) floor(n (1/n)) tokens in doubles", small, .run = most,
               .statement = "the first $1 + (n-1)\\lfloor n \\cdot \\mathrm{fl}(1/n)\\rfloor$ tokens are all tokens, in doubles, too", BROKEN_BY("one", one, "one row"))
