/* SPDX-License-Identifier: GPL-3.0-or-later
 * inverse_fp.h - the inverse of a matrix over F_p, by products. */
#ifndef INVERSE_FP_H
#define INVERSE_FP_H
#include "numerics/flint_compat.h"
#include "src/base/base.h"

/* C = A^-1 (n x n, over the same prime; C may be A); false: A is singular, and C is then undefined. */
bool inverse_fp(nmod_mat_t C, const nmod_mat_t A) MUST_USE;
#endif
