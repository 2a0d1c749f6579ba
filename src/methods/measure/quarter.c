/* SPDX-License-Identifier: GPL-3.0-or-later
 * quarter.c - constants of the quarter-circle law: see integral.h.
 *
 * The density has a root at s = 2, where integration would be slow; s = 2 - u^2 turns the piece from 1 to 2 into
 * 2 u^2 sqrt(4 - u^2)/pi on [0, 1], which is analytic there.                                                */
#include <math.h>
#include "src/methods/measure/integral_balls.h"

/* What is averaged, below and above s = 1: coefficients of 1, s, s^2. */
static const struct { long below[3], above[3]; } average[] = {
    [Q_ABOVE]       = { { 0, 0, 0 },  { 1, 0, 0 } },
    [Q_EXCESS]      = { { 0, 0, 0 },  { 1, -2, 1 } },
    [Q_CLAMPED]     = { { 0, 0, 1 },  { 1, 0, 0 } },
    [Q_DEFECT]      = { { 1, 0, -1 }, { 0, 0, 0 } },
    [Q_SQUARE]      = { { 0, 0, 1 },  { 0, 0, 1 } },
    [Q_FREE_DEFECT] = { { 1, 0, -1 }, { 1, 0, -1 } },
};

/* The closed form is p/12 + q sqrt3/(4 pi). */
static const struct { long p, q; } closed_form[] = {
    [Q_ABOVE] = { 8, -2 }, [Q_EXCESS] = { 16, -9 }, [Q_CLAMPED] = { 12, -3 }, [Q_DEFECT] = { 0, 3 },
    [Q_SQUARE] = { 12, 0 }, [Q_FREE_DEFECT] = { 0, 0 },
};

/* y = c_0 + c_1 s + c_2 s^2 */
static void polynomial(acb_t y, const long c[3], const acb_t s, long bits)
{
    acb_set_si(y, c[2]);
    for (int k = 1; k >= 0; k--) {
        acb_mul(y, y, s, bits);
        acb_add_si(y, y, c[k], bits);
    }
}

/* y *= sqrt(4 - x^2)/pi */
static void times_density(acb_t y, const acb_t x, bool analytic, long bits)
{
    acb_t t;
    acb_init(t);
    acb_mul(t, x, x, bits);
    acb_sub_si(t, t, 4, bits);
    acb_neg(t, t);
    acb_sqrt_analytic(t, t, analytic, bits);
    acb_mul(y, y, t, bits);
    acb_const_pi(t, bits);
    acb_div(y, y, t, bits);
    acb_clear(t);
}

static int below_one(acb_ptr y, const acb_t s, void *with, slong order, slong bits)
{
    polynomial(y, average[*(const quarter *)with].below, s, bits);
    times_density(y, s, order != 0, bits);
    return 0;
}

static int above_one(acb_ptr y, const acb_t u, void *with, slong order, slong bits)
{
    acb_t s, u2;
    acb_init(s);
    acb_init(u2);
    acb_mul(u2, u, u, bits);
    acb_sub_si(s, u2, 2, bits);
    acb_neg(s, s);
    polynomial(y, average[*(const quarter *)with].above, s, bits);
    times_density(y, u, order != 0, bits);
    acb_mul(y, y, u2, bits);
    acb_mul_2exp_si(y, y, 1);
    acb_clear(s);
    acb_clear(u2);
    return 0;
}

static void integral_of(arb_t sum, quarter which, long bits)
{
    arb_zero(sum);
    balls_integrate(sum, below_one, &which, 0, 1, bits);
    balls_integrate(sum, above_one, &which, 0, 1, bits);
}

static void closed_of(arb_t x, quarter which, long bits)
{
    arb_t t;
    arb_init(t);
    arb_sqrt_ui(x, 3, bits);
    arb_mul_si(x, x, closed_form[which].q, bits);
    arb_const_pi(t, bits);
    arb_div(x, x, t, bits);
    arb_mul_2exp_si(x, x, -2);
    arb_set_si(t, closed_form[which].p);
    arb_div_si(t, t, 12, bits);
    arb_add(x, x, t, bits);
    arb_clear(t);
}

comparison quarter_compare(quarter integral, quarter closed, long bits)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    integral_of(x, integral, bits);
    closed_of(y, closed, bits);
    const comparison is = balls_meet(x, y, bits);
    arb_clear(x);
    arb_clear(y);
    return is;
}

comparison quarter_exceeds(quarter integral, long num, long den, long bits)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    integral_of(x, integral, bits);
    arb_set_si(y, num);
    arb_div_si(y, y, den, bits);
    const truth is = arb_gt(x, y) ? HOLDS : arb_le(x, y) ? REFUTED : UNDECIDED;
    arb_clear(x);
    arb_clear(y);
    return (comparison){ is, is == REFUTED ? 0 : -INFINITY, -INFINITY };
}

double quarter_value(quarter closed)
{
    return (double)closed_form[closed].p / 12 + (double)closed_form[closed].q * sqrt(3) / (4 * M_PI);
}
