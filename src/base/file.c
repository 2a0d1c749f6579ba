/* SPDX-License-Identifier: GPL-3.0-or-later
 * file.c - see file.h. */
#include "src/base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

bool file_is_regular(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

void file_require(const char *path)
{
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        die("cannot use %s: it is not a regular file, and it will be read again; remove it or choose another name",
            path);
}

static bool is_open_pipe(int fd)
{
    struct statfs on;
    return fstatfs(fd, &on) == 0 && on.f_type == PIPEFS_MAGIC;
}

FILE *file_open(const char *path)
{
    struct stat s;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);         /* a pipe is not waited for */
    if (fd < 0 || fstat(fd, &s) != 0) return NULL;
    if (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode) && !is_open_pipe(fd))
        die("cannot read %s: it is a %s, not a file; name a file", path, S_ISFIFO(s.st_mode) ? "named pipe" : "device");
    fcntl(fd, F_SETFL, O_RDONLY);
    return fdopen(fd, "r");
}

char *file_read_open(FILE *f, const char *path, size_t most, size_t *length)
{
    text_buffer t = { 0 };
    char piece[1 << 14];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0) {
        text_bytes(&t, piece, n);
        if (t.length > most) die("%s has more than %zu bytes, too many for a file of its kind", path, most);
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    if (length) *length = t.length;
    return text_take(&t);
}

char *file_read(const char *path, size_t most, size_t *length)
{
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    char *text = file_read_open(f, path, most, length);
    fclose(f);
    return text;
}

void make_parents(const char *path)
{
    char *copy = must_strdup(path);
    for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        make_folder(copy);
        *at = '/';
    }
    free(copy);
}

bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST) die("cannot make the folder %s: %s; choose another", path, strerror(errno));
    return false;
}

const char *file_advice(int why)
{
    switch (why) {
    case ENOENT: case ENOTDIR:            return "make the folder or choose another";
    case EACCES: case EPERM: case EROFS:  return "choose a folder in which you may write";
    case EFBIG:                           return "raise the limit (ulimit -f) or choose a folder on another disk";
    case ENAMETOOLONG:                    return "choose a shorter name";
    case EISDIR:                          return "it is a folder: choose another name";
    case ELOOP:                           return "its symbolic links lead in a circle: choose another name";
    case ENXIO: case ENODEV:              return "nothing reads it, or its device is gone: choose another name";
    case EMFILE: case ENFILE:             return "close some files, or raise the limit (ulimit -n)";
    case ENOMEM:                          return "free some memory";
    case EIO:       /* or errno is lost */     return "free some space, or look at the health of the disk";
    default:                              return "free some space or choose another folder";    /* or errno is lost */
    }
}
