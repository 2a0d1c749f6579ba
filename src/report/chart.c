/* chart.c - what is plotted; svg.c and gnuplot.c draw it.
 *
 * Gap against precision: per part and case the largest gap at each precision.  Identities fall with
 * slope -1, controls stay where they are.  Gap against condition number: one point per trial in
 * doubles, with the bound it was judged against.  Figures: each measured at several x, with its power law. */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

static void add_point(series *s, double x, double y)
{
    if ((s->n & (s->n - 1)) == 0) {
        const size_t room = s->n ? 2 * (size_t)s->n : 1;
        s->x = must_realloc(s->x, room, sizeof *s->x);
        s->y = must_realloc(s->y, room, sizeof *s->y);
    }
    s->x[s->n] = x;
    s->y[s->n++] = y;
}

static series *add_series(chart *c, series_kind kind, const char *name)
{
    for (long k = 0; k < c->n; k++) if (strcmp(c->at[k].name, name) == 0) return &c->at[k];
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n] = (series){ .kind = kind };
    snprintf(c->at[c->n].name, sizeof c->at[c->n].name, "%s", name);
    return &c->at[c->n++];
}

static void add_rung(chart *c, const chapter *of, const rung *r)
{
    char name[160];
    if (!isfinite(r->log2gap) || !chapter_is_identity(of, r->part)) return;
    snprintf(name, sizeof name, "%s %s: %s", r->id, r->part, r->which);
    series *s = add_series(c, strcmp(r->which, CASE_CLAIM) == 0 ? OF_CLAIM : OF_CONTROL, name);
    for (long k = 0; k < s->n; k++)
        if (s->x[k] == (double)r->bits) {
            s->y[k] = fmax(s->y[k], r->log2gap);
            return;
        }
    add_point(s, (double)r->bits, r->log2gap);
}

static void add_ladders(chart *c, const chapter *of)
{
    for (long i = 0, n; i < of->ladder.n; i += n) {
        n = ladder_length(&of->ladder, i);
        if (ladder_shows_difference(of, &of->ladder.at[i], n)) continue;
        for (long k = i; k < i + n; k++) add_rung(c, of, &of->ladder.at[k]);
    }
}

chart chart_ladder(const book *b, const chapter *only)
{
    chart c = { .file = "ladder", .title = "Gap against precision", .x_label = "precision of MPFR (bits)",
                .y_label = "largest relative gap", .y_base = 2, .joined = true,
                .kind_name = { "claims: original against reduced model", "controls: one hypothesis broken",
                               "rule: slope -1" } };
    for (long k = 0; k < b->n; k++) if (!only || only == &b->at[k]) add_ladders(&c, &b->at[k]);
    if (!c.n) return c;
    double x[2], y[2];
    chart_range(&c, x, y);
    series *rule = add_series(&c, OF_RULE, c.kind_name[OF_RULE]);
    add_point(rule, 0, 0);
    add_point(rule, fmin(x[1], -y[0]), -fmin(x[1], -y[0]));
    return c;
}

chart chart_condition(const book *b)
{
    const double log10_2 = log10(2);
    chart c = { .file = "condition", .title = "Gap against condition number",
                .x_label = "largest condition number inverted",
                .y_label = "relative gap in doubles", .x_base = 10, .y_base = 10,
                .kind_name = { "claims", "controls", "bound measured on the instance" } };
    for (long k = 0; k < b->n; k++)
        for (long i = 0; i < b->at[k].own.n; i++) {
            const row *r = &b->at[k].own.at[i];
            if (r->over != A_F64 || r->verdict == UNDECIDED) continue;
            if (!(r->kappa >= 1) || !isfinite(r->log2gap) || !chapter_is_identity(&b->at[k], r->part)) continue;
            if (r->verdict == HOLDS && r->log2gap > r->log2bound) continue;     /* they must differ */
            const series_kind kind = evidence_row_is_claim(r) ? OF_CLAIM : OF_CONTROL;
            add_point(add_series(&c, kind, c.kind_name[kind]), log10(r->kappa), r->log2gap * log10_2);
            if (kind != OF_CLAIM || !isfinite(r->log2bound)) continue;
            add_point(add_series(&c, OF_RULE, c.kind_name[OF_RULE]), log10(r->kappa), r->log2bound * log10_2);
        }
    return c;
}

enum { LEAST_POINTS = 3 };               /* fewer show no law */

static bool plotted(const pooled *p) { return p->x > 0 && p->value > 0; }

/* One power law through the points of a series, log10 against log10. */
static void add_fit(chart *c, const series *of)
{
    char name[160];
    double a, b, cov00, cov01, cov11, sum;
    gsl_fit_linear(of->x, 1, of->y, 1, (size_t)of->n, &a, &b, &cov00, &cov01, &cov11, &sum);
    double from = of->x[0], to = of->x[0];
    for (long k = 1; k < of->n; k++) from = fmin(from, of->x[k]), to = fmax(to, of->x[k]);
    snprintf(name, sizeof name, "fit to %.60s: exponent %.3f", of->name, b);
    series *rule = add_series(c, OF_RULE, name);
    add_point(rule, from, a + b * from);
    add_point(rule, to, a + b * to);
}

chart chart_figures(const chapter *of)
{
    chart c = { .title = "Measured against size", .x_label = "size", .x_base = 10, .y_base = 10, .ruled = true,
                .kind_name = { "measured: claims", "measured: controls, one hypothesis broken", "fitted power laws" } };
    pooled *all;
    const long n = chapter_figures(of, &all);
    for (long k = 0; k < n; k++) {
        char name[160];
        long points = 0;
        for (long i = 0; i < n; i++)
            points += plotted(&all[i]) && strcmp(all[i].part, all[k].part) == 0
                   && strcmp(all[i].which, all[k].which) == 0 && strcmp(all[i].name, all[k].name) == 0;
        if (!plotted(&all[k]) || points < LEAST_POINTS) continue;
        snprintf(name, sizeof name, "%s %s: %s", all[k].part, all[k].which, all[k].name);
        series *s = add_series(&c, strcmp(all[k].which, "claim") == 0 ? OF_CLAIM : OF_CONTROL, name);
        add_point(s, log10(all[k].x), log10(all[k].value));
        c.y_label = all[k].name;
    }
    const long measured_series = c.n;
    for (long k = 0; k < measured_series; k++) {
        const series at = c.at[k];                              /* add_series moves them */
        add_fit(&c, &at);
    }
    free(all);
    return c;
}

void chart_free(chart *c)
{
    for (long k = 0; k < c->n; k++) {
        free(c->at[k].x);
        free(c->at[k].y);
    }
    free(c->at);
    *c = (chart){ 0 };
}

bool chart_empty(const chart *c) { return c->n == 0; }

bool chart_has(const chart *c, series_kind kind)
{
    for (long k = 0; k < c->n; k++) if (c->at[k].kind == kind) return true;
    return false;
}

double chart_step(double from, double to, int base)
{
    static const double nice[] = { 1, 2, 5 }, binary[] = { 1, 2, 4, 8 };
    const double rough = fmax(to - from, 1) / 6;
    if (base == 10 || rough < 1) {
        const double decade = pow(10, floor(log10(fmax(rough, 1))));
        for (size_t k = 0; k < COUNT(nice); k++) if (nice[k] * decade >= rough) return nice[k] * decade;
        return 10 * decade;
    }
    double step = 1;                                        /* bits: powers of two */
    while (step * binary[1] <= rough * 1.4) step *= binary[1];
    return step;
}

static void widen(double range[2], int base)
{
    const double step = chart_step(range[0], range[1], base);
    range[0] = floor(range[0] / step + 0.02) * step;          /* a hair over a tick needs no step more */
    range[1] = ceil(range[1] / step - 0.02) * step;
    if (range[0] == range[1]) range[1] += step;
}

void chart_range(const chart *c, double x[2], double y[2])
{
    x[0] = y[0] = INFINITY;
    x[1] = y[1] = -INFINITY;
    for (long k = 0; k < c->n; k++)
        for (long i = 0; i < c->at[k].n; i++) {
            x[0] = fmin(x[0], c->at[k].x[i]);
            x[1] = fmax(x[1], c->at[k].x[i]);
            y[0] = fmin(y[0], c->at[k].y[i]);
            y[1] = fmax(y[1], c->at[k].y[i]);
        }
    if (c->joined) x[0] = 0, y[1] = fmax(y[1], 0), y[0] = fmin(y[0], -x[1]);      /* room for the rule */
    widen(x, c->x_base);
    widen(y, c->y_base);
}
