/* SPDX-License-Identifier: GPL-3.0-or-later
 * checkpoint_net.h - a net's weights, and what its optimizer keeps about them, to a checkpoint and back, a piece of a
 * tensor at a time: no second copy is made. */
#ifndef TRAIN_CHECKPOINT_NET_H
#define TRAIN_CHECKPOINT_NET_H
#include "src/train/checkpoint.h"
#include "src/train/net.h"

/* A flat array with the layout of the table, WIDE; its tensors are called PREFIX NAME.  The weights have the prefix "",
 * all others end in a colon. */
typedef struct { const char *prefix; void *flat; } net_array;

/* Writes texts and arrays; c has no tensors before, and those of the arrays afterwards. */
void net_store  (checkpoint *c, const char *path, const param_table *t, const ops *o, long arrays, const net_array a[]);
/* Fills the arrays; the weights alone (arrays = 1) without reading what follows them.  Dies when a tensor is missing or
 * of another shape, and when the file is damaged. */
void net_restore(checkpoint_file *f, const param_table *t, const ops *o, long arrays, const net_array a[]);
#endif
