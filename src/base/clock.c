/* SPDX-License-Identifier: GPL-3.0-or-later
 * clock.c - see clock.h. */
#include "src/base/clock.h"
#include <time.h>

double monotonic_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
