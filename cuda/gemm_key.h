/* SPDX-License-Identifier: GPL-3.0-or-later
 * gemm_key.h - the key under which gemm.c caches a cuBLASLt algorithm: products with equal keys share a plan.  Also as
 * a line of text, for the cache file.  Uses no CUDA, so it is tested on the host. */
#ifndef CUDA_GEMM_KEY_H
#define CUDA_GEMM_KEY_H
#include <stddef.h>
#include <stdint.h>
#include "cuda/product.h"

typedef struct {                         /* integers without padding: compared with memcmp               */
    int64_t  M, N, K, heads, lda, ldb, ldc, head_a, head_b, head_c;
    int64_t  bias;                       /* its alignment; 0: none                                       */
    uint32_t in, out, tf32, tA, tB, beta; /* beta: 0, 1, or 2 for another value                          */
    uint32_t align_a, align_b, align_c, align_d;     /* bytes, powers of two up to 256                   */
} gemm_key;

gemm_key gemm_key_of(const product *p);
void gemm_key_text(const gemm_key *k, char *text, size_t size);
/* n words as hexadecimal numbers, and back; false: the text does not hold n of them. */
void gemm_words     (const uint64_t *word, size_t n, char *text, size_t size);
bool gemm_words_read(const char *text, uint64_t *word, size_t n);
#endif
