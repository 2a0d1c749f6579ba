/* trained_gap_preset.c - the curves of all finished runs of a part, their verdicts, and their record: see reproduce.h
 * and trained_gap.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/version.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/trained_gap_measure.h"
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
    gpt *M = train_load(folder, ops_cpu_f64(), WINDOWS, &c);
    tokens whole, text = text_of(w, &whole);
    if (text.V > c.V) die("%s was not trained on bytes", folder);
    if (text.n <= (size_t)(WINDOWS * c.T)) die("%s: the text has no %d windows of %ld", folder, WINDOWS, c.T);
    trained_gap_measure(all, setting, work_cost(o->kinds, w).steps, M, &c, &text, WINDOWS);
    tokens_free(&whole);
    gpt_free(M);
    free(folder);
}

static void say_curve(const gap_curve *c, const gap_judgement *j)
{
    const gap_point *end = &c->at[0];
    printf("    %-30s %5ld  ", c->setting, c->step);
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

bool follow_part(const preset *p, const experiment *e, const reproduce_options *o, const result *source)
{
    gap_curves all = { NULL, 0 };
    long seeds;
    worklist w = reproduce_part_table(p, e, o, &seeds);
    for (long k = 0; k < experiment_rows(e); k++) {
        const long diverged = sweep_diverged(o->out, &w.at[k]);
        if (diverged) printf("    %-30s diverged at step %ld: not followed\n", w.at[k].name, diverged);
        else if (sweep_done(o->out, &w.at[k])) measure_run(&all, experiment_row(e, k)->name, &w.at[k], o);
    }
    worklist_free(&w);
    if (!all.n) return true;
    const bool good = judge_all(&all);
    char *seed = must_format("%ld", e->seed), *windows = must_format("%d of validation text", WINDOWS);
    const gap_header header[] = {
        { "preset", p->name }, { "part", e->name }, { "date", source->cell[R_DATE] },
        { "commit", source->cell[R_COMMIT] }, { "measured by", version_commit() },
        { "hardware", source->cell[R_HARDWARE] }, { "seed", seed },
        { "data", source->cell[R_DATA] }, { "windows", windows } };
    char *path = must_format("%s/%s-gaps.csv", o->results, p->name);
    make_folder(o->results);
    trained_gap_write(&all, header, COUNT(header), path);
    free(seed);
    free(windows);
    free(path);
    trained_gap_free(&all);
    return good;
}
