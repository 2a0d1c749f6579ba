/* SPDX-License-Identifier: GPL-3.0-or-later
 * fixed.h - fixed-point numbers of a few 64-bit limbs, least significant first.  W is the number of limbs after the
 * point, 2^(-64 W) is called an ulp, and errors are in ulps.  Negative numbers are two's complement. */
#ifndef FIXED_H
#define FIXED_H
#include "numerics/flint_compat.h"

enum { FIXED_GUARD = 32, FIXED_LEAST = 2, FIXED_MOST = 9 };     /* 9 limbs: 512 bits and the guard */
_Static_assert(GMP_LIMB_BITS == 64 && FLINT_BITS == 64, "limbs have 64 bits");
__extension__ typedef unsigned __int128 fixed_double;

/* f(..., n) with n as a constant, so that its loops have no branches. */
#define FIXED_CALL(n, f, ...) \
    switch (n) { \
    case 1: f(__VA_ARGS__, 1); break; \
    case 2: f(__VA_ARGS__, 2); break; \
    case 3: f(__VA_ARGS__, 3); break; \
    case 4: f(__VA_ARGS__, 4); break; \
    case 5: f(__VA_ARGS__, 5); break; \
    case 6: f(__VA_ARGS__, 6); break; \
    case 7: f(__VA_ARGS__, 7); break; \
    case 8: f(__VA_ARGS__, 8); break; \
    case 9: f(__VA_ARGS__, 9); break; \
    }

/* Limbs after the point for results of so many bits. */
static inline int fixed_limbs(long bits)
{
    const int limbs = (int)((bits + FIXED_GUARD + 63) / 64);
    return limbs < FIXED_LEAST ? FIXED_LEAST : limbs;
}

/* Three limbs in which a column is summed up. */
typedef struct { mp_limb_t low, middle, high; } fixed_column;

/* FIXED_PORTABLE: without assembly, for the test of it. */
static inline __attribute__((always_inline)) void fixed_add(fixed_column *s, mp_limb_t low, mp_limb_t high)
{
#if defined(__x86_64__) && !defined(FIXED_PORTABLE)
    __asm__("addq %3, %0\n\tadcq %4, %1\n\tadcq $0, %2"
            : "+&r"(s->low), "+&r"(s->middle), "+r"(s->high) : "rm"(low), "rm"(high) : "cc");
#elif defined(__aarch64__) && !defined(FIXED_PORTABLE)
    __asm__("adds %0, %0, %3\n\tadcs %1, %1, %4\n\tadc %2, %2, xzr"
            : "+&r"(s->low), "+&r"(s->middle), "+r"(s->high) : "r"(low), "r"(high) : "cc");
#else
    const fixed_double a = (fixed_double)s->low + low, b = (fixed_double)s->middle + high + (mp_limb_t)(a >> 64);
    s->low = (mp_limb_t)a;
    s->middle = (mp_limb_t)b;
    s->high += (mp_limb_t)(b >> 64);
#endif
}

/* To the column of 2^64 times its worth. */
static inline __attribute__((always_inline)) void fixed_next(fixed_column *s)
{
    *s = (fixed_column){ s->middle, s->high, 0 };
}

/* z[n] = the upper half of a[n] b[n], plus c[n], plus d[n] unless that is NULL, modulo 2^(64 n); returns what is
 * beyond.  z is none of them.  Before the modulus it is less than n too small and never too large: columns below n-1
 * are left out,
 *   sum_{i+j <= n-2} a_i b_j B^(i+j) < (n-1) B^n,  B = 2^64,
 * and column n-1, which ends below B^n, is cut off after its carries are taken. */
static inline __attribute__((always_inline)) mp_limb_t
fixed_muladd(mp_limb_t *z, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *c, const mp_limb_t *d, const int n)
{
    fixed_column s = { 0, 0, 0 };
#pragma GCC unroll 9
    for (int i = 0; i < n; i++) {
        const fixed_double p = (fixed_double)a[i] * b[n - 1 - i];
        fixed_add(&s, (mp_limb_t)p, (mp_limb_t)(p >> 64));
    }
#pragma GCC unroll 9
    for (int k = 0; k < n; k++) {                       /* column n + k */
        fixed_next(&s);
        fixed_add(&s, c[k], 0);
        if (d) fixed_add(&s, d[k], 0);
#pragma GCC unroll 9
        for (int i = k + 1; i < n; i++) {
            const fixed_double p = (fixed_double)a[i] * b[n + k - i];
            fixed_add(&s, (mp_limb_t)p, (mp_limb_t)(p >> 64));
        }
        z[k] = s.low;
    }
    return s.middle;
}

/* z[W + 1] = |x| cut off after W limbs: less than an ulp too small.  x is finite, not 0, and |x| < 2^63. */
void fixed_from_arf(mp_limb_t *z, const arf_t x, int W);
/* z[n] = x modulo 2^(limb_bits n), in limbs of so many bits. */
void fixed_from_fmpz(mp_limb_t *z, const fmpz_t x, int limb_bits, int n);
#endif
