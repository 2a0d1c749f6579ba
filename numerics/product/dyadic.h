/* dyadic.h - exact products of matrices of floating-point numbers of any precision.
 *
 * Each row of A and each column of B (a line) is made whole by a power of 2 of its own, so that no bit is lost: the
 * product is one of integers.  Lines whose exponents are far apart make wide integers; where they are too wide the
 * answer is no, and the caller takes the libraries' own product. */
#ifndef DYADIC_H
#define DYADIC_H
#include <gmp.h>
#include "src/base/base.h"

/* A number: its sign, times 0.m as a binary fraction of n limbs, the highest bit set, times 2^exponent; n = 0: zero. */
typedef struct { const mp_limb_t *m; long n, exponent; bool negative; } dyadic;

typedef struct {
    long rows, cols;
    const void *of;
    bool (*get)(dyadic *x, const void *of, long i, long j);      /* false: not finite, or an exponent beyond 2^40 */
} dyadic_matrix;

/* Takes the product at (i, j), X 2^unit.  Called by several threads, once for each entry. */
typedef struct {
    void *of;
    void (*write)(void *of, long i, long j, const mpz_t X, long unit);
} dyadic_result;

/* The powers of the lines of one operand. */
typedef struct {
    const dyadic_matrix *A;
    bool  by_column;                     /* the lines are columns                                   */
    long *unit;                          /* entries of line k are integers times 2^unit[k]          */
    long *top;                           /* and less than 2^top[k] in size; both 0: only zeros      */
    long  bits;                          /* the largest top - unit                                  */
} dyadic_lines;

bool dyadic_lines_open(dyadic_lines *L, const dyadic_matrix *A, bool by_column) MUST_USE;   /* false: see get */
void dyadic_lines_close(dyadic_lines *L);                    /* may be called on a zeroed one */

/* C = A B, where that should be faster than `nanoseconds` for each multiply-add; false: nothing was written. */
bool dyadic_product(const dyadic_result *C, const dyadic_lines *A, const dyadic_lines *B, double nanoseconds) MUST_USE;
#endif
