/* SPDX-License-Identifier: GPL-3.0-or-later
 * backend.c - see backend.h. */
#include <string.h>
#include "cuda/attn.h"
#include "cuda/backend.h"
#include "cuda/device.h"
#include "src/train/backend.h"

const gpu_backend backend_cuda = { .find = ops_cuda, .choose_attention = attn_choose };

const ops *ops_cuda(const char *precision, const char **why)
{
    static const char *const names[CUDA_PRECISIONS] = { "fp32", "tf32", "bf16" };
    static const char *const full[CUDA_PRECISIONS] = { "cuda-fp32", "cuda-tf32", "cuda-bf16" };
    static ops table[CUDA_PRECISIONS];
    int p = 0;
    while (p < CUDA_PRECISIONS && strcmp(names[p], precision) != 0) p++;
    REQUIRE(p < CUDA_PRECISIONS, "precision %s", precision);
    const char *missing = cuda_open();
    if (!missing) missing = gemm_open();
    if (why) *why = missing;
    if (missing) return NULL;
    ops *o = &table[p];
    if (!o->name) {
        cuda_fill_memory(o, p);
        cuda_fill_gemm(o, p);
        cuda_fill_embed(o, p);
        cuda_fill_norm(o, p);
        cuda_fill_activation(o, p);
        cuda_fill_rows(o, p);
        cuda_fill_loss(o, p);
        cuda_fill_optim(o, p);
        cuda_fill_random(o, p);
        cuda_fill_image(o, p);
        cuda_fill_attn(o, p);
        cuda_fill_device(o);
        o->device = cuda_device_name();
        o->name = full[p];
    }
    return o;
}
