/* SPDX-License-Identifier: GPL-3.0-or-later
 * mapped.c - see mapped.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/mapped.h"

enum { MOST_NAMED = 256 };               /* files beyond it are mapped, too, and not named              */
static struct { const unsigned char *at; size_t bytes; char *path; const char *advice; } named[MOST_NAMED];
static volatile sig_atomic_t names;

/* Only what a handler may call: write, sigaction, raise, _exit. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(2);
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
    (void)context;
    const unsigned char *at = info->si_addr;
    for (int k = 0; k < names; k++)
        if (at >= named[k].at && at < named[k].at + named[k].bytes) {
            say(program_name);
            say(": ");
            say(named[k].path);
            say(": it became shorter while it was read, or its disk cannot be read; ");
            say(named[k].advice);
            say("\n");
            _exit(2);
        }
    struct sigaction usual = { .sa_handler = SIG_DFL };
    sigaction(signal, &usual, NULL);
    raise(signal);
}

static void name_file(const unsigned char *at, size_t bytes, const char *path, const char *advice)
{
    static bool watching;
    if (!watching) {
        struct sigaction ours = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER };
        sigemptyset(&ours.sa_mask);
        REQUIRE(sigaction(SIGBUS, &ours, NULL) == 0, "sigaction: %s", strerror(errno));
        watching = true;
    }
    if (names == MOST_NAMED) return;
    named[names].at = at;
    named[names].bytes = bytes;
    named[names].path = must_strdup(path);
    named[names].advice = advice;
    names = names + 1;
}

unsigned char *mapped_open(const char *path, size_t *bytes, const char *advice)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat s;
    if (fd < 0 || fstat(fd, &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode)) die("%s is not a regular file", path);
    if (s.st_size == 0) die("%s is empty", path);
    *bytes = (size_t)s.st_size;
    unsigned char *at = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED) die("cannot read %s: %s", path, strerror(errno));
    close(fd);
    name_file(at, *bytes, path, advice);
    return at;
}

void mapped_close(unsigned char *at, size_t bytes)
{
    for (int k = 0; k < names; k++) {
        if (named[k].at != at) continue;
        free(named[k].path);
        named[k] = named[names - 1];
        names = names - 1;
    }
    munmap(at, bytes);
}
