/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch_draws.h - the numbers that PyTorch's torch.randint draws on a CPU, one by one and in any order.
 *
 * torch.randint(high, shape, generator=g) with g.manual_seed(seed) fills its tensor row by row with mt19937:
 * one 32-bit word modulo high, or, from 2^28 on, two words (the first is the upper half) modulo high.  Number k
 * therefore depends on (seed, high, k) alone and a resumed run needs no state but the seed.
 * So does PyTorch 2.15, by measurement; older versions took one word up to 2^32.  The papers' 9e9 tokens take two
 * in all versions. */
#ifndef DATA_TORCH_DRAWS_H
#define DATA_TORCH_DRAWS_H
#include "src/base/base.h"

enum { MT_WORDS = 624 };
typedef struct {
    uint32_t seed, word[MT_WORDS];
    uint64_t block;                      /* how often the words were replaced since the seed            */
} torch_draws;

torch_draws torch_draws_seed(uint64_t seed);                   /* like manual_seed, of which it takes 32 bits */
/* Number k of torch.randint(high, ...); high > 0.  Fast for increasing k; a smaller k restarts. */
uint64_t torch_draws_randint(torch_draws *d, uint64_t high, uint64_t k);
#endif
