/* backend.h - the tables of operations by name. */
#ifndef NN_BACKEND_H
#define NN_BACKEND_H
#include "src/train/ops.h"

/* "cpu" (float), "cpu-f64", "cuda" (float), "cuda-tf32", "cuda-bf16".  Dies for another name, and for the GPU's names
 * where no GPU can be used or the program was built without CUDA: what was asked for is what runs.  NULL: the GPU in
 * float where there is one, else the CPU; a program that was built with CUDA then says so in one line, once. */
const ops *backend_find(const char *name);
/* How the GPU does attention: "simple", "flash", "cudnn" or "best"; dies for another name. */
void backend_attention(const char *name);
#endif
