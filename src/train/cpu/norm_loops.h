/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm_loops.h - the loops of norms, one set for each instruction set; all results are byte-identical. */
#ifndef CPU_NORM_LOOPS_H
#define CPU_NORM_LOOPS_H
#include "src/train/cpu/lanes.h"

enum { NORM_ROWS = 64, NORM_COLUMNS = 4 * LANES };

typedef struct {
    /* y = (x - mean) rstd g + b for R <= NORM_ROWS rows of C numbers, mean and rstd of each; g and b may be NULL. */
    void (*forward)(real *restrict y, real *restrict mean, real *restrict rstd, const real *restrict x,
                    const real *restrict g, const real *restrict b, long R, long C, double eps);
    /* dx += the gradient of x; dy: that of y. */
    void (*backward)(real *restrict dx, const real *restrict dy, const real *restrict x, const real *restrict g,
                     const real *restrict mean, const real *restrict rstd, long R, long C);
    /* Over R rows, for the first C <= NORM_COLUMNS of their `row` columns: b = the sums of dy and, where x is given,
     * g = those of dy (x - mean) rstd; both written in whole vectors. */
    void (*sums)(real *restrict g, real *restrict b, const real *restrict dy, const real *restrict x,
                 const real *restrict mean, const real *restrict rstd, long R, long C, long row);
} norm_loops;

/* Those that this CPU can run, the fastest first. */
const norm_loops *norm_sets(size_t *n);
#endif
