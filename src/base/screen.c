/* SPDX-License-Identifier: GPL-3.0-or-later
 * screen.c - see screen.h. */
#include "src/base/screen.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "src/base/option.h"
#include "src/base/shown.h"

colour_choice colour_named(const char *word, const char *option)
{
    static const char *const words[COLOUR_CHOICES] = { "auto", "always", "never" };
    return (colour_choice)option_word(word, option, words, COLOUR_CHOICES);
}

static int within(long width)
{
    return width < SCREEN_LEAST ? SCREEN_LEAST : width > SCREEN_MOST ? SCREEN_MOST : (int)width;
}

static int width_of(FILE *f)
{
    struct winsize size;
    if (isatty(fileno(f)) && ioctl(fileno(f), TIOCGWINSZ, &size) == 0 && size.ws_col) return within(size.ws_col);
    const char *columns = getenv("COLUMNS");
    char *end;
    const long n = columns ? strtol(columns, &end, 10) : 0;
    return n > 0 && !*end ? within(n) : SCREEN_USUAL;
}

static bool colour_wanted(FILE *f)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(fileno(f)) && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

screen screen_of(FILE *f, int width, colour_choice colour)
{
    return (screen){ .width = width ? width : width_of(f),
                     .colour = colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && colour_wanted(f)) };
}

const char *screen_ink(const screen *s, ink i)
{
    static const char *const code[INKS] = { [INK_GOOD] = "\033[32m", [INK_DOUBT] = "\033[33m", [INK_BAD] = "\033[31m",
                                            [INK_SOFT] = "\033[2m", [INK_STRONG] = "\033[1m" };
    return s->colour ? code[i] : "";
}

const char *screen_plain(const screen *s) { return s->colour ? "\033[0m" : ""; }

/* Of the first n bytes: those that do not continue a character, and are not the code of a colour. */
static int length_of(const char *text, size_t n)
{
    int length = 0;
    bool code = false;
    for (size_t k = 0; k < n; k++) {
        if (text[k] == '\033') code = true;
        length += !code && ((unsigned char)text[k] & 0xc0) != 0x80;
        if (text[k] == 'm') code = false;
    }
    return length;
}

int screen_length(const char *text) { return length_of(text, strlen(text)); }

/* A no-break space is written as a blank; what would command the terminal is escaped: a text of a file may spell our
 * colours, so that ours stand in `first` alone. */
static void put_word(FILE *f, const char *word, size_t n)
{
    for (size_t k = 0, length; k < n; k += length) {
        char one[SHOWN_LONGEST];
        const bool no_break = k + 1 < n && word[k] == '\xc2' && word[k + 1] == '\xa0';
        if (no_break) {
            fputc(' ', f);
            length = 2;
        } else {
            length = shown_character(one, word + k);
            fputs(one, f);
        }
    }
}

void screen_wrapped(FILE *f, int width, const char *first, const char *text, int indent, const char *tail)
{
    const int room = width - screen_length(tail);
    int used = screen_length(first), gap = 0;
    fputs(first, f);
    for (const char *p = text + strspn(text, " "); *p; ) {
        const size_t n = strcspn(p, " \n");
        const int length = length_of(p, n);
        if (gap && used + gap + length > room) {
            fprintf(f, "%s\n%*s", tail, indent, "");
            used = indent;
            gap = 0;
        }
        fprintf(f, "%*s", gap, "");
        put_word(f, p, n);
        used += gap + length;
        p += n;
        gap = (int)strspn(p, " ");
        p += gap;
        if (*p != '\n') continue;
        while (*p == ' ' || *p == '\n') p++;
        if (*p) fprintf(f, "\n%*s", indent, "");
        used = indent;
        gap = 0;
    }
    fputc('\n', f);
}
