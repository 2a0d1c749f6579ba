/* SPDX-License-Identifier: GPL-3.0-or-later
 * tile.h - products of small matrices on the CPU: a tile of the result stays in registers while the sums run.
 *
 * The right factor is packed into panels of whole vectors, a few of them wide, so that a step of the sum reads one
 * piece of memory; the left one is read where it lies, number by number.  Each number of the result is one sum, in
 * the order of k: how rows and columns are shared out among tiles and threads changes no bit.  Which tiles fit the
 * registers depends on the CPU: there is one kernel for each width of vectors. */
#ifndef CPU_TILE_H
#define CPU_TILE_H
#include "src/train/cpu/lanes.h"

typedef struct { const real *p; long row, column; } strided;     /* entry (i, j) is p[i*row + j*column] */

/* C[M,N] = alpha A[M,K] B[K,N] + beta D;  B is a panel: N <= columns of the kernel, packed by pack_panel; C and D with
 * ldc; D may be C, and NULL when beta is 0. */
typedef struct {
    const char *name;                    /* "avx512f", "avx2", "default"                                 */
    long columns;                        /* width of a full panel                                       */
    long rows;                           /* of a full tile: the natural share of a thread is a multiple  */
    void (*product)(long M, long N, long K, real alpha, strided A, const real *panel, real beta, const real *D,
                    real *C, long ldc);
} tile_kernel;

/* The kernels that this CPU can run, the best first. */
const tile_kernel *tile_kernels(size_t *n);
/* The one to use: the best, but not wider than the vectors that OpenBLAS was told to use. */
const tile_kernel *tile_best(void);

static inline long panel_width(long N) { return (N + LANES - 1) / LANES * LANES; }     /* numbers of a packed row */
/* panel[k][j] = B(k, j), j < N, and any numbers up to panel_width(N), at most 4 LANES; one of B's strides is 1. */
void pack_panel(real *panel, long K, long N, strided B);

/* Any number of columns: panel after panel, K panel_width(N) numbers.  tile_product uses the first `steps` of the K
 * rows that were packed, and adds to C where `add`. */
void tile_pack(const tile_kernel *t, real *panels, long K, long N, strided B);
void tile_product(const tile_kernel *t, long M, long N, long K, long steps, real alpha, strided A, const real *panels,
                  bool add, real *C, long ldc);
#endif
