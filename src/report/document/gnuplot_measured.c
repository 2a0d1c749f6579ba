/* gnuplot_measured.c - the layouts with intervals as a gnuplot script: see chart.h. */
#include <math.h>
#include "src/report/document/chart.h"

/* A data block for each series: x y low high. */
static void data_of(FILE *f, const chart *c)
{
    for (long k = 0; k < c->n; k++) {
        const chart_series *s = &c->at[k];
        fprintf(f, "$data%ld << END\n", k);
        gnuplot_comment(f, s->name);
        for (long i = 0; i < s->n; i++) {
            const double middle = c->layout == CHART_INTERVALS ? s->x[i] : s->y[i];
            const bool given = s->low && isfinite(s->low[i]) && isfinite(s->high[i]);
            fprintf(f, "%.10g %.10g %.10g %.10g\n", s->x[i], s->y[i], given ? s->low[i] : middle,
                    given ? s->high[i] : middle);
        }
        fprintf(f, "END\n");
    }
}

static void axis(FILE *f, char which, const double range[2], const char *label)
{
    const double step = chart_fine_step(range[0], range[1]);
    fprintf(f, "set %crange [%.10g:%.10g]\nset %ctics %.10g\nset format %c \"%%.%df\"\n", which, range[0], range[1],
            which, step, which, chart_decimals(step));
    fprintf(f, "set %clabel ", which);
    gnuplot_quoted(f, label);
    fputs(" noenhanced\n", f);
}

/* The name of each row above it, in place of a number. */
static void row_names(FILE *f, const chart *c)
{
    fprintf(f, "set yrange [%ld.4:0.4]\nunset ytics\nset border 1\n", c->n);
    for (long k = 0; k < c->n; k++) {
        fprintf(f, "set label %ld ", k + 1);
        gnuplot_quoted(f, c->at[k].name);
        fprintf(f, " at graph 0.01, first %g left noenhanced\n", c->at[k].y[0] - 0.32);
    }
    fprintf(f, "set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb '#666666' dt 3\n");
}

void gnuplot_measured(FILE *f, const chart *c)
{
    double x[2], y[2];
    chart_range(c, x, y);
    data_of(f, c);
    fprintf(f, "set grid lt 1 dt 1 lc rgb '#cccccc' lw 0.7\nset border 3\nset tics nomirror out\n");
    fprintf(f, c->layout == CHART_INTERVALS ? "unset key\n" : "set key below left Left reverse vertical\n");
    axis(f, 'x', x, c->x_label);
    if (c->layout == CHART_INTERVALS) row_names(f, c);
    else axis(f, 'y', y, c->y_label);
}

static void curve(FILE *f, const chart *c, long k, long colour)
{
    const chart_series *s = &c->at[k];
    const char *rgb = chart_colour[colour % CHART_COLOURS];
    if (s->kind == OF_RULE)
        fprintf(f, "$data%ld using 1:2 with lines lc rgb '%s' lw 1.2 dt 2 notitle", k, rgb);
    else {
        fprintf(f, "$data%ld using 1:3:4 with filledcurves fc rgb '%s' fs transparent solid 0.2 noborder notitle, \\\n"
                   "         $data%ld using 1:2 with lines lc rgb '%s' lw 1.6 title ", k, rgb, k, rgb);
        gnuplot_quoted(f, s->name);
        fputs(" noenhanced", f);
    }
}

void gnuplot_measured_plot(FILE *f, const chart *c)
{
    long colour = -1;
    fprintf(f, "    plot ");
    for (long k = 0; k < c->n; k++) {
        if (k) fprintf(f, ", \\\n         ");
        colour += c->at[k].kind != OF_RULE;
        if (c->layout == CHART_CURVES) curve(f, c, k, colour < 0 ? 0 : colour);
        else fprintf(f, "$data%ld using 1:2:3:4 with xerrorbars lc rgb '%s' lw 1.6 pt 7 ps 0.6 notitle", k,
                     chart_colour[c->at[k].kind == OF_CLAIM ? 0 : 1]);
    }
    fprintf(f, "\n");
}
