/* SPDX-License-Identifier: GPL-3.0-or-later
 * two_claims.c - a program registers a second claim, under the name of another program.
 * Caught by the registry: registers more than one claim */
#include "tests/false/false.h"
static const part OTHER_PART[] = { { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$AB = BA$", PRODUCT_FOR_SUM } };
static const claim OTHER = { .id = "K-T4.4", .title = "AB = BA", .where = "", .shapes = small, .nshapes = COUNT(small),
                             .parts = OTHER_PART, .nparts = 1 };
static void __attribute__((constructor)) second(void) { claim_register(&OTHER, "theorems/k_t4_4.c"); }
FALSE_IDENTITY("F-TWO", "AB = BA", small, .run = sums, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
