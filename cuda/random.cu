/* SPDX-License-Identifier: GPL-3.0-or-later
 * random.cu - standard normal numbers from counters (Philox): the same words as the CPU's, and the same numbers up to
 * the last bits.  Reference: src/train/cpu/cpu_random.c. */
#include "cuda/device.h"

/* A thread generates one block of four numbers. */
template <typename act>
static __global__ void randn_kernel(act *y, size_t n, uint32_t key0, uint32_t key1, uint64_t counter,
                                    bool packed)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, block = counter + i;
    if (4 * i >= n) return;
    const uint32_t place[4] = { (uint32_t)block, (uint32_t)(block >> 32), 0, 0 }, key[2] = { key0, key1 };
    uint32_t word[4];
    float z[4];
    philox4x32(word, place, key);
    normal_pair_f32(z, word[0], word[1]);
    normal_pair_f32(z + 2, word[2], word[3]);
    store(y, 4 * i, n, packed, z);
}

template <typename act> static void randn(void *y, size_t n, const uint32_t key[2], uint64_t counter)
{
    const size_t blocks = divided_up(divided_up(n, 4), THREADS);
    const bool packed = n % 4 == 0 && aligned(y, 4 * sizeof(act));
    REQUIRE(blocks <= INT32_MAX, "%zu random numbers", n);
    if (n) CUDA_LAUNCH(randn_kernel<act>, (unsigned)blocks, THREADS, (act *)y, n, key[0], key[1], counter, packed);
}

void cuda_fill_random(ops *o, cuda_precision p)
{
    o->randn = p == CUDA_BF16 ? randn<bf16> : randn<float>;
}
