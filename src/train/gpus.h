/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpus.h - what the performance model (tally.h) knows of a GPU: its vendor's figures, and what programs attain of
 * them. */
#ifndef TRAIN_GPUS_H
#define TRAIN_GPUS_H
#include "src/base/base.h"

typedef enum { GPU_FP32, GPU_TF32, GPU_BF16, GPU_PRECISIONS } gpu_precision;      /* of operands; sums are in float */

typedef struct {
    const char *name, *about;            /* "h100", "H100 SXM, 80 GB"                                   */
    double peak[GPU_PRECISIONS];         /* FLOP a second of dense products                             */
    double fp64;                         /* FLOP a second of single operations in double                */
    double bandwidth;                    /* bytes a second                                              */
    double memory;                       /* bytes                                                       */
    long   units;                        /* streaming multiprocessors                                   */
    double mma;                          /* share of peak that mma.sync can reach, which our attention uses */
} gpu_model;
extern const gpu_model gpus[];                 /* ends with the one without a name                            */
const gpu_model *gpu_find(const char *name);   /* NULL: there is none of this name                            */
char *gpu_names(void);                   /* "h100, h200, ...", to be freed                              */

/* What a program attains, the same for all GPUs.  Products and bandwidth: measured once on an H200, 790 of 989 TFLOP/s
 * and 4.3 of 4.8 TB/s; elsewhere that is an assumption.  The times are assumptions everywhere. */
static const double GPU_PRODUCTS = 0.80, GPU_BANDWIDTH = 0.90;
static const double GPU_NODE = 2.5e-6;   /* seconds from a kernel to the next one                       */
static const double GPU_WAIT = 10e-6;    /* seconds of a transfer that the program waits for,           */
static const double GPU_BUS = 20e9;      /* and its bytes a second                                      */

/* Instructions a second of all threads: one for each multiply-add unit and cycle. */
static inline double gpu_issue(const gpu_model *g) { return g->peak[GPU_FP32] / 2; }
#endif
