/* SPDX-License-Identifier: GPL-3.0-or-later
 * svg_bars.c - bars made of parts, with their numbers, as SVG: see CHART_BARS in chart.h. */
#include "src/base/base.h"
#include "src/report/document/chart.h"
#include "src/report/document/html_text.h"

enum { WIDTH = 560, NAMES = 150, RIGHT = 34, ROW = 34, TALL = 24, TOP = 4, LEGEND_LINE = 22, LEGEND_COLUMN = 186 };

static double value_at(const chart_series *s, long row)
{
    for (long k = 0; k < s->n; k++) if ((long)s->y[k] == row) return s->x[k];
    return 0;
}

static double total_of(const chart *c, long row)
{
    double sum = 0;
    for (long k = 0; k < c->n; k++) sum += value_at(&c->at[k], row);
    return sum;
}

/* Parts that are wide enough carry their number; the sum stands behind the bar. */
static void draw_row(FILE *f, const chart *c, long row, double scale)
{
    const double y = TOP + ROW * (double)row;
    double x = NAMES;
    fprintf(f, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>", NAMES - 8, y + 17, c->row_name[row]);
    for (long k = 0; k < c->n; k++) {
        const double n = value_at(&c->at[k], row), wide = n * scale;
        if (n <= 0) continue;
        fprintf(f, "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"><title>%.0f %s</title>"
                   "</rect>", c->at[k].name, x, y, wide, TALL, n, c->at[k].name);
        if (wide >= 22) fprintf(f, "<text class=\"in\" x=\"%.1f\" y=\"%.0f\">%.0f</text>", x + wide / 2, y + 17, n);
        x += wide;
    }
    fprintf(f, "<text x=\"%.1f\" y=\"%.0f\">%.0f</text>\n", x + 6, y + 17, total_of(c, row));
}

void svg_bars(FILE *f, const chart *c, svg_place to)
{
    const long lines = (c->n + 2) / 3;
    double most = 1;
    for (long row = 0; row < c->rows; row++) if (total_of(c, row) > most) most = total_of(c, row);
    const double bottom = TOP + ROW * (double)c->rows;
    svg_begin(f, c, to, WIDTH, bottom + 40 + LEGEND_LINE * (double)lines);
    for (long row = 0; row < c->rows; row++) draw_row(f, c, row, (WIDTH - NAMES - RIGHT) / most);
    fprintf(f, "<text x=\"%d\" y=\"%.0f\">", NAMES, bottom + 18);
    html_text(f, c->x_label);
    fprintf(f, "</text>\n");
    for (long k = 0; k < c->n; k++) {
        const long column = k % 3, line = k / 3;
        const double x = 4 + LEGEND_COLUMN * (double)column, y = bottom + 44 + LEGEND_LINE * (double)line;
        fprintf(f, "<rect class=\"bar %s\" x=\"%.0f\" y=\"%.0f\" width=\"14\" height=\"14\"/><text x=\"%.0f\" "
                   "y=\"%.0f\">%s</text>\n", c->at[k].name, x, y - 12, x + 20, y, c->at[k].name);
    }
    fprintf(f, "</svg>\n");
}
