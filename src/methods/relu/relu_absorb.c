/* relu_absorb.c - is W2 ReLU(W1 x) + Z x = V2 ReLU(V1 x) for some V1, V2 of the same width m?
 *
 * Sufficient, whatever the weights: W2[:,J] W1[J,:] = -Z.  For ReLU(y) - ReLU(-y) = y, so turning the rows of
 * J over changes W2 ReLU(W1 x) by -W2[:,J] W1[J,:] x = Z x:  V1 = (I - 2 Pi_J) W1, V2 = W2.
 *
 * In general let sum_k c_k |u_k.x| + L x be the canonical form with p kinks, and s = m - p.  V needs at least
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
#include <stdlib.h>
#include "src/methods/relu/relu.h"

static const uint64_t RANK_PRIME = ((uint64_t)1 << 61) - 1;

/* ---- building V ---------------------------------------------------------------------------------------- */

static void flip_rows(fmpq_mat_t V1, const unsigned char *J)
{
    for (long j = 0; j < fmpq_mat_nrows(V1); j++)
        for (long i = 0; J[j] && i < fmpq_mat_ncols(V1); i++)
            fmpq_neg(fmpq_mat_entry(V1, j, i), fmpq_mat_entry(V1, j, i));
}

/* The last word: the canonical forms agree. */
static void verify(const absorption *a, const relu_net *f)
{
    relu_net g;
    relu_net_init(&g, fmpq_mat_ncols(f->W1), fmpq_mat_nrows(f->W1), fmpq_mat_nrows(f->W2));
    fmpq_mat_set(g.W1, a->V1);
    fmpq_mat_set(g.W2, a->V2);
    const bool same = relu_same(f, &g);
    REQUIRE(same, "V is another function, %ld kinks", a->live);
    relu_net_clear(&g);
}

static void start_V(absorption *a, const relu_net *f)
{
    fmpq_mat_init(a->V1, fmpq_mat_nrows(f->W1), fmpq_mat_ncols(f->W1));
    fmpq_mat_init(a->V2, fmpq_mat_nrows(f->W2), fmpq_mat_ncols(f->W2));
}

/* ---- by J ---------------------------------------------------------------------------------------------- */

/* Columns vec(w2_j w1_j), right side vec(-Z). */
static void system_for_J(fmpq_mat_t A, fmpq_mat_t b, const relu_net *f)
{
    const long m = fmpq_mat_nrows(f->W1), in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2);
    for (long i = 0; i < out; i++)
        for (long l = 0; l < in; l++) {
            for (long j = 0; j < m; j++)
                fmpq_mul(fmpq_mat_entry(A, i * in + l, j), fmpq_mat_entry(f->W2, i, j), fmpq_mat_entry(f->W1, j, l));
            fmpq_neg(fmpq_mat_entry(b, i * in + l, 0), fmpq_mat_entry(f->Z, i, l));
        }
}

static void take_J(absorption *a, const relu_net *f, const unsigned char *J)
{
    const long m = fmpq_mat_nrows(f->W1);
    a->J = must_calloc((size_t)m, 1);
    for (long j = 0; j < m; j++) a->J[j] = J[j];
    start_V(a, f);
    fmpq_mat_set(a->V1, f->W1);
    fmpq_mat_set(a->V2, f->W2);
    flip_rows(a->V1, a->J);
    verify(a, f);
}

static void take_y(absorption *a, const relu_net *f, const fmpq_mat_t y)
{
    const long in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2);
    a->has_y = true;
    fmpq_mat_init(a->y, out, in);
    for (long i = 0; i < out; i++)
        for (long l = 0; l < in; l++) fmpq_set(fmpq_mat_entry(a->y, i, l), fmpq_mat_entry(y, 0, i * in + l));
}

static void by_J(absorption *a, const relu_net *f, int64_t *work)
{
    const long m = fmpq_mat_nrows(f->W1), N = fmpq_mat_nrows(f->W2) * fmpq_mat_ncols(f->W1);
    fmpq_mat_t A, b;
    fmpq_mat_init(A, N, m);
    fmpq_mat_init(b, N, 1);
    system_for_J(A, b, f);
    subset S = subset_sum(A, b, work);
    a->is = S.is;
    a->free = S.free;
    a->why = S.why;
    if (S.is == HOLDS) take_J(a, f, S.chosen);
    if (S.is == REFUTED && S.has_y && a->regular) take_y(a, f, S.y);
    subset_clear(&S);
    fmpq_mat_clear(A);
    fmpq_mat_clear(b);
}

/* ---- by the general criterion -------------------------------------------------------------------------- */

typedef struct {
    const relu_net  *f;
    const relu_form *F;
    const long *K;                       /* kinks with a second neuron, ascending                         */
    long  nK, r;
    long *rest, n;                       /* the other kinks                                               */
    fmpq_mat_t N;                        /* in x q: v N = 0 if and only if v lies in span(u_K)            */
    fmpq_mat_t LN;                       /* out x q: L N                                                  */
    unsigned char *minus;                /* s_k = -1 for k = rest[i]                                      */
    int64_t *work;
} choice;

/* Rows of U at K above the rows of M, in reduced echelon form; the rank. */
static long stack_rref(fmpq_mat_t R, const fmpq_mat_t U, const long *K, long nK)
{
    for (long i = 0; i < nK; i++)
        for (long l = 0; l < fmpq_mat_ncols(U); l++) fmpq_set(fmpq_mat_entry(R, i, l), fmpq_mat_entry(U, K[i], l));
    return fmpq_mat_rref(R, R);
}

/* v N is v reduced by the echelon form of u_K, read at the columns without a pivot. */
static void annihilator(choice *c)
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
static void terms(fmpq_mat_t A, const choice *c)
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
static truth signs_by_system(choice *c)
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
static void remainder_of(fmpq_mat_t M, const choice *c, const fmpq_mat_t A)
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

static long rank_of(const fmpq_mat_t M)
{
    fmpq_mat_t R;
    fmpq_mat_init(R, fmpq_mat_nrows(M), fmpq_mat_ncols(M));
    const long rank = fmpq_mat_rref(R, M);
    fmpq_mat_clear(R);
    return rank;
}

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
static truth signs_by_ranks(choice *c)
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

static truth look(choice *c)
{
    const long out = fmpq_mat_nrows(c->LN), q = fmpq_mat_ncols(c->LN);
    if (c->r >= out || c->r >= q) return HOLDS;                 /* any signs: `minus` is zero */
    return c->r == 0 ? signs_by_system(c) : signs_by_ranks(c);
}

/* ---- the neurons of the general criterion -------------------------------------------------------------- */

/* M = L - sum s_k c_k u_k', k outside K */
static void full_remainder(fmpq_mat_t M, const choice *c)
{
    const fmpq_mat_struct *U = c->F->U, *C = c->F->C;
    fmpq_t x;
    fmpq_init(x);
    fmpq_mat_set(M, c->F->L);
    for (long k = 0; k < c->n; k++)
        for (long i = 0; i < fmpq_mat_nrows(M); i++)
            for (long l = 0; l < fmpq_mat_ncols(M); l++) {
                fmpq_mul(x, fmpq_mat_entry(C, i, c->rest[k]), fmpq_mat_entry(U, c->rest[k], l));
                if (c->minus[k]) fmpq_neg(x, x);
                fmpq_sub(fmpq_mat_entry(M, i, l), fmpq_mat_entry(M, i, l), x);
            }
    fmpq_clear(x);
}

/* Row `row` of B becomes row i of A; false, and B stays, if it depends on the rows above. */
static bool extend(fmpq_mat_t B, long row, const fmpq_mat_t A, long i)
{
    fmpq_mat_t R;
    const long in = fmpq_mat_ncols(B);
    fmpq_mat_init(R, row + 1, in);
    for (long l = 0; l < in; l++) {
        for (long above = 0; above < row; above++) fmpq_set(fmpq_mat_entry(R, above, l), fmpq_mat_entry(B, above, l));
        fmpq_set(fmpq_mat_entry(R, row, l), fmpq_mat_entry(A, i, l));
    }
    const bool independent = fmpq_mat_rref(R, R) == row + 1;
    fmpq_mat_clear(R);
    for (long l = 0; independent && l < in; l++) fmpq_set(fmpq_mat_entry(B, row, l), fmpq_mat_entry(A, i, l));
    return independent;
}

/* X with X B = M, where the rows of B are independent and span those of M: X = M B' (B B')^-1 */
static void coordinates(fmpq_mat_t X, const fmpq_mat_t M, const fmpq_mat_t B)
{
    const long n = fmpq_mat_nrows(B), in = fmpq_mat_ncols(B), out = fmpq_mat_nrows(M);
    fmpq_mat_t T, G, MT;
    fmpq_mat_init(T, in, n);
    fmpq_mat_init(G, n, n);
    fmpq_mat_init(MT, out, n);
    fmpq_mat_transpose(T, B);
    fmpq_mat_mul(G, B, T);
    fmpq_mat_mul(MT, M, T);
    const bool invertible = n == 0 || fmpq_mat_inv(G, G) != 0;
    REQUIRE(invertible, "%ld rows", n);
    fmpq_mat_mul(X, MT, G);
    fmpq_mat_clear(T);
    fmpq_mat_clear(G);
    fmpq_mat_clear(MT);
}

/* Neuron `at` of V: input sign * (row i of A), output x C[:,k] + y X[:,j]; X may be NULL. */
typedef struct { const fmpq_mat_struct *A; long i; int sign; const fmpq_mat_struct *C; long k; long x;
                 const fmpq_mat_struct *X; long j; long y; } neuron;

static void add_multiple(fmpq_t to, const fmpq_t a, long times)
{
    fmpq_t t;
    fmpq_init(t);
    fmpq_set_si(t, times, 1);
    fmpq_addmul(to, t, a);
    fmpq_clear(t);
}

static void put(absorption *a, long at, const neuron *n)
{
    REQUIRE(at < fmpq_mat_nrows(a->V1), "neuron %ld of %ld", at, fmpq_mat_nrows(a->V1));
    for (long l = 0; l < fmpq_mat_ncols(a->V1); l++)
        add_multiple(fmpq_mat_entry(a->V1, at, l), fmpq_mat_entry(n->A, n->i, l), n->sign);
    for (long i = 0; i < fmpq_mat_nrows(a->V2); i++) {
        if (n->C) add_multiple(fmpq_mat_entry(a->V2, i, at), fmpq_mat_entry(n->C, i, n->k), n->x);
        if (n->X) add_multiple(fmpq_mat_entry(a->V2, i, at), fmpq_mat_entry(n->X, i, n->j), n->y);
    }
}

/* M = sum_{k in K} l_k u_k' + E G: neurons 2 c_k ReLU(s_k u_k.x); (c_k + l_k) ReLU(u_k.x) + (c_k - l_k) ReLU(-u_k.x);
 * e ReLU(g.x) - e ReLU(-g.x). */
static void take_choice(absorption *a, const choice *c)
{
    const fmpq_mat_struct *U = c->F->U, *C = c->F->C;
    const long in = fmpq_mat_ncols(U), out = fmpq_mat_nrows(C);
    fmpq_mat_t M, all, B, X;
    long *from = must_calloc((size_t)in, sizeof *from), n = 0, at = 0;   /* kink of row i of B, or -1 */
    fmpq_mat_init(M, out, in);
    fmpq_mat_init(all, in, in);
    full_remainder(M, c);
    for (long k = 0; k < c->nK && n < in; k++) if (extend(all, n, U, c->K[k])) from[n++] = c->K[k];
    for (long i = 0; i < out && n < in; i++)   if (extend(all, n, M, i)) from[n++] = -1;
    fmpq_mat_init(B, n, in);
    fmpq_mat_init(X, out, n);
    for (long i = 0; i < n; i++)
        for (long l = 0; l < in; l++) fmpq_set(fmpq_mat_entry(B, i, l), fmpq_mat_entry(all, i, l));
    coordinates(X, M, B);
    start_V(a, c->f);
    for (long k = 0; k < c->n; k++)
        put(a, at++, &(neuron){ U, c->rest[k], c->minus[k] ? -1 : 1, C, c->rest[k], 2, NULL, 0, 0 });
    for (long k = 0; k < c->nK; k++) {
        long j = 0;
        while (j < n && from[j] != c->K[k]) j++;
        const fmpq_mat_struct *own = j < n ? X : NULL;          /* a u_k that depends on others carries nothing */
        for (int sign = 1; sign >= -1; sign -= 2)
            put(a, at++, &(neuron){ U, c->K[k], sign, C, c->K[k], 1, own, j, sign });
    }
    for (long j = 0; j < n; j++)
        for (int sign = 1; from[j] < 0 && sign >= -1; sign -= 2)
            put(a, at++, &(neuron){ B, j, sign, NULL, 0, 0, X, j, sign });
    verify(a, c->f);
    free(from);
    fmpq_mat_clear(M);
    fmpq_mat_clear(all);
    fmpq_mat_clear(B);
    fmpq_mat_clear(X);
}

/* ---- all choices --------------------------------------------------------------------------------------- */

static truth try_choice(absorption *a, const relu_net *f, const relu_form *F, const long *K, long nK, long r,
                        int64_t *work)
{
    const long p = relu_kinks(F);
    choice c = { .f = f, .F = F, .K = K, .nK = nK, .r = r, .work = work };
    c.rest = must_calloc((size_t)p + 1, sizeof *c.rest);
    c.minus = must_calloc((size_t)p + 1, 1);
    for (long k = 0, i = 0; k < p; k++)
        if (i < nK && K[i] == k) i++;
        else c.rest[c.n++] = k;
    *work -= 1024 + 64 * p * fmpq_mat_ncols(F->U) * (fmpq_mat_nrows(F->C) + fmpq_mat_ncols(F->U));
    annihilator(&c);
    const truth is = *work < 0 ? UNDECIDED : look(&c);
    if (is == HOLDS) take_choice(a, &c);
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

static void by_criterion(absorption *a, const relu_net *f, const relu_form *F, int64_t *work)
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

absorption relu_absorb(const relu_net *f)
{
    relu_form F = relu_form_of(f);
    absorption a = { .is = UNDECIDED, .live = relu_kinks(&F) };
    int64_t work = RELU_WORK, half = RELU_WORK / 2;
    a.regular = a.live == fmpq_mat_nrows(f->W1);
    by_J(&a, f, a.regular ? &work : &half);
    if (a.is != HOLDS && !a.regular) by_criterion(&a, f, &F, &half);
    relu_form_clear(&F);
    return a;
}

void absorption_clear(absorption *a)
{
    if (a->is == HOLDS) {
        fmpq_mat_clear(a->V1);
        fmpq_mat_clear(a->V2);
    }
    if (a->has_y) fmpq_mat_clear(a->y);
    free(a->J);
    a->J = NULL;
    a->has_y = false;
    a->is = UNDECIDED;
}
