/* SPDX-License-Identifier: GPL-3.0-or-later
 * random.c - SipHash-2-4, and draws from it: see random.h. */
#include "numerics/random.h"
#include <endian.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith.h"
#include "numerics/rows_threads.h"

typedef struct { uint64_t v0, v1, v2, v3; } sip;

static uint64_t rotl(uint64_t x, int b) { return x << b | x >> (64 - b); }

static inline void round_(sip *s)
{
    s->v0 += s->v1; s->v1 = rotl(s->v1, 13); s->v1 ^= s->v0; s->v0 = rotl(s->v0, 32);
    s->v2 += s->v3; s->v3 = rotl(s->v3, 16); s->v3 ^= s->v2;
    s->v0 += s->v3; s->v3 = rotl(s->v3, 21); s->v3 ^= s->v0;
    s->v2 += s->v1; s->v1 = rotl(s->v1, 17); s->v1 ^= s->v2; s->v2 = rotl(s->v2, 32);
}

static sip start(const uint64_t key[2])
{
    return (sip){ key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                  key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u };
}

static void absorb(sip *s, uint64_t word)
{
    s->v3 ^= word; round_(s); round_(s); s->v0 ^= word;
}

static uint64_t finish(sip *s, uint64_t last, size_t bytes)
{
    absorb(s, last | (uint64_t)bytes << 56);
    s->v2 ^= 0xff;
    for (int i = 0; i < 4; i++) round_(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

uint64_t random_siphash(const uint64_t key[2], const void *data, size_t n)
{
    const unsigned char *p = data;
    sip s = start(key);
    uint64_t word;
    size_t i;
    for (i = 0; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        absorb(&s, le64toh(word));
    }
    word = 0;
    for (size_t b = n; b > i; b--) word = word << 8 | p[b - 1];
    return finish(&s, word, n);
}

uint64_t random_siphash_words(const uint64_t key[2], size_t n, const uint64_t *word)
{
    sip s = start(key);
    for (size_t i = 0; i < n; i++) absorb(&s, word[i]);
    return finish(&s, 0, 8 * n);
}

/* Read first: threads that draw side by side must not take the line from each other. */
static atomic_bool drew;
void random_note(void)
{
    if (!atomic_load_explicit(&drew, memory_order_relaxed)) atomic_store_explicit(&drew, true, memory_order_relaxed);
}
bool random_drew(void)   { return atomic_load(&drew); }
void random_forget(void) { atomic_store(&drew, false); }

void random_key_derive(uint64_t out[2], const uint64_t key[2], const char *name)
{
    random_note();
    out[0] = random_siphash(key, name, strlen(name));
    const uint64_t other[2] = { key[0] ^ out[0], ~key[1] };
    out[1] = random_siphash(other, name, strlen(name));
}

void random_key_salt(uint64_t out[2], const uint64_t key[2], size_t n, const uint64_t *word)
{
    random_note();
    const uint64_t from[2] = { key[0], key[1] }, other[2] = { ~key[0], key[1] };
    out[0] = random_siphash_words(from, n, word);
    out[1] = random_siphash_words(other, n, word);
}

uint64_t random_mask(uint64_t bound) { return bound > 1 ? UINT64_MAX >> __builtin_clzll(bound - 1) : 0; }

static uint64_t below(const uint64_t key[2], uint64_t counter, uint64_t bound)
{
    REQUIRE(bound > 0, "empty range");
    const uint64_t mask = random_mask(bound);
    for (uint64_t attempt = 0;; attempt++) {
        uint64_t x = random_siphash_words(key, 2, (uint64_t[]){ counter, attempt }) & mask;
        if (x < bound) return x;
    }
}

uint64_t random_below(const uint64_t key[2], uint64_t counter, uint64_t bound)
{
    random_note();
    return below(key, counter, bound);
}

uint64_t random_constant(uint64_t first, uint64_t second, uint64_t counter, uint64_t bound)
{
    return below((const uint64_t[2]){ first, second }, counter, bound);
}

int64_t random_gauss8_of(uint64_t x)
{
    int64_t sum = 0;
    for (int b = 0; b < 8; b++) sum += (int64_t)(x >> 8 * b & 255);
    /* Mean 1020, standard deviation sqrt(8 (2^16 - 1)/12) = 209.02; 209.02 * 157 / 2^10 = 32.05. */
    int64_t k = ((sum - 1020) * 157 + 512 + (1 << 20)) / 1024 - 1024;
    return k > 127 ? 127 : k < -127 ? -127 : k;
}

int64_t random_gauss8(const uint64_t key[2], uint64_t counter)
{
    random_note();
    return random_gauss8_of(random_siphash_words(key, 1, &counter));
}

int64_t random_gauss24_of(uint64_t x)
{
    int64_t sum = 0;
    for (int b = 0; b < 4; b++) sum += (int64_t)(x >> 16 * b & 65535);
    /* Mean 131070, standard deviation sqrt(4 (2^32 - 1)/12) = 37837.2; times 908093 that is 2^35. */
    const int64_t below = (int64_t)(x * 0x9e3779b97f4a7c15u >> 44) - (1 << 19);
    return (int64_t)(float)((sum - 131070) * 908093 + below);            /* rounded to 24 bits, ties to even */
}

int64_t random_gauss24(const uint64_t key[2], uint64_t counter)
{
    random_note();
    return random_gauss24_of(random_siphash_words(key, 1, &counter));
}

uint64_t random_number(const drawing *how, long cols, long i, long j)
{
    return (uint64_t)(how->first + i * (how->pitch ? how->pitch : cols) + j);
}

void random_dyadic(int64_t *m, long *e, long rows, long cols, const drawing *how)
{
    EACH_ROW_OF(rows, cols, i)
        (how->fp32 ? random_gauss24_run : random_gauss8_run)(m + i * cols, how->key, random_number(how, cols, i, 0),
                                                             cols);
    *e = how->log2scale - (how->fp32 ? 35 : 5);
    switch (how->shape) {
    case CORNER_NONE: break;
    case CORNER_SPARSE:                             /* three entries of four are zero */
        for (long k = 0; k < rows * cols; k++) if (m[k] & 3) m[k] = 0;
        break;
    case CORNER_REPEATED:                           /* rows come in equal pairs */
        for (long i = 1; i < rows; i += 2) memcpy(m + i * cols, m + (i - 1) * cols, (size_t)cols * sizeof *m);
        break;
    case CORNER_NEAR_SINGULAR:                      /* the last row repeats the first, up to 2^-20 */
        for (long k = 0; k < rows * cols; k++) m[k] *= 1 << 20;
        for (long j = 0; rows > 1 && j < cols; j++)
            m[(rows - 1) * cols + j] = m[j] + m[(rows - 1) * cols + j] / (1 << 20);
        *e -= 20;
        break;
    }
}

void random_draw(mat *C, const drawing *how)
{
    int64_t *m = must_calloc((size_t)(C->rows * C->cols), sizeof *m);
    long e;
    random_dyadic(m, &e, C->rows, C->cols, how);
    C->R->ring.set_dyadic(C, m, e);
    free(m);
}
