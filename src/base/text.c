/* SPDX-License-Identifier: GPL-3.0-or-later
 * text.c - see text.h. */
#include "src/base/text.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *must_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(must_calloc(n, 1), text, n);
}

char *must_format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    REQUIRE(n >= 0, "format %s", fmt);
    char *text = must_calloc((size_t)n + 1, 1);
    va_start(ap, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return text;
}

/* Makes room for n more bytes and a final zero; where they go. */
static char *text_end(text_buffer *t, size_t n)
{
    if (t->room - t->length < n + 1) {
        t->room = 2 * t->room > t->length + n + 1 ? 2 * t->room : t->length + n + 64;
        t->at = must_realloc(t->at, t->room, 1);
    }
    return t->at + t->length;
}

void text_add(text_buffer *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    REQUIRE(n >= 0, "format %s", fmt);
    va_start(ap, fmt);
    vsnprintf(text_end(t, (size_t)n), (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->length += (size_t)n;
}

void text_bytes(text_buffer *t, const char *bytes, size_t n)
{
    char *end = text_end(t, n);
    memcpy(end, bytes, n);
    end[n] = '\0';
    t->length += n;
}

char *text_take(text_buffer *t)
{
    char *text = t->at ? t->at : must_strdup("");
    *t = (text_buffer){ 0 };
    return text;
}

void text_clear(text_buffer *t)
{
    free(t->at);
    *t = (text_buffer){ 0 };
}

char *text_trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--) text[n - 1] = '\0';
    return text;
}

bool text_is(const char *word, size_t n, const char *whole)
{
    return strlen(whole) == n && memcmp(word, whole, n) == 0;
}
