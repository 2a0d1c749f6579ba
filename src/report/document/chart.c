/* SPDX-License-Identifier: GPL-3.0-or-later
 * chart.c - series of points and the ranges of their axes: see chart.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/chart.h"

void chart_add_point(chart_series *s, double x, double y)
{
    if ((s->n & (s->n - 1)) == 0) {
        const size_t room = s->n ? 2 * (size_t)s->n : 1;
        s->x = must_realloc(s->x, room, sizeof *s->x);
        s->y = must_realloc(s->y, room, sizeof *s->y);
    }
    s->x[s->n] = x;
    s->y[s->n++] = y;
}

void chart_add_interval(chart_series *s, double x, double y, double low, double high)
{
    const size_t n = (size_t)s->n + 1;
    chart_add_point(s, x, y);
    s->low = must_realloc(s->low, n, sizeof *s->low);
    s->high = must_realloc(s->high, n, sizeof *s->high);
    s->low[n - 1] = low;
    s->high[n - 1] = high;
}

chart_series *chart_add_series(chart *c, series_kind kind, const char *name)
{
    for (long k = 0; k < c->n; k++) if (strcmp(c->at[k].name, name) == 0) return &c->at[k];
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n] = (chart_series){ .kind = kind };
    snprintf(c->at[c->n].name, sizeof c->at[c->n].name, "%s", name);
    return &c->at[c->n++];
}

void chart_free(chart *c)
{
    for (long k = 0; k < c->n; k++) {
        free(c->at[k].x);
        free(c->at[k].y);
        free(c->at[k].low);
        free(c->at[k].high);
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

double chart_fine_step(double from, double to)
{
    static const double nice[] = { 1, 2, 5, 10 };
    const double rough = (to > from ? to - from : 1) / 6, decade = pow(10, floor(log10(rough)));
    for (size_t k = 0; k < COUNT(nice); k++) if (nice[k] * decade >= rough * (1 - 1e-9)) return nice[k] * decade;
    return 10 * decade;
}

int chart_decimals(double step) { return step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9); }

/* Okabe and Ito's: distinguishable with every kind of colour vision. */
const char *const chart_colour[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9" };

static double last_x(const chart *c)
{
    double last = 0;
    for (long k = 0; k < c->n; k++) for (long i = 0; i < c->at[k].n; i++) last = fmax(last, c->at[k].x[i]);
    return last;
}

/* Of the layouts with intervals: all of each interval, and in a dot plot the line at 0.  Curves may leave the frame on
 * their first fifth, where training begins. */
static void measured_range(const chart *c, double x[2], double y[2])
{
    const double from = c->layout == CHART_CURVES ? last_x(c) / 5 : -INFINITY;
    x[0] = y[0] = INFINITY;
    x[1] = y[1] = -INFINITY;
    if (c->layout == CHART_INTERVALS) x[0] = x[1] = 0;
    for (long k = 0; k < c->n; k++)
        for (long i = 0; i < c->at[k].n; i++) {
            const chart_series *s = &c->at[k];
            double *wide = c->layout == CHART_INTERVALS ? x : y;
            x[0] = fmin(x[0], s->x[i]), x[1] = fmax(x[1], s->x[i]);
            if (s->x[i] < from) continue;
            y[0] = fmin(y[0], s->y[i]), y[1] = fmax(y[1], s->y[i]);
            if (!s->low) continue;
            if (isfinite(s->low[i])) wide[0] = fmin(wide[0], s->low[i]);
            if (isfinite(s->high[i])) wide[1] = fmax(wide[1], s->high[i]);
        }
    const double sx = chart_fine_step(x[0], x[1]), sy = chart_fine_step(y[0], y[1]);
    x[0] = floor(x[0] / sx + 1e-9) * sx, x[1] = ceil(x[1] / sx - 1e-9) * sx;
    y[0] = floor(y[0] / sy + 1e-9) * sy, y[1] = ceil(y[1] / sy - 1e-9) * sy;
    if (x[0] == x[1]) x[1] += sx;
    if (y[0] == y[1]) y[1] += sy;
}

static void round_range(double range[2], int base)
{
    const double step = chart_step(range[0], range[1], base);
    range[0] = floor(range[0] / step + 0.02) * step;          /* a hair over a tick needs no step more */
    range[1] = ceil(range[1] / step - 0.02) * step;
    if (range[0] == range[1]) range[1] += step;
}

void chart_range(const chart *c, double x[2], double y[2])
{
    if (c->layout != CHART_POINTS) {
        measured_range(c, x, y);
        return;
    }
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
    round_range(x, c->x_base);
    round_range(y, c->y_base);
}
