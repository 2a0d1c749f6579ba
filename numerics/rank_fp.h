/* SPDX-License-Identifier: GPL-3.0-or-later
 * rank_fp.h - the rank of a matrix over F_p. */
#ifndef RANK_FP_H
#define RANK_FP_H
#include "numerics/flint_compat.h"

/* The rank of A, m x n, whose entries are below its modulus, a prime.  A keeps its value. */
slong rank_fp(const nmod_mat_t A);
#endif
