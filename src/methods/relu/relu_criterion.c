/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_criterion.c - can a network with spare neurons absorb its skip?  The question of relu_absorb.c for all weights.
 *
 * Let sum_k c_k |u_k.x| + L x be the canonical form with p kinks, and s = m - p.  V needs at least
 * one neuron per kink: one alone is 2 c_k ReLU(s_k u_k.x), s_k = 1 or -1, with linear part s_k c_k u_k';
 * two carry any linear part l u_k'.  A pair e ReLU(g.x) - e ReLU(-g.x) without a kink is e g'x, rank one, and
 * no neuron is cheaper.  So with K the kinks that get a second neuron, V exists if and only if
 *     |K| + 2 r <= s   and   rank (L - sum_{k not in K} s_k c_k u_k') modulo span(u_K) <= r
 * for some K, r and signs.  Larger K helps wherever it does not cost r, so r is the largest that fits, and K is
 * left out if one more kink would leave r as it is.  Per K: if r reaches the rank that is possible, any signs
 * do; if r = 0, the signs solve a linear system with x_k = (1 - s_k)/2 in {0, 1} (relu_subset.c); else all
 * signs are tried, by ranks modulo a prime (never above the rank over Q) and then over Q.
 *
 * Under E.1's conditions p = m, s = 0, K is empty, and x_k = 1 or 0 marks J: the one system decides.      */
#include "src/methods/relu/relu_criterion.h"
#include <stdlib.h>
#include "src/methods/relu/relu_neurons.h"

static const uint64_t RANK_PRIME = ((uint64_t)1 << 61) - 1;

/* ---- one choice of K and r ------------------------------------------------------------------------------ */

/* Rows of U at K above the rows of M, in reduced echelon form; the rank. */
static long stack_rref(fmpq_mat_t R, const fmpq_mat_t U, const long *K, long nK)
{
    for (long i = 0; i < nK; i++) relu_copy_row(R, i, U, K[i]);
    return fmpq_mat_rref(R, R);
}

/* v N is v reduced by the echelon form of u_K, read at the columns without a pivot. */
static void annihilator(relu_choice *c)
{
    const long in = fmpq_mat_ncols(c->F->U);
    fmpq_mat_t R;
    fmpq_mat_init(R, c->nK, in);
    const long rank = c->nK ? stack_rref(R, c->F->U, c->K, c->nK) : 0;
    fmpq_mat_init(c->N, in, in - rank);
    long *pivot = must_calloc((size_t)in, sizeof *pivot), row = 0;
    for (long l = 0, q = 0; l < in; l++)
        if (row < rank && !fmpq_is_zero(fmpq_mat_entry(R, row, l))) pivot[row++] = l;
        else {
            fmpq_one(fmpq_mat_entry(c->N, l, q));
            for (long i = 0; i < row; i++) fmpq_neg(fmpq_mat_entry(c->N, pivot[i], q), fmpq_mat_entry(R, i, l));
            q++;
        }
    fmpq_mat_init(c->LN, fmpq_mat_nrows(c->F->L), in - rank);
    fmpq_mat_mul(c->LN, c->F->L, c->N);
    free(pivot);
    fmpq_mat_clear(R);
}

/* A[:,i] = vec(c_k u_k' N) for k = rest[i] */
static void terms(fmpq_mat_t A, const relu_choice *c)
{
    const long out = fmpq_mat_nrows(c->LN), q = fmpq_mat_ncols(c->LN);
    fmpq_mat_t UN;
    fmpq_mat_init(UN, relu_kinks(c->F), q);
    fmpq_mat_mul(UN, c->F->U, c->N);
    for (long i = 0; i < out; i++)
        for (long l = 0; l < q; l++)
            for (long k = 0; k < c->n; k++)
                fmpq_mul(fmpq_mat_entry(A, i * q + l, k), fmpq_mat_entry(c->F->C, i, c->rest[k]),
                         fmpq_mat_entry(UN, c->rest[k], l));
    fmpq_mat_clear(UN);
}

/* r = 0: sum_k x_k 2 c_k u_k' N = (sum_k c_k u_k' - L) N, over the kinks outside K */
static truth signs_by_system(relu_choice *c)
{
    const long q = fmpq_mat_ncols(c->LN), N = fmpq_mat_nrows(c->LN) * q;
    fmpq_mat_t A, b;
    fmpz_t two;
    fmpz_init_set_ui(two, 2);
    fmpq_mat_init(A, N, c->n);
    fmpq_mat_init(b, N, 1);
    *c->work -= 64 * N * (c->n + 1);
    terms(A, c);
    for (long i = 0; i < N; i++) {
        fmpq_neg(fmpq_mat_entry(b, i, 0), fmpq_mat_entry(c->LN, i / q, i % q));
        for (long k = 0; k < c->n; k++)
            fmpq_add(fmpq_mat_entry(b, i, 0), fmpq_mat_entry(b, i, 0), fmpq_mat_entry(A, i, k));
    }
    fmpq_mat_scalar_mul_fmpz(A, A, two);
    subset S = subset_sum(A, b, c->work);
    for (long k = 0; k < c->n; k++) c->minus[k] = S.chosen[k];
    const truth is = S.is;
    subset_clear(&S);
    fmpz_clear(two);
    fmpq_mat_clear(A);
    fmpq_mat_clear(b);
    return is;
}

/* (L - sum s_k c_k u_k') N for the signs in `minus` */
static void remainder_of(fmpq_mat_t M, const relu_choice *c, const fmpq_mat_t A)
{
    const long q = fmpq_mat_ncols(M);
    fmpq_mat_set(M, c->LN);
    for (long i = 0; i < fmpq_mat_nrows(M); i++)
        for (long l = 0; l < q; l++)
            for (long k = 0; k < c->n; k++) {
                fmpq *x = fmpq_mat_entry(M, i, l);
                if (c->minus[k]) fmpq_add(x, x, fmpq_mat_entry(A, i * q + l, k));
                else             fmpq_sub(x, x, fmpq_mat_entry(A, i * q + l, k));
            }
}

static long rank_of(const fmpq_mat_t M) { return relu_rank_of_rows(M, fmpq_mat_nrows(M)); }

/* The rank modulo a prime, or, where it divides a denominator, over Q: never above the rank over Q. */
static long rank_below(const fmpq_mat_t M)
{
    nmod_mat_t E;
    nmod_mat_init(E, fmpq_mat_nrows(M), fmpq_mat_ncols(M), (ulong)RANK_PRIME);
    bool good = true;
    for (long i = 0; i < fmpq_mat_nrows(M); i++)
        for (long l = 0; good && l < fmpq_mat_ncols(M); l++) {
            const fmpq *x = fmpq_mat_entry(M, i, l);
            const ulong den = fmpz_fdiv_ui(fmpq_denref(x), (ulong)RANK_PRIME);
            good = den != 0;
            if (!good) continue;
            const ulong num = fmpz_fdiv_ui(fmpq_numref(x), (ulong)RANK_PRIME);
            nmod_mat_entry(E, i, l) = n_mulmod2(num, n_invmod(den, (ulong)RANK_PRIME), (ulong)RANK_PRIME);
        }
    const long rank = good ? nmod_mat_rank(E) : rank_of(M);
    nmod_mat_clear(E);
    return rank;
}

/* r > 0: all signs, if they are few enough */
static truth signs_by_ranks(relu_choice *c)
{
    const long out = fmpq_mat_nrows(c->LN), q = fmpq_mat_ncols(c->LN);
    const int64_t each = 64 * out * q * (c->n + q) + 1024;
    if (c->n > 24 || each << c->n > *c->work) return UNDECIDED;
    *c->work -= each << c->n;
    fmpq_mat_t A, M;
    fmpq_mat_init(A, out * q, c->n);
    fmpq_mat_init(M, out, q);
    terms(A, c);
    truth is = REFUTED;
    for (uint64_t bits = 0; is == REFUTED && bits < (uint64_t)1 << c->n; bits++) {
        for (long k = 0; k < c->n; k++) c->minus[k] = bits >> k & 1;
        remainder_of(M, c, A);
        if (rank_below(M) <= c->r && rank_of(M) <= c->r) is = HOLDS;
    }
    fmpq_mat_clear(A);
    fmpq_mat_clear(M);
    return is;
}

static truth look(relu_choice *c)
{
    const long out = fmpq_mat_nrows(c->LN), q = fmpq_mat_ncols(c->LN);
    if (c->r >= out || c->r >= q) return HOLDS;                 /* any signs: `minus` is zero */
    return c->r == 0 ? signs_by_system(c) : signs_by_ranks(c);
}

/* ---- all choices --------------------------------------------------------------------------------------- */

static truth try_choice(absorption *a, const relu_net *f, const relu_form *F, const long *K, long nK, long r,
                        int64_t *work)
{
    const long p = relu_kinks(F);
    relu_choice c = { .f = f, .F = F, .K = K, .nK = nK, .r = r, .work = work };
    c.rest = must_calloc((size_t)p + 1, sizeof *c.rest);
    c.minus = must_calloc((size_t)p + 1, 1);
    for (long k = 0, i = 0; k < p; k++)
        if (i < nK && K[i] == k) i++;
        else c.rest[c.n++] = k;
    *work -= 1024 + 64 * p * fmpq_mat_ncols(F->U) * (fmpq_mat_nrows(F->C) + fmpq_mat_ncols(F->U));
    annihilator(&c);
    const truth is = *work < 0 ? UNDECIDED : look(&c);
    if (is == HOLDS) relu_criterion_build(a, &c);
    fmpq_mat_clear(c.N);
    fmpq_mat_clear(c.LN);
    free(c.rest);
    free(c.minus);
    return is;
}

static bool next_combination(long *K, long nK, long p)
{
    long i = nK - 1;
    while (i >= 0 && K[i] == p - nK + i) i--;
    if (i < 0) return false;
    K[i]++;
    for (long j = i + 1; j < nK; j++) K[j] = K[j - 1] + 1;
    return true;
}

void relu_criterion(absorption *a, const relu_net *f, const relu_form *F, int64_t *work)
{
    const long p = relu_kinks(F), s = fmpq_mat_nrows(f->W1) - p, most = s < p ? s : p;
    long *K = must_calloc((size_t)p + 1, sizeof *K);
    bool undecided = false;
    a->is = REFUTED;
    for (long nK = most; nK >= 0 && a->is != HOLDS; nK--) {
        const long r = (s - nK) / 2;
        if (nK < most && r == (s - nK - 1) / 2) continue;
        for (long k = 0; k < nK; k++) K[k] = k;
        do {
            a->cases++;
            const truth is = try_choice(a, f, F, K, nK, r, work);
            undecided |= is == UNDECIDED;
            if (is == HOLDS) a->is = HOLDS;
        } while (a->is != HOLDS && *work > 0 && next_combination(K, nK, p));
        if (*work <= 0 && a->is != HOLDS) undecided = true;
    }
    if (a->is != HOLDS && undecided) a->is = UNDECIDED;
    a->why = a->is == HOLDS ? "neurons without a kink, or kinks with two neurons, carry the skip"
           : a->is == REFUTED ? "no choice of signs and spare neurons carries the skip"
                              : "too many ways to use the spare neurons of a degenerate network";
    free(K);
}
