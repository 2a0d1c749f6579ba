/* SPDX-License-Identifier: GPL-3.0-or-later
 * product_fp.h - products of matrices of integers modulo a prime. */
#ifndef PRODUCT_FP_H
#define PRODUCT_FP_H
#include "numerics/flint_compat.h"
#include "src/base/base.h"

/* C = A B modulo their common modulus; C is another matrix than A and B. */
void product_fp(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B);

/* For tests: the portable way alone, false where it would not pay and nothing was written; and how many products
 * product_fp did by fp_lanes_product and by fp_words_product since the program began. */
bool product_fp_by_residues(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B) MUST_USE;
long product_fp_by_lanes(void);
long product_fp_by_words(void);

/* For tests and benches: from now on product_fp chooses as on a processor without AVX-512, or again as on this one. */
void product_fp_narrow(bool is_so);
#endif
