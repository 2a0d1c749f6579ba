/* SPDX-License-Identifier: GPL-3.0-or-later
 * free_family.c - see free_family.h. */
#include "src/methods/rank/free_family.h"
#include <stdlib.h>
#include "numerics/random.h"

enum { SPARE_ROWS = 8, PER_INPUT = 4 };

/* Rows of the Jacobian and of the null vectors; J NULL: undecided; N NULL: there is no null vector. */
typedef struct { const mat *J, *N; } rows_of;

static rows_of jacobian_and_null_vectors(scope *s, scope *tape, const free_family *F, parameters *P, long per_input)
{
    const void *W = F->weights(tape, F->sizes, P);
    parameters_place(P);
    const family of = { .P = P, .output = F->output, .with = W, .samples = (P->free + SPARE_ROWS) / (PER_INPUT - 1) + 1,
                        .per_sample = per_input };
    const mat *J = jacobian(s, tape, &of), *N = F->null_vectors(s, W, P);
    return s->status == HOLDS ? (rows_of){ J, N } : (rows_of){ 0 };
}

static dimension measure(scope *s, scope *tape, const free_family *F, parameters *P)
{
    dimension D = { .is = HOLDS, .prime = s->R->prime };
    const rows_of A = jacobian_and_null_vectors(s, tape, F, P, PER_INPUT);
    D.parameters = P->free;
    if (!A.J) return D;
    D.rank = rank_at_least(s, A.J);
    D.null = true;
    if (!A.N) return D;
    D.gauge = rank_at_least(s, A.N);
    const mat *JN = mat_mul(s, A.J, mat_t(s, A.N));
    D.null = mat_compare(JN, mat_zero(s, JN->rows, JN->cols), 0).is != REFUTED;
    return D;
}

/* Over fp and deg: the null vectors are null, as an identity at uniform points whose error is counted. */
static bool claim_null_vectors(trial *t, const char *what, const free_family *F)
{
    scope *s = &t->s;
    if (s->R->kind != A_FP && s->R->kind != A_DEG) return true;
    tape_rules how = { .range = 1, .kappa = 1, .afresh = true };
    random_key_derive(how.key, s->key, "opaque functions, afresh");
    arith R = tape_over(s->R, how);
    scope tape = scope_open(&R, s->key[0], s->key[1]);
    parameters *P = must_calloc(1, sizeof *P);
    const rows_of A = jacobian_and_null_vectors(s, &tape, F, P, 1);     /* a random functional will do */
    if (A.J && A.N) {
        const mat *JN = mat_mul(s, A.J, mat_t(s, A.N));
        claim_equal(t, what, JN, mat_zero(s, JN->rows, JN->cols));
    }
    free(P);
    tape_forget(&R, 0);
    scope_close(&tape);
    arith_close(&R);
    return A.J != NULL;
}

dimension free_family_dimension(trial *t, const free_family *F)
{
    arith field;
    if (!claim_field(t, &field)) return (dimension){ .is = UNDECIDED };
    tape_rules how = { .range = F->range, .kappa = F->kappa };
    random_key_derive(how.key, (uint64_t[]){ t->seed, (uint64_t)t->number }, "opaque functions");
    arith R = tape_over(&field, how);
    scope s = scope_open(&field, t->seed, (uint64_t)t->number), tape = scope_open(&R, t->seed, (uint64_t)t->number);
    parameters *P = must_calloc(1, sizeof *P);
    dimension D = measure(&s, &tape, F, P);
    if (s.status != HOLDS) {
        D.is = UNDECIDED;
        D.why = s.why;
        scope_undecided(&t->s, REASON_INNER, s.why);
    }
    free(P);
    tape_forget(&R, 0);
    scope_close(&tape);
    scope_close(&s);
    arith_close(&R);
    arith_close(&field);
    return D;
}

/* Null vectors are null and the bounds meet; false: undecided. */
static bool claim_bounds(trial *t, const char *what, const free_family *F, dimension *D)
{
    *D = free_family_dimension(t, F);
    const bool degrees = t->s.R->kind == A_DEG;
    if (D->is != HOLDS && !degrees) return false;
    if (!D->prime && !degrees && D->rank + D->gauge < D->parameters) {
        scope_undecided(&t->s, REASON_TOO_WIDE, "balls too wide: some pivot may be 0");
        return false;
    }
    if (!claim_null_vectors(t, what, F)) return false;
    claim_minor(t, what, D->null);
    claim_minor(t, what, D->rank + D->gauge == D->parameters);
    return true;
}

void claim_family_rank(trial *t, const char *what, const free_family *F, long expected)
{
    dimension D;
    if (claim_bounds(t, what, F, &D)) claim_minor(t, what, D.rank == expected);
}

void claim_family_nullity(trial *t, const char *what, const free_family *F, long expected)
{
    dimension D;
    if (claim_bounds(t, what, F, &D)) claim_minor(t, what, D.parameters - D.rank == expected);
}
