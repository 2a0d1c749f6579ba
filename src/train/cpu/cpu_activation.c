/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_activation.c - operations on single numbers on the CPU: GELU, ReLU, sums, biases. */
#include "src/train/cpu/row.h"

VECTOR_CLONES static void activation_piece(real *restrict y, const real *restrict x, long n, activation_kind kind)
{
    if (kind == ACTIVATION_GELU) for (long i = 0; i < n; i++) y[i] = gelu(x[i]);
    else                   for (long i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0;
}

VECTOR_CLONES static void activation_piece_bwd(real *dx, const real *dy, const real *x, long n, activation_kind kind)
{
    if (kind == ACTIVATION_GELU) for (long i = 0; i < n; i++) dx[i] = dy[i] * dgelu(x[i]);
    else                   for (long i = 0; i < n; i++) dx[i] = x[i] > 0 ? dy[i] : 0;
}

enum { PIECE = 2048, ROWS = 16 };

static void cpu_activation_fwd(void *to, const void *from, size_t n, activation_kind kind)
{
    real *y = to;
    const real *x = from;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t at = 0; at < n; at += PIECE)
        activation_piece(y + at, x + at, (long)(n - at < PIECE ? n - at : PIECE), kind);
}

static void cpu_activation_bwd(void *dxs, const void *dys, const void *from, size_t n, activation_kind kind)
{
    real *dx = dxs;
    const real *dy = dys, *x = from;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t at = 0; at < n; at += PIECE)
        activation_piece_bwd(dx + at, dy + at, x + at, (long)(n - at < PIECE ? n - at : PIECE), kind);
}

static void cpu_add(void *to, const void *from, size_t n)
{
    real *y = to;
    const real *x = from;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t at = 0; at < n; at += PIECE) add_row(y + at, x + at, (long)(n - at < PIECE ? n - at : PIECE));
}

VECTOR_CLONES static void bias_rows(real *restrict y, const real *restrict b, long R, long C)
{
    for (long r = 0; r < R; r++) for (long c = 0; c < C; c++) y[r * C + c] += b[c];
}

static void cpu_bias_fwd(void *to, const void *b, long R, long C)
{
    real *y = to;
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r += ROWS) bias_rows(y + r * C, b, R - r < ROWS ? R - r : ROWS, C);
}

void cpu_fill_activation(ops *o)
{
    o->activation_fwd = cpu_activation_fwd;
    o->activation_bwd = cpu_activation_bwd;
    o->add = cpu_add;
    o->bias_fwd = cpu_bias_fwd;
}
