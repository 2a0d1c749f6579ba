/* SPDX-License-Identifier: GPL-3.0-or-later
 * bf16_blocks.c - products of bfloat16 numbers by blocks, for the units that multiply them (Goto & van de Geijn 2008).
 *
 * A block of B, as deep and wide as fits the second cache, is packed once, by all threads; then each panel of A is
 * packed into the first cache and multiplied with all panels of the block.  An entry of C is the sum over blocks along
 * K, each summed by the unit in its own order: the same whatever thread does it. */
#include <string.h>
#include "src/train/cpu/bf16.h"
#include "src/train/cpu/scaled.h"
#include "src/train/cpu/share.h"

enum { DEPTH = 384, WIDTH = 1024 };      /* of a block of B: 768 KiB                                    */

typedef struct {
    const bf16_unit *unit;
    bool  tA, tB;
    long  M, N;
    float alpha;
    const float *A, *B;
    long  lda, ldb;
    long  from, depth;                   /* along K: this block                                         */
    long  left, width;                   /* along N                                                     */
    long  strip;                         /* columns per task                                            */
    bf16 *packed;                        /* of B                                                        */
    float beta;                          /* C = alpha A B + beta D, of this block                       */
    const float *D;
    float *C;
    long  ldc;
} block;

static long chunks_of(long depth) { return (depth + BF16_CHUNK - 1) / BF16_CHUNK; }
static long panels_of(long lines) { return (lines + BF16_PANEL - 1) / BF16_PANEL; }

/* A panel of A is packed for each strip: one strip, unless there are few panels for the threads. */
static long strip_of(long M) { return panels_of(M) < 4 * most_threads() ? WIDTH / 4 : WIDTH; }

/* One panel of `lines` lines; line 0, number 0 of it is at `from`. */
static void pack_panel(const bf16_unit *u, bf16 *to, bf16_layout layout, const float *from, long ld, bool across,
                       long lines, long depth)
{
    for (long k = 0; k < depth; k += BF16_CHUNK)
        for (long half = 0; half < BF16_PANEL; half += BF16_TILE, to += BF16_NUMBERS) {
            const long here = fewer(lines - half, BF16_TILE);
            if (here <= 0) memset(to, 0, BF16_NUMBERS * sizeof *to);
            else u->pack(to, layout, from + (across ? k * ld + half : half * ld + k), ld, across, here,
                         fewer(depth - k, BF16_CHUNK));
        }
}

/* C = alpha (A B) + beta D on rows x cols entries. */
static void write_part(const block *b, const float *AB, const float *D, float *C, long rows, long cols)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            const float old = D ? b->beta * D[r * b->ldc + c] : 0;
            C[r * b->ldc + c] = b->alpha * AB[r * BF16_PANEL + c] + old;
        }
}

static void multiply_panel(const block *b, const bf16 *A, const bf16 *B, long row, long col)
{
    const long rows = fewer(b->M - row, BF16_PANEL), cols = fewer(b->N - col, BF16_PANEL), chunks = chunks_of(b->depth);
    const float *D = b->D ? b->D + row * b->ldc + col : NULL;
    float *C = b->C + row * b->ldc + col;
    if (rows == BF16_PANEL && cols == BF16_PANEL && b->alpha == 1 && (!D || b->beta == 1)) {
        b->unit->multiply(chunks, A, B, D, b->ldc, C, b->ldc);
        return;
    }
    _Alignas(64) float AB[BF16_PANEL * BF16_PANEL];
    b->unit->multiply(chunks, A, B, NULL, 0, AB, BF16_PANEL);
    write_part(b, AB, D, C, rows, cols);
}

/* Rows row ... row + 31 of C, the columns of one strip. */
static void multiply_strip(const block *b, long row, long strip)
{
    _Alignas(64) bf16 A[BF16_PANEL * DEPTH];
    const long rows = fewer(b->M - row, BF16_PANEL), panel = chunks_of(b->depth) * 2 * BF16_NUMBERS;
    pack_panel(b->unit, A, BF16_LINES, b->A + (b->tA ? b->from * b->lda + row : row * b->lda + b->from), b->lda, b->tA,
               rows, b->depth);
    for (long c = strip; c < fewer(strip + b->strip, b->width); c += BF16_PANEL)
        multiply_panel(b, A, b->packed + c / BF16_PANEL * panel, row, b->left + c);
}

static void pack_block(const block *b)
{
    const long panel = chunks_of(b->depth) * 2 * BF16_NUMBERS;
    #pragma omp for schedule(static)
    for (long p = 0; p < panels_of(b->width); p++) {
        const long col = b->left + p * BF16_PANEL;
        pack_panel(b->unit, b->packed + p * panel, BF16_PAIRS,
                   b->B + (b->tB ? col * b->ldb + b->from : b->from * b->ldb + col), b->ldb, !b->tB,
                   fewer(b->N - col, BF16_PANEL), b->depth);
    }
}

static void multiply_block(const block *b)
{
    #pragma omp parallel if ((double)b->M * (double)b->width * (double)b->depth > FORK_PRODUCTS)
    {
        pack_block(b);
        if (b->unit->begin) b->unit->begin();
        #pragma omp for collapse(2) schedule(static)
        for (long row = 0; row < b->M; row += BF16_PANEL)
            for (long strip = 0; strip < b->width; strip += b->strip)
                multiply_strip(b, row, strip);
        if (b->unit->end) b->unit->end();
    }
}

void bf16_by_blocks(const bf16_unit *unit, bool tA, bool tB, long M, long N, long K, double alpha, const float *A,
                    long lda, const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    static _Alignas(64) bf16 packed[DEPTH * WIDTH];
    if (alpha == 0 || K == 0) {
        scaled(M, N, (float)beta, D, C, ldc);
        return;
    }
    block b = { .unit = unit, .tA = tA, .tB = tB, .M = M, .N = N, .alpha = (float)alpha, .A = A, .B = B, .lda = lda,
                .ldb = ldb, .packed = packed, .C = C, .ldc = ldc, .strip = strip_of(M) };
    const long blocks = (K + DEPTH - 1) / DEPTH, depth = chunks_of((K + blocks - 1) / blocks) * BF16_CHUNK;
    for (b.left = 0; b.left < N; b.left += WIDTH)
        for (b.from = 0; b.from < K; b.from += depth) {
            b.width = fewer(N - b.left, WIDTH);
            b.depth = fewer(K - b.from, depth);
            b.beta = b.from ? 1 : (float)beta;
            b.D = b.from ? C : beta != 0 ? D : NULL;
            multiply_block(&b);
        }
}
