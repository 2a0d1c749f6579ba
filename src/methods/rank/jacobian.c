/* SPDX-License-Identifier: GPL-3.0-or-later
 * jacobian.c - rows of a Jacobian from a tape, and ranks in fields and in balls: see jacobian.h. */
#include "src/methods/rank/jacobian.h"
#include "numerics/arith_arb.h"
#include "numerics/rank_arb.h"

void parameters_add(parameters *P, const mat *W, bool diagonal, bool frozen)
{
    if (!W || parameters_find(P, W)) return;
    REQUIRE(P->n < MAX_PARAMETERS, "%ld parameter matrices", P->n);
    P->at[P->n++] = (parameter){ .W = W, .diagonal = diagonal, .frozen = frozen,
                                 .size = diagonal ? W->rows : W->rows * W->cols };
}

void parameters_add_all(parameters *P, long n, const mat *const W[], bool frozen)
{
    for (long k = 0; k < n; k++) parameters_add(P, W[k], false, frozen);
}

void parameters_place(parameters *P)
{
    P->free = P->frozen = 0;
    for (int frozen = 0; frozen < 2; frozen++)
        for (long k = 0; k < P->n; k++) {
            if (P->at[k].frozen != (frozen == 1)) continue;
            P->at[k].at = P->free + P->frozen;
            *(frozen ? &P->frozen : &P->free) += P->at[k].size;
        }
}

const parameter *parameters_find(const parameters *P, const mat *W)
{
    for (long k = 0; k < P->n; k++) if (P->at[k].W == W) return &P->at[k];
    return NULL;
}

/* The gradients of one functional, into row i of J. */
static void fill_row(mat *J, long i, const parameters *P)
{
    for (long k = 0; k < P->n; k++) {
        const parameter *p = &P->at[k];
        const mat *G = tape_gradient(p->W);
        if (!G) continue;
        for (long r = 0; r < G->rows; r++)
            if (p->diagonal) mat_put(J, i, p->at + r, G, r, r, 1, 1);
            else             mat_put(J, i, p->at + r * G->cols, G, r, 0, 1, G->cols);
    }
}

const mat *jacobian(scope *base, scope *tape, const family *F)
{
    REQUIRE(F->samples > 0 && F->per_sample > 0, "%ld samples, %ld functionals", F->samples, F->per_sample);
    mat *J = mat_blank(base, F->samples * F->per_sample, F->P->free + F->P->frozen);
    for (long k = 0; k < F->samples && tape->status == HOLDS; k++) {
        const long mark = tape_mark(tape->R);
        scope inner = scope_open(tape->R, tape->key[0], tape->key[1]);
        scope seeds = scope_open(base->R, base->key[0], base->key[1]);
        const mat *Y = F->output(&inner, F->with, k);
        for (long f = 0; f < F->per_sample && inner.status == HOLDS; f++) {
            char name[64];
            snprintf(name, sizeof name, "functional %ld %ld", k, f);
            tape_backward(tape->R, Y, mat_draw(&seeds, name, Y->rows, Y->cols, 0));
            fill_row(J, k * F->per_sample + f, F->P);
        }
        if (inner.status != HOLDS) scope_undecided(tape, REASON_INNER, inner.why);
        tape_forget(tape->R, mark);
        scope_close(&inner);
        scope_close(&seeds);
    }
    if (tape->status != HOLDS) scope_undecided(base, REASON_INNER, tape->why);
    return J;
}

/* ---- ranks ----------------------------------------------------------------------------------------------- */

long rank_at_least(scope *s, const mat *A)
{
    if (s->status == HOLDS && s->R->kind == A_FP) return mat_rank(s, A);
    if (s->status == HOLDS && s->R->kind == A_ARB) return rank_arb(arith_arb_balls(A), A->R->bits);
    scope_not_here(s, REASON_NO_RANKS, "no ranks in this arithmetic");
    return -1;
}
