/* share.c - see share.h. */
#include <stdio.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/base/share.h"

enum { LEAST_SHARE = 2 };                /* hundredths that must be done before a duration is guessed       */

share_line share_begin(const char *what)
{
    const share_line line = { what, monotonic_seconds(), 0, isatty(STDERR_FILENO) };
    if (line.shown) fprintf(stderr, "\r%s\033[K", what);
    return line;
}

void share_tell(void *line, double share)
{
    share_line *l = line;
    const double now = monotonic_seconds();
    if (!l->shown || now - l->last < 0.2) return;
    l->last = now;
    fprintf(stderr, "\r%s  %2.0f %%  ", l->what, 100 * share);
    if (100 * share > LEAST_SHARE) clock_put_left(stderr, (now - l->begun) * (1 - share) / share);
    fprintf(stderr, "\033[K");
}

void share_end(share_line *line)
{
    if (line->shown) fprintf(stderr, "\r\033[K");
}
