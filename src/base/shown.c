/* SPDX-License-Identifier: GPL-3.0-or-later
 * shown.c - see shown.h. */
#include "src/base/shown.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *shown_text(const char *text)
{
    text_buffer t = { 0 };
    char one[SHOWN_LONGEST];
    while (*text) {
        text += shown_character(one, text);
        text_bytes(&t, one, strlen(one));
    }
    return text_take(&t);
}

char *shown_bytes(const char *bytes, size_t n)
{
    text_buffer copy = { 0 }, t = { 0 };                 /* ends in a zero, behind which no character is read */
    text_bytes(&copy, bytes, n);
    for (size_t k = 0, length; k < n; k += length) {
        char one[SHOWN_LONGEST] = "\\x00";
        length = copy.at[k] ? shown_character(one, copy.at + k) : 1;
        text_bytes(&t, one, strlen(one));
    }
    text_clear(&copy);
    return text_take(&t);
}

char *shown_short(const char *text, size_t most)
{
    text_buffer t = { 0 };
    char one[SHOWN_LONGEST];
    size_t whole = 0;                                    /* so much, and "...", fits */
    while (*text && t.length <= most) {
        text += shown_character(one, text);
        text_bytes(&t, one, strlen(one));
        if (t.length + 3 <= most) whole = t.length;
    }
    if (t.length > most) memcpy(t.at + whole, "...", 4);
    return text_take(&t);
}

void shown_write(FILE *f, const char *text)
{
    char one[SHOWN_LONGEST];
    while (*text) {
        text += shown_character(one, text);
        fputs(one, f);
    }
}

void shown_json(FILE *f, const char *json)
{
    char one[SHOWN_LONGEST];
    while (*json) {
        const char c = *json;
        json += shown_character(one, json);
        if (c == '\n') fputc(c, f);
        else if (strncmp(one, "\\x", 2) == 0) fprintf(f, "\\u00%s", one + 2);       /* \x7f is none of JSON's escapes */
        else fputs(one, f);
    }
}

enum { LONGEST_LINE = 1 << 15 };

bool shown_as_is(const char *text)
{
    char *shown = shown_text(text);
    const bool same = strcmp(shown, text) == 0;
    free(shown);
    return same;
}

void shown_vprint(FILE *f, const char *fmt, va_list ap)
{
    static char text[LONGEST_LINE];
    shown_format(text, sizeof text, fmt, ap);
    fputs(text, f);
}

void shown_print(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    shown_vprint(f, fmt, ap);
    va_end(ap);
}

/* In $'..' every byte of what is escaped is \xHH, and a backslash is doubled. */
static ssize_t write_escaped(void *to, const char *bytes, size_t n)
{
    FILE *f = to;
    for (size_t at = 0; at < n; ) {
        size_t plain = 0;
        while (at + plain < n && !strchr("\n\t", bytes[at + plain] ? bytes[at + plain] : 'x')) plain++;
        char *piece = shown_bytes(bytes + at, plain);
        fputs(piece, f);
        free(piece);
        at += plain;
        if (at < n) putc(bytes[at++], f);
    }
    return fflush(f) == 0 && !ferror(f) ? (ssize_t)n : 0;
}

FILE *shown_terminal(FILE *f)
{
    /* a longer line may be cut within a character, which is escaped */
    enum { LINE = 1 << 16 };
    if (!isatty(fileno(f))) return f;
    FILE *in_front = fopencookie(f, "w", (cookie_io_functions_t){ .write = write_escaped });
    if (!in_front || setvbuf(in_front, NULL, _IOLBF, LINE) != 0) die("no memory for a line of the terminal");
    return in_front;
}

static void ansi_word(text_buffer *t, const char *text)
{
    text_add(t, "$'");
    for (char one[SHOWN_LONGEST]; *text; ) {
        const size_t n = shown_character(one, text);
        const bool same = strlen(one) == n && memcmp(one, text, n) == 0;
        if (!same) for (size_t k = 0; k < n; k++) text_add(t, "\\x%02x", (unsigned)(unsigned char)text[k]);
        else text_add(t, "%s%s", *one == '\\' || *one == '\'' ? "\\" : "", one);
        text += n;
    }
    text_add(t, "'");
}

char *shell_word(const char *text)
{
    text_buffer t = { 0 };
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (*text && !text[strspn(text, plain)]) return must_strdup(text);
    if (!shown_as_is(text)) {
        ansi_word(&t, text);
        return text_take(&t);
    }
    text_add(&t, "'");
    for (; *text; text++) {
        if (*text == '\'') text_add(&t, "'\\''");
        else text_bytes(&t, text, 1);
    }
    text_add(&t, "'");
    return text_take(&t);
}
