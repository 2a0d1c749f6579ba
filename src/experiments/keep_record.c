/* SPDX-License-Identifier: GPL-3.0-or-later
 * keep_record.c - a record is not replaced by one that holds less: see reproduce.h.
 *
 * What this command will have is looked up before anything runs: the runs that it was asked for, and those whose
 * folders in OUT say `done`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/experiments/commands.h"
#include "src/experiments/reproduce.h"

typedef struct { worklist all, asked; long rows, seeds; const char *out; } known_runs;

static known_runs known_of(const preset *p, const experiment *e, const reproduce_options *o)
{
    reproduce_options listing = *o;
    listing.list = true;                 /* a tuning may come later */
    known_runs w = { .rows = experiment_rows(e), .out = o->out };
    w.all = reproduce_part_table(p, e, &listing, &w.seeds);
    if (!o->record) w.asked = reproduce_part_runs(p, e, &listing);
    return w;
}

static bool will_be_finished(const known_runs *w, long row, long seed)
{
    if (seed >= w->seeds) return false;
    const work *run = &w->all.at[seed * w->rows + row];
    for (long k = 0; k < w->asked.n; k++) if (strcmp(w->asked.at[k].name, run->name) == 0) return true;
    return sweep_done(w->out, run);
}

/* The first line of a row that is recorded for itself, or NULL; all its lines have the same seeds. */
static const result *line_of(const results *old, const experiment *e, const char *row)
{
    for (long k = 0; k < old->n; k++) {
        const result *r = &old->at[k];
        if (result_is(r, R_PART, e->name) && result_is(r, R_ROW, row) && !result_is(r, R_KIND, "comparison")) return r;
    }
    return NULL;
}

/* A row's own command on real data: its figures stand beside the paper's. */
static bool planned_command(const experiment *e, long row, const char *command)
{
    return command_own(e, row, command) && !command_made_up(command);
}

/* The row is recorded of planned runs, and will be of others. */
static bool loses_planned(const known_runs *w, const experiment *e, long row, const result *r,
                          const reproduce_options *o)
{
    char *now = reproduce_command(&w->all.at[row], reproduce_data(e, o));
    const bool loses = planned_command(e, row, r->cell[R_COMMAND]) && !planned_command(e, row, now);
    free(now);
    return loses;
}

/* Recorded seeds of a part: that will not be finished, and in whose place runs with other options or data would be. */
typedef struct { long seeds, planned; } lost_seeds;

static void add_lost(lost_seeds *lost, const preset *p, const experiment *e, const reproduce_options *o,
                     const results *old)
{
    known_runs w = known_of(p, e, o);
    for (long row = 0; row < w.rows; row++) {
        char *name = experiment_name(e, row);
        const result *r = line_of(old, e, name);
        bool *seen = must_calloc(MANY_SEEDS, sizeof *seen);
        if (r && results_seeds(r->cell[R_SEEDS], e->seed, seen) > 0) {
            const bool other = loses_planned(&w, e, row, r, o);
            for (long seed = 0; seed < MANY_SEEDS; seed++) {
                lost->seeds += seen[seed] && !will_be_finished(&w, row, seed);
                lost->planned += seen[seed] && other;
            }
        }
        free(seen);
        free(name);
    }
    worklist_free(&w.all);
    worklist_free(&w.asked);
}

void reproduce_keep_record(const preset *p, const reproduce_options *o)
{
    char *path = must_format("%s/%s.csv", o->results, p->name);
    results old = { NULL, 0 };
    lost_seeds lost = { 0, 0 };
    if (access(path, F_OK) == 0 && !results_parse(&old, path))
        die("%s is no record of runs and would be replaced; move it away, or give another --results", path);
    for (long k = 0; old.n && k < p->parts; k++) add_lost(&lost, p, &p->part[k], o, &old);
    if (lost.seeds)
        die("%s holds %ld finished seed%s that would be lost: %s has no such runs.  Give the --out (and --seeds) of "
            "those runs, another --results, or remove the file", path, lost.seeds, lost.seeds > 1 ? "s" : "", o->out);
    if (lost.planned)
        die("%s holds %ld finished seed%s of the preset's own command that would be lost: these runs have other "
            "options or synthetic data.  Leave them away, give another --results, or remove the file", path,
            lost.planned, lost.planned > 1 ? "s" : "");
    results_free(&old);
    free(path);
}
