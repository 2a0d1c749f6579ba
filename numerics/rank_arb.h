/* SPDX-License-Identifier: GPL-3.0-or-later
 * rank_arb.h - a certified lower bound of the rank of a matrix of balls. */
#ifndef RANK_ARB_H
#define RANK_ARB_H
#include "numerics/flint_compat.h"

/* A number r such that every real matrix in A, m x n, has rank r or more: pivots that are certainly not 0.  For
 * matrices whose exact rank shows in `prec` bits it is that rank.  A keeps its value. */
slong rank_arb(const arb_mat_t A, slong prec);
#endif
