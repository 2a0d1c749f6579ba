/* clock.h - durations. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdio.h>

double monotonic_seconds(void);          /* since an arbitrary origin; never goes back                  */
void clock_put_left(FILE *f, double seconds);    /* "1 h 02 min left", "3 min 20 s left", "12 s left"    */
#endif
