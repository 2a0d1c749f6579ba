/* SPDX-License-Identifier: GPL-3.0-or-later
 * watch.c - the progress of runs: see sweep.h.
 *
 * It is read from the last row of each steps.csv, to which a run appends a row after each step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/base/clock.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/experiments/sweep.h"

/* The options are parsed in a copy of the words, since argp may change their order. */
run_cost work_cost(const run_kind *kinds, const work *w)
{
    char **word = must_calloc((size_t)w->words + 1, sizeof *word);
    for (int k = 0; k < w->words; k++) word[k] = w->word[k];
    const run_cost cost = run_kind_find(kinds, w->word[0])->cost(w->words, word);
    free(word);
    return cost;
}

long run_folder_step(const char *out, const char *name)
{
    enum { TAIL = 512 };                 /* bytes at the end, where the last rows are */
    char *path = must_format("%s/%s/steps.csv", out, name);
    text_line line = { 0 };
    long step = 0;
    FILE *f = file_open(path);
    bool begun = f && fseek(f, -TAIL, SEEK_END) != 0;                 /* else the first line there may be a rest */
    if (begun) rewind(f);
    for (; f && line_next(&line, f, path); begun = true)
        if (begun && line.whole && *line.at >= '0' && *line.at <= '9') step = strtol(line.at, NULL, 10);
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
    return step;
}

/* The step from which a run would go on: that of its checkpoint, whatever rows follow it in steps.csv; 0: none. */
static long begins_at(const char *out, const char *name)
{
    char *path = must_format("%s/%s/last.ckpt", out, name);
    text_line line = { 0 };
    long step = 0;
    FILE *f = file_open(path);
    while (f && !step && line_next(&line, f, path) && strcmp(line.at, "end") != 0)
        sscanf(line.at, "text step %ld", &step);
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
    return step;
}

/* FLOP of the first steps of a run. */
static double made_by(const run_cost *c, long step)
{
    return c->steps > 0 ? c->flops * (double)step / (double)c->steps : 0;
}

void duration_text(char *to, size_t size, double seconds)
{
    static const struct { double least, unit; const char *name; } in[] = {
        { 48 * 3600, 24 * 3600, "days" }, { 2 * 3600, 3600, "h" }, { 120, 60, "min" }, { 0, 1, "s" } };
    size_t k = 0;
    while (seconds < in[k].least) k++;
    snprintf(to, size, seconds / in[k].unit < 10 ? "%.1f %s" : "%.0f %s", seconds / in[k].unit, in[k].name);
}

void watch_add(watch *a, const worklist *list, const char *out)
{
    for (long k = 0; k < list->n; k++) {
        const run_cost cost = work_cost(a->kinds, &list->at[k]);
        a->runs++;
        if (sweep_done(out, &list->at[k])) {
            a->before++;
            continue;
        }
        a->flops += cost.flops;
        a->begun_flops += made_by(&cost, begins_at(out, list->at[k].name));
    }
}

/* ", about 40 s left in all", or nothing if no speed is known; made: FLOP of the unfinished runs.  The time per FLOP is
 * that of the FLOP made so far.  Runs differ, small models being the slowest, so a prior counts as if a tenth of all
 * FLOP had been done at half the speed of matrix products. */
static void time_left(const watch *a, double made, char *to, size_t size)
{
    char time[PROGRESS_TIME];
    const double prior = a->speed > 0 ? (a->flops + a->made) / 10 : 0;
    const double took = a->begun > 0 ? monotonic_seconds() - a->begun : 0;
    const double each = (took + (prior > 0 ? 2 * prior / a->speed : 0)) / (a->made + made + prior);
    const double left = a->flops - made;
    *to = '\0';
    if (!(each > 0 && each < INFINITY)) return;
    progress_time(time, left > 0 ? left * each : 0);
    snprintf(to, size, ", about %s left in all", time);
}

static double made_of(const watched *r) { return r->step > r->first ? made_by(&r->cost, r->step - r->first) : 0; }

watched watch_start(watch *a, const work *w, const char *out, double made)
{
    char left[64], from[64] = "";
    watched r = { .name = w->name, .number = ++a->taken, .cost = work_cost(a->kinds, w) };
    r.first = r.step = begins_at(out, w->name);
    a->flops -= made_by(&r.cost, r.first);
    time_left(a, made, left, sizeof left);
    if (!(a->begun > 0)) {
        a->begun = monotonic_seconds();
        a->line = progress_begin(PROGRESS_LOG, NULL);
    }
    if (r.first) snprintf(from, sizeof from, " from step %ld", r.first);
    progress_clear(&a->line);
    shown_print(stdout, "  [%ld/%ld] %-32s %ld steps%s%s\n", r.number, a->runs, w->name, r.cost.steps, from, left);
    return r;
}

void watch_skip(watch *a, const work *w, bool elsewhere)
{
    a->taken++;
    if (elsewhere) a->flops -= work_cost(a->kinds, w).flops;
}

void watch_end(watch *a, watched *r, const char *out, bool finished)
{
    a->flops -= r->cost.flops - made_by(&r->cost, r->first);      /* a failed run is not tried again               */
    if (finished) a->made += watch_made(r, out);                 /* one that diverged made few of its steps       */
    a->finished += finished;
    progress_clear(&a->line);
}

double watch_made(watched *r, const char *out)
{
    r->step = run_folder_step(out, r->name);
    return made_of(r);
}

void watch_show(watch *a, const watched *r, long n, double made)
{
    text_buffer runs = { 0 };
    char left[64];
    time_left(a, made, left, sizeof left);
    for (long k = 0; k < n; k++)
        text_add(&runs, "%s [%ld] step %ld/%ld", k ? "," : ";", r[k].number, r[k].step, r[k].cost.steps);
    fflush(stdout);
    progress_show(&a->line, NAN, "  %ld of %ld runs finished%s%s", a->before + a->finished, a->runs, left,
                  runs.at ? runs.at : "");
    text_clear(&runs);
}
