/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_random.c - standard normal numbers from counters, on the CPU: the same as on any backend up to the last bits. */
#include "src/train/cpu/real.h"

enum { PIECE = 256 };                    /* blocks of four numbers at a time                            */

static void words_of(uint32_t *a, uint32_t *b, long blocks, const uint32_t key[2], uint64_t counter)
{
    for (long k = 0; k < blocks; k++) {
        const uint64_t block = counter + (uint64_t)k;
        uint32_t word[4];
        philox4x32(word, (uint32_t[]){ (uint32_t)block, (uint32_t)(block >> 32), 0, 0 }, key);
        a[2 * k] = word[0];
        b[2 * k] = word[1];
        a[2 * k + 1] = word[2];
        b[2 * k + 1] = word[3];
    }
}

VECTOR_CLONES static void pairs_of(real *restrict y, const uint32_t *restrict a, const uint32_t *restrict b, long pairs)
{
    for (long k = 0; k < pairs; k++) two_normals(y + 2 * k, a[k], b[k]);
}

static void randn_piece(real *y, size_t n, const uint32_t key[2], uint64_t counter)
{
    uint32_t a[2 * PIECE] = { 0 }, b[2 * PIECE] = { 0 };
    words_of(a, b, (long)((n + 3) / 4), key, counter);
    pairs_of(y, a, b, (long)(n / 2));
    if (n % 2) {
        real last[2];
        two_normals(last, a[n / 2], b[n / 2]);
        y[n - 1] = last[0];
    }
}

static void cpu_randn(void *to, size_t n, const uint32_t key[2], uint64_t counter)
{
    real *y = to;
    const size_t step = 4 * PIECE;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t at = 0; at < n; at += step) randn_piece(y + at, n - at < step ? n - at : step, key, counter + at / 4);
}

void cpu_fill_random(ops *o) { o->randn = cpu_randn; }
