/* ladder.c - gap against precision and against condition number, as CSV and as plots. */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/book.h"

enum { MAX_RUNGS = 64 };

double ladder_slope(const rung *at, long n)
{
    double x[MAX_RUNGS], y[MAX_RUNGS], c0, c1, cov00, cov01, cov11, sumsq;
    size_t finite = 0;
    for (long k = 0; k < n && finite < MAX_RUNGS; k++) {
        if (!isfinite(at[k].log2gap)) continue;
        x[finite] = (double)at[k].bits;
        y[finite++] = at[k].log2gap;
    }
    if (finite < 2) return NAN;
    gsl_fit_linear(x, 1, y, 1, finite, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    return c1;
}

static bool same_ladder(const rung *a, const rung *b)
{
    return a->seed == b->seed && a->trial == b->trial && strcmp(a->part, b->part) == 0
        && strcmp(a->which, b->which) == 0 && strcmp(a->shape, b->shape) == 0 && a->bits < b->bits;
}

long ladder_length(const rung_list *all, long from)
{
    long n = 1;
    while (from + n < all->n && same_ladder(&all->at[from + n - 1], &all->at[from + n])) n++;
    return n;
}

/* Of a check that two sides differ: the gap stays, as it must.  (Where it must not, mpfr has refuted.) */
bool ladder_shows_difference(const chapter *c, const rung *at, long n)
{
    if (strcmp(at->which, "claim") != 0 || !(ladder_slope(at, n) > -0.5)) return false;
    for (long p = 0; p < c->v.parts; p++)
        if (strcmp(c->v.part[p].name, at->part) == 0) return c->v.part[p].by_arith[A_MPFR].refuted == 0;
    return false;
}

static void write_ladder(FILE *f, const rung *at, long n)
{
    const double slope = ladder_slope(at, n);
    for (long k = 0; k < n; k++) {
        const rung *r = &at[k];
        fprintf(f, "%s,%s,%s,%s,%llu,%ld,%ld,%.6g,", r->id, r->part, r->which, r->shape,
                (unsigned long long)r->seed, r->trial, r->bits, r->log2gap);
        if (isnan(slope)) fprintf(f, "exact\n");
        else fprintf(f, "%.4f\n", slope);
    }
}

static void report_condition(const book *b, const char *out)
{
    outfile o = out_open(out, "condition.csv");
    fprintf(o.f, "id,part,case,shape,seed,trial,kappa,log2gap,log2bound\n");
    for (long k = 0; k < b->n; k++)
        for (long i = 0; i < b->at[k].own.n; i++) {
            const row *r = &b->at[k].own.at[i];
            if (r->over != A_F64 || !(r->kappa >= 1) || r->verdict == UNDECIDED) continue;
            if (r->kind == PART_MEASURED) continue;             /* its gap is one of statistics */
            fprintf(o.f, "%s,%s,%s,%s,%llu,%ld,%.4g,%.6g,%.6g\n", r->id, r->part, r->which, r->shape,
                    (unsigned long long)r->seed, r->trial, r->kappa, r->log2gap, r->log2bound);
        }
    outfile_close(&o);
}

void report_ladders(const book *b, const char *out)
{
    outfile o = out_open(out, "ladder.csv");
    fprintf(o.f, "id,part,case,shape,seed,trial,bits,log2gap,slope\n");
    for (long k = 0; k < b->n; k++) {
        const rung_list *all = &b->at[k].ladder;
        for (long i = 0, n; i < all->n; i += n) {
            n = ladder_length(all, i);
            write_ladder(o.f, &all->at[i], n);
        }
    }
    outfile_close(&o);
    report_condition(b, out);
}

void report_plots(const book *b, const char *out, bool quiet)
{
    chart of[] = { chart_ladder(b, NULL), chart_condition(b) };
    bool drawn = true;
    for (size_t k = 0; k < COUNT(of); k++) {
        drawn &= gnuplot_chart(out, &of[k]);
        chart_free(&of[k]);
    }
    for (long k = 0; k < b->n; k++) {
        char program[32];
        chapter_program(program, sizeof program, &b->at[k]);
        char *file = must_format("figures-%s", program);
        chart plot = chart_figures(&b->at[k]);
        plot.file = file;
        drawn &= gnuplot_chart(out, &plot);
        chart_free(&plot);
        free(file);
    }
    if (!drawn && !quiet) printf("no plots as files: gnuplot is missing or failed (`make deps` installs it)\n");
}
