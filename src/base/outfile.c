/* outfile.c - see outfile.h. */
#include "src/base/outfile.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/file.h"

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

void outfile_folder(const char *path)
{
    char *copy = must_strdup(path), *at = copy;
    die_after(remove_begun);
    do {
        at = strchr(at + 1, '/');
        if (at) *at = '\0';
        if (make_folder(copy) && folders_made < MOST_OPEN) {
            made[folders_made].path = must_strdup(copy);
            made[folders_made++].owner = getpid();
        }
        if (at) *at = '/';
    } while (at);
    free(copy);
}

static void begin(char *part)
{
    die_after(remove_begun);
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

/* The regular file PATH.part, empty and locked until it is closed.  A part that was renamed before the lock was had is
 * another's finished file: the next one is ours. */
static FILE *open_part(const char *path, const char *part)
{
    for (;;) {
        struct stat mine, named;
        const int fd = open(part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (fd < 0 || fstat(fd, &mine) != 0) return NULL;
        if (!S_ISREG(mine.st_mode)) die("cannot write %s: %s is not a file; remove it", path, part);
        if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            die("cannot write %s: another process is writing it; wait until it has ended, or choose another name",
                path);
        const bool same = stat(part, &named) == 0 && named.st_dev == mine.st_dev && named.st_ino == mine.st_ino;
        if (same) return ftruncate(fd, 0) == 0 ? fdopen(fd, "w") : NULL;
        close(fd);
    }
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
        o.f = open_part(path, o.part);
    }
    if (!o.f) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    if (o.part) begin(o.part);
    return o;
}

/* The name of a new file is on the disk when its folder is; a folder that may not be read cannot be asked. */
static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? must_format("%.*s", (int)(slash - path + 1), path) : must_strdup(".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    const bool good = fd >= 0 ? fsync(fd) == 0 || errno == EINVAL || errno == EROFS : errno == EACCES;
    const int why = errno;
    if (fd >= 0) close(fd);
    free(folder);
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
    bad |= o->part && fsync(fileno(o->f)) != 0 && errno != EINVAL && errno != EROFS;
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
        if (!sync_folder(o->path))
            die("%s is written, but its folder is not safe on the disk: %s", o->path, strerror(errno));
    }
    free(o->path);
    free(o->part);
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
    *o = (outfile){ 0 };
}
