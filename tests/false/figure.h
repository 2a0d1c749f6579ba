/* SPDX-License-Identifier: GPL-3.0-or-later
 * figure.h - "pi = e", measured. */
#ifndef FIGURE_H
#define FIGURE_H
#include <math.h>
#include "src/claim/check_figures.h"
#include "tests/false/false.h"

static inline void show_pi(trial *t, estimate is) { claim_measured(t, "pi", NAN, is, 2.718281828459045); }
#define PI_IS_E .statement = "$\\pi = e$", .no_minimal = true
#endif
