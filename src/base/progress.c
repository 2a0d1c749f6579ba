/* SPDX-License-Identifier: GPL-3.0-or-later
 * progress.c - see progress.h. */
#include "src/base/progress.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/base/screen.h"
#include "src/base/shown.h"

enum { LONGEST = 1024, LONGEST_WAIT = 60 };              /* bytes of a line; seconds from one of a log to the next */
static const double OFTEN = 0.2;                         /* seconds between two on a terminal                     */
static const double LEAST_SHARE = 0.02, LEAST_TIME = 10; /* one of them before a duration is guessed              */

static bool is_terminal(void)
{
    const char *ci = getenv("CI");
    return isatty(STDERR_FILENO) && !(ci && *ci);
}

progress progress_begin(progress_kind kind, const char *what)
{
    progress p = { .terminal = kind != PROGRESS_NONE && is_terminal(), .log = kind == PROGRESS_LOG,
                   .what = what };
    progress_restart(&p, 0);
    if (what && p.terminal) progress_show(&p, NAN, "%s", what);
    return p;
}

void progress_restart(progress *p, double from)
{
    p->begun = monotonic_seconds();
    p->from = from;
    p->wait = p->terminal ? OFTEN : 1;
    p->next = p->begun + (p->terminal ? 0 : p->wait);
}

bool progress_due(progress *p, double now)
{
    if (now < p->next) return false;
    if (!p->terminal) p->wait = fmin(2 * p->wait, LONGEST_WAIT);
    p->next = now + p->wait;
    return true;
}

void progress_show(progress *p, double left, const char *fmt, ...)
{
    char text[LONGEST], time[PROGRESS_TIME];
    if (!p->terminal && !p->log) return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    progress_time(time, left);
    char *rest = isnan(left) ? must_strdup("") : must_format("  %s left", time);
    const size_t most = p->terminal ? (size_t)screen_of(stderr, 0, COLOUR_NEVER).width - 1 : sizeof text;
    char *shown = shown_short(text, most - strlen(rest));            /* the time left is never cut off */
    fprintf(stderr, p->terminal ? "\r%s%s\033[K" : "%s%s\n", shown, rest);
    free(rest);
    p->stands = p->terminal;
    free(shown);
}

double progress_left(const progress *p, double share)
{
    const double done = share - p->from, took = monotonic_seconds() - p->begun;
    return done > LEAST_SHARE || (done > 0 && took > LEAST_TIME) ? took * (1 - share) / done : NAN;
}

void progress_share(void *of, double share)
{
    progress *p = of;
    if (!progress_due(p, monotonic_seconds())) return;
    progress_show(p, progress_left(p, share), "%s  %2.0f %%", p->what, 100 * share);
}

void progress_clear(progress *p)
{
    if (p->stands) fputs("\r\033[K", stderr);
    p->stands = false;
}

void progress_keep(progress *p)
{
    if (p->stands) fputc('\n', stderr);
    p->stands = false;
}

void progress_time(char to[PROGRESS_TIME], double seconds)
{
    const long s = seconds < 3e7 ? (long)seconds : 30000000;
    if (s >= 3600)    snprintf(to, PROGRESS_TIME, "%ld h %02ld min", s / 3600, s / 60 % 60);
    else if (s >= 60) snprintf(to, PROGRESS_TIME, "%ld min %02ld s", s / 60, s % 60);
    else              snprintf(to, PROGRESS_TIME, "%ld s", s);
}
