/* SPDX-License-Identifier: GPL-3.0-or-later
 * suite.c - see suite.h. */
#include "tests/support/suite.h"
#include <errno.h>
#include <mpfr.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/libraries.h"

_Noreturn void contract_exits(const char *message)
{
    fprintf(stderr, "contract: %s\n", message);
    _exit(CONTRACT_STATUS);
}

static int collect(int from, pid_t child, char *output, size_t size)
{
    char discard[4096];
    size_t used = 0;
    for (;;) {
        const bool room = used + 1 < size;
        const ssize_t n = read(from, room ? output + used : discard, room ? size - 1 - used : sizeof discard);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        if (room) used += (size_t)n;
    }
    if (size) output[used] = '\0';
    close(from);
    int status;
    while (waitpid(child, &status, 0) < 0) if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_child(void (*f)(void *), void *with, char *output, size_t size)
{
    int ends[2];
    if (pipe(ends) != 0) die("pipe: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) die("fork: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        f(with);
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    return collect(ends[0], child, output, size);
}

static void shell(void *command)                             /* theorem programs are suites of their own */
{
    unsetenv("CK_RUN_SUITE");
    unsetenv("CK_RUN_CASE");
    execl("/bin/sh", "sh", "-c", (char *)command, (char *)NULL);
    _exit(126);
}

int run_shell(const char *command, char *output, size_t size)
{
    return run_child(shell, (void *)(uintptr_t)command, output, size);
}

const char *build_folder(void)
{
    const char *b = getenv("BUILD");
    return b && *b ? b : "build";
}

int run_command(char *output, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *command = NULL;
    if (vasprintf(&command, format, arguments) < 0) die("out of memory");
    va_end(arguments);
    const int status = run_shell(command, output, size);
    free(command);
    return status;
}

const char *suite_message(const char *format, ...)
{
    enum { BEGIN = 2000, END = 1000 };                  /* Check ends the program at about 4000 */
    static char shown[BEGIN + END + 32];
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format ? format : "no more is known", arguments) < 0) die("out of memory");
    va_end(arguments);
    const size_t n = strlen(text);
    if (n <= BEGIN + END) snprintf(shown, sizeof shown, "%s", text);
    else snprintf(shown, sizeof shown, "%.*s\n... %s", BEGIN, text, text + n - END);
    free(text);
    return shown;
}

/* OpenMP's threads do not survive a fork, and tests fork: one thread, which must be set before the program is
 * loaded. */
static void one_thread(char **argv)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    if (threads && strcmp(threads, "1") == 0) return;
    setenv("OMP_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
    die("cannot start again with one thread");
}

int run_suite(Suite *suite, int argc, char **argv)
{
    one_thread(argv);
    base_init(argc, argv);
    libraries_init();
    SRunner *runner = srunner_create(suite);
    const char *fork_mode = getenv("CK_FORK");
    srunner_set_fork_status(runner, fork_mode && strcmp(fork_mode, "yes") == 0 ? CK_FORK : CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner), ran = srunner_ntests_run(runner);
    srunner_free(runner);
    libraries_clear();
    return failed == 0 && ran > 0 ? 0 : 1;
}
