/* SPDX-License-Identifier: GPL-3.0-or-later
 * lanes.h - vectors of 64 bytes, whatever the CPU's are, and the last numbers of a row as a vector.
 * Vectors are handed on by address: without AVX-512 there is no register to return one in. */
#ifndef CPU_LANES_H
#define CPU_LANES_H
#include "src/train/cpu/real.h"

#define INSIDE __attribute__((always_inline)) static inline

enum { LANES = 64 / sizeof(real) };      /* numbers of a vector: one of AVX-512, two of AVX2 */
typedef real lanes __attribute__((vector_size(64), aligned(sizeof(real)), may_alias));
#ifdef REAL_IS_DOUBLE
typedef int64_t lane_int;                /* as wide as a number */
#else
typedef int32_t lane_int;
#endif

/* The first n numbers of a vector, in powers of two: each copy is one instruction. */
INSIDE void copy_part(real *to, const real *from, long n)
{
    if (n == LANES)         { memcpy(to, from, LANES * sizeof *to); return; }
    if (LANES > 8 && n & 8) { memcpy(to, from, 8 * sizeof *to); to += 8; from += 8; }
    if (n & 4)              { memcpy(to, from, 4 * sizeof *to); to += 4; from += 4; }
    if (n & 2)              { memcpy(to, from, 2 * sizeof *to); to += 2; from += 2; }
    if (n & 1)              *to = *from;
}

INSIDE void store_part(real *y, const lanes *x, long n)
{
    real part[LANES];
    *(lanes *)part = *x;
    copy_part(y, part, n);
}

typedef real half_lanes    __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));
typedef real quarter_lanes __attribute__((vector_size(16), aligned(sizeof(real)), may_alias));

/* The sum of a vector's numbers, which it overwrites, always in the same order: halves onto halves. */
INSIDE real sum_of_lanes(real *part)
{
    *(half_lanes *)part += *(const half_lanes *)(part + LANES / 2);
    *(quarter_lanes *)part += *(const quarter_lanes *)(part + LANES / 4);
    return sizeof(real) == 8 ? part[0] + part[1] : (part[0] + part[2]) + (part[1] + part[3]);
}
#endif
