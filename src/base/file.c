/* file.c - see file.h. */
#include "src/base/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void file_require(const char *path)
{
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        die("cannot use %s: it is not a regular file, and it will be read again; remove it or choose another name",
            path);
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
    FILE *f = fopen(path, "r");
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
    default:                              return "free some space or choose another folder";    /* or errno is lost */
    }
}
