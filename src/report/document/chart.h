/* SPDX-License-Identifier: GPL-3.0-or-later
 * chart.h - series of points and their axes; svg_*.c draw them, each layout in its own way:
 *
 *   CHART_POINTS      points, or lines through them; rules
 *   CHART_INTERVALS   a dot plot: each series is a row with its name above it, its points x with an interval (low,
 *                     high); a line at 0
 *   CHART_CURVES      each series is a line with a band (low, high) in a colour of its own; a series of kind OF_RULE is
 *                     a dashed level in the colour of the series before it; the frame is for the last four fifths of
 *                     the steps
 *   CHART_BARS        a bar for each row, made of the series: point (x, y) is x of the series in row y; the name of a
 *                     series is its colour in the page's style sheet                                   */
#ifndef CHART_H
#define CHART_H
#include <stdbool.h>
#include <stdio.h>

typedef enum { OF_CLAIM, OF_CONTROL, OF_RULE, SERIES_KINDS } series_kind;
typedef enum { CHART_POINTS, CHART_INTERVALS, CHART_CURVES, CHART_BARS } chart_layout;
typedef struct {
    series_kind kind;
    char    name[160];
    double *x, *y, *low, *high;          /* low, high: NULL where there is no interval                  */
    long    n;
} chart_series;
typedef struct {
    char file[48];
    const char *title, *x_label;
    char y_label[64];
    const char *kind_name[SERIES_KINDS];
    int  x_base, y_base;                 /* 0: the axis shows the number itself; 2, 10: its power        */
    chart_layout layout;
    bool joined;                         /* lines through the points                                     */
    const char *const *row_name;         /* of CHART_BARS, static                                        */
    long rows;
    bool small;                          /* on a page: half the ticks and no legend; the text beside it has one */
    bool ruled;                          /* rules are lines, whatever the points are                     */
    chart_series *at;
    long n;
} chart;
/* The series of this name, a new one if there is none. */
chart_series *chart_add_series(chart *c, series_kind kind, const char *name);
void  chart_add_point(chart_series *s, double x, double y);
/* The same with an interval: of x in CHART_INTERVALS, of y in CHART_CURVES. */
void  chart_add_interval(chart_series *s, double x, double y, double low, double high);
void  chart_free(chart *c);
bool  chart_has(const chart *c, series_kind kind);
bool  chart_empty(const chart *c);
void  chart_range(const chart *c, double x[2], double y[2]);       /* rounded outwards to whole steps    */
double chart_step(double from, double to, int base);               /* between ticks: about six of them   */
/* The same where steps may be below one: 0.02, 0.05, 0.1, ...; and how many decimals its ticks show. */
double chart_fine_step(double from, double to);
int    chart_decimals(double step);
/* The chart as SVG: in a page, whose style sheet it follows; as a file of its own for a screen, where colours follow
 * light and dark; or as one for print, without names of colours, which rsvg-convert does not know. */
typedef enum { SVG_PAGE, SVG_SCREEN, SVG_PRINT } svg_place;
void  svg_chart(FILE *f, const chart *c, svg_place to);
void  svg_bars(FILE *f, const chart *c, svg_place to);
void  svg_measured_chart(FILE *f, const chart *c, svg_place to);   /* the layouts with intervals         */
void  svg_begin(FILE *f, const chart *c, svg_place to, int width, double height);    /* ends with </svg>     */
extern const char *const chart_colour[];                           /* of the series of CHART_CURVES      */
enum { CHART_COLOURS = 6 };
/* Writes FILE.svg into `out`, for print, and where pdf is wanted FILE.pdf, which rsvg-convert makes of it; false: it is
 * missing or failed.  An empty chart has no files; those of an earlier run are removed in any case. */
bool  chart_files(const char *out, const chart *c, bool pdf);
bool  chart_files_remove(const char *out, const char *file);       /* whether any was there              */
#endif
