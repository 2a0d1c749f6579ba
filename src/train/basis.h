/* SPDX-License-Identifier: GPL-3.0-or-later
 * basis.h - the basis transfer of the first paper's Appendix D: an MLP with a skip learns what another one with a
 * skip does in a changed basis.
 *
 *     target   Y(x) = W2 GELU(W1 x) + Z x,  or less x;  4 d neurons;  x ~ N(0, I)
 *     student  P(x) = V2 GELU(V1 x) + x,    m neurons
 * The entries of W1 and W2 are N(0, 1/(4 d)), those of Z are N(0, 1/d): the papers' normalization is lost in their
 * texts, and this one gives the numbers that they report (N14).  Formula (3) of 003 is less x; the errors of 003 and
 * 000 are those of the target without it, the errors of 001 those of the target with it.
 * The trained model is compared with two others: the best linear map, by ridge regression on samples, and the untrained
 * closed form of theorems/k_appd_new.c.
 * A sample is a place in one of three Philox streams; batches, fits and tests are ranges of places, so nothing is
 * stored and no sample is seen twice.                                                                       */
#ifndef TRAIN_BASIS_H
#define TRAIN_BASIS_H
#include "src/train/net.h"

typedef struct {
    long d, m;                           /* width, a multiple of 4; the student's neurons               */
    bool less_x;
    bool shuffled;                       /* control: Y belongs to another x, so that nothing can be learned */
} basis_shape;
const char *basis_shape_check(const basis_shape *c);           /* NULL, or what is wrong                */
char *basis_shape_print(const basis_shape *c);                 /* to be freed                           */

typedef enum { SAMPLES_TRAIN, SAMPLES_FIT, SAMPLES_TEST, SAMPLES_OTHER, SAMPLE_STREAMS } sample_stream;

typedef struct basis_task basis_task;
/* A target and a student with initial values from `seed`, samples from `data_seed`; works on `rows` samples at a time.
 * Dies when there is no memory. */
basis_task *basis_create(const basis_shape *c, const ops *o, long rows, uint64_t seed, uint64_t data_seed);
void   basis_free  (basis_task *M);
net   *basis_net (basis_task *M);        /* the student: "up" m x d, "down" d x m                       */
/* W1 (4d x d), W2 (d x 4d), L = Z or Z - I (d x d), row by row */
typedef struct { const double *W1, *W2, *L; } basis_target;
basis_target basis_target_of(const basis_task *M);
void   basis_set_target(basis_task *M, const basis_target *T);      /* another one than the drawn            */
/* x and y (n x d), n samples from place `first`, as the student sees them. */
void   basis_samples(basis_task *M, sample_stream s, uint64_t first, long n, double *x, double *y);

/* Relative squared error sum |P - Y|^2 / (n E|Y|^2) over n samples from place `first`; adds factor times its gradient
 * to the gradients when factor is not 0. */
double basis_loss(basis_task *M, sample_stream s, uint64_t first, long n, double factor);

/* Puts the closed form into the student's weights: exact for m = 5 d; for m = 4 d without the d neurons that matter
 * least.  Contract: m is one of the two. */
void basis_construct(basis_task *M);
/* The linear map A of least |A X - Y|^2 + lambda |A|^2 over the first n >= d samples of SAMPLES_FIT. */
void basis_fit_linear(basis_task *M, long n, double lambda);

typedef enum { MODEL_STUDENT, MODEL_LINEAR } basis_model;
typedef struct {
    double error;                        /* sqrt(sum |P - Y|^2 / sum |Y|^2)                             */
    double sample_error, cosine;         /* means over samples of |P - Y| / |Y| and of 1 - cos(P, Y)    */
} basis_distance;
/* Over n samples of SAMPLES_TEST from place `first`.  MODEL_LINEAR: after basis_fit_linear. */
basis_distance basis_measure(basis_task *M, basis_model which, uint64_t first, long n);
#endif
