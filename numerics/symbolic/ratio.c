/* SPDX-License-Identifier: GPL-3.0-or-later
 * ratio.c - rational coefficients in lowest terms, den > 0, |num| <= INT64_MAX; false: the result does not fit. */
#include "numerics/symbolic/sym.h"

const ratio ratio_one = { 1, 1 }, ratio_minus_one = { -1, 1 };

static bool ratio_reduced(ratio *c, __int128 num, __int128 den)
{
    if (den == 0) return false;
    __int128 a = num < 0 ? -num : num, b = den;
    while (b) {                                            /* Euclid: a = gcd(|num|, den) at the end */
        __int128 r = a % b;
        a = b;
        b = r;
    }
    num /= a;
    den /= a;
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX) return false;
    *c = (ratio){ (int64_t)num, (int64_t)den };
    return true;
}

bool ratio_add(ratio *c, ratio a, ratio b)
{
    return ratio_reduced(c, (__int128)a.num * b.den + (__int128)b.num * a.den, (__int128)a.den * b.den);
}

bool ratio_mul(ratio *c, ratio a, ratio b)
{
    return ratio_reduced(c, (__int128)a.num * b.num, (__int128)a.den * b.den);
}

ratio ratio_inverse(ratio a)
{
    return a.num > 0 ? (ratio){ a.den, a.num } : (ratio){ -a.den, -a.num };
}

bool ratio_dyadic(ratio *c, int64_t m, long e)
{
    if (e > 62 || e < -62) return false;
    __int128 power = (__int128)1 << (e < 0 ? -e : e);
    return e < 0 ? ratio_reduced(c, m, power) : ratio_reduced(c, m * power, 1);
}
