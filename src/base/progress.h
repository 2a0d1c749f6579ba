/* SPDX-License-Identifier: GPL-3.0-or-later
 * progress.h - the line on standard error that says how far a long work is, and how long the rest may take.
 *
 *   progress p = progress_begin(PROGRESS_TERMINAL, "comparing tensors");
 *   for (...) progress_share(&p, share);
 *   progress_clear(&p);
 *
 * On a terminal it is one line, at most five times a second, each time in place of the one before, its text cut so that
 * it fits; the environment's CI, unless it is empty, says that nobody looks at one.  Elsewhere nothing is shown, or
 * lines for a log: after 1, 2, 4, ... seconds, and then every minute. */
#ifndef PROGRESS_H
#define PROGRESS_H
#include "src/base/base.h"

typedef enum { PROGRESS_NONE, PROGRESS_TERMINAL, PROGRESS_LOG } progress_kind;     /* the last: also lines elsewhere */

typedef struct {
    bool terminal, log;                  /* neither: nothing is shown                                   */
    bool stands;                         /* the terminal's cursor is behind a line of ours              */
    const char *what;
    double begun, from;                  /* of monotonic_seconds; the share that was done then          */
    double next, wait;                   /* when a line is due, and the seconds from it to the one after */
} progress;

/* what: shown at once on a terminal, and by progress_share; NULL: progress_show has all words. */
progress progress_begin(progress_kind kind, const char *what);
/* The time left is counted from now on; `from` in [0, 1) of the work is done already. */
void     progress_restart(progress *p, double from);
bool     progress_due(progress *p, double now);          /* whether a line comes now, and then when the next one does */
/* The text and "  1 min 20 s left", unless `left` is NaN.  Unprintable characters of the arguments are escaped. */
void     progress_show(progress *p, double left, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
double   progress_left(const progress *p, double share); /* seconds; NaN before 2 % or ten seconds     */
/* Of a progress, when it is due: what, the share in [0, 1] and the time left. */
void     progress_share(void *p, double share);
void     progress_clear(progress *p);                    /* takes the line off the terminal             */
void     progress_keep (progress *p);                    /* lets it stay there: what follows is below it */

enum { PROGRESS_TIME = 32 };
void     progress_time(char to[PROGRESS_TIME], double seconds);          /* "1 h 02 min", "3 min 20 s", "12 s" */
#endif
