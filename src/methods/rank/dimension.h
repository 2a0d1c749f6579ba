/* SPDX-License-Identifier: GPL-3.0-or-later
 * dimension.h - how many dimensions the functions of a transformer have: rank, nullity and gauge of one shape.
 *
 * The function of a weight vector is its logits for every sequence of n tokens.  With P parameters, the rank r of
 * the Jacobian at a random point and the rank g of the gauge's tangents there,
 *     r <= generic rank <= P - g,      so r + g = P decides the generic rank, the nullity is g.
 * The lower bound is a minor that is not 0 (src/methods/rank/jacobian.h).  The upper bound holds because the tangents
 * are null vectors at every point, by the invariances K-P3.2, N1, K-T4.2 and so on.  `null` checks it here, where
 * weights are small integers and exponentials obey exp(x + y) = exp(x) exp(y); dimension_image makes of it an identity
 * at uniform points, whose error is counted.
 *
 * Reduced families fix W_Q = I (or W_K, W_V) in some layers.  Tangents of the gauge that keep it there number g minus
 * the rank of their components in what is fixed.                                                            */
#ifndef DIMENSION_H
#define DIMENSION_H
#include "src/methods/rank/gauge_tangents.h"

typedef struct {
    shape sh;                            /* completed; act is opaque over fp whatever it is called                 */
    uint64_t without_query;              /* bit i: W_Q = I in layer i                                              */
    uint64_t without_key, without_value; /* the same of W_K and W_V; they must be square, h_kv = h                 */
    bool unit_gains;                     /* QK-norm without gain vectors                                           */
    bool folded_gains;                   /* gains of norms are 1: what reads them took them; a tied head keeps its */
    bool frozen_query;                   /* layers of without_query keep a random W_Q, fixed: one factor is spent  */
    bool only_query_key;                 /* all but W_Q and W_K is fixed                                           */
    unsigned gauge;                      /* factors of the group; 0 = GAUGE_ALL                                    */
    long sequences;                      /* at most so many different ones; 0 = enough                             */
} dimension_of;

typedef struct {
    truth is;                            /* UNDECIDED: `why`; else HOLDS                                           */
    const char *why;
    long parameters, rank, gauge;        /* P; r; g (of the tangents that fix what is fixed)                       */
    bool null;                           /* J N' = 0 (over arb: every entry's ball contains 0)                      */
    long fixed_directions;               /* rank of the tangents' components in what is fixed                      */
    uint64_t prime;                      /* of fp; 0 over arb                                                      */
} dimension;

/* over: fp (any prime) or arb.  Everything random comes from (seed, stream). */
dimension dimension_find(const arith *over, const dimension_of *what, uint64_t seed, uint64_t stream);

/* over s, a scope over fp or deg: J N' C, C random with two columns, for uniform weights; functions answer afresh
 * (numerics/record/tape.h).  It is 0 if the tangents are null vectors.  `fixed`: the tangents' components in what is
 * fixed, or NULL.  of_all is NULL, and s UNDECIDED, where the tape has no such function. */
typedef struct { const mat *of_all, *fixed; } gauge_image;
gauge_image dimension_image(scope *s, const dimension_of *what);

/* The nullity that the closed formulas predict for the family with all W_Q; -1: none covers this shape. */
long nullity_predicted(const shape *sh, bool unit_gains);
/* The dimensions of functions that the closed formulas predict to be lost with W_Q = I in so many layers, gains of
 * norms free; -1: none covers this shape.  Layers that share a block are one. */
long deficit_predicted(const shape *sh, bool unit_gains, long layers);
/* P of a shape: what is stored, biases and gains included. */
long parameters_stored(const shape *sh, bool unit_gains);

/* "all-skip+tied+rope": a residual pattern and switches joined by +; sets them in *sh.  NULL, or what is wrong. */
const char *architecture_parse(shape *sh, bool *unit_gains, const char *text) MUST_USE;
extern const char architecture_words[];  /* all that architecture_parse knows, for help                            */
#endif
