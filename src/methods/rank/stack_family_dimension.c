/* SPDX-License-Identifier: GPL-3.0-or-later
 * stack_family_dimension.c - the dimension of a family of attention stacks: its Jacobian on random real inputs, and
 * its null vectors: see stack_family.h. */
#include "src/methods/rank/free_family.h"
#include "src/methods/rank/gauge_list.h"
#include "src/methods/rank/stack_family.h"

static const mat *output(scope *s, const void *with, long k)
{
    const stack *A = with;
    return stack_forward(s, A, mat_draw_at(s, "X", k, -1, A->s.T, A->s.N, 0));
}

/* ---- null vectors ----------------------------------------------------------------------------------------- */

static const mat *turned(tangents *g, const mat *E, const mat *W)              /* -E W */
{
    return mat_neg(g->s, mat_mul(g->s, E, tangent_value(W)));
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
                const mat *B = mat_unit(s, r, r, k / r, k % r);
                tangent_next(g);
                if (A->s.form == STACK_SHARED) columns(g, W->Q, a * r, tangent_skew(s, r, k / r, k % r));
                else {
                    columns(g, W->Q, a * r, B);
                    columns(g, W->K, a * r, mat_neg(s, mat_t(s, B)));
                }
                tangent_next(g);
                columns(g, W->V, a * r, B);
                const mat *O = mat_mul(s, B, mat_rows(s, tangent_value(W->O), a * r, r));
                tangent_put_at(g, W->O, mat_neg(s, O), a * r, 0);
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

static const mat *null_vectors(scope *s, const void *of, const parameters *P)
{
    const stack *A = of;
    tangents g = { .s = s, .P = P };
    const long N = A->s.N;
    const bool basis_is_free = !A->s.skip && !A->s.norm && A->at[0].O;
    for (long i = 0; i + 1 < A->s.S && basis_is_free; i++)
        for (long k = 0; k < N * N; k++) between(&g, A, i, mat_unit(s, N, N, k / N, k % N));
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

static const void *weights(scope *tape, const void *sizes, parameters *P)
{
    stack *A = scope_alloc(tape, sizeof *A);
    *A = stack_random(tape, *(const stack_shape *)sizes);
    for (long i = 0; i < A->s.S; i++) {
        const stack_layer *W = &A->at[i];
        parameters_add_all(P, 4, (const mat *const[]){ W->Q, W->K, W->V, W->O }, false);
    }
    parameters_add(P, A->W, false, false);
    return A;
}

static free_family family_of(stack_shape *of)
{
    of->attention = ROWMAP_SOFTMAX;
    return (free_family){ .sizes = of, .weights = weights, .output = output, .null_vectors = null_vectors, .range = 100,
                          .kappa = 1 };
}

dimension stack_dimension(trial *t, const stack_shape *sh)
{
    stack_shape of = *sh;
    const free_family F = family_of(&of);
    return free_family_dimension(t, &F);
}

void claim_stack_rank(trial *t, const char *what, const stack_shape *sh, long expected)
{
    stack_shape of = *sh;
    const free_family F = family_of(&of);
    claim_family_rank(t, what, &F, expected);
}

void claim_stack_exceeds(trial *t, const char *what, const stack_shape *sh, long least)
{
    const dimension D = stack_dimension(t, sh);
    const bool degrees = t->s.R->kind == A_DEG;
    if (D.is != HOLDS && !degrees) return;
    if (!D.prime && !degrees && D.rank <= least)
        scope_undecided(&t->s, REASON_TOO_WIDE, "balls too wide: some pivot may be 0");
    else claim_minor(t, what, D.rank > least);
}
