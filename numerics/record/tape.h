/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape.h - the arithmetic `tape`: numbers of a base arithmetic (fp, deg or arb) that remember how they were made, so
 * that derivatives follow by reverse mode (Griewank & Walther, Evaluating Derivatives, 2008, chapter 3).
 *
 * A scope opened with tape_over runs anything that is written against mat.h, including src/model/model.c.  Then
 * tape_backward gives d<seed, Y>/dA for every matrix A at once, where <,> is the sum of entrywise products.
 *
 * Over arb the functions are the real ones: softmax, GELU, square roots.  Over fp:
 *   activation   an opaque function: value and derivative are keyed random residues, one pair per argument
 *   norm         x -> rho(|x|^2) x (LayerNorm: of the centred row), rho opaque like an activation
 *   softmax      through a formal exponential exp(l) = g^(kappa l), exp' = exp, g a random residue and kappa l read as
 *                an integer between -p/2 and p/2.  Where kappa l is a small integer this turns sums into
 *                products, as exp does; elsewhere it is a fresh unit for each argument (src/methods/rank/jacobian.h
 *                explains why both are needed)
 *   RoPE         pair f of row t turned by the power (f + 1) t of (3 + 4i)/5
 *   draws        uniform integers between -range and range, but not -1
 * Scores are not scaled by dk^-1/2: that only rescales W_Q.  Inverses are UNDECIDED.
 *
 * With `afresh` draws are those of the base, uniform over F_p, and each call of a function gives
 * each entry new uniform values, whatever its argument: for identities that hold point by point.  Then everything is a
 * polynomial in independent uniform residues, and the same run over deg bounds the error (arith_deg.c).
 *
 * All matrices belong to their scopes; a tape must outlive its scopes and is freed by arith_close.            */
#ifndef TAPE_H
#define TAPE_H
#include "numerics/mat.h"

typedef struct { uint64_t key[2]; int64_t range, kappa; bool afresh; } tape_rules;   /* of fp; range, kappa >= 1  */
/* base must outlive the tape; contract: base is fp, arb, or deg with how.afresh */
arith tape_over(const arith *base, tape_rules how);

/* Steps recorded so far; forget all after `mark` before the matrices they name are freed. */
long tape_mark  (const arith *R);
void tape_forget(const arith *R, long mark);
/* Gradients of <seed, Y> with respect to everything on the tape; seed over the base, of Y's shape. */
void tape_backward(const arith *R, const mat *Y, const mat *seed);
/* That of A, over the base; NULL where Y does not depend on A.  Lives until the next tape_backward. */
const mat *tape_gradient(const mat *A);
const mat *tape_value(const mat *A);                       /* over the base; lives as long as A                  */

/* ---- what a base must provide beyond its tables; tape_fp.c, tape_deg.c and tape_arb.c ------------------------- */
typedef struct {
    /* Each answers HOLDS, or UNDECIDED where the base has no such function.  Y, S, slope are fresh, over the base. */
    truth (*phi)    (const tape_rules *how, mat *Y, mat *slope, const mat *A, activation kind);
    truth (*softmax)(const tape_rules *how, mat *S, const mat *A, const unsigned char *visible);
    /* rho and rho' of s = |x|^2 (rows x 1), for rows of the given width */
    truth (*radial) (const tape_rules *how, mat *rho, mat *slope, const mat *s, norm_kind kind, long width,
                     long log2eps);
    truth (*rotate) (mat *Y, const mat *A, bool back);     /* back: by the opposite angles                       */
    void  (*draw)   (const tape_rules *how, mat *A, const drawing *d);
} tape_functions;
extern const tape_functions tape_fp, tape_deg, tape_arb;
#endif
