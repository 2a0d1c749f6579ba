/* SPDX-License-Identifier: GPL-3.0-or-later
 * float_mode.h - the processor's rounding mode and what it does with subnormal numbers.
 *
 * Both are settings of a thread, and any library may change them while it is loaded: one linked with -ffast-math
 * flushes subnormal numbers to zero.  FLINT, Arb and MPFR assume that doubles are rounded to nearest, and the
 * error bounds here that no product of nonzero doubles becomes zero.  Where that fails, an interval may miss the true
 * value. */
#ifndef FLOAT_MODE_H
#define FLOAT_MODE_H

/* NULL where numbers are rounded to nearest, ties to even, and subnormal numbers are kept; else what is wrong, "the
 * processor rounds upwards". */
const char *float_mode_wrong(void);
/* Dies where float_mode_wrong says something.  base_init calls it; so does what is about to enclose numbers. */
void float_mode_require(void);
#endif
