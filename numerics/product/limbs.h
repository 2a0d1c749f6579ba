/* SPDX-License-Identifier: GPL-3.0-or-later
 * limbs.h - exact products of matrices of integers in limbs of 52 bits, eight columns at a time, for processors that
 * multiply such limbs (AVX-512 IFMA). */
#ifndef LIMBS_H
#define LIMBS_H
#include "numerics/product/integers.h"

enum { LIMB_BITS = 52, LIMBS_MOST = 12 };                /* of one entry of an operand */

/* What is multiplied: rows x cols integers, |x| < 2^bits. */
typedef struct {
    long rows, cols, bits;
    const void *of;
    /* The entries (i, j) ... (i, j + n - 1), in `limbs` limbs as limbs_of writes them: limb l of entry k to
     * to[l ld + k step].  May be called by several threads. */
    void (*read)(const void *of, long i, long j, long n, long limbs, uint64_t *to, long ld, long step);
} limb_matrix;

bool limbs_available(void);                              /* may limbs_product be called on this processor? */
long limbs_for(long bits);                               /* limbs of an integer below 2^bits and its sign */
long limbs_pairs(long bits_a, long bits_b);              /* products of two limbs that one such product takes */

/* C = A B, all entries exact.  False: too wide, too long or no such processor; nothing was written. */
bool limbs_product(const integer_result *C, const limb_matrix *A, const limb_matrix *B) MUST_USE;

/* The most bytes of limbs of A at a time, 256e6 at first, and a sixteenth of it of B: larger matrices are multiplied in
 * blocks of rows of A and columns of B. */
void limbs_memory(double bytes);
/* How many products were done since the program began. */
long limbs_products(void);

/* For read(): x + 2^(52 limbs - 3), where x is sign m 2^shift, |x| < 2^(52 limbs - 3), m has n limbs of 64 bits; bits
 * of x below 1 must be 0.  Limb l to to[l ld]. */
void limbs_of(const mp_limb_t *m, long n, long shift, bool negative, long limbs, uint64_t *to, long ld);

/* The same where that is one limb.  LIMBS_ABOVE: its bits above the one that makes numbers positive, and that bit. */
enum { LIMBS_ABOVE = 3 };
static inline uint64_t limbs_of_one(int64_t x) { return ((uint64_t)1 << (LIMB_BITS - LIMBS_ABOVE)) + (uint64_t)x; }
#endif
