/* SPDX-License-Identifier: GPL-3.0-or-later
 * product_fp.c - see product_fp.h.
 *
 * By residues the representatives in (-p/2, p/2) are multiplied as integers, and the exact product is reduced.  This is
 * the one place where a product modulo p is chosen: a faster one of FLINT's own would go here. */
#include "numerics/product/product_fp.h"
#include <stdatomic.h>
#include "numerics/plain.h"
#include "numerics/product/fp_lanes.h"
#include "numerics/product/fp_words.h"
#include "numerics/product/integers.h"
#include "numerics/product/residues.h"
#include "src/base/base.h"

static void read_residues(const void *of, long i, long j, long n, long digits, double *to, long ld)
{
    const nmod_mat_struct *A = of;
    const mp_limb_t p = A->mod.n, *row = &nmod_mat_entry(A, i, j);
    for (long d = 0; d < digits; d++)
        for (long k = 0; k < n; k++) {
            const mp_limb_t size = row[k] > p / 2 ? p - row[k] : row[k];
            const double digit = (double)(int64_t)(size >> (DIGIT_BITS * d) & ((1u << DIGIT_BITS) - 1));
            to[d * ld + k] = row[k] > p / 2 ? -digit : digit;
        }
}

static void write_residue(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative)
{
    nmod_mat_struct *C = of;
    mp_limb_t r = 0;
    while (limbs && !x[limbs - 1]) limbs--;
    for (long k = limbs; k-- > 0;) NMOD_RED2(r, r, x[k], C->mod);
    nmod_mat_entry(C, i, j) = negative ? nmod_neg(r, C->mod) : r;
}

/* Nanoseconds measured on one thread of a processor with AVX-512, modulo 2^61 - 1: to convert an entry of an operand
 * and one of the result, and what a multiply-add takes less than FLINT's.  Products of one word are left to FLINT. */
static bool residues_pay(const integer_matrix *A, const integer_matrix *B)
{
    const double m = (double)A->rows, K = (double)A->cols, n = (double)B->cols, IN = 9, OUT = 40, GAIN = 0.6;
    return A->bits > 31 && IN * (m * K + K * n) + OUT * m * n < GAIN * m * K * n;
}

/* Of the same kind; columns come by eights. */
static bool lanes_pay(const nmod_mat_t A, const nmod_mat_t B)
{
    const double m = (double)nmod_mat_nrows(A), K = (double)nmod_mat_ncols(A), n = (double)nmod_mat_ncols(B);
    const long eights = (nmod_mat_ncols(B) + 7) / 8;
    const double wide = 8 * (double)eights;
    const double CALL = 500, IN = 1.2, OUT = 4, OP = 0.13, FLINT_OP = 1.3;
    return CALL + IN * (m * K + K * wide) + OUT * m * wide + OP * m * K * wide < FLINT_OP * m * K * n;
}

/* Likewise, measured on one thread of a Zen 4; rows come by sixes, columns by sixteens.  Where entries are thin FLINT
 * takes up to five times as long. */
static bool words_pay(const nmod_mat_t A, const nmod_mat_t B)
{
    const long sixes = (nmod_mat_nrows(A) + 5) / 6, sixteens = (nmod_mat_ncols(B) + 15) / 16;
    const double m = (double)nmod_mat_nrows(A), K = (double)nmod_mat_ncols(A), n = (double)nmod_mat_ncols(B);
    const double high = 6 * (double)sixes, wide = 16 * (double)sixteens;
    const double CALL = 1200, IN = 2.2, OUT = 5.5, OP = 0.12, FLINT_OP = 0.7;
    const double ours = CALL + IN * (high * K + K * wide) + OUT * high * wide + OP * high * K * wide;
    return A->mod.n >> 32 && ours < FLINT_OP * m * K * n;
}

/* ---- small ones --------------------------------------------------------------------------------------------- */

enum { SMALL = 1000, COLUMNS = 4 };                      /* multiply-adds; columns at a time */

static mp_limb_t reduced(unsigned __int128 x, nmod_t F)
{
    return n_ll_mod_preinv((mp_limb_t)(x >> 64), (mp_limb_t)x, F.n, F.ninv);
}

/* Row i of C, `some` entries from j on: a constant wherever this is called.  What is kept and 16 products of numbers
 * below 2^62 are less than 2^128. */
static inline void small_entries(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B, slong i, slong j, const int some)
{
    const mp_limb_t *a = &nmod_mat_entry(A, i, 0);
    unsigned __int128 sum[COLUMNS] = { 0 };
    for (slong k = 0; k < nmod_mat_ncols(A); k++) {
        const mp_limb_t *b = &nmod_mat_entry(B, k, j);
        #pragma GCC unroll 4
        for (int c = 0; c < some; c++) sum[c] += (unsigned __int128)a[k] * b[c];
        if (k % 16 == 15)
            for (int c = 0; c < some; c++) sum[c] = reduced(sum[c], C->mod);
    }
    for (int c = 0; c < some; c++) nmod_mat_entry(C, i, j + c) = reduced(sum[c], C->mod);
}

/* Without the transpose of B and the table of its columns that FLINT makes first. */
static void multiply_small(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    for (slong i = 0; i < nmod_mat_nrows(A); i++) {
        slong j = 0;
        for (; j + COLUMNS <= nmod_mat_ncols(B); j += COLUMNS) small_entries(C, A, B, i, j, COLUMNS);
        for (; j < nmod_mat_ncols(B); j++) small_entries(C, A, B, i, j, 1);
    }
}

static bool is_small(const nmod_mat_t A, const nmod_mat_t B)
{
    return A->mod.n <= (mp_limb_t)1 << 62 && nmod_mat_nrows(A) * nmod_mat_ncols(A) * nmod_mat_ncols(B) <= SMALL;
}

static atomic_long by_lanes, by_words;
static atomic_bool narrow;

long product_fp_by_lanes(void)     { return by_lanes; }
long product_fp_by_words(void)     { return by_words; }
void product_fp_narrow(bool is_so) { narrow = is_so; }

bool product_fp_by_residues(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    const long bits = (long)FLINT_BIT_COUNT(A->mod.n / 2);
    const integer_matrix a = { nmod_mat_nrows(A), nmod_mat_ncols(A), bits, A, read_residues },
                         b = { nmod_mat_nrows(B), nmod_mat_ncols(B), bits, B, read_residues };
    const integer_result c = { C, write_residue, NULL };
    return residues_pay(&a, &b) && integers_product(&c, &a, &b);
}

void product_fp(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    if (plain_only()) {
        nmod_mat_mul(C, A, B);
    } else if (!narrow && fp_lanes_available(A->mod.n) && lanes_pay(A, B)) {
        fp_lanes_product(C, A, B);
        by_lanes++;
    } else if (fp_words_available(A->mod.n) && words_pay(A, B)) {
        fp_words_product(C, A, B);
        by_words++;
    } else if (is_small(A, B)) {
        multiply_small(C, A, B);
    } else if (!product_fp_by_residues(C, A, B)) {
        nmod_mat_mul(C, A, B);
    }
}
