/* SPDX-License-Identifier: GPL-3.0-or-later
 * prime_multiple.c - (2^61 - 1) x = 0, over one field alone.
 * Caught by primes that are drawn: FAILED */
#include "tests/false/prime_multiple.h"

static void mersenne(trial *t) { multiple(t, ((int64_t)1 << 61) - 1, 1); }
FALSE_IDENTITY("F-PRIME", "(2^61 - 1) x = 0", small,
               .run = mersenne, .statement = "$(2^{61} - 1) x = 0$", .no_minimal = true,
               PRIME_FIELD_ONLY("only primes are large enough"), SEVEN)
