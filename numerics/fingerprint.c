/* SPDX-License-Identifier: GPL-3.0-or-later
 * fingerprint.c - FNV-1a over what was noted: see fingerprint.h. */
#include <string.h>
#include "numerics/arith.h"
#include "numerics/fingerprint.h"

static const uint64_t basis = 0xcbf29ce484222325U;
static bool on;
static uint64_t hash;
static long draws[2];                                    /* as they are, altered */

void fingerprint_begin(void)
{
    on = true;
    hash = basis;
    draws[0] = draws[1] = 0;
}

uint64_t fingerprint_end(void)
{
    on = false;
    return hash;
}

long fingerprint_draws(bool altered) { return draws[altered]; }
void fingerprint_draw(bool altered)  { draws[altered]++; }

bool fingerprint_pause(void)
{
    const bool was = on;
    on = false;
    return was;
}
void fingerprint_resume(bool was) { on = was; }

static uint64_t folded(uint64_t into, const void *data, size_t n)
{
    const unsigned char *at = data;
    for (size_t k = 0; k < n; k++) into = (into ^ at[k]) * 0x100000001b3U;
    return into;
}

static void fold(const void *data, size_t n) { hash = folded(hash, data, n); }

void fingerprint_word(uint64_t x)      { if (on) fold(&x, sizeof x); }
void fingerprint_real(double x)        { if (on) fold(&x, sizeof x); }
void fingerprint_text(const char *x)   { if (on) fold(x, strlen(x)); }

static uint64_t with_integer(uint64_t of, mpz_srcptr x)
{
    const int sign = mpz_sgn(x);
    of = folded(of, &sign, sizeof sign);
    return folded(of, mpz_limbs_read(x), mpz_size(x) * sizeof(mp_limb_t));
}

/* Where `exactly`, an entry that has an exact value is known by it: doubles would take 1 + 2^-120 for 1. */
static uint64_t with_matrix(uint64_t of, const mat *A, bool exactly)
{
    mpq_t q;
    of = folded(folded(of, &A->rows, sizeof A->rows), &A->cols, sizeof A->cols);
    mpq_init(q);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const bool exact = exactly && A->R->ring.get_exact(q, A, i, j);
            const double x = exact ? 0 : A->R->ring.get_d(A, i, j);
            of = exact ? with_integer(with_integer(of, mpq_numref(q)), mpq_denref(q)) : folded(of, &x, sizeof x);
        }
    mpq_clear(q);
    return of;
}

void fingerprint_matrix(const mat *A) { if (on) hash = with_matrix(hash, A, false); }

uint64_t fingerprint_of(const mat *A)
{
    const uint64_t of = with_matrix(basis, A, true);
    return of ? of : 1;
}
