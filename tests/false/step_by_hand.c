/* SPDX-License-Identifier: GPL-3.0-or-later
 * step_by_hand.c - A + B = B + A is shown, AB = BA is claimed to follow by a step that no program checks.
 * Stays below proved, for a step that no program checks: by proof, unchecked */
#include "tests/false/false.h"

FALSE_IDENTITY("F-BY-HAND", "A + B = B + A is shown", small,
               .run = sums, .statement = "$AB = BA$", .by_proof = "that products do as sums do",
               PRODUCT_FOR_SUM)
