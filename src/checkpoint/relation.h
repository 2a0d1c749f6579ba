/* relation.h - how one matrix of weights comes from another: equal, rounded, or by one of the things that go wrong when
 * weights are converted, folded or merged. */
#ifndef CHECKPOINT_RELATION_H
#define CHECKPOINT_RELATION_H
#include "src/checkpoint/weight_matrix.h"

/* Half an ulp of 1 in that type, and half its least positive number: rounding x makes an error of at most
 * unit_roundoff |x| + half_least. */
double unit_roundoff(numbers_type type);
double half_least(numbers_type type);

typedef enum {
    RELATION_EQUAL,                      /* number by number                                            */
    RELATION_ROUNDED,                    /* no further apart than the roundings of their two types      */
    RELATION_COARSER,                    /* B has been through a type coarser than the one it is stored in */
    RELATION_TRANSPOSED, RELATION_OFFSET, RELATION_PAIRS, RELATION_HEADS, RELATION_SHIFTED, RELATION_SCALED,
    RELATION_ROWS_SCALED, RELATION_COLUMNS_SCALED, RELATION_CONSTANTS, RELATION_PERMUTED,
    RELATION_NONE                        /* none of these                                               */
} relation_kind;

typedef struct { const char *name; long n; const double *x; } named_vector;

/* What may be known about the matrix. */
typedef struct {
    long head;                           /* columns, or rows, of a head; 0: no heads                    */
    bool heads_are_rows;                 /* W_O                                                         */
    long query_heads, rotary;            /* heads of W_Q; coordinates that turn, 0: none                */
    bool gain, positions, constants;     /* a gain; rows are positions; a constant per row is harmless: the head */
    const named_vector *vector;          /* that rows or columns may have been multiplied by            */
    long vectors;
} relation_hints;

/* text: what B is, in words, "A's, transposed"; to be freed.  gap: max |a - b| / max(|a|, |b|) over the matrix. */
typedef struct { relation_kind kind; double gap; char *text; } related;
/* Contract: equal shapes, finite numbers. */
related relation_of(weight_matrix *A, weight_matrix *B, const relation_hints *h);
#endif
