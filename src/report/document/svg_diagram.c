/* SPDX-License-Identifier: GPL-3.0-or-later
 * svg_diagram.c - a diagram on the page: each box leads to its entry. */
#include "src/report/document/diagram.h"
#include "src/report/document/html_text.h"

enum { COLUMN = 158, BOX = 132, ROW = 30, TALL = 22, MARGIN = 8, BAR = 6, HEAD = 20 };

static double at_x(double column) { return MARGIN + column * COLUMN; }
static double at_y(double y) { return MARGIN + HEAD + y * ROW; }                    /* top of a box            */

/* Horizontal where it leaves and arrives; straight on through the points of columns between. */
static void draw_edge(FILE *f, const diagram_edge *e)
{
    double x = at_x(e->x[0]) + BOX, y = at_y(e->y[0]) + TALL / 2.0;
    fprintf(f, "<path d=\"M%.1f %.1f", x, y);
    for (long k = 1; k < e->n; k++) {
        const double to_x = at_x(e->x[k]), to_y = at_y(e->y[k]) + TALL / 2.0, half = (to_x - x) / 2;
        fprintf(f, "C%.1f %.1f %.1f %.1f %.1f %.1f", x + half, y, to_x - half, to_y, to_x, to_y);
        x = to_x;
        y = to_y;
        if (k + 1 < e->n) fprintf(f, "H%.1f", x += BOX);
    }
    fprintf(f, "\"/>\n");
}

static void bar(FILE *f, const char *colour, double x, double y)
{
    if (*colour) fprintf(f, "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>", colour, x, y,
                         BAR, TALL);
}

static void draw_node(FILE *f, const diagram_node *n)
{
    const double x = at_x(n->x), y = at_y(n->y);
    if (n->linked) fprintf(f, "<a href=\"#%s\">", n->label);
    fprintf(f, "<g%s><title>", n->linked ? "" : " class=\"pending\"");
    html_text(f, n->title);
    fprintf(f, "</title><rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>", x, y, BOX, TALL);
    bar(f, n->left, x, y);
    bar(f, n->right, x + BOX - BAR, y);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">%s</text><text class=\"mark\" x=\"%.1f\" y=\"%.1f\">%s</text></g>%s\n",
            x + BAR + 4, y + 15, n->label, x + BOX - BAR - 4, y + 15, n->mark, n->linked ? "</a>" : "");
}

void svg_diagram(FILE *f, const diagram *g)
{
    const double wide = at_x((double)g->columns) - (COLUMN - BOX) + MARGIN, tall = at_y(g->rows) + MARGIN;
    fprintf(f, "<div class=\"scroll graph\" tabindex=\"0\"><svg width=\"%.0f\" height=\"%.0f\" "
               "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n<g class=\"edges\">", wide, tall, wide, tall,
            g->name);
    for (long k = 0; k < g->edges; k++) draw_edge(f, &g->edge[k]);
    fprintf(f, "</g>\n");
    if (g->alone) fprintf(f, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", MARGIN, at_y(g->alone_from) - 8, g->alone_title);
    for (long k = 0; k < g->nodes; k++) draw_node(f, &g->node[k]);
    fprintf(f, "</svg></div>\n");
}
