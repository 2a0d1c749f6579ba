/* SPDX-License-Identifier: GPL-3.0-or-later
 * escape.c - see escape.h. */
#include "src/base/escape.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The character of UTF-8 at p and its length; -1 and 1: p begins none.  Overlong forms and surrogates are none. */
static long character_at(const char *p, size_t *length)
{
    static const long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)*p;
    *length = 1;
    if (first < 0x80) return first;
    const size_t n = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3
                   : first >= 0xc0 && first < 0xe0 ? 2 : 1;
    if (n == 1) return -1;
    long c = first & (0xff >> (n + 1));
    for (size_t k = 1; k < n; k++) {
        const unsigned char next = (unsigned char)p[k];
        if ((next & 0xc0) != 0x80) return -1;
        c = c << 6 | (next & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return -1;
    *length = n;
    return c;
}

static bool is_command(long c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

size_t shown_character(char *to, const char *p)
{
    size_t length;
    const long c = character_at(p, &length);
    if (c < 0 || (c < 0x80 && is_command(c))) snprintf(to, SHOWN_LONGEST, "\\x%02x", (unsigned)(unsigned char)*p);
    else if (is_command(c)) snprintf(to, SHOWN_LONGEST, "\\u%04x", (unsigned)c & 0xffff);
    else {
        memcpy(to, p, length);
        to[length] = '\0';
    }
    return length;
}

enum { LONGEST_FORMAT = 4096, LONGEST_MESSAGE = 1 << 15 };

/* The format with `mark` for each of its newlines. */
static void marked(char to[LONGEST_FORMAT], const char *fmt, char mark)
{
    snprintf(to, LONGEST_FORMAT, "%s", fmt);
    for (char *p = to; *p; p++) if (*p == '\n') *p = mark;
}

/* Formatted twice with different marks: where the results differ stands a newline of the format. */
void shown_format(char *to, size_t size, const char *fmt, va_list ap)
{
    static char format[LONGEST_FORMAT], a[LONGEST_MESSAGE], b[LONGEST_MESSAGE];
    char one[SHOWN_LONGEST];
    va_list again;
    va_copy(again, ap);
    marked(format, fmt, 1);
    if (vsnprintf(a, sizeof a, format, ap) < 0) snprintf(a, sizeof a, "%s", fmt);
    marked(format, fmt, 2);
    if (vsnprintf(b, sizeof b, format, again) < 0) snprintf(b, sizeof b, "%s", fmt);
    va_end(again);
    size_t n = 0;
    for (const char *p = a; *p; ) {
        const bool ours = b[p - a] != *p;
        const size_t length = ours ? 1 : shown_character(one, p);
        const char *piece = ours ? "\n" : one;
        if (n + strlen(piece) >= size) break;
        memcpy(to + n, piece, strlen(piece));
        n += strlen(piece);
        p += length;
    }
    to[n] = '\0';
}
