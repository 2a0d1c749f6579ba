/* terminal.c - see terminal.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/plain_text.h"
#include "src/report/document/terminal.h"

void terminal_wrapped(FILE *f, const char *first, const char *text, const char *tail)
{
    int used = fprintf(f, "%s", first), words = 0;
    for (const char *p = text; *p; words++) {
        const int n = (int)strcspn(p, " ");
        if (words && used + 1 + n > TERMINAL_COLUMNS - (int)strlen(tail)) {
            fprintf(f, "%s\n", tail);
            used = fprintf(f, "      %.*s", n, p);
        } else {
            used += fprintf(f, "%s%.*s", words ? " " : "", n, p);
        }
        p += n;
        while (*p == ' ') p++;
    }
    fprintf(f, "\n");
}

/* Cut to its width, which ".." shows; nothing follows the last cell of a row. */
static void write_cell(FILE *f, const char *text, int width, column_kind kind, bool last)
{
    const int n = (int)strlen(text);
    if (kind == COLUMN_NUMBER) fprintf(f, "%*s", width, text);
    else if (width && n > width) fprintf(f, "%.*s..", width - 2, text);
    else fprintf(f, "%-*s", last ? 0 : width, text);
    fputc(last ? '\n' : ' ', f);
}

/* The last column that a terminal shows. */
static long last_column(const doc_table *t)
{
    long k = t->columns - 1;
    while (!doc_is_for(t->column[k].to, TO_TERMINAL)) k--;
    return k;
}

static void write_row(FILE *f, const doc_table *t, const doc_row *r)
{
    const long last = last_column(t);
    fprintf(f, "%*s", r->heading ? 0 : t->indent, "");
    for (long k = 0, column = 0; k < r->n && column <= last; k++) {
        const int spanned = r->cell[k].columns ? r->cell[k].columns : 1;
        int width = t->column[column].chars;
        for (long i = column + 1; i < column + spanned && i < t->columns; i++) width += 1 + t->column[i].chars;
        if (doc_is_for(t->column[column].to, TO_TERMINAL)) {
            char *text = plain_text(&r->cell[k].text, TO_TERMINAL);
            write_cell(f, text, r->heading ? 0 : width, t->column[column].kind, r->heading || column + spanned > last);
            free(text);
            if (r->heading) return;
        }
        column += spanned;
    }
}

/* Lines that are too long are wrapped and keep their indentation. */
static void write_below(FILE *f, const doc_line *below)
{
    char *text = plain_text(below, TO_TERMINAL), *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const int blank = (int)strspn(line, " ");
        char *first = must_format("%*s", blank, "");
        if (strlen(line) > TERMINAL_COLUMNS) terminal_wrapped(f, first, line + blank, "");
        else fprintf(f, "%s\n", line);
        free(first);
    }
    free(text);
}

void terminal_table(FILE *f, const doc_table *t)
{
    const long last = last_column(t);
    fprintf(f, "%*s", t->indent, "");
    for (long k = 0; k <= last; k++)
        if (doc_is_for(t->column[k].to, TO_TERMINAL))
            write_cell(f, t->column[k].title, t->column[k].chars, t->column[k].kind, k == last);
    for (long k = 0; k < t->n; k++) {
        if (!doc_is_for(t->row[k].to, TO_TERMINAL)) continue;
        write_row(f, t, &t->row[k]);
        write_below(f, &t->row[k].below);
    }
}
