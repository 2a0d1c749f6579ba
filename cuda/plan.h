/* gemm_key.h - the key under which gemm.c caches a cuBLASLt algorithm: products with equal keys share a plan.  Also as
 * a line of text, for the cache file.  Uses no CUDA, so it is tested on the host. */
#ifndef CUDA_PLAN_H
#define CUDA_PLAN_H
#include <stddef.h>
#include <stdint.h>
#include "cuda/product.h"

typedef struct {                         /* integers without padding: compared with memcmp               */
    int64_t  M, N, K, heads, lda, ldb, ldc, head_a, head_b, head_c;
    uint32_t in, out, tf32, tA, tB, beta; /* beta: 0, 1, or 2 for another value                          */
    uint32_t align_a, align_b, align_c, align_d;     /* bytes, powers of two up to 256                   */
} plan_key;

plan_key plan_key_of(const product *p);
void plan_key_text(const plan_key *k, char *text, size_t size);
/* n words as hexadecimal numbers, and back; false: the text does not hold n of them. */
void plan_words     (const uint64_t *word, size_t n, char *text, size_t size);
bool plan_words_read(const char *text, uint64_t *word, size_t n);
#endif
