/* SPDX-License-Identifier: GPL-3.0-or-later
 * balls.c - see balls.h. */
#include "numerics/balls.h"
#include "numerics/rows_threads.h"

enum { BAND = 32 };                      /* columns for a thread */

static arb_ptr row(const arb_mat_t A, long i) { return arb_mat_entry((arb_mat_struct *)A, i, 0); }

void balls_clear(arb_mat_t A)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A);
    EACH_ROW_OF(r, c, i)
        for (long j = 0; j < c; j++) {                   /* zeros own nothing: what is left to do is one block */
            arb_clear(row(A, i) + j);
            arb_init(row(A, i) + j);
        }
    arb_mat_clear(A);
}

void balls_neg(arb_mat_t C, const arb_mat_t A)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A);
    EACH_ROW_OF(r, c, i) for (long j = 0; j < c; j++) arb_neg(row(C, i) + j, row(A, i) + j);
}

void balls_get_mid(arb_mat_t C, const arb_mat_t A)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A);
    EACH_ROW_OF(r, c, i) for (long j = 0; j < c; j++) arb_get_mid_arb(row(C, i) + j, row(A, i) + j);
}

void balls_add(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A);
    EACH_ROW_OF(r, c, i) for (long j = 0; j < c; j++) arb_add(row(C, i) + j, row(A, i) + j, row(B, i) + j, prec);
}

void balls_round(arb_mat_t C, const arb_mat_t A, slong prec)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A);
    EACH_ROW_OF(r, c, i) for (long j = 0; j < c; j++) arb_set_round(row(C, i) + j, row(A, i) + j, prec);
}

static void weighted_row(mag_t s, arb_srcptr x, long n, mag_srcptr w)
{
    mag_t size;
    mag_init(size);
    mag_zero(s);
    for (long j = 0; j < n; j++) {
        arb_get_mag(size, x + j);
        if (w) mag_addmul(s, size, w + j);
        else   mag_add(s, s, size);
    }
    mag_clear(size);
}

void balls_weighted_rows(mag_ptr s, const arb_mat_t A, mag_srcptr w)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A);
    EACH_ROW_OF(r, c, i) weighted_row(s + i, c ? row(A, i) : NULL, c, w);
}

void balls_tops_of_columns(mag_ptr to, const arb_mat_t A)
{
    const long r = arb_mat_nrows(A), c = arb_mat_ncols(A), bands = (c + BAND - 1) / BAND;
    EACH_ROW_OF(bands, r * BAND, b)
        for (long i = 0; i < r; i++)
            for (long j = b * BAND; j < c && j < (b + 1) * BAND; j++) {
                mag_t x;
                mag_init(x);
                if (i == 0) mag_zero(to + j);
                arb_get_mag(x, row(A, i) + j);
                mag_max(to + j, to + j, x);
                mag_clear(x);
            }
}

double balls_log2norm(const arb_mat_t A)
{
    const long r = arb_mat_nrows(A);
    mag_ptr sum = _mag_vec_init(r);
    mag_t top;
    mag_init(top);
    balls_weighted_rows(sum, A, NULL);
    for (long i = 0; i < r; i++) mag_max(top, top, sum + i);
    const double log2 = mag_get_d_log2_approx(top);
    mag_clear(top);
    _mag_vec_clear(sum, r);
    return log2;
}
