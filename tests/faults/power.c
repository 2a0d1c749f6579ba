/* SPDX-License-Identifier: GPL-3.0-or-later
 * power.c - preloaded into a command: what is on the disk if the power fails at one of its fsyncs or renames.
 *
 *   POWER_PARENT  the process whose child it is meant for
 *   POWER_OUT     the folder whose files count
 *   POWER_STORE   a folder: DEVICE-INODE is the content of a file as fsync last saw it; in `log` are lines "R N FROM\tTO" of
 *                 renames, where old.N is what TO was, and "S FOLDER" of folders that were synced; `moments` has a byte for each
 *   POWER_AT      at which of them the process is killed, before it happens, from 1; 0: at none
 *   POWER_ALL     what the process starts counts, too, and its whole session is killed; clocks stand still, so that files
 *                 which say when they were made, or how long it took, are the same each time
 * fclose writes without a call that could be taken here, so a file is as it is when it is synced, or was. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *out, *store;
static long at;
static bool active, all;

__attribute__((constructor)) static void begin(void)
{
    const char *parent = getenv("POWER_PARENT"), *moment = getenv("POWER_AT");
    out = getenv("POWER_OUT");
    store = getenv("POWER_STORE");
    at = moment ? strtol(moment, NULL, 10) : 0;
    all = getenv("POWER_ALL") != NULL;
    active = out && store && parent && (all || getppid() == strtol(parent, NULL, 10));
}

/* ---- clocks that stand still ---------------------------------------------------------------------------------------- */

enum { NOON = 1700000000 };
int clock_gettime(clockid_t which, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (!all) return real(which, now);
    *now = (struct timespec){ .tv_sec = NOON };
    return 0;
}
time_t time(time_t *now)
{
    struct timespec t;
    if (clock_gettime(CLOCK_REALTIME, &t) != 0) return -1;
    if (now) *now = t.tv_sec;
    return t.tv_sec;
}

/* ---- moments --------------------------------------------------------------------------------------------------------- */

/* Every other process of this session. */
static void kill_session(void)
{
    DIR *processes = opendir("/proc");
    if (!processes) _exit(98);
    for (struct dirent *d; (d = readdir(processes)); ) {
        const pid_t p = (pid_t)strtol(d->d_name, NULL, 10);
        if (p > 1 && p != getpid() && getsid(p) == getsid(0)) kill(p, SIGKILL);
    }
    closedir(processes);
}

static int opened(const char *name, int how)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", store, name);
    return open(path, how | O_CLOEXEC, 0666);
}

/* Which one it is. */
static long moment_passes(void)
{
    const int f = opened("moments", O_WRONLY | O_CREAT | O_APPEND);
    if (f < 0 || write(f, ".", 1) != 1) _exit(98);
    const long is = (long)lseek(f, 0, SEEK_CUR);         /* behind its own byte, whoever else writes */
    close(f);
    if (is == at) {
        if (all) kill_session();
        kill(getpid(), SIGKILL);
    }
    return is;
}

static void log_line(const char *line)
{
    const int f = opened("log", O_WRONLY | O_CREAT | O_APPEND);
    if (f < 0 || write(f, line, strlen(line)) != (ssize_t)strlen(line)) _exit(98);
    close(f);
}

static bool counts(const char *path) { return active && strncmp(path, out, strlen(out)) == 0; }

static bool path_of(int fd, char path[4096])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, 4095);
    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static void keep(const char *path, const struct stat *s)
{
    char name[64], piece[65536];
    snprintf(name, sizeof name, "%lld-%lld", (long long)s->st_dev, (long long)s->st_ino);
    const int from = open(path, O_RDONLY | O_CLOEXEC), to = opened(name, O_WRONLY | O_CREAT | O_TRUNC);
    if (from < 0 || to < 0) _exit(98);
    for (ssize_t n; (n = read(from, piece, sizeof piece)) > 0; ) if (write(to, piece, (size_t)n) != n) _exit(98);
    close(from);
    close(to);
}

int fsync(int fd)
{
    static int (*real)(int);
    char path[4096], line[4200];
    struct stat s;
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (!active || !path_of(fd, path) || !counts(path) || fstat(fd, &s) != 0) return real(fd);
    moment_passes();
    if (S_ISREG(s.st_mode)) keep(path, &s);
    else {
        snprintf(line, sizeof line, "S %s\n", path);
        log_line(line);
    }
    return real(fd);
}

/* A second name, in the store, for what is at a path; its number. */
static long kept_at(const char *path)
{
    char old[4200];
    const long is = moment_passes();
    snprintf(old, sizeof old, "%s/old.%ld", store, is);
    if (link(path, old) == 0) return is;
    if (access(path, F_OK) == 0) _exit(98);
    return is;
}

int rename(const char *from, const char *to)
{
    static int (*real)(const char *, const char *);
    char line[8400];
    if (!real) real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (!active || !counts(to)) return real(from, to);
    snprintf(line, sizeof line, "R %ld %s\t%s\n", kept_at(to), from, to);
    const int is = real(from, to);
    if (is == 0) log_line(line);
    return is;
}

int unlink(const char *path)
{
    static int (*real)(const char *);
    char line[8400];
    if (!real) real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    if (!active || !counts(path) || access(path, F_OK) != 0) return real(path);
    snprintf(line, sizeof line, "U %ld %s\t%s\n", kept_at(path), path, path);
    const int is = real(path);
    if (is == 0) log_line(line);
    return is;
}
