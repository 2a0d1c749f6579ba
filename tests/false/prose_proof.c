/* SPDX-License-Identifier: GPL-3.0-or-later
 * prose_proof.c - the step from d = 3 to all d is named in the text of the basis.
 * Caught by the contract of a part: by_proof */
#include "tests/false/false.h"

FALSE_IDENTITY("F-PROSE", "the step from d = 3 to all d is named in the text of the basis", small,
               .run = sums, .statement = "$AB = BA$", .basis = "by proof: the rest follows by induction",
               PRODUCT_FOR_SUM)
