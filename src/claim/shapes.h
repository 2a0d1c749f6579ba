/* SPDX-License-Identifier: GPL-3.0-or-later
 * shapes.h - initialisers that many theorems share: shapes that are less than a whole transformer, and the arithmetics
 * that a part leaves out.  All are constant initialisers, for the tables of a claim:
 *     static const shape_case sizes[] = { { .sh = RELU_SHAPE(3, 2, 6, 4) }, ... };
 *     { .name = "as-stated", RATIONALS_ONLY("ranks are decided exactly"), ... }                                  */
#ifndef SHAPES_H
#define SHAPES_H
#include "src/claim/claim.h"

/* Attention alone: `tokens` rows of `width`; the MLP and the vocabulary are not used. */
#define ATTENTION_SHAPE(tokens, width, heads, layers, seen) \
    { .n = tokens, .d = width, .h = heads, .m = 1, .V = 1, .L = layers, .mask = seen }
/* One MLP from `width` to `classes`; where it does not say otherwise, from `width` to itself. */
#define MLP_SHAPE(tokens, width, neurons, classes) \
    { .n = tokens, .d = width, .h = 1, .m = neurons, .V = classes, .L = 1 }
/* The same with what q can compute: all arithmetics speak of one shape. */
#define RELU_SHAPE(tokens, width, neurons, classes) \
    { .n = tokens, .d = width, .h = 1, .m = neurons, .V = classes, .L = 1, .act = ACT_RELU, \
      .attention = ROWMAP_LINEAR, .scale_num = 1, .scale_den = 1 }
/* A whole transformer whose dimensions are all different: for ranks of its Jacobian. */
#define RANK_SHAPE(width, heads, layers) \
    { .n = 3, .d = width, .h = heads, .m = width + 1, .V = width + 2, .L = layers, .act = ACT_GELU }

#define RATIONALS_ONLY(why)   .without = "f64 mpfr arb fp sym", .why_without = why
#define PRIME_FIELD_ONLY(why) .without = "f64 mpfr arb q sym", .why_without = why
#define BALLS_ONLY(why)       .without = "f64 mpfr fp q sym", .why_without = why
#define EXACT_ONLY(why)       .without = "f64 mpfr arb sym", .why_without = why      /* fp and q */
#define REALS_ONLY(why)       .without = "fp q sym", .why_without = why              /* f64, mpfr and arb */
#define NOT_RATIONALS(why)    .without = "q", .why_without = why
#define NOT_SYMBOLIC(why)     .without = "sym", .why_without = why
#define NO_ROOTS              NOT_RATIONALS("q has no square roots")

/* Ranks of Jacobians over a prime field, and how they decide. */
#define RANKS_OVER_FIELD PRIME_FIELD_ONLY("ranks over F_p, where activations and exponentials are formal")
#define BY_TWO_RANKS "two ranks; each a minor not 0 modulo a prime that meets independent gauge tangents"
#define BY_A_MINOR   "a minor not 0 modulo a prime (certain) meets independent gauge tangents"
/* A part about ranks that is decided at one small shape. */
#define RANKS_AT_ONE_SHAPE RANKS_OVER_FIELD, .basis = BY_TWO_RANKS, .no_minimal = true, .no_large = true, \
    .nshapes = 1, .shapes = (const shape_case[]){ \
        { .sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2, .mask = MASK_CAUSAL, .act = ACT_GELU } } }
#endif
