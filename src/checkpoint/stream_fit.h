/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream_fit.h - a basis of the residual stream fitted in doubles to what writes to it: X Theta + shifts = Y, X from A
 * and Y from B.  Nothing follows from a bad fit but a large distance. */
#ifndef CHECKPOINT_STREAM_FIT_H
#define CHECKPOINT_STREAM_FIT_H
#include "src/checkpoint/transformer.h"

/* X (rows x (d + 2)) and Y (rows x d): what writes to the stream; two columns say which rows are tokens, positions. */
typedef struct { long rows, room, d; double *x, *y, most; long same; } equations;
/* most: the largest |y|; same: rows that are equal to rounding */

/* Rows of a matrix of n of them, one of `matrices` of its kind, read a range at a time; shifted: -1, 0 (tokens), 1
 * (positions). */
void    equations_add(equations *e, const transformer *A, const transformer *B, tensor_role role, long layer, long n,
                      long matrices, int shifted);
/* Theta (d x d, row by row) and the shifts of tokens and positions (2 x d), rows that are far off left out; to be
 * freed.  NULL: too few rows. */
/* Do half of the rows say that there is no other basis?  Then what else differs is no basis, but off. */
bool    equations_same(const equations *e);
double *equations_solution(equations *e, double *shift);
void    equations_free(equations *e);

/* G (k x k) becomes one with one entry in each row and column if no other is more than `off` times its row's largest;
 * a power of 2 with a sign where that is as near, or, orthogonal, 1 or -1.  Then nothing is added in images. */
void    snap_to_order(double *G, long k, double off, bool orthogonal);
#endif
