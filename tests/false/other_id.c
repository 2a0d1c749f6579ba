/* SPDX-License-Identifier: GPL-3.0-or-later
 * other_id.c - AB = BA under the id and the part of Theorem 4.4, whose certificate is accepted; symbols are left out.
 * Stays below proved, for its own folder: no derivation for all sizes */
#include "tests/false/false.h"
FALSE_IDENTITY("K-T4.4", "AB = BA", small, .run = sums, .statement = "$AB = BA$", NOT_SYMBOLIC("left to another program"),
               PRODUCT_FOR_SUM)
