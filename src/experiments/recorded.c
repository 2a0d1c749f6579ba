/* SPDX-License-Identifier: GPL-3.0-or-later
 * recorded.c - whether recorded lines follow from the values in them: see results.h.
 *
 * The lines of a part are made again, from their values alone, and compared cell by cell.  The figures may have had
 * more digits than the file shows: a mean, the ends of an interval and a difference between two lines may differ by
 * what this rounding allows; everything else must be the same text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/figures.h"
#include "src/experiments/statistics.h"

typedef struct { const result *line; long n, at; } recorded;           /* at: the current line               */

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
    char *it = called(&must), *wrong = r ? NULL : must_format("missing line: %s", it);
    for (size_t k = 0; r && !wrong && k < COUNT(name); k++) {
        const char *is = r->cell[name[k]], *is_to = must.cell[name[k]];
        if (strcmp(is, is_to) != 0)
            wrong = must_format("%s is `%s`, not `%s`; expected here: %s", result_cell_name[name[k]], is, is_to, it);
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
    return must_format("more lines than the %ld of part %s of preset %s", lines, e->name, p->name);
}

/* ---- commands ------------------------------------------------------------------------------------------- */

/* All lines of a row are of the same runs. */
static char *take_commands(figures *f, recorded *l)
{
    const char **of = must_calloc((size_t)f->rows, sizeof *of);
    char *wrong = NULL;
    for (l->at = 0; !wrong && l->at < l->n; l->at += !wrong) {
        const char *command = l->line[l->at].cell[R_COMMAND], **first = &of[figures_line_place(f->e, l->at).row];
        if (!*first) *first = command;
        if (strcmp(command, *first) != 0)
            wrong = must_format("command is `%s`, but that of the row's first line is `%s`", command, *first);
    }
    if (!wrong) figures_commands(f, of);
    free(of);
    return wrong;
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* Numbers separated by single blanks, to x (NULL: only counts them); -1: anything else. */
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

/* A whole number from `from` on, of at most MANY_SEEDS above it; -1: anything else. */
static long take_seed(const char **text, long from)
{
    char *end;
    const long n = strtol(*text, &end, 10);
    const bool good = end != *text && **text >= '0' && **text <= '9' && n >= from && n - from < MANY_SEEDS;
    *text = end;
    return good ? n : -1;
}

long results_seeds(const char *text, long from, bool *seen)
{
    long most = 0;
    for (bool first = true; *text; first = false) {
        if (!first && *text++ != ' ') return -1;
        const long one = take_seed(&text, from);
        const bool range = first && strncmp(text, " to ", 4) == 0;
        if (range) text += 4;
        const long last = range ? take_seed(&text, from) : one;
        if (one < 0 || last < one || one - from < most) return -1;
        for (long k = one; seen && k <= last; k++) seen[k - from] = true;
        most = last - from + 1;
    }
    return most;
}

static bool names_row(const figures_place at, const experiment *e)
{
    return e->eliminates || (at.kind == RUN && at.metric == 0);
}

/* The largest number of seeds that a row has, at least 1; -1: l->at is a line whose seeds are none of the part. */
static long seeds_of(const experiment *e, recorded *l)
{
    long most = 1;
    for (l->at = 0; l->at < l->n; l->at++) {
        if (!names_row(figures_line_place(e, l->at), e)) continue;
        const long seeds = results_seeds(l->line[l->at].cell[R_SEEDS], e->seed, NULL);
        if (seeds < 0) return -1;
        if (seeds > most) most = seeds;
    }
    return most;
}

/* Which seeds each row has; that other lines agree is checked with the rest of their text. */
static void take_finished(figures *f, const recorded *l)
{
    for (long k = 0; k < l->n; k++) {
        const figures_place at = figures_line_place(f->e, k);
        if (!names_row(at, f->e)) continue;
        bool *seen = must_calloc(MANY_SEEDS, sizeof *seen);
        results_seeds(l->line[k].cell[R_SEEDS], f->e->seed, seen);
        for (long seed = 0; seed < f->seeds; seed++) f->missing[at.row * f->seeds + seed] = !seen[seed];
        free(seen);
    }
}

/* An error that was measured with the figures, and cannot be made again from them. */
static char *take_error(const result *r, double *error, long *n)
{
    *n = strtol(r->cell[R_EVAL_N], NULL, 10);
    if (take_numbers(r->cell[R_SE_EVAL], error, 1) == 1 && *error >= 0 && *n > 0) return NULL;
    *error = 0;
    return must_format("se_eval `%s` is not an error over %s %s", r->cell[R_SE_EVAL], r->cell[R_EVAL_N],
                       r->cell[R_EVAL_OF]);
}

static char *take_pairs(figures *f, const result *r, long plan)
{
    f->own_windows[plan] = result_is(r, R_EVAL_OF, "windows of each seed");
    if (f->own_windows[plan] && r->seeds < 2)
        return must_strdup("one seed has no windows of each seed");
    if (f->own_windows[plan] || result_is(r, R_EVAL_OF, "windows") || result_is(r, R_EVAL_OF, "paired test images"))
        return take_error(r, &f->pairs_error[plan], &f->pairs[plan]);
    return NULL;
}

static char *take_gap(figures *f, const result *r, long row)
{
    char *end;
    if (!figures_finished(f, row)) return NULL;
    f->gap[row] = strtod(r->cell[R_MEAN], &end);
    f->exact[row] = result_is(r, R_PAPER, "0");
    return end == r->cell[R_MEAN] || *end ? must_format("mean `%s` is not a number", r->cell[R_MEAN]) : NULL;
}

static char *take_line(figures *f, const result *r, figures_place at)
{
    if (at.kind == CHECK) return f->e->eliminates ? take_gap(f, r, at.row) : NULL;      /* values: of lines before */
    double *x = at.kind == RUN ? figures_row(f, at.metric, at.row) : f->difference + at.plan * f->seeds;
    double *taken = must_calloc((size_t)f->seeds + 1, sizeof *taken);
    const long n = take_numbers(r->cell[R_VALUES], taken, f->seeds);
    long all = 0;
    for (long seed = 0; seed < f->seeds; seed++) if (figures_has(f, at, seed)) x[seed] = taken[all++];
    free(taken);
    if (n != all)
        return must_format("values `%s` are not %ld numbers, one per seed that the first lines of the part name",
                           r->cell[R_VALUES], all);
    if (at.kind == COMPARISON) return take_pairs(f, r, at.plan);
    if (f->e->shown[at.metric].share) f->images[at.row] = figures_images(r->cell[R_DATA]);
    long images;
    if (f->e->shown[at.metric].over_images && result_is(r, R_EVAL_OF, "test images"))
        return take_error(r, &f->images_error[at.metric * f->rows + at.row], &images);
    return NULL;
}

/* A recorded difference must be that of the two recorded figures, up to their rounding. */
static char *wrong_difference(const figures *f, long plan)
{
    const planned *of = &f->e->plan[plan];
    const double *a = figures_row(f, of->metric, experiment_row_named(f->e, of->first));
    const double *b = figures_row(f, of->metric, experiment_row_named(f->e, of->second));
    const double *d = f->difference + plan * f->seeds;
    for (long k = 0; k < f->seeds; k++) {
        if (!figures_has(f, (figures_place){ .kind = COMPARISON, .plan = plan }, k)) continue;
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

/* How far a figure may differ from what the rounded values give. */
static double room_of(const figures *f, figures_place at, result_cell c, double is)
{
    double *x = must_calloc((size_t)f->seeds + 1, sizeof *x), most = 0;
    const long n = figures_values(f, at, x);
    for (long k = 0; k < n; k++) most = fmax(most, figures_rounding(x[k]));
    free(x);
    const double moved = c == R_MEAN ? most : stats_interval_shift(n, FIGURE_LEVEL, most);
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

/* What the runs cost cannot be made again from a record; it is shown, and multiplied. */
static char *wrong_cost(const result *r)
{
    static const result_cell cost[] = { R_PARAMETERS, R_STEPS, R_UNITS, R_FLOPS };
    for (size_t k = 0; k < COUNT(cost); k++) {
        const char *text = r->cell[cost[k]];
        char *end;
        const double x = strtod(text, &end);
        if (*text && (end == text || *end || !isfinite(x) || x < 0))
            return must_format("%s `%s` is not a number of at least 0", result_cell_name[cost[k]], text);
    }
    return NULL;
}

static char *wrong_verdict(const result *r, const result *must)
{
    const char *is = r->cell[R_VERDICT];
    if (outcome_read(is) == OUTCOMES) return must_format("unknown verdict `%s`", is);
    if (strcmp(is, must->cell[R_VERDICT]) == 0) return NULL;
    return must_format("verdict is `%s`, but the values give `%s`", is, must->cell[R_VERDICT]);
}

static char *wrong_line(const figures *f, const result *r, long k, outcome *is)
{
    static const result_cell rounded[] = { R_MEAN, R_LOW, R_HIGH };
    static const result_cell exact[] = { R_N, R_SEEDS, R_PAPER, R_VALUES, R_PLANNED, R_P, R_P_HOLM, R_INTERVAL,
                                         R_SE_SEEDS, R_SE_EVAL, R_EVAL_N, R_EVAL_OF };
    const figures_place at = figures_line_place(f->e, k);
    result must = figures_line_judged(f, k, is);
    char *wrong = NULL;
    for (size_t i = 0; !wrong && i < COUNT(exact); i++)
        if (strcmp(r->cell[exact[i]], must.cell[exact[i]]) != 0)
            wrong = must_format("%s is `%s`, but should be `%s`", result_cell_name[exact[i]], r->cell[exact[i]],
                                must.cell[exact[i]]);
    for (size_t i = 0; !wrong && i < COUNT(rounded); i++)
        if (!near(f, at, rounded[i], r->cell[rounded[i]], must.cell[rounded[i]]))
            wrong = must_format("%s is `%s`, but the values give `%s`", result_cell_name[rounded[i]],
                                r->cell[rounded[i]], must.cell[rounded[i]]);
    if (!wrong) wrong = wrong_verdict(r, &must);
    if (!wrong) wrong = wrong_cost(r);
    result_free(&must);
    return wrong;
}

static char *wrong_part(const preset *p, const experiment *e, recorded *l, outcome *is)
{
    char *wrong = wrong_names(p, e, l);
    if (wrong) return wrong;
    const long seeds = seeds_of(e, l);
    if (seeds < 0)
        return must_format("seeds `%s` are not seeds of this part, whose first is %ld", l->line[l->at].cell[R_SEEDS],
                           e->seed);
    figures f = figures_new(p, e, seeds);
    take_finished(&f, l);
    wrong = take_commands(&f, l);
    if (!wrong) wrong = take_values(&f, l);
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
        die("%s:2: belongs to preset %s, whose results must be in a file called %s.csv", path, p->name, p->name);
    for (long k = 0; k < p->parts; k++) {
        const long lines = figures_lines(&p->part[k]), left = all->n - from;
        char *wrong;
        long at;
        free(results_part_outcomes(p, &p->part[k], all->at + from, left < lines ? left : lines, &at, &wrong));
        if (wrong) die("%s:%ld: %s; run the preset again, or remove the file", path, from + at + 2, wrong);
        from += lines;
    }
    if (from < all->n)
        die("%s:%ld: more lines than preset %s has; run it again, or remove the file", path, from + 2, p->name);
}
