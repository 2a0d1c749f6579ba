/* SPDX-License-Identifier: GPL-3.0-or-later
 * crew.c - see crew.h. */
#include "src/base/crew.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "src/base/clock.h"

static volatile sig_atomic_t signals;    /* to end this program, so far */
static volatile sig_atomic_t last_signal;
static void on_interrupt(int signal_number) { signals = signals + 1; last_signal = signal_number; }
static volatile sig_atomic_t pause_asked;
static void on_pause(int signal_number) { (void)signal_number; pause_asked = 1; }

int crew_signal(void) { return last_signal; }

crew crew_begin(long jobs)
{
    REQUIRE(jobs > 0, "%ld processes at the same time", jobs);
    crew c = { .jobs = jobs, .pid = must_calloc((size_t)jobs, sizeof *c.pid) };
    const struct sigaction act = { .sa_handler = on_interrupt }, pause = { .sa_handler = on_pause };
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &c.outside);
    signals = last_signal = pause_asked = 0;
    sigaction(SIGINT, &act, &c.before[0]);
    sigaction(SIGTERM, &act, &c.before[1]);
    sigaction(SIGTSTP, &pause, &c.before[2]);
    sigaction(SIGHUP, NULL, &c.before[3]);
    if (c.before[3].sa_handler != SIG_IGN) sigaction(SIGHUP, &act, NULL);        /* ignored under nohup */
    return c;
}

void crew_end(crew *c)
{
    REQUIRE(c->active == 0, "%ld processes are left", c->active);
    sigaction(SIGINT, &c->before[0], NULL);
    sigaction(SIGTERM, &c->before[1], NULL);
    sigaction(SIGTSTP, &c->before[2], NULL);
    sigaction(SIGHUP, &c->before[3], NULL);
    sigprocmask(SIG_SETMASK, &c->outside, NULL);
    free(c->pid);
    *c = (crew){ 0 };
}

long crew_start(crew *c, void (*become)(const void *of), const void *of)
{
    REQUIRE(c->active < c->jobs, "%ld processes at the same time", c->jobs);
    long at = 0;
    while (c->pid[at]) at++;
    fflush(NULL);
    sigset_t all, mine;                  /* a signal that comes before it has its own program waits for that */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mine);
    const pid_t child = fork();
    if (child != 0) sigprocmask(SIG_SETMASK, &mine, NULL);
    if (child < 0) die("cannot start a process: %s", strerror(errno));
    if (child == 0) {
        setpgid(0, 0);                   /* a second Ctrl-C would kill a run before its checkpoint           */
        prctl(PR_SET_PDEATHSIG, SIGINT);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGTSTP, SIG_DFL);
        sigprocmask(SIG_SETMASK, &c->outside, NULL);
        become(of);
        _exit(127);
    }
    c->pid[at] = child;
    c->active++;
    return at;
}

void crew_tell(const crew *c, int signal_number)
{
    for (long k = 0; k < c->jobs; k++) if (c->pid[k]) kill(c->pid[k], signal_number);
}

static void pause_all(const crew *c)
{
    pause_asked = 0;
    crew_tell(c, SIGSTOP);
    raise(SIGSTOP);
    crew_tell(c, SIGCONT);
}

/* What ends at the first signal, after a checkpoint, a second one kills before it.  `timeout` and batch systems send
 * theirs to a process and to its group, so one that comes within two seconds of another is the same. */
static void pass_on(crew *c)
{
    enum { TOGETHER = 2 };
    const double now = monotonic_seconds();
    if (signals == c->told) return;
    if (c->told == 0 || now - c->told_at >= TOGETHER) {
        crew_tell(c, SIGINT);
        c->told_at = now;
    }
    c->told = signals;
}

/* SIGCHLD is blocked, and waited for. */
long crew_wait(crew *c, int *status)
{
    static const struct timespec moment = { .tv_nsec = 250000000 };
    sigset_t ends;
    if (pause_asked) pause_all(c);
    const pid_t pid = waitpid(-1, status, WNOHANG);
    if (pid < 0 && errno != EINTR) die("waitpid: %s", strerror(errno));
    pass_on(c);
    for (long k = 0; k < c->jobs && pid > 0; k++) {
        if (c->pid[k] != pid) continue;
        c->pid[k] = 0;
        c->active--;
        return k;
    }
    if (pid > 0) return -1;              /* of somebody else */
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigtimedwait(&ends, NULL, &moment);
    return -1;
}
