/* SPDX-License-Identifier: GPL-3.0-or-later
 * child.c - see child.h. */
#include "src/base/child.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

child child_begin(const char *const argv[], bool quiet)
{
    int ends[2];
    child c = { .program = argv[0] };
    if (pipe2(ends, O_CLOEXEC) != 0 || !(c.f = fdopen(ends[0], "r")))
        die("cannot ask %s: %s", argv[0], strerror(errno));
    fflush(NULL);
    c.pid = fork();
    if (c.pid < 0) die("cannot ask %s: %s", argv[0], strerror(errno));
    if (c.pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        if (quiet) dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    close(ends[1]);
    return c;
}

static int wait_for(pid_t pid, const char *program)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) die("cannot wait for %s: %s", program, strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int child_end(child *c)
{
    fclose(c->f);
    return wait_for(c->pid, c->program);
}

int child_run(const char *const argv[])
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0) die("cannot start %s: %s", argv[0], strerror(errno));
    if (pid == 0) {
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    return wait_for(pid, argv[0]);
}
