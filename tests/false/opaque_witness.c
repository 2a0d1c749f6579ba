/* SPDX-License-Identifier: GPL-3.0-or-later
 * opaque_witness.c - a true sentence is refuted by a formal function in GELU's place.
 * Caught by the rule that fp shows no witness: excludes every arithmetic */
#include "tests/false/odd_part.h"

FALSE_COUNTEREXAMPLE("F-OPAQUE", "a true sentence is refuted by a formal function in GELU's place", small,
                     .run = odd_part, .statement = "$\\mathrm{GELU}(x) - \\mathrm{GELU}(-x) = x$",
                     ABOUT_QUANTITY("\\mathrm{GELU}(x)", "GELU(x) - GELU(-x) and x"),
                     .no_minimal = true, PRIME_FIELD_ONLY("the function is formal"))
