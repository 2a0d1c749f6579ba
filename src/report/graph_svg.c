/* graph_svg.c - the graph of claims on the page: each box leads to its entry. */
#include <string.h>
#include "src/report/graph.h"

enum { COLUMN = 158, BOX = 132, ROW = 30, TALL = 22, MARGIN = 8, BAR = 6, HEAD = 20 };

static double at_x(double column) { return MARGIN + column * COLUMN; }
static double at_y(double y) { return MARGIN + HEAD + y * ROW; }                    /* top of a box            */

static const char *class_of(verdict v) { return verdict_fails(v) ? "bad" : verdict_word(v); }

/* Horizontal where it leaves and arrives; straight on through the points of columns between. */
static void draw_edge(FILE *f, const graph_edge *e)
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

static void bar(FILE *f, verdict v, double x, double y)
{
    fprintf(f, "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>", class_of(v), x, y, BAR,
            TALL);
}

static void draw_node(FILE *f, const book *b, const graph_node *n)
{
    const claim_verdict *v = &n->of->v;
    const verdict stated = b->partial ? V_NONE : v->as_stated, corrected = b->partial ? V_NONE : v->corrected;
    const double x = at_x(n->x), y = at_y(n->y);
    const bool built = n->of->own.n > 0;
    if (built) fprintf(f, "<a href=\"#%s\">", n->of->id);
    fprintf(f, "<g%s><title>%s: %s", built ? "" : " class=\"pending\"", n->of->id, verdict_shown(b, v->as_stated));
    if (corrected != V_NONE) fprintf(f, " (corrected: %s)", verdict_word(corrected));
    fprintf(f, ". ");
    html_plain(f, chapter_title(n->of));
    fprintf(f, "</title><rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>", x, y, BOX, TALL);
    if (stated != V_NONE) bar(f, stated, x, y);
    if (corrected != V_NONE) bar(f, corrected, x + BOX - BAR, y);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">%s</text><text class=\"mark\" x=\"%.1f\" y=\"%.1f\">%s</text></g>%s\n",
            x + BAR + 4, y + 15, n->of->id, x + BOX - BAR - 4, y + 15, graph_mark(stated), built ? "</a>" : "");
}

static void legend(FILE *f, const graph *g)
{
    bool seen[VERDICTS] = { false };
    for (long k = 0; k < g->nodes; k++) seen[g->node[k].of->v.as_stated] = seen[g->node[k].of->v.corrected] = true;
    fprintf(f, "<p class=\"soft\">");
    for (int v = V_NONE + 1; v < VERDICTS; v++)
        if (seen[v]) fprintf(f, "<span class=\"v %s\">%s&nbsp;%s</span> ", class_of((verdict)v), graph_mark((verdict)v),
                             verdict_word((verdict)v));
    fprintf(f, "</p>\n");
}

void graph_svg(FILE *f, const book *b)
{
    graph g = graph_of(b);
    fprintf(f, "<h2 id=\"graph\">Dependencies</h2>\n");
    if (g.nodes) {
        fprintf(f, "<p>A line leads from a claim to those that use it, from left to right; what follows from other "
                   "lines is left out. Left bar: the statement as printed; right bar: the corrected one. Every box "
                   "leads to its entry.</p>\n");
        if (!b->partial) legend(f, &g);
        const double wide = at_x((double)g.columns) - (COLUMN - BOX) + MARGIN, tall = at_y(g.rows) + MARGIN;
        fprintf(f, "<div class=\"scroll graph\" tabindex=\"0\"><svg width=\"%.0f\" height=\"%.0f\" "
                   "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Dependencies of the claims\">\n"
                   "<g class=\"edges\">", wide, tall, wide, tall);
        for (long k = 0; k < g.edges; k++) draw_edge(f, &g.edge[k]);
        fprintf(f, "</g>\n");
        if (g.alone) fprintf(f, "<text x=\"%d\" y=\"%.1f\">used by none and using none:</text>\n", MARGIN,
                             at_y(g.alone_from) - 8);
        for (long k = 0; k < g.nodes; k++) draw_node(f, b, &g.node[k]);
        fprintf(f, "</svg></div>\n");
    } else fprintf(f, "<p>No claim is built.</p>\n");
    graph_free(&g);
}
