/* SPDX-License-Identifier: GPL-3.0-or-later
 * residues.h - integers by their residues modulo small primes, in doubles: the border between exact and BLAS.
 *
 * Let p_1 ... p_P be odd primes with M = p_1 ... p_P.  An integer X with |X| < M/4 is given by its residues, and where
 * X = sum_k a_k b_k the residues of a_k and b_k, taken in (-p/2, p/2), give sums that a double holds exactly:
 * terms (p/2)^2 <= 2^52.  So each residue of a matrix product is one product of doubles, by BLAS, without any rounding.
 *
 * Integers are read and written as digits to the base 2^24.
 * Source: Doliskani, Giorgi, Lebreton, Schost, Simultaneous conversions with the residue number system using linear
 * algebra, ACM Trans. Math. Softw. 44, 2018 (both conversions as matrix products). */
#ifndef RESIDUES_H
#define RESIDUES_H
#include "src/base/base.h"

enum { DIGIT_BITS = 24, LANES = 8,
       CHUNK = 256,                      /* integers converted at a time                         */
       PITCH = CHUNK + LANES };          /* an odd number of cache lines: rows do not evict each other */

typedef struct residue_system {
    long    primes, digits;              /* P; digits of M                                       */
    double *p, *reciprocal;              /* P each                                               */
    double *power;                       /* power[i * read + d] = 2^(24 d) mod p_i, in (-p/2, p/2) */
    long    read;                        /* the most digits that can be split                    */
    double *cofactor_inverse;            /* (M/p_i)^-1 mod p_i, in (-p/2, p/2)                   */
    double *cofactor_digit;              /* [i * digits + d]: digit d of M/p_i; row P: of M      */
    long    key_bits, key_terms, key_read;
    struct residue_system *next;
} residue_system;

/* The system for sums of `terms` products that are less than 2^bits in size, of integers of at most `read` digits.  It
 * is made once, belongs to the suite, and may be used by several threads.  NULL: no such system, the numbers are too
 * wide. */
const residue_system *residue_system_for(long bits, long terms, long read);
void residue_systems_clear(void);        /* frees them all; nobody may use one any more          */

/* digit[d PITCH + k], |digit| < 2^24, is digit d < digits <= s->read of the k-th of n <= CHUNK integers; to[i stride +
 * k] becomes its residue modulo p_i.  n is rounded up to a multiple of LANES: both have room for that, aligned to 64
 * bytes. */
void residues_split(const residue_system *s, const double *digit, long digits, long n, double *to, long stride);

/* from[i stride + k], an integer of at most 2^52 in size, is congruent to X_k modulo p_i, |X_k| < M/4; digit[d PITCH +
 * k] becomes digit d of X_k, d < s->digits, from -2^23 to 2^23. */
void residues_join(const residue_system *s, const double *from, long stride, long n, double *digit);

/* Both conversions exist for several widths of vectors, 0 ... residues_ways() - 1 on this processor; the widest is
 * used, for tests one of at most `way`.  The integers are the same. */
long residues_ways(void);
void residues_widest(long way);
#endif
