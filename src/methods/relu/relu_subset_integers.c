/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_subset_integers.c - which columns of A sum to b?  The last word on "none", over the integers.
 *
 * Any of the equations A x = b may be taken: what solves all solves these, and what is found is tried on all.  Their
 * reduced echelon form over Q, each row times its denominators, is D_i x_i + sum_f E_if x_f = B_i for the pivots i,
 * with k free columns f: every column that is not zero over Q and no pivot.  The 2^k choices are met in the middle as
 * in relu_subset.c, on one combination of up to 4 rows with positive weights rho:
 *     sum_f (sum_r rho_r E_rf) x_f  =  sum_r rho_r B_r - sum_r rho_r D_r e_r,     e in {0,1}^4.
 * Every choice that fulfils it is completed: the pivots must be 0 or 1, then all equations hold or not.           */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/relu/relu_subset.h"

enum { COMBINED = 4, MAX_LOG2_HALF = 20 };

typedef struct {
    const fmpq_mat_struct *A, *b;
    fmpz_mat_t E;                        /* rank x (m + 1)                                                */
    long       rank, m, k, *pivot, *free;
    unsigned char *chosen;
    int64_t   *work;
} integer_system;

typedef struct { fmpz sum; uint64_t bits; } half_sum;            /* of the free columns in `bits`         */

bool subset_zero_column(const fmpq_mat_t A, long j)
{
    for (long i = 0; i < fmpq_mat_nrows(A); i++) if (!fmpq_is_zero(fmpq_mat_entry(A, i, j))) return false;
    return true;
}

bool subset_sums_to(const fmpq_mat_t A, const fmpq_mat_t b, const unsigned char *chosen)
{
    fmpq_t sum;
    fmpq_init(sum);
    bool equal = true;
    for (long i = 0; equal && i < fmpq_mat_nrows(A); i++) {
        fmpq_zero(sum);
        for (long j = 0; j < fmpq_mat_ncols(A); j++) if (chosen[j]) fmpq_add(sum, sum, fmpq_mat_entry(A, i, j));
        equal = fmpq_equal(sum, fmpq_mat_entry(b, i, 0));
    }
    fmpq_clear(sum);
    return equal;
}

/* ---- the system ---------------------------------------------------------------------------------------- */

static void whole_rows(fmpz_mat_t E, const fmpq_mat_t M)        /* each row times the lcm of its denominators */
{
    fmpz_t lcm;
    fmpz_init(lcm);
    for (long i = 0; i < fmpz_mat_nrows(E); i++) {
        fmpz_one(lcm);
        for (long j = 0; j < fmpz_mat_ncols(E); j++) fmpz_lcm(lcm, lcm, fmpq_denref(fmpq_mat_entry(M, i, j)));
        for (long j = 0; j < fmpz_mat_ncols(E); j++) {
            fmpz_divexact(fmpz_mat_entry(E, i, j), lcm, fmpq_denref(fmpq_mat_entry(M, i, j)));
            fmpz_mul(fmpz_mat_entry(E, i, j), fmpz_mat_entry(E, i, j), fmpq_numref(fmpq_mat_entry(M, i, j)));
        }
    }
    fmpz_clear(lcm);
}

static void system_of_rows(integer_system *s, const long *rows, long n)
{
    const long m = s->m;
    fmpq_mat_t M;
    fmpq_mat_init(M, n, m + 1);
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= m; j++)
            fmpq_set(fmpq_mat_entry(M, i, j), j < m ? fmpq_mat_entry(s->A, rows[i], j)
                                                    : fmpq_mat_entry(s->b, rows[i], 0));
    s->rank = fmpq_mat_rref(M, M);
    fmpz_mat_init(s->E, s->rank, m + 1);
    whole_rows(s->E, M);
    fmpq_mat_clear(M);
    s->pivot = must_calloc((size_t)m + 1, sizeof *s->pivot);
    s->free  = must_calloc((size_t)m + 1, sizeof *s->free);
    for (long j = 0, row = 0; j <= m; j++)
        if (row < s->rank && !fmpz_is_zero(fmpz_mat_entry(s->E, row, j))) s->pivot[row++] = j;
        else if (j < m && !subset_zero_column(s->A, j)) s->free[s->k++] = j;
}

static const fmpz *entry(const integer_system *s, long i, long f) { return fmpz_mat_entry(s->E, i, s->free[f]); }
static const fmpz *of_pivot(const integer_system *s, long i)      { return fmpz_mat_entry(s->E, i, s->pivot[i]); }
static const fmpz *right(const integer_system *s, long i)         { return fmpz_mat_entry(s->E, i, s->m); }

static long moved_by(const integer_system *s, long i)             /* free columns that move pivot i */
{
    long n = 0;
    for (long f = 0; f < s->k; f++) n += !fmpz_is_zero(entry(s, i, f));
    return n;
}

/* Some equation alone says no: 0 = B, or D x = B without a free column. */
static bool says_no_at_once(const integer_system *s)
{
    for (long i = 0; i < s->rank; i++) {
        if (s->pivot[i] == s->m) return true;
        if (moved_by(s, i) == 0 && !fmpz_is_zero(right(s, i)) && !fmpz_equal(right(s, i), of_pivot(s, i))) return true;
    }
    return false;
}

/* ---- all choices --------------------------------------------------------------------------------------- */

/* Fills `chosen` from the free columns in `bits`; whether it solves A x = b. */
static bool solves(const integer_system *s, uint64_t bits)
{
    bool zero_or_one = true;
    fmpz_t left;
    fmpz_init(left);
    memset(s->chosen, 0, (size_t)s->m);
    *s->work -= 16 * (s->k + 8);
    for (long i = 0; zero_or_one && i < s->rank; i++) {
        fmpz_set(left, right(s, i));
        for (long f = 0; f < s->k; f++) if (bits >> f & 1) fmpz_sub(left, left, entry(s, i, f));
        s->chosen[s->pivot[i]] = !fmpz_is_zero(left);
        zero_or_one = fmpz_is_zero(left) || fmpz_equal(left, of_pivot(s, i));
    }
    fmpz_clear(left);
    for (long f = 0; f < s->k; f++) s->chosen[s->free[f]] = bits >> f & 1;
    if (!zero_or_one) return false;
    *s->work -= 64 * fmpq_mat_nrows(s->A) * s->m;
    return subset_sums_to(s->A, s->b, s->chosen);
}

/* The COMBINED rows that the most free columns move; how many. */
static long choose_rows(const integer_system *s, long rows[COMBINED])
{
    long n = 0, weight[COMBINED];
    for (long i = 0; i < s->rank; i++) {
        const long w = moved_by(s, i);
        long at = n;
        if (w == 0) continue;
        while (at > 0 && weight[at - 1] < w) at--;
        if (at == COMBINED) continue;
        n += n < COMBINED;
        for (long r = n - 1; r > at; r--) { rows[r] = rows[r - 1]; weight[r] = weight[r - 1]; }
        rows[at] = i;
        weight[at] = w;
    }
    return n;
}

static half_sum *all_sums(const fmpz *x, long n)
{
    half_sum *sums = must_calloc((size_t)1 << n, sizeof *sums);  /* zeros are fmpz 0 */
    for (long f = 0; f < n; f++)
        for (uint64_t b = 0; b < (uint64_t)1 << f; b++) {
            half_sum *to = &sums[b | (uint64_t)1 << f];
            to->bits = b | (uint64_t)1 << f;
            fmpz_add(&to->sum, &sums[b].sum, x + f);
        }
    return sums;
}

static void free_sums(half_sum *sums, long n)
{
    for (uint64_t b = 0; b < (uint64_t)1 << n; b++) fmpz_clear(&sums[b].sum);
    free(sums);
}

static int by_sum(const void *a, const void *b)
{
    return fmpz_cmp(&((const half_sum *)a)->sum, &((const half_sum *)b)->sum);
}

static long first_not_below(const half_sum *sums, long n, const fmpz_t value)
{
    long lo = 0, hi = n;
    while (lo < hi) {
        const long mid = lo + (hi - lo) / 2;
        if (fmpz_cmp(&sums[mid].sum, value) < 0) lo = mid + 1; else hi = mid;
    }
    return lo;
}

/* x: the k sums_r rho_r E_rf, then the n rho_r D_r; beta: sum_r rho_r B_r */
static void combine(fmpz *x, fmpz_t beta, const integer_system *s, const long *rows, long n)
{
    for (long r = 0; r < n; r++) {
        const ulong rho = (ulong)random_constant(61, 2, (uint64_t)r, (uint64_t)1 << 30) + 1;
        for (long f = 0; f < s->k; f++) fmpz_addmul_ui(x + f, entry(s, rows[r], f), rho);
        fmpz_mul_ui(x + s->k + r, of_pivot(s, rows[r]), rho);
        fmpz_addmul_ui(beta, right(s, rows[r]), rho);
    }
}

static truth meet(const integer_system *s, const long *rows, long n)
{
    const long low = s->k / 2, high = s->k - low, count = 1L << low;
    truth is = REFUTED;
    fmpz *x = _fmpz_vec_init(s->k + n);
    fmpz_t beta, rest;
    fmpz_init(beta);
    fmpz_init(rest);
    combine(x, beta, s, rows, n);
    half_sum *first = all_sums(x, low), *second = all_sums(x + low, high), *ends = all_sums(x + s->k, n);
    qsort(first, (size_t)count, sizeof *first, by_sum);
    for (uint64_t b = 0; is == REFUTED && b < (uint64_t)1 << high; b++)
        for (long e = 0; is == REFUTED && e < 1L << n; e++) {
            *s->work -= 16 + 4 * low;
            fmpz_sub(rest, beta, &second[b].sum);
            fmpz_sub(rest, rest, &ends[e].sum);
            for (long i = first_not_below(first, count, rest); i < count && fmpz_equal(&first[i].sum, rest); i++) {
                if (solves(s, b << low | first[i].bits)) is = HOLDS;
                if (is == HOLDS || *s->work < 0) break;
            }
            if (is == REFUTED && *s->work < 0) is = UNDECIDED;
        }
    free_sums(first, low);
    free_sums(second, high);
    free_sums(ends, n);
    _fmpz_vec_clear(x, s->k + n);
    fmpz_clear(beta);
    fmpz_clear(rest);
    return is;
}

truth subset_over_integers(unsigned char *chosen, long *free_columns, const fmpq_mat_t A, const fmpq_mat_t b,
                           const long *rows, long n, int64_t *work)
{
    integer_system s = { .A = A, .b = b, .m = fmpq_mat_ncols(A), .chosen = chosen, .work = work };
    long best[COMBINED];
    truth is = UNDECIDED;
    memset(chosen, 0, (size_t)s.m);
    *work -= 16 * n * n * (s.m + 16);
    if (*work < 0) return UNDECIDED;
    system_of_rows(&s, rows, n);
    *free_columns = s.k;
    if (says_no_at_once(&s)) is = REFUTED;
    else if ((s.k + 1) / 2 <= MAX_LOG2_HALF && *work > 0) is = meet(&s, best, choose_rows(&s, best));
    if (is != HOLDS) memset(chosen, 0, (size_t)s.m);
    fmpz_mat_clear(s.E);
    free(s.pivot);
    free(s.free);
    return is;
}
