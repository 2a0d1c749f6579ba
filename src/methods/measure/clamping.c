/* SPDX-License-Identifier: GPL-3.0-or-later
 * clamping.c - what clamping costs at any variance: see integral.h.
 *
 * Entries of variance c/d have the singular values sqrt(c) s, s by the quarter-circle law.  For c >= 1/4 write c =
 * 1/(4 sin^2 a), 0 < a <= pi/2: above 1 are those with s > 2 sin a.  With s = 2 sin x the density is 4 cos^2 x/pi, so
 *     lost^2 = int_a^(pi/2) 4 (sin x - sin a)^2 4 cos^2 x/pi dx,
 *     defect = int_0^a (1 - sin^2 x/sin^2 a) 4 cos^2 x/pi dx.
 * For c <= 1/4 nothing is clamped: lost = 0 and defect = 1 - c E s^2, where defect(1/4) = 1 - E s^2/4.
 *
 * All c at once: a runs over intervals, each a ball, and an integral over [0, 1] is the sum over pieces of the
 * integrand's enclosure there, times the length of a piece: an enclosure for each c of that interval, with no closed
 * form and no rule of integration behind it.                                                                 */
#include <math.h>
#include "src/methods/measure/integral_balls.h"

enum { INTERVALS = 512, PIECES = 128, SUM_BITS = 64 };

typedef struct { clamping which; arb_t a; } integrand;

/* y = the integrand at x = from + u (to - from), times to - from */
static int at(acb_ptr y, const acb_t u, void *with, slong order, slong bits)
{
    const integrand *f = with;
    acb_t x, sin_a, length;
    (void)order;                                                /* entire: analytic everywhere */
    acb_init(x);
    acb_init(sin_a);
    acb_init(length);
    acb_set_arb(length, f->a);
    acb_sin(sin_a, length, bits);
    if (f->which == C_LOST) {
        acb_const_pi(x, bits);
        acb_mul_2exp_si(x, x, -1);
        acb_sub(length, x, length, bits);
    }
    acb_mul(x, u, length, bits);
    if (f->which == C_LOST) acb_add_arb(x, x, f->a, bits);
    acb_sin(y, x, bits);
    if (f->which == C_LOST) {
        acb_sub(y, y, sin_a, bits);
        acb_mul(y, y, y, bits);
        acb_mul_2exp_si(y, y, 2);
    } else {
        acb_div(y, y, sin_a, bits);
        acb_mul(y, y, y, bits);
        acb_sub_si(y, y, 1, bits);
        acb_neg(y, y);
    }
    acb_cos(x, x, bits);
    acb_mul(x, x, x, bits);
    acb_mul_2exp_si(x, x, 2);
    acb_mul(y, y, x, bits);
    acb_mul(y, y, length, bits);
    acb_const_pi(x, bits);
    acb_div(y, y, x, bits);
    acb_clear(x);
    acb_clear(sin_a);
    acb_clear(length);
    return 0;
}

/* lost^2 or defect at c = 1/(4 sin^2 a), a a thin ball */
static void value_at(arb_t sum, const integrand *f, long bits)
{
    arb_zero(sum);
    balls_integrate(sum, at, (void *)f, 0, 1, bits);
}

/* The same for every a of a wide ball */
static void value_over(arb_t sum, const integrand *f)
{
    acb_t u, y;
    acb_init(u);
    acb_init(y);
    arb_zero(sum);
    for (long k = 0; k < PIECES; k++) {                         /* [k, k + 1] over PIECES */
        arb_set_si(acb_realref(u), 2 * k + 1);
        mag_set_ui(arb_radref(acb_realref(u)), 1);
        arb_div_si(acb_realref(u), acb_realref(u), 2 * PIECES, SUM_BITS);
        at(y, u, (void *)f, 0, SUM_BITS);
        arb_add(sum, sum, acb_realref(y), SUM_BITS);
    }
    arb_div_si(sum, sum, PIECES, SUM_BITS);
    acb_clear(u);
    acb_clear(y);
}

static comparison fact(truth is) { return (comparison){ is, is == REFUTED ? 0 : -INFINITY, -INFINITY }; }

/* x < y as balls */
static truth less(const arb_t x, const arb_t y) { return arb_lt(x, y) ? HOLDS : arb_ge(x, y) ? REFUTED : UNDECIDED; }

comparison clamping_between(clamping which, long num, long den, long low, long high, long bits)
{
    REQUIRE(num > 0 && den > 0 && 4 * num >= den, "c = %ld/%ld", num, den);
    integrand f = { .which = which };
    arb_t x, bound;
    arb_init(f.a);
    arb_init(x);
    arb_init(bound);
    arb_set_si(x, den);                                         /* sin a = sqrt(den/(4 num)) */
    arb_div_si(x, x, 4 * num, bits);
    arb_sqrt(x, x, bits);
    if (4 * num > den) arb_asin(f.a, x, bits);
    else {
        arb_const_pi(f.a, bits);
        arb_mul_2exp_si(f.a, f.a, -1);
    }
    value_at(x, &f, bits);
    truth above = HOLDS, below;
    if (low >= 0) {
        arb_set_si(bound, low);
        arb_div_si(bound, bound, 1000, bits);
        if (which == C_LOST) arb_mul(bound, bound, bound, bits);
        above = less(bound, x);
    }
    arb_set_si(bound, high);
    arb_div_si(bound, bound, 1000, bits);
    if (which == C_LOST) arb_mul(bound, bound, bound, bits);
    below = less(x, bound);
    arb_clear(f.a);
    arb_clear(x);
    arb_clear(bound);
    return fact(above == REFUTED || below == REFUTED ? REFUTED : above == HOLDS ? below : UNDECIDED);
}

/* Is lost or defect greater than `least` for every a of interval k, [k, k + 1] pi/2 over INTERVALS? */
static truth over_interval(long k, const arb_t least)
{
    integrand f = { .which = C_LOST };
    truth is[2];
    arb_t pi, x, bound;
    arb_init(f.a);
    arb_init(pi);
    arb_init(x);
    arb_init(bound);
    arb_set_si(f.a, 2 * k + 1);
    mag_set_ui(arb_radref(f.a), 1);
    arb_const_pi(pi, SUM_BITS);
    arb_mul(f.a, f.a, pi, SUM_BITS);
    arb_div_si(f.a, f.a, 4 * INTERVALS, SUM_BITS);
    for (int n = 0; n < 2; n++) {
        f.which = n ? C_DEFECT : C_LOST;
        value_over(x, &f);
        arb_set(bound, least);
        if (!n) arb_mul(bound, bound, bound, SUM_BITS);
        is[n] = less(bound, x);
    }
    arb_clear(f.a);
    arb_clear(pi);
    arb_clear(x);
    arb_clear(bound);
    return is[0] == HOLDS || is[1] == HOLDS ? HOLDS : is[0] == REFUTED && is[1] == REFUTED ? REFUTED : UNDECIDED;
}

/* For every c of [0, 1/4]: 1 - c E s^2 > least, with E s^2 = 4 - 4 defect(1/4) */
static truth without_clamping(const arb_t least)
{
    integrand f = { .which = C_DEFECT };
    arb_t square, x;
    arb_init(f.a);
    arb_init(square);
    arb_init(x);
    arb_const_pi(f.a, 2 * SUM_BITS);
    arb_mul_2exp_si(f.a, f.a, -1);
    value_at(square, &f, 2 * SUM_BITS);
    arb_sub_si(square, square, 1, SUM_BITS);
    arb_mul_si(square, square, -4, SUM_BITS);
    arb_set_si(x, 1);                                           /* c is [0, 2]/8 */
    mag_set_ui(arb_radref(x), 1);
    arb_mul_2exp_si(x, x, -3);
    arb_mul(x, x, square, SUM_BITS);
    arb_sub_si(x, x, 1, SUM_BITS);
    arb_neg(x, x);
    const truth is = less(least, x);
    arb_clear(f.a);
    arb_clear(square);
    arb_clear(x);
    return is;
}

comparison clamping_never_small(long num, long den)
{
    arb_t least;
    arb_init(least);
    arb_set_si(least, num);
    arb_div_si(least, least, den, SUM_BITS);
    truth is = without_clamping(least);
    for (long k = 0; k < INTERVALS && is != REFUTED; k++) {
        const truth here = over_interval(k, least);
        if (here != HOLDS) is = here;
    }
    arb_clear(least);
    return fact(is);
}
