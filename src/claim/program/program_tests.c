/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_tests.c - runs the tests of a suite without Check: see program.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/claim/program/program.h"

/* What a test in a process of its own has to say, at most. */
enum { LONGEST = 1 << 14 };

/* The child: its answer through the pipe.  It ends with the suite. */
static _Noreturn void answer_through(int k, int to, pid_t suite)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != suite) _exit(1);
    char *why = program_test_run(k);
    fflush(NULL);
    size_t n = why ? strlen(why) : 0;
    if (n > LONGEST) n = LONGEST;
    for (size_t at = 0; at < n;) {
        const ssize_t wrote = write(to, why + at, n - at);
        if (wrote <= 0) _exit(3);
        at += (size_t)wrote;
    }
    _exit(why ? 1 : 0);
}

/* NULL, or why the test failed; to be freed.  A test that had to end, by die(), is no test that failed: so does the
 * suite. */
static char *run_forked(int k)
{
    int ends[2], status = 0;
    fflush(NULL);
    const pid_t suite = getpid();
    if (pipe(ends) != 0) die("no pipe for a test; end other programs");
    const pid_t child = fork();
    if (child < 0) die("no process for a test; end other programs, or leave out --fork");
    if (child == 0) {
        close(ends[0]);
        answer_through(k, ends[1], suite);
    }
    close(ends[1]);
    char *why = must_calloc(LONGEST + 1, 1);
    for (size_t at = 0; at < LONGEST;) {
        const ssize_t n = read(ends[0], why + at, LONGEST - at);
        if (n <= 0) break;
        at += (size_t)n;
    }
    close(ends[0]);
    while (waitpid(child, &status, 0) != child) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) die_as_said();
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 1 && (WEXITSTATUS(status) == 1) == (*why != '\0')) {
        if (*why) return why;
        free(why);
        return NULL;
    }
    free(why);
    return WIFSIGNALED(status) ? must_format("ended by signal %d", WTERMSIG(status))
                               : must_format("ended with exit status %d", WEXITSTATUS(status));
}

static int run_plainly(const char *id, const program_test *tests, int n, bool fork)
{
    int failed = 0;
    char **why = must_calloc((size_t)n + 1, sizeof *why);
    printf("Running suite(s): %s\n", id);
    for (int k = 0; k < n; k++) {
        why[k] = fork ? run_forked(k) : program_test_run(k);
        failed += why[k] != NULL;
    }
    printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", n ? 100 * (n - failed) / n : 100, n, failed);
    for (int k = 0; k < n; k++) {
        if (why[k]) printf("%s:%s: %s\n", tests[k].group, tests[k].name, why[k]);
        free(why[k]);
    }
    free(why);
    return failed;
}

program_tests_runner *program_tests_run = run_plainly;
