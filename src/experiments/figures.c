/* SPDX-License-Identifier: GPL-3.0-or-later
 * figures.c - see figures.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/check_elimination.h"
#include "src/experiments/commands.h"
#include "src/experiments/figures.h"
#include "src/experiments/statistics.h"

figures figures_new(const preset *p, const experiment *e, long seeds)
{
    figures f = { .p = p, .e = e, .metrics = experiment_metrics(e), .rows = experiment_rows(e), .seeds = seeds };
    const long metrics = f.metrics ? f.metrics : 1;      /* a part that only removes W_Q has none: its lines read 0 */
    f.x = must_calloc((size_t)(metrics * f.rows * seeds), sizeof *f.x);
    f.difference = must_calloc((size_t)(e->plans * seeds) + 1, sizeof *f.difference);
    f.missing = must_calloc((size_t)(f.rows * seeds), sizeof *f.missing);
    f.other = must_calloc((size_t)f.rows, sizeof *f.other);
    f.images = must_calloc((size_t)f.rows, sizeof *f.images);
    f.images_error = must_calloc((size_t)(metrics * f.rows), sizeof *f.images_error);
    f.pairs = must_calloc((size_t)e->plans + 1, sizeof *f.pairs);
    f.pairs_error = must_calloc((size_t)e->plans + 1, sizeof *f.pairs_error);
    f.own_windows = must_calloc((size_t)e->plans + 1, sizeof *f.own_windows);
    f.gap = must_calloc((size_t)f.rows, sizeof *f.gap);
    f.exact = must_calloc((size_t)f.rows, sizeof *f.exact);
    return f;
}

void figures_free(figures *f)
{
    free(f->x);
    free(f->difference);
    free(f->missing);
    free(f->other);
    free(f->images);
    free(f->pairs);
    free(f->images_error);
    free(f->pairs_error);
    free(f->own_windows);
    free(f->gap);
    free(f->exact);
}

double *figures_row(const figures *f, long m, long row) { return f->x + (m * f->rows + row) * f->seeds; }

static long row_named(const experiment *e, const char *name)
{
    const long k = experiment_row_named(e, name);
    REQUIRE(k >= 0, "no row is called %s", name);
    return k;
}

double *figures_named(const figures *f, const char *name) { return figures_row(f, 0, row_named(f->e, name)); }

void figures_commands(figures *f, const char *const *command)
{
    f->made_up = command_made_up(command[0]);
    for (long row = 0; row < f->rows; row++) f->other[row] = !f->made_up && !command_own(f->e, row, command[row]);
}

long figures_images(const char *words)
{
    const char *at = strstr(words, "val_n=");
    const long n = at ? strtol(at + 6, NULL, 10) : 0;
    return n > 0 ? n : 0;
}

/* ---- finished seeds ------------------------------------------------------------------------------------- */

static bool row_has(const figures *f, long row, long seed) { return !f->missing[row * f->seeds + seed]; }

bool figures_has(const figures *f, figures_place at, long seed)
{
    if (at.kind != COMPARISON) return row_has(f, at.row, seed);
    const planned *plan = &f->e->plan[at.plan];
    return row_has(f, row_named(f->e, plan->first), seed) && row_has(f, row_named(f->e, plan->second), seed);
}

long figures_finished(const figures *f, long row)
{
    long n = 0;
    for (long seed = 0; seed < f->seeds; seed++) n += row_has(f, row, seed);
    return n;
}

long figures_values(const figures *f, figures_place at, double *to)
{
    const double *x = at.kind == COMPARISON ? f->difference + at.plan * f->seeds : figures_row(f, at.metric, at.row);
    long n = 0;
    for (long seed = 0; seed < f->seeds; seed++) if (figures_has(f, at, seed)) to[n++] = x[seed];
    return n;
}

char *figures_seeds(const figures *f, figures_place at)
{
    text_buffer all = { 0 };
    long n = 0, first = 0, last = 0;
    for (long seed = 0; seed < f->seeds; seed++) {
        if (!figures_has(f, at, seed)) continue;
        if (!n++) first = seed;
        last = seed;
    }
    if (n > 1 && last - first == n - 1) return must_format("%ld to %ld", f->e->seed + first, f->e->seed + last);
    for (long seed = 0; seed < f->seeds; seed++)
        if (figures_has(f, at, seed)) text_add(&all, "%s%ld", all.length ? " " : "", f->e->seed + seed);
    return text_take(&all);
}

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
        const double *a = figures_row(f, e->plan[k].metric, row_named(e, e->plan[k].first));
        const double *b = figures_row(f, e->plan[k].metric, row_named(e, e->plan[k].second));
        double *d = f->difference + k * f->seeds;
        for (long seed = 0; seed < f->seeds; seed++) d[seed] = a[seed] - b[seed];
    }
    round_all(f->x, f->metrics * f->rows * f->seeds, 6);
    round_all(f->difference, e->plans * f->seeds, 6);
    round_all(f->pairs_error, e->plans, 6);
    round_all(f->images_error, f->metrics * f->rows, 6);
    round_all(f->gap, f->rows, 3);
}

/* ---- positions of the lines ---------------------------------------------------------------------------- */

long figures_lines(const experiment *e)
{
    const long rows = experiment_rows(e);
    return e->eliminates ? rows : experiment_metrics(e) * rows + e->plans + (e->least_median != 0);
}

figures_place figures_line_place(const experiment *e, long k)
{
    const long rows = experiment_rows(e), runs = experiment_metrics(e) * rows;
    if (e->eliminates) return (figures_place){ .kind = CHECK, .row = k };
    if (k < runs) return (figures_place){ .kind = RUN, .metric = k / rows, .row = k % rows };
    if (k < runs + e->plans)
        return (figures_place){ .kind = COMPARISON, .plan = k - runs, .metric = e->plan[k - runs].metric,
                                .row = row_named(e, e->plan[k - runs].first) };
    return (figures_place){ .kind = CHECK };
}

result figures_line_named(const preset *p, const experiment *e, long k)
{
    static const char *const kind[] = { [RUN] = "run", [COMPARISON] = "comparison", [CHECK] = "check" };
    const figures_place at = figures_line_place(e, k);
    const planned *plan = at.kind == COMPARISON ? &e->plan[at.plan] : NULL;
    const char *shown = e->shown[at.metric].shown;
    result r = { .p = NULL };
    r.cell[R_PRESET] = must_strdup(p->name);
    r.cell[R_PART] = must_strdup(e->name);
    r.cell[R_KIND] = must_strdup(kind[at.kind]);
    r.cell[R_CLAIM] = must_strdup(plan && plan->claim ? plan->claim : e->claim ? e->claim : "");
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

typedef struct { const figures *f; figures_place at; double *x; long n, planned; } line;

static long planned_seeds(const figures *f, figures_place at)
{
    const experiment *e = f->e;
    const long mine = experiment_row_seeds(e, at.row);
    if (at.kind != COMPARISON) return mine;
    const long other = experiment_row_seeds(e, row_named(e, e->plan[at.plan].second));
    return other < mine ? other : mine;
}

static line line_of(const figures *f, figures_place at)
{
    line l = { .f = f, .at = at, .planned = planned_seeds(f, at) };
    l.x = must_calloc((size_t)f->seeds + 1, sizeof *l.x);
    l.n = figures_values(f, at, l.x);
    return l;
}

/* Standard error of a row's figure over its test images, as shown: an accuracy's follows from it, another's is
 * measured; 0: not known, or not of test images. */
static double image_error(const figures *f, long which, long row)
{
    const metric *m = &f->e->shown[which];
    if (!m->share) return f->images[row] > 0 ? f->images_error[which * f->rows + row] : 0;
    line l = line_of(f, (figures_place){ .kind = RUN, .metric = which, .row = row });
    const double share = l.n ? stats_mean(l.x, l.n) / m->times : NAN;
    const bool known = 0 <= share && share <= 1 && f->images[row] > 0;
    const double error = known ? stats_share_error(share, (double)f->images[row]) : 0;
    free(l.x);
    return m->times * error;
}

/* Of a difference that was not measured image by image: as if the images of the two were independent. */
static double line_image_error(const figures *f, figures_place at)
{
    const double mine = image_error(f, at.metric, at.row);
    if (at.kind != COMPARISON) return mine;
    if (!f->e->shown[at.metric].share) return 0;
    const double other = image_error(f, at.metric, row_named(f->e, f->e->plan[at.plan].second));
    return mine > 0 && other > 0 ? hypot(mine, other) : 0;
}

/* The windows or test images on which a comparison's two runs were compared one by one; 0: they were not. */
static long line_pairs(const line *l) { return l->n && l->at.kind == COMPARISON ? l->f->pairs[l->at.plan] : 0; }

/* A mean over test images, not over windows of a text. */
static bool of_images(const line *l)
{
    const metric *m = &l->f->e->shown[l->at.metric];
    return m->share || m->over_images;
}

/* The error of one evaluation, over windows or test images. */
static double evaluation_error(const line *l)
{
    if (!l->n) return 0;
    return line_pairs(l) ? l->f->pairs_error[l->at.plan] : line_image_error(l->f, l->at);
}

static bool has_own_windows(const line *l) { return line_pairs(l) && l->f->own_windows[l->at.plan]; }

/* What of it the spread of the seeds does not show: all of it, once, where all seeds share the windows or test images;
 * nothing where each has windows of its own, so that its figure has their error already. */
static double shared_error(const line *l) { return has_own_windows(l) ? 0 : evaluation_error(l); }

static stats_estimate line_estimate(const line *l)
{
    if (l->n) return stats_estimate_mean(l->x, l->n, shared_error(l));
    return (stats_estimate){ NAN, NAN, NAN };
}

static void set_evaluated(result *r, double error, long n, const char *of)
{
    r->cell[R_SE_EVAL] = number(error);
    r->cell[R_EVAL_N] = must_format("%ld", n);
    r->cell[R_EVAL_OF] = must_strdup(of);
}

static const char *pairs_of(const line *l)
{
    return of_images(l) ? "paired test images" : has_own_windows(l) ? "windows of each seed" : "windows";
}

/* The error that one evaluation has of itself: of a comparison window by window or image by image, else over test
 * images. */
static void set_evaluation(result *r, const line *l)
{
    const long pairs = line_pairs(l);
    const double error = evaluation_error(l);
    if (pairs) set_evaluated(r, error, pairs, pairs_of(l));
    else if (error > 0) set_evaluated(r, error, l->f->images[l->at.row], "test images");
}

/* What the interval is of: "seeds", "windows", "seeds and test images", ..., to be freed. */
static char *interval_of(const line *l)
{
    const char *of = !(shared_error(l) > 0) ? "" : of_images(l) ? "test images" : "windows";
    return must_format("%s%s%s", l->n > 1 ? "seeds" : "", l->n > 1 && *of ? " and " : "", of);
}

static void set_figures(result *r, const line *l)
{
    const double sd = l->n > 1 ? stats_sd(l->x, l->n) : NAN;
    const stats_interval i = stats_estimate_interval(line_estimate(l), FIGURE_LEVEL);
    r->cell[R_MEAN] = isinf(i.mean) ? must_format("%g", i.mean) : number(i.mean);         /* inf: a run diverged */
    r->cell[R_LOW] = number(i.low);
    r->cell[R_HIGH] = number(i.high);
    r->cell[R_INTERVAL] = l->n && !isfinite(i.mean) ? must_strdup("") : interval_of(l);
    r->cell[R_SE_SEEDS] = number(sd / sqrt((double)l->n));
    set_evaluation(r, l);
}

/* What stands in the way of a verdict; OUTCOMES: nothing. */
static outcome obstacle(const line *l)
{
    const figures *f = l->f;
    const bool pair = l->at.kind == COMPARISON;
    if (!l->n) return OUTCOME_NOT_RUN;
    if (!f->e->eliminates) {                    /* the theorems hold for any data and any length          */
        if (f->made_up && l->at.kind != RUN) return OUTCOME_MADE_UP;
        if (f->other[l->at.row] || (pair && f->other[row_named(f->e, f->e->plan[l->at.plan].second)]))
            return OUTCOME_OTHER_OPTIONS;
    }
    if (l->n < l->planned) return OUTCOME_PARTIAL;
    if (pair && l->n < LEAST_SEEDS) return l->n > 1 ? OUTCOME_FEW_SEEDS : OUTCOME_ONE_SEED;
    return OUTCOMES;
}

static char *verdict_text(const line *l, outcome is, const planned *plan, double p)
{
    return is == OUTCOME_PARTIAL ? outcome_partial(l->n, l->planned) : outcome_text(is, plan, p);
}

static outcome judge_row(const line *l, result *r)
{
    const figures *f = l->f;
    const long images = f->e->shown[l->at.metric].share ? f->images[l->at.row] : 0;
    const char *paper = f->made_up ? NULL : experiment_paper(f->e, experiment_row(f->e, l->at.row), l->at.metric);
    outcome is = obstacle(l);
    if (is == OUTCOMES)
        is = f->e->full ? outcome_of_paper(paper, &f->e->shown[l->at.metric], l->x, l->n, images) : OUTCOME_NONE;
    r->cell[R_PAPER] = must_strdup(paper ? paper : "");
    r->cell[R_VERDICT] = verdict_text(l, is, NULL, NAN);
    set_figures(r, l);
    return is;
}

/* The p-value of a planned comparison alone; of an unfinished one too, of one seed over windows or test images. */
static double p_alone(const line *l)
{
    const planned *plan = &l->f->e->plan[l->at.plan];
    const stats_estimate of = line_estimate(l);
    return plan->kind == SAME ? stats_estimate_p_equivalent(of, plan->margin) : stats_estimate_p_below(of, 0);
}

/* The p-value that decides: Holm over those of order, all of the part; one that is not judged counts, as NaN. */
static double p_decides(const figures *f, long plan)
{
    const experiment *e = f->e;
    double *asked = must_calloc((size_t)e->plans, sizeof *asked);
    long orders = 0, mine = 0;
    for (long k = 0; k < e->plans; k++) {
        if (k != plan && (e->plan[k].kind != BELOW || e->plan[plan].kind == SAME)) continue;
        figures_place at = { .kind = COMPARISON, .plan = k, .metric = e->plan[k].metric };
        at.row = row_named(e, e->plan[k].first);
        line l = line_of(f, at);
        if (k == plan) mine = orders;
        asked[orders++] = obstacle(&l) == OUTCOMES ? p_alone(&l) : NAN;
        free(l.x);
    }
    stats_holm(asked, orders);
    const double p = asked[mine];
    free(asked);
    return p;
}

static outcome judge_plan(const line *l, result *r)
{
    const planned *plan = &l->f->e->plan[l->at.plan];
    const bool made_up = l->f->made_up;
    const double alone = made_up ? NAN : p_alone(l), p = made_up ? NAN : p_decides(l->f, l->at.plan);
    outcome is = obstacle(l);
    const bool not_known = l->f->e->shown[l->at.metric].over_images && !line_pairs(l);
    if (is == OUTCOMES) is = not_known ? OUTCOME_SEEDS_ONLY : outcome_of_plan(plan, line_estimate(l), p);
    r->cell[R_PAPER] = made_up ? must_strdup("") : plan->kind == BELOW ? must_strdup("below 0")
                                                 : must_format("0 within %g", plan->margin);
    r->cell[R_VERDICT] = verdict_text(l, is, plan, p);
    r->cell[R_P] = p_value_text(alone, 3);
    r->cell[R_P_HOLM] = p_value_text(p, 3);
    set_figures(r, l);
    return is;
}

/* A theorem on trained weights, or the acceptance of a part: the median of its first row and metric. */
static outcome judge_check(const line *l, result *r)
{
    const figures *f = l->f;
    const bool theorem = f->e->eliminates;
    const double median = l->n ? stats_median(l->x, l->n) : NAN, least = f->e->least_median;
    outcome is = obstacle(l);
    if (is == OUTCOMES)
        is = theorem ? elimination_outcome(f->gap[l->at.row], f->exact[l->at.row])
                     : median >= least ? OUTCOME_ACCEPTED : OUTCOME_FAILS;
    r->cell[R_PAPER] = !theorem ? must_format("at least %g", least)
                                : must_strdup(!l->n ? "" : f->exact[l->at.row] ? "0" : "not 0");
    r->cell[R_MEAN] = theorem && l->n ? must_format("%.3g", f->gap[l->at.row]) : number(median);
    r->cell[R_VERDICT] = verdict_text(l, is, NULL, NAN);
    return is;
}

result figures_line_judged(const figures *f, long k, outcome *is)
{
    const figures_place at = figures_line_place(f->e, k);
    result r = figures_line_named(f->p, f->e, k);
    line l = line_of(f, at);
    *is = at.kind == RUN ? judge_row(&l, &r) : at.kind == COMPARISON ? judge_plan(&l, &r) : judge_check(&l, &r);
    r.cell[R_VALUES] = f->e->eliminates ? must_strdup("") : joined(l.x, l.n);
    r.cell[R_N] = must_format("%ld", l.n);
    r.cell[R_SEEDS] = figures_seeds(f, at);
    r.cell[R_PLANNED] = must_format("%ld", l.planned);
    for (int c = R_PAPER; c <= R_EVAL_OF; c++) if (!r.cell[c]) r.cell[c] = must_strdup("");
    free(l.x);
    return r;
}
