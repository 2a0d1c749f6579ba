/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_compare.c - two folders of evidence, with the fast paths and without: the same outcomes?  See check.h.
 *
 * A row is found by claim, part, case, arithmetic, shape, seed and trial, and, where a part checks several things at
 * one of these, by its place among them.  Compared are all columns of the outcome.  Not compared: seconds, threads,
 * BLAS, what the program was built with; and in floating point and balls what is measured and the verdict of the row
 * has judged: the gap, its bound and slope, the logits, kappa, and `what`, the check with the worst gap.  Over fp, q
 * and sym nothing is measured: they are compared. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/cli/check.h"

typedef struct { char *key, **cell; long line; } compared_row;
typedef struct {
    char *header;
    char **column;                       /* [columns]: their names */
    long columns, arith, trial;
    compared_row *at;                    /* sorted by key and line */
    long n, trials;                      /* the highest number of a trial */
} table;

static bool one_of(const char *word, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++) if (strcmp(word, words[k]) == 0) return true;
    return false;
}

static bool is_compared(const char *column, const char *arith)
{
    static const char *const never[] = { "seconds", "threads", "blas", "build" };
    static const char *const measured[] = { "log2gap", "log2bound", "slope", "log2logit", "kappa", "what" };
    static const char *const exact[] = { "fp", "q", "sym" };
    if (one_of(column, never, COUNT(never))) return false;
    return !one_of(column, measured, COUNT(measured)) || one_of(arith, exact, COUNT(exact));
}

static long column_of(const csv_file *c, const char *name)
{
    const long k = csv_column(c, name);
    if (k < 0) die("%s: no column %s; run make check again", c->path, name);
    return k;
}

static char *key_of(const csv_file *c)
{
    static const char *const name[] = { "id", "part", "case", "arith", "shape", "seed", "trial" };
    const char *is[COUNT(name)];
    for (size_t k = 0; k < COUNT(name); k++) is[k] = c->cell[column_of(c, name[k])];
    return must_format("%s %s %s over %s, %s, seed %s trial %s", is[0], is[1], is[2], is[3], is[4], is[5], is[6]);
}

static int by_key(const void *a, const void *b)
{
    const compared_row *x = a, *y = b;
    const int is = strcmp(x->key, y->key);
    return is ? is : x->line < y->line ? -1 : x->line > y->line;
}

static void read_columns(table *t, const csv_file *c)
{
    const char *at = c->header;
    t->header = must_strdup(c->header);
    t->columns = c->columns;
    t->column = must_calloc((size_t)t->columns + 1, sizeof *t->column);
    for (long k = 0; k < t->columns; k++, at += strcspn(at, ",") + 1)
        t->column[k] = must_format("%.*s", (int)strcspn(at, ","), at);
}

/* Where its columns are others than those of `like`, no rows are read. */
static table read_table(const char *path, const table *like)
{
    table t = { 0 };
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    csv_file c = csv_from_named(f, path, "run make check again");
    read_columns(&t, &c);
    const bool reads = t.columns && (!like || strcmp(like->header, t.header) == 0);
    if (reads) t.arith = column_of(&c, "arith");
    if (reads) t.trial = column_of(&c, "trial");
    while (reads && csv_next(&c)) {
        compared_row r = { key_of(&c), must_calloc((size_t)t.columns, sizeof *r.cell), t.n };
        for (long k = 0; k < t.columns; k++) r.cell[k] = must_strdup(c.cell[k]);
        const long trial = csv_long(&c, t.trial);
        if (trial > t.trials) t.trials = trial;
        t.at = must_realloc(t.at, (size_t)t.n + 1, sizeof *t.at);
        t.at[t.n++] = r;
    }
    csv_close(&c);
    if (t.n) qsort(t.at, (size_t)t.n, sizeof *t.at, by_key);
    return t;
}

static void table_free(table *t)
{
    for (long i = 0; i < t->n; i++) {
        for (long k = 0; k < t->columns; k++) free(t->at[i].cell[k]);
        free(t->at[i].cell);
        free(t->at[i].key);
    }
    for (long k = 0; k < t->columns; k++) free(t->column[k]);
    free(t->column);
    free(t->header);
    free(t->at);
}

static bool same_row(const table *t, const compared_row *was, const compared_row *is)
{
    bool same = true;
    for (long k = 0; k < t->columns; k++) {
        if (strcmp(was->cell[k], is->cell[k]) == 0 || !is_compared(t->column[k], is->cell[t->arith])) continue;
        printf("%s: %s is %s, plain %s\n", is->key, t->column[k], was->cell[k], is->cell[k]);
        same = false;
    }
    return same;
}

/* A plain run of fewer trials is compared as far as it goes; of as many, no row may be missing. */
static bool same_rows(const table *fast, const table *plain, const char *path)
{
    bool same = plain->n > 0;
    if (strcmp(fast->header, plain->header) != 0) {
        printf("%s: other columns\n", path);
        return false;
    }
    if (!plain->n) printf("%s: no rows\n", path);
    for (long f = 0, p = 0; f < fast->n || p < plain->n;) {
        const compared_row *was = f < fast->n ? &fast->at[f] : NULL, *is = p < plain->n ? &plain->at[p] : NULL;
        const int order = was && is ? strcmp(was->key, is->key) : was ? -1 : 1;
        if (is && order > 0) printf("%s: only with the fast paths off\n", is->key);
        if (was && order < 0 && fast->trials == plain->trials)
            printf("%s: missing with the fast paths off\n", was->key);
        same &= was && is && order == 0 ? same_row(plain, was, is) : order < 0 && fast->trials != plain->trials;
        f += order <= 0;
        p += order >= 0;
    }
    return same;
}

/* The exit status of a program that failed; NULL: it did not, or nobody knows. */
static char *status_in(const char *folder, const char *name)
{
    char *path = must_format("%s/%s.failed", folder, name);
    text_line line = { 0 };
    FILE *f = file_open(path);
    char *status = f && line_next(&line, f, path) ? must_strdup(line.at) : NULL;
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
    return status;
}

static bool same_program(const check_suite *s, const char *folder, const char *name)
{
    char *fast = evidence_path(s, name, "csv"), *plain = must_format("%s/%s.csv", folder, name);
    char *failed = status_in(folder, name);
    bool same = false;
    if (failed || access(fast, F_OK) != 0 || access(plain, F_OK) != 0)
        printf("%s: no rows to compare, exit status %s, see %s/%s.log\n", name, failed ? failed : "unknown", folder,
               name);
    else {
        table a = read_table(fast, NULL), b = read_table(plain, &a);
        same = same_rows(&a, &b, plain);
        table_free(&a);
        table_free(&b);
    }
    free(failed);
    free(fast);
    free(plain);
    return same;
}

bool suite_compare(const check_suite *s, const char *folder)
{
    bool same = true;
    for (long k = 0; k < s->n; k++) same &= same_program(s, folder, s->at[k].name);
    if (same) printf("The same outcomes with the fast paths off: %ld programs\n", s->n);
    return same;
}
