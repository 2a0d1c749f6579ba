/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith.h - a number system: a ring, functions of a model over it, and what may be concluded from its answers.
 *
 * A theorem is written once, against mat.h; which numbers it runs on is the arith its scope was
 * opened with.  Each backend is one file that fills the two tables:
 *
 *   f64     doubles; products by BLAS, inverses by LAPACK         approximate
 *   mpfr:n  n-bit floats of GNU MPFR, correctly rounded           approximate, n at will
 *   arb:n   n-bit balls of Arb                                    enclosures: disjoint = refuted
 *   fp:p    integers modulo a prime p < 2^62, by FLINT            exact
 *   q       rational numbers, by FLINT                            exact
 *   sym     linear combinations of words in named matrices        a proof, for all sizes
 *
 * and three that record a run instead of computing with numbers:
 *
 *   deg     bounds on degree and height of each entry as a rational function of the weights: the error bound of fp
 *   term    the steps of a run, for certificates
 *   tape    numbers of fp, deg or arb that remember how they were made, for derivatives (record/tape.h)
 *
 * What only one backend answers is declared in a header of its own: arith_arb.h, f64_error.h, symbolic/arith_sym.h,
 * record/arith_deg.h, record/arith_term.h, record/tape.h. */
#ifndef ARITH_H
#define ARITH_H
#include "numerics/functions.h"
#include "numerics/ring.h"

#define ORTHOGONAL_NAME "orthogonal:"    /* what the name of an orthogonal draw begins with, for symbols   */

/* The first six are those that evidence is recorded for.  A tape has the kind of its base. */
typedef enum { A_F64, A_MPFR, A_ARB, A_FP, A_Q, A_SYM, ARITHS, A_DEG = ARITHS, A_TERM } arith_kind;

enum {                                   /* traits: properties that several kinds share          */
    EXACT    = 1 << 0,                   /* equality is decided                                  */
    RIGOROUS = 1 << 1,                   /* REFUTED is a proof of inequality over the reals      */
    ORDERED  = 1 << 2,                   /* has <, so ReLU means ReLU                            */
    HAS_EXP  = 1 << 3,                   /* has exp and sqrt, so softmax means softmax           */
    OPAQUE   = 1 << 4,                   /* activations, row maps and norms are uninterpreted    */
    SYMBOLIC = 1 << 5,                   /* HOLDS is a proof for all sizes; never refutes        */
    BOUNDED  = 1 << 6,                   /* doubles whose errors are bounded entry by entry      */
};

struct arith {
    const char *name;                    /* "arb", as in reports                                 */
    arith_kind  kind;
    unsigned    traits;
    long        bits;                    /* precision of mpfr and arb, 53 for f64, else 0        */
    uint64_t    prime;                   /* of fp, else 0                                        */
    double      default_log2bound;       /* what checks pass to mat_compare                      */
    uint64_t    key[2];                  /* of the opaque functions and random rotations         */
    void       *state;                   /* the backend's own, freed by close                    */
    void (*close)(arith *R);             /* may be NULL                                          */
    ring_table     ring;
    function_table functions;
};

arith arith_f64 (void);
/* The same with a bound on the error of each entry: REFUTED is a proof up to what f64_error.h assumes. */
arith arith_f64_bounded(void);
/* The same, its errors enclosed by balls of that many bits: tight at every depth, and as slow as arb. */
arith arith_f64_enclosed(long bits);                             /* 24 <= bits <= 65,536         */
arith arith_mpfr(long bits);                                     /* 24 <= bits <= 65,536 * 16    */
arith arith_arb (long bits);                                     /* 24 <= bits <= 65,536         */
/* Draws, functions and rotations are salted with the prime: two primes are two independent experiments. */
arith arith_fp  (uint64_t p, const uint64_t key[2]);
arith arith_q   (const uint64_t key[2]);
arith arith_sym (void);
arith arith_deg (void);
void  arith_close(arith *R);             /* frees the state; all scopes over R must be closed    */
#endif
