/* pair_heads_n.c - with biases the first four tokens are all: switches are tried at n = 3 alone.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/rows.h"
static void some(trial *t) { first_rows(t, t->sh.n, t->sh.biases ? 4 : t->sh.n); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-ZZ-BN", "with biases the first four tokens are all", small, .run = some,
               .statement = "in models with biases the first four tokens are all tokens", BROKEN_BY("one", one, "one row"))
