/* SPDX-License-Identifier: GPL-3.0-or-later
 * screen.h - how wide a text for people may be, and whether it may have colours. */
#ifndef SCREEN_H
#define SCREEN_H
#include "src/base/base.h"

typedef enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER, COLOUR_CHOICES } colour_choice;
/* Of "auto" "always" "never"; dies, naming the option, where it is none of them. */
colour_choice colour_named(const char *word, const char *option);

enum { SCREEN_LEAST = 40, SCREEN_MOST = 400, SCREEN_USUAL = 100 };
typedef struct { int width; bool colour; } screen;

/* What is written to f.  width: 0, or what an option says; else that of the terminal that f is, else COLUMNS, else
 * SCREEN_USUAL; a terminal narrower than SCREEN_LEAST counts as that.  COLOUR_AUTO: f is a terminal, TERM is not
 * `dumb`, and NO_COLOR is not set, or empty. */
screen screen_of(FILE *f, int width, colour_choice colour);

typedef enum { INK_GOOD, INK_DOUBT, INK_BAD, INK_SOFT, INK_STRONG, INKS } ink;
/* The codes that begin and end a colour; "" where the screen has none. */
const char *screen_ink (const screen *s, ink i);
const char *screen_plain(const screen *s);

/* Characters of UTF-8 text, each of which takes one place on a screen; codes of colours take none. */
int screen_length(const char *text);
/* `first` and then the words of `text`, broken at blanks so that no line is longer than `width`, except for a word that
 * is longer itself; further lines begin with `indent` blanks.  `tail` ends each line that was broken.  A newline in the
 * text begins a line, and no line is broken at a NO_BREAK. */
#define NO_BREAK "\xc2\xa0"
void screen_wrapped(FILE *f, int width, const char *first, const char *text, int indent, const char *tail);
#endif
