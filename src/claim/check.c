/* check.c - how a body's statements become checks: see check.h. */
#include "numerics/record/arith_deg.h"
#include "src/claim/check.h"
#include <math.h>
#include <stdlib.h>
#include "src/claim/certificate/certificate.h"
#include "src/claim/check_record.h"

void check_record(trial *t, const char *what, bool want_equal, comparison is, certainty by)
{
    if (t->record.nchecks == t->record.capacity) {
        t->record.capacity = t->record.capacity ? 2 * t->record.capacity : 8;
        t->record.checks = must_realloc(t->record.checks, (size_t)t->record.capacity, sizeof *t->record.checks);
    }
    t->record.checks[t->record.nchecks++] = (check){ what, want_equal, is, by, false };
}

static void compare_checked(trial *t, const char *what, bool want_equal, const mat *A, const mat *B)
{
    REQUIRE(t->record.mode != TRIAL_MEASURES, "%s: a measurement compares figures, not matrices", what);
    if (t->record.certifier && t->s.R->traits & SYMBOLIC && want_equal)
        certifier_equation(t->record.certifier, what, A, B);
    if (t->s.R->kind == A_DEG && !want_equal) {          /* residues that differ, differ; but formal functions
                                                               that differ say nothing about real ones */
        const bool opaque = arith_deg_opaque(A) || arith_deg_opaque(B);
        check_record(t, what, false, (comparison){ HOLDS, 0, -INFINITY }, opaque ? BY_SAMPLE : BY_FACT);
        return;
    }
    if (t->s.R->kind == A_DEG) {
        const double before = arith_deg_bound(t->s.R).polynomials;
        const comparison counted = mat_compare(A, B, -INFINITY);
        check_record(t, what, true, counted, arith_deg_bound(t->s.R).polynomials > before ? BY_CHANCE : BY_NOTHING);
        return;
    }
    comparison is = mat_compare(A, B, t->s.R->default_log2bound);
    if (!want_equal && is.is != UNDECIDED) is.is = is.is == HOLDS ? REFUTED : HOLDS;
    check_record(t, what, want_equal, is, want_equal ? BY_CHANCE : BY_FACT);
}

void claim_equal  (trial *t, const char *what, const mat *A, const mat *B) { compare_checked(t, what, true, A, B); }
void claim_differs(trial *t, const char *what, const mat *A, const mat *B) { compare_checked(t, what, false, A, B); }

/* A fact without a size. */
static void fact(trial *t, const char *what, truth is, certainty by)
{
    if (t->record.certifier) t->record.certifier->decided++;
    const double log2gap = is == HOLDS ? -INFINITY : is == REFUTED ? 0 : INFINITY;
    check_record(t, what, true, (comparison){ is, log2gap, -INFINITY }, by);
}

void claim_decided (trial *t, const char *what, bool is_so)   { fact(t, what, is_so ? HOLDS : REFUTED, BY_FACT); }
void claim_sampled (trial *t, const char *what, bool is_so)   { fact(t, what, is_so ? HOLDS : REFUTED, BY_SAMPLE); }
void claim_minor(trial *t, const char *what, bool is_so)
{
    fact(t, what, is_so || t->s.R->kind == A_DEG ? HOLDS : REFUTED, BY_FACT);
}
void claim_positive(trial *t, const char *what, const mat *A) { fact(t, what, mat_positive(A), BY_SAMPLE); }

void claim_less(trial *t, const char *what, const mat *A, const mat *B)
{
    claim_positive(t, what, mat_sub(&t->s, B, A));
}

/* A rank over F_p is at most the formal one, so only an upper bound below the full rank is left to chance. */
static void rank_fact(trial *t, const char *what, truth is)
{
    if (is != UNDECIDED) fact(t, what, is, BY_CHANCE);
}

void claim_rank(trial *t, const char *what, const mat *A, long expected)
{
    rank_fact(t, what, mat_rank_is(&t->s, A, expected));
}

void claim_rank_at_most(trial *t, const char *what, const mat *A, long most)
{
    rank_fact(t, what, mat_rank_at_most(&t->s, A, most));
}

void claim_enclosed(trial *t, const char *what, comparison is)
{
    REQUIRE(t->s.R->traits & RIGOROUS, "%s is enclosed over %s", what, t->s.R->name);
    check_record(t, what, true, is, BY_SAMPLE);
}

void claim_eliminated(trial *t, const char *what, const mat *A)
{
    claim_equal(t, what, A, mat_identity(&t->s, A->rows));
}

bool claim_certifies(const trial *t) { return t->record.mode == TRIAL_CERTIFIES; }
