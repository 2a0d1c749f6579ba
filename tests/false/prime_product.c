/* SPDX-License-Identifier: GPL-3.0-or-later
 * prime_product.c - (2^61 - 1)(2^61 - 31) x = 0, over two fields alone.
 * Caught by primes that are drawn: FAILED */
#include "tests/false/prime_multiple.h"

static void both(trial *t) { multiple(t, ((int64_t)1 << 61) - 1, ((int64_t)1 << 61) - 31); }
FALSE_IDENTITY("F-PRIMES", "(2^61 - 1)(2^61 - 31) x = 0", small,
               .run = both, .statement = "$(2^{61} - 1)(2^{61} - 31) x = 0$", .no_minimal = true,
               PRIME_FIELD_ONLY("only primes are large enough"), SEVEN)
