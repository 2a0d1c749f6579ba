/* runner_trial.c - one run of a body over one arith, and the answer of its checks. */
#include "src/claim/runner/runner_trial.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/check_figures.h"

void runner_trial_free(trial *t)
{
    free(t->record.checks);
    free(t->record.readings);
    t->record.readings = NULL;
    t->record.checks = NULL;
}

/* row.truths of a trial: equal ones are counted first, so that few are written. */
static void note_truths(row *r, const trial *t)
{
    r->truths = NULL;
    for (long k = 0; k < t->record.nchecks; k++) {
        const check *c = &t->record.checks[k];
        long times = 0, first = -1;
        for (long i = 0; i < t->record.nchecks; i++) {
            const check *o = &t->record.checks[i];
            if (o->is.is != c->is.is || (o->what != c->what && strcmp(o->what, c->what) != 0)) continue;
            if (first < 0) first = i;
            if (first < k) break;
            times++;
        }
        if (first == k) evidence_row_add_truth(r, c->is.is, c->what, times);
    }
}

trial runner_body(const job *j, const arith *R, const shape *sh)
{
    const bool measures = j->part->kind == PART_MEASURED && j->over.kind == A_F64;
    trial t = { .s = scope_open(R, j->seed, (uint64_t)j->trial), .sh = *sh, .id = j->claim->id,
                .part = j->part->name, .induction = j->part->induction, .seed = j->seed, .number = j->trial,
                .stream = j->stream,
                .record = { .mode = j->minimal ? TRIAL_MINIMAL : measures ? TRIAL_MEASURES : TRIAL_CHECKS,
                            .log2logit = NAN } };
    t.s.gain = j->gain;
    t.s.shape_of_draws = j->corner;
    t.s.fp32 = t.s.frugal = j->stream != NULL;
    (j->control ? j->control->run : j->part->run)(&t);
    if (j->part->about == ABOUT_FINITE && t.s.draws)
        scope_undecided(&t.s, REASON_INVALID, "speaks of finitely many cases and draws matrices");
    if (j->minimal && !t.record.nudged)
        scope_undecided(&t.s, REASON_INVALID, "no reduced matrix with a nonzero entry was named");
    scope_close(&t.s);
    return t;
}

/* The answer of a trial from its checks: refuted beats undecided beats holds. */
void runner_conclude(row *r, const trial *t)
{
    static const int weight[] = { [HOLDS] = 0, [UNDECIDED] = 1, [REFUTED] = 2 };
    r->whole = false;
    r->checks = t->record.nchecks;
    note_truths(r, t);
    r->kappa = t->s.kappa;
    r->log2logit = t->record.log2logit;
    r->depth = !t->record.stacks ? DEPTH_NONE : t->record.inductions < t->record.stacks ? DEPTH_RUN : DEPTH_EVERY;
    r->verdict = HOLDS;
    r->log2gap = -INFINITY;
    for (long k = 0; k < t->record.nchecks; k++) {
        const check *c = &t->record.checks[k];
        r->whole |= c->whole && c->is.is == REFUTED;
        if (c->is.is == HOLDS && !c->want_equal) continue;      /* the gap of a difference is no error */
        const double excess = c->is.log2gap - fmax(c->is.log2bound, -1e6);
        if (!r->what[0] || weight[c->is.is] > weight[r->verdict]
            || (c->is.is == r->verdict && excess > r->log2gap - fmax(r->log2bound, -1e6))) {
            r->verdict = c->is.is;
            r->log2gap = c->is.log2gap;
            r->log2bound = c->is.log2bound;
            cell_copy(r->what, sizeof r->what, c->what);
        }
    }
    r->skipped = reason_skips(t->s.reason);
    if (t->s.status != HOLDS || !t->record.nchecks) {
        r->verdict = UNDECIDED;
        cell_copy(r->note, sizeof r->note, t->s.status != HOLDS ? t->s.why : reason_text(REASON_INVALID));
    }
}

void runner_param(row *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->param, sizeof r->param, fmt, ap);
    va_end(ap);
}
