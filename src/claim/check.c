/* SPDX-License-Identifier: GPL-3.0-or-later
 * check.c - how a body's statements become checks: see check.h. */
#include "numerics/fingerprint.h"
#include "numerics/record/arith_deg.h"
#include "numerics/random.h"
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
    fingerprint_text(what);
    fingerprint_word((uint64_t)is.is);
    t->record.checks[t->record.nchecks++] = (check){ .what = what, .want_equal = want_equal, .is = is, .by = by };
}

static entry_is entry_of(mpq_t a, mpq_t b, const mat *A, const mat *B, long i, long j)
{
    const bool known = A->R->ring.get_exact(a, A, i, j) && B->R->ring.get_exact(b, B, i, j);
    REQUIRE(known, "entries of %s have no exact values", A->R->name);
    return !mpq_equal(a, b) ? ENTRY_APART : mpq_sgn(a) == 0 ? ENTRY_ZERO : ENTRY_EQUAL;
}

/* The check that was made last is the equation A = B.  The claim asks, not its body: no value is noted as read. */
static void note_entries(trial *t, const mat *A, const mat *B)
{
    check *c = &t->record.checks[t->record.nchecks - 1];
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    c->rows = A->rows;
    c->cols = A->cols;
    c->entry = must_calloc((size_t)(A->rows * A->cols) + 1, sizeof *c->entry);
    c->mirrored = A->rows == A->cols;
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            c->entry[i * A->cols + j] = entry_of(a, b, A, B, i, j);
            c->mirrored = c->mirrored && A->R->ring.get_exact(b, B, j, i) && mpq_equal(a, b);
        }
    mpq_clears(a, b, NULL);
}

/* The check that was made last is of A and B.  A literal, such as 0 or I, is no side of anything. */
static void of_matrices(trial *t, const mat *A, const mat *B)
{
    check *c = &t->record.checks[t->record.nchecks - 1];
    c->given = A->given || B->given;
    if (!t->record.sides) return;
    if (A->given) c->side[0] = fingerprint_of(A);
    if (B->given) c->side[1] = fingerprint_of(B);
}

static void compare(trial *t, const char *what, bool want_equal, const mat *A, const mat *B)
{
    REQUIRE(t->record.mode != TRIAL_MEASURES, "%s: a measurement compares figures, not matrices", what);
    if (t->s.plan) constrained_add_equation(&t->s, A, B, t->record.constrained);
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
        const comparison counted = mat_compare_quietly(A, B, -INFINITY);
        check_record(t, what, true, counted, arith_deg_bound(t->s.R).polynomials > before ? BY_CHANCE : BY_NOTHING);
        return;
    }
    comparison is = mat_compare_quietly(A, B, t->s.R->default_log2bound);
    if (!want_equal && is.is != UNDECIDED) is.is = is.is == HOLDS ? REFUTED : HOLDS;
    check_record(t, what, want_equal, is, want_equal ? BY_CHANCE : BY_FACT);
    if (t->record.entries && want_equal) note_entries(t, A, B);
}

void claim_equal(trial *t, const char *what, const mat *A, const mat *B)
{
    compare(t, what, true, A, B);
    of_matrices(t, A, B);
}

void claim_differs(trial *t, const char *what, const mat *A, const mat *B)
{
    compare(t, what, false, A, B);
    of_matrices(t, A, B);
}

/* A fact without a size.  Of which matrices it speaks only its body knows: it counts as given where some were drawn, or
 * where certificates say of which numbers it is. */
static void fact(trial *t, const char *what, truth is, certainty by)
{
    if (t->record.certifier) t->record.certifier->decided++;
    const double log2gap = is == HOLDS ? -INFINITY : is == REFUTED ? 0 : INFINITY;
    check_record(t, what, true, (comparison){ is, log2gap, -INFINITY }, by);
    check *c = &t->record.checks[t->record.nchecks - 1];
    c->given = random_drew();
    c->decided = true;
}

void claim_decided (trial *t, const char *what, bool is_so)   { fact(t, what, is_so ? HOLDS : REFUTED, BY_FACT); }
void claim_sampled (trial *t, const char *what, bool is_so)   { fact(t, what, is_so ? HOLDS : REFUTED, BY_SAMPLE); }
void claim_minor(trial *t, const char *what, bool is_so)
{
    fact(t, what, is_so || t->s.R->kind == A_DEG ? HOLDS : REFUTED, BY_FACT);
}
void claim_positive(trial *t, const char *what, const mat *A)
{
    const bool read = mat_value_was_read();
    const truth positive = mat_positive(A);                /* the claim asks, not its body */
    if (!read) mat_forget_values();
    fact(t, what, positive, BY_SAMPLE);
    of_matrices(t, A, A);
}

void claim_less(trial *t, const char *what, const mat *A, const mat *B)
{
    claim_positive(t, what, mat_sub(&t->s, B, A));
}

/* A rank over F_p is at most the formal one, so only an upper bound below the full rank is left to chance. */
static void rank_fact(trial *t, const char *what, const mat *A, long r, truth (*asks)(scope *, const mat *, long))
{
    const bool read = mat_value_was_read();
    const truth is = asks(&t->s, A, r);
    if (!read) mat_forget_values();
    if (is == UNDECIDED) return;
    fact(t, what, is, BY_CHANCE);
    of_matrices(t, A, A);
}

void claim_rank(trial *t, const char *what, const mat *A, long expected)
{
    rank_fact(t, what, A, expected, mat_rank_is);
}

void claim_rank_at_most(trial *t, const char *what, const mat *A, long most)
{
    rank_fact(t, what, A, most, mat_rank_at_most);
}

void claim_enclosed(trial *t, const char *what, comparison is)
{
    REQUIRE(t->s.R->traits & RIGOROUS, "%s is enclosed over %s", what, t->s.R->name);
    check_record(t, what, true, is, BY_SAMPLE);
    t->record.checks[t->record.nchecks - 1].given = true;    /* no text of a theorem writes `is`: tests/bodies.sh */
}

void claim_eliminated(trial *t, const char *what, const mat *A)
{
    claim_equal(t, what, A, mat_identity(&t->s, A->rows));
}

bool claim_over(trial *t, over_what what)
{
    const arith *R = t->s.R;
    const bool is[] = {
        [OVER_ENTRIES]   = !(R->traits & SYMBOLIC),
        [OVER_REALS]     = R->traits & HAS_EXP,
        [OVER_BALLS]     = R->kind == A_ARB,
        [OVER_RATIONALS] = R->kind == A_Q,
        [OVER_EXACT]     = R->traits & EXACT || R->kind == A_DEG,          /* deg: the twin of fp */
        [OVER_ORDERED]   = R->traits & ORDERED,
        [OVER_FORMAL]    = R->traits & OPAQUE,
        [OVER_FUNCTIONS] = R->traits & (HAS_EXP | OPAQUE),
    };
    const bool of_symbols = what == OVER_FORMAL || what == OVER_FUNCTIONS;
    t->record.asked |= is[what] != of_symbols;
    return is[what];
}

long claim_bits(trial *t)
{
    t->record.asked |= t->s.R->bits != 0;                  /* symbols have none */
    return t->s.R->bits;
}

void claim_seeds(trial *t, uint64_t of[2])
{
    mat_note_numbers(&t->s);
    of[0] = t->s.key[0];
    of[1] = t->s.key[1];
}

bool claim_certifies(const trial *t)                       /* what is recorded over symbols is a run like others */
{
    return t->record.mode == TRIAL_CERTIFIES && t->s.R->kind == A_Q;
}
