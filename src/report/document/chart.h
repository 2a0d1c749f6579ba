/* chart.h - series of points and their axes; svg_chart.c and gnuplot.c draw them. */
#ifndef CHART_H
#define CHART_H
#include <stdbool.h>
#include <stdio.h>

typedef enum { OF_CLAIM, OF_CONTROL, OF_RULE, SERIES_KINDS } series_kind;
typedef struct { series_kind kind; char name[160]; double *x, *y; long n; } chart_series;
typedef struct {
    char file[48];
    const char *title, *x_label;
    char y_label[64];
    const char *kind_name[SERIES_KINDS];
    int  x_base, y_base;                 /* 0: the axis shows the number itself; 2, 10: its power        */
    bool joined;                         /* lines through the points                                     */
    bool ruled;                          /* rules are lines, whatever the points are                     */
    chart_series *at;
    long n;
} chart;
/* The series of this name, a new one if there is none. */
chart_series *chart_add_series(chart *c, series_kind kind, const char *name);
void  chart_add_point(chart_series *s, double x, double y);
void  chart_free(chart *c);
bool  chart_has(const chart *c, series_kind kind);
bool  chart_empty(const chart *c);
void  chart_range(const chart *c, double x[2], double y[2]);       /* rounded outwards to whole steps    */
double chart_step(double from, double to, int base);               /* between ticks: about six of them   */
void  svg_chart(FILE *f, const chart *c);
/* Writes FILE.gp into `out` and runs gnuplot on it; false: there is no gnuplot, or it failed.  An empty
 * chart is no failure; plots of an earlier run are removed in any case. */
bool  gnuplot_chart(const char *out, const chart *c);
#endif
