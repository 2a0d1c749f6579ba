/* product_arb.h - products of matrices of balls. */
#ifndef PRODUCT_ARB_H
#define PRODUCT_ARB_H
#include "numerics/flint_compat.h"

/* C = A B in balls of `prec` bits; C is another matrix than A and B.  Midpoints are multiplied exactly and rounded
 * once; every entry of C encloses all products of points of A and B. */
void product_arb(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec);
#endif
