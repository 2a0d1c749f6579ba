/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured_any_width.c - pi = e, measured: any interval is narrow enough.
 * Caught by the contract of a part: .widest is inf */
#include "tests/false/figure.h"

static void wide(trial *t)
{
    double x[16];
    gsl_rng r = measure_stream(&t->s, "x");
    measure_normals(&r, 16, 1e9, x);
    show_pi(t, measure_mean(16, x));
}
FALSE_PART("F-ANY-WIDTH", "pi = e, at any width", small, PART_MEASURED, .run = wide, PI_IS_E, .widest = INFINITY)
