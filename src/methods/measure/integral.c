/* SPDX-License-Identifier: GPL-3.0-or-later
 * integral.c - two enclosures compared; integration with an error bound: see integral.h. */
#include "src/methods/measure/integral_balls.h"
#include <math.h>

comparison balls_meet(const arb_t x, const arb_t y, long bits)
{
    comparison is = { HOLDS, -INFINITY, -64 };
    arb_t apart;
    mag_t far, top, other;
    arb_init(apart);
    mag_init(far);
    mag_init(top);
    mag_init(other);
    arb_sub(apart, x, y, bits);
    arb_get_mag(far, apart);
    arb_get_mag(top, x);
    arb_get_mag(other, y);
    mag_max(top, top, other);
    if (!mag_is_zero(far)) is.log2gap = mag_get_d_log2_approx(far) - mag_get_d_log2_approx(top);
    if (!arb_is_finite(x) || !arb_is_finite(y)) is.is = UNDECIDED;
    else if (!arb_overlaps(x, y)) is.is = REFUTED;
    else if (!(is.log2gap <= is.log2bound)) is.is = UNDECIDED;
    arb_clear(apart);
    mag_clear(far);
    mag_clear(top);
    mag_clear(other);
    return is;
}

void balls_integrate(arb_t sum, acb_calc_func_t f, void *with, long from, long to, long bits)
{
    acb_t a, b, part;
    mag_t tolerance;
    acb_init(a);
    acb_init(b);
    acb_init(part);
    mag_init(tolerance);
    acb_set_si(a, from);
    acb_set_si(b, to);
    mag_set_ui_2exp_si(tolerance, 1, -bits / 2);
    acb_calc_integrate(part, f, with, a, b, bits / 2, tolerance, NULL, bits);
    arb_add(sum, sum, acb_realref(part), bits);
    acb_clear(a);
    acb_clear(b);
    acb_clear(part);
    mag_clear(tolerance);
}
