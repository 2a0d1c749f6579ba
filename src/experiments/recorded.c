/* recorded.c - whether recorded lines follow from the values in them: see results.h.
 *
 * The lines of a part are made again, from their values alone, and compared cell by cell.  A file may have been made
 * from figures of more digits than it shows: a mean, the ends of an interval and a difference between two lines have
 * the room that this rounding leaves, all else must be the same text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/figures.h"
#include "src/experiments/statistics.h"

enum { MANY_SEEDS = 10000 };
typedef struct { const result *line; long n, at; } recorded;           /* at: the line that is looked at     */

/* ---- each line once, in the order of the preset --------------------------------------------------------- */

static char *called(const result *r)
{
    return must_format("%s of `%s`, `%s`, part %s of preset %s, scale %s", r->cell[R_KIND], r->cell[R_ROW],
                       r->cell[R_METRIC], r->cell[R_PART], r->cell[R_PRESET], r->cell[R_SCALE]);
}

static char *wrong_name(const preset *p, const experiment *e, const recorded *l)
{
    static const result_cell name[] = { R_PRESET, R_PART, R_KIND, R_ROW, R_METRIC, R_SCALE, R_CLAIM, R_TABLE };
    const result *r = l->at < l->n ? &l->line[l->at] : NULL;
    result must = figures_line_named(p, e, l->at);
    char *it = called(&must), *wrong = r ? NULL : must_format("the line is missing that says: %s", it);
    for (size_t k = 0; r && !wrong && k < COUNT(name); k++) {
        const char *is = r->cell[name[k]], *is_to = must.cell[name[k]];
        if (strcmp(is, is_to) != 0)
            wrong = must_format("%s is `%s`, not `%s`; here must be: %s", result_cell_name[name[k]], is, is_to, it);
    }
    free(it);
    result_free(&must);
    return wrong;
}

static char *wrong_names(const preset *p, const experiment *e, recorded *l)
{
    const long lines = figures_lines(e);
    char *wrong = NULL;
    for (l->at = 0; !wrong && l->at < lines; l->at += !wrong) wrong = wrong_name(p, e, l);
    if (wrong || l->n == lines) return wrong;
    return must_format("a line more than the %ld of part %s of preset %s", lines, e->name, p->name);
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* Numbers, apart by single blanks, to x (NULL: only counted); -1: something else. */
static long take_numbers(const char *text, double *x, long most)
{
    long n = 0;
    while (*text && n < most) {
        char *end;
        const double value = strtod(text, &end);
        if (end == text || *text == ' ' || (*end && (*end != ' ' || !end[1]))) return -1;
        if (x) x[n] = value;
        n++;
        text = end + (*end == ' ');
    }
    return *text ? -1 : n;
}

static long whole_number(const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);
    return end == text || *end || n > MANY_SEEDS ? -1 : n;
}

static long seeds_of(const experiment *e, const result *first)
{
    return e->eliminates ? whole_number(first->cell[R_N]) : take_numbers(first->cell[R_VALUES], NULL, MANY_SEEDS);
}

static char *take_line(figures *f, const result *r, figures_place at)
{
    char *end;
    if (at.kind == CHECK) {                                   /* its values are those of the lines before  */
        if (!f->e->eliminates) return NULL;
        f->gap[at.row] = strtod(r->cell[R_MEAN], &end);
        f->exact[at.row] = result_is(r, R_PAPER, "0");
        return end == r->cell[R_MEAN] || *end ? must_format("mean `%s` is no number", r->cell[R_MEAN]) : NULL;
    }
    double *x = at.kind == RUN ? figures_row(f, at.metric, at.row) : f->difference + at.plan * f->seeds;
    const long n = take_numbers(r->cell[R_VALUES], x, f->seeds);
    if (n == f->seeds) return NULL;
    return must_format("values `%s` are not %ld numbers, one a seed, as the part's first line has", r->cell[R_VALUES],
                       f->seeds);
}

/* A recorded difference is that of the two recorded figures, as far as they are written out. */
static char *wrong_difference(const figures *f, long plan)
{
    const planned *of = &f->e->plan[plan];
    const double *a = figures_named(f, of->first), *b = figures_named(f, of->second);
    const double *d = f->difference + plan * f->seeds;
    for (long k = 0; k < f->seeds; k++) {
        const double is = a[k] - b[k];
        const double room = figures_rounding(a[k]) + figures_rounding(b[k]) + figures_rounding(d[k]);
        if (isfinite(is) ? fabs(d[k] - is) <= room * (1 + 1e-9) : !isfinite(d[k])) continue;
        return must_format("values: difference %ld is %.6g, but %s has %.6g and %s %.6g", k + 1, d[k], of->first, a[k],
                           of->second, b[k]);
    }
    return NULL;
}

static char *take_values(figures *f, recorded *l)
{
    char *wrong = NULL;
    for (l->at = 0; !wrong && l->at < l->n; l->at += !wrong) {
        const figures_place at = figures_line_place(f->e, l->at);
        wrong = take_line(f, &l->line[l->at], at);
        if (!wrong && at.kind == COMPARISON) wrong = wrong_difference(f, at.plan);
    }
    return wrong;
}

/* ---- what follows from them ------------------------------------------------------------------------------ */

/* How far a mean (an end of its interval) may lie from what the rounded values give. */
static double room_of(const figures *f, figures_place at, result_cell c, double is)
{
    const double *x = at.kind == COMPARISON ? f->difference + at.plan * f->seeds : figures_row(f, at.metric, at.row);
    double most = 0;
    for (long k = 0; k < f->seeds; k++) most = fmax(most, figures_rounding(x[k]));
    const double moved = c == R_MEAN ? most : stats_interval_shift(f->seeds, FIGURE_LEVEL, most);
    return (figures_rounding(is) + moved) * (1 + 1e-9);
}

static bool near(const figures *f, figures_place at, result_cell c, const char *is, const char *must)
{
    if (strcmp(is, must) == 0) return true;
    if (f->e->eliminates || !*is || !*must) return false;
    char written[64];
    const double x = strtod(is, NULL);
    snprintf(written, sizeof written, "%.6g", x);
    return strcmp(written, is) == 0 && fabs(x - strtod(must, NULL)) <= room_of(f, at, c, x);
}

static char *wrong_verdict(const result *r, const result *must)
{
    const char *is = r->cell[R_VERDICT];
    if (outcome_read(is) == OUTCOMES) return must_format("verdict `%s` is none of those that are given", is);
    if (strcmp(is, must->cell[R_VERDICT]) == 0) return NULL;
    return must_format("verdict is `%s`, but the values say `%s`", is, must->cell[R_VERDICT]);
}

static char *wrong_line(const figures *f, const result *r, long k, outcome *is)
{
    static const result_cell exact[] = { R_N, R_SEEDS, R_PAPER, R_VALUES }, rounded[] = { R_MEAN, R_LOW, R_HIGH };
    const figures_place at = figures_line_place(f->e, k);
    result must = figures_line_judged(f, k, is);
    char *wrong = NULL;
    for (size_t i = 0; !wrong && i < COUNT(exact); i++)
        if (strcmp(r->cell[exact[i]], must.cell[exact[i]]) != 0)
            wrong = must_format("%s is `%s`, but must be `%s`", result_cell_name[exact[i]], r->cell[exact[i]],
                                must.cell[exact[i]]);
    for (size_t i = 0; !wrong && i < COUNT(rounded); i++)
        if (!near(f, at, rounded[i], r->cell[rounded[i]], must.cell[rounded[i]]))
            wrong = must_format("%s is `%s`, but the values give `%s`", result_cell_name[rounded[i]],
                                r->cell[rounded[i]], must.cell[rounded[i]]);
    if (!wrong) wrong = wrong_verdict(r, &must);
    result_free(&must);
    return wrong;
}

static char *wrong_part(const preset *p, const experiment *e, recorded *l, outcome *is)
{
    char *wrong = wrong_names(p, e, l);
    if (wrong) return wrong;
    l->at = 0;
    const long seeds = seeds_of(e, &l->line[0]);
    if (seeds < 1) return must_strdup(e->eliminates ? "n is no number of seeds" : "values are no numbers, one a seed");
    figures f = figures_new(p, e, seeds);
    wrong = take_values(&f, l);
    for (l->at = wrong ? l->at : 0; !wrong && l->at < l->n; l->at += !wrong)
        wrong = wrong_line(&f, &l->line[l->at], l->at, &is[l->at]);
    figures_free(&f);
    return wrong;
}

outcome *results_part_outcomes(const preset *p, const experiment *e, const result *line, long n, long *at,
                               char **wrong)
{
    recorded l = { .line = line, .n = n };
    outcome *is = must_calloc((size_t)figures_lines(e), sizeof *is);
    *wrong = wrong_part(p, e, &l, is);
    *at = l.at;
    if (!*wrong) return is;
    free(is);
    return NULL;
}

void results_check(const results *all, const preset *p, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t n = strlen(p->name);
    long from = 0;
    if (strncmp(name, p->name, n) != 0 || strcmp(name + n, ".csv") != 0)
        die("%s:2: is of preset %s, whose results stand in a file called %s.csv", path, p->name, p->name);
    for (long k = 0; k < p->parts; k++) {
        const long lines = figures_lines(&p->part[k]), left = all->n - from;
        char *wrong;
        long at;
        free(results_part_outcomes(p, &p->part[k], all->at + from, left < lines ? left : lines, &at, &wrong));
        if (wrong) die("%s:%ld: %s; run the preset again, or remove the file", path, from + at + 2, wrong);
        from += lines;
    }
    if (from < all->n)
        die("%s:%ld: a line more than preset %s has; run it again, or remove the file", path, from + 2, p->name);
}
