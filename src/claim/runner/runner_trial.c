/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_trial.c - one run of a body over one arith, and the answer of its checks. */
#include "src/claim/runner/runner_trial.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/fingerprint.h"
#include "numerics/random.h"
#include "src/claim/check_figures.h"
#include "src/claim/check_record.h"
#include "src/model/drawn_sizes.h"
#include "src/model/shape_keys.h"

void runner_trial_free(trial *t)
{
    for (long k = 0; t->record.checks && k < t->record.nchecks; k++) free(t->record.checks[k].entry);
    free(t->record.checks);
    free(t->record.readings);
    t->record.readings = NULL;
    t->record.checks = NULL;
}

/* row.truths of a trial: equal ones are counted first, so that few are written. */
static void note_truths(row *r, const trial *t)
{
    r->truths = evidence_truths("");
    for (long k = 0; k < t->record.nchecks; k++) {
        const check *c = &t->record.checks[k];
        long times = 0, first = -1;
        for (long i = 0; i < t->record.nchecks; i++) {
            const check *o = &t->record.checks[i];
            if (o->is.is != c->is.is || o->decided != c->decided) continue;   /* a fact may have an equation's name */
            if (o->what != c->what && strcmp(o->what, c->what) != 0) continue;
            if (first < 0) first = i;
            if (first < k) break;
            times++;
        }
        if (first != k) continue;
        char *name = must_format("%s%s", r->over == A_SYM && c->decided ? DECIDED_BESIDE : "", c->what);
        evidence_row_add_truth(r, c->is.is, name, times);
        free(name);
    }
}

static bool same_shape(const shape *a, const shape *b)
{
    bool same = true;
    for (long k = 0; k < shape_keys(); k++) same = same && shape_key_get(a, k) == shape_key_get(b, k);
    return same;
}

/* A body that shows facts beside a sentence made the check that speaks of its quantity, and of no literals alone. */
static void require_fact(const job *j, trial *t)
{
    bool made = false, given = false;
    if (!part_shows_facts(j->part->kind) || j->control || j->minimal || t->s.status != HOLDS) return;
    if (!j->part->shown_by) return;                      /* a part of no program, all of which declare it       */
    for (long k = 0; k < t->record.nchecks; k++) {
        const check *c = &t->record.checks[k];
        const bool speaks = strncmp(c->what, j->part->shown_by, strlen(j->part->shown_by)) == 0;
        made |= speaks;
        given |= speaks && c->given;
    }
    if (!made) scope_undecided(&t->s, REASON_INVALID, "no check has the name that .shown_by says");
    else if (!given && !j->part->certifies)
        scope_undecided(&t->s, REASON_INVALID, "the fact is of literals alone, of nothing drawn or given");
}

/* Hypotheses are about the weights of models where they name these: what a body draws has another name. */
static void refuse_borrowed_names(trial *t)
{
    static char says[96];
    for (const drawn_name *at = t->s.drawn; at; at = at->next) {
        if (at->by != DRAWN_BY_BODY || !constrained_is_slot(at->name)) continue;
        snprintf(says, sizeof says, "draws %.40s, which is the name of a layer's weight", at->name);
        scope_undecided(&t->s, REASON_INVALID, says);
    }
}

/* Two names are the runner's: a body that makes a check of one of them would have it count as the runner's own. */
static void refuse_own_names(trial *t)
{
    for (long k = 0; k < t->record.nchecks; k++) {
        const char *what = t->record.checks[k].what;
        if (strcmp(what, UNSEEN_BY_SYMBOLS) == 0 || strncmp(what, DECIDED_BESIDE, strlen(DECIDED_BESIDE)) == 0)
            scope_undecided(&t->s, REASON_INVALID, "makes a check by a name of the runner's");
    }
}

static trial *under_way;                 /* a broken contract leaves its body, and what it holds */

/* A body that speaks of finitely many cases is not told which trial it is, and draws nothing. */
trial runner_body(const job *j, const arith *R, const shape *sh)
{
    const bool measures = part_measures(j->part->kind) && j->over.kind == A_F64;
    const bool finite = j->part->about == ABOUT_FINITE;
    const uint64_t seed = finite ? 0 : j->seed;
    const long number = finite ? 0 : j->trial;
    trial *t = under_way = must_calloc(1, sizeof *t);
    *t = (trial){ .s = scope_open(R, seed, (uint64_t)number), .sh = *sh, .id = j->claim->id,
                  .part = j->part->name, .induction = j->part->induction, .seed = seed, .number = number,
                  .widest = j->part->widest, .stream = j->stream,
                  .record = { .mode = j->minimal ? TRIAL_MINIMAL : j->replaces ? TRIAL_REPLACES
                                    : measures ? TRIAL_MEASURES : TRIAL_CHECKS,
                              .sides = j->sides, .entries = j->entries, .log2logit = NAN } };
    t->s.gain = j->gain;
    t->s.shape_of_draws = j->corner;
    t->s.fp32 = t->s.frugal = j->stream != NULL;
    t->s.draws = DRAWN_BY_BODY;
    if (R->kind == A_SYM || R->kind == A_FP) {
        t->s.plan = sh;
        t->s.applied = constrained_see_applied;
    }
    random_forget();
    mat_forget_values();
    (j->control ? j->control->run : j->part->run)(t);
    refuse_own_names(t);
    t->record.asked |= mat_value_was_read();
    if (t->record.asked && t->record.nchecks)
        check_record(t, UNSEEN_BY_SYMBOLS, true, (comparison){ HOLDS, -INFINITY, -INFINITY }, BY_FACT);
    if (!same_shape(&t->sh, sh)) drawn_sizes_note(&t->sh);     /* the body went on with sizes of its own */
    if (t->s.depth > t->sh.L) drawn_sizes_note(&(shape){ .L = check_layers(t) });
    if (finite && !j->minimal && random_drew())
        scope_undecided(&t->s, REASON_INVALID, "speaks of finitely many cases and draws numbers");
    require_fact(j, t);
    refuse_borrowed_names(t);
    if (t->s.plan) {
        constrained_settings(&t->sh, sh, t->record.constrained);
        constrained_add_rest(&t->s, t->record.constrained);
    }
    if (j->minimal && !t->record.nudged)
        scope_undecided(&t->s, REASON_INVALID, "no reduced matrix with a nonzero entry was named");
    const bool noted = fingerprint_pause();             /* what was drawn and not asked about does not count */
    scope_close(&t->s);
    fingerprint_resume(noted);
    const trial is = *t;
    free(t);
    under_way = NULL;
    return is;
}

static void abandon(void)
{
    if (!under_way) return;
    scope_close(&under_way->s);
    runner_trial_free(under_way);
    free(under_way);
    under_way = NULL;
}

static jmp_buf broken;
static char broken_says[256];
static void note_broken(const char *message)
{
    snprintf(broken_says, sizeof broken_says, "%s", message);
    longjmp(broken, 1);
}

const char *runner_body_may_break(const job *j, const arith *R, const shape *sh, trial *to)
{
    contract_handler *handler = contract_set_handler(note_broken);
    if (setjmp(broken)) {
        contract_set_handler(handler);
        abandon();
        return broken_says;
    }
    *to = runner_body(j, R, sh);
    contract_set_handler(handler);
    return NULL;
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
    r->depth = check_depth(t);
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
            r->what = cell_keep(c->what);
        }
    }
    r->skipped = reason_skips(t->s.reason);
    if (t->s.status != HOLDS || !t->record.nchecks) {
        r->verdict = UNDECIDED;
        r->note = cell_keep(t->s.status != HOLDS ? t->s.why : reason_text(REASON_INVALID));
    }
}

void runner_param(row *r, const char *fmt, ...)
{
    char text[24];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    r->param = intern(text);
}
