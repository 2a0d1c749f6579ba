/* SPDX-License-Identifier: GPL-3.0-or-later
 * ways.c - see ways.h. */
#include "numerics/elementary/ways.h"
#include "numerics/elementary/elementary.h"
#include "numerics/elementary/lanes.h"
#include "numerics/plain.h"

static bool ours(const elementary_ways *f, const arb_t x, long bits)
{
    return bits <= ELEMENTARY_MOST_BITS && ARF_IS_LAGOM(arb_midref(x)) && !arf_is_special(arb_midref(x)) &&
           ARF_EXP(arb_midref(x)) <= f->log2largest && mag_cmp_2exp_si(arb_radref(x), f->log2widest) <= 0 &&
           !plain_only();
}

void elementary_each(const elementary_ways *f, arb_ptr y, arb_srcptr x, long n, long bits)
{
    const bool side_by_side = n >= LANES / 2 && lanes_available();
    long at[LANES];
    int count = 0;
    for (long k = 0; k < n; k++) {
        if (!ours(f, x + k, bits)) f->by_arb(y + k, x + k, bits);
        else if (!side_by_side)    f->one(y + k, x + k, bits);
        else                       at[count++] = k;
        if (count == LANES || (k == n - 1 && count)) {
            f->eight(y, x, at, count, bits);
            count = 0;
        }
    }
}
