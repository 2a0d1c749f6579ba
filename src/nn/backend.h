/* backend.h - the tables of operations by name. */
#ifndef NN_BACKEND_H
#define NN_BACKEND_H
#include "src/nn/ops.h"

/* "cpu" (float), "cpu-f64", "cuda" (float), "cuda-tf32", "cuda-bf16"; NULL: the GPU in float where there is one, else
 * the CPU.  A program that was built with CUDA and finds no device says so in one line, once, and takes the CPU; one
 * that was built without says nothing unless it is asked for cuda: then it dies, as it does for another name. */
const ops *backend_find(const char *name);
/* How the GPU does attention: "simple", "flash", "cudnn" or "best"; dies for another name. */
void backend_attention(const char *name);
#endif
