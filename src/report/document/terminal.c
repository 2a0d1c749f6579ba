/* SPDX-License-Identifier: GPL-3.0-or-later
 * terminal.c - see terminal.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/base/shown.h"
#include "src/report/document/plain_text.h"
#include "src/report/document/terminal.h"

/* What is left of a cell, which begins in this column of the screen. */
typedef struct { char *text, *rest; int from, width; column_kind kind; ink shown; bool badge; } cell_left;
enum { MOST_CELLS = 32 };

/* The last column that a terminal shows. */
static long last_column(const doc_table *t)
{
    long k = t->columns - 1;
    while (!doc_is_for(t->column[k].to, TO_TERMINAL)) k--;
    return k;
}

/* The colours of the page: green, yellow, red. */
static ink ink_of(const char *colour)
{
    static const struct { const char *colour; ink shown; } inks[] = {
        { "PROVED", INK_GOOD }, { "SUPPORTED", INK_GOOD }, { "MEASURED", INK_GOOD }, { "CAVEAT", INK_DOUBT },
        { "SLIP", INK_DOUBT }, { "REFUTED", INK_BAD }, { "HYPOTHESIS-FAILED", INK_BAD }, { "bad", INK_BAD } };
    for (size_t k = 0; k < COUNT(inks); k++) if (strcmp(inks[k].colour, colour) == 0) return inks[k].shown;
    return INK_SOFT;
}

/* Takes the text. */
static cell_left cell_begin(char *text, const doc_column *column, int from, int width)
{
    return (cell_left){ .text = text, .rest = text, .from = from, .width = width, .kind = column->kind };
}

static cell_left cell_of(const doc_line *l, const doc_column *column, int from, int width)
{
    char *text = plain_text(l, TO_TERMINAL);
    cell_left c = cell_begin(shown_text(text), column, from, width);
    free(text);
    for (long k = 0; k < l->n; k++) {
        if (l->at[k].kind != SPAN_BADGE) continue;
        c.badge = true;
        c.shown = ink_of(l->at[k].tag);
    }
    return c;
}

/* How many bytes of the rest go into one line: whole words, or of a word that is too long as much as there is room. */
static int piece_length(const cell_left *c)
{
    const int n = (int)strlen(c->rest);
    if (!c->width || n <= c->width || c->kind == COLUMN_NUMBER) return n;
    int at = c->width;
    while (at > 0 && c->rest[at] != ' ') at--;
    return at > 0 ? at : c->width;
}

/* The next line of the cell, `used` places of which are taken; returns how many are then. */
static int write_piece(FILE *f, const screen *s, cell_left *c, int used)
{
    const int n = piece_length(c);
    if (!n) return used;
    const int blank = c->from - used + (c->kind == COLUMN_NUMBER && c->width > n ? c->width - n : 0);
    fprintf(f, "%*s%s%.*s%s", blank > 0 ? blank : 0, "", c->badge ? screen_ink(s, c->shown) : "", n, c->rest,
            c->badge ? screen_plain(s) : "");
    c->rest += n;
    c->rest += strspn(c->rest, " ");
    return used + (blank > 0 ? blank : 0) + n;
}

static void write_cells(FILE *f, const screen *s, cell_left *cell, long n)
{
    for (bool more = true; more; ) {
        int used = 0;
        more = false;
        for (long k = 0; k < n; k++) {
            used = write_piece(f, s, &cell[k], used);
            more |= *cell[k].rest != '\0';
        }
        fputc('\n', f);
    }
    for (long k = 0; k < n; k++) free(cell[k].text);
}

static void write_row(FILE *f, const doc_table *t, const doc_row *r, const screen *s)
{
    const long last = last_column(t);
    cell_left cell[MOST_CELLS];
    long n = 0;
    int from = r->heading ? 0 : t->indent;
    for (long k = 0, column = 0; k < r->n && column <= last; k++) {
        const int spanned = r->cell[k].columns ? r->cell[k].columns : 1;
        int width = t->column[column].chars;
        for (long i = column + 1; i < column + spanned && i < t->columns; i++) width += 1 + t->column[i].chars;
        if (doc_is_for(t->column[column].to, TO_TERMINAL)) {
            REQUIRE(n < MOST_CELLS, "%ld cells", n);
            cell[n++] = cell_of(&r->cell[k].text, &t->column[column], from, r->heading ? 0 : width);
            from += width + 1;
            if (r->heading) break;
        }
        column += spanned;
    }
    write_cells(f, s, cell, n);
}

/* Lines that are too long are wrapped and keep their indentation. */
static void write_below(FILE *f, const doc_line *below, const screen *s)
{
    char *text = plain_text(below, TO_TERMINAL), *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const int blank = (int)strspn(line, " ");
        char *first = must_format("%*s", blank, "");
        screen_wrapped(f, s->width, first, line + blank, blank, "");
        free(first);
    }
    free(text);
}

void terminal_table(FILE *f, const doc_table *t, const screen *s)
{
    const long last = last_column(t);
    cell_left title[MOST_CELLS];
    long n = 0;
    int from = t->indent;
    REQUIRE(t->columns <= MOST_CELLS, "%ld columns", t->columns);
    for (long k = 0; k <= last; k++) {
        if (!doc_is_for(t->column[k].to, TO_TERMINAL)) continue;
        title[n++] = cell_begin(latex_as_text(t->column[k].title), &t->column[k], from, t->column[k].chars);
        from += t->column[k].chars + 1;
    }
    write_cells(f, s, title, n);
    for (long k = 0; k < t->n; k++) {
        if (!doc_is_for(t->row[k].to, TO_TERMINAL)) continue;
        write_row(f, t, &t->row[k], s);
        write_below(f, &t->row[k].below, s);
    }
}
