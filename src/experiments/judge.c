/* judge.c - from the finished runs of a part to figures, intervals and verdicts in words: see reproduce.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "src/experiments/reproduce.h"
#include "src/experiments/statistics.h"
#include "src/experiments/theorem.h"

/* ---- a part: its figures by row, metric and seed ------------------------------------------------------- */

typedef struct {
    const preset *p;
    const experiment *e;
    const reproduce_options *o;
    worklist runs;                       /* seed by seed, row by row                                    */
    long rows, seeds;
    double *x;                           /* [metric][row][seed], as shown                               */
} sheet;

static double *values_of(const sheet *s, long m, long row) { return s->x + (m * s->rows + row) * s->seeds; }

static char *folder_of(const sheet *s, long row, long seed)
{
    return must_format("%s/%s", s->o->out, s->runs.at[seed * s->rows + row].name);
}

static void read_figures(sheet *s)
{
    for (long seed = 0; seed < s->seeds; seed++)
        for (long row = 0; row < s->rows; row++) {
            char *folder = folder_of(s, row, seed);
            for (long m = 0; m < FIGURES && s->e->shown[m].name; m++) {
                const metric *shown = &s->e->shown[m];
                double x;
                if (!run_metric(folder, shown, &x))
                    die("%s has no figure `%s`; remove the folder and start again", folder, shown->name);
                values_of(s, m, row)[seed] = shown->times * x;
            }
            free(folder);
        }
}

/* ---- lines of results ---------------------------------------------------------------------------------- */

static char *number(double x) { return isfinite(x) ? must_format("%.6g", x) : must_strdup(""); }

static char *joined(const double *x, long n)
{
    char *all = must_strdup("");
    for (long k = 0; k < n; k++) {
        char *longer = must_format("%s%s%.6g", all, k ? " " : "", x[k]);
        free(all);
        all = longer;
    }
    return all;
}

/* "AMD EPYC, 2 cores; cpu-f32 Zen threads=1" */
static char *hardware(const char *folder)
{
    char *line = NULL, *model = NULL, *machine = run_said(folder, "machine");
    size_t room = 0;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !model && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = '\0';
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) model = must_strdup(colon + 1 + strspn(colon + 1, " "));
    }
    if (f) fclose(f);
    char *text = must_format("%s, %ld cores; %s", model ? model : "unknown processor", cores(), machine);
    free(line);
    free(model);
    free(machine);
    return text;
}

/* Of `sources`, what names the data and not the seeds: "train=0123 val=4567". */
static char *data_of(const char *folder)
{
    char *sources = run_said(folder, "sources"), *text = must_strdup(""), *rest = NULL;
    for (char *p = strtok_r(sources, " ", &rest); p; p = strtok_r(NULL, " ", &rest)) {
        if (strstr(p, "seed=")) continue;
        char *longer = must_format("%s%s%s", text, *text ? " " : "", p);
        free(text);
        text = longer;
    }
    free(sources);
    return text;
}

static char *today(void)
{
    char text[32];
    const time_t now = time(NULL);
    struct tm t;
    gmtime_r(&now, &t);
    strftime(text, sizeof text, "%Y-%m-%d", &t);
    return must_strdup(text);
}

/* The word with the folder of the data called DATA, as presets.c has it: where it lies is no one's concern. */
static char *without_folder(const char *word, const char *data)
{
    const size_t n = data ? strlen(data) : 0;
    for (const char *at = n ? strstr(word, data) : NULL; at; at = strstr(at + 1, data))
        if (at > word && (at[-1] == ':' || at[-1] == '=') && (at[n] == '/' || at[n] == '\0'))
            return must_format("%.*sDATA%s", (int)(at - word), word, at + n);
    return must_strdup(word);
}

static char *command_of(const work *w, const char *data)
{
    char *all = must_strdup("provably");
    for (int k = 0; k < w->words; k++) {
        char *word = without_folder(w->word[k], data), *longer = must_format("%s %s", all, word);
        free(word);
        free(all);
        all = longer;
    }
    return all;
}

/* What every line says about its runs; `row` stands for the first of them. */
static result line_of(const sheet *s, const char *kind, long row)
{
    const experiment *e = s->e;
    const work *w = &s->runs.at[row];
    const run_cost cost = kind_find(s->o->kinds, w->word[0])->cost(w->words, w->word);
    char *folder = folder_of(s, row, 0);
    result r = { { NULL } };
    r.cell[R_PRESET] = must_strdup(s->p->name);
    r.cell[R_PART] = must_strdup(e->name);
    r.cell[R_KIND] = must_strdup(kind);
    r.cell[R_CLAIM] = must_strdup(e->claim ? e->claim : "");
    r.cell[R_TABLE] = must_strdup(e->table ? e->table : "");
    r.cell[R_N] = must_format("%ld", s->seeds);
    r.cell[R_SEEDS] = s->seeds == 1 ? must_format("%ld", e->seed)
                                    : must_format("%ld to %ld", e->seed, e->seed + s->seeds - 1);
    r.cell[R_SCALE] = must_strdup(e->full ? "full" : s->p->scale);
    r.cell[R_PARAMETERS] = must_format("%.0f", cost.parameters);
    r.cell[R_STEPS] = must_format("%ld", cost.steps);
    r.cell[R_UNITS] = must_format("%.0f", cost.units);
    r.cell[R_UNIT] = must_strdup(cost.unit);
    r.cell[R_HARDWARE] = hardware(folder);
    r.cell[R_DATE] = today();
    r.cell[R_COMMIT] = run_said(folder, "commit");
    r.cell[R_DATA] = data_of(folder);
    r.cell[R_COMMAND] = command_of(w, s->o->data);
    free(folder);
    return r;
}

static void set_figures(result *r, const double *x, long n)
{
    const mean_interval i = interval_of(x, n, FIGURE_LEVEL);
    r->cell[R_MEAN] = number(i.mean);
    r->cell[R_LOW] = number(i.low);
    r->cell[R_HIGH] = number(i.high);
    r->cell[R_VALUES] = joined(x, n);
}

/* ---- what is printed ----------------------------------------------------------------------------------- */

static void say_interval(const double *x, long n)
{
    const mean_interval i = interval_of(x, n, FIGURE_LEVEL);
    if (n > 1) printf("%9.4g  [%.4g, %.4g]", i.mean, i.low, i.high);
    else printf("%9.4g", i.mean);
}

static void judge_rows(const sheet *s, results *all)
{
    const experiment *e = s->e;
    for (long m = 0; m < FIGURES && e->shown[m].name; m++) {
        printf("  %s, mean of %ld seed%s%s\n", e->shown[m].shown, s->seeds, s->seeds > 1 ? "s [95 % interval]" : "",
               e->full ? "; the paper's" : "; the paper's at full size");
        for (long row = 0; row < s->rows; row++) {
            const double *x = values_of(s, m, row);
            const char *paper = experiment_paper(e, experiment_row(e, row), m);
            const char *verdict = e->full ? paper_verdict(paper, &e->shown[m], x, s->seeds) : "";
            result r = line_of(s, "run", row);
            r.cell[R_ROW] = experiment_name(e, row);
            r.cell[R_METRIC] = must_strdup(e->shown[m].shown);
            r.cell[R_PAPER] = must_strdup(paper ? paper : "");
            r.cell[R_VERDICT] = must_strdup(verdict);
            set_figures(&r, x, s->seeds);
            printf("    %-26s", r.cell[R_ROW]);
            say_interval(x, s->seeds);
            printf("   %s%s%s\n", paper ? paper : "", *verdict ? "  " : "", verdict);
            results_add(all, r);
        }
    }
}

static long row_named(const sheet *s, const char *name)
{
    for (long row = 0; row < s->rows; row++) if (strcmp(experiment_row(s->e, row)->name, name) == 0) return row;
    REQUIRE(false, "no row is called %s", name);
    return -1;
}

/* The differences of all planned comparisons, [plan][seed], and their p-values: Holm over those of order. */
static void compare_all(const sheet *s, double *difference, double *p)
{
    const experiment *e = s->e;
    double *asked = must_calloc((size_t)e->plans + 1, sizeof *asked);
    long orders = 0;
    for (long k = 0; k < e->plans; k++) {
        const double *a = values_of(s, 0, row_named(s, e->plan[k].first));
        const double *b = values_of(s, 0, row_named(s, e->plan[k].second));
        double *d = difference + k * s->seeds;
        for (long seed = 0; seed < s->seeds; seed++) d[seed] = a[seed] - b[seed];
        p[k] = e->plan[k].kind == SAME ? p_equivalent(d, s->seeds, e->plan[k].margin) : p_below(d, s->seeds, 0);
        if (e->plan[k].kind == BELOW) asked[orders++] = p[k];
    }
    holm(asked, orders);
    for (long k = 0, i = 0; k < e->plans; k++) if (e->plan[k].kind == BELOW) p[k] = asked[i++];
    free(asked);
}

static void judge_plan(const sheet *s, results *all)
{
    const experiment *e = s->e;
    if (!e->plans) return;
    double *difference = must_calloc((size_t)(e->plans * s->seeds), sizeof *difference);
    double *p = must_calloc((size_t)e->plans, sizeof *p);
    compare_all(s, difference, p);
    printf("  planned before the runs: differences seed by seed [95 %% interval]\n");
    for (long k = 0; k < e->plans; k++) {
        const double *d = difference + k * s->seeds;
        result r = line_of(s, "comparison", row_named(s, e->plan[k].first));
        r.cell[R_ROW] = must_format("%s - %s", e->plan[k].first, e->plan[k].second);
        r.cell[R_METRIC] = must_format("difference of %s", e->shown[0].shown);
        r.cell[R_PAPER] = e->plan[k].kind == BELOW ? must_strdup("below 0")
                                                   : must_format("0 within %g", e->plan[k].margin);
        r.cell[R_VERDICT] = planned_verdict(&e->plan[k], d, s->seeds, p[k]);
        set_figures(&r, d, s->seeds);
        printf("    %-34s", r.cell[R_ROW]);
        say_interval(d, s->seeds);
        printf("  %s\n", r.cell[R_VERDICT]);
        results_add(all, r);
    }
    free(difference);
    free(p);
}

/* Of each row of the table, the combination of the grid with the lowest first metric. */
static void judge_grid(const sheet *s)
{
    const long each = s->rows / s->e->rows;
    if (!s->e->axes) return;
    printf("  the best combination for each:\n");
    for (long from = 0; from < s->rows; from += each) {
        long best = from;
        for (long row = from; row < from + each; row++)
            if (mean_of(values_of(s, 0, row), s->seeds) < mean_of(values_of(s, 0, best), s->seeds)) best = row;
        char *name = experiment_name(s->e, best);
        printf("    %s\n", name);
        free(name);
    }
}

static bool judge_theorem(const sheet *s, results *all)
{
    bool good = true;
    for (long row = 0; row < s->rows; row++) {
        char *folder = folder_of(s, row, 0);
        theorem_check t = theorem_on(folder);
        result r = line_of(s, "check", row);
        r.cell[R_ROW] = experiment_name(s->e, row);
        r.cell[R_METRIC] = must_strdup("largest difference of a window's loss, all W_Q eliminated");
        r.cell[R_PAPER] = must_strdup(t.exact ? "0" : "not 0");
        r.cell[R_MEAN] = must_format("%.3g", t.gap);
        r.cell[R_VERDICT] = must_strdup(t.verdict);
        printf("    %-26s %s\n", r.cell[R_ROW], t.words);
        results_add(all, r);
        good &= t.as_it_must;
        free(t.words);
        free(folder);
    }
    return good;
}

/* The acceptance of a part: the median over the seeds of its first row and metric. */
static bool judge_median(const sheet *s, results *all)
{
    const double least = s->e->least_median, *x = values_of(s, 0, 0);
    if (least == 0) return true;
    const double median = median_of(x, s->seeds);
    const bool good = median >= least;
    result r = line_of(s, "check", 0);
    r.cell[R_ROW] = experiment_name(s->e, 0);
    r.cell[R_METRIC] = must_format("median of %s", s->e->shown[0].shown);
    r.cell[R_PAPER] = must_format("at least %g", least);
    r.cell[R_MEAN] = number(median);
    r.cell[R_VALUES] = joined(x, s->seeds);
    r.cell[R_VERDICT] = must_strdup(good ? "accepted" : "FAILS");
    printf("  median of %ld seed%s %.4g, to be at least %g: %s\n", s->seeds, s->seeds > 1 ? "s" : "", median, least,
           r.cell[R_VERDICT]);
    results_add(all, r);
    return good;
}

bool part_judge(const preset *p, const experiment *e, const reproduce_options *o, results *all)
{
    sheet s = { .p = p, .e = e, .o = o, .rows = experiment_rows(e), .seeds = o->seeds ? o->seeds : e->seeds };
    bool good = true;
    s.runs = part_runs(p, e, o);
    s.x = must_calloc((size_t)(FIGURES * s.rows * s.seeds), sizeof *s.x);
    read_figures(&s);
    if (e->eliminates) {
        good = judge_theorem(&s, all);
    } else {
        judge_rows(&s, all);
        judge_plan(&s, all);
        judge_grid(&s);
        good = judge_median(&s, all);
    }
    if (e->cannot) printf("  %s\n", e->cannot);
    fflush(stdout);
    free(s.x);
    worklist_free(&s.runs);
    return good;
}
