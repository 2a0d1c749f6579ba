/* SPDX-License-Identifier: GPL-3.0-or-later
 * opaque_identity.c - the same difference as an identity: GELU(x) - GELU(-x) is not x.
 * Caught by the runner, which counts no error of it: UNDECIDED */
#include "tests/false/odd_part.h"

FALSE_IDENTITY("F-OPAQUE-2", "GELU(x) - GELU(-x) is not x", small,
               .run = odd_part, .statement = "$\\mathrm{GELU}(x) - \\mathrm{GELU}(-x) \\ne x$",
               .no_minimal = true, PRIME_FIELD_ONLY("the function is formal"))
