/* SPDX-License-Identifier: GPL-3.0-or-later
 * readers.c - see readers.h. */
#include "tests/readers/readers.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const file_reader *const reader_lists[READER_LISTS] = { readers_of_models, readers_of_data, readers_of_rows, readers_of_runs };

char *reader_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? must_format("%.*s", (int)(slash - path), path) : must_strdup(".");
}

void reader_put(const char *folder, const char *name, const void *bytes, size_t n)
{
    char *path = must_format("%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    const bool written = f && fwrite(bytes, 1, n, f) == n;
    if (!f || fclose(f) != 0 || !written) die("cannot write %s: %s", path, strerror(errno));
    free(path);
}
