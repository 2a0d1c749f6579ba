/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_elsewhere.c - the control breaks a check that the claim never makes.
 * Caught by the names of the checks: is none of the claim's checks */
#include "tests/false/false.h"

static void product(trial *t) { claim_product(t, "product"); }
FALSE_IDENTITY("F-ELSEWHERE", "the control breaks a check that the claim never makes", small,
               .run = sums, .statement = "$A + B = B + A$",
               BROKEN_BY("swapped", product, "the factors change places"))
