/* SPDX-License-Identifier: GPL-3.0-or-later
 * image.cu - images as rows of patches.  Reference: src/train/cpu/cpu_image.c. */
#include "cuda/device.h"

/* Number i of y: row lead + k of image b is its patch k, in raster order; pixels within a patch likewise, channels
 * last; the first `lead` rows are 0. */
template <typename act>
static __global__ void patch_kernel(act *y, const unsigned char *image, size_t n, long side, long channels, long patch,
                                    long lead)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const long across = side / patch, T = lead + across * across, width = patch * patch * channels;
    const long row = (long)(i / (size_t)width), j = (long)(i % (size_t)width), b = row / T, k = row % T - lead;
    float x = 0;
    if (k >= 0) {
        const long v = k / across * patch + j / (patch * channels);
        const long u = k % across * patch * channels + j % (patch * channels);
        x = (float)image[(b * side + v) * side * channels + u] / 255;
    }
    narrow_to(&y[i], x);
}

template <typename act>
static void patch_fwd(void *y, const unsigned char *image, long B, long side, long channels, long patch, long lead)
{
    const long across = side / patch;
    const size_t n = (size_t)(B * (lead + across * across) * patch * patch * channels), blocks = divided_up(n, THREADS);
    REQUIRE(blocks <= INT32_MAX, "%zu pixels", n);
    if (n) CUDA_LAUNCH(patch_kernel<act>, (unsigned)blocks, THREADS, (act *)y, image, n, side, channels, patch, lead);
}

void cuda_fill_image(ops *o, cuda_precision p)
{
    o->patch_fwd = p == CUDA_BF16 ? patch_fwd<bf16> : patch_fwd<float>;
}
