/* SPDX-License-Identifier: GPL-3.0-or-later
 * fp_lanes.h - products of matrices modulo p on processors that multiply limbs of 52 bits (AVX-512 IFMA and VNNI),
 * eight columns side by side. */
#ifndef FP_LANES_H
#define FP_LANES_H
#include <stdbool.h>
#include "numerics/flint_compat.h"

/* May the function below be called on this processor, modulo p?  p < 2^61, prime or not. */
bool fp_lanes_available(mp_limb_t p);

/* C = A B modulo their common modulus; all entries of A and B are below it.  C is another matrix than A and B.  The
 * same bits with any number of threads. */
void fp_lanes_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B);
#endif
