/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_gap_preset.c - the curves of all finished runs of a part, their verdicts, and their record: see reproduce.h
 * and trained_gap.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/base/file.h"
#include "src/base/version.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/trained_gap_measure.h"
#include "src/experiments/trained_reductions_measure.h"
#include "src/train/train.h"

enum { WINDOWS = 16, WITHOUT_TEXT = 1 << 14 };

/* From the middle of the run's validation text; of runs on the synthetic language, another text of it. */
static tokens text_of(const work *w, tokens *all)
{
    static const char option[] = "--validate=bytes:";
    *all = (tokens){ .at = NULL };
    for (int k = 0; k < w->words && !all->at; k++)
        if (strncmp(w->word[k], option, sizeof option - 1) == 0) *all = tokens_bytes(w->word[k] + sizeof option - 1);
    if (!all->at) *all = tokens_synthetic(2, WITHOUT_TEXT);
    return tokens_part(all, 0.5, 1);
}

static void measure_run(gap_curves *all, const char *setting, const work *w, const reproduce_options *o)
{
    gpt_config c;
    char *folder = must_format("%s/%s", o->out, w->name);
    const long steps = work_cost(o->kinds, w).steps;
    run_folder_need_weights(folder, steps);
    gpt *M = train_load(folder, ops_cpu_f64(), WINDOWS, &c);
    tokens whole, text = text_of(w, &whole);
    if (text.V > c.V) die("%s was not trained on bytes", folder);
    if (text.n <= (size_t)(WINDOWS * c.T)) die("%s: the text has no %d windows of %ld", folder, WINDOWS, c.T);
    trained_gap_measure(all, setting, steps, M, &c, &text, WINDOWS);
    tokens_free(&whole);
    gpt_free(M);
    free(folder);
}

static void say_curve(const gap_curve *c, const gap_judgement *j)
{
    const gap_point *end = &c->at[0];
    shown_print(stdout, "    %-30s %5ld  ", c->setting, c->step);
    if (c->allowed) printf("the same function: loss %.1e of %.1e, logits %.1e of %.1e allowed", end->largest,
                           end->bound, end->logits, end->logits_bound);
    else printf("slope %.6g, predicted %.6g; exponent %.6f; loss %.3g at W_Q = I", j->slope, c->slope, j->exponent,
                end->largest);
    printf("; %s%s%s\n", outcome_word[j->is], j->why ? ": " : "", j->why ? j->why : "");
}

static bool judge_all(const gap_curves *all)
{
    bool good = true;
    printf("  on the way from W_Q to I; steps; with the largest change of a window's loss\n");
    for (long k = 0; k < all->n; k++) {
        const gap_judgement j = trained_gap_judge(&all->at[k]);
        say_curve(&all->at[k], &j);
        good &= j.is != OUTCOME_FAILS;
    }
    return good;
}

static bool judge_reductions(const reduction_findings *all)
{
    bool good = true;
    printf("  what `provably reduce` writes; the largest difference of a logit\n");
    for (long k = 0; k < all->n; k++) {
        const reduction_finding *f = &all->at[k];
        if (isnan(f->gap)) continue;
        const char *why;
        const outcome is = trained_reduction_judge(f, &why);
        shown_print(stdout, "    %-30s %-13s %s%.1e, rounding explains %.1e; %s%s%s\n", f->setting, f->word,
               f->applies ? "" : "forced: ", f->gap, f->rounding, outcome_word[is], why ? ": " : "", why ? why : "");
        good &= is != OUTCOME_FAILS;
    }
    return good;
}

typedef struct { gap_curves curves; reduction_findings reductions; } followed;

/* The last run of each setting is rewritten, too. */
static void follow_run(followed *all, const char *setting, const work *w, bool last, const reproduce_options *o)
{
    measure_run(&all->curves, setting, w, o);
    if (!last) return;
    char *folder = must_format("%s/%s", o->out, w->name), *reduced = must_format("%s/reduced-%s", o->out, setting);
    tokens whole, text = text_of(w, &whole);
    trained_reductions_measure(&all->reductions, setting, work_cost(o->kinds, w).steps, folder, reduced, &text,
                               o->program);
    tokens_free(&whole);
    free(folder);
    free(reduced);
}

static void write_followed(const preset *p, const experiment *e, const reproduce_options *o, const result *source,
                           const followed *all)
{
    char *seed = must_format("%ld", e->seed), *windows = must_format("%d of validation text", WINDOWS);
    const record_note notes[] = {
        { "preset", p->name }, { "part", e->name }, { "date", source->cell[R_DATE] },
        { "commit", source->cell[R_COMMIT] }, { "measured by", version_commit() },
        { "hardware", source->cell[R_HARDWARE] }, { "seed", seed },
        { "data", source->cell[R_DATA] }, { "windows", windows } };
    char *gaps = must_format("%s/%s-gaps.csv", o->results, p->name);
    char *reductions = must_format("%s/%s-reductions.csv", o->results, p->name);
    make_folder(o->results);
    trained_gap_write(&all->curves, notes, COUNT(notes), gaps);
    trained_reductions_write(&all->reductions, notes, COUNT(notes) - 1, reductions);
    free(seed);
    free(windows);
    free(gaps);
    free(reductions);
}

bool follow_part(const preset *p, const experiment *e, const reproduce_options *o, const result *source)
{
    followed all = { { NULL, 0 }, { NULL, 0 } };
    long seeds;
    worklist w = reproduce_part_table(p, e, o, &seeds);
    const long rows = experiment_rows(e);
    for (long k = 0; k < rows; k++) {
        const char *setting = experiment_row(e, k)->name;
        const bool last = k + 1 == rows || strcmp(experiment_row(e, k + 1)->name, setting) != 0;
        const long diverged = sweep_diverged(o->out, &w.at[k]);
        if (diverged) shown_print(stdout, "    %-30s diverged at step %ld: not followed\n", w.at[k].name, diverged);
        else if (sweep_done(o->out, &w.at[k])) follow_run(&all, setting, &w.at[k], last, o);
    }
    worklist_free(&w);
    bool good = true;
    if (all.curves.n) {
        good = judge_all(&all.curves);
        good &= judge_reductions(&all.reductions);
        write_followed(p, e, o, source, &all);
    }
    trained_gap_free(&all.curves);
    trained_reductions_free(&all.reductions);
    return good;
}
