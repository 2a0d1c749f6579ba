/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_unbroken.c - does each equation of a derivation say something?
 *
 * An equation whose two sides are the same computation holds whatever is reduced, and whatever a control breaks
 * elsewhere.  So the body runs again over F_q, at the shape of the trial: with each control in place of it, and with
 * every matrix that it names as reduced drawn anew.  Each entry of each equation must be apart in one of these runs;
 * one that is 0 on both sides in the claim may be so by its place, as what a mask hides.  What is left somebody has to
 * read (src/claim/judge/readings.h). */
#include <stdlib.h>
#include <string.h>
#include "numerics/fingerprint.h"
#include "numerics/random.h"
#include "src/base/list.h"
#include "src/claim/runner/runner_trial.h"
#include "src/model/drawn_sizes.h"

/* False: the body breaks off. */
static bool run_over(const job *j, const control *instead, bool replaces, const shape *sh, trial *to)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    job one = *j;
    one.over = (arith_spec){ .kind = A_FP };
    one.control = instead;
    one.replaces = replaces;
    one.entries = true;
    arith R = arith_fp(runner_field_prime(j->seed, j->trial, 0), key);
    const bool whole = !runner_body_may_break(&one, &R, sh, to);
    arith_close(&R);
    return whole;
}

static bool is_equation(const check *c, const char *what) { return c->entry && strcmp(c->what, what) == 0; }

/* Number k of the equations of this name; NULL: there is none. */
static const check *equation_of(const trial *t, const char *what, long k)
{
    for (long i = 0; i < t->record.nchecks; i++)
        if (is_equation(&t->record.checks[i], what) && k-- == 0) return &t->record.checks[i];
    return NULL;
}

static bool is_apart(const check *c, long k)
{
    return c->entry[k] == ENTRY_APART || (c->mirrored && k % c->cols == k / c->cols);
}

/* What is apart in the other run is apart in `claimed`, from then on. */
static void add_apart(const trial *claimed, const trial *other)
{
    for (long i = 0; i < claimed->record.nchecks; i++) {
        check *c = &claimed->record.checks[i];
        long before = 0;
        for (long k = 0; k < i; k++) before += is_equation(&claimed->record.checks[k], c->what);
        const check *o = c->entry ? equation_of(other, c->what, before) : NULL;
        if (!o || o->rows != c->rows || o->cols != c->cols) continue;
        for (long k = 0; k < c->rows * c->cols; k++) if (is_apart(o, k)) c->entry[k] = ENTRY_APART;
    }
}

static bool holds_somewhere(const check *c)
{
    bool equal = false, apart = false;
    for (long k = 0; c->entry && k < c->rows * c->cols; k++) {
        equal |= c->entry[k] == ENTRY_EQUAL;
        apart |= c->entry[k] == ENTRY_APART;
    }
    return c->entry && (equal || !apart);
}

const char *runner_unbroken(const job *j)
{
    shape sh = j->sh;
    trial claimed, other;
    text_buffer list = { 0 };
    if (!runner_adapt_shape(j->part, A_FP, &sh)) sh = j->sh;
    const bool noted = fingerprint_pause();
    const drawn_sizes derived = drawn_sizes_noted();
    if (run_over(j, NULL, false, &sh, &claimed)) {
        for (size_t k = 0; k <= j->part->ncontrols; k++) {
            const control *instead = k ? &j->part->controls[k - 1] : NULL;
            if (!run_over(j, instead, !instead, &sh, &other)) continue;
            add_apart(&claimed, &other);
            runner_trial_free(&other);
        }
        for (long k = 0; k < claimed.record.nchecks; k++)
            if (holds_somewhere(&claimed.record.checks[k])) list_add(&list, cell_keep(claimed.record.checks[k].what));
        runner_trial_free(&claimed);
    } else list_add(&list, "what the body breaks off");
    drawn_sizes_restore(derived);
    fingerprint_resume(noted);
    const char *kept = intern(list.at ? list.at : "");
    text_clear(&list);
    return kept;
}
