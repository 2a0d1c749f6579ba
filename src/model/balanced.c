/* SPDX-License-Identifier: GPL-3.0-or-later
 * balanced.c - planted pairs (W_Q, W_K): see balanced.h. */
#include "src/model/balanced.h"

const mat *balanced_weight(scope *s, const char *name, long a, long rows, long cols)
{
    return mat_draw_at(s, name, a, -1, rows, cols, mat_log2_fan_in(rows));
}

static const mat *orthonormal(scope *s, const char *name, long a, long d, long r)       /* d x r, A'A = I */
{
    char full[32];
    snprintf(full, sizeof full, "%s.%ld", name, a);
    return mat_cols(s, mat_draw_orthogonal(s, full, d), 0, r);
}

static const mat *diagonal(scope *s, long r)                            /* S, its entries 1, 3/2, 2, ... */
{
    int64_t *m = scope_alloc(s, (size_t)r * sizeof *m);
    for (long i = 0; i < r; i++) m[i] = 2 + i;
    return mat_diag_dyadic(s, r, m, -1);
}

const mat *balanced_decay(scope *s, const mat *A, const mat *B)
{
    return mat_add(s, mat_square_sum(s, A), mat_square_sum(s, B));
}

balanced_head balanced_planted(scope *s, long a, long d, long r)
{
    REQUIRE(1 <= r && r <= d, "a head of width %ld in a stream of width %ld", r, d);
    balanced_head w = { .U = orthonormal(s, "U", a, d, r), .S = diagonal(s, r),
                        .V = orthonormal(s, "V", a, d, r), .T = balanced_weight(s, "T", a, r, r) };
    w.Q = mat_mul3(s, w.U, w.S, w.T);
    w.K = mat_mul3(s, w.V, w.S, mat_t(s, mat_inv(s, w.T)));
    w.nuclear = mat_scale(s, 2, 0, mat_square_sum(s, w.S));
    return w;
}
