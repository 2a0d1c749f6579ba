/* SPDX-License-Identifier: GPL-3.0-or-later
 * clock.h - durations. */
#ifndef CLOCK_H
#define CLOCK_H
double monotonic_seconds(void);          /* since an arbitrary origin; never goes back                  */
#endif
