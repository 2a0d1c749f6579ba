/* SPDX-License-Identifier: GPL-3.0-or-later
 * bf16.h - matrix products of bfloat16 numbers on the CPU, for the backend cpu-bf16.
 *
 * Operands are floats that are rounded to bfloat16 (8 bits of mantissa), to nearest and ties to even, on their way into
 * the product; a NaN stays one.  The product of two such numbers is exact in float, and sums are floats: an entry of
 * op(A) op(B) is within (K + 1) 2^-24 sum |a b| of the sum over the rounded operands, but for terms of second order.
 *
 * Three methods, each with its own order of summation: "amx" (tiles, Intel since 2023), "avx512" (AVX512-BF16: AMD
 * since Zen 4, Intel Cooper Lake) and "sgemm" for every CPU: OpenBLAS on rounded floats.  The units of the first two
 * read and write zeros for numbers below 2^-126; their order depends on K alone: the thread count changes no bits. */
#ifndef CPU_BF16_H
#define CPU_BF16_H
#include "src/train/formula.h"
#include "src/train/ops.h"

typedef uint16_t bf16;                   /* the upper half of a float                                   */

/* C[M,N] = alpha op(A)[M,K] op(B)[K,N] + beta D of floats, as the slot `gemm` of ops.h.  One at a time: methods have
 * room of their own, and threads of their own. */
typedef void bf16_product(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                          const float *B, long ldb, double beta, const float *D, float *C, long ldc);
typedef struct {
    const char   *name;
    bool        (*usable)(void);         /* on this CPU, under this system                              */
    bool        (*fast)(void);           /* faster than the methods behind it, where it is usable       */
    bf16_product *product;
} bf16_method;

/* Method k of those above, best first; NULL behind the last one. */
const bf16_method *bf16_method_at(size_t k);
/* The method that cpu-bf16 uses: the one that the environment's PROVABLY_BF16 names, else the first one that is usable
 * and fast here.  Dies for a name that is none, or not usable here. */
const bf16_method *bf16_method_chosen(void);

/* ---- within this folder: products by blocks ------------------------------------------------------------------ *
 *
 * A panel is 32 lines (rows of op(A), columns of op(B)) of some depth along K, in chunks of 32: two tiles of 16 lines
 * each.  A tile is 512 numbers, zeros where the matrix ends: in panels of A line by line, x[line][k]; in those of B
 * pairs of k side by side, x[k / 2][line][k % 2]: what the units for bfloat16 multiply.                            */
enum { BF16_TILE = 16, BF16_CHUNK = 32, BF16_PANEL = 2 * BF16_TILE, BF16_NUMBERS = BF16_TILE * BF16_CHUNK };
typedef enum { BF16_LINES, BF16_PAIRS } bf16_layout;

typedef struct {
    void (*begin)(void), (*end)(void);   /* around a thread's calls of multiply; may be NULL            */
    /* One tile of `lines` <= 16 lines and `depth` <= 32 numbers; line i, number k is from[i*ld + k], or from[k*ld + i]
     * if `across`. */
    void (*pack)(bf16 *tile, bf16_layout layout, const float *from, long ld, bool across, long lines, long depth);
    /* C[32,32] = D + A B' of one panel each, `chunks` deep; D NULL: zeros; it may be C.  A, B aligned to 64 bytes. */
    void (*multiply)(long chunks, const bf16 *A, const bf16 *B, const float *D, long ldd, float *C, long ldc);
} bf16_unit;

/* The product by blocks on a unit; a bf16_product but for its first argument. */
void bf16_by_blocks(const bf16_unit *unit, bool tA, bool tB, long M, long N, long K, double alpha, const float *A,
                    long lda, const float *B, long ldb, double beta, const float *D, float *C, long ldc);

bool bf16_avx512_usable(void);
bool bf16_avx512_fast(void);
bool bf16_amx_usable(void);
bf16_product bf16_product_avx512, bf16_product_amx, bf16_product_sgemm;
#endif
