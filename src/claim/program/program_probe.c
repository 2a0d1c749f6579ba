/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_probe.c - runs of a body beside the run, which say what it checks: see program.h. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/fingerprint.h"
#include "src/base/clock.h"
#include "src/claim/program/program.h"

enum { PROBE_SECONDS = 5 };

static probe_outcome outcome_here(job j, long trials)
{
    probe_outcome is = { .ran = true };
    const double start = monotonic_seconds();
    const long end = j.trial + trials;
    fingerprint_begin();
    for (; j.trial < end; j.trial++) {
        const row r = runner_run(&j, NULL, NULL);
        is.decided |= r.verdict != UNDECIDED;
        is.fails |= r.undeclared || (r.verdict == REFUTED && !j.control && j.part->kind != PART_HYPOTHESIS);
    }
    is.fingerprint = fingerprint_end();
    is.altered = fingerprint_draws(true);
    is.draws = fingerprint_draws(false);
    is.seconds = monotonic_seconds() - start;
    return is;
}

/* In a process of its own: a body may refuse a shape by a broken contract. */
probe_outcome program_probe(const job *j, long trials)
{
    probe_outcome is = { .ran = false };
    int ends[2], status = 0;
    if (pipe(ends)) die("a pipe to try the options: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) die("another process to try the options: %s", strerror(errno));
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(2);
        signal(SIGXCPU, SIG_DFL);
        /* of the processor: load decides nothing */
        setrlimit(RLIMIT_CPU, &(struct rlimit){ PROBE_SECONDS, PROBE_SECONDS + 1 });
        is = outcome_here(*j, trials);
        _exit(write(ends[1], &is, sizeof is) == (ssize_t)sizeof is ? 0 : 2);
    }
    close(ends[1]);
    const bool whole = read(ends[0], &is, sizeof is) == (ssize_t)sizeof is;
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (whole && WIFEXITED(status) && WEXITSTATUS(status) == 0) return is;
    const int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return (probe_outcome){ .late = by == SIGXCPU || by == SIGKILL };
}

void program_shrink(shape *sh)
{
    const long L = sh->shared > 1 ? 2 * sh->shared : 2;
    if (sh->n > 4) sh->n = 4;
    if (sh->m > 8) sh->m = 8;
    if (sh->V > 7) sh->V = 7;
    if (sh->L > L) sh->L = L;
    if (!sh->dk && sh->d > 16 && sh->h && sh->d % sh->h == 0) sh->d = (sh->h > 8 ? 2 : 4) * sh->h;
}
