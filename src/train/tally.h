/* SPDX-License-Identifier: GPL-3.0-or-later
 * tally.h - operations that count instead of computing: a model of what training costs on a GPU.
 *
 * tally_ops is a table of operations like any other, so that a model and its training step run on it as they are; but
 * its memory is a number of bytes, and an operation adds up what the GPU's operation of the same name in cuda/ would
 * do: FLOP of matrix products, instructions, bytes to and from memory, launches.  Numbers that come back are 1.
 *
 * The time of an operation is that of the scarcest of these, at what programs attain (gpus.h); of attention it is the
 * sum of products and instructions, since our kernels do not overlap them.  Launches have a line of their own.  The
 * floor is the time at which products and memory are used as well as measured anywhere, and nothing else costs time.
 *
 * EXPERIMENTS.md holds it against an H100 and an H200. */
#ifndef TRAIN_TALLY_H
#define TRAIN_TALLY_H
#include "src/train/gpus.h"
#include "src/train/ops.h"

typedef enum {
    TALLY_PRODUCTS, TALLY_ATTENTION, TALLY_NORM, TALLY_ACTIVATION, TALLY_LOSS, TALLY_EMBEDDING, TALLY_BIAS,
    TALLY_COPIES, TALLY_RANDOM, TALLY_OPTIMIZER, TALLY_TRANSFERS, TALLY_LAUNCHES, TALLY_KINDS
} tally_kind;
extern const char *const tally_name[TALLY_KINDS];

typedef struct {
    double flops;                        /* of products that the result needs                           */
    double bytes;                        /* to and from the GPU's memory; of transfers: to and from the host */
    long   launches;                     /* kernels, fills and copies; of transfers: waits              */
    double floor, seconds;
} tally_line;
typedef struct {
    tally_line of[TALLY_KINDS];          /* the launches' line has the time of all                      */
    tally_line total;
    size_t     memory, scratch;          /* bytes that are allocated; most of an operation's own         */
} tally;

/* The table for a GPU; beginning anew, with nothing counted and no memory taken.  One is in use at a time. */
const ops *tally_ops(const gpu_model *g, gpu_precision p);
void       tally_clear(void);            /* what was counted; the memory stays                          */
tally      tally_now(void);

/* Instructions per number of a kernel, in bfloat16, as nvcc compiles it for sm_80 (PTX): what t_ptx counts. */
typedef enum {
    INSTR_GELU, INSTR_GELU_SLOPE, INSTR_LOSS, INSTR_NORM, INSTR_NORM_SLOPE, INSTR_RANDOM, INSTR_BIAS,
    INSTR_SCORE, INSTR_SCORE_SLOPE, INSTR_KINDS
} tally_instruction;
extern const double tally_instructions[INSTR_KINDS];
#endif
