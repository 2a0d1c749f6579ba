/* SPDX-License-Identifier: GPL-3.0-or-later
 * printed_number.h - a number as a paper prints it, and whether a value agrees with it. */
#ifndef PRINTED_NUMBER_H
#define PRINTED_NUMBER_H
#include <gmp.h>
#include "src/base/base.h"

/* A number as printed: "84.95M" is the number 84,950,000 in units of its last place, 10,000.  `~` before it:
 * zeros at its end are not significant.  A relation before it (< > <= >=) says that it is a bound.
 * Units: k M B %; thousands may be separated by commas. */
typedef struct { mpq_t value, step; char relation[3]; } printed_number;
const char *printed_parse(printed_number *out, const char *text) MUST_USE;     /* out is initialised by it */
void printed_clear(printed_number *p);
/* Does x round to it, or keep the bound? */
bool printed_agrees(const printed_number *p, const mpq_t x);
/* x in the printed number's own units, rounded to the nearest; a tie is the printed number's. */
void printed_round(mpz_t out, const printed_number *p, const mpq_t x);

/* Digits with at most one point, and commas between where they are allowed: their end, or NULL, for they are no number
 * of at most 40 digits.  *decimals: how many follow the point. */
const char *printed_digits(mpz_t digits, long *decimals, const char *p, bool commas) MUST_USE;
#endif
