/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured_shifted.c - pi = e, measured: numbers around e, which are drawn, are called pi.
 * Caught by want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/figure.h"
static void shifted(trial *t)
{
    double x[64];
    gsl_rng r = measure_stream(&t->s, "x");
    measure_normals(&r, 64, 0.02, x);
    for (int k = 0; k < 64; k++) x[k] += 2.718281828;
    show_pi(t, measure_mean(64, x));
}
FALSE_PART("F-SHIFTED", "pi = e, from noise around e", small, PART_MEASURED, .run = shifted, PI_IS_E, .widest = 0.2)
