/* svg_chart.c - a chart as SVG inside the page: colours and text follow the page's style sheet. */
#include <math.h>
#include "src/base/base.h"
#include "src/report/document/chart.h"
#include "src/report/document/html_text.h"

enum { WIDTH = 480, HEIGHT = 340, LEFT = 66, RIGHT = 26, TOP = 12, BOTTOM = 50, LEGEND_LINE = 19 };
static const char *const class_of[SERIES_KINDS] = { "s-claim", "s-control", "s-rule" };

typedef struct { FILE *f; double x[2], y[2]; } frame;

static double at_x(const frame *w, double x)
{
    return LEFT + (x - w->x[0]) / (w->x[1] - w->x[0]) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const frame *w, double y)
{
    return TOP + (w->y[1] - y) / (w->y[1] - w->y[0]) * (HEIGHT - TOP - BOTTOM);
}

static void tick_text(FILE *f, double value, int base)
{
    const char *minus = value < 0 ? "&#8722;" : "";
    if (base) fprintf(f, "%d<tspan class=\"up\" dy=\"-5\">%s%.0f</tspan>", base, minus, fabs(value));
    else fprintf(f, "%s%.0f", minus, fabs(value));
}

static void axes(const frame *w, const chart *c)
{
    const double sx = chart_step(w->x[0], w->x[1], c->x_base), sy = chart_step(w->y[0], w->y[1], c->y_base);
    for (long k = 0; k <= lround((w->x[1] - w->x[0]) / sx); k++) {
        const double x = w->x[0] + (double)k * sx;
        fprintf(w->f, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at_x(w, x), TOP, HEIGHT - BOTTOM);
        fprintf(w->f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", at_x(w, x), HEIGHT - BOTTOM + 18);
        tick_text(w->f, x, c->x_base);
        fprintf(w->f, "</text>\n");
    }
    for (long k = 0; k <= lround((w->y[1] - w->y[0]) / sy); k++) {
        const double y = w->y[0] + (double)k * sy;
        fprintf(w->f, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at_y(w, y), WIDTH - RIGHT);
        fprintf(w->f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, at_y(w, y) + 5);
        tick_text(w->f, y, c->y_base);
        fprintf(w->f, "</text>\n");
    }
    fprintf(w->f, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    fprintf(w->f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 10);
    html_text(w->f, c->x_label);
    fprintf(w->f, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    html_text(w->f, c->y_label);
    fprintf(w->f, "</text>\n");
}

static void marker(FILE *f, series_kind kind, double x, double y)
{
    switch (kind) {
    case OF_CLAIM:   fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"/>", x, y); break;
    case OF_CONTROL: fprintf(f, "<path d=\"M%.1f %.1fl4 7h-8z\"/>", x, y - 4.5); break;
    default:         fprintf(f, "<path d=\"M%.1f %.1fh5\"/>", x - 2.5, y);
    }
}

static void draw(const frame *w, const chart *c, const chart_series *s)
{
    const bool line = c->joined || (c->ruled && s->kind == OF_RULE);
    fprintf(w->f, "<g class=\"%s\"><title>", class_of[s->kind]);
    html_text(w->f, s->name);
    fprintf(w->f, "</title>");
    if (line) {
        fprintf(w->f, "<path class=\"line\" d=\"");
        for (long k = 0; k < s->n; k++)
            fprintf(w->f, "%c%.1f %.1f", k ? 'L' : 'M', at_x(w, s->x[k]), at_y(w, s->y[k]));
        fprintf(w->f, "\"/>");
    }
    for (long k = 0; k < s->n && (s->kind != OF_RULE || !line); k++)
        marker(w->f, s->kind, at_x(w, s->x[k]), at_y(w, s->y[k]));
    fprintf(w->f, "</g>\n");
}

/* Below the axes, one line per kind of series. */
static int legend(FILE *f, const chart *c)
{
    int y = HEIGHT + 6;
    for (int kind = 0; kind < SERIES_KINDS; kind++) {
        if (!chart_has(c, (series_kind)kind)) continue;
        fprintf(f, "<g class=\"%s\">", class_of[kind]);
        const bool line = c->joined || (c->ruled && kind == OF_RULE);
        if (line) fprintf(f, "<path class=\"line\" d=\"M%d %dh34\"/>", LEFT, y);
        if (kind != OF_RULE || !line) marker(f, (series_kind)kind, LEFT + 17, y);
        fprintf(f, "</g><text x=\"%d\" y=\"%d\">", LEFT + 42, y + 5);
        html_text(f, c->kind_name[kind]);
        fprintf(f, "</text>\n");
        y += LEGEND_LINE;
    }
    return y;
}

void svg_chart(FILE *f, const chart *c)
{
    if (c->layout != CHART_POINTS) {
        svg_measured_chart(f, c);
        return;
    }
    frame w = { .f = f };
    int lines = 0;
    for (int kind = 0; kind < SERIES_KINDS; kind++) lines += chart_has(c, (series_kind)kind);
    chart_range(c, w.x, w.y);
    fprintf(f, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT + lines * LEGEND_LINE);
    html_text(f, c->title);
    fprintf(f, "\">\n");
    axes(&w, c);
    static const series_kind order[] = { OF_RULE, OF_CONTROL, OF_CLAIM };          /* claims on top */
    for (size_t o = 0; o < COUNT(order); o++)
        for (long k = 0; k < c->n; k++) if (c->at[k].kind == order[o]) draw(&w, c, &c->at[k]);
    legend(f, c);
    fprintf(f, "</svg>\n");
}
