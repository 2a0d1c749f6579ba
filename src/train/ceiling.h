/* SPDX-License-Identifier: GPL-3.0-or-later
 * ceiling.h - the speed of a training step at best: that of matrix products of the model's own size on this machine. */
#ifndef TRAIN_CEILING_H
#define TRAIN_CEILING_H
#include "src/train/run.h"

/* The flops per second of one process's products y = x W', W [N,K]: the best of those that fit into `seconds`. */
double ceiling_products(const ops *o, long N, long K, double seconds);
/* The same where W is the largest matrix of t, each side cut to 8,192. */
double ceiling_of(const training_task *t, double seconds);
#endif
