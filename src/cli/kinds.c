/* kinds.c - the commands that presets and lists of work may name: one line each, with how their cost is counted. */
#include "src/cli/cli.h"

/* On a GPU the vision models are bound by launches, not by products, and their heads of 15 or 60 numbers have no aligned
 * rows in bfloat16. */
const run_kind run_kinds[] = {
    { "train",          train_cost,        GPU_BF16 },
    { "basis-transfer", basis_cost,        GPU_BF16 },
    { "train-vision",   train_vision_cost, GPU_FP32 },
    { NULL, NULL, GPU_FP32 },
};

gpu_precision usual_precision(const char *command)
{
    const run_kind *k = run_kind_find(run_kinds, command);
    REQUIRE(k, "%s does not train", command);
    return k->usual;
}
