/* SPDX-License-Identifier: GPL-3.0-or-later
 * dyadic.h - exact products of matrices of floating-point numbers of any precision.
 *
 * Each row of A and each column of B (a line) is made whole by a power of 2 of its own, so that no bit is lost: the
 * product is one of integers.  Lines whose exponents are far apart make wide integers; where they are too wide the
 * answer is no, and the caller takes the libraries' own product. */
#ifndef DYADIC_H
#define DYADIC_H
#include <gmp.h>
#include "src/base/base.h"

/* A number: its sign, times 0.m as a binary fraction of n limbs, the highest bit set, times 2^exponent; n = 0: zero.
 * Its error is at most radius 2^radius_exponent, radius < 2^30. */
typedef struct {
    const mp_limb_t *m;
    long n, exponent, radius_exponent;
    uint32_t radius;
    bool negative;
    mp_limb_t own;                       /* room for one limb that is m: such a number is not copied */
} dyadic;

typedef struct {
    long rows, cols;
    const void *of;
    /* x[k] = entry (i, j + k), k < n.  false: one is not finite, or has an exponent beyond 2^40.  Called by several
     * threads. */
    bool (*get)(dyadic *x, const void *of, long i, long j, long n);
    /* Where it is not NULL, entry (i, j) is whole[i pitch + j] 2^exponent, which get says, too. */
    const int64_t *whole;
    long exponent, pitch;
} dyadic_matrix;

/* Takes the product at (i, j), the integer of these n limbs, the highest not 0, and this sign, times 2^unit; n = 0:
 * zero.  Called by several threads, once for each entry. */
typedef struct {
    void *of;
    void (*write)(void *of, long i, long j, const mp_limb_t *x, long n, bool negative, long unit);
    void (*soon)(void *of, long i, long j, long n);      /* the entries (i, j + k), k < n, will be soon; or NULL */
} dyadic_result;

/* What a product must know of the lines of one operand. */
typedef struct {
    const dyadic_matrix *A;
    bool  by_column;                     /* the lines are columns                                   */
    long *unit;                          /* entries of line k are integers times 2^unit[k]          */
    long *top;                           /* and less than 2^top[k] in size; both 0: only zeros      */
    long *radius_top;                    /* radii are less than 2^radius_top[k]; top[k]: all are 0  */
    long  bits;                          /* the largest top - unit                                  */
    bool  exact;                         /* all radii are 0                                         */
    /* Where they are not NULL, dyadic_product() fills them, row by row: upper bounds of |x|, or where with_radius of
     * |x| + r, times 2^-size_top, and of r times 2^-radius_top, of the line; 0 where that is less than 2^-968. */
    double *size, *radius;
    long  *size_top;                     /* the larger of top and radius_top where with_radius, top else */
    bool   with_radius;
} dyadic_lines;

bool dyadic_lines_open(dyadic_lines *L, const dyadic_matrix *A, bool by_column) MUST_USE;   /* false: see get */
void dyadic_lines_close(dyadic_lines *L);                    /* may be called on a zeroed one */

/* How integers are multiplied: the cheaper way that this processor has; by residues (integers.h), the only one without
 * AVX-512 IFMA; or by limbs (limbs.h).  The last two are for tests and benchmarks, which compare them. */
typedef enum { DYADIC_CHEAPEST, DYADIC_RESIDUES, DYADIC_LIMBS } dyadic_way;
void dyadic_force(dyadic_way way);       /* for all products from now on; DYADIC_CHEAPEST at first */

/* C = A B, where that should take less than `nanoseconds`; false: nothing was written. */
bool dyadic_product(const dyadic_result *C, const dyadic_lines *A, const dyadic_lines *B, double nanoseconds) MUST_USE;
#endif
