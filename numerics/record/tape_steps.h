/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape_steps.h - what a tape remembers, and operations over its base; shared by arith_tape.c and tape_backward.c. */
#ifndef TAPE_STEPS_H
#define TAPE_STEPS_H
#include "numerics/record/tape.h"

/* The rep of a matrix; grad counts if its pass is the tape's. */
typedef struct { mat value, grad; bool has_grad; uint64_t pass; } tape_node;

typedef enum { TAPE_COPY, TAPE_ADD, TAPE_SUB, TAPE_MUL, TAPE_HADAMARD, TAPE_SCALE_ROWS, TAPE_TRANSPOSE, TAPE_PHI,
               TAPE_SOFTMAX, TAPE_RADIAL, TAPE_ROTATE, TAPE_OPERATIONS } tape_operation;
typedef struct {
    tape_operation op;
    mat *C;
    const mat *A, *B;
    long ci, cj, ai, aj, r, c;           /* TAPE_COPY: a block of A into a block of C */
    mat saved[3];                        /* TAPE_PHI: slope; TAPE_RADIAL: z, rho, rho' */
    int nsaved;
    bool centred;                        /* TAPE_RADIAL: z = x - mean(x) */
} tape_step;

typedef struct {
    const arith *base;
    const tape_functions *f;
    tape_rules how;
    tape_step *at;
    long  n, capacity;
    uint64_t pass;
} tape;

static inline tape *tape_of(const arith *R)          { return R->state; }
static inline tape_node *tape_node_of(const mat *A)  { return A->rep; }

/* ---- tape_base.c: matrices over the base; the caller drops them ----------------------------------------------- */

mat  tape_base_mat(const arith *base, long rows, long cols);                    /* zero             */
void tape_drop(mat *A);
void tape_drop_all(long n, mat *const A[]);
mat  tape_product   (const arith *base, const mat *A, const mat *B);
mat  tape_entrywise (const arith *base, const mat *A, const mat *B);
mat  tape_plus      (const arith *base, const mat *A, const mat *B);
mat  tape_minus     (const arith *base, const mat *A, const mat *B);
mat  tape_transposed(const arith *base, const mat *A);
mat  tape_scaled    (const arith *base, const mat *g, const mat *A);            /* diag(g) A        */
mat  tape_same      (const arith *base, const mat *A);
mat  tape_centred   (const arith *base, const mat *A);                          /* rows less their means */
mat  tape_row_products(const arith *base, const mat *A, const mat *B);          /* the row sums of A o B, rows x 1 */
#endif
