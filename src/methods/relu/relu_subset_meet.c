/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_subset_meet.c - which 0/1 vectors solve the echelon form?  All choices of the k free columns, met in the middle.
 *
 * The echelon form gives x_i = beta_i - sum_f Phi_if x_f for the pivots i.  A random combination g of up to 4 pivots
 * must be one of 16 numbers: the sums of the first half of the free columns are sorted, and each choice of the second
 * half looks there for what it lacks.  A hit is tried in full, and verified over Q.  Pivots that no free column moves
 * are tried first. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/relu/relu_subset.h"

enum { COMBINED = 4, MAX_LOG2_PROBES = 24, MAX_SPURIOUS = 64 };
static const uint64_t MAX_HITS = (uint64_t)1 << 24;

typedef struct { ulong sum; uint64_t bits; } half_sum;           /* of the free columns in `bits`         */

typedef struct {
    const subset_echelon *e;
    const fmpq_mat_struct *A, *b;
    unsigned char *chosen;
    int64_t  *work;
    uint64_t  hits;
    long      spurious;
} meet_state;

/* Phi_if, with row k standing for beta */
static ulong phi(const subset_echelon *e, long i, long f)
{
    return nmod_mat_entry(e->E, i, f < e->k ? e->free[f] : e->m);
}

static bool still(const subset_echelon *e, long i)                     /* no free column moves pivot i */
{
    for (long f = 0; f < e->k; f++) if (phi(e, i, f)) return false;
    return true;
}

/* Up to COMBINED pivots that the most free columns move. */
static long choose_rows(const subset_echelon *e, long rows[COMBINED])
{
    long n = 0, weight[COMBINED];
    for (long i = 0; i < e->rank; i++) {
        long w = 0, at = n < COMBINED ? n : COMBINED;
        for (long f = 0; f < e->k; f++) w += phi(e, i, f) != 0;
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

/* All sums of the numbers x[0..n), by the bits that choose them. */
static half_sum *all_sums(const ulong *x, long n, nmod_t mod)
{
    half_sum *sums = must_calloc((size_t)1 << n, sizeof *sums);
    for (long f = 0; f < n; f++)
        for (uint64_t b = 0; b < (uint64_t)1 << f; b++)
            sums[b | (uint64_t)1 << f] = (half_sum){ nmod_add(sums[b].sum, x[f], mod), b | (uint64_t)1 << f };
    return sums;
}

static int by_sum(const void *a, const void *b)
{
    const ulong x = ((const half_sum *)a)->sum, y = ((const half_sum *)b)->sum;
    return x < y ? -1 : x > y;
}

static long first_not_below(const half_sum *sums, long n, ulong value)
{
    long lo = 0, hi = n;
    while (lo < hi) {
        const long mid = lo + (hi - lo) / 2;
        if (sums[mid].sum < value) lo = mid + 1; else hi = mid;
    }
    return lo;
}

/* Fills `chosen` from the free columns in `bits`; false: some pivot is neither 0 nor 1. */
static bool complete(unsigned char *chosen, const subset_echelon *e, uint64_t bits)
{
    memset(chosen, 0, (size_t)e->m);
    for (long i = 0; i < e->rank; i++) {
        ulong x = phi(e, i, e->k);
        for (long f = 0; f < e->k; f++) if (bits >> f & 1) x = nmod_sub(x, phi(e, i, f), e->mod);
        if (x > 1) return false;
        chosen[e->pivot[i]] = (unsigned char)x;
    }
    for (long f = 0; f < e->k; f++) chosen[e->free[f]] = bits >> f & 1;
    return true;
}

static meet_outcome try_bits(meet_state *h, uint64_t bits)
{
    *h->work -= 4 * (h->e->k + 8);
    if (++h->hits > MAX_HITS || *h->work < 0) return MEET_TOO_MANY;
    if (!complete(h->chosen, h->e, bits)) return MEET_NONE;
    *h->work -= 64 * fmpq_mat_nrows(h->A) * h->e->m;
    if (subset_sums_to(h->A, h->b, h->chosen)) return MEET_FOUND;
    return ++h->spurious > MAX_SPURIOUS ? MEET_SPURIOUS : MEET_NONE;
}

/* One choice of the second half, `g` = what is left of the combination: all its partners in the first half. */
static meet_outcome probe(meet_state *h, const half_sum *sums, long n, long low, ulong g, uint64_t high)
{
    meet_outcome out = MEET_NONE;
    for (long i = first_not_below(sums, n, g); out == MEET_NONE && i < n && sums[i].sum == g; i++)
        out = try_bits(h, high << low | sums[i].bits);
    return out;
}

/* Meets in the middle on sum_r rho_r x_row[r] = sum_r rho_r e_r, e in {0,1}^n. */
static meet_outcome meet_halves(meet_state *h, const long *rows, long n)
{
    const subset_echelon *e = h->e;
    const long low = e->k / 2, high = e->k - low, count = 1L << low;
    ulong rho[COMBINED] = { 0 }, g[64] = { 0 }, beta = 0;
    for (long r = 0; r < n; r++) {
        rho[r] = (ulong)random_constant(61, e->mod.n, (uint64_t)r, e->mod.n - 1) + 1;
        beta = nmod_add(beta, nmod_mul(rho[r], phi(e, rows[r], e->k), e->mod), e->mod);
        for (long f = 0; f < e->k; f++)
            g[f] = nmod_add(g[f], nmod_mul(rho[r], phi(e, rows[r], f), e->mod), e->mod);
    }
    half_sum *first = all_sums(g, low, e->mod), *second = all_sums(g + low, high, e->mod);
    half_sum *wanted = all_sums(rho, n, e->mod);
    qsort(first, (size_t)count, sizeof *first, by_sum);
    meet_outcome out = MEET_NONE;
    for (uint64_t b = 0; out == MEET_NONE && b < (uint64_t)1 << high; b++)
        for (long w = 0; out == MEET_NONE && w < 1L << n; w++) {
            *h->work -= 16;
            const ulong rest = nmod_sub(nmod_sub(beta, second[b].sum, e->mod), wanted[w].sum, e->mod);
            out = *h->work < 0 ? MEET_TOO_MANY : probe(h, first, count, low, rest, b);
        }
    free(first);
    free(second);
    free(wanted);
    return out;
}

meet_outcome subset_meet(const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, unsigned char *chosen,
                         int64_t *work)
{
    meet_state h = { e, A, b, chosen, work, 0, 0 };
    long rows[COMBINED];
    for (long i = 0; i < e->rank; i++) if (still(e, i) && phi(e, i, e->k) > 1) return MEET_NONE;
    const long n = choose_rows(e, rows), high = (e->k + 1) / 2;
    if (high > MAX_LOG2_PROBES - COMBINED) return MEET_TOO_MANY;
    return meet_halves(&h, rows, n);
}
