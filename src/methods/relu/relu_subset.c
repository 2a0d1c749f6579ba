/* relu_subset.c - which columns of A sum to b?  Linear algebra modulo a prime, then enumeration.
 *
 * A subset over Q is a 0/1 solution of A x = b modulo every prime that divides no denominator, so nothing is lost
 * modulo one.  What is found is verified over Q, and where nothing is found, that is proved over Q, too: by a vector
 * y with y A = 0 and y b = 1, or over the integers (relu_subset_integers.c).  The reduced echelon form gives
 * x_i = beta_i - sum_f Phi_if x_f for the pivots i, with k free columns f in {0,1}; a column that is 0 modulo the
 * prime, but not over Q, is free.  The 2^k choices are met in the middle: a random combination g of up to 4 pivots
 * must be one of 16 numbers, the sums of the first half of the free columns are sorted, and each choice of the second
 * half looks there for what it lacks.  A hit is tried in full.  Pivots that no free column moves are tried first. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/relu/relu_subset.h"

enum { PRIMES = 4, COMBINED = 4, MAX_LOG2_PROBES = 24, MAX_SPURIOUS = 64 };
static const uint64_t MAX_HITS = (uint64_t)1 << 24;
const int64_t RELU_WORK = (int64_t)1 << 30;

typedef struct {
    nmod_mat_t E;                        /* N x (m + 1): the echelon form of (A | b)                      */
    nmod_t     mod;
    long       rank, m, k, *pivot, *free;
    bool       consistent;
} echelon;

typedef struct { ulong sum; uint64_t bits; } half_sum;           /* of the free columns in `bits`         */

/* ---- modulo a prime ------------------------------------------------------------------------------------ */

static uint64_t next_prime(uint64_t below)                      /* from 2^61 - 1 downwards */
{
    uint64_t p = below ? below - 2 : ((uint64_t)1 << 61) - 1;
    while (!n_is_prime((ulong)p)) p -= 2;
    return p;
}

static bool residue(ulong *to, const fmpq_t x, nmod_t mod)      /* false: the prime divides the denominator */
{
    const ulong den = fmpz_fdiv_ui(fmpq_denref(x), mod.n);
    if (den == 0) return false;
    *to = nmod_div(fmpz_fdiv_ui(fmpq_numref(x), mod.n), den, mod);
    return true;
}

/* (A | b) modulo the prime; false: it divides a denominator. */
static bool reduce(nmod_mat_t E, const fmpq_mat_t A, const fmpq_mat_t b, nmod_t mod)
{
    const long m = fmpq_mat_ncols(A);
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j <= m; j++)
            if (!residue(&nmod_mat_entry(E, i, j), j < m ? fmpq_mat_entry(A, i, j) : fmpq_mat_entry(b, i, 0), mod))
                return false;
    return true;
}

/* A column that is zero over Q is no choice: it stays out. */
static void read_pivots(echelon *e, const fmpq_mat_t A)
{
    e->pivot = must_calloc((size_t)e->m + 1, sizeof *e->pivot);
    e->free  = must_calloc((size_t)e->m + 1, sizeof *e->free);
    long row = 0;
    for (long j = 0; j <= e->m; j++)
        if (row < e->rank && nmod_mat_entry(e->E, row, j) == 1) e->pivot[row++] = j;
        else if (j < e->m && !subset_zero_column(A, j)) e->free[e->k++] = j;
    e->consistent = e->rank == 0 || e->pivot[e->rank - 1] < e->m;
}

static bool echelon_of(echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, uint64_t prime)
{
    *e = (echelon){ .m = fmpq_mat_ncols(A) };
    nmod_init(&e->mod, (ulong)prime);
    nmod_mat_init(e->E, fmpq_mat_nrows(A), e->m + 1, (ulong)prime);
    if (!reduce(e->E, A, b, e->mod)) {
        nmod_mat_clear(e->E);
        return false;
    }
    e->rank = nmod_mat_rref(e->E);
    read_pivots(e, A);
    return true;
}

static void echelon_clear(echelon *e)
{
    nmod_mat_clear(e->E);
    free(e->pivot);
    free(e->free);
}

/* ---- no solution at all: a vector y over Q ------------------------------------------------------------- */

/* Rows of (A | b) that are independent modulo the prime: the pivots of the transpose. */
static void independent_rows(long *rows, const echelon *e, const fmpq_mat_t A, const fmpq_mat_t b)
{
    nmod_mat_t E, T;
    nmod_mat_init(E, fmpq_mat_nrows(A), e->m + 1, e->mod.n);
    nmod_mat_init(T, e->m + 1, fmpq_mat_nrows(A), e->mod.n);
    const bool reduced = reduce(E, A, b, e->mod);
    REQUIRE(reduced, "modulo %lu", (unsigned long)e->mod.n);
    nmod_mat_transpose(T, E);
    nmod_mat_rref(T);
    for (long i = 0, j = 0; i < e->rank; j++) if (nmod_mat_entry(T, i, j) == 1) rows[i++] = j;
    nmod_mat_clear(E);
    nmod_mat_clear(T);
}

/* y on those rows, with y A_i = 0 on the pivots and y b = 1. */
static bool solve_y(fmpq_mat_t y, const echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, const long *rows)
{
    fmpq_mat_t M, right, x;
    fmpq_mat_init(M, e->rank, e->rank);
    fmpq_mat_init(right, e->rank, 1);
    fmpq_mat_init(x, e->rank, 1);
    for (long i = 0; i < e->rank; i++)
        for (long j = 0; j < e->rank; j++)
            fmpq_set(fmpq_mat_entry(M, i, j), e->pivot[i] < e->m ? fmpq_mat_entry(A, rows[j], e->pivot[i])
                                                                 : fmpq_mat_entry(b, rows[j], 0));
    fmpq_one(fmpq_mat_entry(right, e->rank - 1, 0));
    const bool solved = fmpq_mat_solve(x, M, right) != 0;
    for (long j = 0; solved && j < e->rank; j++) fmpq_set(fmpq_mat_entry(y, 0, rows[j]), fmpq_mat_entry(x, j, 0));
    fmpq_mat_clear(M);
    fmpq_mat_clear(right);
    fmpq_mat_clear(x);
    return solved;
}

/* y A = 0 over Q, for all columns: the rank modulo the prime may have been too small. */
static bool kills(const fmpq_mat_t y, const fmpq_mat_t A)
{
    fmpq_mat_t yA;
    fmpq_mat_init(yA, 1, fmpq_mat_ncols(A));
    fmpq_mat_mul(yA, y, A);
    const bool zero = fmpq_mat_is_zero(yA);
    fmpq_mat_clear(yA);
    return zero;
}

static bool certify(subset *S, const echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, const long *rows)
{
    fmpq_mat_init(S->y, 1, fmpq_mat_nrows(A));
    S->has_y = solve_y(S->y, e, A, b, rows) && kills(S->y, A);
    if (!S->has_y) fmpq_mat_clear(S->y);
    return S->has_y;
}

/* ---- enumeration --------------------------------------------------------------------------------------- */

/* Phi_if, with row k standing for beta */
static ulong phi(const echelon *e, long i, long f)
{
    return nmod_mat_entry(e->E, i, f < e->k ? e->free[f] : e->m);
}

static bool still(const echelon *e, long i)                     /* no free column moves pivot i */
{
    for (long f = 0; f < e->k; f++) if (phi(e, i, f)) return false;
    return true;
}

/* Up to COMBINED pivots that the most free columns move. */
static long choose_rows(const echelon *e, long rows[COMBINED])
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
static bool complete(unsigned char *chosen, const echelon *e, uint64_t bits)
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

typedef enum { FOUND, NONE, TOO_MANY, SPURIOUS } outcome;

typedef struct {
    const echelon *e;
    const fmpq_mat_struct *A, *b;
    unsigned char *chosen;
    int64_t  *work;
    uint64_t  hits;
    long      spurious;
} hunt;

static outcome try_bits(hunt *h, uint64_t bits)
{
    *h->work -= 4 * (h->e->k + 8);
    if (++h->hits > MAX_HITS || *h->work < 0) return TOO_MANY;
    if (!complete(h->chosen, h->e, bits)) return NONE;
    *h->work -= 64 * fmpq_mat_nrows(h->A) * h->e->m;
    if (subset_sums_to(h->A, h->b, h->chosen)) return FOUND;
    return ++h->spurious > MAX_SPURIOUS ? SPURIOUS : NONE;
}

/* One choice of the second half, `g` = what is left of the combination: all its partners in the first half. */
static outcome probe(hunt *h, const half_sum *sums, long n, long low, ulong g, uint64_t high)
{
    outcome out = NONE;
    for (long i = first_not_below(sums, n, g); out == NONE && i < n && sums[i].sum == g; i++)
        out = try_bits(h, high << low | sums[i].bits);
    return out;
}

/* Meets in the middle on sum_r rho_r x_row[r] = sum_r rho_r e_r, e in {0,1}^n. */
static outcome meet(hunt *h, const long *rows, long n)
{
    const echelon *e = h->e;
    const long low = e->k / 2, high = e->k - low, count = 1L << low;
    ulong rho[COMBINED] = { 0 }, g[64] = { 0 }, beta = 0;
    for (long r = 0; r < n; r++) {
        rho[r] = (ulong)random_below((const uint64_t[2]){ 61, e->mod.n }, (uint64_t)r, e->mod.n - 1) + 1;
        beta = nmod_add(beta, nmod_mul(rho[r], phi(e, rows[r], e->k), e->mod), e->mod);
        for (long f = 0; f < e->k; f++)
            g[f] = nmod_add(g[f], nmod_mul(rho[r], phi(e, rows[r], f), e->mod), e->mod);
    }
    half_sum *first = all_sums(g, low, e->mod), *second = all_sums(g + low, high, e->mod);
    half_sum *wanted = all_sums(rho, n, e->mod);
    qsort(first, (size_t)count, sizeof *first, by_sum);
    outcome out = NONE;
    for (uint64_t b = 0; out == NONE && b < (uint64_t)1 << high; b++)
        for (long w = 0; out == NONE && w < 1L << n; w++) {
            *h->work -= 16;
            const ulong rest = nmod_sub(nmod_sub(beta, second[b].sum, e->mod), wanted[w].sum, e->mod);
            out = *h->work < 0 ? TOO_MANY : probe(h, first, count, low, rest, b);
        }
    free(first);
    free(second);
    free(wanted);
    return out;
}

static outcome enumerate(hunt *h)
{
    const echelon *e = h->e;
    long rows[COMBINED];
    for (long i = 0; i < e->rank; i++) if (still(e, i) && phi(e, i, e->k) > 1) return NONE;
    const long n = choose_rows(e, rows), high = (e->k + 1) / 2;
    if (high > MAX_LOG2_PROBES - COMBINED) return TOO_MANY;
    return meet(h, rows, n);
}

/* ---- all together -------------------------------------------------------------------------------------- */

typedef enum { DONE, AGAIN } next_step;

/* What is proved over Q stays; a later prime may only add a vector y. */
static void answer(subset *S, truth is, const char *why)
{
    if (S->is != UNDECIDED) return;
    S->is = is;
    S->why = why;
}

/* There is none modulo the prime: by y, which the next prime may give, or over the integers. */
static next_step prove_none(subset *S, const echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work)
{
    long *rows = must_calloc((size_t)e->rank + 1, sizeof *rows);
    independent_rows(rows, e, A, b);
    const bool by_y = !e->consistent && certify(S, e, A, b, rows);
    if (by_y) {
        S->is = REFUTED;
        S->why = "the linear system has no solution";
    } else if (S->is == UNDECIDED) {
        const truth is = subset_over_integers(S->chosen, &S->free, A, b, rows, e->rank, work);
        REQUIRE(is != HOLDS, "a subset that was not found modulo %lu", (unsigned long)e->mod.n);
        answer(S, is, is == REFUTED ? "enumeration over the free columns"
                                    : "none modulo a prime, but more candidates than can be tried over Q");
    }
    free(rows);
    return by_y || e->consistent ? DONE : AGAIN;
}

static next_step decide(subset *S, const echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work)
{
    if (S->is == UNDECIDED) S->free = e->k;
    if (!e->consistent) return prove_none(S, e, A, b, work);
    if (S->is == REFUTED) return DONE;                          /* proved already; this prime gives no y */
    hunt h = { e, A, b, S->chosen, work, 0, 0 };
    switch (enumerate(&h)) {
    case FOUND:
        answer(S, HOLDS, "a subset was found and verified over Q");
        return DONE;
    case NONE: return prove_none(S, e, A, b, work);
    case TOO_MANY:
        answer(S, UNDECIDED, "more candidates than can be tried");
        return DONE;
    default:
        answer(S, UNDECIDED, "too many solutions hold modulo primes only");
        return AGAIN;
    }
}

subset subset_sum(const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work)
{
    const long N = fmpq_mat_nrows(A), m = fmpq_mat_ncols(A);
    subset S = { .is = UNDECIDED, .chosen = must_calloc((size_t)m + 1, 1), .why = "more work than is allowed" };
    uint64_t prime = 0;
    for (int tries = 0; tries < PRIMES; ) {
        echelon e;
        prime = next_prime(prime);
        *work -= N * (m + 1) * (m + 32);
        if (*work < 0) break;
        if (!echelon_of(&e, A, b, prime)) continue;             /* it divides a denominator: no try */
        tries++;
        const next_step then = decide(&S, &e, A, b, work);
        echelon_clear(&e);
        if (then == DONE) break;
    }
    if (S.is != HOLDS) memset(S.chosen, 0, (size_t)m);
    return S;
}

void subset_clear(subset *S)
{
    free(S->chosen);
    S->chosen = NULL;
    if (S->has_y) fmpq_mat_clear(S->y);
    S->has_y = false;
}
