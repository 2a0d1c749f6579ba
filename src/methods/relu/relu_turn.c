/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_turn.c - networks whose neurons are turned over: see relu_turn.h. */
#include "src/methods/relu/relu_turn.h"
#include <math.h>
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"

activation relu_or_half_odd(const scope *s) { return s->R->traits & OPAQUE ? ACT_HALF_ODD : ACT_RELU; }

const mat *relu_points(scope *s, long h, long n)
{
    const mat *X = mat_draw(s, "X", h, n, 0);
    return mat_hcat(s, 2, (const mat *const[]){ X, mat_scale(s, -1, 0, X) });
}

/* Balls: is each entry 0 exactly, or certainly not 0? */
static bool signs_are_certain(scope *s, const mat *A)
{
    const mat *zero = mat_zero(s, 1, 1);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const mat *a = mat_cols(s, mat_rows(s, A, i, 1), j, 1);
            if (mat_compare(a, zero, -INFINITY).is == UNDECIDED) return false;
        }
    return true;
}

const mat *relu_neurons(scope *s, const mat *cols, const mat *rows, const mat *X, activation act, int group)
{
    const mat *A = mat_mul(s, rows, X);
    const bool balls = s->R->kind == A_ARB;
    if (balls && act == ACT_RELU && !signs_are_certain(s, A))
        scope_undecided(s, REASON_TOO_WIDE, "the sign of a neuron is not certain");
    return mat_mul(s, cols, mat_phi(s, A, act, (place){ 0, PLACE_MLP, group }));
}

relu_groups relu_groups_with(scope *s, long h, long m, long rest, const mat *T)
{
    REQUIRE(T->rows == h && T->cols == h, "T is %ld x %ld, h = %ld", T->rows, T->cols, h);
    const int in = mat_log2_fan_in(h), out = mat_log2_fan_in(m);
    const mat *U = mat_draw(s, "U", h, h, in), *B = mat_draw(s, "B", m, h, in), *R = mat_draw(s, "R", rest, h, in);
    const mat *Y = mat_draw(s, "Y", h, m, out), *Q = mat_draw(s, "Q", h, rest, out);
    const mat *C = mat_mul(s, mat_sub(s, T, mat_mul(s, Y, B)), mat_inv(s, U));
    return (relu_groups){ { U, B, R }, { C, Y, Q } };
}

const mat *relu_rows_of(scope *s, const relu_groups *g) { return mat_vcat(s, 3, g->rows); }
const mat *relu_cols_of(scope *s, const relu_groups *g) { return mat_hcat(s, 3, g->cols); }

relu_groups relu_turned(scope *s, const relu_groups *g)
{
    relu_groups turned = *g;
    for (int k = 0; k < 2; k++) turned.rows[k] = mat_scale(s, -1, 0, g->rows[k]);
    return turned;
}

const mat *relu_groups_at(scope *s, const relu_groups *g, const mat *X, activation act)
{
    const mat *sum = relu_neurons(s, g->cols[0], g->rows[0], X, act, 0);
    for (int k = 1; k < 3; k++) sum = mat_add(s, sum, relu_neurons(s, g->cols[k], g->rows[k], X, act, k));
    return sum;
}

void relu_corollary_fails(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z)
{
    scope *s = &t->s;
    const mat *W21 = mat_mul(s, W2, W1), *other = mat_add(s, Z, W21), *turned = mat_scale(s, -1, 0, W1);
    claim_decided(t, "the conditions of E.1", relu_regular(W1, W2));
    claim_rank(t, "rank W1 = h", W1, W1->cols);
    claim_rank(t, "rank W2 = h", W2, W1->cols);
    claim_equal(t, "Z - Z' = -W2 W1", mat_sub(s, Z, other), mat_scale(s, -1, 0, W21));
    claim_rank(t, "W2 W1 is invertible", W21, W1->cols);
    claim_decided(t, "the same function", relu_same_function(W1, W2, Z, turned, W2, other));
    certify_relu_equal(t, name, W1, W2, Z, turned, W2, other);
}
