/* SPDX-License-Identifier: GPL-3.0-or-later
 * gemm.h - the product of OpenBLAS in the type of the file that includes it. */
#ifndef CPU_GEMM_H
#define CPU_GEMM_H
#include <cblas.h>
#include "src/train/cpu/real.h"

/* C (M x N) = alpha op(A) op(B) + beta C */
static inline void gemm(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda, const void *B,
                        long ldb, double beta, void *C, long ldc)
{
    const enum CBLAS_TRANSPOSE a = tA ? CblasTrans : CblasNoTrans, b = tB ? CblasTrans : CblasNoTrans;
#ifdef REAL_IS_DOUBLE
    cblas_dgemm(CblasRowMajor, a, b, (int)M, (int)N, (int)K, alpha, A, (int)lda, B, (int)ldb, beta, C, (int)ldc);
#else
    cblas_sgemm(CblasRowMajor, a, b, (int)M, (int)N, (int)K, (float)alpha, A, (int)lda, B, (int)ldb, (float)beta,
                C, (int)ldc);
#endif
}
#endif
