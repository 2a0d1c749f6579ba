/* figures.c - see figures.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/figures.h"
#include "src/experiments/statistics.h"
#include "src/experiments/check_elimination.h"

static long metrics_of(const experiment *e)
{
    long n = 0;
    while (n < PRESET_METRICS && e->shown[n].name) n++;
    return n;
}

figures figures_new(const preset *p, const experiment *e, long seeds)
{
    figures f = { .p = p, .e = e, .metrics = metrics_of(e), .rows = experiment_rows(e), .seeds = seeds };
    f.x = must_calloc((size_t)(f.metrics * f.rows * seeds), sizeof *f.x);
    f.difference = must_calloc((size_t)(e->plans * seeds) + 1, sizeof *f.difference);
    f.gap = must_calloc((size_t)f.rows, sizeof *f.gap);
    f.exact = must_calloc((size_t)f.rows, sizeof *f.exact);
    return f;
}

void figures_free(figures *f)
{
    free(f->x);
    free(f->difference);
    free(f->gap);
    free(f->exact);
}

double *figures_row(const figures *f, long m, long row) { return f->x + (m * f->rows + row) * f->seeds; }

static long row_named(const experiment *e, const char *name)
{
    for (long k = 0; k < experiment_rows(e); k++) if (strcmp(experiment_row(e, k)->name, name) == 0) return k;
    REQUIRE(false, "no row is called %s", name);
    return -1;
}

double *figures_named(const figures *f, const char *name) { return figures_row(f, 0, row_named(f->e, name)); }

/* ---- digits -------------------------------------------------------------------------------------------- */

static char *number(double x) { return isfinite(x) ? must_format("%.6g", x) : must_strdup(""); }

static char *joined(const double *x, long n)
{
    text_buffer all = { 0 };
    for (long k = 0; k < n; k++) {
        text_add(&all, "%s%.6g", k ? " " : "", x[k]);
    }
    return text_take(&all);
}

double figures_rounding(double x)
{
    return x == 0 || !isfinite(x) ? 0 : 0.5 * pow(10, floor(log10(fabs(x))) - 5);
}

static void round_all(double *x, long n, int digits)
{
    for (long k = 0; k < n; k++) {
        char text[64];
        snprintf(text, sizeof text, "%.*g", digits, x[k]);
        x[k] = strtod(text, NULL);
    }
}

void figures_round(figures *f)
{
    const experiment *e = f->e;
    for (long k = 0; k < e->plans; k++) {
        const double *a = figures_named(f, e->plan[k].first);
        const double *b = figures_named(f, e->plan[k].second);
        double *d = f->difference + k * f->seeds;
        for (long seed = 0; seed < f->seeds; seed++) d[seed] = a[seed] - b[seed];
    }
    round_all(f->x, f->metrics * f->rows * f->seeds, 6);
    round_all(f->difference, e->plans * f->seeds, 6);
    round_all(f->gap, f->rows, 3);
}

/* ---- positions of the lines ---------------------------------------------------------------------------- */

long figures_lines(const experiment *e)
{
    const long rows = experiment_rows(e);
    return e->eliminates ? rows : metrics_of(e) * rows + e->plans + (e->least_median != 0);
}

figures_place figures_line_place(const experiment *e, long k)
{
    const long rows = experiment_rows(e), runs = metrics_of(e) * rows;
    if (e->eliminates) return (figures_place){ .kind = CHECK, .row = k };
    if (k < runs) return (figures_place){ .kind = RUN, .metric = k / rows, .row = k % rows };
    if (k < runs + e->plans)
        return (figures_place){ .kind = COMPARISON, .plan = k - runs, .row = row_named(e, e->plan[k - runs].first) };
    return (figures_place){ .kind = CHECK };
}

result figures_line_named(const preset *p, const experiment *e, long k)
{
    static const char *const kind[] = { [RUN] = "run", [COMPARISON] = "comparison", [CHECK] = "check" };
    const figures_place at = figures_line_place(e, k);
    const planned *plan = at.kind == COMPARISON ? &e->plan[at.plan] : NULL;
    const char *shown = e->shown[at.metric].shown;
    result r = { { NULL } };
    r.cell[R_PRESET] = must_strdup(p->name);
    r.cell[R_PART] = must_strdup(e->name);
    r.cell[R_KIND] = must_strdup(kind[at.kind]);
    r.cell[R_CLAIM] = must_strdup(e->claim ? e->claim : "");
    r.cell[R_TABLE] = must_strdup(e->table ? e->table : "");
    r.cell[R_SCALE] = must_strdup(e->full ? "full" : p->scale);
    r.cell[R_ROW] = plan ? must_format("%s - %s", plan->first, plan->second) : experiment_name(e, at.row);
    if (at.kind == RUN) r.cell[R_METRIC] = must_strdup(shown);
    else if (plan) r.cell[R_METRIC] = must_format("difference of %s", shown);
    else if (!e->eliminates) r.cell[R_METRIC] = must_format("median of %s", shown);
    else r.cell[R_METRIC] = must_strdup("largest difference of a window's loss, all W_Q eliminated");
    return r;
}

/* ---- cells of a line ----------------------------------------------------------------------------------- */

static void set_figures(result *r, const double *x, long n)
{
    const stats_interval i = stats_mean_interval(x, n, FIGURE_LEVEL);
    r->cell[R_MEAN] = number(i.mean);
    r->cell[R_LOW] = number(i.low);
    r->cell[R_HIGH] = number(i.high);
    r->cell[R_VALUES] = joined(x, n);
}

static outcome judge_row(const figures *f, figures_place at, result *r)
{
    const char *paper = experiment_paper(f->e, experiment_row(f->e, at.row), at.metric);
    const double *x = figures_row(f, at.metric, at.row);
    const outcome is = f->e->full ? outcome_of_paper(paper, &f->e->shown[at.metric], x, f->seeds) : OUTCOME_NONE;
    r->cell[R_PAPER] = must_strdup(paper ? paper : "");
    r->cell[R_VERDICT] = outcome_text(is, NULL, NAN);
    set_figures(r, x, f->seeds);
    return is;
}

/* The p-value of a planned comparison: Holm over those of order, all of the part. */
static double p_of(const figures *f, long plan)
{
    const experiment *e = f->e;
    double *asked = must_calloc((size_t)e->plans, sizeof *asked), p;
    long orders = 0, mine = 0;
    if (e->plan[plan].kind == SAME) {
        p = stats_p_equivalent(f->difference + plan * f->seeds, f->seeds, e->plan[plan].margin);
    } else {
        for (long k = 0; k < e->plans; k++) {
            if (e->plan[k].kind != BELOW) continue;
            if (k == plan) mine = orders;
            asked[orders++] = stats_p_below(f->difference + k * f->seeds, f->seeds, 0);
        }
        stats_holm(asked, orders);
        p = asked[mine];
    }
    free(asked);
    return p;
}

static outcome judge_plan(const figures *f, figures_place at, result *r)
{
    const planned *plan = &f->e->plan[at.plan];
    const double *d = f->difference + at.plan * f->seeds, p = p_of(f, at.plan);
    const outcome is = outcome_of_plan(plan, d, f->seeds, p);
    r->cell[R_PAPER] = plan->kind == BELOW ? must_strdup("below 0") : must_format("0 within %g", plan->margin);
    r->cell[R_VERDICT] = outcome_text(is, plan, p);
    set_figures(r, d, f->seeds);
    return is;
}

/* A theorem on trained weights, or the acceptance of a part: the median of its first row and metric. */
static outcome judge_check(const figures *f, figures_place at, result *r)
{
    const bool theorem = f->e->eliminates;
    const double *x = figures_row(f, 0, 0), median = stats_median(x, f->seeds), least = f->e->least_median;
    const outcome is = theorem ? elimination_outcome(f->gap[at.row], f->exact[at.row])
                               : median >= least ? OUTCOME_ACCEPTED : OUTCOME_FAILS;
    r->cell[R_PAPER] = theorem ? must_strdup(f->exact[at.row] ? "0" : "not 0") : must_format("at least %g", least);
    r->cell[R_MEAN] = theorem ? must_format("%.3g", f->gap[at.row]) : number(median);
    r->cell[R_VALUES] = theorem ? must_strdup("") : joined(x, f->seeds);
    r->cell[R_VERDICT] = outcome_text(is, NULL, NAN);
    r->cell[R_LOW] = must_strdup("");
    r->cell[R_HIGH] = must_strdup("");
    return is;
}

result figures_line_judged(const figures *f, long k, outcome *is)
{
    const experiment *e = f->e;
    const figures_place at = figures_line_place(e, k);
    result r = figures_line_named(f->p, e, k);
    *is = at.kind == RUN ? judge_row(f, at, &r) : at.kind == COMPARISON ? judge_plan(f, at, &r)
                                                                        : judge_check(f, at, &r);
    r.cell[R_N] = must_format("%ld", f->seeds);
    r.cell[R_SEEDS] = f->seeds == 1 ? must_format("%ld", e->seed)
                                    : must_format("%ld to %ld", e->seed, e->seed + f->seeds - 1);
    return r;
}
