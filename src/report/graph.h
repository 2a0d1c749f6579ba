/* graph.h - which claim uses which: the graph, a layered layout of it, and two drawings.
 *
 *   depends.c  what a claim uses; circles and unknown names are problems of the run
 *   graph.c    columns (longest way from a claim that uses none), order within them, heights
 *   graph_svg.c, graph_tikz.c   the same picture for the page and for the PDF                      */
#ifndef GRAPH_H
#define GRAPH_H
#include "src/report/book.h"

/* The chapters that `of` says it uses, as places in the book; *out is to be freed.  Returns how many. */
long  chapter_uses(const book *b, const chapter *of, long **out);
/* A name that is no claim, itself, or a circle; NULL: nothing is wrong.  To be freed. */
char *depends_problem(const book *b, const chapter *of) MUST_USE;

typedef struct { const chapter *of; double x, y; } graph_node;       /* column, and row of its middle      */
typedef struct { double *x, *y; long n; } graph_edge;                /* from the used claim to its user    */
typedef struct {
    graph_node *node;
    long nodes;                          /* every built claim, and those that these use                   */
    graph_edge *edge;                    /* without those that follow from others                         */
    long edges;
    long columns, alone;                 /* how many claims use none and are used by none; they stand below */
    double rows, alone_from;             /* the row where they begin                                      */
} graph;
graph graph_of(const book *b);
void  graph_free(graph *g);

/* Two letters for a verdict, beside its colour. */
const char *graph_mark(verdict v);
void graph_svg (FILE *f, const book *b);                             /* a section of the page             */
void graph_tikz(const book *b, const char *out);                     /* OUT/graph.tex                     */
#endif
