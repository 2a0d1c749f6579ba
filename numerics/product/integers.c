/* SPDX-License-Identifier: GPL-3.0-or-later
 * integers.c - see integers.h. */
#include "numerics/product/integers.h"
#include <cblas.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/product/residues.h"
#include "numerics/product/workspace.h"

static double most_bytes = 256e6;
static atomic_long done;

void integers_memory(double bytes) { most_bytes = bytes; }
long integers_products(void)       { return done; }

/* Do other threads help with so many multiply-adds of doubles?  Then BLAS itself uses one. */
static bool several_threads(double multiply_adds)
{
#ifdef _OPENMP
    return multiply_adds > 4e6 && omp_get_max_threads() > 1 && !omp_in_parallel();
#else
    (void)multiply_adds;
    return false;
#endif
}

static long up_to(long x, long step) { return (x + step - 1) / step * step; }
/* Room for n numbers: an odd number of vectors, as PITCH. */
static long room(long n)             { return (up_to(n, LANES) / LANES | 1) * LANES; }
static long digits_for(long bits)    { return (bits + DIGIT_BITS - 1) / DIGIT_BITS; }

static const residue_system *system_for(const integer_matrix *A, const integer_matrix *B)
{
    long log2terms = 0;
    while (1l << log2terms < A->cols) log2terms++;
    const long widest = A->bits > B->bits ? A->bits : B->bits;
    return residue_system_for(A->bits + B->bits + log2terms, A->cols, digits_for(widest > 1 ? widest : 1));
}

long integers_primes(const integer_matrix *A, const integer_matrix *B)
{
    const residue_system *s = system_for(A, B);
    return s ? s->primes : 0;
}

enum { MOST_LIMBS = 48 };

/* Three limbs w are eight digits; the first `some` of them. */
static inline void eight_digits(const mp_limb_t w[3], double sign, long some, double *to, long ld)
{
    const uint64_t mask = (1u << DIGIT_BITS) - 1;
    const uint64_t digit[8] = { w[0] & mask, (w[0] >> 24) & mask, (w[0] >> 48 | w[1] << 16) & mask, (w[1] >> 8) & mask,
                                (w[1] >> 32) & mask, (w[1] >> 56 | w[2] << 8) & mask, (w[2] >> 16) & mask, w[2] >> 40 };
    for (long k = 0; k < some; k++) to[k * ld] = sign * (double)(int64_t)digit[k];
}

void integers_digits(const mp_limb_t *m, long n, long shift, bool negative, long digits, double *to, long ld)
{
    mp_limb_t w[MOST_LIMBS];
    const long limbs = (digits + 7) / 8 * 3;
    REQUIRE(limbs <= MOST_LIMBS, "%ld digits", digits);
    memset(w, 0, (size_t)limbs * sizeof *w);
    if (shift < 0 && n) {                                /* what is cut off is 0 */
        const long whole = -shift / 64;
        const unsigned rest = (unsigned)(-shift % 64);
        m += whole, n -= whole;
        if (rest) mpn_rshift(w, m, n, rest);
        else      mpn_copyi(w, m, n);
    } else if (n) {
        const long whole = shift / 64;
        const unsigned rest = (unsigned)(shift % 64);
        REQUIRE(whole + n <= limbs, "an integer of %ld limbs in %ld digits", whole + n, digits);
        const mp_limb_t over = rest ? mpn_lshift(w + whole, m, n, rest) : 0;
        if (!rest) mpn_copyi(w + whole, m, n);
        if (over) w[whole + n] = over;
    }
    const double sign = negative ? -1 : 1;
    long d = 0;
    for (; d + 8 <= digits; d += 8) eight_digits(w + d / 8 * 3, sign, 8, to + d * ld, ld);
    if (d < digits) eight_digits(w + d / 8 * 3, sign, digits - d, to + d * ld, ld);
}

/* The residues of the rows x cols entries from (i0, j0) on, row by row; those modulo p_i from to + i stride on. */
static void split(const residue_system *s, const integer_matrix *A, long i0, long j0, long rows, long cols,
                  double *to, long stride, bool fork)
{
    (void)fork;                                          /* read by OpenMP alone */
    const long count = rows * cols, digits = digits_for(A->bits > 1 ? A->bits : 1);
    #pragma omp parallel if (fork)
    {
        double *digit = workspace_take((size_t)(digits * PITCH));
        #pragma omp for schedule(static)
        for (long first = 0; first < count; first += CHUNK) {
            const long n = count - first < CHUNK ? count - first : CHUNK;
            for (long k = 0, i = first / cols, j = first % cols; k < n; i++, j = 0) {
                const long some = cols - j < n - k ? cols - j : n - k;
                A->read(A->of, i0 + i, j0 + j, some, digits, digit + k, PITCH);
                k += some;
            }
            for (long d = 0; d < digits; d++)
                for (long k = n; k < up_to(n, LANES); k++) digit[d * PITCH + k] = 0;
            residues_split(s, digit, digits, n, to + first, stride);
        }
        workspace_give(digit);
    }
}

/* The limbs of |sum_d digit[d PITCH] 2^(24 d)|, |digit| <= 2^23; returns the sign. */
static bool to_limbs(mp_limb_t *x, long limbs, const double *digit, long digits)
{
    __int128 rest = 0;
    long at = 0, k = 0;
    for (long d = 0; d < digits; d += 2) {
        double two = digit[d * PITCH];
        if (d + 1 < digits) two += digit[(d + 1) * PITCH] * 0x1p24;
        rest += (__int128)((unsigned __int128)(__int128)(int64_t)two << at);
        if ((at += 2 * DIGIT_BITS) < 64) continue;
        x[k++] = (mp_limb_t)rest;
        rest >>= 64;
        at -= 64;
    }
    for (; k < limbs; rest >>= 64) x[k++] = (mp_limb_t)rest;
    const bool negative = x[limbs - 1] >> 63;
    if (negative) mpn_neg(x, x, limbs);
    return negative;
}

static void join(const residue_system *s, const integer_result *C, long i0, long j0, long rows, long cols,
                 const double *from, long stride, bool fork)
{
    (void)fork;
    const long count = rows * cols, limbs = s->digits * DIGIT_BITS / 64 + 1;
    #pragma omp parallel if (fork)
    {
        double *digit = workspace_take((size_t)(s->digits * PITCH));
        mp_limb_t *x = must_calloc((size_t)limbs, sizeof *x);
        #pragma omp for schedule(static)
        for (long first = 0; first < count; first += CHUNK) {
            const long n = count - first < CHUNK ? count - first : CHUNK;
            residues_join(s, from + first, stride, n, digit);
            for (long k = 0; k < n; k++) {
                const bool negative = to_limbs(x, limbs, digit + k, s->digits);
                C->write(C->of, i0 + (first + k) / cols, j0 + (first + k) % cols, x, limbs, negative);
            }
        }
        workspace_give(digit);
        free(x);
    }
}

/* The size of the parts where n are cut into as few as hold at most `most` each, and at least 1. */
static long even_part(long n, long most)
{
    if (most < 1) most = 1;
    const long parts = (n + most - 1) / most;
    return parts > 1 ? (n + parts - 1) / parts : n > 1 ? n : 1;
}

bool integers_product(const integer_result *C, const integer_matrix *A, const integer_matrix *B)
{
    REQUIRE(A->cols == B->rows, "%ld x %ld times %ld x %ld", A->rows, A->cols, B->rows, B->cols);
    const residue_system *s = system_for(A, B);
    if (!s) return false;
    const long K = A->cols, most = (long)(most_bytes / 8) / s->primes, fewer = most / 8;
    const long rows = even_part(A->rows, most / K),
               cols = even_part(B->cols, fewer / K < fewer / rows ? fewer / K : fewer / rows);
    const long ld_a = room(rows * K), ld_b = room(K * cols), ld_c = room(rows * cols);
    double *a = workspace_take((size_t)(s->primes * ld_a)), *b = workspace_take((size_t)(s->primes * ld_b)),
           *c = workspace_take((size_t)(s->primes * ld_c));
    const bool fork = several_threads((double)s->primes * (double)A->rows * (double)K * (double)B->cols);
    /* Built on OpenMP, OpenBLAS takes one thread inside a parallel region by itself, and its number of threads is that
     * of all OpenMP; with threads of its own it must be told. */
    const bool tell_blas = fork && openblas_get_parallel() != OPENBLAS_OPENMP;
    const int blas_threads = openblas_get_num_threads();
    if (tell_blas) openblas_set_num_threads(1);
    for (long i = 0; i < A->rows; i += rows) {
        const long m = A->rows - i < rows ? A->rows - i : rows;
        split(s, A, i, 0, m, K, a, ld_a, fork);
        for (long j = 0; j < B->cols; j += cols) {
            const long n = B->cols - j < cols ? B->cols - j : cols;
            split(s, B, 0, j, K, n, b, ld_b, fork);
            #pragma omp parallel for schedule(dynamic) if (fork)
            for (long k = 0; k < s->primes; k++)
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)K, 1, a + k * ld_a, (int)K,
                            b + k * ld_b, (int)n, 0, c + k * ld_c, (int)n);
            join(s, C, i, j, m, n, c, ld_c, fork);
        }
    }
    if (tell_blas) openblas_set_num_threads(blas_threads);
    workspace_give(a);
    workspace_give(b);
    workspace_give(c);
    done++;
    return true;
}
