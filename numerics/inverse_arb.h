/* SPDX-License-Identifier: GPL-3.0-or-later
 * inverse_arb.h - the certified inverse of a matrix of balls. */
#ifndef INVERSE_ARB_H
#define INVERSE_ARB_H
#include "numerics/flint_compat.h"
#include "src/base/base.h"

/* From this size on approximate products and an enclosure of the residual are cheaper than Arb's own inverse. */
enum { INVERSE_ARB_PRODUCTS = 32 };

/* C: balls that hold the inverse of every real matrix in A (n x n; C may be A); each of these is invertible.
 * false: no such proof was found, as where A holds a singular matrix or an entry is not finite; C is then undefined. */
bool inverse_arb(arb_mat_t C, const arb_mat_t A, slong prec) MUST_USE;

/* The same by products alone, whatever the size; false where Arb's inverse may still succeed. */
bool inverse_arb_by_products(arb_mat_t C, const arb_mat_t A, slong prec) MUST_USE;
#endif
