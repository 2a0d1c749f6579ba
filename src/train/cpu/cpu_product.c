/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_product.c - matrix products on the CPU: large ones by OpenBLAS, others, which are most of a small model's, by our
 * own tiles (tile.h). */
#include <string.h>
#include "src/train/cpu/gemm.h"
#include "src/train/cpu/scaled.h"
#include "src/train/cpu/share.h"
#include "src/train/cpu/tile.h"

/* Steps of a sum, columns and rows at a time: B's packed part stays in the second cache, that of A in the first. */
enum { DEPTH = 384, BROAD = 16 * LANES, HIGH = 3 * LANES };

static strided part_of(strided X, long i, long j)
{
    return (strided){ X.p + i * X.row + j * X.column, X.row, X.column };
}

typedef struct {                         /* C[M,N] = alpha A[M,K] B[K,N] + beta D                       */
    long M, N, K, ldc;
    real alpha, beta;
    strided A, B;
    const real *D;
    real *C;
} task;

/* The product of x's rows m to m + high and columns n to n + wide, of the sums' steps k to k + deep. */
static void block_product(const tile_kernel *t, const task *x, long m, long high, long n, long wide, long k, long deep,
                          const real *panels)
{
    real room[DEPTH * HIGH], *C = x->C + m * x->ldc + n;
    strided A = part_of(x->A, m, k);
    if (A.row == 1) {                    /* read down its columns: brought together first */
        pack_panel(room, deep, high, (strided){ A.p, A.column, 1 });
        A = (strided){ room, 1, panel_width(high) };
    }
    const real *D = k ? C : x->beta != 0 ? x->D + m * x->ldc + n : NULL;
    for (long j = 0; j < wide; j += t->columns)
        t->product(high, fewer(t->columns, wide - j), deep, x->alpha, A, panels + j * deep, k ? 1 : x->beta,
                   D ? D + j : NULL, C + j, x->ldc);
}

/* Rows top to bottom, columns left to right: BROAD columns, DEPTH steps of the sum, HIGH rows at a time. */
static void product_share(const tile_kernel *t, const task *x, long top, long bottom, long left, long right)
{
    real panels[DEPTH * BROAD];
    const long pieces = (x->K + DEPTH - 1) / DEPTH, deep = (x->K + pieces - 1) / pieces;
    for (long n = left; n < right; n += BROAD) {
        const long wide = fewer(BROAD, right - n);
        for (long k = 0; k < x->K; k += deep) {
            const long depth = fewer(deep, x->K - k);
            for (long j = 0; j < wide; j += t->columns)
                pack_panel(panels + j * depth, depth, fewer(t->columns, wide - j), part_of(x->B, k, n + j));
            for (long m = top; m < bottom; m += HIGH)
                block_product(t, x, m, fewer(HIGH, bottom - m), n, wide, k, depth, panels);
        }
    }
}

/* Share `index` of `shares` of n, in whole `unit`s: where it begins. */
static long share(long n, long unit, long index, long shares)
{
    return fewer(n, (n + unit - 1) / unit * index / shares * unit);
}

static void product(const task *x)
{
    const tile_kernel *t = tile_best();
    #pragma omp parallel if ((double)x->M * (double)x->N * (double)x->K > FORK_PRODUCTS)
    {
        const long i = thread_index(), all = thread_count();
        const bool tall = x->M >= x->N;
        const long n = tall ? x->M : x->N, unit = tall ? t->rows : t->columns;
        const long first = share(n, unit, i, all), last = share(n, unit, i + 1, all);
        if (tall) product_share(t, x, first, last, 0, x->N);
        else      product_share(t, x, 0, x->M, first, last);
    }
}

/* Two of the sides span a matrix that stays in the cache, the third is long: measured beside OpenBLAS, ours are 1.2 to
 * 1.5 times as fast where a side is 60, the same from some hundreds on. */
static bool is_small(long M, long N, long K)
{
    const long longest = M > N ? (M > K ? M : K) : N > K ? N : K;
    return (double)M * (double)N * (double)K <= 0x1p18 * (double)longest;
}

static void cpu_gemm_add(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda,
                         const void *B, long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    (void)kind;
    if (alpha == 0 || K == 0) {
        scaled(M, N, (real)beta, D, C, ldc);
        return;
    }
    if (is_small(M, N, K)) {
        product(&(task){ M, N, K, ldc, (real)alpha, (real)beta, { A, tA ? 1 : lda, tA ? lda : 1 },
                         { B, tB ? 1 : ldb, tB ? ldb : 1 }, D, C });
        return;
    }
    if (beta != 0 && D != C) {
        const real *from = D;
        real *to = C;
        #pragma omp parallel for schedule(static)
        for (long r = 0; r < M; r++) memcpy(to + r * ldc, from + r * ldc, (size_t)N * sizeof *to);
    }
    gemm(tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

void cpu_fill_product(ops *o) { o->gemm = cpu_gemm_add; }
