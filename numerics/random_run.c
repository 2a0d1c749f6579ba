/* SPDX-License-Identifier: GPL-3.0-or-later
 * random_run.c - draws of neighbouring numbers, eight side by side: the same numbers as one by one. */
#include <string.h>
#include "numerics/random.h"
#include "src/base/vector.h"

enum { LANES = 8, SETS = 2, AT_ONCE = LANES * SETS, CHUNK = 16 * AT_ONCE };
typedef uint64_t lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));
typedef struct { lanes v0, v1, v2, v3; } sips;

#define ROTL(x, b) ((x) << (b) | (x) >> (64 - (b)))
#define ROUND(s) do { \
    (s).v0 += (s).v1; (s).v1 = ROTL((s).v1, 13); (s).v1 ^= (s).v0; (s).v0 = ROTL((s).v0, 32); \
    (s).v2 += (s).v3; (s).v3 = ROTL((s).v3, 16); (s).v3 ^= (s).v2; \
    (s).v0 += (s).v3; (s).v3 = ROTL((s).v3, 21); (s).v3 ^= (s).v0; \
    (s).v2 += (s).v1; (s).v1 = ROTL((s).v1, 17); (s).v1 ^= (s).v2; (s).v2 = ROTL((s).v2, 32); } while (0)
/* SETS hashes in turns: the steps of one wait for each other. */
#define ROUNDS(n) for (int r = 0; r < (n); r++) for (int i = 0; i < SETS; i++) ROUND(s[i])

/* to[k] = the hash of counter[k], or where with_attempt of counter[k] and attempt, k < n, a multiple of AT_ONCE. */
VECTOR_CLONES void random_hashes(uint64_t *to, const uint64_t key[2], const uint64_t *counter, bool with_attempt,
                                 uint64_t attempt, long n)
{
    const uint64_t last = (uint64_t)(with_attempt ? 16 : 8) << 56;
    const lanes none = { 0 };
    const sips start = { none + (key[0] ^ 0x736f6d6570736575u), none + (key[1] ^ 0x646f72616e646f6du),
                         none + (key[0] ^ 0x6c7967656e657261u), none + (key[1] ^ 0x7465646279746573u) };
    for (long k = 0; k < n; k += AT_ONCE) {
        sips s[SETS] = { start, start };
        lanes x[SETS];
        memcpy(x, counter + k, sizeof x);
        for (int i = 0; i < SETS; i++) s[i].v3 ^= x[i];
        ROUNDS(2);
        for (int i = 0; i < SETS; i++) s[i].v0 ^= x[i];
        if (with_attempt) {
            for (int i = 0; i < SETS; i++) s[i].v3 ^= attempt;
            ROUNDS(2);
            for (int i = 0; i < SETS; i++) s[i].v0 ^= attempt;
        }
        for (int i = 0; i < SETS; i++) s[i].v3 ^= last;
        ROUNDS(2);
        for (int i = 0; i < SETS; i++) {
            s[i].v0 ^= last;
            s[i].v2 ^= 0xff;
        }
        ROUNDS(4);
        for (int i = 0; i < SETS; i++) x[i] = s[i].v0 ^ s[i].v1 ^ s[i].v2 ^ s[i].v3;
        memcpy(to + k, x, sizeof x);
    }
}

static long up(long n) { return (n + AT_ONCE - 1) / AT_ONCE * AT_ONCE; }

void random_below_run(uint64_t *to, const uint64_t key[2], uint64_t first, long n, uint64_t bound)
{
    REQUIRE(bound > 0, "empty range");
    const uint64_t mask = random_mask(bound);
    random_note();
    for (long done = 0; done < n; done += CHUNK) {
        uint64_t counter[CHUNK] = { 0 }, hash[CHUNK];
        const long some = n - done < CHUNK ? n - done : CHUNK;
        for (long k = 0; k < some; k++) counter[k] = first + (uint64_t)(done + k);
        long left = some;                                /* those not yet drawn */
        for (uint64_t attempt = 0; left; attempt++) {
            const long tried = left;
            random_hashes(hash, key, counter, true, attempt, up(tried));
            left = 0;
            for (long k = 0; k < tried; k++) {
                const uint64_t c = counter[k], x = hash[k] & mask;
                if (x < bound) to[c - first] = x;
                else counter[left++] = c;
            }
        }
    }
}

static void gauss_run(int64_t *to, const uint64_t key[2], uint64_t first, long n, int64_t (*of)(uint64_t hash))
{
    random_note();
    for (long done = 0; done < n; done += CHUNK) {
        uint64_t counter[CHUNK], hash[CHUNK] = { 0 };
        const long some = n - done < CHUNK ? n - done : CHUNK;
        for (long k = 0; k < up(some); k++) counter[k] = first + (uint64_t)(done + k);
        random_hashes(hash, key, counter, false, 0, up(some));
        for (long k = 0; k < some; k++) to[done + k] = of(hash[k]);
    }
}

void random_gauss8_run(int64_t *to, const uint64_t key[2], uint64_t first, long n)
{
    gauss_run(to, key, first, n, random_gauss8_of);
}

void random_gauss24_run(int64_t *to, const uint64_t key[2], uint64_t first, long n)
{
    gauss_run(to, key, first, n, random_gauss24_of);
}
