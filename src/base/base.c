/* SPDX-License-Identifier: GPL-3.0-or-later
 * base.c - the start of a program: see base.h. */
#include "src/base/base.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/admitted.h"
#include "src/base/float_mode.h"

/* A descriptor that is closed is given to a file that fails: no file of ours gets its number, and what is printed
 * there does not vanish in silence. */
static void fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) _Exit(2);
}

/* Some file systems say only when a file is closed that they could not write it. */
static void check_standard_streams(void)
{
    const bool flushed = fflush(stdout) == 0, earlier = ferror(stdout) != 0;
    if (!flushed || earlier)
        die("cannot write to standard output: %s", flushed ? "an earlier write failed" : strerror(errno));
    const int fd = dup(STDOUT_FILENO);
    if (fd < 0 || close(fd) != 0) die("cannot write to standard output: %s", strerror(errno));
    if (ferror(stderr) != 0) _Exit(2);
}

static bool own_end;

static void refuse_foreign_end(int status, void *unused)
{
    (void)unused;
    if (status == 1 && !own_end)
        die("a library ended this program for lack of threads or memory; try OMP_NUM_THREADS=1, or raise the limits "
            "(ulimit -v, ulimit -u)");
}

void base_guard_end(void) { on_exit(refuse_foreign_end, NULL); }

int base_end(int status)
{
    own_end = true;
    return status;
}

void base_init(int argc, char **argv)
{
    static bool begun_before;
    const char *name = argc > 0 ? argv[0] : "provably", *slash = strrchr(name, '/');
    program_name = slash ? slash + 1 : name;
    if (!admitted_name(program_name)) program_name = "provably";       /* it begins every message */
    fill_standard_streams();
    unsetenv("POSIXLY_CORRECT");             /* options may follow names, whatever the environment says */
    unsetenv("ARGP_HELP_FMT");
    float_mode_require();
    signal(SIGXFSZ, SIG_IGN);                /* a limit on the size of files is an error of write, as a full disk is */
    if (!begun_before) atexit(check_standard_streams);
    begun_before = true;
}
