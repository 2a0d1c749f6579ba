/* SPDX-License-Identifier: GPL-3.0-or-later
 * cost.c - see cost.h. */
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "src/base/base.h"
#include "src/base/clock.h"
#include "src/base/text.h"
#include "tests/support/cost.h"

bool cost_is_there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

cost_folder cost_folder_enter(const char *given)
{
    const char *base = getenv("TMPDIR");
    char *path = given ? must_strdup(given) : must_format("%s/provably-bench-XXXXXX", base && *base ? base : "/tmp");
    const bool there = given ? cost_is_there(path) || mkdir(path, 0777) == 0 : mkdtemp(path) != NULL;
    if (!there) die("cannot make the folder %s", path);
    return (cost_folder){ path, given != NULL };
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

void cost_folder_leave(cost_folder *folder)
{
    if (!folder->stays) nftw(folder->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder->path);
}

char *cost_provably(const char *program)
{
    const char *slash = strrchr(program, '/');
    return must_format("%.*s/../provably", slash ? (int)(slash - program) : 1, slash ? program : ".");
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

/* Lines of /proc/PID/status in units of 1024 bytes, while it runs: memory of its own, with what it writes to pages of
 * files that are mapped for itself alone; pages that files back. */
static void look_at(pid_t child, long *own, long *mapped)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    FILE *f = fopen(path, "r");
    long units, files = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "RssAnon: %ld", &units) == 1 && units > *own) *own = units;
        if (sscanf(line, "RssFile: %ld", &units) == 1 || sscanf(line, "RssShmem: %ld", &units) == 1)     /* in memory: tmpfs */
            files += units;
    }
    if (files > *mapped) *mapped = files;
    if (f) fclose(f);
}

static long megabytes_of(long units) { return units * 1024 / 1000000; }

cost cost_of(const char *out, char *const command[])
{
    fflush(NULL);
    const double start = monotonic_seconds();
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(out, "w", stdout)) _exit(126);
        execvp(command[0], command);
        _exit(127);
    }
    int status = 0;
    long own = 0, mapped = 0;
    struct rusage used;
    pid_t ended = 0;
    while (child > 0 && (ended = wait4(child, &status, WNOHANG, &used)) == 0) {
        look_at(child, &own, &mapped);
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    }
    if (child < 0 || ended != child) die("cannot run %s", command[0]);
    return (cost){ monotonic_seconds() - start, seconds_of(used.ru_utime) + seconds_of(used.ru_stime),
                   megabytes_of(own), megabytes_of(mapped), megabytes_of(used.ru_maxrss),
                   WIFEXITED(status) ? WEXITSTATUS(status) : -1 };
}
