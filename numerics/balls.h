/* SPDX-License-Identifier: GPL-3.0-or-later
 * balls.h - matrices of balls, entry by entry: rows on all threads, byte-identical on any number of threads. */
#ifndef BALLS_H
#define BALLS_H
#include "numerics/flint_compat.h"

/* arb_mat_clear, arb_mat_neg, arb_mat_get_mid, arb_mat_add, and arb_set_round of each entry; C may be A or B. */
void balls_clear(arb_mat_t A);
void balls_neg(arb_mat_t C, const arb_mat_t A);
void balls_get_mid(arb_mat_t C, const arb_mat_t A);
void balls_add(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec);
void balls_round(arb_mat_t C, const arb_mat_t A, slong prec);
/* s_i >= sum_j |A_ij| w_j, upwards; w NULL: of ones. */
void balls_weighted_rows(mag_ptr s, const arb_mat_t A, mag_srcptr w);
/* to_j >= max_i |A_ij| */
void balls_tops_of_columns(mag_ptr to, const arb_mat_t A);
/* log2 of a bound on |A|_inf = max_i sum_j |A_ij|; -infinity: A is 0. */
double balls_log2norm(const arb_mat_t A);
#endif
