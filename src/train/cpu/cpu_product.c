/* cpu_product.c - matrix products on the CPU: OpenBLAS. */
#include <string.h>
#include "src/train/cpu/gemm.h"

static void cpu_gemm_add(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda,
                         const void *B, long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    (void)kind;
    if (beta != 0 && D != C) {
        const real *from = D;
        real *to = C;
        #pragma omp parallel for schedule(static)
        for (long r = 0; r < M; r++) memcpy(to + r * ldc, from + r * ldc, (size_t)N * sizeof *to);
    }
    gemm(tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

void cpu_fill_product(ops *o) { o->gemm = cpu_gemm_add; }
