/* SPDX-License-Identifier: GPL-3.0-or-later
 * selection.h - integer matrices that select rows or columns. */
#ifndef SELECTION_H
#define SELECTION_H
#include "src/base/base.h"

/* Is the matrix x [i = j + o] for some o >= 0, with x != 0 in every column?  (i, j) is at m[i down + j right].
 * Multiples of the identity are the case o = 0, rows = cols. */
bool selection_find(const int64_t *m, long rows, long cols, long down, long right, int64_t *x, long *o);
#endif
