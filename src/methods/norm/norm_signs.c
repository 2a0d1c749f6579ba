/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm_signs.c - a Monte Carlo count: for how many Gaussian matrices A has A^-T 1 entries of one sign?
 *
 * Row signs are independent of the rest of A, and turning row i over turns entry i of A^-T 1 over, so
 * all 2^d patterns of signs are equally likely: the chance is 2 / 2^d.  This file counts, to see it.   */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include "numerics/random.h"
#include "src/methods/norm/norm.h"

enum { MOST = 8 };

static void swap_rows(double a[MOST][MOST + 1], long i, long k, long d)
{
    for (long j = 0; j <= d; j++) {
        const double x = a[i][j];
        a[i][j] = a[k][j];
        a[k][j] = x;
    }
}

/* Gauss-Jordan with partial pivoting on (A' | 1).  Signs of the solution of A'v = 1, not sizes, are wanted,
 * so the rounding matters only where an entry is 0 but for rounding: for normal draws never seen. */
static bool one_sign(double a[MOST][MOST + 1], long d)
{
    for (long k = 0; k < d; k++) {
        long p = k;
        for (long i = k + 1; i < d; i++) if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        swap_rows(a, k, p, d);
        for (long i = 0; i < d; i++) {
            if (i == k) continue;
            const double l = a[i][k] / a[k][k];
            for (long j = k; j <= d; j++) a[i][j] -= l * a[k][j];
        }
    }
    long positive = 0;
    for (long k = 0; k < d; k++) positive += a[k][d] / a[k][k] > 0;
    return positive == 0 || positive == d;
}

long norm_one_signed(const uint64_t key[2], long d, long draws)
{
    REQUIRE(0 < d && d <= MOST && draws > 0, "%ld draws of size %ld", draws, d);
    gsl_rng *r = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(r, (unsigned long)(random_siphash_words(key, 2, (uint64_t[]){ (uint64_t)d, (uint64_t)draws }) >> 32));
    long seen = 0;
    for (long n = 0; n < draws; n++) {
        double a[MOST][MOST + 1];
        for (long i = 0; i < d; i++) {
            for (long j = 0; j < d; j++) a[i][j] = gsl_ran_gaussian_ziggurat(r, 1);
            a[i][d] = 1;
        }
        seen += one_sign(a, d);
    }
    gsl_rng_free(r);
    return seen;
}

long norm_one_signed_flips(scope *s, const mat *A)
{
    const long d = A->rows;
    REQUIRE(0 < d && d <= MOST, "2^%ld matrices", d);
    long found = 0;
    for (long bits = 0; bits < 1L << d; bits++) {
        long sign[MOST];
        for (long i = 0; i < d; i++) sign[i] = bits >> i & 1 ? -1 : 1;
        const mat *v = norm_gain(s, mat_scale_rows(s, mat_from_si(s, d, 1, sign), A));
        found += mat_positive(v) == HOLDS || mat_positive(mat_neg(s, v)) == HOLDS;
    }
    return found;
}
