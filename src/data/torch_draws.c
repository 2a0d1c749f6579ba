/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch_draws.c - see torch_draws.h.  Matsumoto and Nishimura, Mersenne Twister (1998), version of 2002. */
#include "src/data/torch_draws.h"

enum { MIDDLE = 397 };

torch_draws torch_draws_seed(uint64_t seed)
{
    torch_draws d = { .seed = (uint32_t)seed };
    d.word[0] = d.seed;
    for (uint32_t i = 1; i < MT_WORDS; i++)
        d.word[i] = 1812433253u * (d.word[i - 1] ^ d.word[i - 1] >> 30) + i;
    return d;
}

/* x[n + 624] = x[n + 397] ^ (upper bit of x[n], lower bits of x[n + 1]) A, in place for all 624. */
static void next_block(torch_draws *d)
{
    uint32_t *x = d->word;
    for (int n = 0; n < MT_WORDS; n++) {
        const uint32_t y = (x[n] & 0x80000000u) | (x[(n + 1) % MT_WORDS] & 0x7fffffffu);
        x[n] = x[(n + MIDDLE) % MT_WORDS] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    d->block++;
}

static uint32_t word_at(torch_draws *d, uint64_t k)             /* words 624 b ... come with block b + 1 */
{
    const uint64_t block = k / MT_WORDS + 1;
    if (block < d->block) *d = torch_draws_seed(d->seed);
    while (d->block < block) next_block(d);
    uint32_t y = d->word[k % MT_WORDS];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

uint64_t torch_draws_randint(torch_draws *d, uint64_t high, uint64_t k)
{
    REQUIRE(high > 0, "a number below %d", 0);
    if (high < 1u << 28) return word_at(d, k) % high;
    const uint64_t upper = word_at(d, 2 * k);
    return (upper << 32 | word_at(d, 2 * k + 1)) % high;
}
