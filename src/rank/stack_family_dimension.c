/* stack_family_dimension.c - the dimension of a family of attention stacks: its Jacobian on random real inputs, and
 * its null vectors: see stack_family.h. */
#include <stdlib.h>
#include "numerics/random.h"
#include "src/rank/gauge_list.h"
#include "src/rank/stack_family.h"

enum { SPARE_ROWS = 8, PER_INPUT = 4 };

static const mat *output(scope *s, const void *with, long k)
{
    const stack *A = with;
    char name[32];
    snprintf(name, sizeof name, "X.%ld", k);
    return stack_forward(s, A, mat_draw(s, name, A->s.T, A->s.N, 0));
}

/* ---- null vectors ----------------------------------------------------------------------------------------- */

static const mat *turned(tangents *g, const mat *E, const mat *W)              /* -E W */
{
    return tangent_minus(g->s, mat_mul(g->s, E, tangent_value(W)));
}

/* The stream between layers i and i + 1 in the basis 1 + E. */
static void between(tangents *g, const stack *A, long i, const mat *E)
{
    scope *s = g->s;
    const stack_layer *W = &A->at[i], *next = &A->at[i + 1];
    tangent_next(g);
    tangent_put(g, W->O, mat_mul(s, tangent_value(W->O), E));
    if (A->s.form == STACK_PRODUCTS) {                       /* E from both sides of M, from the left of O */
        const mat *M = tangent_value(next->Q);
        tangent_put(g, next->Q, mat_sub(s, turned(g, E, next->Q), mat_mul(s, M, mat_t(s, E))));
        tangent_put(g, next->O, turned(g, E, next->O));
        return;
    }
    tangent_put(g, next->Q, turned(g, E, next->Q));
    if (next->K != next->Q) tangent_put(g, next->K, turned(g, E, next->K));
    tangent_put(g, next->V, turned(g, E, next->V));
}

static void columns(tangents *g, const mat *W, long at, const mat *B)          /* W_a B */
{
    tangent_put_at(g, W, mat_mul(g->s, mat_cols(g->s, tangent_value(W), at, B->rows), B), 0, at);
}

static void inside_heads(tangents *g, const stack *A)
{
    scope *s = g->s;
    const long r = A->s.N / A->s.H;
    for (long i = 0; i < A->s.S; i++)
        for (long a = 0; a < A->s.H; a++)
            for (long k = 0; k < r * r; k++) {
                const stack_layer *W = &A->at[i];
                const mat *B = tangent_unit(s, r, r, k / r, k % r);
                tangent_next(g);
                if (A->s.form == STACK_SHARED) columns(g, W->Q, a * r, tangent_skew(s, r, k / r, k % r));
                else {
                    columns(g, W->Q, a * r, B);
                    columns(g, W->K, a * r, tangent_minus(s, mat_t(s, B)));
                }
                tangent_next(g);
                columns(g, W->V, a * r, B);
                const mat *O = mat_mul(s, B, mat_rows(s, tangent_value(W->O), a * r, r));
                tangent_put_at(g, W->O, tangent_minus(s, O), a * r, 0);
            }
}

/* Behind LayerNorm the rows of Z sum to 0: M + 1 v' + w 1', and W + 1 v' where no skip adds what was not normed. */
static void centred(tangents *g, const stack *A)
{
    scope *s = g->s;
    const long N = A->s.N;
    for (long k = 0; k < N; k++) {
        const mat *rows = mat_mul(s, mat_ones(s, N, 1), tangent_row(s, N, k));
        for (long i = 0; i < A->s.S; i++) {
            tangent_next(g);
            tangent_put(g, A->at[i].Q, rows);
            tangent_next(g);
            tangent_put(g, A->at[i].Q, mat_t(s, rows));
        }
        if (A->s.skip) continue;
        tangent_next(g);
        tangent_put(g, A->W, rows);
    }
}

static const mat *null_vectors(scope *s, const stack *A, const parameters *P)
{
    tangents g = { .s = s, .P = P };
    const long N = A->s.N;
    const bool basis_is_free = !A->s.skip && !A->s.norm && A->at[0].O;
    for (long i = 0; i + 1 < A->s.S && basis_is_free; i++)
        for (long k = 0; k < N * N; k++) between(&g, A, i, tangent_unit(s, N, N, k / N, k % N));
    if (A->at[0].V) inside_heads(&g, A);
    for (long i = 0; i < A->s.S && A->s.form == STACK_MIRRORED; i++)
        for (long k = 0; k < N * N; k++) {
            tangent_next(&g);
            columns(&g, A->at[i].Q, 0, tangent_skew(s, N, k / N, k % N));
        }
    if (A->s.norm && A->s.form == STACK_COLLAPSED) centred(&g, A);
    return g.n ? mat_vcat(s, g.n, (const mat *const *)g.row) : NULL;
}

/* ---- rank --------------------------------------------------------------------------------------------------- */

/* Rows of the Jacobian and of the null vectors; J NULL: undecided; N NULL: there is no null vector. */
typedef struct { const mat *J, *N; } rows_of;

static rows_of jacobian_and_null_vectors(scope *s, scope *tape, const stack_shape *sh, parameters *P, long per_input)
{
    const stack A = stack_random(tape, *sh);
    for (long i = 0; i < sh->S; i++) {
        parameters_add(P, A.at[i].Q, false, false);
        parameters_add(P, A.at[i].K, false, false);
        parameters_add(P, A.at[i].V, false, false);
        parameters_add(P, A.at[i].O, false, false);
    }
    parameters_add(P, A.W, false, false);
    parameters_place(P);
    const family F = { .P = P, .output = output, .with = &A, .samples = (P->free + SPARE_ROWS) / (PER_INPUT - 1) + 1,
                       .per_sample = per_input };
    const mat *J = jacobian(s, tape, &F), *N = null_vectors(s, &A, P);
    return s->status == HOLDS ? (rows_of){ J, N } : (rows_of){ 0 };
}

static dimension measure(scope *s, scope *tape, const stack_shape *sh, parameters *P)
{
    dimension D = { .is = HOLDS, .prime = s->R->prime };
    const rows_of A = jacobian_and_null_vectors(s, tape, sh, P, PER_INPUT);
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
static bool claim_stack_null(trial *t, const char *what, const stack_shape *sh)
{
    scope *s = &t->s;
    if (!s->R->prime && !(s->R->traits & DEGREES)) return true;
    stack_shape of = *sh;
    of.attention = ROWMAP_SOFTMAX;
    tape_rules how = { .range = 1, .kappa = 1, .afresh = true };
    key_derive(how.key, s->key, "opaque functions, afresh");
    arith R = tape_over(s->R, how);
    scope tape = scope_open(&R, s->key[0], s->key[1]);
    parameters *P = must_calloc(1, sizeof *P);
    const rows_of A = jacobian_and_null_vectors(s, &tape, &of, P, 1);     /* a random functional will do */
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

dimension stack_dimension(trial *t, const stack_shape *sh)
{
    arith field;
    if (!claim_field(t, &field)) return (dimension){ .is = UNDECIDED };
    stack_shape of = *sh;
    of.attention = ROWMAP_SOFTMAX;
    tape_rules how = { .range = 100, .kappa = 1 };
    key_derive(how.key, (uint64_t[]){ t->seed, (uint64_t)t->number }, "opaque functions");
    arith R = tape_over(&field, how);
    scope s = scope_open(&field, t->seed, (uint64_t)t->number), tape = scope_open(&R, t->seed, (uint64_t)t->number);
    parameters *P = must_calloc(1, sizeof *P);
    dimension D = measure(&s, &tape, &of, P);
    if (s.status != HOLDS) {
        D.is = UNDECIDED;
        D.why = s.why;
        scope_undecided(&t->s, s.why);
    }
    free(P);
    tape_forget(&R, 0);
    scope_close(&tape);
    scope_close(&s);
    arith_close(&R);
    arith_close(&field);
    return D;
}

void claim_stack_rank(trial *t, const char *what, const stack_shape *sh, long expected)
{
    const dimension D = stack_dimension(t, sh);
    const bool degrees = t->s.R->traits & DEGREES;
    if (D.is != HOLDS && !degrees) return;
    if (!D.prime && !degrees && D.rank + D.gauge < D.parameters) {
        scope_undecided(&t->s, "balls too wide: some pivot may be 0");
        return;
    }
    if (!claim_stack_null(t, what, sh)) return;
    claim_minor(t, what, D.null);
    claim_minor(t, what, D.rank + D.gauge == D.parameters);
    claim_minor(t, what, D.rank == expected);
}

void claim_stack_exceeds(trial *t, const char *what, const stack_shape *sh, long least)
{
    const dimension D = stack_dimension(t, sh);
    const bool degrees = t->s.R->traits & DEGREES;
    if (D.is != HOLDS && !degrees) return;
    if (!D.prime && !degrees && D.rank <= least) scope_undecided(&t->s, "balls too wide: some pivot may be 0");
    else claim_minor(t, what, D.rank > least);
}
