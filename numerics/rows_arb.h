/* SPDX-License-Identifier: GPL-3.0-or-later
 * rows_arb.h - matrices of balls whose rows have one error bound each, in a norm of choice.
 *
 * A box, a ball for each entry, grows by the sums of |W| where it is multiplied by W, and in a basis Theta by those
 * of |Theta^-1 W|: bits in every layer of a deep model that no error of a row needs.  Here a row is its centre and a
 * bound on |e P|_2 of its error e.  P = I is the Euclidean norm; with P next to Theta^-1 rows of X Theta are measured
 * as those of X are, and a change of basis costs nothing.
 *
 * P and an approximate inverse T of it are matrices of doubles, taken as exact whatever they approximate, so nothing is
 * asked of the basis but that |I - T P|_2 <= e < 1, which is proved.  Then P^-1 = (I - E)^-1 T with E = I - T P, and
 *     |e W|_2 = |e P (I - E)^-1 T W|_2 <= |e P|_2 |T W|_2 / (1 - e),                                          (1)
 * for each column W_j of W alone, too.  T W and W P are computed in doubles, with bounds on all roundings: rows_arb.c.
 *
 * All matrices are over arb; results belong to the scope. */
#ifndef ROWS_ARB_H
#define ROWS_ARB_H
#include "numerics/mat.h"

/* |v P|_2 of rows v; both NULL: the Euclidean norm. */
typedef struct {
    const mat *to, *from;                /* d x d; T and P are their centres as doubles                     */
    double slack;                        /* at least 1/(1 - e)                                              */
    double size;                         /* at least |P|_2                                                  */
} row_norm;
#define ROWS_EUCLIDEAN ((row_norm){ NULL, NULL, 1, 1 })

/* The norm of rows in the basis `to`, from being about its inverse; where (1) cannot be proved, and where both are the
 * same matrix, the Euclidean norm.  The norm refers to both matrices. */
row_norm rows_norm(const mat *to, const mat *from);

/* Row i is row i of the centre plus some e with |e P|_2 <= error_i. */
typedef struct {
    const mat *centre;                   /* n x d, exact                                                    */
    const mat *error;                    /* n x 1, exact, >= 0; may be infinite                             */
} row_balls;

/* Can they be had over this arithmetic? */
bool rows_have(const arith *R);

row_balls rows_enclose(scope *s, const mat *A, row_norm N);           /* of the box A                            */
const mat *rows_box(scope *s, row_balls X, row_norm N);               /* the smallest box that (1) gives         */
const mat *rows_times(scope *s, row_balls X, row_norm N, const mat *W);      /* the box X W, each column by (1) */

/* |e W|_2 <= rows_read |e P|_2, and |e W P|_2 <= rows_write |e|_2. */
double rows_read (row_norm N, const mat *W);
double rows_write(const mat *W, row_norm N);
double rows_change(row_norm from, row_norm to);                  /* 1 where they are the same               */

/* The box A, and to row i's error c_k error_k of each part is added: of the sum of what the parts make of their errors.
 * error: n x 1. */
typedef struct { double times; const mat *error; } rows_part;
row_balls rows_sum(scope *s, const mat *A, row_norm N, long parts, const rows_part part[]);
#endif
