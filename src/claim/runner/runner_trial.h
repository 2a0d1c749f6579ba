/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_trial.h - what the files runner*.c share: a run of the body, and how each arithmetic decides a trial.
 *
 * A function runner_ARITHMETIC fills the answer into a row whose names are set; sh is what runner_adapt_shape made. */
#ifndef RUNNER_TRIAL_H
#define RUNNER_TRIAL_H
#include "src/claim/runner/runner.h"

trial runner_body(const job *j, const arith *R, const shape *sh);    /* its scope is closed              */
void  runner_trial_free(trial *t);
/* The same of a body that may break a contract of the library: then what it said, until the next call, and no *to. */
const char *runner_body_may_break(const job *j, const arith *R, const shape *sh, trial *to);
/* The answer of a trial from its checks: refuted beats undecided beats holds. */
void  runner_conclude(row *r, const trial *t);
void  runner_param(row *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void  runner_f64    (const job *j, const shape *sh, row *r);
void  runner_measure(const job *j, const shape *sh, row *r, FILE *figures);      /* PART_MEASURED        */
void  runner_mpfr   (const job *j, const shape *sh, row *r, FILE *rungs);
void  runner_arb    (const job *j, const shape *sh, row *r);
void  runner_fp     (const job *j, const shape *sh, row *r);
void  runner_q      (const job *j, const shape *sh, row *r);
void  runner_sym    (const job *j, const shape *sh, row *r);
/* Does a control break one side of each check of the claim that has the name r->what, the other being the claim's own
 * in the same trial?  Both are run once more, and the claim with other draws. */
shared_side runner_shares_side(const job *j, const shape *sh, const row *r);
/* The equations of the claim, a list, that hold whatever the part's controls break and whatever else stands for its
 * reduced matrices: at least in some entry. */
const char *runner_unbroken(const job *j);
/* Hypotheses, "constrained W_K = W_Q", join those of the row. */
void  runner_add_uses(row *r, const char *list);
/* The first of them that the part does not declare; NULL: all are. */
const char *runner_first_undeclared(const job *j, const hypotheses *used);
/* r holds for all sizes: so it does at those of runner_guards.c, and with each switch of the models that the part does
 * not declare set otherwise, or it is undecided and its note says where. */
void  runner_guards (const job *j, const shape *sh, row *r);
#endif
