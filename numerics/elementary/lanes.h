/* SPDX-License-Identifier: GPL-3.0-or-later
 * lanes.h - eight fixed-point numbers side by side, for processors that multiply limbs of 52 bits (AVX-512 IFMA).
 *
 * As in fixed.h, but an ulp is 2^(-52 V), V limbs of 52 bits after the point; x[k][i] is limb k of number i.  What goes
 * in and comes out is in limbs of 64 bits. */
#ifndef LANES_H
#define LANES_H
#include <stdbool.h>
#include "numerics/elementary/fixed.h"

enum { LANES = 8, LANES_BITS = 52, LANES_LEAST = 2, LANES_MOST = 11 };      /* 11 limbs: 512 bits and the guard */
typedef mp_limb_t lanes[LANES] __attribute__((aligned(64)));

/* As FIXED_CALL. */
#define LANES_CALL(n, f, ...) \
    switch (n) { \
    case 10: f(__VA_ARGS__, 10); break; \
    case 11: f(__VA_ARGS__, 11); break; \
    default: FIXED_CALL(n, f, __VA_ARGS__) \
    }

bool lanes_available(void);             /* may the functions below be called on this processor? */

static inline int lanes_limbs(long bits)
{
    const int limbs = (int)((bits + FIXED_GUARD + LANES_BITS - 1) / LANES_BITS);
    return limbs < LANES_LEAST ? LANES_LEAST : limbs;
}

static inline int lanes_fixed(int V) { return (LANES_BITS * V + 63) / 64; }

enum { LANES_EXP_STEP = 8, LANES_EXP_ENTRIES = 1 << LANES_EXP_STEP };
struct polynomial;
/* E 2^(-52 V) = exp r, E an integer of lanes_fixed(V) + 1 limbs of 64 bits, the fraction r in [0, log 2) of
 * lanes_fixed(V) limbs of 64 bits, cut off after 52 V bits.  As exp.c computes it: f = exp(2^-24 t) - 1, positive
 * coefficients, and the three tables a[3][256][V], in limbs of 52 bits. */
void lanes_exp(lanes *E, const lanes *r, const struct polynomial *f, const mp_limb_t *a);

/* The coefficients of a polynomial of limbs of 52 bits as lanes_values reads them: pair i at c[2 V i], the odd one
 * first, all V limbs of each, of which the lower level[i] hold it and its sums. */
enum { LANES_MOST_PAIRS = 60 };
typedef struct {
    int limbs, pairs;
    unsigned char level[LANES_MOST_PAIRS];
    mp_limb_t c[];
} lanes_coefficients;
lanes_coefficients *lanes_coefficients_new(const struct polynomial *f);     /* to be freed by the caller */
/* y 2^(-52 V) = f_i(u_i) >= 0 with the error of polynomial.c, another f of V limbs in each lane; u is a fraction and y
 * an integer, of lanes_fixed(V) limbs of 64 bits; u is cut off after 52 V bits. */
void lanes_values(lanes *y, const lanes *u, const lanes_coefficients *const f[LANES]);
#endif
