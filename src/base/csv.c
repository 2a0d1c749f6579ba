/* SPDX-License-Identifier: GPL-3.0-or-later
 * csv.c - see csv.h. */
#include "src/base/csv.h"
#include "src/base/admitted.h"
#include "src/base/file.h"
#include "src/base/intern.h"
#include "src/base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void csv_wrong(const csv_file *c, const char *fmt, ...)
{
    char what[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    die("%s:%ld: %s; %s", c->path, c->number, what, c->repair);
}

/* ---- reading --------------------------------------------------------------------------- */

/* The next line without its end; false: the file is at its end. */
static bool next_line(csv_file *c)
{
    do {
        if (!line_next(&c->line, c->f, c->path)) return false;
        c->number++;
    } while (c->passes && c->line.at[0] == '#');
    if (!c->line.whole) csv_wrong(c, "the line is cut off");
    if (line_has_zero(&c->line)) csv_wrong(c, "a zero byte");
    return true;
}

/* Takes the quotes off the cell that begins at `at`, in place; what follows it: a comma or the end. */
static char *unquote(const csv_file *c, char *at, long column)
{
    char *to = at, *from = at + 1;
    for (; *from != '"' || from[1] == '"'; from++) {
        if (!*from) csv_wrong(c, "column %ld: a quote is not closed", column + 1);
        if (*from == '"') from++;
        *to++ = *from;
    }
    from++;
    if (*from && *from != ',') csv_wrong(c, "column %ld: text after the closing quote", column + 1);
    const char end = *from;
    *to = '\0';
    *from = end;
    return from;
}

static void count_columns(csv_file *c)
{
    c->columns = 1;
    for (const char *p = c->header; *p; p++) c->columns += *p == ',';
    c->cell = must_calloc((size_t)c->columns, sizeof *c->cell);
}

csv_file csv_from(FILE *f, const char *path, const char *header, const char *repair)
{
    csv_file c = { .path = path, .header = header, .repair = repair, .f = f };
    count_columns(&c);
    if (!next_line(&c) || strcmp(c.line.at, header) != 0)
        die("%s:1: the first line must be %s; %s", path, header, repair);
    return c;
}

csv_file csv_open(const char *path, const char *header, const char *repair)
{
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s; %s", path, strerror(errno), repair);
    return csv_from(f, path, header, repair);
}

csv_file csv_from_named(FILE *f, const char *path, const char *repair)
{
    csv_file c = { .path = path, .header = "", .repair = repair, .f = f, .passes = true };
    if (!next_line(&c)) return c;
    c.header = c.named = must_strdup(c.line.at);
    count_columns(&c);
    return c;
}

long csv_column(const csv_file *c, const char *name)
{
    const char *at = c->header;
    for (long k = 0; k < c->columns; k++) {
        const size_t n = strcspn(at, ",");
        if (text_is(at, n, name)) return k;
        at += n + 1;
    }
    return -1;
}

_Noreturn static void wrong_cell(const csv_file *c, long column, const char *what)
{
    const char *name = c->header;
    for (long k = 0; k < column; k++) name = strchr(name, ',') + 1;
    csv_wrong(c, "column %.*s, `%.40s`, %s", (int)strcspn(name, ","), name, c->cell[column], what);
}

/* No cell may hold what would act in a document, in a terminal or in a script's lines: also one that nobody asks
 * for. */
static void check_cell(const csv_file *c, long column)
{
    char fault[128], what[160];
    if (!admitted_latex(c->cell[column], fault, sizeof fault)) return;
    snprintf(what, sizeof what, "has %s", fault);
    wrong_cell(c, column, what);
}

bool csv_next(csv_file *c)
{
    if (!next_line(c)) return false;
    char *at = c->line.at;
    for (long k = 0; k < c->columns; k++) {
        if (!at) csv_wrong(c, "%ld columns, not the %ld of the first line", k, c->columns);
        c->cell[k] = at;
        at = *at == '"' ? unquote(c, at, k) : at + strcspn(at, ",");
        const bool last = *at == '\0';
        *at = '\0';
        at = last ? NULL : at + 1;
        check_cell(c, k);
    }
    if (at) csv_wrong(c, "more than the %ld columns of the first line", c->columns);
    return true;
}

void csv_close(csv_file *c)
{
    fclose(c->f);
    text_line_free(&c->line);
    free(c->cell);
    free(c->named);
    *c = (csv_file){ 0 };
}

/* ---- cells ----------------------------------------------------------------------------- */

void csv_text(const csv_file *c, long column, char *to, size_t size)
{
    const size_t n = strlen(c->cell[column]);
    if (n >= size) wrong_cell(c, column, "is too long");
    memcpy(to, c->cell[column], n + 1);
}

static void require_name(const csv_file *c, long column)
{
    if (!admitted_name(c->cell[column]))
        wrong_cell(c, column, "is not a name: letters, digits and . _ + = - only, a letter or digit first, no `..`");
}

static void require_label(const csv_file *c, long column)
{
    if (!admitted_label(c->cell[column])) wrong_cell(c, column, "has a quote, a backslash, a dollar or no ASCII");
}

void csv_name(const csv_file *c, long column, char *to, size_t size)
{
    require_name(c, column);
    csv_text(c, column, to, size);
}

void csv_label(const csv_file *c, long column, char *to, size_t size)
{
    require_label(c, column);
    csv_text(c, column, to, size);
}

const char *csv_kept(const csv_file *c, long column) { return intern(c->cell[column]); }

const char *csv_kept_name(const csv_file *c, long column)
{
    require_name(c, column);
    return intern(c->cell[column]);
}

const char *csv_kept_label(const csv_file *c, long column)
{
    require_label(c, column);
    return intern(c->cell[column]);
}

bool csv_flag(const csv_file *c, long column)
{
    const char *text = c->cell[column];
    if ((*text != '0' && *text != '1') || text[1]) wrong_cell(c, column, "is not 0 or 1");
    return *text == '1';
}

int csv_word(const csv_file *c, long column, int (*index)(const char *word))
{
    const int is = index(c->cell[column]);
    if (is < 0) wrong_cell(c, column, "is not a word that is known here");
    return is;
}

/* Whether a number was read that fills its cell: `end` is where strtol or its like stopped. */
static bool is_whole_cell(const char *text, const char *end)
{
    return *text && *text != ' ' && !*end && !errno;
}

long csv_long(const csv_file *c, long column)
{
    char *end;
    errno = 0;
    const long x = strtol(c->cell[column], &end, 10);
    if (!is_whole_cell(c->cell[column], end)) wrong_cell(c, column, "is not a whole number");
    return x;
}

uint64_t csv_u64(const csv_file *c, long column)
{
    char *end;
    errno = 0;
    const uint64_t x = strtoull(c->cell[column], &end, 10);
    if (*c->cell[column] == '-' || !is_whole_cell(c->cell[column], end))
        wrong_cell(c, column, "is not a whole number from 0");
    return x;
}

double csv_double(const csv_file *c, long column)
{
    char *end;
    errno = 0;
    const double x = strtod(c->cell[column], &end);
    if (errno == ERANGE) errno = 0;      /* a number too small or too large is 0 or infinite, as it was written */
    if (!is_whole_cell(c->cell[column], end)) wrong_cell(c, column, "is not a number");
    return x;
}

/* ---- writing --------------------------------------------------------------------------- */

void csv_field(FILE *f, const char *text, char after)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    REQUIRE(!strchr(text, '\n'), "a cell of two lines: %s", text);
    if (quoted) fputc('"', f);
    for (const char *p = text; *p; p++) {
        if (*p == '"') fputc('"', f);
        fputc(*p, f);
    }
    if (quoted) fputc('"', f);
    fputc(after, f);
}
