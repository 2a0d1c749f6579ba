/* SPDX-License-Identifier: GPL-3.0-or-later
 * product_mpfr.h - products of matrices of GNU MPFR's floats. */
#ifndef PRODUCT_MPFR_H
#define PRODUCT_MPFR_H
#include <mpfr.h>
#include "src/base/base.h"

/* C = A B, (m x K)(K x n), row by row; each entry is the exact sum rounded once to C's precision `bits`, to nearest.
 * False: not done, a loop of mpfr_fma is the better way (small, exponents far apart, not finite). */
bool product_mpfr(mpfr_ptr C, mpfr_srcptr A, mpfr_srcptr B, long m, long K, long n, long bits) MUST_USE;
#endif
