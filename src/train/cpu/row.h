/* SPDX-License-Identifier: GPL-3.0-or-later
 * row.h - rows that are added to rows, in their order. */
#ifndef CPU_ROW_H
#define CPU_ROW_H
#include "src/train/cpu/real.h"

enum { COLUMNS = 64 };                   /* columns per task where rows are summed in their order */

VECTOR_CLONES static void add_row(real *restrict y, const real *restrict x, long C)
{
    for (long c = 0; c < C; c++) y[c] += x[c];
}
#endif
