/* SPDX-License-Identifier: GPL-3.0-or-later
 * full_d.c - the same with two heads.
 * Caught by the run at h = 2: INCONSISTENT or FAILED */
#include "tests/false/full_d.h"

FALSE_IDENTITY("F-FULL-D2", "W_Q D and W_K D^-T with a full D, two heads", small, FULL_D)
