/* SPDX-License-Identifier: GPL-3.0-or-later
 * dimension_claim.c - see dimension_claim.h. */
#include "src/methods/rank/dimension_claim.h"

bool claim_field(trial *t, arith *own)
{
    const arith *R = t->s.R;
    if (R->kind == A_ARB) {
        *own = arith_arb(R->bits);
        return true;
    }
    if (R->kind != A_FP) return false;
    if (R->prime >> 40 == 0) {
        scope_undecided(&t->s, REASON_TOO_WIDE, "ranks at random points need a prime above 2^40");
        return false;
    }
    *own = arith_fp(R->prime, R->key);
    return true;
}

dimension_of dimension_family_named(shape sizes, const char *architecture)
{
    dimension_of what = { .sh = sizes };
    const char *wrong = architecture_parse(&what.sh, &what.unit_gains, architecture);
    if (!wrong) wrong = shape_complete(&what.sh);
    REQUIRE(!wrong, "%s: %s", architecture, wrong);
    return what;
}

dimension claim_find(trial *t, const dimension_of *what)
{
    arith own;
    if (!claim_field(t, &own)) return (dimension){ .is = UNDECIDED };
    dimension D = dimension_find(&own, what, t->seed, (uint64_t)t->number);
    arith_close(&own);
    if (D.is != HOLDS) scope_undecided(&t->s, REASON_INNER, D.why);
    else if (!D.prime && D.rank + D.gauge < D.parameters) {
        scope_undecided(&t->s, REASON_TOO_WIDE, "balls too wide: some pivot may be 0");
        D.is = UNDECIDED;
    }
    return D;
}

bool claim_null(trial *t, const char *what, const dimension_of *of, const dimension *D)
{
    const bool degrees = t->s.R->kind == A_DEG;
    if (D->is != HOLDS && !degrees) return false;
    if (t->s.R->kind != A_FP && !degrees) return true;             /* balls: D->null */
    const gauge_image G = dimension_image(&t->s, of);
    if (!G.of_all) return false;
    claim_equal(t, what, G.of_all, mat_zero(&t->s, G.of_all->rows, G.of_all->cols));
    if (!G.fixed) return true;
    const long full = G.fixed->rows < G.fixed->cols ? G.fixed->rows : G.fixed->cols;
    claim_rank_at_most(t, what, G.fixed, degrees ? full - 1 : D->fixed_directions);    /* deg: none has more events */
    return true;
}

/* The facts that decide a nullity; `what` names them all.  False: undecided. */
static bool bounds_meet(trial *t, const char *what, const dimension_of *of, const dimension *D)
{
    if (!claim_null(t, what, of, D)) return false;
    claim_minor(t, what, D->null);
    claim_minor(t, what, D->rank + D->gauge == D->parameters);
    return true;
}

void claim_nullity(trial *t, const char *what, const dimension_of *of, long expected)
{
    const dimension D = claim_find(t, of);
    if (bounds_meet(t, what, of, &D)) claim_minor(t, what, D.parameters - D.rank == expected);
}

void claim_lost(trial *t, const char *what, const dimension_of *full, const dimension_of *reduced, long expected)
{
    const dimension F = claim_find(t, full), R = claim_find(t, reduced);
    if (bounds_meet(t, what, full, &F) && bounds_meet(t, what, reduced, &R))
        claim_minor(t, what, F.rank - R.rank == expected);
}

void claim_deficit(trial *t, const char *what, const dimension_of *full, uint64_t fixed, long expected)
{
    dimension_of reduced = *full;
    reduced.without_query = fixed;
    claim_lost(t, what, full, &reduced, expected);
}
