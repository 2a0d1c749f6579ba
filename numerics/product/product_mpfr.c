/* SPDX-License-Identifier: GPL-3.0-or-later
 * product_mpfr.c - see product_mpfr.h. */
#include "numerics/product/product_mpfr.h"
#include <stdlib.h>
#include "numerics/plain.h"
#include "numerics/product/dyadic.h"

typedef struct { mpfr_srcptr entry; long cols; } floats;

static bool get_floats(dyadic *x, const void *of, long i, long j, long n)
{
    const floats *A = of;
    mpfr_srcptr a = A->entry + i * A->cols + j;
    for (long k = 0; k < n; k++, a++) {
        x[k] = (dyadic){ 0 };
        if (mpfr_zero_p(a)) continue;
        if (!mpfr_number_p(a) || labs(mpfr_get_exp(a)) > 1l << 40) return false;
        x[k] = (dyadic){ .m = mpfr_custom_get_significand(a), .n = (mpfr_get_prec(a) + 63) / 64,
                         .exponent = mpfr_get_exp(a), .negative = mpfr_signbit(a) };
    }
    return true;
}

typedef struct { mpfr_ptr entry; long cols; } result;

static void write_float(void *of, long i, long j, const mp_limb_t *x, long n, bool negative, long unit)
{
    const result *C = of;
    mpz_t X;
    mpz_roinit_n(X, x, negative ? -n : n);
    mpfr_set_z_2exp(C->entry + i * C->cols + j, X, unit, MPFR_RNDN);
}

/* Nanoseconds for multiply-adds by mpfr_fma. */
static double cost_of_fma(long bits, double multiply_adds) { return (40 + 0.15 * (double)bits) * multiply_adds; }

bool product_mpfr(mpfr_ptr C, mpfr_srcptr A, mpfr_srcptr B, long m, long K, long n, long bits)
{
    const floats x = { A, K }, y = { B, n };
    const dyadic_matrix a = { .rows = m, .cols = K, .of = &x, .get = get_floats },
                        b = { .rows = K, .cols = n, .of = &y, .get = get_floats };
    dyadic_lines la = { 0 }, lb = { 0 };
    const bool done = !plain_only() && m * K * n >= 4096 &&
                      dyadic_lines_open(&la, &a, false) && dyadic_lines_open(&lb, &b, true) &&
                      dyadic_product(&(dyadic_result){ &(result){ C, n }, write_float, NULL }, &la, &lb,
                                     cost_of_fma(bits, (double)m * (double)K * (double)n));
    dyadic_lines_close(&la);
    dyadic_lines_close(&lb);
    return done;
}
