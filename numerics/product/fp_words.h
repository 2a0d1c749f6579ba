/* SPDX-License-Identifier: GPL-3.0-or-later
 * fp_words.h - products of matrices modulo p on processors that multiply words of 16 bits (AVX2), by residues modulo
 * primes below 2^13. */
#ifndef FP_WORDS_H
#define FP_WORDS_H
#include <stdbool.h>
#include "numerics/flint_compat.h"

/* May the function below be called on this processor, modulo p?  p < 2^61, prime or not. */
bool fp_words_available(mp_limb_t p);

/* C = A B modulo their common modulus; all entries of A and B are below it.  C is another matrix than A and B.  The
 * same bits with any number of threads. */
void fp_words_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B);
#endif
