/* SPDX-License-Identifier: GPL-3.0-or-later
 * compact.h - files that leave out what other programs need: values that are computed from keys (N11), identity blocks
 * of W_V (N1).  "provably" in config.json says what, and model_type begins with compact_family, so that other programs
 * refuse the file. */
#ifndef CHECKPOINT_COMPACT_H
#define CHECKPOINT_COMPACT_H
#include "src/checkpoint/transformer.h"

extern const char compact_family[];

/* Fills in slim and value_rows.  own: "provably" in config.json, or NULL.  D's sizes are known.  Dies where the rows
 * are not rows of W_V. */
void compact_read(transformer *D, const json_t *own, const char *path);
/* Dies where the tensors contradict that. */
void compact_check(const transformer *D, const weights *w);
/* x: the d - dk stored numbers of a column of W_V at its beginning; then all d, with column i of the identity in the
 * rows of row[0] ... row[dk - 1]. */
void compact_put_identity(double *x, long d, long dk, const long *row, long i);
#endif
