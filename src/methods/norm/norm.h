/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm.h - LayerNorm, RMSNorm and their inverses, for the claims of Appendix C.
 *
 * The papers write vectors as columns; here a batch of vectors x_1 .. x_n is the matrix X (n x d) of
 * rows, so that x -> M x is X -> X M'.  H = {z : 1'z = 0}, P = I - 11'/d its projector, epsilon = 2^-17:
 *     L(x) = P x / sqrt(|P x|^2/d + eps)        LayerNorm without gain; its image is {z in H : |z| < sqrt d}
 *     N(x) =   x / sqrt(  |x|^2/d + eps)        RMSNorm   without gain; its image is {z      : |z| < sqrt d}
 *     back(z) = sqrt(d eps / (d - |z|^2)) z     the inverse of N, and of L on H.
 * Over F_p and sym, which have no roots, both directions are opaque radial functions rho(|x|^2) x with rho
 * of their own: what holds there holds for any radial pair.  sym has no projector either: its X stands for
 * vectors of H in an orthonormal basis of H.                                                              */
#ifndef NORM_H
#define NORM_H
#include "src/claim/check.h"
#include "src/claim/shapes.h"

enum { NORM_LOG2_EPS = -17 };

/* Shapes of programs in which only d matters. */
#define NORM_SIZE(width)  { .sh = RELU_SHAPE(1, width, 1, 1) }
#define NORM_LARGE(width) { .sh = RELU_SHAPE(1, width, 1, 1), .large = true }

/* A square of side d of the papers acts on rows. */
const mat *norm_apply(scope *s, const mat *M, const mat *X);         /* X M', (n x c) from M (c x d)        */
const mat *norm_gain(scope *s, const mat *A);                        /* v = A^-T 1, d x 1                   */
/* A random A with A^-T 1 = v, v (d x 1) with v_1 = 1: its first row is what A'v = 1 asks for. */
const mat *norm_planted(scope *s, const char *name, const mat *v);
const mat *norm_d_eps(scope *s, long d);                             /* d eps, 1 x 1                        */
const mat *norm_plane(scope *s, long d);                             /* d x (d-1), columns e_j - e_d; d > 1 */

const mat *norm_layer(scope *s, const mat *X);                       /* L, row by row                       */
const mat *norm_rms  (scope *s, const mat *X);                       /* N, row by row                       */
/* back, row by row.  Checks that every row lies in the open ball of radius sqrt d; where one does not, the
 * check is refuted and the result is zero, for nothing is mapped there. */
const mat *norm_back (trial *t, const mat *Z);

/* W2 phi(W1 x), row by row; W1 (m x d), W2 (c x m). */
const mat *norm_mlp(scope *s, const mat *W1, const mat *W2, activation phi, const mat *X);
/* Five vectors of length about 2^-14, 2^-7, 1, 2^7, 2^14. */
const mat *norm_inputs(scope *s, const char *name, long d);
/* A random rational orthogonal U with U 1 = 1 (Cayley's, of a skew matrix that kills 1); over sym any. */
const mat *norm_rotation(scope *s, const char *name, long d);

/* A random Sigma with Sigma H in H and Sigma 1 = 0, of norm well below 1 (over sym: any matrix). */
const mat *norm_map(scope *s, const char *name, long d);
/* n x 1, random between 1/2 and 3/2. */
const mat *norm_near_one(scope *s, const char *name, long n);
/* A random Sigma of norm at most 3/4 that maps H into H and is no multiple of an isometry for d > 2:
 * 3/8 (U + V), U and V rotations. */
const mat *norm_contraction(scope *s, const char *name, long d);
/* For y in H: back(Sigma L(y)) = c Sigma y.  c^2, row by row, from |y|^2 and |Sigma y|^2 (n x 1), as L and back are
 * defined and before anything is simplified: (1/r) d eps / (d - |Sigma y|^2/r), r = |y|^2/d + eps. */
const mat *norm_factor_square(scope *s, long d, const mat *y2, const mat *Sy2);

/* At y in H of lengths of about 2^-24, 2^-17, 2^-10 (the last has |y|^2 of about d eps/(8 d)), squared:
 *     1 - |y|^2/(denominator d eps) < alpha < 1,        alpha^2 = norm_factor_square.
 * Checks |y|^2 < denominator d eps and |Sigma y| < |y|, too; Sigma (d x d) maps H into H. */
void norm_claim_small(trial *t, const mat *Sigma, long denominator);

/* The spectral norm of N (k x d), from G = N'N by squaring: with p = 2^7,
 *     |N|^2 <= (tr G^p)^(1/p) <= d^(1/p) |N|^2,
 * so `square` is an upper bound, too large by at most 3.4 % for d <= 64; `along` is a vector (1 x d) of
 * length 1 that N stretches by nearly |N|.  Needs roots; UNDECIDED where N = 0. */
typedef struct { const mat *square, *along; } norm_top;
norm_top norm_largest(scope *s, const mat *N);
/* The checks |N along|^2 > 9/10 square, so that square^(-1/2) is below 1/|N| by less than 6 %, and |along| = 1. */
void norm_claim_top(trial *t, const mat *N, norm_top top);
/* Is some row of A a multiple of 1'?  Exactly decided only over q; elsewhere only where its variance is exactly 0. */
bool norm_degenerate(scope *s, const mat *A);

/* ---- how often has A^-T 1 one sign?  (norm_signs.c) -------------------------------------------------- */

/* Of `draws` matrices A (d x d, d <= 8) with independent N(0, 1) entries, replayed from the key: how many
 * have A^-T 1 > 0 or A^-T 1 < 0 entrywise. */
long norm_one_signed(const uint64_t key[2], long d, long draws);
/* Of the 2^d matrices S A, S a diagonal of signs: how many (S A)^-T 1 have one sign?  Needs an order; d <= 8. */
long norm_one_signed_flips(scope *s, const mat *A);
#endif
