/* SPDX-License-Identifier: GPL-3.0-or-later
 * relation.h - how one matrix of weights comes from another: equal, rounded, or by one of the things that go wrong when
 * weights are converted, folded or merged. */
#ifndef CHECKPOINT_RELATION_H
#define CHECKPOINT_RELATION_H
#include "src/checkpoint/quantised_apart.h"

/* Half an ulp of 1 in that type, and half its least positive number: rounding x makes an error of at most
 * unit_roundoff |x| + half_least. */
double unit_roundoff(numbers_type type);
double half_least(numbers_type type);

/* A rounded copy is at most one unit away from what it is a copy of, but for terms of second order. */
#define ROUNDING_UNITS 1.1
/* And, relative to the largest number of its part, whatever the type. */
#define ROUNDING_MOST 0x1p-4
/* Of numbers that are sums of stored ones each of these was rounded: by as much as their sizes say, added up.  Where
 * those of a row are more than this many times as large as its sums, or their roundings more than this share of them (4
 * times as large in BF16), that would excuse too much, and nothing is decided. */
#define SUMMED_MOST 16
#define SUMMED_OFF 0x1p-6
/* One rounding to the coarser of two types: |b - a| <= unit |b| + least. */
typedef struct { double unit, least; } rounding;
rounding rounding_of(numbers_type a, numbers_type b);
/* `off` in roundings of a number of that size; infinity where that is not finite. */
double   rounding_units(const rounding *r, double off, double size);

typedef enum {
    RELATION_EQUAL,                      /* number by number                                            */
    /* units <= ROUNDING_UNITS, none lost (lost.h): one rounding to the coarser type */
    RELATION_ROUNDED,
    RELATION_QUANTISED,                  /* rounded to B's blocks: quantised_apart.h                    */
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
    long added;                          /* how many numbers, each rounded, one may be a sum of; 0: of none */
    const double *sizes[2];              /* of A, of B: of what each is a sum (weights.h); NULL: of nothing */
    bool gain, positions, constants;     /* a gain; rows are positions; a constant per row is harmless: the head */
    bool each;                           /* each number is a factor by itself                           */
    const named_vector *vector;          /* that rows or columns may have been multiplied by            */
    long vectors;
    const tensor_lines *blocks;          /* B's lines, if its numbers lie in blocks and A's do not; else NULL */
} relation_hints;

/* text: what B is, in words, "A's, transposed"; to be freed.  gap: max |a - b| / max(|a|, |b|) over the matrix.  units:
 * max |a - b| / (u |b| + least) over its entries, u and least of the coarser type, the sizes of what they are sums of
 * for |b|.  open: RELATION_NONE, but rounding explains it where SUMMED_MOST is left out, or B's blocks do not tell. */
typedef struct { relation_kind kind; double gap, units; char *text; bool open; quantised_gap quantised; } related;
/* Contract: equal shapes, finite numbers. */
related relation_of(weight_matrix *A, weight_matrix *B, const relation_hints *h);
/* The same of matrices that are not equal, of which max |x|, max |a - b|, the units, and whether numbers are lost are
 * known (numbers_apart.h). */
typedef struct { double most, off, units; bool lost; } known_apart;
related relation_apart(weight_matrix *A, weight_matrix *B, const relation_hints *h, const known_apart *is);
#endif
