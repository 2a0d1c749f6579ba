/* graph_tikz.c - the graph of claims as a TikZ picture that fits a page on its side; its styles stand in
 * reports/report.tex, and the size of its letters is chosen here, so that names fit their boxes. */
#include <math.h>
#include "src/base/outfile.h"
#include "src/report/graph.h"

static const double PAGE_WIDE = 244, PAGE_TALL = 145, TALLEST_ROW = 6.2, WIDEST_COLUMN = 36;           /* mm */
static const double LARGEST = 5.6, OF_BOX = 0.25, OF_ROW = 1.35;        /* letters, in points per mm         */
typedef struct { FILE *f; double column, box, row; } paper;

/* A colour that reports/report.tex defines. */
static const char *colour(verdict v)
{
    if (verdict_fails(v)) return "bad";
    return v == V_PENDING || v == V_INFORMAL || v == V_UNCHECKABLE || v == V_NONE ? "other" : verdict_word(v);
}

static void draw_edge(const paper *p, const graph_edge *e)
{
    double x = e->x[0] * p->column + p->box, y = e->y[0] * p->row;
    fprintf(p->f, "\\draw[claim uses] (%.2f,%.2f)", x, -y);
    for (long k = 1; k < e->n; k++) {
        const double to_x = e->x[k] * p->column, to_y = e->y[k] * p->row, half = (to_x - x) / 2;
        fprintf(p->f, " .. controls (%.2f,%.2f) and (%.2f,%.2f) .. (%.2f,%.2f)", x + half, -y, to_x - half, -to_y,
                to_x, -to_y);
        x = to_x;
        y = to_y;
        if (k + 1 < e->n) fprintf(p->f, " -- (%.2f,%.2f)", x += p->box, -y);
    }
    fprintf(p->f, ";\n");
}

static void bar(const paper *p, verdict v, double x, double y)
{
    if (v == V_NONE) return;
    fprintf(p->f, "\\fill[v%s] (%.2f,%.2f) rectangle +(1,%.2f);\n", colour(v), x, -y - p->row * 0.36, p->row * 0.72);
}

static void draw_node(const paper *p, const book *b, const graph_node *n)
{
    const claim_verdict *v = &n->of->v;
    const bool built = n->of->own.n > 0;
    const double x = n->x * p->column, y = n->y * p->row;
    fprintf(p->f, "\\draw[%s] (%.2f,%.2f) rectangle +(%.2f,%.2f);\n", built ? "claim box" : "pending box", x,
            -y - p->row * 0.36, p->box, p->row * 0.72);
    if (!b->partial) {
        bar(p, v->as_stated, x, y);
        bar(p, v->corrected, x + p->box - 1, y);
    }
    fprintf(p->f, "\\node[right,claim name] at (%.2f,%.2f) {", x + 1, -y);
    if (built) fprintf(p->f, "\\hyperref[claim:%s]{", n->of->id);
    latex_plain(p->f, n->of->id);
    if (built) fprintf(p->f, "}");
    fprintf(p->f, "};\\node[left,claim mark] at (%.2f,%.2f) {%s};\n", x + p->box - 1, -y,
            b->partial ? "" : graph_mark(v->as_stated));
}

void graph_tikz(const book *b, const char *out)
{
    graph g = graph_of(b);
    outfile o = out_open(out, "graph.tex");
    if (g.nodes) {
        paper p = { .f = o.f, .column = fmin(WIDEST_COLUMN, PAGE_WIDE / ((double)g.columns - 0.2)),
                    .row = fmin(TALLEST_ROW, PAGE_TALL / g.rows) };
        p.box = 0.8 * p.column;
        const double size = fmin(LARGEST, fmin(OF_BOX * p.box, OF_ROW * p.row));
        fprintf(o.f, "\\begin{tikzpicture}[x=1mm,y=1mm,\n"
                     "claim name/.append style={font=\\fontsize{%.2f}{%.2f}\\selectfont},\n"
                     "claim mark/.append style={font=\\fontsize{%.2f}{%.2f}\\selectfont}]\n", size, size, 0.8 * size,
                0.8 * size);
        for (long k = 0; k < g.edges; k++) draw_edge(&p, &g.edge[k]);
        if (g.alone) fprintf(o.f, "\\node[right,claim name] at (0,%.2f) {used by none and using none:};\n",
                             -(g.alone_from - 0.9) * p.row);
        for (long k = 0; k < g.nodes; k++) draw_node(&p, b, &g.node[k]);
        fprintf(o.f, "\\end{tikzpicture}\n");
    } else fprintf(o.f, "No claim is built.\n");
    outfile_close(&o);
    graph_free(&g);
}
