/* SPDX-License-Identifier: GPL-3.0-or-later
 * bf16_sgemm.c - products of bfloat16 numbers for every CPU: the operands, rounded, go to OpenBLAS as floats, block by
 * block. */
#include <string.h>
#include "src/train/cpu/bf16.h"
#include "src/train/cpu/share.h"
#include "src/train/cpu/gemm.h"
#include "src/train/cpu/scaled.h"

enum { SIDE = 512 };                     /* rows, columns and depth of a block: 1 MiB of each operand   */

/* rows x cols numbers, side by side. */
VECTOR_CLONES static void round_rows(float *to, const float *from, long ld, long rows, long cols)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) to[r * cols + c] = bf16_value(bf16_rounded(from[r * ld + c]));
}

void bf16_product_sgemm(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                        const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    static float a[SIDE * SIDE], b[SIDE * SIDE];
    if (alpha == 0 || K == 0) {
        scaled(M, N, (float)beta, D, C, ldc);
        return;
    }
    if (beta != 0 && D != C)
        for (long r = 0; r < M; r++) memcpy(C + r * ldc, D + r * ldc, (size_t)N * sizeof *C);
    for (long j = 0; j < N; j += SIDE)
        for (long k = 0; k < K; k += SIDE) {
            const long cols = fewer(N - j, SIDE), depth = fewer(K - k, SIDE);
            if (tB) round_rows(b, B + j * ldb + k, ldb, cols, depth);
            else    round_rows(b, B + k * ldb + j, ldb, depth, cols);
            for (long i = 0; i < M; i += SIDE) {
                const long rows = fewer(M - i, SIDE);
                if (tA) round_rows(a, A + k * lda + i, lda, depth, rows);
                else    round_rows(a, A + i * lda + k, lda, rows, depth);
                gemm(tA, tB, rows, cols, depth, alpha, a, tA ? rows : depth, b, tB ? depth : cols, k ? 1 : beta,
                     C + i * ldc + j, ldc);
            }
        }
}
