/* SPDX-License-Identifier: GPL-3.0-or-later
 * part_runs.c - which runs a part of a preset has, with their options: see reproduce.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/experiments/reproduce.h"
#include "src/experiments/tuning.h"

static long seeds_of(const experiment *e, long row, const reproduce_options *o)
{
    return o->seeds ? o->seeds : experiment_row_seeds(e, row);
}

bool reproduce_row_asked(const char *name, const reproduce_options *o)
{
    const size_t n = strlen(name);
    for (const char *at = o->rows; at; at++) {
        const size_t word = strcspn(at, ",");
        if (word == n && strncmp(at, name, n) == 0) return true;
        at += word;
        if (!*at) return false;
    }
    return !o->rows;
}

static char *run_name(const experiment *e, long k, long seed)
{
    char *row = experiment_name(e, k), *name = must_format("%s-%s-%ld", e->folders ? e->folders : e->name, row,
                                                           seed + 1);
    free(row);
    return name;
}

static bool has_paths(const char *options)
{
    char *copy = must_strdup(options), *rest = NULL;
    bool all = true;
    for (char *word = strtok_r(copy, " ", &rest); word && all; word = strtok_r(NULL, " ", &rest)) {
        const char *colon = strchr(word, ':');
        all = !colon || access(colon + 1, R_OK) == 0;
    }
    free(copy);
    return all;
}

const char *reproduce_data(const experiment *e, const reproduce_options *o)
{
    if (o->data || !o->found || !e->data || !e->without_data) return o->data;
    char *options = experiment_place_data(e->data, o->found);
    const bool there = has_paths(options);
    free(options);
    return there ? o->found : NULL;
}

results reproduce_tuning(const experiment *e, const reproduce_options *o)
{
    results all = { NULL, 0 };
    const char *const folder[] = { o->results, o->recorded };          /* the user's own tuning, else the record */
    for (size_t k = 0; k < COUNT(folder) && !all.n; k++) {
        if (!e->tuned_by || !folder[k]) continue;
        char *path = must_format("%s/%s.csv", folder[k], e->tuned_by);
        if (access(path, R_OK) == 0) results_read(&all, path);
        free(path);
    }
    return all;
}

/* The options that the tuning gives; dies without its record, unless nothing will run. */
static char *tuned_options(const preset *p, const experiment *e, long k, const reproduce_options *o, const results *all)
{
    char *tuned = tuning_options(e, k, all);
    if (tuned) return tuned;
    if (o->list) return tuning_placeholder(e, k);
    if (tuning_all_diverged(e, k, all))
        die("part %s of preset %s is tuned by %s, and no combination of the grid has a finite figure for row %s: its "
            "runs diverged at every rate, and the grid needs lower ones", e->name, p->name, e->tuned_by,
            e->tuned_row ? e->tuned_row : experiment_row(e, k)->name);
    die("part %s of preset %s is tuned by %s, and %s/%s.csv is missing or not complete: first run `provably reproduce "
        "%s%s`", e->name, p->name, e->tuned_by,
        o->results ? o->results : o->recorded ? o->recorded : "reports/results", e->tuned_by, e->tuned_by,
        e->data ? " --data=DIR" : "");
}

static char *run_line(const experiment *e, long k, long seed, const char *tuned, const reproduce_options *o)
{
    char *options = experiment_options(e, k, tuned, reproduce_data(e, o));
    char *order = e->order ? must_format(" --data-seed=%ld", e->order + seed) : must_strdup("");
    char *line = must_format("%s %s --seed=%ld%s %s", e->command, options, e->seed + seed, order, o->more);
    free(options);
    free(order);
    return line;
}

/* Seed by seed, so that the first comparisons are possible early; seeds: of every row, 0: those that are asked for. */
static worklist runs_of(const preset *p, const experiment *e, const reproduce_options *o, long seeds)
{
    const long rows = experiment_rows(e);
    results tuning = reproduce_tuning(e, o);
    worklist w = { NULL, 0 };
    char **tuned = must_calloc((size_t)rows, sizeof *tuned);
    long most = seeds;
    for (long k = 0; k < rows; k++) {
        const bool asked = seeds || reproduce_row_asked(experiment_row(e, k)->name, o);
        if (asked) tuned[k] = tuned_options(p, e, k, o, &tuning);
        if (asked && !seeds && seeds_of(e, k, o) > most) most = seeds_of(e, k, o);
    }
    for (long seed = 0; seed < most; seed++)
        for (long k = 0; k < rows; k++) {
            if (!tuned[k] || (!seeds && seed >= seeds_of(e, k, o))) continue;
            char *name = run_name(e, k, seed), *line = run_line(e, k, seed, tuned[k], o);
            char *wrong = worklist_add(&w, o->kinds, name, line);
            if (wrong) die("preset %s, run %s: %s", p->name, name, wrong);
            free(name);
            free(line);
        }
    for (long k = 0; k < rows; k++) free(tuned[k]);
    free(tuned);
    results_free(&tuning);
    return w;
}

worklist reproduce_part_runs(const preset *p, const experiment *e, const reproduce_options *o)
{
    return runs_of(p, e, o, 0);
}

worklist reproduce_part_table(const preset *p, const experiment *e, const reproduce_options *o, long *seeds)
{
    *seeds = o->seeds;
    for (long k = 0; k < experiment_rows(e); k++)
        if (experiment_row_seeds(e, k) > *seeds) *seeds = experiment_row_seeds(e, k);
    return runs_of(p, e, o, *seeds);
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

char *reproduce_command(const work *w, const char *data)
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
