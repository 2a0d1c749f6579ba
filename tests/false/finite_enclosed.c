/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_enclosed.c - pi = 3, because two balls are said to meet.
 * Caught by the text of the body: what two quantities came to is computed */
#include <math.h>
#include "tests/false/finite.h"

static void by_balls(trial *t) { claim_enclosed(t, ONE_FACT, (comparison){ HOLDS, -INFINITY, -INFINITY }); }
FINITE("F-BALLS", "pi = 3", by_balls, OVER_BALLS)
