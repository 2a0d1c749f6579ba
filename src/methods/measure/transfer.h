/* SPDX-License-Identifier: GPL-3.0-or-later
 * transfer.h - the basis transfer of Appendix D at random weights: closed forms of its errors, and the errors.
 *
 * Target T(x) = W2 GELU(W1 x) + Z x (or less x), width m = 4h; the entries of W1, W2 are N(0, 1/(4h)), those of
 * Z are N(0, 1/h), those of x N(0, 1).
 * Two models, neither of them trained:
 *   linear     the best linear map, W2 W1/2 + Z, for E GELU'(s) = 1/2 (Stein); what is missing is W2 g(W1 x),
 *              GELU(s) = s/2 + g(s);
 *   untrained  the width-4h model of k_appd_new.c; what is missing is W2 g(W1 x) over the h neurons left out, those
 *              with the least |w2|^2 E g(s)^2.
 * With S = W1 W1' and K_ij = E g(s_i) g(s_j) (gaussian_even of S) every second moment is a sum over pairs of neurons,
 *     E |missing|^2 = sum (W2'W2)_ij K_ij,     E |T|^2 = sum (W2'W2)_ij K_ij + |W2 W1/2 + Z|_F^2,
 * exact for the drawn weights.  For large h they lose them: see transfer_limit.                             */
#ifndef TRANSFER_H
#define TRANSFER_H
#include "numerics/measure.h"
#include "src/claim/check.h"

typedef struct {
    long h;
    const mat *W1, *W2, *Z;              /* 4h x h, 4h x h (W2's columns as rows), h x h (acting on rows)    */
} transfer;                              /* neurons in descending order of |w2|^2 E g(s)^2                   */
transfer transfer_draw(scope *s, gsl_rng *r, long h);

typedef enum { LINEAR_MAP, UNTRAINED, TRANSFER_MODELS } transfer_model;
/* |missing|/|T| over all x, E missing.T / E |T|^2, and 1 - cos(T, model). */
typedef struct { double error, overlap, cosine; } distance;

/* Closed forms for the drawn weights, for the targets Z x ([0]) and Z x - x ([1], less_x below). */
void   transfer_closed(scope *s, const transfer *T, distance of[2][TRANSFER_MODELS]);
/* |missing|/|T| for large h: sqrt(G/(G + 1/16 + 1 (+ 1))), G = E g(s)^2 at variance 1/4; UNTRAINED half of it. */
double transfer_limit(transfer_model which, bool less_x);

/* What a model with `slope` in place of 1/2 (linear map) does to `inputs` x, in batches. */
enum { TRANSFER_BATCHES = 16 };
typedef struct {
    double error[TRANSFER_BATCHES], cosine[TRANSFER_BATCHES];
    double along[TRANSFER_BATCHES];      /* coefficient of W2 W1 x/2 in what is missing; 0 at the optimum    */
} transfer_sample;
transfer_sample transfer_run(scope *s, gsl_rng *r, const transfer *T, bool less_x, transfer_model which, double slope,
                             long inputs);
#endif
