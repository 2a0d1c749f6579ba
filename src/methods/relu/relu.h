/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu.h - one-hidden-layer ReLU networks over Q: their canonical form, and whether a skip connection can
 * be absorbed without more width.
 *
 * A network is f(x) = W2 ReLU(W1 x) + Z x on columns x, with W1 (m x in), W2 (out x m), Z (out x in).
 *
 * Canonical form.  ReLU(s u.x) = 1/2 |s| |u.x| + 1/2 s u.x, so with the neurons grouped by kink direction u
 * (first nonzero coordinate 1; w1_j = s_j u)
 *     f(x) = sum_u c_u |u.x| + L x,     c_u = sum_j 1/2 |s_j| w2_j,     L = Z + 1/2 W2 W1.
 * Sound: equal (u, c_u != 0) and L give equal sums.  Complete: the odd part of f is L x, which fixes L; and
 * the |u.x| of different directions are linearly independent, for at a point of the hyperplane u.x = 0 that
 * lies on no other one, every other |v.x| is smooth and |u.x| is not.  So equal functions have equal forms.
 *
 * All objects are plain: *_init or a function that returns one, then *_clear.                            */
#ifndef RELU_H
#define RELU_H
#include "numerics/flint_compat.h"
#include "numerics/mat.h"

typedef struct { fmpq_mat_t W1, W2, Z; } relu_net;               /* m x in, out x m, out x in             */
void relu_net_init (relu_net *f, long in, long m, long out);     /* zeros                                 */
void relu_net_clear(relu_net *f);
/* From exact matrices (over q); Z NULL is the zero matrix.  Contract: W1 (m x in), W2 (out x m). */
relu_net relu_net_of(const mat *W1, const mat *W2, const mat *Z) MUST_USE;
void relu_from_mat(fmpq_mat_t to, const mat *A);                 /* `to` has the shape of A               */

typedef struct {
    fmpq_mat_t U;                        /* kinks x in: directions, strictly ascending                    */
    fmpq_mat_t C;                        /* out x kinks: even coefficients, no zero column                */
    fmpq_mat_t L;                        /* out x in: linear part                                         */
} relu_form;
relu_form relu_form_of(const relu_net *f) MUST_USE;
void relu_form_clear(relu_form *F);
long relu_kinks(const relu_form *F);
bool relu_form_equal(const relu_form *F, const relu_form *G) MUST_USE;
bool relu_same(const relu_net *f, const relu_net *g) MUST_USE;   /* the same function, decided            */

/* ---- 0/1 solutions of a linear system over Q (relu_subset*.c) ----------------------------------------- */

/* Which columns of A (N x m) sum to b (N x 1)? */
typedef struct {
    truth    is;                         /* HOLDS: `chosen`; REFUTED, proved over Q: none; UNDECIDED: `why` */
    unsigned char *chosen;               /* m flags                                                       */
    bool       has_y;                    /* REFUTED by linear algebra over Q:                             */
    fmpq_mat_t y;                        /*   1 x N with y A = 0 and y b = 1                              */
    long     free;                       /* columns that independent equations leave free                 */
    const char *why;                     /* static text                                                   */
} subset;
/* *work: modular operations left to spend, about a nanosecond each; at 0 the answer is UNDECIDED. */
subset subset_sum(const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work) MUST_USE;
void   subset_clear(subset *S);
extern const int64_t RELU_WORK;          /* ends within some seconds                                      */

/* ---- absorption (relu_absorb.c) ----------------------------------------------------------------------- */

/* Is W2 ReLU(W1 x) + Z x = V2 ReLU(V1 x) for all x, for some V1 (m x in), V2 (out x m) of the same width?
 * See relu_absorb.c for the criterion. */
typedef struct {
    truth    is;
    bool     regular;                    /* E.1's conditions: no zero row or column, no collinear rows    */
    unsigned char *J;                    /* HOLDS by W2[:,J] W1[J,:] = -Z: m flags; else NULL             */
    fmpq_mat_t V1, V2;                   /* HOLDS: m x in, out x m; verified by the canonical form        */
    bool       has_y;                    /* REFUTED by linear algebra:                                    */
    fmpq_mat_t y;                        /*   out x in, <y, w2_j w1_j> = 0 for all j and <y, Z> = -1      */
    long     free;                       /* free columns of the system for J                              */
    long     live, cases;                /* kinks; choices (K, r) of the criterion that were looked at    */
    const char *why;                     /* how it was decided, or why not; static text                   */
} absorption;
absorption relu_absorb(const relu_net *f) MUST_USE;
void       absorption_clear(absorption *a);

/* ---- networks for tests and theorem programs (relu_draw.c) -------------------------------------------- */

/* Integers, uniform in [-bound, bound], fixed by (seed, trial, name). */
const mat *relu_draw(scope *s, const char *name, long rows, long cols, long bound);
/* W1 (m x h) and W2 (h x m) that fulfil the conditions of E.1 (redrawn until they do) and have
 * W2[:,J] W1[J,:] = T for some J of size q, h <= q <= m; q = 0: nothing is planted. */
typedef struct { const mat *W1, *W2; unsigned char *J; } relu_weights;
relu_weights relu_planted(scope *s, long h, long m, long q, const mat *T);
const mat *relu_flip(scope *s, long m, const unsigned char *J);        /* I - 2 Pi_J (m x m)              */
const mat *relu_pick(scope *s, long m, const unsigned char *J);        /* Pi_J                            */
bool relu_regular(const mat *W1, const mat *W2);                       /* the conditions of E.1           */

/* The same questions about matrices over q; a NULL skip is the zero matrix. */
bool  relu_same_function(const mat *W1, const mat *W2, const mat *Z, const mat *V1, const mat *V2, const mat *Y);
truth relu_absorbable(const mat *W1, const mat *W2, const mat *Z);
/* ... with `more` neurons more: where more < 0, REFUTED */
truth relu_absorbable_with(scope *s, const mat *W1, const mat *W2, const mat *Z, long more);
/* By trying all 2^m: how many J have W2[:,J] W1[J,:] = T?  Integers only; m <= 24. */
long  relu_count_subsets(const mat *W1, const mat *W2, const mat *T);
/* How many different matrices W2[:,J] W1[J,:] are there?  2^m at most; the same limits. */
long  relu_count_sums(const mat *W1, const mat *W2);
#endif
