/* SPDX-License-Identifier: GPL-3.0-or-later
 * jacobian.h - the rank of the parameter Jacobian of a family of functions: how many dimensions the family has.
 *
 * A family is a text over mat.h that computes an output from parameter matrices and a sample.  It runs over a tape
 * (numerics/record/tape.h); each row of the Jacobian is the gradient of one random linear functional of the output at
 * one sample.
 *
 * What a rank means.  r independent rows found over F_p are a minor that is not 0 mod p, so it is not 0 as a formal
 * expression in weights, values and derivatives of the opaque functions and formal exponentials: the generic rank
 * is at least r, with certainty.  Values and derivatives of a smooth function at different points are free
 * (Hermite interpolation), so some activation attains it, and almost every one does.  Exponentials are
 * free if their arguments are linearly independent over Q modulo constants (Ax, Annals of Mathematics 93,
 * 1971, theorem 3); a stack of layers adds one field extension after the other.  Scores of the first layer of a token
 * model are not independent, (E_t + P_i) M (E_s + P_j)' has rectangles of relations; for them weights are
 * small integers and exp(l) = g^(kappa l), which respects every relation (tested as
 * src/methods/rank/exponential_independence.h says).  Over arb a minor of the real functions is not 0.
 * The upper bound is another matter: null vectors that are known in advance, src/methods/rank/gauge_tangents.h.    */
#ifndef JACOBIAN_H
#define JACOBIAN_H
#include "numerics/record/tape.h"

enum { MAX_PARAMETERS = 4096 };
typedef struct {
    const mat *W;                        /* over the tape                                                        */
    bool diagonal;                       /* only its diagonal is free                                            */
    bool frozen;                         /* fixed: not counted; its columns come last                           */
    long at, size;                       /* first column, number of columns                                      */
} parameter;
typedef struct { parameter at[MAX_PARAMETERS]; long n, free, frozen; } parameters;  /* free, frozen: columns      */

void parameters_add  (parameters *P, const mat *W, bool diagonal, bool frozen);  /* NULL and known ones: no-op    */
void parameters_add_all(parameters *P, long n, const mat *const W[], bool frozen);
void parameters_place(parameters *P);                        /* gives every parameter its columns                 */
const parameter *parameters_find(const parameters *P, const mat *W);             /* NULL: it is none              */

typedef const mat *family_output(scope *tape, const void *family, long sample);
typedef struct {
    const parameters *P;
    family_output *output;
    const void *with;
    long samples, per_sample;            /* different samples; functionals of the output at each                 */
} family;

/* (samples * per_sample) x (P->free + P->frozen), over base->R; UNDECIDED where the tape's functions are.  `tape`
 * holds the parameters; what the family computes lives in a scope of its own. */
const mat *jacobian(scope *base, scope *tape, const family *F);

/* Rank over fp; over arb the number of pivots that are certainly not 0, a lower bound.  -1 and UNDECIDED elsewhere. */
long rank_at_least(scope *s, const mat *A);
#endif
