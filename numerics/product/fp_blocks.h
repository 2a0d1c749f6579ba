/* SPDX-License-Identifier: GPL-3.0-or-later
 * fp_blocks.h - a product of matrices modulo p, block after block of the product, shared among threads. */
#ifndef FP_BLOCKS_H
#define FP_BLOCKS_H
#include <stddef.h>
#include "numerics/flint_compat.h"

typedef struct {
    nmod_mat_struct *C;
    const nmod_mat_struct *A, *B;
    long i, j, rows, cols;                              /* the block of C: from row i and column j on */
    double *room;                                       /* this thread's, of fp_way's `room` doubles */
} fp_block;

typedef struct {
    long high, wide;                                    /* rows and columns of a block, at most */
    long narrow;                                        /* columns that are enough where there are few blocks */
    size_t (*room)(long rows, long cols, long terms, const void *with);   /* doubles, grows with each of the three */
    void (*multiply)(const fp_block *x, const void *with);                /* writes the block */
    const void *with;
} fp_way;

/* C = A B modulo their common modulus.  C is another matrix than A and B; aborts where shapes do not fit.  The same
 * bits with any number of threads. */
void fp_blocks_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B, const fp_way *way);
#endif
