/* runner_sides.c - is a control about what its claim is about?
 *
 * A check has a name, which its body chooses, and two sides.  A control that refutes another equation under that name
 * tests nothing.  Where one side is, entry by entry, what the claim has there in the same trial, with the same draws,
 * the control breaks the other side of the claim's own equation.  One that drops a hypothesis changes both: then
 * somebody has to read it (src/claim/judge/readings.h). */
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

static trial run_once(const job *j, const control *broken, const shape *sh)
{
    job one = *j;
    one.control = broken;
    one.sides = true;
    arith R = simple(j);
    trial t = runner_body(&one, &R, sh);
    arith_close(&R);
    return t;
}

static bool is_side(const trial *t, const char *what, uint64_t side)
{
    for (long k = 0; side && k < t->record.nchecks; k++) {
        const check *c = &t->record.checks[k];
        if (cell_keep(c->what) == what && (c->side[0] == side || c->side[1] == side)) return true;
    }
    return false;
}

bool runner_shares_side(const job *j, const shape *sh, const row *r)
{
    if (j->stream || j->over.kind == A_MPFR || j->over.kind == A_SYM) return false;
    const bool noted = fingerprint_pause();              /* what is compared here is no check of the trial */
    trial broken = run_once(j, j->control, sh), claimed = run_once(j, NULL, sh);
    fingerprint_resume(noted);
    bool shares = false;
    for (long k = 0; k < broken.record.nchecks && !shares; k++) {
        const check *c = &broken.record.checks[k];
        if (c->is.is != REFUTED || cell_keep(c->what) != r->what) continue;
        shares = is_side(&claimed, r->what, c->side[0]) || is_side(&claimed, r->what, c->side[1]);
    }
    runner_trial_free(&broken);
    runner_trial_free(&claimed);
    return shares;
}
