/* SPDX-License-Identifier: GPL-3.0-or-later
 * reproduce.c - the runs of presets, and the list of presets: see reproduce.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "src/base/shown.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/tuning.h"
#include "src/base/file.h"
#include "src/train/ceiling.h"

/* ---- what a preset needs ------------------------------------------------------------------------------- */

/* Dies unless every name of o->rows is a row of some part. */
static void need_rows(const preset *p, const reproduce_options *o)
{
    text_buffer known = { 0 };
    for (long k = 0; k < p->parts; k++)
        for (long row = 0; row < p->part[k].rows; row++)
            text_add(&known, "%s%s", known.length ? ", " : "", p->part[k].row[row].name);
    for (const char *at = o->rows; at; at++) {
        const size_t n = strcspn(at, ",");
        char *name = must_format("%.*s", (int)n, at);
        bool found = false;
        for (long k = 0; k < p->parts; k++) found |= experiment_row_named(&p->part[k], name) >= 0;
        if (!found) die("--rows: preset %s has no row `%s`; its rows are %s", p->name, name, known.at);
        free(name);
        at += n;
        if (!*at) break;
    }
    free(text_take(&known));
}

/* Dies unless each file or folder that the options name exists; its name is what follows a colon. */
static void need_paths(const preset *p, const experiment *e, const reproduce_options *o)
{
    char *options = experiment_place_data(e->data, o->data), *rest = NULL;
    for (char *word = strtok_r(options, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const char *colon = strchr(word, ':');
        if (!colon || access(colon + 1, R_OK) == 0) continue;
        char *get = experiment_place_data(e->get ? e->get : "", o->data);
        die("preset %s needs %s (%s).  To get it: %s", p->name, colon + 1, strerror(errno), get);
    }
    free(options);
}

static void need_data(const preset *p, const reproduce_options *o)
{
    for (long k = 0; k < p->parts; k++) {
        const experiment *e = &p->part[k];
        if (!e->data || (!o->data && e->without_data)) continue;
        if (o->data) { need_paths(p, e, o); continue; }
        char *get = experiment_place_data(e->get ? e->get : "", "DIR");
        die("preset %s needs --data=DIR.  To get them: %s", p->name, get);
    }
}

/* ---- cost ---------------------------------------------------------------------------------------------- */

typedef struct { double flops, seconds; long steps, rows, runs; } preset_cost;
static preset_cost total_cost(const preset *p, const reproduce_options *o);

/* What a member of another preset is run with: rows and seeds of its own, and a folder in the other's. */
static reproduce_options member_options(const preset_member *m, const reproduce_options *o)
{
    reproduce_options its = *o;
    its.rows = m->rows;
    if (m->seeds) its.seeds = m->seeds;
    return its;
}

static preset_cost members_cost(const preset *p, const reproduce_options *o)
{
    preset_cost sum = { 0 };
    for (long k = 0; k < p->members; k++) {
        const reproduce_options its = member_options(&p->member[k], o);
        const preset_cost one = total_cost(preset_find(p->member[k].preset), &its);
        sum.flops += one.flops;
        sum.seconds += one.seconds;
        sum.steps += one.steps;
        sum.rows += one.rows;
        sum.runs += one.runs;
    }
    return sum;
}

static preset_cost total_cost(const preset *p, const reproduce_options *o)
{
    if (p->members) return members_cost(p, o);
    preset_cost sum = { 0 };
    for (long k = 0; k < p->parts; k++) {
        const experiment *e = &p->part[k];
        worklist w = reproduce_part_runs(p, e, o);
        for (long i = 0; i < w.n; i++) {
            const run_cost one = work_cost(o->kinds, &w.at[i]);
            sum.flops += one.flops;
            sum.seconds += one.flops / machine_flops(o, e->command);
            sum.steps += one.steps;
        }
        for (long row = 0; row < experiment_rows(e); row++)
            sum.rows += reproduce_row_asked(experiment_row(e, row)->name, o);
        sum.runs += w.n;
        worklist_free(&w);
    }
    return sum;
}

void reproduce_list(const reproduce_options *o)
{
    printf("%-15s %5s %6s %9s %9s %9s   what\n", "preset", "rows", "runs", "steps", "TFLOP", "at least");
    for (const preset *p = presets; p->name; p++) {
        char time[32];
        const preset_cost all = total_cost(p, o);
        duration_text(time, sizeof time, all.seconds);
        printf("%-15s %5ld %6ld %9ld %9.3g %9s   %s\n", p->name, all.rows, all.runs, all.steps, all.flops * 1e-12, time,
               p->about);
    }
    char *where = machine_speeds(o);
    printf("\n`at least`: all runs at the speed of matrix products on this machine, %s;\n"
           "models below d = 256 take two to four times as long.  `provably reproduce PRESET --dry-run` shows each "
           "run;\noptions for every run, `-- --backend=NAME` for instance, change what is listed, too.\n",
           where);
    free(where);
}

/* Says so where a part is listed with options that its tuning has yet to choose. */
static void say_tuning(const experiment *e, const reproduce_options *o)
{
    if (!e->tuned_by) return;
    results all = reproduce_tuning(e, o);
    char *tuned = tuning_options(e, 0, &all);
    if (!tuned)
        printf("  %s%s: still to be chosen by `provably reproduce %s`; shown as its grid begins\n",
               e->tuned_axis ? "--" : "its tuned options", e->tuned_axis ? e->tuned_axis : "", e->tuned_by);
    free(tuned);
    results_free(&all);
}

static void list_rows(const preset *p, const reproduce_options *o)
{
    for (long k = 0; k < p->members; k++) {
        const reproduce_options its = member_options(&p->member[k], o);
        list_rows(preset_find(p->member[k].preset), &its);
    }
    if (p->parts) need_rows(p, o);
    for (long k = 0; k < p->parts; k++) {
        const experiment *e = &p->part[k];
        worklist w = reproduce_part_runs(p, e, o);
        printf("%s: %s%s%s\n", p->name, e->title, e->table ? ", " : "", e->table ? e->table : "");
        say_tuning(e, o);
        for (long i = 0; i < w.n; i++) {
            const run_cost one = work_cost(o->kinds, &w.at[i]);
            char time[32];
            duration_text(time, sizeof time, one.flops / machine_flops(o, e->command));
            printf("  %-28s %11.0f parameters  %8ld steps  %8.3g TFLOP  at least %s\n     ", w.at[i].name,
                   one.parameters, one.steps, one.flops * 1e-12, time);
            for (int j = 0; j < w.at[i].words; j++) shown_print(stdout, " %s", w.at[i].word[j]);
            printf("\n");
        }
        worklist_free(&w);
    }
}

void reproduce_rows(const preset *p, const reproduce_options *o)
{
    list_rows(p, o);
    char *where = machine_speeds(o);
    printf("`at least`: at the speed of matrix products, %s\n", where);
    free(where);
}

/* Counts and command lines of the full tables; one line per model. */
static void announce(const reproduce_options *o)
{
    printf("\nThe papers' own tables:\n");
    for (const preset *p = presets; p->name; p++) {
        const reproduce_options plain = { .kinds = o->kinds, .more = "", .seeds = 1, .list = true };
        for (long k = 0; k < p->parts && p->part[k].full && p->part[k].claim; k++) {
            const experiment *e = &p->part[k];
            worklist w = reproduce_part_runs(p, e, &plain);
            printf("  provably reproduce %s%s    (%s, %s)\n", p->name, e->data ? " --data=DIR" : "", e->title,
                   e->table);
            for (long i = 0; i < w.n; i++) {
                const run_cost one = work_cost(o->kinds, &w.at[i]);
                printf("    %-28s %11.0f parameters  %8ld steps  %10.4g PFLOP a run\n",
                       w.at[i].name + strlen(e->name) + 1, one.parameters, one.steps, one.flops * 1e-15);
            }
            worklist_free(&w);
        }
    }
}

/* ---- a preset ------------------------------------------------------------------------------------------ */

/* Sweeps a part; false: not all of its runs are finished, and the reasons are printed; *stopped: some were stopped. */
static bool part_sweep(const preset *p, const experiment *e, const reproduce_options *o, watch *a, bool *stopped)
{
    worklist w = reproduce_part_runs(p, e, o);
    const long jobs = o->jobs ? o->jobs : p->jobs ? p->jobs : machine_jobs(o, e->command);
    const sweep_options s = { .out = o->out, .program = o->program, .jobs = jobs, .watch = a };
    printf("%s\n", e->title);
    fflush(stdout);
    const sweep_result r = sweep_run(&w, &s);
    const bool all = r.before + r.here == w.n;
    if (!all)
        printf("  %ld of %ld runs are finished; %ld failed, %ld were stopped, %ld are running elsewhere.  Run the "
               "same command again to resume.\n", r.before + r.here, w.n, r.failed, r.stopped, r.elsewhere);
    if (r.diverged)
        printf("  %ld of the finished runs diverged: their figures are recorded as inf, and no comparison with them is "
               "judged\n", r.diverged);
    *stopped |= r.stopped > 0;
    worklist_free(&w);
    return all;
}

/* Counts the runs of all parts and prints the work to be done. */
static watch watch_of(const preset *p, const reproduce_options *o)
{
    watch a = { .kinds = o->kinds };
    char time[32];
    double seconds = 0;                  /* parts may use different operations                          */
    for (long k = 0; k < p->parts; k++) {
        worklist w = reproduce_part_runs(p, &p->part[k], o);
        const double before = a.flops - a.begun_flops;
        watch_add(&a, &w, o->out);
        const double left = a.flops - a.begun_flops - before;
        if (o->estimate && left > 0) seconds += left / machine_flops(o, p->part[k].command);
        worklist_free(&w);
    }
    printf("%ld runs", a.runs);
    if (a.before) printf(", %ld of them finished before", a.before);
    fflush(stdout);
    if (seconds > 0) {
        a.speed = (a.flops - a.begun_flops) / seconds;
        duration_text(time, sizeof time, seconds);
        printf("; at least %s on this machine", time);
    }
    printf("\n\n");
    fflush(stdout);
    return a;
}

static bool has_seeds(const result *r) { return r->seeds > 0; }

/* The first line of a part that has seeds; NULL: nothing of it is finished. */
static const result *finished_line(const experiment *e, const results *all)
{
    for (long k = 0; k < all->n; k++)
        if (result_is(&all->at[k], R_PART, e->name) && has_seeds(&all->at[k])) return &all->at[k];
    return NULL;
}

/* Writes PRESET.csv and the curves of its parts; nothing while nothing is finished. */
static void write_record(const preset *p, const reproduce_options *o, const results *all)
{
    bool any = false;
    for (long k = 0; k < all->n; k++) any |= has_seeds(&all->at[k]);
    if (!any) {
        printf("\nno run of %s is finished: nothing is written\n", p->name);
        return;
    }
    char *path = must_format("%s/%s.csv", o->results, p->name), *curves = must_format("%s/curves", o->results);
    make_folder(o->results);
    make_folder(curves);
    for (long k = 0; k < p->parts; k++) curves_write(p, &p->part[k], o, curves);
    results_write(all, path);
    shown_print(stdout, "\n%s; `make report` shows it beside the papers' figures and the records\n", path);
    free(path);
    free(curves);
}

/* Dies unless everything is there that a preset needs before it starts. */
static void need_all(const preset *p, const reproduce_options *o)
{
    need_data(p, o);
    need_rows(p, o);
    reproduce_keep_record(p, o);
}

/* The tuning without which a part cannot start, or NULL. */
static const char *missing_tuning(const preset *p, const reproduce_options *o)
{
    for (long k = 0; k < p->parts; k++) {
        const experiment *e = &p->part[k];
        results all = reproduce_tuning(e, o);
        bool missing = false;
        for (long row = 0; e->tuned_by && row < experiment_rows(e); row++) {
            char *tuned = tuning_options(e, row, &all);
            missing |= !tuned && reproduce_row_asked(experiment_row(e, row)->name, o);
            free(tuned);
        }
        results_free(&all);
        if (missing) return e->tuned_by;
    }
    return NULL;
}

/* 0 or 1, as reproduce_run; *stopped: because runs were stopped. */
static int run_parts(const preset *p, const reproduce_options *o, bool *stopped)
{
    results all = { NULL, 0 };
    bool good = true;
    make_folder(o->out);
    printf("%s: %s\n", p->name, p->about);
    watch a = { .kinds = o->kinds };
    if (!o->record) a = watch_of(p, o);
    for (long k = 0; k < p->parts; k++) {
        if (!o->record && !part_sweep(p, &p->part[k], o, &a, stopped)) {
            results_free(&all);
            return 1;
        }
        if (o->record) printf("%s\n", p->part[k].title);
        if (p->part[k].eliminates) printf("  comparing the trained models with and without W_Q\n");
        fflush(stdout);
        good &= summarize_part(p, &p->part[k], o, &all);
        printf("\n");
    }
    if (p->announces) announce(o);
    write_record(p, o, &all);
    for (long k = 0; k < p->parts; k++) {
        const result *source = finished_line(&p->part[k], &all);
        if (p->part[k].follows && source) good &= follow_part(p, &p->part[k], o, source);
    }
    results_free(&all);
    return good ? 0 : 1;
}

static int run_members(const preset *p, const reproduce_options *o)
{
    char **out = must_calloc((size_t)p->members, sizeof *out);
    int worst = 0;
    bool stopped = false;
    for (long k = 0; k < p->members; k++) {
        reproduce_options its = member_options(&p->member[k], o);
        its.out = out[k] = must_format("%s/%s", o->out, p->member[k].preset);
        need_all(preset_find(p->member[k].preset), &its);
    }
    printf("%s: %s\n", p->name, p->about);
    make_folder(o->out);
    for (long k = 0; k < p->members && !stopped; k++) {
        const preset *member = preset_find(p->member[k].preset);
        reproduce_options its = member_options(&p->member[k], o);
        its.out = out[k];
        printf("\n[%ld of %ld] ", k + 1, p->members);
        const char *tuning = missing_tuning(member, &its);
        if (tuning) printf("%s is left out: %s has not chosen its options\n", member->name, tuning);
        const int status = tuning ? 1 : run_parts(member, &its, &stopped);
        if (status > worst) worst = status;
    }
    for (long k = 0; k < p->members; k++) free(out[k]);
    free(out);
    return worst;
}

int reproduce_run(const preset *p, const reproduce_options *o)
{
    bool stopped = false;
    if (p->members) return run_members(p, o);
    need_all(p, o);
    return run_parts(p, o, &stopped);
}
