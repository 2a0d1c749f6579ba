/* product_fp.c - see product_fp.h.
 *
 * The representatives in (-p/2, p/2) are multiplied as integers, and the exact product is reduced.  This is the one
 * place where a product modulo p is chosen: a faster one of FLINT's own would go here. */
#include "numerics/product/product_fp.h"
#include "numerics/plain.h"
#include "numerics/product/integers.h"
#include "src/base/base.h"

static void read_residues(const void *of, long i, long j, long n, long digits, double *to, long ld)
{
    const nmod_mat_struct *A = of;
    const mp_limb_t p = A->mod.n;
    for (long k = 0; k < n; k++) {
        const mp_limb_t x = nmod_mat_entry(A, i, j + k), size = x > p / 2 ? p - x : x;
        integers_digits(&size, 1, 0, x > p / 2, digits, to + k, ld);
    }
}

static void write_residue(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative)
{
    nmod_mat_struct *C = of;
    mp_limb_t r = 0;
    for (long k = limbs; k-- > 0;) NMOD_RED2(r, r, x[k], C->mod);
    nmod_mat_entry(C, i, j) = negative ? nmod_neg(r, C->mod) : r;
}

/* Faster from this size on, as measured. */
static const long SMALLEST = 48;

void product_fp(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    const long bits = (long)FLINT_BIT_COUNT(A->mod.n / 2);
    const integer_matrix a = { nmod_mat_nrows(A), nmod_mat_ncols(A), bits, A, read_residues },
                         b = { nmod_mat_nrows(B), nmod_mat_ncols(B), bits, B, read_residues };
    const bool large = a.rows >= SMALLEST && a.cols >= SMALLEST && b.cols >= SMALLEST;
    const bool done = !plain_only() && large && integers_product(&(integer_result){ C, write_residue }, &a, &b);
    if (!done) nmod_mat_mul(C, A, B);
}
