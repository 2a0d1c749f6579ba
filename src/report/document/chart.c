/* chart.c - series of points and the ranges of their axes: see chart.h. */
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

static void round_range(double range[2], int base)
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
    round_range(x, c->x_base);
    round_range(y, c->y_base);
}
