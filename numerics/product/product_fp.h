/* product_fp.h - products of matrices of integers modulo a prime. */
#ifndef PRODUCT_FP_H
#define PRODUCT_FP_H
#include "numerics/flint_compat.h"

/* C = A B modulo their common modulus; C is another matrix than A and B. */
void product_fp(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B);
#endif
