/* SPDX-License-Identifier: GPL-3.0-or-later
 * degree.h - bounds on rational functions, as arith_deg.c and tape_deg.c compute with them.
 *
 * All entries of a matrix are N/(2^two delta), N with integer coefficients.  Denominators are products of factors that
 * the ledger lists, so that a sum goes over their least common multiple.  Sizes of coefficients are log2 of the sum of
 * their absolute values, which products at most multiply and sums add. */
#ifndef DEGREE_H
#define DEGREE_H
#include "numerics/arith.h"

typedef struct degrees degrees;          /* the ledger: all factors and denominators of one arith    */

/* num = -INFINITY: the zero matrix; den 0: delta = 1; opaque: depends on values of functions */
typedef struct { double num, log2num, two; long den; bool opaque; } degree;

static inline degree *degree_of(const mat *A) { return A->rep; }
degrees *degrees_of(const mat *A);       /* of its arith */

degrees *degrees_new (void);
void     degrees_free(degrees *b);
long     den_new     (degrees *b, double its_degree, double log2sum);     /* a new factor                        */
double   den_degree  (const degrees *b, long den);
double   den_log2sum (const degrees *b, long den);

degree degree_sum    (degrees *b, degree x, degree y);
degree degree_product(degrees *b, degree x, degree y);
double degree_log2_sum(double x, double y);     /* log2(2^x + 2^y) */
extern const degree degree_zero, degree_value;       /* 0; one fresh value of an opaque function   */
#endif
