/* SPDX-License-Identifier: GPL-3.0-or-later
 * functions.h - what a number system may provide as functions of a transformer.
 *
 * Each slot answers HOLDS, or UNDECIDED where the system has no such function.  C is fresh, as in ring.h. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H
#include "numerics/ring.h"

typedef enum { ACT_GELU, ACT_RELU, ACT_SILU, ACT_TANH, ACT_IDENTITY, ACT_OPAQUE,
               ACT_HALF_ODD    /* opaque, but phi(y) - phi(-y) = y: phi = even + y/2 */ } activation;

/* A row map sends each row of scores, restricted to its visible entries, to a row of weights;
 * entries that are not visible become 0. */
typedef enum { ROWMAP_SOFTMAX, ROWMAP_LINEAR /* the masked scores themselves */, ROWMAP_OPAQUE,
               ROWMAP_SHIFT        /* opaque, invariant under adding a constant to the row */,
               ROWMAP_STOCHASTIC   /* ROWMAP_SHIFT whose visible weights sum to 1          */ } rowmap_kind;
typedef struct {
    rowmap_kind kind;
    const unsigned char *visible;        /* rows x cols of 0 or 1, row-major; NULL = all visible */
    long scale_num, scale_den;           /* scores are multiplied by sqrt(num/den)               */
} rowmap;

/* Is entry k of the scores, row-major, visible? */
static inline bool rowmap_sees(const rowmap *how, long k) { return !how->visible || how->visible[k]; }

/* eps = 2^log2eps is added under the root.  NORM_RADIAL: opaque, rho(|x|^2) x. */
typedef enum { NORM_NONE, NORM_LAYER, NORM_RMS, NORM_OPAQUE, NORM_RADIAL } norm_kind;

/* Entrywise functions that are not defined everywhere: 1/sqrt(x) for x > 0, artanh(x) for |x| < 1. */
typedef enum { PARTIAL_RSQRT, PARTIAL_ARTANH } partial_function;

/* Where a function sits in a model.  Original and reduced model share the function at a place;
 * the backends add the row (and the column of an activation).  Blocks that share weights share
 * the layer index, hence their functions. */
enum { PLACE_ATTENTION, PLACE_MLP, PLACE_GATE, PLACE_ROUTER, PLACE_FINAL, PLACE_QUERY, PLACE_KEY };
typedef struct { int layer, sublayer, head; } place;

typedef struct {
    truth (*phi)   (mat *C, const mat *A, activation kind, place at);                       /* entrywise */
    truth (*rowmap)(mat *C, const mat *A, const rowmap *how, place at);                     /* each row  */
    truth (*norm)  (mat *C, const mat *A, norm_kind kind, long log2eps, place at);          /* each row  */
    /* RoPE: row t, columns (2i, 2i+1), by the angle t 10000^(-2i/cols).  Over fp and q, which have no sines: a random
     * rational rotation per pair to the power t. */
    truth (*rotate)(mat *C, const mat *A);
    /* C (n x 2k): cos of the angles position[t] theta^(-i/k) / divide[i] in columns i < k, their sines in columns
     * k + i; divide NULL: all 1.  NULL: no such functions. */
    truth (*angles)(mat *C, const long *position, double theta, const double *divide);
    /* UNDECIDED: an entry may lie outside the domain.  NULL: no such functions. */
    truth (*partial)(mat *C, const mat *A, partial_function kind);
} function_table;
#endif
