/* SPDX-License-Identifier: GPL-3.0-or-later
 * conditions.h - how well conditioned the matrices of a layer are that a construction would invert. */
#ifndef CHECKPOINT_CONDITIONS_H
#define CHECKPOINT_CONDITIONS_H
#include "src/checkpoint/transformer.h"

/* Condition numbers, largest over smallest singular value, in double precision of the matrix as it is stored: gains are
 * not folded in.  INFINITY: singular as far as doubles can tell; NAN: an entry is not finite, or it is not stored. */
typedef struct {
    double  whole;                       /* of the d x (heads dk) matrix                                */
    long    heads;
    double *head;                        /* of the d x dk columns of each                               */
    double *block;                       /* of dk of its rows, chosen by QR with pivoting, a head gauge inverts */
    long    zero_pairs;                  /* rotary pairs of all its heads that are 0 in every row       */
} matrix_condition;
typedef struct { matrix_condition of[3]; } layer_condition;            /* projection            */
/* Contract: D->unknown is NULL and nothing is unreadable. */
layer_condition layer_conditions(const transformer *D, long layer);
void            layer_conditions_free(layer_condition *c);

/* c: of all layers.  Has this head a block to invert?  Not where its condition is 1 / u or more, u the unit roundoff of
 * the type that stores it: whether such a block is singular its digits do not tell. */
bool block_is_regular(const transformer *D, const layer_condition *c, projection p, long layer, long head);
/* Of the regular blocks of all layers: how many there are, and log2 of the worst condition among them (at least 0). */
typedef struct { long regular, all; double bits; } block_conditions;
block_conditions block_conditions_of(const transformer *D, const layer_condition *c, projection p);
long zero_pairs_of(const transformer *D, const layer_condition *c);      /* of W_K in all layers            */

/* dk rows of A (d x dk, row by row, d >= dk, finite) that QR with pivoting finds far from dependent. */
void pivoted_rows(long d, long dk, const double *A, long *row);
#endif
