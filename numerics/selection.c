/* SPDX-License-Identifier: GPL-3.0-or-later
 * selection.c - see selection.h. */
#include "numerics/selection.h"

bool selection_find(const int64_t *m, long rows, long cols, long down, long right, int64_t *x, long *o)
{
    for (*o = 0; *o < rows && m[*o * down] == 0; ++*o) {}
    if (*o + cols > rows) return false;
    *x = m[*o * down];
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            if (m[i * down + j * right] != (i == j + *o ? *x : 0)) return false;
    return true;
}
