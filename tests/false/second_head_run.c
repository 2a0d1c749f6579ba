/* SPDX-License-Identifier: GPL-3.0-or-later
 * second_head_run.c - the same with two heads.
 * Caught by the run at h = 2: INCONSISTENT or FAILED */
#include "tests/false/second_head.h"

FALSE_IDENTITY("F-HEAD-2B", "W_V of every head but the first is doubled, two heads", small, SECOND_HEAD)
