/* SPDX-License-Identifier: GPL-3.0-or-later
 * expression.h - random expressions over matrices, and random blocks of transformers, as lists of steps.
 *
 * One list is evaluated over any arithmetic of the suite (expression_value) and over numbers modulo a prime
 * (expression_numbers), which share no code.  Sizes are names, so that one list has a value at all sizes.        */
#ifndef EXPRESSION_H
#define EXPRESSION_H
#include "numerics/mat.h"
#include "src/model/model.h"
#include "tests/support/numbers.h"

typedef enum { X_DRAW, X_IDENTITY, X_ONES, X_ADD, X_SUB, X_MUL, X_HADAMARD, X_SCALE_ROWS, X_TIMES, X_T, X_INV, X_COLS, X_ROWS,
               X_HCAT, X_VCAT, X_BLOCKDIAG, X_PHI, X_ROWMAP, X_NORM, X_ROTATE, X_OPS } operation;
typedef enum { S_ONE, S_N, S_D, S_DK, S_HDK, S_M, SIZES } size_name;       /* h = 2, h dk = 2 dk                   */

typedef struct {
    operation op;
    int     a, b;                        /* earlier steps, or -1                                                  */
    size_name rows, cols;
    int     name;                        /* X_DRAW: which of its shape                                            */
    int     half;                        /* X_COLS, X_ROWS: 0 or 1, of h dk                                       */
    int     kind;                        /* of the activation, the row map or the norm                            */
    int     mask;                        /* X_ROWMAP: 0 all visible, 1 causal, 2 + 3 i + j causal but for (i, j)   */
    long    scale;                       /* X_ROWMAP: a square                                                    */
    long    log2eps;                     /* X_NORM                                                                */
    int     log2scale;                   /* X_DRAW                                                                */
    int64_t c;                           /* X_TIMES: c 2^e                                                        */
    long    e;
    place   at;
} step;

enum { MOST_STEPS = 160 };
typedef struct { step at[MOST_STEPS]; int n; } expression;                 /* its value is that of the last step  */

/* Random expressions; each uses the counter of numbers.h.  False: it would have more than MOST_STEPS.             */
void expression_random(expression *x);
/* A block of two heads, and the same in other bases: an identity that the papers' constructions consist of.      */
void expression_block(expression *x, expression *rewritten);
/* x by other steps, nearly all of them equalities of matrices: (AB)C = A(BC), A = A T T^-1, ...; false: too long. */
bool expression_rewritten(expression *to, const expression *x) MUST_USE;
/* One step that the value depends on becomes another; returns what was changed, or NULL where nothing could be.  */
const char *expression_changed(expression *to, const expression *x);

const mat *expression_value(scope *s, const shape *sh, const expression *x);
/* At n = 3, d = 5, m = 6 and the given dk, 2 or 4; false: something singular is inverted. */
bool expression_numbers(numbers *to, const expression *x, long dk) MUST_USE;
void expression_print(FILE *f, const expression *x);
/* The hypotheses that a derivation may need, as parts declare them: "invertible d_d; ...". */
extern const char expression_assumes[];
#endif
