/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_deg.h - the error bound of a run over fp, from the same run over deg: see arith_deg.c. */
#ifndef ARITH_DEG_H
#define ARITH_DEG_H
#include "numerics/arith.h"

/* Gathered since the arith was opened, over all polynomials whose vanishing could make a run over fp accept what does
 * not hold formally. */
typedef struct {
    double polynomials;                  /* how many can vanish somewhere                        */
    double degrees;                      /* sum of their degrees                                 */
    double heights, highest;             /* sum and maximum of log2 of a bound on their coefficients */
} degree_bound;
degree_bound arith_deg_bound(const arith *R);
/* Does A depend on values of opaque functions, or on the stand-ins for rotations? */
bool arith_deg_opaque(const mat *A);

/* A set of at least `count` primes, none below `least`. */
typedef struct { double least, count; } prime_range;
#define PRIMES_61 ((prime_range){ 0x1p60, 0x1p54 })      /* those of 61 bits: [2^60, 2^61)       */
/* log2 of the error of one run at a prime drawn uniformly from that set; not cut off at 0. */
double degree_bound_log2(degree_bound b, prime_range from);
/* The same at a prime p that somebody chose: no more than 0 where a coefficient could be a multiple of it. */
double degree_bound_log2_at(degree_bound b, double p);
#endif
