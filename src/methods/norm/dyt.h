/* SPDX-License-Identifier: GPL-3.0-or-later
 * dyt.h - Dynamic Tanh, T(x) = gamma o tanh(alpha o x) + beta, on rows (see norm.h), and when Theta passes through it.
 *
 * T'(f(x)) = Theta T(x) has a solution f iff Theta maps the open box that is the image of T into that of T':
 *     |o_i| + sum_j |Theta_ij| |gamma_j| <= |gamma'_i| for all i,      o = beta' - Theta beta,
 * and then f_i(x) = artanh((Theta T(x) - beta')_i/gamma'_i)/alpha'_i.  All needs an order; T and f need roots.   */
#ifndef DYT_H
#define DYT_H
#include "src/methods/norm/norm.h"

typedef struct { const mat *gamma, *alpha, *beta; } dyt;             /* d x 1 each                            */
/* Gains of alternating sign near 1, alpha near 1, beta of order 1. */
dyt dyt_random(scope *s, const char *name, long d);
/* T' with the given o (d x 1) and |gamma'| = tenths/10 of the smallest that the condition allows. */
dyt dyt_target(scope *s, const mat *Theta, const dyt *T, const mat *o, long tenths);
const mat *dyt_apply(scope *s, const dyt *T, const mat *X);          /* T, row by row                         */
/* f, row by row.  Checks that every row of Theta T(x) lies in the box of T'; where one does not, the check is
 * refuted and the result is zero. */
const mat *dyt_solve(trial *t, const mat *Theta, const dyt *T, const dyt *to, const mat *X);
/* Lengths of about 2^-14, 2^-7, 2, and last x near the corners where row 1 of Theta (T(x) - beta)
 * is largest and smallest. */
const mat *dyt_inputs(scope *s, const mat *Theta);
/* +-1 in row i and column i + 1 (mod d), times numbers near 1; d > 1. */
const mat *dyt_monomial(scope *s, long d);

/* diag(gamma' o alpha')^-1 Theta diag(gamma o alpha): f itself where f is affine and keeps 0. */
const mat *dyt_slopes(scope *s, const mat *Theta, const dyt *T, const dyt *to);

/* The corners gamma o sigma of the box of T, sigma one of 2^d sign vectors, d <= 8: how many does Theta map beyond the
 * closed box of T' (`outside`), and how many rows are reached: |(Theta T - beta')_i| >= |gamma'_i| at some corner. */
typedef struct { long all, outside, rows; } dyt_corners;
dyt_corners dyt_count(scope *s, const mat *Theta, const dyt *T, const dyt *to);
#endif
