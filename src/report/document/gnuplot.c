/* gnuplot.c - a chart as a gnuplot script that can be run again by hand, and the plots it makes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/report/document/chart.h"
#include "src/report/document/output.h"

/* Okabe and Ito's colours: distinguishable with every kind of colour vision, and in grey by their dashes. */
static const char *const line_of[SERIES_KINDS] = {
    [OF_CLAIM]   = "lc rgb '#0072B2' lw 1.6 dt 1",
    [OF_CONTROL] = "lc rgb '#D55E00' lw 1.6 dt 2",
    [OF_RULE]    = "lc rgb '#666666' lw 1.6 dt 3" };
static const char *const point_of[SERIES_KINDS] = {
    [OF_CLAIM] = "pt 7 ps 0.45", [OF_CONTROL] = "pt 9 ps 0.6", [OF_RULE] = "pt 1 ps 0.35" };

static void data_of(FILE *f, const chart *c, series_kind kind)
{
    fprintf(f, "$data%d << END\n", (int)kind);
    for (long k = 0; k < c->n; k++) {
        if (c->at[k].kind != kind) continue;
        gnuplot_comment(f, c->at[k].name);
        for (long i = 0; i < c->at[k].n; i++) fprintf(f, "%.10g %.10g\n", c->at[k].x[i], c->at[k].y[i]);
        fprintf(f, "\n");                                       /* a blank line ends a line of the plot */
    }
    fprintf(f, "END\n");
}

static void axis(FILE *f, char which, const double range[2], int base, const char *label)
{
    fprintf(f, "set %crange [%g:%g]\n", which, range[0], range[1]);
    fprintf(f, "set %clabel ", which);
    gnuplot_quoted(f, label);
    fputc('\n', f);
    fprintf(f, "set %ctics %g\n", which, chart_step(range[0], range[1], base));
    if (base) fprintf(f, "set format %c \"%d^{%%.0f}\"\n", which, base);
}

/* The height of a plot of 14 cm; a row of a dot plot has 0.8 cm, or what a page has room for. */
static double height_cm(const chart *c)
{
    return c->layout == CHART_INTERVALS ? fmin(24, fmax(10.5, 2 + 0.8 * (double)c->n)) : 10.5;
}

static void begin_terminals(FILE *f, const chart *c)
{
    const double height = height_cm(c);
    fprintf(f, "do for [kind in \"pdf svg\"] {\n"
               "    if (kind eq \"pdf\") {\n"
               "        set terminal pdfcairo size 14cm,%.1fcm enhanced font \"Latin Modern Sans,11\" "
               "fontscale 0.72\n"
               "    }\n    if (kind eq \"svg\") {\n"
               "        set terminal svg size 640,%.0f font \"sans-serif,15\" "
               "enhanced background rgb 'white'\n    }\n"
               "    set output ", height, height / 10.5 * 500);
    gnuplot_quoted(f, c->file);
    fputs(".'.'.kind\n", f);
}

static void write_points(FILE *f, const chart *c)
{
    double x[2], y[2];
    chart_range(c, x, y);
    for (int k = 0; k < SERIES_KINDS; k++) if (chart_has(c, (series_kind)k)) data_of(f, c, (series_kind)k);
    fprintf(f, "set grid lt 1 dt 1 lc rgb '#cccccc' lw 0.7\nset border 3\nset tics nomirror out\n"
               "set key below left Left reverse vertical\n");
    axis(f, 'x', x, c->x_base, c->x_label);
    axis(f, 'y', y, c->y_base, c->y_label);
    begin_terminals(f, c);
    fprintf(f, "    plot ");
    static const series_kind order[] = { OF_RULE, OF_CONTROL, OF_CLAIM };
    const char *before = "";
    for (size_t o = 0; o < COUNT(order); o++) {
        const series_kind kind = order[o];
        if (!chart_has(c, kind)) continue;
        const bool lines = (c->joined || c->ruled) && kind == OF_RULE;
        const char *with = lines ? "lines" : c->joined ? "linespoints" : "points";
        fprintf(f, "%s$data%d using 1:2 with %s %s %s title ", before, (int)kind, with, line_of[kind],
                lines ? "" : point_of[kind]);
        gnuplot_quoted(f, c->kind_name[kind]);
        before = ", \\\n         ";
    }
    fprintf(f, "\n");
}

static void write_script(FILE *f, const chart *c)
{
    char *head = must_format("%s.  Run again with: gnuplot %s.gp", c->title, c->file);
    gnuplot_comment(f, head);
    free(head);
    if (c->layout == CHART_POINTS) write_points(f, c);
    else {
        gnuplot_measured(f, c);
        begin_terminals(f, c);
        gnuplot_measured_plot(f, c);
    }
    fprintf(f, "    unset output\n}\n");
}

/* The status of `gnuplot SCRIPT` run inside the folder; 127: there is no gnuplot. */
static int run_gnuplot(const char *out, const char *script)
{
    fflush(NULL);
    const pid_t child = vfork();                /* a fork would copy the page tables of the whole evidence */
    if (child == 0) {
        if (chdir(out) != 0) _exit(126);
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    int status;
    if (child < 0) die("cannot start gnuplot: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0) if (errno != EINTR) die("cannot wait for gnuplot: %s", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* The first `n` of pdf, svg and gp; whether one was there. */
static bool remove_plots(const char *out, const char *file, size_t n)
{
    static const char *const kinds[] = { "pdf", "svg", "gp" };
    bool was = false;
    for (size_t k = 0; k < n; k++) {
        char *path = must_format("%s/%s.%s", out, file, kinds[k]);
        was |= unlink(path) == 0;
        free(path);
    }
    return was;
}

bool gnuplot_remove(const char *out, const char *file) { return remove_plots(out, file, 3); }

bool gnuplot_chart(const char *out, const chart *c)
{
    gnuplot_remove(out, c->file);                               /* no plot may outlive its data */
    if (chart_empty(c)) return true;
    char *script = must_format("%s.gp", c->file);
    outfile o = output_open(out, script);
    write_script(o.f, c);
    outfile_close(&o);
    const int status = run_gnuplot(out, script);
    if (status != 0) remove_plots(out, c->file, 2);
    free(script);
    return status == 0;
}
