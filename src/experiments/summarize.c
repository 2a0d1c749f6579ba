/* SPDX-License-Identifier: GPL-3.0-or-later
 * summarize.c - turns the finished runs of a part into lines of results, and prints them: see reproduce.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "src/base/shown.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/experiments/figures.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/statistics.h"
#include "src/experiments/check_elimination.h"
#include "src/train/run.h"

/* ---- a part: its figures by row, metric and seed ------------------------------------------------------- */

typedef struct {
    const reproduce_options *o;
    worklist runs;                       /* seed by seed, row by row                                    */
    figures f;
} sheet;

static char *folder_of(const sheet *s, long row, long seed)
{
    return must_format("%s/%s", s->o->out, s->runs.at[seed * s->f.rows + row].name);
}

/* The first seed of a line that is finished; -1: none. */
static long first_seed(const figures *f, figures_place at)
{
    for (long seed = 0; seed < f->seeds; seed++) if (figures_has(f, at, seed)) return seed;
    return -1;
}

static long images_of(const char *folder)
{
    char *sources = run_folder_header(folder, "evals.csv", "sources");
    const long n = figures_images(sources);
    free(sources);
    return n;
}

/* The step at which a run ends by its command. */
static long planned_end(const sheet *s, const work *w) { return work_cost(s->o->kinds, w).steps; }

static void read_run(sheet *s, long row, long seed)
{
    char *folder = folder_of(s, row, seed);
    const work *w = &s->runs.at[seed * s->f.rows + row];
    const long diverged = sweep_diverged(s->o->out, w);
    for (long m = 0; m < s->f.metrics; m++) {
        const metric *shown = &s->f.e->shown[m];
        double x;
        if (!run_folder_metric(folder, shown, &x))
            die("%s has no figure `%s`; remove the folder and run the command again", folder, shown->name);
        figures_row(&s->f, m, row)[seed] = shown->times * x;
    }
    run_folder_need_whole(folder, w, diverged ? diverged : planned_end(s, w));
    const long images = images_of(folder), before = s->f.images[row];
    if (before && images != before)
        die("%s was measured on %ld test images, an earlier seed on %ld; remove one of them", folder, images, before);
    s->f.images[row] = images;
    free(folder);
}

static void read_figures(sheet *s)
{
    for (long seed = 0; seed < s->f.seeds; seed++)
        for (long row = 0; row < s->f.rows; row++) {
            const long at = seed * s->f.rows + row;
            const work *w = &s->runs.at[at];
            const bool no_model = s->f.e->eliminates && sweep_diverged(s->o->out, w);
            s->f.missing[row * s->f.seeds + seed] = !sweep_done(s->o->out, w) || no_model;
            if (!s->f.missing[row * s->f.seeds + seed]) read_run(s, row, seed);
        }
}

/* Of `sources`, what names the data and not the seeds: "train=0123 val=4567". */
static char *data_of(const char *folder)
{
    char *sources = run_folder_header(folder, "evals.csv", "sources"), *rest = NULL;
    text_buffer text = { 0 };
    for (char *p = strtok_r(sources, " ", &rest); p; p = strtok_r(NULL, " ", &rest)) {
        if (strstr(p, "seed=")) continue;
        text_add(&text, "%s%s", text.length ? " " : "", p);
    }
    free(sources);
    return text_take(&text);
}

/* The rows of a part share its data, are shown side by side and compared; and the record names one text of a row. */
static void need_same_data(const sheet *s)
{
    char *first = NULL, *data = NULL;
    for (long at = 0; at < s->f.seeds * s->f.rows; at++) {
        const long row = at % s->f.rows, seed = at / s->f.rows;
        if (s->f.missing[row * s->f.seeds + seed]) continue;
        char *folder = folder_of(s, row, seed), *its = data_of(folder);
        if (first && strcmp(its, data) != 0)
            die("%s and %s were trained on different data (`%s` and `%s`): remove one of them, and run its command "
                "again on the data of the other", first, folder, data, its);
        if (!first) {
            first = folder;
            data = its;
            continue;
        }
        free(folder);
        free(its);
    }
    free(first);
    free(data);
}

/* The column of losses.csv of which a metric is the mean, less what has no such error; NULL: none. */
static const char *column_of_metric(const metric *m)
{
    return strcmp(m->name, "val_loss") == 0 ? "loss" : strcmp(m->name, "val_accuracy") == 0 ? "right" : NULL;
}

/* losses.csv and evals.csv are of the same weights, but for the rounding of another machine or arithmetic, on which
 * losses.csv may be written later.  Else the mean is that of evals.csv to the nine digits there; of windows in bfloat16
 * and in floats it differs by 2e-5 of itself, of other seeds and steps mostly by 1e-3 and more.
 * images: of a run on them, else 0. */
static void must_agree(const char *folder, const metric *m, double mean, long n, long images)
{
    const metric alone = { .name = m->name, .times = 1 };
    const double rounding = images ? 1e-3 : 1e-4;
    static const char *const text[] = { "model", "sources" };
    double x;
    for (size_t k = 0; k < COUNT(text); k++) {
        char *its = run_folder_header(folder, "losses.csv", text[k]);
        char *run = run_folder_header(folder, "evals.csv", text[k]);
        if (*its && strcmp(its, run) != 0)
            die("%s/losses.csv is of another run than evals.csv (%s: `%s`, and there `%s`); remove it, and run the "
                "command in %s/done again where its checkpoint is", folder, text[k], its, run, folder);
        free(its);
        free(run);
    }
    if (images && n != images)
        die("%s/losses.csv has %ld images, the run %ld; remove it, and run the command in %s/done again where its "
            "checkpoint is", folder, n, images, folder);
    if (run_folder_metric(folder, &alone, &x) && !(fabs(mean - x) <= rounding * fabs(x) + 1e-6))
        die("%s: the mean %s of losses.csv is %.6g and not the %.6g of evals.csv; remove losses.csv, and run the "
            "command in %s/done again where its checkpoint is", folder, m->name, mean, x, folder);
}

/* The standard error of a run's mean over windows or images, unscaled, and how many; 0: it has no losses.csv. */
static double own_error(const sheet *s, const metric *m, long row, long seed, long *n)
{
    char *folder = folder_of(s, row, seed);
    double mean, error;
    char *wrong = run_folder_error(folder, NULL, column_of_metric(m), n, &mean, &error);
    if (wrong) die("%s; remove it and run the command again", wrong);
    if (*n) must_agree(folder, m, mean, *n, m->over_images || m->share ? s->f.images[row] : 0);
    free(folder);
    return error;
}

/* Of each mean over test images its error, because they are so many: root mean square over the seeds that have one. */
static void read_image_errors(sheet *s)
{
    for (long m = 0; m < s->f.metrics; m++)
        for (long row = 0; row < s->f.rows && s->f.e->shown[m].over_images; row++) {
            const metric *shown = &s->f.e->shown[m];
            double sum = 0;
            long n = 0;
            for (long seed = 0; seed < s->f.seeds; seed++) {
                if (!figures_has(&s->f, (figures_place){ .kind = RUN, .metric = m, .row = row }, seed)) continue;
                long images;
                const double error = own_error(s, shown, row, seed, &images);
                sum += images ? error * error : 0;
                n += images > 0;
            }
            s->f.images_error[m * s->f.rows + row] = n ? shown->times * sqrt(sum / (double)n) : 0;
        }
}

typedef struct { double sum; long n, pairs, first; } paired;        /* first: a seed that has them            */

/* Adds a seed's error of a difference, window by window or image by image. */
static void add_pairs(sheet *s, long plan, long seed, paired *to)
{
    const planned *of = &s->f.e->plan[plan];
    const metric *shown = &s->f.e->shown[of->metric];
    const long row = experiment_row_named(s->f.e, of->first), other = experiment_row_named(s->f.e, of->second);
    const char *column = column_of_metric(shown);
    if (!column || !figures_has(&s->f, (figures_place){ .kind = COMPARISON, .plan = plan }, seed)) return;
    char *a = folder_of(s, row, seed), *b = folder_of(s, other, seed);
    double mean, error;
    long pairs;
    own_error(s, shown, row, seed, &pairs);                 /* dies where a losses.csv is not its run's        */
    own_error(s, shown, other, seed, &pairs);
    char *wrong = run_folder_error(a, b, column, &pairs, &mean, &error);
    if (wrong) die("%s; remove one of them and run the command again", wrong);
    free(b);
    if (pairs) {
        if (!to->n) to->first = seed;
        char *before = folder_of(s, row, to->first);
        s->f.own_windows[plan] |= !run_folder_same_windows(before, a);
        free(before);
        to->sum += error * error;
        to->pairs = pairs;
        to->n++;
    }
    free(a);
}

/* For each planned comparison, the error of a difference because the text or the test set is finite: root mean square
 * over the seeds that have it; and whether each seed has windows of its own, drawn by --data-seed. */
static void read_pairs(sheet *s)
{
    for (long plan = 0; plan < s->f.e->plans; plan++) {
        paired all = { .n = 0 };
        for (long seed = 0; seed < s->f.seeds; seed++) add_pairs(s, plan, seed, &all);
        if (!all.n) continue;
        s->f.pairs[plan] = all.pairs;
        s->f.pairs_error[plan] = s->f.e->shown[s->f.e->plan[plan].metric].times * sqrt(all.sum / (double)all.n);
    }
}

/* Prints for each row what eliminating W_Q does to its loss. */
static void eliminate_all(sheet *s)
{
    for (long row = 0; row < s->f.rows; row++) {
        const long seed = first_seed(&s->f, (figures_place){ .kind = CHECK, .row = row });
        if (seed < 0) continue;
        char *folder = folder_of(s, row, seed), *name = experiment_name(s->f.e, row);
        run_folder_need_weights(folder, planned_end(s, &s->runs.at[seed * s->f.rows + row]));
        elimination_result t = elimination_check(folder);
        s->f.gap[row] = t.gap;
        s->f.exact[row] = t.exact;
        shown_print(stdout, "    %-26s %s\n", name, t.words);
        free(t.words);
        free(name);
        free(folder);
    }
}

/* ---- where the figures come from ---------------------------------------------------------------------- */

/* The machine on which a run ended, "AMD EPYC, 2 cores", to be freed; of runs that did not write it down, this one. */
static char *machine_of(const char *folder)
{
    char *path = must_format("%s/done", folder);
    text_line line = { 0 };
    FILE *f = file_open(path);
    long lines = 0;
    while (f && lines < 2 && line_next(&line, f, path)) lines++;
    if (f) fclose(f);
    free(path);
    char *name = lines == 2 ? must_strdup(line.at) : machine_name();
    if (!shown_as_is(name))
        die("%s/done: its second line has characters that command a terminal: `%s`; it was not written by this suite",
            folder, name);
    text_line_free(&line);
    return name;
}

/* "AMD EPYC, 2 cores; cpu-f32 Zen threads=1" */
static char *hardware(const char *folder)
{
    char *name = machine_of(folder), *run = run_folder_header(folder, "evals.csv", "machine");
    char *text = must_format("%s; %s", name, run);
    free(name);
    free(run);
    return text;
}

/* The day when a run ended. */
static char *day_of(const char *folder)
{
    char text[32] = "", *path = must_format("%s/done", folder);
    struct stat about;
    struct tm t;
    if (stat(path, &about) == 0 && gmtime_r(&about.st_mtime, &t)) strftime(text, sizeof text, "%Y-%m-%d", &t);
    free(path);
    return must_strdup(text);
}

static void read_commands(sheet *s)
{
    char **command = must_calloc((size_t)s->f.rows, sizeof *command);
    const char *data = reproduce_data(s->f.e, s->o);
    for (long row = 0; row < s->f.rows; row++) command[row] = reproduce_command(&s->runs.at[row], data);
    figures_commands(&s->f, (const char *const *)command);
    for (long row = 0; row < s->f.rows; row++) free(command[row]);
    free(command);
}

static char *commit_of(const char *folder) { return run_folder_header(folder, "evals.csv", "commit"); }

/* What `of` says of the finished seeds of a line, each text once, in the order of the seeds: "A and B". */
static char *of_seeds(const sheet *s, figures_place at, char *(*of)(const char *folder))
{
    char **said = must_calloc((size_t)s->f.seeds, sizeof *said);
    text_buffer all = { 0 };
    long n = 0;
    for (long seed = 0; seed < s->f.seeds; seed++) {
        if (!figures_has(&s->f, at, seed)) continue;
        char *folder = folder_of(s, at.row, seed);
        said[n] = of(folder);
        free(folder);
        long k = 0;
        while (strcmp(said[k], said[n]) != 0) k++;
        if (k == n) text_add(&all, "%s%s", n ? " and " : "", said[n]);
        else        free(said[n]);
        n += k == n;
    }
    while (n > 0) free(said[--n]);
    free(said);
    return text_take(&all);
}

/* The cells about the runs: the command and its cost are those of the first seed of the row, day and data those of the
 * first which is finished, and all have the same data; machines and commits are those of all. */
static void set_source(const sheet *s, result *r, figures_place at)
{
    const work *w = &s->runs.at[at.row];
    const char *data = reproduce_data(s->f.e, s->o);
    const run_cost cost = work_cost(s->o->kinds, w);
    const long seed = first_seed(&s->f, at);
    r->cell[R_PARAMETERS] = must_format("%.0f", cost.parameters);
    r->cell[R_STEPS] = must_format("%ld", cost.steps);
    r->cell[R_UNITS] = must_format("%.0f", cost.units);
    r->cell[R_UNIT] = must_strdup(cost.unit);
    r->cell[R_FLOPS] = must_format("%.4g", cost.flops);
    r->cell[R_COMMAND] = reproduce_command(w, data);
    if (seed < 0) return;
    char *folder = folder_of(s, at.row, seed);
    r->cell[R_HARDWARE] = of_seeds(s, at, hardware);
    r->cell[R_DATE] = day_of(folder);
    r->cell[R_COMMIT] = of_seeds(s, at, commit_of);
    r->cell[R_DATA] = data_of(folder);
    free(folder);
}

/* ---- what is printed ----------------------------------------------------------------------------------- */

/* "  2.31 [2.29, 2.33]" */
static void say_interval(const result *r)
{
    const char *const *c = (const char *const *)r->cell;
    char *text = *c[R_MEAN] ? result_interval_text(r) : must_strdup("nan");
    const int width = (int)strcspn(text, " ");
    shown_print(stdout, "%*s%s", width < 9 ? 9 - width : 0, "", text);     /* the means end below each other */
    free(text);
    if (strstr(c[R_INTERVAL], "images") || strstr(c[R_INTERVAL], "windows"))
        shown_print(stdout, " of %s", c[R_INTERVAL]);
}

/* first: of its metric that is shown. */
static void say_row(const figures *f, figures_place at, const result *r, bool first)
{
    const experiment *e = f->e;
    if (first)
        shown_print(stdout, "  %s%s%s%s, mean of the seeds [95 %% interval]%s\n", e->shown[at.metric].shown,
               *r->cell[R_EVAL_N] ? " of " : "", r->cell[R_EVAL_N], *r->cell[R_EVAL_N] ? " test images" : "",
               f->made_up ? "; synthetic data, so that no figure of the papers is shown beside it"
               : e->full ? "; the paper's figure" : "; the paper's figure at full size");
    shown_print(stdout, "    %-26s", r->cell[R_ROW]);
    say_interval(r);
    shown_print(stdout, "   n = %s", r->cell[R_N]);
    if (*r->cell[R_PAPER]) shown_print(stdout, "   %s", r->cell[R_PAPER]);
    shown_print(stdout, "%s%s\n", *r->cell[R_VERDICT] ? "  " : "", r->cell[R_VERDICT]);
}

/* "  p = 0.02", "  p < 1e-300" */
static void say_p(const char *before, const char *p, const char *after)
{
    if (*p) shown_print(stdout, "%s%s%s%s", before, *p == '<' ? "" : "= ", p, after);
}

static void say_comparison(const figures *f, figures_place at, const result *r, bool first)
{
    const char *const *c = (const char *const *)r->cell;
    if (first)
        printf("  planned before the runs: differences seed by seed [95 %% interval], p alone and by Holm's method\n");
    shown_print(stdout, "    %-34s", c[R_ROW]);
    say_interval(r);
    shown_print(stdout, "  n = %s", c[R_N]);
    say_p("  p ", c[R_P], "");
    say_p(" (", c[R_P_HOLM], ")");
    shown_print(stdout, "  %s: %s\n", c[R_METRIC] + strlen("difference of "), c[R_VERDICT]);
    if (f->pairs[at.plan])
        shown_print(stdout, "    %-34s standard errors: %s over seeds, %s of one seed over %s %s\n", "",
               *c[R_SE_SEEDS] ? c[R_SE_SEEDS] : "not known", c[R_SE_EVAL], c[R_EVAL_N], c[R_EVAL_OF]);
    if (f->e->shown[at.metric].over_images && !f->pairs[at.plan])
        printf("    %34s interval over seeds only; test set of %ld not included\n", "", f->images[at.row]);
}

static void say_median(const figures *f, const result *r)
{
    shown_print(stdout, "  median of %s seed%s %s, expected %s: %s\n", r->cell[R_N], f->seeds > 1 ? "s" : "",
                r->cell[R_MEAN], r->cell[R_PAPER], r->cell[R_VERDICT]);
}

/* Of each row of the table, the combination of the grid with the lowest first metric: tuning.h. */
static void say_grid(const figures *f)
{
    const long each = f->rows / f->e->rows;
    if (!f->e->axes || f->e->eliminates) return;
    printf("  the best combination for each:\n");
    for (long from = 0; from < f->rows; from += each) {
        long best = -1, finished = 0;
        double least = INFINITY, *x = must_calloc((size_t)f->seeds + 1, sizeof *x);
        for (long row = from; row < from + each; row++) {
            const long n = figures_values(f, (figures_place){ .kind = RUN, .row = row }, x);
            finished += n > 0;
            if (!n || !(stats_mean(x, n) < least)) continue;
            least = stats_mean(x, n);
            best = row;
        }
        char *name = best < 0 ? must_strdup("none") : experiment_name(f->e, best);
        shown_print(stdout, "    %s%s\n", name, finished < each ? ", of those that have run" : "");
        free(name);
        free(x);
    }
}

/* Makes, prints and adds each line; false: a check fails. */
static bool judge_lines(const sheet *s, results *all)
{
    bool good = true;
    long metric_said = -1, comparisons = 0, not_run = 0;
    for (long k = 0; k < figures_lines(s->f.e); k++) {
        const figures_place at = figures_line_place(s->f.e, k);
        outcome is;
        result r = figures_line_judged(&s->f, k, &is);
        set_source(s, &r, at);
        if (is == OUTCOME_NOT_RUN) {
            not_run++;
        } else if (at.kind == RUN) {
            say_row(&s->f, at, &r, at.metric != metric_said);
            metric_said = at.metric;
        } else if (at.kind == COMPARISON) {
            say_comparison(&s->f, at, &r, comparisons++ == 0);
        } else if (!s->f.e->eliminates) {
            say_median(&s->f, &r);
        }
        results_add(all, r);
        good &= is != OUTCOME_FAILS;
    }
    if (not_run) printf("  %ld lines have no finished run yet\n", not_run);
    return good;
}

bool summarize_part(const preset *p, const experiment *e, const reproduce_options *o, results *all)
{
    sheet s = { .o = o };
    long seeds;
    s.runs = reproduce_part_table(p, e, o, &seeds);
    s.f = figures_new(p, e, seeds);
    read_figures(&s);
    need_same_data(&s);
    read_image_errors(&s);
    read_pairs(&s);
    read_commands(&s);
    if (e->eliminates) eliminate_all(&s);
    figures_round(&s.f);
    const bool good = judge_lines(&s, all);
    say_grid(&s.f);
    if (e->cannot) shown_print(stdout, "  %s\n", e->cannot);
    fflush(stdout);
    figures_free(&s.f);
    worklist_free(&s.runs);
    return good;
}
