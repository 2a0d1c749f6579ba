/* SPDX-License-Identifier: GPL-3.0-or-later
 * layout.h - how work is split over blocks and threads.  It does not depend on the device, so neither do the results;
 * tested on the host (tests/t_cuda.c). */
#ifndef CUDA_LAYOUT_H
#define CUDA_LAYOUT_H
#include "src/base/base.h"

enum {
    EACH = 8,                            /* numbers per thread of an operation on single numbers        */
    THREADS = 256,
    WARPS = 8,                           /* rows per block where a warp takes a row                     */
    QUAD = 4,                            /* numbers per lane and turn in a row                          */
    COLUMNS = 128,                       /* columns per block of sums over rows                         */
    CHUNKS = 256,                        /* most partial sums per column                                */
    NORM_SUMS = 8 * COLUMNS,             /* widest row whose sums its gradient's kernel keeps in registers */
    SORT = 512,                          /* rows per block of the counting sort of tokens               */
    TILE = 32, DEPTH = 32,               /* of the plain product                                        */
    PARTIALS = 1024                      /* most partial sums of squares                                */
};

static inline size_t divided_up(size_t n, size_t by) { return (n + by - 1) / by; }

/* Blocks for n numbers, or for R rows. */
static inline unsigned blocks_of(size_t n)
{
    const size_t blocks = divided_up(n, (size_t)EACH * THREADS);
    REQUIRE(blocks <= INT32_MAX, "%zu numbers in one launch", n);
    return (unsigned)blocks;
}
static inline unsigned row_blocks(long R)
{
    const size_t blocks = divided_up((size_t)R, WARPS);
    REQUIRE(blocks <= INT32_MAX, "%ld rows in one launch", R);
    return (unsigned)blocks;
}

/* Sums over R rows: `chunks` blocks of `rows` rows each, at least 32 rows and at most CHUNKS blocks. */
typedef struct { long rows, chunks; } row_cut;
static inline row_cut cut_rows(long R)
{
    const long least = (long)divided_up((size_t)R, CHUNKS), rows = least < 32 ? 32 : least;
    return (row_cut){ rows, (long)divided_up((size_t)R, (size_t)rows) };
}

/* Sums of squares over n numbers: `parts` blocks of `each` numbers, a multiple of THREADS. */
typedef struct { size_t each, parts; } number_cut;
static inline number_cut cut_numbers(size_t n)
{
    const size_t least = divided_up(n, PARTIALS), each = divided_up(least ? least : 1, 4 * THREADS) * 4 * THREADS;
    return (number_cut){ each, divided_up(n, each) };
}

/* Threads for a row of V logits, EACH at a time: whole warps, at most 512. */
static inline unsigned loss_threads(long V)
{
    const size_t warps = divided_up(divided_up((size_t)V, EACH), 32);
    return (unsigned)(warps < 16 ? warps : 16) * 32;
}

/* Logits at a time: each pass reads and writes the gradient of the whole head, so few passes where there is room: 2 GiB
 * of bfloat16 on a GPU of about 40 GB or more, else 512 MiB. */
static inline size_t logits_at_once(size_t memory) { return (size_t)1 << (memory >= (size_t)36 << 30 ? 30 : 28); }

/* Simple attention: sequences at a time, so that one T x T matrix of floats per head stays below 256 MiB. */
static inline long attn_sequences(long B, long T, long H)
{
    const long room = (64L << 20) / (T * T * H);
    return room < 1 ? 1 : room < B ? room : B;
}
#endif
