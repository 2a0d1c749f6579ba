/* SPDX-License-Identifier: GPL-3.0-or-later
 * files.c - see files.h. */
#include "tests/support/files.h"
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/suite.h"

typedef struct temporary { struct temporary *next; pid_t owner; bool is_folder; char *text; } temporary;
static temporary *all;

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *at)
{
    (void)about, (void)type, (void)at;
    return remove(path);
}

/* A child inherits the list, and leaves what its parent made alone. */
static void release(void)
{
    while (all) {
        temporary *first = all;
        all = first->next;
        if (first->is_folder && first->owner == getpid()) nftw(first->text, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        free(first->text);
        free(first);
    }
}

static char *keep(char *text, bool is_folder)
{
    if (!all) atexit(release);
    temporary *new = must_calloc(1, sizeof *new);
    *new = (temporary){ all, getpid(), is_folder, text };
    all = new;
    return text;
}

char *temp_folder(void)
{
    const char *base = getenv("TMPDIR");
    char *path = must_format("%s/provably-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(path)) die("cannot make a folder like %s: %s", path, strerror(errno));
    return keep(path, true);
}

char *temp_path(const char *folder, const char *name)
{
    return keep(folder ? must_format("%s/%s", folder, name) : must_strdup(name), false);
}

char *temp_format(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) die("out of memory");
    va_end(arguments);
    return keep(text, false);
}

char *temp_write(const char *folder, const char *name, const void *bytes, size_t n)
{
    char *path = temp_path(folder, name);
    FILE *f = fopen(path, "wb");
    ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
    const size_t written = fwrite(bytes, 1, n, f);
    ck_assert_msg(fclose(f) == 0 && written == n, "%s: %s", path, strerror(errno));
    return path;
}

char *temp_text(const char *folder, const char *name, const char *text)
{
    return temp_write(folder, name, text, strlen(text));
}

char *temp_read(const char *folder, const char *name, size_t *n)
{
    char *path = temp_path(folder, name), *bytes = NULL;
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
    size_t used = 0, room = 0, got;
    do {
        room += 1 << 16;
        bytes = must_realloc(bytes, room, 1);
        got = fread(bytes + used, 1, room - 1 - used, f);
        used += got;
    } while (used == room - 1);
    ck_assert_msg(!ferror(f), "%s: %s", path, strerror(errno));
    fclose(f);
    bytes[used] = '\0';
    if (n) *n = used;
    return keep(bytes, false);
}

bool temp_exists(const char *folder, const char *name)
{
    return access(temp_path(folder, name), F_OK) == 0;
}

void temp_equal(const char *a, const char *b, const char *name)
{
    size_t n, m;
    const char *x = temp_read(a, name, &n), *y = temp_read(b, name, &m);
    ck_assert_msg(n == m && memcmp(x, y, n) == 0, "%s differs:\n%s\n%s", name, x, y);
}

void temp_only(const char *folder, const char *pattern)
{
    DIR *d = opendir(folder);
    ck_assert_msg(d != NULL, "%s: %s", folder, strerror(errno));
    for (struct dirent *e; (e = readdir(d)); )
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ck_assert_msg(fnmatch(pattern, e->d_name, FNM_EXTMATCH) == 0, "%s holds %s", folder, e->d_name);
    closedir(d);
}
