/* SPDX-License-Identifier: GPL-3.0-or-later
 * table_charts.c - see table_charts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/report/collect/curves.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/table_charts.h"

typedef struct { table_chart *at; long n; } charts;

static void add_chart(charts *to, chart c, char *caption)                    /* takes both                */
{
    to->at = must_realloc(to->at, (size_t)to->n + 1, sizeof *to->at);
    to->at[to->n++] = (table_chart){ c, caption };
}

/* ---- differences ------------------------------------------------------------------------------------------ */

static double number(const result *r, result_cell c)
{
    return *r->cell[c] ? strtod(r->cell[c], NULL) : NAN;
}

static void add_difference(chart *c, const question *q, const record *r)
{
    char *tagged = record_size(r), *size = papers_in_words(tagged), name[192], few[32] = "";
    if (r->line->seeds < LEAST_SEEDS) snprintf(few, sizeof few, ", n = %ld", r->line->seeds);
    snprintf(name, sizeof name, "%.40s - %.40s (%.60s%s)", q->plan->first, q->plan->second, size, few);
    chart_series *s = chart_add_series(c, OF_CLAIM, name);
    if (!s->n)
        chart_add_interval(s, number(r->line, R_MEAN), (double)c->n, number(r->line, R_LOW), number(r->line, R_HIGH));
    free(tagged);
    free(size);
}

/* One dot plot for each metric.  The interval of one seed knows nothing of other seeds: so n is in its name. */
static void add_differences(const evidence_set *all, const paper_table *t, charts *to)
{
    question *q;
    const long n = paper_table_questions(t, &q);
    for (long k = 0, drawn = 0; k < n; k++) {
        bool known = false;
        for (long i = 0; i < k; i++) known |= strcmp(question_metric(&q[i]), question_metric(&q[k])) == 0;
        if (known) continue;
        chart c = { .layout = CHART_INTERVALS, .title = "Planned differences" };
        c.x_label = question_metric(&q[k]);
        snprintf(c.file, sizeof c.file, "differences-%s-%ld", t->id, ++drawn);
        for (long i = k; i < n; i++) {
            record *r;
            const long lines = strcmp(question_metric(&q[i]), question_metric(&q[k])) == 0
                             ? question_records(&all->results, &q[i], &r) : (r = NULL, 0);
            for (long j = 0; j < lines; j++) if (isfinite(number(r[j].line, R_MEAN))) add_difference(&c, &q[i], &r[j]);
            free(r);
        }
        if (chart_empty(&c)) continue;
        add_chart(to, c, must_format("%s: planned differences of %s, seed by seed, with 95 %% intervals; n is given "
                                     "where fewer than three seeds are finished, and the interval of one seed is of "
                                     "its windows or test images alone.  The first is lower on the left of the line.",
                                     t->title, question_metric(&q[k])));
    }
    free(q);
}

/* ---- learning curves -------------------------------------------------------------------------------------- */

static const printed_row *printed_as(const printed_row *list, long n, const preset_row *of)
{
    for (long k = 0; k < n; k++) if (strcmp(list[k].name, of->name) == 0) return &list[k];
    return NULL;
}

static double last_step(const curve_points *c)
{
    double last = 0;
    for (long k = 0; k < c->n; k++) last = fmax(last, c->at[k].step);
    return last;
}

/* The curve of a row, and what is printed for it where the run is of the printed model. */
static void add_curve(chart *c, const curve_points *points, const char *name, const char *paper)
{
    char *end, level[160];
    const double printed = paper ? strtod(paper, &end) : NAN;
    for (long k = 0; k < points->n; k++) {
        const curve_point *p = &points->at[k];
        if (strcmp(p->row, name) != 0 || !isfinite(p->mean)) continue;
        chart_add_interval(chart_add_series(c, OF_CLAIM, name), p->step, p->mean, p->low, p->high);
    }
    if (!paper || *end || !isfinite(printed)) return;
    snprintf(level, sizeof level, "printed: %s", name);
    chart_series *rule = chart_add_series(c, OF_RULE, level);
    chart_add_point(rule, 0, printed);
    chart_add_point(rule, last_step(points), printed);
}

static chart new_curves(const paper_table *t, const experiment *e, long number_of)
{
    chart c = { .layout = CHART_CURVES, .title = "Learning curves", .x_label = "step" };
    snprintf(c.file, sizeof c.file, "curves-%s-%ld", t->id, number_of);
    snprintf(c.y_label, sizeof c.y_label, "%s", e->shown[0].shown);
    return c;
}

/* Runs on synthetic data or with other options than the preset's never stand beside a printed figure. */
static bool left_out(const evidence_set *all, const preset *p, const experiment *e)
{
    for (long k = 0; k < all->results.n; k++) {
        const result *r = &all->results.at[k];
        if (result_is(r, R_PRESET, p->name) && result_is(r, R_PART, e->name))
            return r->made_up || r->is == OUTCOME_OTHER_OPTIONS;
    }
    return true;                                          /* curves without a record are not shown       */
}

/* A curve of the part that belongs to the table: of a row printed there, or of an arm that the papers lack. */
typedef struct { const preset_row *of; const printed_row *as; char *name; } row_curve;

static bool has_points(const curve_points *points, const char *name)
{
    for (long i = 0; i < points->n; i++)
        if (strcmp(points->at[i].row, name) == 0 && isfinite(points->at[i].mean)) return true;
    return false;
}

/* Those that the points have, in the order of the rows; how many. */
static long row_curves(const curve_points *points, const experiment *e, const printed_row *list, long n, row_curve *to)
{
    long found = 0;
    for (long k = 0; k < experiment_rows(e); k++) {
        const preset_row *of = experiment_row(e, k);
        to[found] = (row_curve){ of, printed_as(list, n, of), experiment_name(e, k) };
        if ((to[found].as || !of->run) && has_points(points, to[found].name)) found++;
        else free(to[found].name);
    }
    return found;
}

/* The caption of figure k of so many. */
static char *curves_caption(const chart *c, const preset *p, const experiment *e, long k, long groups)
{
    char *part = groups > 1 ? must_format(" (figure %ld of %ld)", k + 1, groups) : must_strdup("");
    char *text = must_format("%s%s, from curves/%s-%s.csv: mean over the seeds, band from the lowest to the highest "
                             "seed%s.  The start may lie outside.", e->title, part, p->name, e->name,
                             chart_has(c, OF_RULE) ? "; dashed: the printed final figure" : "");
    free(part);
    return text;
}

/* As few figures as have a colour for each curve, and as many curves in each, or one more. */
static void add_part_curves(const evidence_set *all, const paper_table *t, const preset *p, const experiment *e,
                            charts *to, long *drawn)
{
    printed_row *list;
    const long n = paper_table_rows(t, &list);
    curve_points points = curves_read(all->results_path, p, e, &e->shown[0]);
    row_curve *curve = must_calloc((size_t)experiment_rows(e), sizeof *curve);
    const long curves = row_curves(&points, e, list, n, curve), groups = (curves + CHART_COLOURS - 1) / CHART_COLOURS;
    for (long g = 0; g < groups; g++) {
        chart c = new_curves(t, e, ++*drawn);
        for (long k = g * curves / groups; k < (g + 1) * curves / groups; k++) {
            const row_curve *r = &curve[k];
            add_curve(&c, &points, r->name, r->as && (e->full || r->of->run) ? experiment_paper(e, r->of, 0) : NULL);
        }
        add_chart(to, c, curves_caption(&c, p, e, g, groups));
    }
    for (long k = 0; k < curves; k++) free(curve[k].name);
    free(curve);
    curves_free(&points);
    free(list);
}

long table_charts(const evidence_set *all, const paper_table *t, table_chart **out)
{
    charts to = { NULL, 0 };
    long drawn = 0;
    const paper_table *shown = paper_table_answered_with(&all->results, t);
    if (!shown) add_differences(all, t, &to);
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++)
            if (claim_among(p->part[k].claim, t->claim) && !p->part[k].eliminates && !left_out(all, p, &p->part[k])
                && (p->part[k].full || !shown || !claim_among(p->part[k].claim, shown->claim)))
                add_part_curves(all, t, p, &p->part[k], &to, &drawn);
    *out = to.at;
    return to.n;
}
