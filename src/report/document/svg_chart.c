/* SPDX-License-Identifier: GPL-3.0-or-later
 * svg_chart.c - a chart as SVG: see chart.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/base/text.h"
#include "src/report/document/chart.h"
#include "src/report/document/html_text.h"

enum { WIDTH = 480, HEIGHT = 340, LEFT = 66, RIGHT = 26, TOP = 12, BOTTOM = 50, LEGEND_LINE = 19 };
static const char *const class_of[SERIES_KINDS] = { "s-claim", "s-control", "s-rule" };

typedef struct { FILE *f; svg_place to; double x[2], y[2]; } frame;

static double at_x(const frame *w, double x)
{
    return LEFT + (x - w->x[0]) / (w->x[1] - w->x[0]) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const frame *w, double y)
{
    return TOP + (w->y[1] - y) / (w->y[1] - w->y[0]) * (HEIGHT - TOP - BOTTOM);
}

/* Powers in superscripts that are characters of their own, so that a tick is one element; but not in print, where
 * pdfTeX has these characters in none of the fonts that it takes in place of ours. */
static void tick_text(const frame *w, double value, int base)
{
    static const char *const raised[] = { "\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                          "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    if (!base)
        fprintf(w->f, "%s%s", value < 0 ? "\u2212" : "", digits);
    else if (w->to == SVG_PRINT)
        fprintf(w->f, "%d<tspan dy=\"-5\" style=\"font-size:10px\">%s%s</tspan>", base, value < 0 ? "\u2212" : "",
                digits);
    else {
        fprintf(w->f, "%d%s", base, value < 0 ? "\u207b" : "");
        for (const char *p = digits; *p; p++) fputs(raised[*p - '0'], w->f);
    }
}

static void axes(const frame *w, const chart *c)
{
    const double wider = c->small ? 2 : 1;
    const double sx = wider * chart_step(w->x[0], w->x[1], c->x_base);
    const double sy = wider * chart_step(w->y[0], w->y[1], c->y_base);
    const long nx = (long)floor((w->x[1] - w->x[0]) / sx + 0.01), ny = (long)floor((w->y[1] - w->y[0]) / sy + 0.01);
    fprintf(w->f, "<path class=\"grid\" d=\"");
    for (long k = 0; k <= nx; k++)
        fprintf(w->f, "M%.1f %dV%d", at_x(w, w->x[0] + (double)k * sx), TOP, HEIGHT - BOTTOM);
    for (long k = 0; k <= ny; k++)
        fprintf(w->f, "M%d %.1fH%d", LEFT, at_y(w, w->y[1] - (double)k * sy), WIDTH - RIGHT);
    fprintf(w->f, "\"/><g text-anchor=\"middle\">\n");
    for (long k = 0; k <= nx; k++) {
        const double x = w->x[0] + (double)k * sx;
        fprintf(w->f, "<text x=\"%.1f\" y=\"%d\">", at_x(w, x), HEIGHT - BOTTOM + 18);
        tick_text(w, x, c->x_base);
        fprintf(w->f, "</text>\n");
    }
    fprintf(w->f, "<text x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
    html_text(w->f, c->x_label);
    fprintf(w->f, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\">", (TOP + HEIGHT - BOTTOM) / 2);
    html_text(w->f, c->y_label);
    fprintf(w->f, "</text></g><g text-anchor=\"end\">\n");
    for (long k = 0; k <= ny; k++) {
        const double y = w->y[1] - (double)k * sy;
        fprintf(w->f, "<text x=\"%d\" y=\"%.1f\">", LEFT - 6, at_y(w, y) + 5);
        tick_text(w, y, c->y_base);
        fprintf(w->f, "</text>\n");
    }
    fprintf(w->f, "</g><path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
}

/* A dot is a line of no length with round ends. */
static void marker(FILE *f, series_kind kind, double x, double y)
{
    switch (kind) {
    case OF_CLAIM:   fprintf(f, "M%.0f %.0fh0", x, y); break;
    case OF_CONTROL: fprintf(f, "M%.0f %.0fl4 7h-8z", x, y - 4.5); break;
    default:         fprintf(f, "M%.0f %.0fh5", x - 2.5, y);
    }
}

static bool drawn_as_line(const chart *c, series_kind kind) { return c->joined || (c->ruled && kind == OF_RULE); }

static char *line_of(const frame *w, const chart_series *s)
{
    text_buffer t = { 0 };
    for (long k = 0; k < s->n; k++)
        text_add(&t, "%c%.0f %.0f", k ? 'L' : 'M', at_x(w, s->x[k]), at_y(w, s->y[k]));
    return text_take(&t);
}

/* Of lines that fall on one another the first is drawn. */
static void add_lines(const frame *w, const chart *c, series_kind kind, long from, long to)
{
    char **drawn = must_calloc((size_t)(to - from), sizeof *drawn);
    for (long k = from; k < to; k++) {
        if (c->at[k].kind != kind) continue;
        char *line = line_of(w, &c->at[k]);
        bool again = false;
        for (long i = from; i < k && !again; i++) again = drawn[i - from] && strcmp(drawn[i - from], line) == 0;
        if (!again) fputs(line, w->f);
        drawn[k - from] = line;
    }
    for (long k = from; k < to; k++) free(drawn[k - from]);
    free(drawn);
}

/* Marks that fall on one another are drawn once: `taken` has a place for each unit of the frame. */
static void add_markers(const frame *w, const chart_series *s, bool taken[WIDTH * HEIGHT])
{
    for (long k = 0; k < s->n; k++) {
        const double x = at_x(w, s->x[k]), y = at_y(w, s->y[k]);
        const long at = lround(y) * WIDTH + lround(x);
        const bool inside = at >= 0 && at < WIDTH * HEIGHT;
        if (inside && taken[at]) continue;
        if (inside) taken[at] = true;
        marker(w->f, s->kind, x, y);
    }
}

/* The series from `from` to `to` that are of one kind: their lines are one path, their marks another. */
static void draw(const frame *w, const chart *c, series_kind kind, long from, long to)
{
    const bool line = drawn_as_line(c, kind);
    if (line) {
        fprintf(w->f, "<path class=\"line\" d=\"");
        add_lines(w, c, kind, from, to);
        fprintf(w->f, "\"/>");
    }
    if (kind == OF_RULE && line) return;
    bool *taken = must_calloc(WIDTH * HEIGHT, sizeof *taken);
    fprintf(w->f, "<path class=\"mark\" d=\"");
    for (long k = from; k < to; k++) if (c->at[k].kind == kind) add_markers(w, &c->at[k], taken);
    fprintf(w->f, "\"/>");
    free(taken);
}

/* A few series have names, which a pointer shows; many are drawn as one. */
static void draw_kind(const frame *w, const chart *c, series_kind kind)
{
    enum { FEW = 12 };
    const bool named = !c->joined && c->n <= FEW;
    if (!chart_has(c, kind)) return;
    for (long k = 0; k < (named ? c->n : 1); k++) {
        if (named && c->at[k].kind != kind) continue;
        fprintf(w->f, "<g class=\"%s\">", class_of[kind]);
        if (named) {
            fprintf(w->f, "<title>");
            html_text(w->f, c->at[k].name);
            fprintf(w->f, "</title>");
        }
        draw(w, c, kind, named ? k : 0, named ? k + 1 : c->n);
        fprintf(w->f, "</g>\n");
    }
}

/* Below the axes, one line per kind of series. */
static void legend(FILE *f, const chart *c)
{
    int y = HEIGHT + 6;
    for (int kind = 0; kind < SERIES_KINDS; kind++) {
        if (!chart_has(c, (series_kind)kind)) continue;
        const bool line = drawn_as_line(c, (series_kind)kind);
        fprintf(f, "<g class=\"%s\">", class_of[kind]);
        if (line) fprintf(f, "<path class=\"line\" d=\"M%d %dh34\"/>", LEFT, y);
        if (kind != OF_RULE || !line) {
            fprintf(f, "<path class=\"mark\" d=\"");
            marker(f, (series_kind)kind, LEFT + 17, y);
            fprintf(f, "\"/>");
        }
        fprintf(f, "</g><text x=\"%d\" y=\"%d\">", LEFT + 42, y + 5);
        html_text(f, c->kind_name[kind]);
        fprintf(f, "</text>\n");
        y += LEGEND_LINE;
    }
}

void svg_chart(FILE *f, const chart *c, svg_place to)
{
    if (c->layout == CHART_BARS) {
        svg_bars(f, c, to);
        return;
    }
    if (c->layout != CHART_POINTS) {
        svg_measured_chart(f, c, to);
        return;
    }
    frame w = { .f = f, .to = to };
    int lines = 0;
    for (int kind = 0; kind < SERIES_KINDS && !c->small; kind++) lines += chart_has(c, (series_kind)kind);
    chart_range(c, w.x, w.y);
    svg_begin(f, c, to, WIDTH, HEIGHT + lines * LEGEND_LINE);
    axes(&w, c);
    draw_kind(&w, c, OF_RULE);
    draw_kind(&w, c, OF_CONTROL);
    draw_kind(&w, c, OF_CLAIM);                                /* on top */
    if (!c->small) legend(f, c);
    fprintf(f, "</svg>\n");
}
