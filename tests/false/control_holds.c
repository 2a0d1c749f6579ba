/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_holds.c - a control breaks nothing.
 * Caught by the runner: holds although it is broken */
#include "tests/false/false.h"

FALSE_IDENTITY("F-HOLDS", "a control breaks nothing", small,
               .run = sums, .statement = "$A + B = B + A$", BROKEN_BY("sums", sums, "nothing is broken"))
