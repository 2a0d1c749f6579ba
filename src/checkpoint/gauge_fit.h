/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_fit.h - the gauge G of one head, X G = Y, fitted in doubles.  Nothing follows from a bad fit but a large
 * distance. */
#ifndef CHECKPOINT_GAUGE_FIT_H
#define CHECKPOINT_GAUGE_FIT_H
#include "numerics/mat.h"
#include "src/checkpoint/relation.h"

/* exact NULL: x.  size: what a rounding of each entry is measured by: of a product X G the norm of the row of X times
 * that of the column of G, both where the column has numbers, which is at least |X| |G|; NULL: |x|.
 * condition, terms: of the products behind x; 0: none, no sums.  units: roundings that its entries may be off, 0: of a
 * copy. */
typedef struct {
    double *x;
    long    rows, cols;
    const mat *exact;
    double *size, condition;
    long    terms;
    double  units;
} block;

/* How many roundings products may be off where a copy may be off one: of A's numbers, of B's, and of the fit, by its
 * condition; and of their sums of `terms`, where these were computed in float32, or in the type itself if that is
 * finer: 2 ROUNDING_UNITS condition (1 + sqrt(terms) min(1, 2^-24 / u)), never more than PRODUCT_UNITS. */
enum { PRODUCT_UNITS = 16 };
/* Where a factor that was fitted elsewhere was rounded itself, if it is no power of 2; no condition makes that more. */
#define FACTOR_UNITS ROUNDING_UNITS
double product_units(const rounding *r, double condition, long terms);
/* Root mean squares: off / (u size + least).  Of a matrix that is a rounded image they are at most as large as each
 * entry may be; of one that is off they do not become smaller where products have many terms. */
double rounding_units_of_all(const rounding *r, long n, const double *off, const double *size);
/* Of what a product may be off at most, its root mean square may be half. */
#define PRODUCT_SHARE 0.5
/* The tolerance of a search relative to the largest number: PRODUCT_UNITS units, at most ROUNDING_MOST. */
double search_tolerance(const rounding *r);

double block_largest(const block *b);    /* of |x|                                                      */
/* How many roundings each column of X G, or with `left` each row of G X, may be off, to be freed.  That follows from
 * what makes it: a copy where the column of G has one number, a power of 2; with `factor` more where that is another
 * number; only where it has several is anything added, and product_units are allowed, and the errors of a fit in
 * doubles. */
double *gauge_allowed(const block *X, const double *G, bool left, double factor, const rounding *r);
/* What their roundings are measured by, to be freed: see block. */
double *gauge_sizes(const block *X, const double *G, bool left);
/* Is X G, in doubles, Y up to `allowed` roundings of each entry of a column, and of all? */
bool   gauge_maps(const block *X, const double *G, const block *Y, const rounding *r, const double *allowed);
/* G (k x k), to be freed, by which X becomes Y; turning: coordinates of rotary pairs, with which it commutes; fixed:
 * G = I.  NULL: there is none. */
double *gauge_fit(const block *X, const block *Y, long turning, bool fixed, const rounding *r);
/* G[from, to] of least squares, X[:, from] G = Y[:, to], n of each; false: dependent columns. */
bool    gauge_fit_columns(const block *X, const block *Y, long n, const long *from, const long *to, double *G);
/* Root mean square of Y - X G for the G of least squares, in roundings of numbers of Y and of terms of X G: of those
 * that were rounded once each about 0.3 to 0.42 (a rounding is 0.42 u |x| on the average, 0.58 at most), whatever G is.
 * Allowances for single entries grow with the condition of G; noise does not hide behind them here.  0: undecided.
 * Contract: at least 2 rows for each column. */
#define NOISE_UNITS 0.75
double  gauge_noise(const block *X, const block *Y, const rounding *r);
bool    gauge_is_identity(const double *G, long k);
/* |G|_F |G^-1|_F / k: 1 for orthogonal ones and their multiples; infinite: singular. */
double  gauge_condition(const double *G, long k);
double *gauge_inverse_transposed(const double *G, long k);               /* to be freed; NULL: singular */
#endif
