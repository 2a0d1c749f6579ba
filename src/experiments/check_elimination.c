/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_elimination.c - see check_elimination.h. */
#include <math.h>
#include <stdlib.h>
#include "src/experiments/check_elimination.h"
#include "src/train/eliminate.h"
#include "src/train/train.h"

enum { TEXT = 1 << 14, TOGETHER = 8 };
static const double SAME_TO = 1e-10, OTHER_FROM = 1e-3;

outcome elimination_outcome(double gap, bool exact)
{
    if (exact) return gap <= SAME_TO ? OUTCOME_HOLDS : OUTCOME_FAILS;
    return gap >= OTHER_FROM ? OUTCOME_REFUTED : OUTCOME_FAILS;
}

void elimination_judge(elimination_result *t, const char *why_not)
{
    t->exact = !why_not;
    t->verdict = elimination_outcome(t->gap, t->exact);
    t->meets_expectation = t->verdict != OUTCOME_FAILS;
    const char *says = !t->meets_expectation ? "which is not as expected" : t->exact ? "the same function"
                     : "a different function, as expected: ";
    t->words = must_format("loss %.12f with W_Q, %.12f without any; largest difference %.2g, %s%s", t->before, t->after,
                           t->gap, says, why_not && t->meets_expectation ? why_not : "");
}

elimination_result elimination_check(const char *folder)
{
    elimination_result t = { .gap = NAN };
    gpt_config c;
    gpt *M = train_load(folder, ops_cpu_f64(), TOGETHER, &c);
    const gpt_config reduced = eliminate_config(&c, GPT_QUERY);
    gpt *N = gpt_create(&reduced, ops_cpu_f64(), TOGETHER, 0);
    const char *wrong = eliminate_projection(M, &c, GPT_QUERY, N);
    if (wrong) die("%s: %s; train with another seed", folder, wrong);
    tokens text = tokens_synthetic(2, TEXT);
    if (text.V > c.V) die("%s was not trained on bytes", folder);
    const size_t windows = (text.n - 1) / (size_t)c.T;
    double *a = must_calloc(windows, sizeof *a), *b = must_calloc(windows, sizeof *b);
    t.before = gpt_evaluate(M, &text, c.T, TOGETHER, a);
    t.after  = gpt_evaluate(N, &text, c.T, TOGETHER, b);
    t.gap = 0;
    for (size_t k = 0; k < windows; k++) {
        const double gap = fabs(a[k] - b[k]);
        if (!(gap <= t.gap)) t.gap = isnan(gap) ? INFINITY : gap;
    }
    elimination_judge(&t, eliminate_hypotheses(&c, GPT_QUERY));
    free(a);
    free(b);
    tokens_free(&text);
    gpt_free(M);
    gpt_free(N);
    return t;
}
