/* SPDX-License-Identifier: GPL-3.0-or-later
 * ring.h - what a number system must provide as a ring: once per matrix operation.
 *
 * Only mat.c calls the slots; it has checked shapes and that all operands share the arith, so backends need not.
 * C is always fresh (the zero matrix) and never aliases an operand. */
#ifndef RING_H
#define RING_H
#include <gmp.h>
#include "src/base/base.h"

typedef struct arith arith;
typedef struct mat   mat;

/* Of what something was computed: numbers of mat_mark.  Those from ORIGINS on have a meaning of their own. */
enum { ORIGINS = 256, MARK_REDUCED = ORIGINS, MARK_MODEL, MARKS = ORIGINS + 64 };
typedef struct { uint64_t bits[MARKS / 64]; } origins;
enum { CHAIN_ATTENTION, CHAIN_MLP, CHAINS };

struct mat {
    const arith *R;
    long   rows, cols;
    bool   given, drawn;                 /* a draw, or a matrix written out, entered it: mat.h; it is a draw */
    origins marks;                       /* those of all operands that entered it: mat_mark    */
    long   chain[CHAINS];                /* how many halves of layers one after another: mat_lengthen */
    void  *rep;                          /* owned by the backend                                 */
    mat   *next;                         /* owned by the scope                                   */
};

/* The answer to a mathematical question.  UNDECIDED is an answer: the balls were too wide, the
 * matrix was singular, the number system has no such function. */
typedef enum { HOLDS, REFUTED, UNDECIDED } truth;

/* Sizes are kept as log2: a gap of 2^-3000 is no double.  -INFINITY means equal. */
typedef struct {
    truth  is;
    double log2gap;        /* max |A - B| / max(|A|, |B|) over entries; for balls an upper bound */
    double log2bound;      /* what log2gap was judged against; -INFINITY for exact systems       */
} comparison;

/* Keyed description of a random matrix: entry k is a function of (key, k) alone. */
typedef enum { CORNER_NONE, CORNER_SPARSE, CORNER_REPEATED, CORNER_NEAR_SINGULAR } corner;
typedef struct {
    const char *name;                    /* "W_Q.0"; what sym calls it                           */
    uint64_t key[2];                     /* of this matrix                                       */
    int      log2scale;                  /* standard deviation 2^log2scale                       */
    corner   shape;
    long     first, pitch;               /* entry (i, j) is number first + i pitch + j; pitch 0: the columns of C */
    bool     fp32;                       /* numbers of 24 bits instead of 8, as checkpoints have  */
} drawing;

typedef struct {
    void (*init) (mat *A);                                       /* rep of a zero matrix         */
    void (*clear)(mat *A);
    void (*draw) (mat *C, const drawing *how);
    void (*set_dyadic)(mat *C, const int64_t *m, long e);        /* C_ij = m[i cols + j] 2^e     */
    bool (*get_exact)(mpq_t x, const mat *A, long i, long j);    /* false: no exact value        */
    double (*get_d)  (const mat *A, long i, long j);             /* nearest double; NaN: none    */
    void (*copy) (mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c);
                                                                 /* block of A into a zero block of C */

    void (*add)  (mat *C, const mat *A, const mat *B);
    void (*sub)  (mat *C, const mat *A, const mat *B);
    void (*mul)  (mat *C, const mat *A, const mat *B);
    void (*hadamard)  (mat *C, const mat *A, const mat *B);      /* entrywise product            */
    void (*scale_rows)(mat *C, const mat *g, const mat *A);      /* diag(g) A, g (rows x 1)      */
    void (*transpose) (mat *C, const mat *A);
    truth (*inv)   (mat *C, const mat *A);                       /* HOLDS, or UNDECIDED          */

    comparison (*compare)(const mat *A, const mat *B, double log2bound);
    truth  (*positive)(const mat *A);    /* every A_ij > 0: HOLDS; some A_ij <= 0: REFUTED; NULL: no order */
    double (*log2max)(const mat *A);     /* log2 max |A_ij|; NaN where it makes no sense         */
    double (*cond)(const mat *A, const mat *inverse);            /* f64: |A|_1 |A^-1|_1; else NULL */
    long   (*rank)(const mat *A);        /* exact systems; else NULL                             */
    truth  (*rank_at_most)(const mat *A, long r);                /* deg; else NULL               */
} ring_table;
#endif
