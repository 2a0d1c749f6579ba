/* SPDX-License-Identifier: GPL-3.0-or-later
 * integers.h - exact products of matrices of integers of any width, by residues and BLAS. */
#ifndef INTEGERS_H
#define INTEGERS_H
#include <gmp.h>
#include "src/base/base.h"

/* What is multiplied: rows x cols integers, |x| < 2^bits. */
typedef struct {
    long rows, cols, bits;
    const void *of;
    /* The entries (i, j) ... (i, j + n - 1) as `digits` digits to the base 2^24, each with the sign of its entry:
     * digit d of entry k to to[d ld + k].  May be called by several threads. */
    void (*read)(const void *of, long i, long j, long n, long digits, double *to, long ld);
} integer_matrix;

/* Where the product goes: entry (i, j) is the integer whose size has the `limbs` limbs x, least first, some of the
 * highest may be 0.  May be called by several threads, once for each entry. */
typedef struct {
    void *of;
    void (*write)(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative);
    void (*soon)(void *of, long i, long j, long n);      /* these will be written soon; NULL: nobody asks */
} integer_result;

/* C = A B, all entries exact.  False: too wide or too long, nothing was written. */
bool integers_product(const integer_result *C, const integer_matrix *A, const integer_matrix *B) MUST_USE;
/* How many products of doubles that takes; 0: too wide. */
long integers_primes(const integer_matrix *A, const integer_matrix *B);

/* The most bytes of residues of A at a time, 256e6 at first, and an eighth of it of B and of C: larger matrices are
 * multiplied in blocks of rows of A and columns of B. */
void integers_memory(double bytes);
/* How many products were done since the program began. */
long integers_products(void);

/* For read(): the digits of sign m 2^shift, where m has n limbs; bits below 1 must be 0. */
void integers_digits(const mp_limb_t *m, long n, long shift, bool negative, long digits, double *to, long ld);
#endif
