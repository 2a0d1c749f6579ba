/* SPDX-License-Identifier: GPL-3.0-or-later
 * backend.c - see backend.h. */
#include <string.h>
#include "src/base/shown.h"
#include "src/train/backend.h"

static bool built_with_cuda(void) { return &backend_cuda != NULL; }

/* asked: the GPU's name that the user gave; NULL: none, so that the CPU will do. */
static const ops *on_the_gpu(const char *precision, const char *asked)
{
    static bool warned;
    static const char *why;                      /* static: cppcheck takes the answer for a pointer into it */
    const ops *o = backend_cuda.find(precision, &why);
    if (o) return o;
    if (asked)
        die("--backend=%s: no usable GPU (%s); leave the option out, or use --backend=cpu, to run on the CPU",
            asked, why);
    if (!warned) shown_print(stderr, "%s: no usable GPU (%s); falling back to the CPU\n", program_name, why);
    warned = true;
    return ops_cpu_f32();
}

/* The vision models are bound by launches, not by products, and their heads of 15 or 60 numbers have no aligned rows in
 * bfloat16. */
gpu_precision backend_usual(const char *command) { return strcmp(command, "train-vision") == 0 ? GPU_FP32 : GPU_BF16; }

const ops *backend_find(const char *name, gpu_precision usual)
{
    static const char *const names[GPU_PRECISIONS] = { "cuda", "cuda-tf32", "cuda-bf16" };
    static const char *const precisions[GPU_PRECISIONS] = { "fp32", "tf32", "bf16" };
    if (!name) return built_with_cuda() ? on_the_gpu(precisions[usual], NULL) : ops_cpu_f32();
    if (strcmp(name, "cpu") == 0) return ops_cpu_f32();
    if (strcmp(name, "cpu-f64") == 0) return ops_cpu_f64();
    if (strcmp(name, "cpu-bf16") == 0) return ops_cpu_bf16();
    for (size_t k = 0; k < COUNT(names); k++) {
        if (strcmp(name, names[k]) != 0) continue;
        if (!built_with_cuda())
            die("--backend=%s: this program was built without CUDA; build it with make CUDA=1", name);
        return on_the_gpu(precisions[k], name);
    }
    die("--backend takes cpu, cpu-bf16, cpu-f64, cuda, cuda-tf32 or cuda-bf16, not `%s`", name);
}

void backend_attention(const char *name)
{
    static const char *const names[] = { "simple", "flash", "cudnn", "best" };
    bool known = false;
    for (size_t k = 0; k < COUNT(names); k++) known = known || strcmp(name, names[k]) == 0;
    if (!known) die("--attn takes simple, flash, cudnn or best, not `%s`", name);
    if (built_with_cuda()) backend_cuda.choose_attention(name);
}
