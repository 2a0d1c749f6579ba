/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_minimal.c - the part leaves the control `minimal` out, and has one of its own that is called so: the index
 * would list no control, and the rows look like those of the runner's.
 * Caught by the names of cases: claim and minimal are cases of every part */
#include "tests/false/false.h"

FALSE_IDENTITY("F-CONTROL-MINIMAL", "a control that is called minimal", small,
               .run = sums, .statement = "$A + B = B + A$", .no_minimal = true,
               BROKEN_BY("Minimal", product_for_sum, "the factors change places"))
