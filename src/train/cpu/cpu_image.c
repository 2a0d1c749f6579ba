/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_image.c - images as rows of numbers, on the CPU. */
#include "src/train/cpu/real.h"

/* Row k of an image is its k-th patch, left to right and then down; in it pixels likewise, channels last. */
static void patch_row(real *y, const unsigned char *corner, long side, long channels, long patch)
{
    const long width = patch * channels;
    for (long i = 0; i < patch; i++)
        for (long j = 0; j < width; j++) y[i * width + j] = (real)corner[i * side * channels + j] / 255;
}

static void cpu_patch_fwd(void *to, const unsigned char *image, long B, long side, long channels, long patch, long lead)
{
    real *y = to;
    const long across = side / patch, P = across * across, width = patch * patch * channels, T = lead + P;
    #pragma omp parallel for schedule(static) if (B * side * side * channels > FORK_NUMBERS)
    for (long b = 0; b < B; b++) {
        real *rows = y + b * T * width;
        for (long j = 0; j < lead * width; j++) rows[j] = 0;
        for (long k = 0; k < P; k++) {
            const long row = k / across * patch, column = k % across * patch;
            patch_row(rows + (lead + k) * width, image + ((b * side + row) * side + column) * channels, side, channels,
                      patch);
        }
    }
}

void cpu_fill_image(ops *o)
{
    o->patch_fwd = cpu_patch_fwd;
}
