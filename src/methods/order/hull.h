/* SPDX-License-Identifier: GPL-3.0-or-later
 * hull.h - is a point a convex combination of others?  Decided by an exact linear program, with a certificate.
 *
 * Points are rows.  z lies in the convex hull of the rows of X if and only if  lambda X = z, lambda 1 = 1 for some
 * lambda >= 0; otherwise some column w separates them: (z - x_j) w > 0 for every j (Farkas).  The program finds one
 * of the two over Q, by the simplex method with Bland's rule, which cannot cycle.  No answer rests on it: what it
 * found is checked afterwards, exactly over q, and in balls over arb.                                     */
#ifndef HULL_H
#define HULL_H
#include "src/methods/order/order.h"

typedef struct {
    truth      is;                       /* HOLDS: lambda; REFUTED: w                                     */
    fmpq_mat_t lambda, w;                /* 1 x n and d x 1; of the other nothing but zeros               */
} hull;
/* X (n x d), z (1 x d) rational. */
hull hull_decide(const fmpq_mat_t X, const fmpq_mat_t z) MUST_USE;
void hull_clear(hull *h);

/* Every row of Z (m x d) lies in the convex hull of the rows of X (n x d).
 *   over q    each is decided, inside or outside
 *   over arb  refuted if a row is separated in balls; else B (m x n) is the certificate: B >= 0, B 1 = 1 and
 *             B X = Z are claimed.  */
void claim_in_hull(trial *t, const mat *X, const mat *Z, const mat *B);
/* Some row of Z lies outside. */
void claim_outside_hull(trial *t, const mat *X, const mat *Z);
#endif
