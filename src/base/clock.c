/* clock.c - see clock.h. */
#include "src/base/clock.h"
#include <time.h>

double monotonic_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void clock_put_left(FILE *f, double seconds)
{
    const long s = seconds < 3e7 ? (long)seconds : 30000000;
    if (s >= 3600)    fprintf(f, "%ld h %02ld min left", s / 3600, s / 60 % 60);
    else if (s >= 60) fprintf(f, "%ld min %02ld s left", s / 60, s % 60);
    else              fprintf(f, "%ld s left", s);
}
