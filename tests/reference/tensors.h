/* SPDX-License-Identifier: GPL-3.0-or-later
 * tensors.h - what our programs hand to an independent implementation: texts and named tensors in one file.
 *
 * Lines `text NAME VALUE` and `tensor NAME ROWS COLS`, the line `end`, then all tensors as doubles in this order,
 * little-endian.  w:NAME are weights, g:NAME gradients, by logical shape; token, target, ... have a row per step, loss
 * is one row of all steps. */
#ifndef REFERENCE_TENSORS_H
#define REFERENCE_TENSORS_H
#include "src/base/outfile.h"
#include "src/train/optim.h"

typedef struct { const char *prefix, *name; long rows, cols; double *x; } tensor;
typedef struct { tensor *list; long n; } tensors;

/* A new tensor of zeros, to be filled; prefix and name must live until it is written. */
double *tensors_add(tensors *all, const char *prefix, const char *name, long rows, long cols);
void tensors_add_flat(tensors *all, const char *prefix, const param_table *t, const ops *o, const void *flat);
/* Writes the optimizer as texts and all tensors, to a file that has the other texts already, and frees them. */
void tensors_write(outfile *file, const optim_config *r, tensors *all);
#endif
