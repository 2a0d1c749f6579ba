/* SPDX-License-Identifier: GPL-3.0-or-later
 * world.h - the processes that train one model together: each takes its rows of a batch, and gradients are summed.
 *
 * One process, unless built with `make MPI=1` and started by mpirun or srun.  All processes hold the same weights
 * and make the same updates; rank 0 writes the folder.  The functions are called by all processes in the same order.
 * A process that dies takes the others with it: the launcher ends the job.                                */
#ifndef TRAIN_WORLD_H
#define TRAIN_WORLD_H
#include "src/train/ops.h"

long world_rank(void);                   /* 0 ... size - 1                                              */
long world_size(void);
/* x becomes its sum over all processes, the same bits everywhere: n wide numbers of the backend; n doubles. */
void world_sum_wide   (const ops *o, void *x, size_t n);
void world_sum_doubles(double *x, size_t n);
#endif
