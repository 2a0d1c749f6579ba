/* SPDX-License-Identifier: GPL-3.0-or-later
 * dyadic.c - 32 x is a whole number: true of what is drawn, which are whole numbers over 32.
 * Stays below proved, for instances alone: no derivation for all sizes */
#include "tests/false/whole_number.h"

FALSE_IDENTITY("F-DYADIC", "32 x is a whole number", sizes, ALL_X)
