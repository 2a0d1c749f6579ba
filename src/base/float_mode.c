/* SPDX-License-Identifier: GPL-3.0-or-later
 * float_mode.c - see float_mode.h.  What the arithmetic does is looked at, not its control registers, so that one text
 * serves every processor; only long doubles of x86, which have a register of their own, are left to fegetround. */
#include "src/base/float_mode.h"
#include <fenv.h>
#include <stddef.h>
#include "src/base/error.h"

/* The sum, computed when the program runs and not when it is compiled. */
static double sum(double x, double y)
{
    volatile double a = x, b = y;
    return a + b;
}
static double product(double x, double y)
{
    volatile double a = x, b = y;
    return a * b;
}

const char *float_mode_wrong(void)
{
    const double half = 0x1p-53, more = 0x1.8p-53, next = 1 + 0x1p-52;     /* half: of the distance from 1 to next */
    if (sum(1, half) != 1) return "the processor rounds upwards";
    if (sum(-1, -half) != -1) return "the processor rounds downwards";
    if (sum(1, more) != next || sum(-1, -more) != -next) return "the processor rounds towards zero";
    if (fegetround() != FE_TONEAREST) return "the processor does not round long doubles to nearest";
    if (product(0x1p-1074, 0x1p60) != 0x1p-1014) return "the processor takes subnormal numbers for zero";
    if (!(product(0x1p-1022, 0.5) > 0)) return "the processor turns results that are subnormal numbers into zero";
    return NULL;
}

void float_mode_require(void)
{
    const char *wrong = float_mode_wrong();
    if (wrong)
        die("%s: intervals would be false.  A loaded library changed the floating-point mode, as a library linked with "
            "-ffast-math does: run without that library (check LD_PRELOAD)", wrong);
}
