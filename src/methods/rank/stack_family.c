/* SPDX-License-Identifier: GPL-3.0-or-later
 * stack_family.c - attention stacks: weights, forward pass, collapse: see stack_family.h. */
#include "src/methods/rank/stack_family.h"
#include "src/model/drawn_sizes.h"

static bool heads(const stack_shape *sh) { return sh->form == STACK_FACTORS || sh->form == STACK_SHARED; }
static bool ends_in_W(const stack_shape *sh) { return sh->form == STACK_COLLAPSED || sh->form == STACK_MIRRORED; }

static const mat *draw(scope *s, const char *name, long layer_index, long n)
{
    return mat_draw_at(s, name, layer_index, -1, n, n, mat_log2_fan_in(n));
}

stack stack_random(scope *s, stack_shape sh)
{
    REQUIRE(sh.S >= 1 && sh.S <= MAX_STACK && sh.N >= 1 && sh.T >= 1, "S=%ld N=%ld T=%ld", sh.S, sh.N, sh.T);
    REQUIRE(sh.H >= 1 && sh.N % sh.H == 0 && (heads(&sh) || sh.H == 1), "%ld heads of %ld", sh.H, sh.N);
    stack A = { .s = sh };
    drawn_sizes_note(&(shape){ .n = sh.T, .d = sh.N, .h = sh.H, .L = sh.S });
    for (long i = 0; i < sh.S; i++) {
        stack_layer *W = &A.at[i];
        W->Q = draw(s, "Q", i, sh.N);
        if (heads(&sh)) {
            W->K = sh.form == STACK_SHARED ? W->Q : draw(s, "K", i, sh.N);
            W->V = draw(s, "V", i, sh.N);
        }
        if (!ends_in_W(&sh)) W->O = draw(s, "O", i, sh.N);
    }
    if (ends_in_W(&sh)) A.W = draw(s, "W", 0, sh.N);
    return A;
}

static const mat *attend(scope *s, const stack_shape *sh, long i, long a, const mat *scores)
{
    const rowmap how = { .kind = sh->attention, .scale_num = 1, .scale_den = 1 };
    return mat_rowmap(s, scores, &how, (place){ (int)i, PLACE_ATTENTION, (int)a });
}

/* sum_h softmax((Z Q_h)(Z K_h)') Z V_h O_h */
static const mat *heads_of(scope *s, const stack *A, long i, const mat *Z)
{
    const stack_layer *W = &A->at[i];
    const long r = A->s.N / A->s.H;
    const mat *sum = NULL;
    for (long a = 0; a < A->s.H; a++) {
        const mat *Q = mat_mul(s, Z, mat_cols(s, W->Q, a * r, r)), *K = mat_mul(s, Z, mat_cols(s, W->K, a * r, r));
        const mat *V = mat_mul(s, Z, mat_cols(s, W->V, a * r, r));
        const mat *mixed = mat_mul(s, attend(s, &A->s, i, a, mat_mul(s, Q, mat_t(s, K))), V);
        const mat *out = mat_mul(s, mixed, mat_rows(s, W->O, a * r, r));
        sum = sum ? mat_add(s, sum, out) : out;
    }
    return sum;
}

/* softmax(Z M Z') Z [O] */
static const mat *products_of(scope *s, const stack *A, long i, const mat *Z)
{
    const stack_layer *W = &A->at[i];
    const mat *M = A->s.form == STACK_MIRRORED ? mat_mul(s, W->Q, mat_t(s, W->Q)) : W->Q;
    const mat *mixed = mat_mul(s, attend(s, &A->s, i, 0, mat_mul3(s, Z, M, mat_t(s, Z))), Z);
    return W->O ? mat_mul(s, mixed, W->O) : mixed;
}

const mat *stack_forward(scope *s, const stack *A, const mat *X)
{
    for (long i = 0; i < A->s.S; i++) {
        const mat *Z = A->s.norm ? mat_norm(s, X, NORM_LAYER, -17, (place){ (int)i, PLACE_ATTENTION, 0 }) : X;
        const mat *out = heads(&A->s) ? heads_of(s, A, i, Z) : products_of(s, A, i, Z);
        X = A->s.skip ? mat_add(s, X, out) : out;
    }
    return A->W ? mat_mul(s, X, A->W) : X;
}

stack stack_collapse(scope *s, const stack *A)
{
    REQUIRE(A->s.form == STACK_PRODUCTS, "form %d", (int)A->s.form);
    stack R = { .s = A->s };
    const mat *P = NULL;                                    /* P_0 = I */
    R.s.form = STACK_COLLAPSED;
    for (long i = 0; i < A->s.S; i++) {
        R.at[i].Q = P ? mat_mul3(s, P, A->at[i].Q, mat_t(s, P)) : A->at[i].Q;
        P = P ? mat_mul(s, P, A->at[i].O) : A->at[i].O;
    }
    R.W = P;
    return R;
}
