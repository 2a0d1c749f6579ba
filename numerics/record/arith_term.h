/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_term.h - what a body computed, as a list of steps; see arith_term.c. */
#ifndef ARITH_TERM_H
#define ARITH_TERM_H
#include "numerics/arith.h"

typedef enum { TERM_MATRIX, TERM_IDENTITY, TERM_ONES, TERM_COLUMNS, TERM_SUM, TERM_PRODUCT, TERM_TRANSPOSE,
               TERM_INVERSE, TERM_VALUE } term_op;

/* What is known of a function; the model it belongs to decides. */
enum { TERM_HALF_ODD = 1, TERM_SHIFT_INVARIANT = 2, TERM_STOCHASTIC = 4 };

typedef struct {
    term_op op;
    long    rows, cols;
    long    a, b;                        /* operands, earlier steps; -1: none                               */
    long    name;                        /* MATRIX, VALUE: which matrix or function, see term_name          */
    long    from;                        /* COLUMNS: from .. from + cols - 1 of the identity of size rows   */
    int64_t ca, cb;                      /* SUM: (ca a + cb b) 2^e, b may be -1                             */
    long    e;
} term_step;

typedef struct { const term_step *at; long n; const char *failed; } term_list;   /* failed: NULL, or what is missing */
term_list   term_steps(const arith *R);              /* valid while no step is added                                 */
const char *term_name(const arith *R, term_op op, long name);
unsigned    term_facts(const arith *R, long name);   /* of a function                                                */
long        term_of(const mat *A);                   /* the step that made A; -1: the zero matrix                    */

arith arith_term(void);
#endif
