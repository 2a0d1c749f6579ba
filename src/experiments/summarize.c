/* summarize.c - turns the finished runs of a part into lines of results, and prints them: see reproduce.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "src/experiments/figures.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/statistics.h"
#include "src/experiments/check_elimination.h"

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

static void read_figures(sheet *s)
{
    for (long seed = 0; seed < s->f.seeds; seed++)
        for (long row = 0; row < s->f.rows; row++) {
            char *folder = folder_of(s, row, seed);
            for (long m = 0; m < s->f.metrics; m++) {
                const metric *shown = &s->f.e->shown[m];
                double x;
                if (!run_folder_metric(folder, shown, &x))
                    die("%s has no figure `%s`; remove the folder and run the command again", folder, shown->name);
                figures_row(&s->f, m, row)[seed] = shown->times * x;
            }
            free(folder);
        }
}

/* Prints for each row what eliminating W_Q does to its loss. */
static void eliminate_all(sheet *s)
{
    for (long row = 0; row < s->f.rows; row++) {
        char *folder = folder_of(s, row, 0), *name = experiment_name(s->f.e, row);
        elimination_result t = elimination_check(folder);
        s->f.gap[row] = t.gap;
        s->f.exact[row] = t.exact;
        printf("    %-26s %s\n", name, t.words);
        free(t.words);
        free(name);
        free(folder);
    }
}

/* ---- where the figures come from ---------------------------------------------------------------------- */

/* "AMD EPYC, 2 cores; cpu-f32 Zen threads=1" */
static char *hardware(const char *folder)
{
    char *line = NULL, *model = NULL, *machine = run_folder_header(folder, "machine");
    size_t room = 0;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !model && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = '\0';
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) model = must_strdup(colon + 1 + strspn(colon + 1, " "));
    }
    if (f) fclose(f);
    char *text = must_format("%s, %ld cores; %s", model ? model : "unknown processor", machine_cores(), machine);
    free(line);
    free(model);
    free(machine);
    return text;
}

/* Of `sources`, what names the data and not the seeds: "train=0123 val=4567". */
static char *data_of(const char *folder)
{
    char *sources = run_folder_header(folder, "sources"), *rest = NULL;
    text_buffer text = { 0 };
    for (char *p = strtok_r(sources, " ", &rest); p; p = strtok_r(NULL, " ", &rest)) {
        if (strstr(p, "seed=")) continue;
        text_add(&text, "%s%s", text.length ? " " : "", p);
    }
    free(sources);
    return text_take(&text);
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

/* The word with the folder of the data replaced by DATA, as in presets.c: the local path is not recorded. */
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
    text_buffer all = { 0 };
    text_add(&all, "provably");
    for (int k = 0; k < w->words; k++) {
        char *word = without_folder(w->word[k], data);
        text_add(&all, " %s", word);
        free(word);
    }
    return text_take(&all);
}

/* The cells about the runs, taken from the first run of `row`. */
static void set_source(const sheet *s, result *r, long row)
{
    const work *w = &s->runs.at[row];
    const run_cost cost = run_kind_find(s->o->kinds, w->word[0])->cost(w->words, w->word);
    char *folder = folder_of(s, row, 0);
    r->cell[R_PARAMETERS] = must_format("%.0f", cost.parameters);
    r->cell[R_STEPS] = must_format("%ld", cost.steps);
    r->cell[R_UNITS] = must_format("%.0f", cost.units);
    r->cell[R_UNIT] = must_strdup(cost.unit);
    r->cell[R_HARDWARE] = hardware(folder);
    r->cell[R_DATE] = today();
    r->cell[R_COMMIT] = run_folder_header(folder, "commit");
    r->cell[R_DATA] = data_of(folder);
    r->cell[R_COMMAND] = command_of(w, s->o->data);
    free(folder);
}

/* ---- what is printed ----------------------------------------------------------------------------------- */

static void say_interval(const double *x, long n)
{
    const stats_interval i = stats_mean_interval(x, n, FIGURE_LEVEL);
    if (n > 1) printf("%9.4g  [%.4g, %.4g]", i.mean, i.low, i.high);
    else printf("%9.4g", i.mean);
}

static void say_row(const figures *f, figures_place at, const result *r)
{
    const experiment *e = f->e;
    if (at.row == 0)
        printf("  %s, mean of %ld seed%s%s\n", e->shown[at.metric].shown, f->seeds,
               f->seeds > 1 ? "s [95 % interval]" : "",
               e->full ? "; the paper's figure" : "; the paper's figure at full size");
    printf("    %-26s", r->cell[R_ROW]);
    say_interval(figures_row(f, at.metric, at.row), f->seeds);
    printf("   %s%s%s\n", r->cell[R_PAPER], *r->cell[R_VERDICT] ? "  " : "", r->cell[R_VERDICT]);
}

static void say_comparison(const figures *f, figures_place at, const result *r)
{
    if (at.plan == 0) printf("  planned before the runs: differences seed by seed [95 %% interval]\n");
    printf("    %-34s", r->cell[R_ROW]);
    say_interval(f->difference + at.plan * f->seeds, f->seeds);
    printf("  %s\n", r->cell[R_VERDICT]);
}

static void say_median(const figures *f, const result *r)
{
    printf("  median of %ld seed%s %s, expected %s: %s\n", f->seeds, f->seeds > 1 ? "s" : "", r->cell[R_MEAN],
           r->cell[R_PAPER], r->cell[R_VERDICT]);
}

/* Of each row of the table, the combination of the grid with the lowest first metric. */
static void say_grid(const figures *f)
{
    const long each = f->rows / f->e->rows;
    if (!f->e->axes || f->e->eliminates) return;
    printf("  the best combination for each:\n");
    for (long from = 0; from < f->rows; from += each) {
        long best = from;
        for (long row = from; row < from + each; row++)
            if (stats_mean(figures_row(f, 0, row), f->seeds) < stats_mean(figures_row(f, 0, best), f->seeds))
                best = row;
        char *name = experiment_name(f->e, best);
        printf("    %s\n", name);
        free(name);
    }
}

/* Makes, prints and adds each line; false: a check fails. */
static bool judge_lines(const sheet *s, results *all)
{
    bool good = true;
    for (long k = 0; k < figures_lines(s->f.e); k++) {
        const figures_place at = figures_line_place(s->f.e, k);
        outcome is;
        result r = figures_line_judged(&s->f, k, &is);
        set_source(s, &r, at.row);
        if (at.kind == RUN) say_row(&s->f, at, &r);
        else if (at.kind == COMPARISON) say_comparison(&s->f, at, &r);
        else if (!s->f.e->eliminates) say_median(&s->f, &r);
        results_add(all, r);
        good &= is != OUTCOME_FAILS;
    }
    return good;
}

bool summarize_part(const preset *p, const experiment *e, const reproduce_options *o, results *all)
{
    sheet s = { .o = o, .f = figures_new(p, e, o->seeds ? o->seeds : e->seeds) };
    s.runs = reproduce_part_runs(p, e, o);
    read_figures(&s);
    if (e->eliminates) eliminate_all(&s);
    figures_round(&s.f);
    const bool good = judge_lines(&s, all);
    say_grid(&s.f);
    if (e->cannot) printf("  %s\n", e->cannot);
    fflush(stdout);
    figures_free(&s.f);
    worklist_free(&s.runs);
    return good;
}
