/* SPDX-License-Identifier: GPL-3.0-or-later
 * run_folder.c - which folders a run begins in. */
#include <stdlib.h>
#include <sys/stat.h>
#include "src/train/run.h"

void run_require_folder(const char *out)
{
    static const char *const weights[] = { "model.safetensors.index.json", "model.safetensors", "model.gguf",
                                           "model.bin" };
    struct stat s;
    char *run = must_format("%s/last.ckpt", out);
    const bool resumes = lstat(run, &s) == 0;
    free(run);
    for (size_t k = 0; k < COUNT(weights) && !resumes; k++) {
        char *path = must_format("%s/%s", out, weights[k]);
        if (stat(path, &s) == 0)
            die("%s is there already, and the folder would stand for two models; choose another with --out", path);
        free(path);
    }
}
