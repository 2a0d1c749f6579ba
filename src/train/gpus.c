/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpus.c - see gpus.h.  The figures are those of NVIDIA's data sheets and architecture papers, without sparsity:
 *   h100   "H100 Tensor Core GPU Datasheet" (2023), SXM5
 *   h200   "H200 Tensor Core GPU Datasheet" (2024), SXM5
 *   a100   "A100 Tensor Core GPU Datasheet" (2021), 80 GB SXM4
 *   4090   "NVIDIA Ada GPU Architecture" (2022), appendix A: bfloat16 with sums in float
 *   b200   "NVIDIA HGX B200 Datasheet" (2025), an eighth of its eight GPUs
 * mma: on Hopper 62.9 % on average (Luo et al., arXiv:2402.13499), on A100 and 4090 the only way to the units; on the
 * B200 we know of no figure: a guess. */
#include <string.h>
#include "src/train/gpus.h"

const gpu_model gpus[] = {
    { "h100", "H100 SXM, 80 GB", { 66.9e12, 494.7e12, 989.4e12 }, 33.5e12, 3.35e12, 80e9, 132, 0.63 },
    { "h200", "H200 SXM, 141 GB", { 66.9e12, 494.7e12, 989.4e12 }, 33.5e12, 4.8e12, 141e9, 132, 0.63 },
    { "a100", "A100 SXM, 80 GB", { 19.5e12, 156e12, 312e12 }, 9.7e12, 2.039e12, 80e9, 108, 1 },
    { "4090", "GeForce RTX 4090, 24 GB", { 82.6e12, 82.6e12, 165.2e12 }, 1.29e12, 1.008e12, 24e9, 128, 1 },
    { "b200", "B200 (HGX), 180 GB", { 75e12, 1125e12, 2250e12 }, 37e12, 7.7e12, 180e9, 148, 0.3 },
    { 0 } };

const gpu_model *gpu_find(const char *name)
{
    for (const gpu_model *g = gpus; g->name; g++) if (strcmp(g->name, name) == 0) return g;
    return NULL;
}

char *gpu_names(void)
{
    text_buffer all = { 0 };
    for (const gpu_model *g = gpus; g->name; g++) text_add(&all, "%s%s", g == gpus ? "" : ", ", g->name);
    return text_take(&all);
}
