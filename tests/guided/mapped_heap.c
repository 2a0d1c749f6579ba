/* SPDX-License-Identifier: GPL-3.0-or-later
 * mapped_heap.c - src/base/mapped.h for libFuzzer: a copy of the file's size on the heap, so that AddressSanitizer sees each
 * read behind its end, and a refusal leaves no mapping behind. */
#include "src/base/mapped.h"
#include <stdlib.h>
#include "src/base/file.h"

unsigned char *mapped_open(const char *path, size_t *bytes, const char *advice)
{
    (void)advice;
    if (!file_is_regular(path)) die("%s is not a regular file", path);
    char *text = file_read(path, 1 << 24, bytes);                        /* with a zero behind it, which is no part of it */
    if (!*bytes) die("%s is empty", path);
    return must_realloc(text, *bytes, 1);
}

void mapped_close(unsigned char *at, size_t bytes)
{
    (void)bytes;
    free(at);
}
