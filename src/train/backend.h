/* SPDX-License-Identifier: GPL-3.0-or-later
 * backend.h - the tables of operations by name. */
#ifndef TRAIN_BACKEND_H
#define TRAIN_BACKEND_H
#include "src/train/gpus.h"
#include "src/train/ops.h"

/* What a build with CUDA brings (cuda/backend.c); elsewhere &backend_cuda is NULL. */
typedef struct {
    /* "fp32", "tf32" or "bf16"; NULL without a device; *why then says so in a few words. */
    const ops *(*find)(const char *precision, const char **why);
    bool (*choose_attention)(const char *name);      /* false: no such name */
} gpu_backend;
extern const gpu_backend backend_cuda __attribute__((weak));

/* "cpu" (float), "cpu-bf16", "cpu-f64", "cuda" (float), "cuda-tf32", "cuda-bf16".  Dies for another name, and for the
 * GPU's names where no GPU can be used or the program was built without CUDA: what was asked for is what runs.  NULL:
 * the GPU where there is one, with the precision that is usual for the command, else the CPU in float; a program that
 * was built with CUDA then says so in one line, once. */
const ops *backend_find(const char *name, gpu_precision usual);
gpu_precision backend_usual(const char *command);      /* "train", "basis-transfer", "train-vision"                */
/* How the GPU does attention: "simple", "flash", "cudnn" or "best"; dies for another name. */
void backend_attention(const char *name);
#endif
