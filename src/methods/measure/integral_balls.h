/* SPDX-License-Identifier: GPL-3.0-or-later
 * integral_balls.h - what quarter.c and gaussian.c share; theorem programs see integral.h. */
#ifndef INTEGRAL_BALLS_H
#define INTEGRAL_BALLS_H
#include "numerics/flint_compat.h"
#include "src/methods/measure/integral.h"

/* As the compare slot of arb: HOLDS if the balls meet and are thin, REFUTED if they are disjoint. */
comparison balls_meet(const arb_t x, const arb_t y, long bits);
/* Adds the integral of f from `from` to `to` to sum; f is real on the real line. */
void balls_integrate(arb_t sum, acb_calc_func_t f, void *with, long from, long to, long bits);
#endif
