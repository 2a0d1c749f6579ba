/* SPDX-License-Identifier: GPL-3.0-or-later
 * svg_measured.c - the layouts with intervals as SVG: see chart.h. */
#include <math.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/chart.h"
#include "src/report/document/html_text.h"

enum { WIDTH = 560, CURVES = 340, DOTS = 32, NUMBERS = 66, RIGHT = 26, TOP = 12, BOTTOM = 50, LEGEND = 19 };
enum { ROW = 42, MANY = 10, ROW_OF_MANY = 34 };          /* of a dot plot: closer where there are many      */
enum { LONG_NAME = 72 };                                 /* letters; a longer one may not fit into a row    */
enum { LETTERS = 14, LONG_PRINTED = 84 };                /* the size of letters, and how many of print's fit */

typedef struct { FILE *f; svg_place to; double x[2], y[2], left, height, letters; } frame;

static double at_x(const frame *w, double x)
{
    return w->left + (x - w->x[0]) / (w->x[1] - w->x[0]) * (WIDTH - w->left - RIGHT);
}

static double at_y(const frame *w, double y)
{
    return TOP + (w->y[1] - y) / (w->y[1] - w->y[0]) * (w->height - TOP - BOTTOM);
}

static double within(double x, const double range[2]) { return fmin(range[1], fmax(range[0], x)); }

static void number(FILE *f, double value, double step)
{
    const double shown = fabs(value) < step / 2 ? 0 : value;
    fprintf(f, "%s%.*f", shown < 0 ? "&#8722;" : "", chart_decimals(step), fabs(shown));
}

static void x_axis(const frame *w, const chart *c)
{
    const double step = chart_fine_step(w->x[0], w->x[1]), bottom = w->height - BOTTOM;
    for (long k = 0; k <= lround((w->x[1] - w->x[0]) / step); k++) {
        const double value = w->x[0] + (double)k * step, x = at_x(w, value);
        fprintf(w->f, "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>", x, TOP, bottom);
        fprintf(w->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, bottom + 18);
        number(w->f, value, step);
        fprintf(w->f, "</text>\n");
    }
    fprintf(w->f, "<path class=\"axis\" d=\"M%.1f %dV%.1fH%d\"/>\n", w->left, TOP, bottom, WIDTH - RIGHT);
    fprintf(w->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (w->left + WIDTH - RIGHT) / 2,
            w->height - 10);
    html_text(w->f, c->x_label);
    fprintf(w->f, "</text>\n");
}

static void y_axis(const frame *w, const chart *c)
{
    const double step = chart_fine_step(w->y[0], w->y[1]);
    for (long k = 0; k <= lround((w->y[1] - w->y[0]) / step); k++) {
        const double value = w->y[0] + (double)k * step, y = at_y(w, value);
        fprintf(w->f, "<path class=\"grid\" d=\"M%.1f %.1fH%d\"/>", w->left, y, WIDTH - RIGHT);
        fprintf(w->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", w->left - 6, y + 5);
        number(w->f, value, step);
        fprintf(w->f, "</text>\n");
    }
    fprintf(w->f, "<text transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + w->height - BOTTOM) / 2);
    html_text(w->f, c->y_label);
    fprintf(w->f, "</text>\n");
}

/* ---- a dot plot ---- */

/* The size of the names: rsvg-convert squeezes no text, so that in print all are as small as the longest has to be. */
static double size_of_names(const chart *c)
{
    size_t longest = LONG_PRINTED;
    for (long k = 0; k < c->n; k++) if (strlen(c->at[k].name) > longest) longest = strlen(c->at[k].name);
    return LETTERS * (double)LONG_PRINTED / (double)longest;
}

/* Its name, its intervals and its dots, all in one row. */
static void dot_row(const frame *w, const chart_series *s, double row)
{
    const double y = at_y(w, row);
    fprintf(w->f, "<text x=\"%.0f\" y=\"%.1f\"", w->left + 4, y - 9);
    if (w->to == SVG_PRINT) fprintf(w->f, " style=\"font-size:%.1fpx\"", w->letters);
    else if (strlen(s->name) > LONG_NAME)
        fprintf(w->f, " textLength=\"%.0f\" lengthAdjust=\"spacingAndGlyphs\"", WIDTH - w->left - 8);
    fprintf(w->f, ">");
    html_text(w->f, s->name);
    fprintf(w->f, "</text><g class=\"%s\">", s->kind == OF_CLAIM ? "s-claim" : "s-control");
    if (s->low) {
        fprintf(w->f, "<path class=\"line\" style=\"stroke-dasharray:none\" d=\"");
        for (long i = 0; i < s->n; i++) {
            if (!isfinite(s->low[i]) || !isfinite(s->high[i])) continue;
            const double low = at_x(w, within(s->low[i], w->x)), high = at_x(w, within(s->high[i], w->x));
            fprintf(w->f, "M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8", low, y, high, low, y - 4, high, y - 4);
        }
        fprintf(w->f, "\"/>");
    }
    fprintf(w->f, "<path class=\"dot\" d=\"");
    for (long i = 0; i < s->n; i++) fprintf(w->f, "M%.1f %.1fh0", at_x(w, s->x[i]), y);
    fprintf(w->f, "\"/></g>\n");
}

static void dots(frame *w, const chart *c)
{
    const double row = c->n > MANY ? ROW_OF_MANY : ROW;
    w->left = DOTS;
    w->letters = size_of_names(c);
    w->height = TOP + BOTTOM + row * (double)c->n;
    w->y[0] = -(double)c->n - 0.3;                        /* the first row on top, its name above it      */
    w->y[1] = -0.3;
    svg_begin(w->f, c, w->to, WIDTH, w->height);
    x_axis(w, c);
    fprintf(w->f, "<g class=\"s-rule\"><path class=\"line\" d=\"M%.1f %dV%.1f\"/></g>\n", at_x(w, 0), TOP,
            w->height - BOTTOM);
    for (long k = 0; k < c->n; k++) dot_row(w, &c->at[k], -c->at[k].y[0]);
}

/* ---- curves ---- */

static void band(const frame *w, const chart_series *s)
{
    if (!s->low || s->n < 2) return;
    fprintf(w->f, "<path style=\"stroke:none;fill:currentColor;fill-opacity:.18\" d=\"");
    for (long k = 0; k < s->n; k++)
        fprintf(w->f, "%c%.1f %.1f", k ? 'L' : 'M', at_x(w, s->x[k]), at_y(w, within(s->high[k], w->y)));
    for (long k = s->n - 1; k >= 0; k--)
        fprintf(w->f, "L%.1f %.1f", at_x(w, s->x[k]), at_y(w, within(s->low[k], w->y)));
    fprintf(w->f, "Z\"/>");
}

static void curve(const frame *w, const chart_series *s, long colour)
{
    fprintf(w->f, "<g style=\"color:%s\"><title>", chart_colour[colour % CHART_COLOURS]);
    html_text(w->f, s->name);
    fprintf(w->f, "</title>");
    band(w, s);
    fprintf(w->f, "<path class=\"line\"%s d=\"", s->kind == OF_RULE ? " style=\"stroke-dasharray:6 4\"" : "");
    bool inside = false;
    for (long k = 0; k < s->n; k++) {
        const bool is = s->y[k] == within(s->y[k], w->y);
        if (is) fprintf(w->f, "%c%.1f %.1f", inside ? 'L' : 'M', at_x(w, s->x[k]), at_y(w, s->y[k]));
        inside = is;
    }
    fprintf(w->f, "\"/></g>\n");
}

static void curves(frame *w, const chart *c)
{
    long shown = 0, colour = -1;
    for (long k = 0; k < c->n; k++) shown += c->at[k].kind != OF_RULE;
    w->left = NUMBERS;
    w->height = CURVES;
    svg_begin(w->f, c, w->to, WIDTH, CURVES + LEGEND * (double)shown);
    x_axis(w, c);
    y_axis(w, c);
    double y = CURVES + 6;
    for (long k = 0; k < c->n; k++) {
        const chart_series *s = &c->at[k];
        colour += s->kind != OF_RULE;
        curve(w, s, colour < 0 ? 0 : colour);
        if (s->kind == OF_RULE) continue;
        fprintf(w->f, "<g style=\"color:%s\"><path class=\"line\" d=\"M%.1f %.1fh34\"/></g>"
                      "<text x=\"%.1f\" y=\"%.1f\">",
                chart_colour[colour % CHART_COLOURS], w->left, y, w->left + 42, y + 5);
        html_text(w->f, s->name);
        fprintf(w->f, "</text>\n");
        y += LEGEND;
    }
}

void svg_measured_chart(FILE *f, const chart *c, svg_place to)
{
    frame w = { .f = f, .to = to };
    chart_range(c, w.x, w.y);
    if (c->layout == CHART_INTERVALS) dots(&w, c);
    else curves(&w, c);
    fprintf(f, "</svg>\n");
}
