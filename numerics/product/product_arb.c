/* product_arb.c - see product_arb.h.
 *
 * With A = m_A + e_A, |e_A| <= r_A entry by entry, and B likewise,
 *   A B = m_A m_B + E,   |E| <= (|m_A| + r_A) r_B + r_A |m_B|.
 * m_A m_B is a product of integers: row i of m_A is made whole by one power of 2, column j of m_B by another, so that
 * no bit is lost.  The bound is two products of doubles.  Where the exponents of a row or column are so far apart that
 * the integers would be too wide, where something is not finite, and where the matrices are small, Arb's own product
 * is used. */
#include "numerics/product/product_arb.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/plain.h"
#include "numerics/product/dyadic.h"
#include "numerics/product/workspace.h"
#include "src/base/base.h"

static const long FAR = 1l << 40;                        /* exponents beyond are left to Arb */

static bool get_midpoint(dyadic *x, const void *of, long i, long j)
{
    arf_srcptr m = arb_midref(arb_mat_entry((const arb_mat_struct *)of, i, j));
    *x = (dyadic){ 0 };
    if (arf_is_zero(m)) return true;
    if (!arf_is_finite(m) || COEFF_IS_MPZ(ARF_EXP(m)) || labs(ARF_EXP(m)) > FAR) return false;
    mp_srcptr limb;
    mp_size_t n;
    ARF_GET_MPN_READONLY(limb, n, m);
    *x = (dyadic){ limb, n, ARF_EXP(m), ARF_SGNBIT(m) };
    return true;
}

typedef struct { arb_mat_struct *C; slong prec; } rounded;

static void write_ball(void *of, long i, long j, const mpz_t X, long unit)
{
    const rounded *to = of;
    arb_ptr c = arb_mat_entry(to->C, i, j);
    const bool inexact = arf_set_round_mpz(arb_midref(c), X, to->prec, ARF_RND_DOWN);
    arf_mul_2exp_si(arb_midref(c), arb_midref(c), unit);
    if (inexact) arf_mag_set_ulp(arb_radref(c), arb_midref(c), to->prec);
    else         mag_zero(arb_radref(c));
}

/* The radii of one operand: those of each line are at most 2^top. */
typedef struct {
    const dyadic_lines *L;
    const arb_mat_struct *A;
    long *top;
    bool  exact;                         /* all are 0 */
} radii;

static bool open_radii(radii *r, const dyadic_lines *L, const arb_mat_t A)
{
    const long lines = L->by_column ? arb_mat_ncols(A) : arb_mat_nrows(A);
    *r = (radii){ L, A, must_calloc((size_t)lines, sizeof *r->top), true };
    for (long k = 0; k < lines; k++) r->top[k] = LONG_MIN;
    for (long i = 0; i < arb_mat_nrows(A); i++)
        for (long j = 0; j < arb_mat_ncols(A); j++) {
            mag_srcptr x = arb_radref(arb_mat_entry(A, i, j));
            const long line = L->by_column ? j : i;
            if (mag_is_zero(x)) continue;
            if (mag_is_inf(x) || COEFF_IS_MPZ(MAG_EXP(x)) || labs(MAG_EXP(x)) > FAR) return false;
            if (MAG_EXP(x) > r->top[line]) r->top[line] = MAG_EXP(x);
            r->exact = false;
        }
    for (long k = 0; k < lines; k++) if (r->top[k] == LONG_MIN) r->top[k] = L->top[k];
    return true;
}

/* ---- radii ------------------------------------------------------------------------------------------------- */

/* 2^k, -1022 <= k <= 1023 */
static double power_of_2(long k)
{
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* mantissa 2^(exponent - e), which is at most 2; 0 where it is less than 2^-968. */
static double scaled(uint64_t mantissa, long exponent, long e)
{
    const long by = exponent - e;
    return by < -1000 ? 0 : (double)mantissa * power_of_2(by);
}

static double radius_of(arb_srcptr x, long e)
{
    return scaled(MAG_MAN(arb_radref(x)), MAG_EXP(arb_radref(x)) - MAG_BITS, e);
}

static double size_of(arb_srcptr x, long e)              /* its highest 32 bits, rounded up */
{
    arf_srcptr m = arb_midref(x);
    if (arf_is_zero(m)) return 0;
    mp_srcptr limb;
    mp_size_t n;
    ARF_GET_MPN_READONLY(limb, n, m);
    return scaled((limb[n - 1] >> 32) + 1, ARF_EXP(m) - 32, e);
}

/* |m_ij|, r_ij or |m_ij| + r_ij, times 2^-e of the line; e: the exponents of the lines. */
typedef enum { SIZES, RADII, BOTH } bounds;
static double *bounds_of(const radii *r, bounds which, long *e)
{
    const long rows = arb_mat_nrows(r->A), cols = arb_mat_ncols(r->A), lines = r->L->by_column ? cols : rows;
    for (long k = 0; k < lines; k++)
        e[k] = which == SIZES || (which == BOTH && r->L->top[k] > r->top[k]) ? r->L->top[k] : r->top[k];
    double *x = workspace_take((size_t)(rows * cols));
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++) {
            const long line = r->L->by_column ? j : i;
            arb_srcptr a = arb_mat_entry(r->A, i, j);
            x[i * cols + j] = (which == RADII ? 0 : size_of(a, e[line])) + (which == SIZES ? 0 : radius_of(a, e[line]));
        }
    return x;
}

/* r(C_ij) += (X Y)_ij for the bounds X of A and Y of B.  All numbers are at most 4; what was taken for 0, and what
 * underflows, adds less than K 2^-960 to a sum; a sum of K < 2^20 rounded terms is at least 1 - 2^-30 of the true
 * one. */
static void add_radii(arb_mat_t C, const radii *A, bounds of_a, const radii *B, bounds of_b)
{
    const long m = arb_mat_nrows(C), n = arb_mat_ncols(C), K = arb_mat_ncols(A->A);
    long *e = must_calloc((size_t)(m + n), sizeof *e);
    double *X = bounds_of(A, of_a, e), *Y = bounds_of(B, of_b, e + m), *Z = workspace_take((size_t)(m * n));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)K, 1, X, (int)K, Y, (int)n, 0, Z,
                (int)n);
    mag_t r;
    mag_init(r);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            mag_set_d_2exp_fmpz(r, Z[i * n + j] * (1 + 0x1p-29) + (double)K * 0x1p-960, &(fmpz){ e[i] + e[m + j] });
            mag_add(arb_radref(arb_mat_entry(C, i, j)), arb_radref(arb_mat_entry(C, i, j)), r);
        }
    mag_clear(r);
    workspace_give(X);
    workspace_give(Y);
    workspace_give(Z);
    free(e);
}

/* (|m_A| + r_A) r_B + r_A |m_B| */
static void propagate(arb_mat_t C, const radii *A, const radii *B)
{
    if (!B->exact) add_radii(C, A, A->exact ? SIZES : BOTH, B, RADII);
    if (!A->exact) add_radii(C, A, RADII, B, SIZES);
}

/* ---- choice ------------------------------------------------------------------------------------------------ */

/* Nanoseconds for a multiply-add of Arb's own product, as measured at 64 to 512 bits for n = 32 to 256. */
static double cost_of_arb(slong prec) { return 8 + 0.04 * (double)prec; }

void product_arb(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    const dyadic_matrix a = { arb_mat_nrows(A), arb_mat_ncols(A), A, get_midpoint },
                        b = { arb_mat_nrows(B), arb_mat_ncols(B), B, get_midpoint };
    dyadic_lines la = { 0 }, lb = { 0 };
    radii ra = { 0 }, rb = { 0 };
    bool done = false;
    if (!plain_only() && a.rows * a.cols * b.cols >= 4096 && a.cols < 1 << 20 && dyadic_lines_open(&la, &a, false) &&
        dyadic_lines_open(&lb, &b, true) && open_radii(&ra, &la, A) && open_radii(&rb, &lb, B)) {
        done = dyadic_product(&(dyadic_result){ &(rounded){ C, prec }, write_ball }, &la, &lb, cost_of_arb(prec));
        if (done) propagate(C, &ra, &rb);
    }
    free(ra.top);
    free(rb.top);
    dyadic_lines_close(&la);
    dyadic_lines_close(&lb);
    if (!done) arb_mat_mul(C, A, B, prec);
}
