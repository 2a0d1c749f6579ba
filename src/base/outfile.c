/* SPDX-License-Identifier: GPL-3.0-or-later
 * outfile.c - see outfile.h. */
#include "src/base/outfile.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/file.h"

const char *const outfile_busy = "another process is writing it; wait until it has ended";

/* Parts begun and not closed; a child that was forked does not own its parent's. */
enum { MOST_OPEN = 16 };
static struct { char *part; pid_t owner; } begun[MOST_OPEN];
static struct { char *path; pid_t owner; } made[MOST_OPEN];      /* folders, each behind those above it */
static int folders_made;

static void remove_begun(void)
{
    for (int k = 0; k < MOST_OPEN; k++) if (begun[k].part && begun[k].owner == getpid()) unlink(begun[k].part);
    for (int k = folders_made; k-- > 0;) if (made[k].owner == getpid()) rmdir(made[k].path);       /* if it is empty */
}

/* INT, TERM and HUP end the process as they do by default, after the parts that it began are removed (unlink, rmdir and
 * raise are safe in a handler).  What ignores a signal or handles it already goes on doing so. */
static void remove_and_end(int signal_number)
{
    remove_begun();
    raise(signal_number);                /* SA_RESETHAND: ends the process as this handler returns */
}

void outfile_remove_at_signals(void)
{
    static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sigaction act = { .sa_handler = remove_and_end, .sa_flags = SA_RESETHAND };
    for (size_t k = 0; k < COUNT(ending); k++) {
        struct sigaction now;
        if (sigaction(ending[k], NULL, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(ending[k], &act, NULL);
    }
}

static void remove_when_ended(void)
{
    die_after(remove_begun);
    outfile_remove_at_signals();
}

void outfile_folder(const char *path)
{
    char *copy = must_strdup(path), *at = copy;
    remove_when_ended();
    do {
        at = strchr(at + 1, '/');
        if (at) *at = '\0';
        char *name = must_strdup(copy);
        if (make_folder(copy) && folders_made < MOST_OPEN) {
            made[folders_made].path = name;
            made[folders_made++].owner = getpid();
        } else {
            free(name);
        }
        if (at) *at = '/';
    } while (at);
    free(copy);
}

static void begin(char *part)
{
    remove_when_ended();
    for (int k = 0; k < MOST_OPEN; k++) {
        if (begun[k].part) continue;
        begun[k].part = part;
        begun[k].owner = getpid();
        return;
    }
    REQUIRE(false, "%d files are open", MOST_OPEN);
}

static void forget(const char *part)
{
    for (int k = 0; k < MOST_OPEN; k++) if (begun[k].part == part) begun[k].part = NULL;
}

/* Standard output or error, if that is what `s` is; else -1. */
static int standard_stream(const struct stat *s)
{
    struct stat own;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &own) == 0 && own.st_dev == s->st_dev && own.st_ino == s->st_ino) return fd;
    return -1;
}

static bool is_direct(const struct stat *s)
{
    return S_ISFIFO(s->st_mode) || S_ISCHR(s->st_mode) || standard_stream(s) >= 0;
}

bool outfile_is_direct(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && is_direct(&s);
}

/* The name behind all symbolic links. */
static char *followed(const char *path)
{
    char to[4096], *at = must_strdup(path);
    for (int links = 0; links < 40; links++) {
        const ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0) return at;
        to[n] = '\0';
        const char *slash = *to == '/' ? NULL : strrchr(at, '/');
        char *next = must_format("%.*s%s", slash ? (int)(slash - at + 1) : 0, at, to);
        free(at);
        at = next;
    }
    die("cannot write %s: %s", path, strerror(ELOOP));
}

static FILE *open_directly(const char *path, const struct stat *s)
{
    const int stream = standard_stream(s);
    if (stream < 0) return fopen(path, "w");
    fflush(stream == STDOUT_FILENO ? stdout : stderr);
    const int fd = dup(stream);
    return fd < 0 ? NULL : fdopen(fd, "w");
}

static struct { dev_t disk; ino_t file; } *input;
static size_t inputs;

void outfile_input(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return;
    input = must_realloc(input, inputs + 1, sizeof *input);
    input[inputs].disk = s.st_dev;
    input[inputs++].file = s.st_ino;
}

static bool is_input(const struct stat *s)
{
    for (size_t k = 0; k < inputs; k++) if (input[k].disk == s->st_dev && input[k].file == s->st_ino) return true;
    return false;
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

/* The mark of a part is the sticky bit, which Linux does not use on files: it is there from the file's creation on, it
 * outlives a killed process, and no file that somebody else made has it by accident. */
enum { PART_MARK = S_ISVTX };

static bool is_ours(const struct stat *s)
{
    return s->st_uid == geteuid() && s->st_nlink == 1 && (s->st_mode & PART_MARK || s->st_size == 0);
}

int outfile_part_open(const char *part, int flags, const char **why)
{
    enum { ALWAYS = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
    *why = NULL;
    for (;;) {
        struct stat mine, named;
        int fd = open(part, flags | O_CREAT | O_EXCL | ALWAYS, 0666 | PART_MARK);
        const bool began = fd >= 0;
        if (!began && errno == EEXIST) fd = open(part, flags | ALWAYS);
        if (fd < 0 && (errno == ELOOP || errno == ENXIO)) *why = "is not a file; remove it";
        if (fd < 0 && !began && errno == ENOENT && lstat(part, &named) == 0) continue;     /* it was just renamed */
        if (fd < 0) return -1;
        if (fstat(fd, &mine) != 0) {
            const int error = errno;
            if (began) unlink(part);
            close(fd);
            errno = error;
            return -1;
        }
        if (!S_ISREG(mine.st_mode)) *why = "is not a file; remove it";
        else if (!began && !is_ours(&mine))
            *why = "was not begun by this program and would be lost; move it away or remove it";
        else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) *why = outfile_busy;
        const bool same = lstat(part, &named) == 0 && named.st_dev == mine.st_dev && named.st_ino == mine.st_ino;
        if (!*why && same) return fd;
        close(fd);
        if (*why) return -1;
    }
}

/* A file that has got its name is no part any more.  Where the file system keeps no such bit there is nothing to do. */
void outfile_part_renamed(const char *path)
{
    struct stat s;
    if (lstat(path, &s) == 0 && S_ISREG(s.st_mode) && is_ours(&s)) chmod(path, s.st_mode & 07777 & ~(mode_t)PART_MARK);
}

/* The part, empty and locked until it is closed; NULL, and errno. */
static FILE *open_part(const char *path, char *part)
{
    const char *why;
    const int fd = outfile_part_open(part, O_WRONLY, &why);
    if (why == outfile_busy) die("cannot write %s: %s, or choose another name", path, why);
    if (why) die("cannot write %s: %s %s", path, part, why);
    if (fd < 0) return NULL;
    begin(part);
    return ftruncate(fd, 0) == 0 ? fdopen(fd, "w") : NULL;
}

/* The folder of a file that a name leads to. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? must_format("%.*s", (int)(slash - path + 1), path) : must_strdup(".");
}

outfile outfile_open(const char *path)
{
    struct stat s;
    outfile o = { .f = NULL };
    const bool there = stat(path, &s) == 0;
    if (there && is_input(&s)) die("cannot write %s: it is what is read; choose another name", path);
    if (there && S_ISDIR(s.st_mode)) die("cannot write %s: it is a folder; name a file in it", path);
    if (there && is_direct(&s)) {
        o.path = must_strdup(path);
        o.f = open_directly(path, &s);
    } else if (there && !S_ISREG(s.st_mode)) {
        die("cannot write %s: it is not a file, pipe or character device; choose another name", path);
    } else {
        o.path = followed(path);
        o.part = must_format("%s.part", o.path);
        o.folder = folder_of(o.path);
        o.f = open_part(path, o.part);
    }
    if (!o.f) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    return o;
}

/* Errors by which a file system says that it does not know fsync. */
static bool cannot_sync(int why) { return why == EINVAL || why == EROFS || why == ENOTSUP; }

/* A folder that may not be read cannot be asked. */
bool outfile_sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    const bool good = fd >= 0 ? fsync(fd) == 0 || errno == EBADF || cannot_sync(errno) : errno == EACCES;
    const int why = errno;
    if (fd >= 0) close(fd);
    errno = why;
    return good;
}

_Noreturn static void cannot_finish(const outfile *o, int why)
{
    if (!o->part) die("cannot write to %s: %s", o->path, strerror(why));
    die("cannot finish %s: %s; %s", o->path, strerror(why), file_advice(why));
}

void outfile_sync(outfile *o)
{
    bool bad = ferror(o->f) != 0;
    bad |= fflush(o->f) != 0;
    bad |= o->part && fsync(fileno(o->f)) != 0 && !cannot_sync(errno);
    if (bad) cannot_finish(o, errno);
}

void outfile_close(outfile *o)
{
    outfile_sync(o);
    if (fclose(o->f) != 0) cannot_finish(o, errno);
    if (o->part) {
        if (rename(o->part, o->path) != 0) cannot_finish(o, errno);
        forget(o->part);
        while (folders_made > 0) free(made[--folders_made].path);        /* a file is in them: they stay */
        if (!outfile_sync_folder(o->folder))
            die("%s is written, but its folder is not safe on the disk: %s", o->path, strerror(errno));
        outfile_part_renamed(o->path);       /* not before: where the name is lost with the power, it is a part again */
    }
    free(o->path);
    free(o->part);
    free(o->folder);
    *o = (outfile){ 0 };
}

void outfile_abandon(outfile *o)
{
    fclose(o->f);
    if (o->part) {
        unlink(o->part);
        forget(o->part);
    }
    free(o->path);
    free(o->part);
    free(o->folder);
    *o = (outfile){ 0 };
}
