/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured_typed.c - pi = e, measured: the samples are written in the program, not drawn.
 * Caught by the draws of two trials, which differ: the same in every trial */
#include "tests/false/figure.h"

static void typed_samples(trial *t)
{
    double x[16];
    for (int k = 0; k < 16; k++) x[k] = 2.7 + 0.0025 * k;
    show_pi(t, measure_mean(16, x));
}
FALSE_PART("F-TYPED", "pi = e, from typed samples", small, PART_MEASURED, .run = typed_samples, PI_IS_E, .widest = 0.2)
