/* SPDX-License-Identifier: GPL-3.0-or-later
 * diagram.h - a directed graph drawn in layers.
 *
 *   layered.c       columns (longest path from a node without predecessors), order within them, heights
 *   svg_diagram.c, tikz.c   the same picture for the page and for the PDF                             */
#ifndef DIAGRAM_H
#define DIAGRAM_H
#include <stdbool.h>
#include <stdio.h>

typedef struct {
    long   at;                           /* which node of the relation                                 */
    double x, y;                         /* column, and row of its middle                              */
    char   label[48];
    bool   linked;                       /* to the entry of its label; otherwise it is drawn dashed    */
    const char *mark;                    /* two letters, beside its colours; static                    */
    const char *left, *right;            /* colours of the bars, static; "": none                      */
    char  *title;
} diagram_node;
typedef struct { double *x, *y; long n; } diagram_edge;              /* from the used node to its user  */
typedef struct {
    diagram_node *node;
    long nodes;
    diagram_edge *edge;                  /* without those that follow from others                       */
    long edges;
    long columns, alone;                 /* how many nodes have no edge; they are drawn below the rest  */
    double rows, alone_from;             /* the row where they begin                                    */
    const char *alone_title, *name;      /* static                                                      */
} diagram;
/* Lays out n nodes with edge[user n + used]; those not shown have no edges.  Drops edges that close a cycle. */
diagram diagram_layout(long n, bool *edge, const bool *shown);
void    diagram_free(diagram *g);
void    svg_diagram(FILE *f, const diagram *g);
void    tikz_diagram(FILE *f, const diagram *g);
#endif
