/* SPDX-License-Identifier: GPL-3.0-or-later
 * symmetry_parts.h - a part of A beside that of B, and lines of numbers against their images.
 *
 * b, an entry of B stored once, is within ROUNDING_UNITS of its image: |b - image| <= 1.1 (u |b| + least).  Where b is
 * a sum of products, each of them is rounded once to the coarser type, and sums are added up in float32, or in the type
 * if it is finer: with L1 the sum of the absolute values of the terms of that entry and L2 the root of the sum of their
 * squares, that explains, beside u |b|,
 *   u min(L1, 3 L2) + min(u, 2^-24) L1:
 * roundings of n terms do not all have one sign, and 3 L2 is five times the standard deviation of their sum. */
#ifndef CHECKPOINT_SYMMETRY_PARTS_H
#define CHECKPOINT_SYMMETRY_PARTS_H
#include "src/checkpoint/relation.h"

typedef struct { const transformer *A, *B; } symmetry_pair;

typedef struct { weight_matrix a, b; rounding by; } beside;

/* A bias that one of the two does not have is zero.  False: neither has it, or the shapes differ. */
bool beside_open(const symmetry_pair *p, tensor_role role, long layer, beside *m);
beside beside_zeros(const beside *like);                 /* 1 x its columns, not rounded                        */
void beside_free(beside *m);

/* Factors, and products with them: of doubles, with more bits where the machine has them. */
typedef long double factor;
bool is_power_of_two(factor x);
/* Of images in doubles the means, products and differences are computed in the type itself and rounded, too. */
double times_computed(double unit);
double products_explain(const rounding *by, double sum, double squares);        /* L1, L2^2                    */

/* ---- factors ----------------------------------------------------------------------------------------------------- */

typedef struct { factor low, high; } factor_range;       /* of factors that entries allow                       */
#define ANY_FACTOR ((factor_range){ -INFINITY, INFINITY })
/* b = a c, or a / c, up to off. */
void   factor_narrow(factor_range *c, factor a, factor b, double off, bool inverse);
void   factor_meet(factor_range *c, factor_range x);
/* 1 where that is one of them, a power of two where there is one, else the middle; 0: there are none. */
factor factor_in(const factor_range *c);

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Entries of B less those of the image of A: |by - v slope| <= allowed (u |b| + apart), for one v.
 *
 * Where v is not 0, before is added: roundings of the image before it was moved, and of v slope.  And the constant must
 * not excuse what it hides: with rest = image / slope and e = by / slope / allowed, both less their means, which is
 * what the line is without any constant, and a rounding of it, may_k = u max(|rest_k|, 1.48 median |rest|) + apart_k /
 * |slope_k|,
 *   |e_k| <= 4 may_k,   rms (e / may) <= 1:
 * the line as a whole is rounded as if it had none.  u: a rounding to the type. */
typedef struct { long n; double u; factor *by, *slope, *image; double *size, *allowed, *before, *apart; } line_pair;
line_pair line_pair_new(long n, double u);
void      line_pair_free(line_pair *l);
factor    line_pair_mean(const line_pair *l);            /* of image / slope                                    */
/* v: 0, or the line is moved; of the worst entry */
typedef struct { bool holds; factor v; double units, allowed; } line_answer;
line_answer line_pair_answer(const line_pair *l, bool constant);         /* without: v = 0                      */

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* v W + b, column by column: the sum of its terms, of their absolute values and of their squares. */
typedef struct { long n; factor *is; double *size, *squares; } column_sums;
column_sums column_sums_new(long n, const double *b);    /* of W = 0                                            */
column_sums column_sums_of(weight_matrix *W, const double *v, const double *b);
void        column_sums_free(column_sums *s);
#endif
