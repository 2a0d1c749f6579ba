/* conditions.h - how well conditioned the matrices of a layer are that a construction would invert. */
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
} matrix_condition;
typedef struct { matrix_condition of[3]; } layer_condition;            /* projection            */
/* Contract: D->unknown is NULL and nothing is unreadable. */
layer_condition layer_conditions(const transformer *D, long layer);
void            layer_conditions_free(layer_condition *c);

/* dk rows of A (d x dk, row by row, d >= dk, finite) that QR with pivoting finds far from dependent. */
void pivoted_rows(long d, long dk, const double *A, long *row);
#endif
