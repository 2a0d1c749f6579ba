/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_mpfr.c - a ladder of precisions: an equation whose gap falls with the precision holds, one whose gap stays is
 * refuted. */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/runner/runner_trial.h"

enum { RUNGS = 5, FIRST_BITS = 64 };
static const double SLOPE_TOLERANCE = 0.02;

static long bits_at(const job *j, int k) { return (j->over.bits ? j->over.bits : FIRST_BITS) << k; }

/* What fails at one precision, fails for the ladder; so does another number of checks. */
static bool comparable(trial at[RUNGS])
{
    scope *s = &at[0].s;
    for (int k = 0; k < RUNGS; k++) {
        if (at[k].record.nchecks != at[0].record.nchecks)
            scope_undecided(s, REASON_INVALID, "not the same checks at every precision");
        if (at[k].s.status != HOLDS) scope_undecided(s, REASON_INNER, at[k].s.why);
    }
    at[RUNGS - 1].s.status = s->status;
    at[RUNGS - 1].s.why = s->why;
    return s->status == HOLDS;
}

/* One check along the ladder: equal (slope -1, or exact), different (slope 0), or neither. */
static truth classify(const double gap[RUNGS], const job *j, double *slope)
{
    double x[RUNGS], y[RUNGS], c0, c1, cov00, cov01, cov11, sumsq;
    bool exact = true;
    *slope = NAN;
    for (int k = 0; k < RUNGS; k++) {
        exact &= gap[k] == -INFINITY;
        x[k] = (double)bits_at(j, k);
        y[k] = fmax(gap[k], -x[k]);                  /* equal at p bits: a gap of at most 2^-p */
    }
    if (exact) return HOLDS;
    gsl_fit_linear(x, 1, y, 1, RUNGS, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    *slope = c1;
    return fabs(c1 + 1) <= SLOPE_TOLERANCE ? HOLDS : fabs(c1) <= SLOPE_TOLERANCE ? REFUTED : UNDECIDED;
}

/* Check c of the last rung becomes what the ladder says of it; r->slope is the one furthest from what it should be. */
static void decide_check(const job *j, trial at[RUNGS], long c, row *r)
{
    double gap[RUNGS], slope = 0;
    truth is = HOLDS;
    for (int k = 0; k < RUNGS; k++) {
        gap[k] = at[k].record.checks[c].is.log2gap;
        if (at[k].record.checks[c].is.is == UNDECIDED) is = UNDECIDED;       /* NaN or infinity */
    }
    if (is == HOLDS) is = classify(gap, j, &slope);
    const bool equal = at[0].record.checks[c].want_equal;
    if (!equal && is != UNDECIDED) is = is == HOLDS ? REFUTED : HOLDS;
    at[RUNGS - 1].record.checks[c].is.is = is;
    const double target = equal && is != REFUTED ? -1 : 0;
    if (isnan(slope) || (!equal && is != REFUTED)) return;
    if (!(fabs(slope - target) <= fabs(r->slope - target))) r->slope = slope;
}

/* The widest gap of all equations at this precision. */
static void write_rung(FILE *rungs, const row *r, const trial *t, long bits)
{
    rung line = { .id = r->id, .part = r->part, .which = r->which, .shape = r->shape, .seed = r->seed,
                  .trial = r->trial, .bits = bits, .log2gap = -INFINITY };
    for (long c = 0; c < t->record.nchecks; c++)
        if (t->record.checks[c].want_equal) line.log2gap = fmax(line.log2gap, t->record.checks[c].is.log2gap);
    evidence_rung_write(rungs, &line);
}

void runner_mpfr(const job *j, const shape *sh, row *r, FILE *rungs)
{
    trial at[RUNGS];
    for (int k = 0; k < RUNGS; k++) {
        arith R = arith_mpfr(bits_at(j, k));
        at[k] = runner_body(j, &R, sh);
    }
    const bool same = comparable(at);
    r->slope = NAN;
    for (long c = 0; same && c < at[0].record.nchecks; c++) decide_check(j, at, c, r);
    runner_conclude(r, &at[RUNGS - 1]);
    r->log2bound = -INFINITY;
    for (int k = 0; rungs && same && at[0].record.nchecks && k < RUNGS; k++)
        write_rung(rungs, r, &at[k], bits_at(j, k));
    runner_param(r, "%ld-%ld", bits_at(j, 0), bits_at(j, RUNGS - 1));
    for (int k = 0; k < RUNGS; k++) runner_trial_free(&at[k]);
}
