/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_sides.c - is a control about what its claim is about?
 *
 * A check has a name, which its body chooses, and two sides.  A control that refutes another equation under that name
 * tests nothing.  Where one side is, entry by entry, what the claim has in the same check, in the same trial, with the
 * same draws, the control breaks the other side of the claim's own equation.  A side that other draws leave as it is
 * says nothing.  Of several checks of one name each that the claim has must be broken so: one that is
 * broken beside others that hold may be there for the control alone.  A control that drops a hypothesis changes both
 * sides: then, as where checks of that name hold, somebody has to read it (src/claim/judge/readings.h). */
#include <stdlib.h>
#include "numerics/fingerprint.h"
#include "numerics/random.h"
#include "src/claim/runner/runner_trial.h"

enum { BALL_BITS = 256 };

/* The arithmetic of the row, as simple as it comes: what is computed alike is equal bit by bit, of balls the
 * centres. */
static arith simple(const job *j)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    if (j->over.kind == A_Q) return arith_q(key);
    if (j->over.kind == A_F64) return arith_f64_bounded();
    if (j->over.kind == A_ARB) return arith_arb(j->over.bits ? j->over.bits : BALL_BITS);
    return arith_fp(j->over.prime ? j->over.prime : runner_field_prime(j->seed, j->trial, 0), key);
}

static trial run_once(const job *j, const control *broken, uint64_t seed, const shape *sh)
{
    job one = *j;
    one.control = broken;
    one.seed = seed;
    one.sides = true;
    arith R = simple(j);
    trial t = runner_body(&one, &R, sh);
    arith_close(&R);
    return t;
}

/* Check number k of this name, from 0; NULL: there is none. */
static const check *check_of(const trial *t, const char *what, long k)
{
    for (long i = 0; i < t->record.nchecks; i++)
        if (cell_keep(t->record.checks[i].what) == what && k-- == 0) return &t->record.checks[i];
    return NULL;
}

/* b, of a control, breaks c, of the claim; `other` is c with other draws. */
static bool breaks(const check *b, const check *c, const check *other)
{
    bool shares = false;
    for (int i = 0; i < 2; i++) {
        const uint64_t side = c->side[i];
        const bool fixed = !side || (other && other->side[i] == side);
        shares |= !fixed && (b->side[0] == side || b->side[1] == side);
    }
    return b->is.is == REFUTED && shares;
}

shared_side runner_shares_side(const job *j, const shape *sh, const row *r)
{
    if (j->stream || j->over.kind == A_MPFR || j->over.kind == A_SYM) return SIDE_UNASKED;
    const bool noted = fingerprint_pause();              /* what is compared here is no check of the trial */
    trial broken = run_once(j, j->control, j->seed, sh), claimed = run_once(j, NULL, j->seed, sh);
    trial others = run_once(j, NULL, ~j->seed, sh);
    fingerprint_resume(noted);
    bool shares = check_of(&claimed, r->what, 0) != NULL;
    const check *c;
    for (long k = 0; shares && (c = check_of(&claimed, r->what, k)) != NULL; k++) {
        const check *b = check_of(&broken, r->what, k);
        shares = b && breaks(b, c, check_of(&others, r->what, k));
    }
    runner_trial_free(&broken);
    runner_trial_free(&claimed);
    runner_trial_free(&others);
    return shares ? SIDE_SHARED : SIDE_OTHER;
}
