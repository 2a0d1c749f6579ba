/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_draw.c - drawn and planted ReLU networks with integer weights: see relu.h. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/relu/relu.h"

enum { WEIGHT_BOUND = 99, REDRAWS = 64 };

const mat *relu_draw(scope *s, const char *name, long rows, long cols, long bound)
{
    REQUIRE(rows > 0 && cols > 0 && bound > 0, "%ldx%ld up to %ld", rows, cols, bound);
    uint64_t key[2];
    random_key_derive(key, s->key, name);
    long *x = scope_alloc(s, (size_t)(rows * cols) * sizeof *x);
    for (long k = 0; k < rows * cols; k++)
        x[k] = (long)random_below(key, (uint64_t)k, (uint64_t)(2 * bound + 1)) - bound;
    return mat_from_si(s, rows, cols, x);
}

static const mat *diagonal(scope *s, long m, const unsigned char *J, long in_J, long outside)
{
    int64_t *x = scope_alloc(s, (size_t)m * sizeof *x);
    for (long j = 0; j < m; j++) x[j] = J[j] ? in_J : outside;
    return mat_diag_dyadic(s, m, x, 0);
}

const mat *relu_flip(scope *s, long m, const unsigned char *J) { return diagonal(s, m, J, -1, 1); }
const mat *relu_pick(scope *s, long m, const unsigned char *J) { return diagonal(s, m, J, 1, 0); }

bool relu_regular(const mat *W1, const mat *W2)
{
    relu_net f = relu_net_of(W1, W2, NULL);
    relu_form F = relu_form_of(&f);
    const bool regular = relu_kinks(&F) == W1->rows;    /* each neuron is the only one of its live kink */
    relu_form_clear(&F);
    relu_net_clear(&f);
    return regular;
}

/* U = (1 + strictly lower)(1 + strictly upper): an integer matrix of determinant 1 */
static const mat *unimodular(scope *s, const char *name, long h)
{
    char full[64];
    const mat *factor[2];
    for (int upper = 0; upper < 2; upper++) {
        snprintf(full, sizeof full, "%s.%d", name, upper);
        uint64_t key[2];
        random_key_derive(key, s->key, full);
        long *x = scope_alloc(s, (size_t)(h * h) * sizeof *x);
        for (long i = 0; i < h; i++)
            for (long j = 0; j < h; j++)
                x[i * h + j] = i == j ? 1
                             : (i < j) == upper ? (long)random_below(key, (uint64_t)(i * h + j), 5) - 2 : 0;
        factor[upper] = mat_from_si(s, h, h, x);
    }
    return mat_mul(s, factor[0], factor[1]);
}

/* A permutation matrix P and J, the places to which it moves the first q rows */
static const mat *shuffle(scope *s, const char *name, long m, long q, unsigned char *J)
{
    uint64_t key[2];
    random_key_derive(key, s->key, name);
    long *to = scope_alloc(s, (size_t)m * sizeof *to), *x = scope_alloc(s, (size_t)(m * m) * sizeof *x);
    for (long j = 0; j < m; j++) to[j] = j;
    for (long j = m - 1; j > 0; j--) {
        const long other = (long)random_below(key, (uint64_t)j, (uint64_t)j + 1), t = to[j];
        to[j] = to[other];
        to[other] = t;
    }
    for (long j = 0; j < m; j++) {
        x[to[j] * m + j] = 1;
        if (j < q) J[to[j]] = 1;
    }
    return mat_from_si(s, m, m, x);
}

/* W1[J,:] = (U; B) and W2[:,J] = ((T - Y B) U^-1 | Y), so that W2[:,J] W1[J,:] = T; the rest is drawn. */
static relu_weights plant(scope *s, long h, long m, long q, const mat *T, int attempt)
{
    char name[6][32];
    static const char *const base[6] = { "U", "B", "Y", "W1 rest", "W2 rest", "shuffle" };
    for (int k = 0; k < 6; k++) snprintf(name[k], sizeof name[k], "%s %d", base[k], attempt);
    const mat *rows[3], *cols[3];
    long n = 0;
    relu_weights w = { .J = scope_alloc(s, (size_t)m) };
    if (q) {
        const mat *U = unimodular(s, name[0], h), *left = T;
        rows[n++] = U;
        if (q > h) {
            const mat *B = relu_draw(s, name[1], q - h, h, WEIGHT_BOUND);
            const mat *Y = relu_draw(s, name[2], h, q - h, WEIGHT_BOUND);
            left = mat_sub(s, T, mat_mul(s, Y, B));
            rows[n] = B;
            cols[n++] = Y;
        }
        cols[0] = mat_mul(s, left, mat_inv(s, U));
    }
    if (q < m) {
        rows[n] = relu_draw(s, name[3], m - q, h, WEIGHT_BOUND);
        cols[n++] = relu_draw(s, name[4], h, m - q, WEIGHT_BOUND);
    }
    const mat *P = shuffle(s, name[5], m, q, w.J);
    w.W1 = mat_mul(s, P, mat_vcat(s, n, rows));
    w.W2 = mat_mul(s, mat_hcat(s, n, cols), mat_t(s, P));
    return w;
}

relu_weights relu_planted(scope *s, long h, long m, long q, const mat *T)
{
    REQUIRE(m > 0 && q <= m && (q == 0 || (q >= h && T)), "J of size %ld among %ld neurons, h = %ld", q, m, h);
    relu_weights w = plant(s, h, m, q, T, 0);
    for (int attempt = 1; attempt < REDRAWS && !relu_regular(w.W1, w.W2); attempt++) w = plant(s, h, m, q, T, attempt);
    if (!relu_regular(w.W1, w.W2))
        scope_undecided(s, REASON_DRAW, "no weights that fulfil the conditions of E.1 were drawn");
    return w;
}

/* ---- questions about matrices -------------------------------------------------------------------------- */

bool relu_same_function(const mat *W1, const mat *W2, const mat *Z, const mat *V1, const mat *V2, const mat *Y)
{
    relu_net f = relu_net_of(W1, W2, Z), g = relu_net_of(V1, V2, Y);
    const bool same = relu_same(&f, &g);
    relu_net_clear(&f);
    relu_net_clear(&g);
    return same;
}

truth relu_absorbable(const mat *W1, const mat *W2, const mat *Z)
{
    relu_net f = relu_net_of(W1, W2, Z);
    absorption a = relu_absorb(&f);
    const truth is = a.is;
    absorption_clear(&a);
    relu_net_clear(&f);
    return is;
}

truth relu_absorbable_with(scope *s, const mat *W1, const mat *W2, const mat *Z, long more)
{
    if (more <= 0) return more ? REFUTED : relu_absorbable(W1, W2, Z);
    const mat *wide1 = mat_vcat(s, 2, (const mat *const[]){ W1, mat_zero(s, more, W1->cols) });
    return relu_absorbable(wide1, mat_hcat(s, 2, (const mat *const[]){ W2, mat_zero(s, W2->rows, more) }), Z);
}

static int64_t *integers(const mat *A, size_t bits)             /* at most `bits` bits each */
{
    int64_t *x = must_calloc((size_t)(A->rows * A->cols), sizeof *x);
    mpq_t value;
    mpq_init(value);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const bool exact = mat_get_exact(value, A, i, j);
            REQUIRE(exact && mpz_cmp_ui(mpq_denref(value), 1) == 0 && mpz_sizeinbase(mpq_numref(value), 2) <= bits,
                    "entry (%ld, %ld) is not an integer of %zu bits", i, j, bits);
            x[i * A->cols + j] = mpz_get_si(mpq_numref(value));
        }
    mpq_clear(value);
    return x;
}

/* In the order of the Gray code one j enters or leaves J at a time. */
long relu_count_subsets(const mat *W1, const mat *W2, const mat *T)
{
    const long m = W1->rows, in = W1->cols, out = W2->rows;
    REQUIRE(m <= 24 && W2->cols == m && T->rows == out && T->cols == in, "%ld neurons", m);
    int64_t *a = integers(W1, 18), *b = integers(W2, 40), *left = integers(T, 60);
    long count = 0;
    for (uint64_t step = 0, J = 0;;) {
        bool zero = true;
        for (long k = 0; zero && k < out * in; k++) zero = left[k] == 0;
        count += zero;
        if (++step == (uint64_t)1 << m) break;
        const long j = __builtin_ctzll(step);
        const int64_t sign = J >> j & 1 ? 1 : -1;
        J ^= (uint64_t)1 << j;
        for (long i = 0; i < out; i++)
            for (long l = 0; l < in; l++) left[i * in + l] += sign * b[i * m + j] * a[j * in + l];
    }
    free(a);
    free(b);
    free(left);
    return count;
}

typedef struct { const int64_t *at; size_t bytes; } sum;

static int by_bytes(const void *a, const void *b)
{
    const sum *x = a, *y = b;
    return memcmp(x->at, y->at, x->bytes);
}

long relu_count_sums(const mat *W1, const mat *W2)
{
    const long m = W1->rows, in = W1->cols, out = W2->rows, N = in * out;
    REQUIRE(m <= 24 && W2->cols == m, "%ld neurons", m);
    const size_t all = (size_t)1 << m;
    int64_t *a = integers(W1, 18), *b = integers(W2, 40), *sums = must_calloc(all * (size_t)N, sizeof *sums);
    sum *list = must_calloc(all, sizeof *list);
    for (long j = 0; j < m; j++)                                /* the sums with and without neuron j */
        for (size_t J = 0; J < (size_t)1 << j; J++)
            for (long k = 0; k < N; k++)
                sums[(J | (size_t)1 << j) * (size_t)N + (size_t)k] =
                    sums[J * (size_t)N + (size_t)k] + b[k / in * m + j] * a[j * in + k % in];
    for (size_t J = 0; J < all; J++) list[J] = (sum){ sums + J * (size_t)N, (size_t)N * sizeof *sums };
    qsort(list, all, sizeof *list, by_bytes);
    long count = 1;
    for (size_t J = 1; J < all; J++) count += by_bytes(&list[J], &list[J - 1]) != 0;
    free(a);
    free(b);
    free(sums);
    free(list);
    return count;
}
