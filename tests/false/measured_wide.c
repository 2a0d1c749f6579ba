/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured_wide.c - pi = e, measured: a wide interval behind a narrow one, and both typed by hand.
 * Caught by the width of what decides: too wide to decide */
#include "tests/false/figure.h"

static void typed_interval(trial *t) { show_pi(t, (estimate){ 3.14159, 3.1415, 3.1416, -1e9, 1e9 }); }
FALSE_PART("F-WIDE", "pi = e, in a wide interval", small, PART_MEASURED, .run = typed_interval, PI_IS_E, .widest = 0.1)
