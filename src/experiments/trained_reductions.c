/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_reductions.c - see trained_reductions.h. */
#include <math.h>
#include <stdlib.h>
#include "src/base/csv.h"
#include "src/base/outfile.h"
#include "src/experiments/trained_reductions.h"

outcome trained_reduction_judge(const reduction_finding *f, const char **why)
{
    const bool explained = f->gap <= f->rounding;
    *why = NULL;
    if (!f->applies && !explained) return OUTCOME_REFUTED;
    if (f->applies && !explained) *why = "a logit differs by more than rounding explains";
    if (!f->applies) *why = "the same function here";
    return explained ? OUTCOME_HOLDS : OUTCOME_FAILS;
}

static const char HEADER[] = "setting,step,what,claims,applies,untied,word,parameters,of,bits,gap,rounding,largest,"
                             "tokens,same_first,why";
static const char *const applies_word[] = { "no", "yes" };

void trained_reductions_write(const reduction_findings *all, const record_note *notes, long n, const char *path)
{
    outfile o = outfile_open(path);
    record_begin(o.f, "trained-reductions", n, notes, HEADER);
    for (long k = 0; k < all->n; k++) {
        const reduction_finding *f = &all->at[k];
        csv_field(o.f, f->setting, ',');
        fprintf(o.f, "%ld,", f->step);
        csv_field(o.f, f->what, ',');
        csv_field(o.f, f->claims, ',');
        fprintf(o.f, "%s,%s,%s,%.0f,%.0f,%.9g,%.9g,%.9g,%.9g,%ld,%ld,", applies_word[f->applies],
                applies_word[f->untied], f->word, f->parameters, f->of, f->bits, f->gap, f->rounding, f->largest,
                f->tokens, f->same_first);
        csv_field(o.f, f->why, '\n');
    }
    outfile_close(&o);
}

static bool truth_of(const csv_file *c, long column)
{
    char word[8];
    csv_text(c, column, word, sizeof word);
    if (word[0] != 'y' && word[0] != 'n') csv_wrong(c, "`%s` is neither yes nor no", word);
    return word[0] == 'y';
}

reduction_findings trained_reductions_read(const char *path)
{
    reduction_findings all = { NULL, 0 };
    csv_file c;
    if (!record_open(&c, path, HEADER, "run the preset again, or remove the file")) return all;
    while (csv_next(&c)) {
        reduction_finding f = { .step = csv_long(&c, 1), .applies = truth_of(&c, 4), .untied = truth_of(&c, 5),
                                .parameters = csv_double(&c, 7), .of = csv_double(&c, 8), .bits = csv_double(&c, 9),
                                .gap = csv_double(&c, 10), .rounding = csv_double(&c, 11),
                                .largest = csv_double(&c, 12), .tokens = csv_long(&c, 13),
                                .same_first = csv_long(&c, 14) };
        csv_text(&c, 0, f.setting, sizeof f.setting);
        csv_text(&c, 2, f.what, sizeof f.what);
        csv_text(&c, 3, f.claims, sizeof f.claims);
        csv_text(&c, 6, f.word, sizeof f.word);
        csv_text(&c, 15, f.why, sizeof f.why);
        if (!(f.of > 0)) csv_wrong(&c, "a model of no numbers");
        all.at = must_realloc(all.at, (size_t)all.n + 1, sizeof *all.at);
        all.at[all.n++] = f;
    }
    csv_close(&c);
    return all;
}

void trained_reductions_free(reduction_findings *all)
{
    free(all->at);
    *all = (reduction_findings){ NULL, 0 };
}
