/* SPDX-License-Identifier: GPL-3.0-or-later
 * scaled.h - C = beta D: what is left of a matrix product whose own part is nothing. */
#ifndef CPU_SCALED_H
#define CPU_SCALED_H
#include <string.h>
#include "src/train/cpu/real.h"

VECTOR_CLONES static void scale_row(real *C, const real *D, real beta, long n)
{
    for (long c = 0; c < n; c++) C[c] = beta * D[c];
}

/* C[M,N] = beta D, both with ldc; D may be C, and NULL when beta is 0. */
static inline void scaled(long M, long N, real beta, const real *D, real *C, long ldc)
{
    #pragma omp parallel for schedule(static) if (M * N > FORK_NUMBERS)
    for (long r = 0; r < M; r++)
        if (beta != 0)      scale_row(C + r * ldc, D + r * ldc, beta, N);
        else                memset(C + r * ldc, 0, (size_t)N * sizeof *C);
}
#endif
