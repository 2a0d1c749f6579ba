/* SPDX-License-Identifier: GPL-3.0-or-later
 * tikz.c - a diagram as a TikZ picture that fits a page on its side; latex_head.c has its styles and colours, and
 * the size of its letters is chosen here, so that names fit their boxes. */
#include <math.h>
#include "src/report/document/diagram.h"
#include "src/report/document/latex_text.h"

static const double PAGE_WIDE = 244, PAGE_TALL = 145, TALLEST_ROW = 6.2, WIDEST_COLUMN = 36;           /* mm */
static const double LARGEST = 5.6, OF_BOX = 0.25, OF_ROW = 1.35;        /* letters, in points per mm         */
typedef struct { FILE *f; double column, box, row; } paper;

static void draw_edge(const paper *p, const diagram_edge *e)
{
    double x = e->x[0] * p->column + p->box, y = e->y[0] * p->row;
    fprintf(p->f, "\\draw[provably uses] (%.2f,%.2f)", x, -y);
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

static void bar(const paper *p, const char *colour, double x, double y)
{
    if (!*colour) return;
    fprintf(p->f, "\\fill[provably%s] (%.2f,%.2f) rectangle +(1,%.2f);\n", colour, x,
            -y - p->row * 0.36, p->row * 0.72);
}

static void draw_node(const paper *p, const diagram_node *n)
{
    const double x = n->x * p->column, y = n->y * p->row;
    fprintf(p->f, "\\draw[%s] (%.2f,%.2f) rectangle +(%.2f,%.2f);\n",
            n->linked ? "provably box" : "provably pending", x, -y - p->row * 0.36, p->box, p->row * 0.72);
    bar(p, n->left, x, y);
    bar(p, n->right, x + p->box - 1, y);
    fprintf(p->f, "\\node[right,provably name] at (%.2f,%.2f) {", x + 1, -y);
    latex_link(p->f, n->label, n->linked ? n->label : NULL);
    fprintf(p->f, "};\\node[left,provably mark] at (%.2f,%.2f) {%s};\n", x + p->box - 1, -y, n->mark);
}

void tikz_diagram(FILE *f, const diagram *g)
{
    paper p = { .f = f, .column = fmin(WIDEST_COLUMN, PAGE_WIDE / ((double)g->columns - 0.2)),
                .row = fmin(TALLEST_ROW, PAGE_TALL / g->rows) };
    p.box = 0.8 * p.column;
    const double size = fmin(LARGEST, fmin(OF_BOX * p.box, OF_ROW * p.row));
    fprintf(f, "\\begin{tikzpicture}[x=1mm,y=1mm,\n"
               "provably name/.append style={font=\\fontsize{%.2f}{%.2f}\\selectfont},\n"
               "provably mark/.append style={font=\\fontsize{%.2f}{%.2f}\\selectfont}]\n", size, size, 0.8 * size,
            0.8 * size);
    for (long k = 0; k < g->edges; k++) draw_edge(&p, &g->edge[k]);
    if (g->alone) fprintf(f, "\\node[right,provably name] at (0,%.2f) {%s};\n", -(g->alone_from - 0.9) * p.row,
                          g->alone_title);
    for (long k = 0; k < g->nodes; k++) draw_node(&p, &g->node[k]);
    fprintf(f, "\\end{tikzpicture}\n");
}
