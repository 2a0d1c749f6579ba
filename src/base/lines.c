/* SPDX-License-Identifier: GPL-3.0-or-later
 * lines.c - see lines.h. */
#include "src/base/lines.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 26 };

static void require_read(FILE *f, const char *path)
{
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
}

bool line_next(text_line *l, FILE *f, const char *path)
{
    int c;
    for (l->length = 0; (c = getc_unlocked(f)) != EOF && c != '\n'; l->at[l->length++] = (char)c) {
        if (l->length == LINE_BYTES)
            die("cannot read %s: it has a line of more than %d bytes; no file of this suite has", path, LINE_BYTES);
        if (l->length + 1 < l->room) continue;
        l->room = 2 * l->room + 128;
        l->at = must_realloc(l->at, l->room, 1);
    }
    require_read(f, path);
    if (!l->at) l->at = must_calloc(l->room = 128, 1);
    l->at[l->length] = '\0';
    l->whole = c == '\n';
    return l->whole || l->length;
}

bool line_has_zero(const text_line *l) { return strlen(l->at) != l->length; }

void text_line_free(text_line *l)
{
    free(l->at);
    *l = (text_line){ 0 };
}

bool line_begins(FILE *f, const char *path, const char *text)
{
    while (*text && getc_unlocked(f) == (unsigned char)*text) text++;
    require_read(f, path);
    return !*text;
}
