/* SPDX-License-Identifier: GPL-3.0-or-later
 * gemm_key.c - see gemm_key.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/gemm_key.h"
#include "src/base/base.h"

static uint32_t alignment(const void *x)
{
    uint32_t a = 256;
    while ((uintptr_t)x % a) a /= 2;
    return a;
}

gemm_key gemm_key_of(const product *p)
{
    const bool batch = p->heads > 1;
    return (gemm_key){ p->M, p->N, p->K, p->heads, p->a.row, p->b.row, p->c.row, batch ? p->a.head : 0,
                       batch ? p->b.head : 0, batch ? p->c.head : 0,
                       p->bias ? alignment(p->bias) : 0, p->in, p->out, p->tf32, p->tA, p->tB,
                       p->beta == 0 ? 0 : p->beta == 1 ? 1 : 2, alignment(p->A), alignment(p->B), alignment(p->C),
                       alignment(p->beta == 0 ? p->C : p->D) };
}

void gemm_key_text(const gemm_key *k, char *text, size_t size)
{
    char bias[32] = "";                  /* a line without a bias is as it was before there were any */
    if (k->bias) snprintf(bias, sizeof bias, " bias=%" PRId64, k->bias);
    const int n = snprintf(text, size,
        "%s>%s%s %c%c %" PRId64 "x%" PRId64 "x%" PRId64 " ld=%" PRId64 ",%" PRId64 ",%" PRId64 " heads=%" PRId64
        ":%" PRId64 ",%" PRId64 ",%" PRId64 " beta=%u align=%u,%u,%u,%u%s :",
        k->in == BF16 ? "bf16" : "f32", k->out == BF16 ? "bf16" : "f32", k->tf32 ? "/tf32" : "", k->tA ? 'T' : 'N',
        k->tB ? 'T' : 'N', k->M, k->N, k->K, k->lda, k->ldb, k->ldc, k->heads, k->head_a, k->head_b, k->head_c, k->beta,
        k->align_a, k->align_b, k->align_c, k->align_d, bias);
    REQUIRE(n > 0 && (size_t)n < size, "a key of %d characters", n);
}

void gemm_words(const uint64_t *word, size_t n, char *text, size_t size)
{
    REQUIRE(size > 17 * n, "room for %zu words", n);
    for (size_t k = 0; k < n; k++) snprintf(text + 17 * k, 18, k + 1 < n ? "%016" PRIx64 " " : "%016" PRIx64, word[k]);
}

bool gemm_words_read(const char *text, uint64_t *word, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char *end;
        word[k] = strtoull(text, &end, 16);
        if (end == text) return false;
        text = end;
    }
    return true;
}
