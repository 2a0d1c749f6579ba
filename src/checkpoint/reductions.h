/* reductions.h - which of the theorems a model of a file meets the hypotheses of, what each would remove, and how well
 * conditioned the matrices are that it would invert. */
#ifndef CHECKPOINT_REDUCTIONS_H
#define CHECKPOINT_REDUCTIONS_H
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

typedef struct {
    const char *name, *claims;           /* in words; ids, as `provably show` takes them                */
    bool   applies;
    char  *why;                          /* one sentence                                                */
    double parameters;                   /* that it would remove                                        */
    double flops;                        /* per token, forward                                          */
    double bytes;                        /* in the type of W_Q                                          */
    double bits;                         /* log2 of the condition number that it meets; NAN: not known  */
} reduction_row;
typedef struct { reduction_row *at; long n; char *nothing; } reduction_list;
/* nothing: NULL, or why none can be said to apply; n is 0 then.  c: of all layers, or NULL. */
reduction_list reductions_of(const transformer *D, const layer_condition *c);
void           reductions_free(reduction_list *r);
#endif
