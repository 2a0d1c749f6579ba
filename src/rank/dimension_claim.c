/* dimension_claim.c - see dimension_claim.h. */
#include "src/rank/dimension_claim.h"

bool claim_field(trial *t, arith *own)
{
    const arith *R = t->s.R;
    if (R->traits & RIGOROUS && R->traits & HAS_EXP) {
        *own = arith_arb(R->bits);
        return true;
    }
    if (!R->prime) return false;
    if (R->prime >> 40 == 0) {
        scope_undecided(&t->s, "ranks at random points need a prime above 2^40");
        return false;
    }
    *own = arith_fp(R->prime, R->key);
    return true;
}

dimension_of family_named(shape sizes, const char *architecture)
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
    if (D.is != HOLDS) scope_undecided(&t->s, D.why);
    else if (!D.prime && D.rank + D.gauge < D.parameters) {
        scope_undecided(&t->s, "balls too wide: some pivot may be 0");
        D.is = UNDECIDED;
    }
    return D;
}

/* The three facts that decide a nullity; `what` names them all. */
static void bounds_meet(trial *t, const char *what, const dimension *D)
{
    claim_sampled(t, what, D->null);
    claim_sampled(t, what, D->rank + D->gauge == D->parameters);
}

void claim_nullity(trial *t, const char *what, const dimension_of *of, long expected)
{
    const dimension D = claim_find(t, of);
    if (D.is != HOLDS) return;
    bounds_meet(t, what, &D);
    claim_sampled(t, what, D.parameters - D.rank == expected);
}

void claim_deficit(trial *t, const char *what, const dimension_of *full, uint64_t fixed, long expected)
{
    dimension_of reduced = *full;
    reduced.without_query = fixed;
    const dimension F = claim_find(t, full), R = claim_find(t, &reduced);
    if (F.is != HOLDS || R.is != HOLDS) return;
    bounds_meet(t, what, &F);
    bounds_meet(t, what, &R);
    claim_sampled(t, what, F.rank - R.rank == expected);
}
