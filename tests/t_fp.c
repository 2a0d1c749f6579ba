/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_fp.c - the error bound that rows over fp print is valid.
 *
 * Small primes make errors visible: false identities are tried at many random points, and each is accepted no more often
 * than arith_deg.c says.  Then the pieces of the proof: primes are independent experiments, every parameter of a function
 * counts, degrees and heights are what they are by hand, and the runner accepts nothing that was not counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/flint_compat.h"
#include "numerics/mat.h"
#include "numerics/random.h"
#include "numerics/record/arith_deg.h"
#include "numerics/record/degree.h"
#include "src/claim/runner/runner.h"
#include "tests/support/suite.h"

static const place here = { 1, PLACE_MLP, 0 };

static const mat *number(scope *s, const char *name)            { return mat_draw(s, name, 1, 1, 0); }
static const mat *constant(scope *s, long c)                    { return mat_from_si(s, 1, 1, (long[]){ c }); }
static const mat *phi(scope *s, const mat *A, activation kind)  { return mat_phi(s, A, kind, here); }

static const mat *weights(scope *s, const mat *A, rowmap_kind kind, long num, long den, const unsigned char *visible)
{
    return mat_rowmap(s, A, &(rowmap){ kind, visible, num, den }, here);
}

/* ---- false identities ------------------------------------------------------------------------------- */

/* Each compares matrices that differ formally; HOLDS: all its checks passed. */
typedef truth identity(scope *s);

static truth equal(const mat *A, const mat *B) { return mat_compare(A, B, -INFINITY).is; }

static truth x_is_7(scope *s)        { return equal(number(s, "x"), constant(s, 7)); }
static truth square(scope *s)        { const mat *x = number(s, "x"); return equal(mat_mul(s, x, x), constant(s, 9)); }
static truth scaled_draw(scope *s)   { return equal(mat_draw(s, "W", 1, 2, 0), mat_draw(s, "W", 1, 2, 3)); }
static truth dyadic_units(scope *s)  { return equal(mat_scale(s, 1, -5, number(s, "x")), number(s, "y")); }
static truth softmax_7(scope *s)
{
    const mat *S = mat_draw(s, "S", 1, 3, 0);
    return equal(weights(s, S, ROWMAP_SOFTMAX, 1, 1, NULL), weights(s, S, ROWMAP_SOFTMAX, 49, 1, NULL));
}
static truth softmax_7_by_hand(scope *s)
{
    const mat *S = mat_draw(s, "S", 1, 1, 0);
    return equal(weights(s, S, ROWMAP_SOFTMAX, 1, 1, NULL), weights(s, mat_scale(s, 7, 0, S), ROWMAP_SOFTMAX, 1, 1, NULL));
}
static truth stochastic(scope *s)
{
    const mat *S = mat_draw(s, "S", 1, 2, 0), *T = mat_draw(s, "T", 1, 2, 0);
    return equal(weights(s, S, ROWMAP_STOCHASTIC, 1, 1, NULL), weights(s, T, ROWMAP_STOCHASTIC, 1, 1, NULL));
}
static truth other_eps(scope *s)
{
    const mat *X = number(s, "x");
    return equal(mat_norm(s, X, NORM_LAYER, -17, here), mat_norm(s, X, NORM_LAYER, 5, here));
}
static truth radial_lengths(scope *s)
{
    const mat *X = mat_draw(s, "x", 1, 2, 0), *Y = mat_draw(s, "y", 1, 2, 0), *one = mat_ones(s, 2, 1);
    return equal(mat_mul(s, mat_norm(s, X, NORM_RADIAL, 0, here), one), mat_mul(s, mat_norm(s, Y, NORM_RADIAL, 0, here), one));
}
static truth collision(scope *s)     { return equal(phi(s, number(s, "x"), ACT_GELU), phi(s, number(s, "y"), ACT_GELU)); }
static truth nearly_even(scope *s)
{
    const mat *x = number(s, "x"), *y = number(s, "y"), *half = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -1);
    return equal(mat_sub(s, phi(s, x, ACT_HALF_ODD), mat_mul(s, half, x)),
                 mat_sub(s, phi(s, y, ACT_HALF_ODD), mat_mul(s, half, y)));
}
static truth four_collisions(scope *s)
{
    const mat *X = mat_draw(s, "X", 1, 4, 0);
    (void)phi(s, X, ACT_RELU);
    const mat *Y = phi(s, mat_draw(s, "Y", 1, 4, 0), ACT_RELU), *F = phi(s, X, ACT_RELU), *one = mat_ones(s, 4, 1);
    return equal(mat_mul(s, F, one), mat_mul(s, Y, one));
}
static truth no_inverse(scope *s)
{
    const mat *A = mat_draw(s, "A", 2, 2, 0);
    return equal(mat_inv(s, A), mat_t(s, A)) == HOLDS && s->status == HOLDS ? HOLDS : REFUTED;
}
static truth inverse_entry(scope *s)
{
    const mat *A = mat_draw(s, "A", 2, 2, 1), *x = mat_cols(s, mat_rows(s, mat_inv(s, A), 0, 1), 0, 1);
    return equal(x, constant(s, 3)) == HOLDS && s->status == HOLDS ? HOLDS : REFUTED;
}
static truth rank_1(scope *s)        { return mat_rank_is(s, mat_draw(s, "A", 2, 2, 0), 1); }
static truth rank_2(scope *s)        { return mat_rank_at_most(s, mat_draw(s, "A", 3, 4, -2), 2); }
static truth turned(scope *s)
{
    const mat *X = mat_ones(s, 2, 2);                            /* row 1: (c - s, c + s) */
    return equal(mat_rows(s, mat_rotate(s, X), 1, 1), mat_from_si(s, 1, 2, (long[]){ 1, 1 }));
}
static truth turned_sum(scope *s)
{
    const mat *X = mat_rotate(s, mat_ones(s, 3, 4)), *one = mat_ones(s, 4, 1);
    return equal(mat_mul(s, mat_rows(s, X, 2, 1), one), constant(s, 5));
}
static truth linear_scale(scope *s)
{
    const mat *x = number(s, "x");
    return equal(weights(s, x, ROWMAP_LINEAR, 9, 25, NULL), constant(s, 2));
}

/* ---- primes between 512 and 1024 ------------------------------------------------------------------------ */

enum { LEAST = 512, TRIALS = 40000 };

static long small_primes(uint64_t *at)
{
    long n = 0;
    for (uint64_t p = LEAST; p < 2 * LEAST; p++) if (n_is_prime((ulong)p)) at[n++] = p;
    return n;
}

/* A product of 20 of those primes, times X. */
static truth multiple_of_primes(scope *s)
{
    uint64_t p[LEAST];
    const long n = small_primes(p);
    const mat *X = mat_draw(s, "X", 2, 2, 0);
    for (long k = 0; k < 20; k++) X = mat_scale(s, (int64_t)p[3 * k % n], 0, X);
    return equal(X, mat_zero(s, 2, 2));
}
/* Two such numbers that differ by a multiple of them: heights of sums and of dyadic numbers. */
static truth equal_mod_primes(scope *s)
{
    uint64_t p[LEAST];
    const long n = small_primes(p);
    const mat *x = constant(s, 1), *y = mat_dyadic(s, 1, 1, (int64_t[]){ 1 << 6 }, -6);
    for (long k = 0; k < 6; k++) x = mat_scale(s, (int64_t)p[7 * k % n], 0, x);
    return equal(mat_add(s, x, y), constant(s, 1));
}

typedef struct { const char *name; identity *is; } named_identity;
static const named_identity identities[] = {
    { "x = 7", x_is_7 }, { "x^2 = 9", square }, { "W = 8 W", scaled_draw }, { "x/32 = y", dyadic_units },
    { "softmax(S) = softmax(7 S)", softmax_7 }, { "the same, S times 7", softmax_7_by_hand },
    { "weights of S and T", stochastic }, { "another epsilon", other_eps }, { "rho(|x|^2) x", radial_lengths },
    { "phi(x) = phi(y)", collision }, { "even(x) = even(y)", nearly_even }, { "four collisions", four_collisions },
    { "A^-1 = A'", no_inverse }, { "(A^-1)_11 = 3", inverse_entry }, { "rank A = 1", rank_1 }, { "rank B <= 2", rank_2 },
    { "R = I", turned }, { "sums of turned rows", turned_sum }, { "linear scores", linear_scale },
    { "q_1 ... q_20 X = 0", multiple_of_primes }, { "q_1 ... q_6 + 1 = 1", equal_mod_primes },
};

static degree_bound bound_of(identity *f)
{
    arith R = arith_deg();
    scope s = scope_open(&R, 1, 1);
    ck_assert_int_eq(f(&s), HOLDS);
    ck_assert_int_eq(s.status, HOLDS);
    const degree_bound b = arith_deg_bound(&R);
    scope_close(&s);
    arith_close(&R);
    return b;
}

static bool accepted(identity *f, uint64_t p, uint64_t seed)
{
    arith R = arith_fp(p, (uint64_t[]){ seed, 5 });
    scope s = scope_open(&R, seed, 1);
    const bool is = f(&s) == HOLDS && s.status == HOLDS;
    scope_close(&s);
    return is;
}

/* No more often than the bound, up to five standard deviations. */
START_TEST(accepted_no_more_often_than_the_bound)
{
    const named_identity *f = &identities[_i];
    uint64_t p[LEAST];
    const long n = small_primes(p);
    ck_assert_int_eq(n, 75);
    const double bound = exp2(degree_bound_log2(bound_of(f->is), (prime_range){ LEAST, (double)n }));
    const uint64_t key[2] = { 3, (uint64_t)_i };
    long held = 0;
    for (long k = 0; k < TRIALS; k++)
        held += accepted(f->is, p[random_below(key, (uint64_t)k, (uint64_t)n)], (uint64_t)k);
    const double most = bound * TRIALS;
    ck_assert_msg((double)held <= most + 5 * sqrt(most + 1), "%s: accepted %ld times in %d, the bound allows %.1f",
                  f->name, held, TRIALS, most);
}
END_TEST

/* The test above would see a bound that is too small: here errors are nearly as frequent as the bound says. */
START_TEST(bounds_that_are_sharp)
{
    static const named_identity sharp[] = {
        { "x = 7", x_is_7 }, { "W = 8 W", scaled_draw }, { "phi(x) = phi(y)", collision }, { "rank A = 1", rank_1 },
        { "q_1 ... q_20 X = 0", multiple_of_primes } };
    static const double expected[] = { 1, 0, 2, 1, 20.0 / 75 };      /* per p; the last: at random primes */
    const uint64_t p = 521;
    uint64_t all[LEAST];
    const long n = small_primes(all);
    for (size_t k = 0; k < COUNT(sharp); k++) {
        long held = 0;
        const bool height = k == COUNT(sharp) - 1;
        for (uint64_t i = 0; i < TRIALS; i++)
            held += accepted(sharp[k].is, height ? all[i % (uint64_t)n] : p, i);
        const double mean = TRIALS * (height ? expected[k] : expected[k] / (double)p);
        ck_assert_msg(fabs((double)held - mean) <= 5 * sqrt(mean + 1), "%s: %ld instead of %.1f", sharp[k].name, held, mean);
    }
}
END_TEST

/* ---- independence ------------------------------------------------------------------------------------------ */

static uint64_t residue(const mat *A, long i, long j)
{
    return (uint64_t)A->R->ring.get_d(A, i, j);
}

/* x = 7 at both primes: 300,000/(1021 1019) = 0.29 times, where one experiment used twice has about 294. */
START_TEST(primes_are_independent)
{
    static const uint64_t prime[2] = { 1021, 1019 };
    long at[2] = { 0 }, both = 0;
    for (uint64_t k = 0; k < 300000; k++) {
        bool is[2];
        for (int p = 0; p < 2; p++) at[p] += is[p] = accepted(x_is_7, prime[p], k);
        both += is[0] && is[1];
    }
    for (int p = 0; p < 2; p++) ck_assert_msg(labs(at[p] - 294) < 90, "%ld times at %d", at[p], (int)prime[p]);
    ck_assert_msg(both <= 5, "at both primes %ld times, independent experiments have 0.29", both);
}
END_TEST

/* Draws, values of functions and rotations: none is the same number at two primes, or near each other as fractions. */
START_TEST(everything_is_salted)
{
    static const uint64_t prime[2] = { 2305843009213693951u, 2305843009213693921u };
    enum { N = 8 };
    const char *const what[] = { "draw", "activation", "row map", "norm", "rotation" };
    double x[2][COUNT(what)][N];
    for (int p = 0; p < 2; p++) {
        arith R = arith_fp(prime[p], (uint64_t[]){ 1, 2 });
        scope s = scope_open(&R, 1, 1);
        const mat *one = mat_ones(&s, 1, N);
        const mat *A[] = { mat_draw(&s, "x", 1, N, 0), phi(&s, one, ACT_GELU), weights(&s, one, ROWMAP_OPAQUE, 1, 1, NULL),
                           mat_norm(&s, one, NORM_OPAQUE, 0, here),
                           mat_rows(&s, mat_rotate(&s, mat_ones(&s, 2, N)), 1, 1) };
        for (size_t k = 0; k < COUNT(what); k++)
            for (long j = 0; j < N; j++) x[p][k][j] = (double)residue(A[k], 0, j) / (double)prime[p];
        scope_close(&s);
    }
    for (size_t k = 0; k < COUNT(what); k++)
        for (long j = 0; j < N; j++)
            ck_assert_msg(fabs(x[0][k][j] - x[1][k][j]) > 1e-6, "%s: entry %ld is the same at both primes", what[k], j);
}
END_TEST

START_TEST(primes_of_a_trial)
{
    double mean = 0;
    for (long trial_ = 0; trial_ < 50; trial_++)
        for (long k = 0; k < 8; k++) {
            const uint64_t p = runner_field_prime(20261121, trial_, k);
            ck_assert(n_is_prime((ulong)p) && p >> 60 == 1);
            ck_assert(p == runner_field_prime(20261121, trial_, k));
            for (long i = 0; i < k; i++) ck_assert(p != runner_field_prime(20261121, trial_, i));
            ck_assert(p != runner_field_prime(20261122, trial_, k) && p != runner_field_prime(20261121, trial_ + 1, k));
            mean += ldexp((double)p, -60) / 400;
        }
    ck_assert_msg(fabs(mean - 1.5) < 0.08, "mean %g: not uniform", mean);         /* five standard deviations */
}
END_TEST

/* ---- parameters of functions --------------------------------------------------------------------------------- */

START_TEST(every_parameter_counts)
{
    arith R = arith_fp(2305843009213693951u, (uint64_t[]){ 1, 2 });
    scope s = scope_open(&R, 1, 1);
    const unsigned char causal[] = { 1, 0, 1, 1 }, diagonal[] = { 1, 0, 0, 1 };
    const mat *X = mat_draw(&s, "X", 2, 2, 0);
    const place other_layer = { 2, PLACE_MLP, 0 }, sublayer = { 1, PLACE_GATE, 0 }, head = { 1, PLACE_MLP, 1 };
    const mat *const maps[] = {
        weights(&s, X, ROWMAP_SOFTMAX, 1, 1, NULL), weights(&s, X, ROWMAP_SOFTMAX, 49, 1, NULL),
        weights(&s, X, ROWMAP_SOFTMAX, 1, 2, NULL), weights(&s, X, ROWMAP_OPAQUE, 1, 1, NULL),
        weights(&s, X, ROWMAP_SOFTMAX, 1, 1, causal), weights(&s, X, ROWMAP_SOFTMAX, 1, 1, diagonal),
        mat_rowmap(&s, X, &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 1 }, other_layer),
        mat_rowmap(&s, X, &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 1 }, sublayer),
        mat_rowmap(&s, X, &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 1 }, head) };
    const mat *const norms[] = {
        mat_norm(&s, X, NORM_LAYER, -17, here), mat_norm(&s, X, NORM_LAYER, 5, here), mat_norm(&s, X, NORM_RMS, -17, here),
        mat_norm(&s, X, NORM_RADIAL, -17, here), mat_norm(&s, X, NORM_RADIAL, 5, here), mat_norm(&s, X, NORM_LAYER, -17, other_layer),
        mat_norm(&s, X, NORM_LAYER, -17, sublayer), mat_norm(&s, X, NORM_LAYER, -17, head) };
    const mat *const acts[] = {
        phi(&s, X, ACT_GELU), phi(&s, X, ACT_SILU), phi(&s, X, ACT_HALF_ODD), mat_phi(&s, X, ACT_GELU, other_layer),
        mat_phi(&s, X, ACT_GELU, sublayer), mat_phi(&s, X, ACT_GELU, head) };
    const mat *const draws[] = { X, mat_draw(&s, "Y", 2, 2, 0), mat_draw(&s, "X", 2, 2, 1), mat_draw(&s, "X", 2, 2, -1) };
    const struct { const char *what; const mat *const *at; size_t n; } lists[] = {
        { "row map", maps, COUNT(maps) }, { "norm", norms, COUNT(norms) }, { "activation", acts, COUNT(acts) },
        { "draw", draws, COUNT(draws) } };
    for (size_t l = 0; l < COUNT(lists); l++)
        for (size_t i = 0; i < lists[l].n; i++)
            for (size_t j = 0; j < i; j++)
                ck_assert_msg(equal(lists[l].at[i], lists[l].at[j]) == REFUTED, "%s: variants %zu and %zu are equal",
                              lists[l].what, i, j);
    /* Which of two equal scores is seen counts. */
    const unsigned char first_two[] = { 1, 1, 0 }, outer[] = { 1, 0, 1 };
    const mat *ones = mat_ones(&s, 1, 3);
    ck_assert_int_eq(equal(mat_cols(&s, weights(&s, ones, ROWMAP_SOFTMAX, 1, 1, first_two), 0, 1),
                           mat_cols(&s, weights(&s, ones, ROWMAP_SOFTMAX, 1, 1, outer), 0, 1)), REFUTED);
    /* Fractions are what they are, and a draw scaled by hand is the draw at that scale. */
    ck_assert_int_eq(equal(weights(&s, X, ROWMAP_SOFTMAX, 2, 6, NULL), weights(&s, X, ROWMAP_SOFTMAX, 1, 3, NULL)), HOLDS);
    ck_assert_int_eq(equal(mat_draw(&s, "X", 2, 2, 3), mat_scale(&s, 8, 0, X)), HOLDS);
    ck_assert_int_eq(equal(mat_draw(&s, "X", 2, 2, -3), mat_scale(&s, 1, -3, X)), HOLDS);
    /* RoPE's angles are those of j/width: the first pair turns alike in every width, others where the fractions agree. */
    const mat *four = mat_rotate(&s, mat_ones(&s, 2, 4)), *eight = mat_rotate(&s, mat_ones(&s, 2, 8));
    ck_assert_int_eq(equal(mat_cols(&s, four, 0, 2), mat_cols(&s, eight, 0, 2)), HOLDS);
    ck_assert_int_eq(equal(mat_cols(&s, four, 2, 2), mat_cols(&s, eight, 4, 2)), HOLDS);
    ck_assert_int_eq(equal(mat_cols(&s, four, 2, 2), mat_cols(&s, eight, 2, 2)), REFUTED);
    scope_close(&s);
}
END_TEST

/* Corner shapes: what they leave free is uniform, so the bound is true for them. */
START_TEST(corners_are_uniform)
{
    arith R = arith_fp(2305843009213693951u, (uint64_t[]){ 1, 2 });
    for (corner shape_ = CORNER_SPARSE; shape_ <= CORNER_NEAR_SINGULAR; shape_++) {
        scope s = scope_open(&R, 1, 1);
        s.shape_of_draws = shape_;
        const mat *A = mat_draw(&s, "A", 4, 4, 0);
        long zeros = 0, large = 0;
        for (long k = 0; k < 16; k++) {
            zeros += residue(A, k / 4, k % 4) == 0;
            large += residue(A, k / 4, k % 4) > (uint64_t)1 << 40;
        }
        ck_assert_int_eq(large, 16 - zeros);
        ck_assert(shape_ == CORNER_SPARSE ? zeros > 4 : zeros == 0);
        const mat *first = mat_rows(&s, A, 0, 1), *last = mat_rows(&s, A, 3, 1), *less = mat_sub(&s, last, first);
        if (shape_ == CORNER_REPEATED) ck_assert_int_eq(mat_rank(&s, A), 2);
        if (shape_ == CORNER_NEAR_SINGULAR) {
            s.shape_of_draws = CORNER_NONE;                  /* the same draw without the corner: 2^20 (last - first) */
            const mat *plain = mat_rows(&s, mat_draw(&s, "A", 4, 4, 0), 3, 1);
            ck_assert_int_eq(equal(mat_scale(&s, 1, 20, less), plain), HOLDS);
        }
        scope_close(&s);
    }
}
END_TEST

/* Of more denominators than are kept: products and least common multiples of any two, asked for twice. */
START_TEST(many_denominators)
{
    enum { MANY = 3000 };
    degrees *b = degrees_new();
    for (long k = 1; k <= MANY; k++) ck_assert_int_eq(den_new(b, (double)k, 1), k);
    for (int round = 0; round < 2; round++)
        for (long x = 1; x <= 2; x++)
            for (long y = 1; y <= MANY; y++) {
                const degree p = { .den = x }, q = { .den = y };
                const degree pq = { .den = degree_product(b, p, q).den };
                ck_assert_double_eq(den_degree(b, pq.den), (double)(x + y));
                ck_assert_double_eq(den_degree(b, degree_product(b, p, pq).den), (double)(2 * x + y));
                ck_assert_double_eq(den_degree(b, degree_sum(b, p, pq).den), (double)(x + y));
                ck_assert_double_eq(den_degree(b, degree_sum(b, p, q).den), (double)(x == y ? x : x + y));
            }
    degrees_free(b);
}
END_TEST

/* ---- degrees and heights by hand ------------------------------------------------------------------------------ */

static truth product(scope *s)
{
    return equal(mat_mul(s, mat_draw(s, "A", 2, 3, 2), mat_draw(s, "B", 3, 2, -1)), mat_draw(s, "C", 2, 2, 0));
}
static truth two_denominators(scope *s)
{
    const mat *A = mat_inv(s, mat_draw(s, "A", 2, 2, 0)), *B = mat_inv(s, mat_draw(s, "B", 2, 2, 0));
    return equal(mat_add(s, A, B), mat_draw(s, "C", 2, 2, 0));
}
static truth one_denominator(scope *s)
{
    const mat *A = mat_inv(s, mat_draw(s, "A", 2, 2, 0));
    return equal(mat_add(s, A, A), mat_draw(s, "C", 2, 2, 0));
}
static truth three_calls(scope *s)
{
    const mat *x = mat_draw(s, "x", 2, 2, 0), *y = mat_draw(s, "y", 2, 2, 0), *z = mat_draw(s, "z", 2, 2, 0);
    (void)phi(s, x, ACT_GELU);
    (void)phi(s, y, ACT_GELU);
    return equal(phi(s, z, ACT_GELU), x);
}
static truth scores(scope *s)
{
    const mat *S = mat_draw(s, "S", 3, 3, 0), *T = mat_draw(s, "T", 3, 3, 4);
    return equal(weights(s, S, ROWMAP_SHIFT, 1, 2, NULL), weights(s, T, ROWMAP_SHIFT, 1, 2, NULL));
}
static truth two_numbers(scope *s)     { return equal(constant(s, 3), constant(s, 11)); }
static truth ranks(scope *s)           { return mat_rank_at_most(s, mat_scale(s, 5, 0, mat_draw(s, "A", 3, 3, 0)), 1); }
static truth full_rank(scope *s)       { return mat_rank_is(s, mat_draw(s, "A", 2, 3, 0), 2); }
static truth rotation(scope *s)        { return equal(mat_rotate(s, mat_ones(s, 3, 4)), mat_ones(s, 3, 4)); }

static truth rotated_draw(scope *s)    { return equal(mat_rotate(s, mat_draw(s, "X", 3, 4, 0)), mat_zero(s, 3, 4)); }
static truth square_denominator(scope *s)
{
    const mat *A = mat_inv(s, mat_draw(s, "A", 2, 2, 0));
    return equal(mat_mul(s, A, A), mat_draw(s, "C", 2, 2, 0));
}
static truth nested_denominators(scope *s)
{
    const mat *A = mat_inv(s, mat_draw(s, "A", 2, 2, 0));
    return equal(mat_add(s, mat_mul(s, A, A), A), mat_draw(s, "C", 2, 2, 0));
}
static truth denominators_nested(scope *s)
{
    const mat *A = mat_inv(s, mat_draw(s, "A", 2, 2, 0));
    return equal(mat_add(s, A, mat_mul(s, A, A)), mat_draw(s, "C", 2, 2, 0));
}

START_TEST(degrees_and_heights)
{
    static const struct { const char *name; identity *is; double degrees, heights; } table[] = {
        { "x = 7", x_is_7, 1, 3 },                           /* 1 + 7 */
        { "x^2 = 9", square, 2, 3.3219280948873623 },        /* 1 + 9 */
        { "W = 8 W", scaled_draw, 1, 3.1699250014423126 },   /* x - 8 x: no cancellation is assumed */
        { "2^2 A 2^-1 B = C", product, 2, 2.807354922057604 },                      /* 2 * 3 + 1 */
        { "3 = 11", two_numbers, 0, 3.8073549220576037 },    /* 14 */
        { "A^-1 + B^-1 = C", two_denominators, 5, 3 },        /* det of 2 terms: 2 + 2 + 2 * 2 */
        { "2 A^-1 = C", one_denominator, 3, 2 },             /* 2 + 2 */
        { "even(x) = even(y)", nearly_even, 2 + 1, 2 + 3 },  /* x - y and x + y; (2 + 1 + 1) + (2 + 1 + 1) */
        { "rho(|x|^2) x", radial_lengths, 2 + 2, 2 + 2 },    /* 2 squares each; 2 + 2 */
        { "R X = 0", rotated_draw, 8 + 1, 7 },
        { "A^-1 A^-1 = C", square_denominator, 5, 2.5849625007211561 },             /* det^2: 2 + 2 * 2 */
        { "A^-1 A^-1 + A^-1 = C", nested_denominators, 5, 3 },                      /* 2 + 2 + 2 * 2 over det^2 */
        { "A^-1 + A^-1 A^-1 = C", denominators_nested, 5, 3 },
        { "three calls", three_calls, 4 + 8 + 1, 4 * 1 + 8 * 1 + 1 },
        { "scores", scores, 3 * 1 + 1, 3 * 5.0874628412503395 + 1 },                /* 2 + 2 * 2^4 */
        { "rank <= 1", ranks, 2, 1 + 2 * 3.9068905956085187 },                      /* 2! (3 * 5)^2: a product with 5 I */
        { "full rank", full_rank, 0, 0 },
        { "rotation", rotation, 8, 7.1699250014423122 },     /* 2^(1 + 2 * 3) + 2^(2 * 2) */
    };
    for (size_t k = 0; k < COUNT(table); k++) {
        const degree_bound b = bound_of(table[k].is);
        ck_assert_msg(fabs(b.degrees - table[k].degrees) < 1e-9 && fabs(b.heights - table[k].heights) < 1e-9,
                      "%s: %.17g and %.17g instead of %.17g and %.17g", table[k].name, b.degrees, b.heights,
                      table[k].degrees, table[k].heights);
    }
}
END_TEST

START_TEST(from_bound_to_error)
{
    const degree_bound b = { .degrees = 1024, .heights = 600, .highest = 9 };
    ck_assert_double_eq_tol(degree_bound_log2(b, PRIMES_61), log2(exp2(-50) + 10 * exp2(-54)), 1e-5);
    ck_assert(degree_bound_log2(b, PRIMES_61) > log2(exp2(-50) + 10 * exp2(-54)));           /* rounded upwards */
    ck_assert_double_eq_tol(degree_bound_log2((degree_bound){ .heights = 60 }, PRIMES_61), -54, 1e-5);
    ck_assert_double_eq_tol(degree_bound_log2_at(b, exp2(60)), -50, 1e-5);
    ck_assert_double_eq(degree_bound_log2_at(b, 509), 0);    /* 2^9 may be a multiple of 509 plus what it likes */
    /* There are more than 2^54 primes of 61 bits, with room: Rosser & Schoenfeld (3.5), (3.6). */
    const double more = exp2(61) / (61 * log(2)) - 1.25506 * exp2(60) / (60 * log(2));
    ck_assert(more > PRIMES_61.count * 1.05);
    ck_assert_double_eq(PRIMES_61.least, exp2(60));
}
END_TEST

/* (q1 q2) X = 0 holds at both primes; the bound says that it would. */
START_TEST(multiples_of_the_primes)
{
    const uint64_t p[2] = { runner_field_prime(1, 0, 0), runner_field_prime(1, 0, 1) };
    arith D = arith_deg();
    for (int k = 0; k < 3; k++) {
        arith R = k < 2 ? arith_fp(p[k], (uint64_t[]){ 1, 2 }) : D;
        scope s = scope_open(&R, 1, 1);
        const mat *X = mat_draw(&s, "X", 2, 2, 0);
        for (int m = 0; m < 2; m++) X = mat_scale(&s, (int64_t)p[m], 0, X);
        ck_assert_int_eq(equal(X, mat_zero(&s, 2, 2)), HOLDS);
        scope_close(&s);
    }
    const degree_bound b = arith_deg_bound(&D);
    ck_assert(b.highest > 120 && b.heights > 120);
    ck_assert_double_eq(degree_bound_log2_at(b, (double)p[0]), 0);
    ck_assert(degree_bound_log2(b, PRIMES_61) > -53.1);      /* two primes of 2^54 are bad */
    arith_close(&D);
}
END_TEST

/* ---- the runner -------------------------------------------------------------------------------------------------- */

static void is_true(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 3, 3, 0), *B = mat_draw(s, "B", 3, 3, 0);
    claim_equal(t, "(A B)' = B' A'", mat_t(s, mat_mul(s, A, B)), mat_mul(s, mat_t(s, B), mat_t(s, A)));
}
static void is_false(trial *t)
{
    is_true(t);
    claim_equal(t, "A = B", mat_draw(&t->s, "A", 3, 3, 0), mat_draw(&t->s, "B", 3, 3, 0));
}
static void twice(trial *t)            { is_true(t); is_true(t); }
static void more_over_fp(trial *t)     { is_true(t); if (t->s.R->kind == A_FP) is_true(t); }
static void other_over_fp(trial *t)
{
    const mat *A = mat_draw(&t->s, "A", 3, 3, 0), *B = mat_draw(&t->s, "B", 3, 3, 0);
    claim_equal(t, t->s.R->kind == A_FP ? "over fp" : "elsewhere", mat_add(&t->s, A, B), mat_add(&t->s, B, A));
}
static void other_kind(trial *t)
{
    const mat *A = mat_draw(&t->s, "A", 3, 3, 0), *B = mat_mul(&t->s, A, mat_identity(&t->s, 3));
    if (t->s.R->kind == A_FP) claim_equal(t, "A", A, B);
    else claim_differs(t, "A", A, B);
}
static void fact_of_fp(trial *t)       { is_true(t); claim_decided(t, "a fact", t->s.R->kind == A_FP); }
static void asks_rank(trial *t)        { claim_decided(t, "rank", mat_rank(&t->s, mat_draw(&t->s, "A", 2, 2, 0)) == 2); }
static void sampled(trial *t)          { is_true(t); claim_sampled(t, "by chance", true); }
static void only_facts(trial *t)
{
    claim_decided(t, "3 < n", 3 < t->sh.n);
    claim_rank(t, "full rank", mat_draw(&t->s, "A", 2, 3, 0), 2);
    claim_differs(t, "A and B", mat_draw(&t->s, "A", 2, 2, 0), mat_draw(&t->s, "B", 2, 2, 0));
}
/* The functions' arguments may meet, so this is counted although each check is a fact. */
static void facts_of_functions(trial *t)
{
    (void)phi(&t->s, number(&t->s, "x"), ACT_GELU);
    claim_rank(t, "not 0", phi(&t->s, number(&t->s, "y"), ACT_GELU), 1);
}
/* 0 at the first prime of the trial, and only there. */
static void multiple_of_the_first(trial *t)
{
    const mat *X = mat_scale(&t->s, (int64_t)runner_field_prime(t->seed, t->number, 0), 0, mat_draw(&t->s, "X", 2, 2, 0));
    claim_equal(t, "q X = 0", X, mat_zero(&t->s, 2, 2));
}
static void low_rank(trial *t)
{
    const mat *A = mat_mul(&t->s, mat_draw(&t->s, "u", 3, 1, 0), mat_draw(&t->s, "v", 1, 3, 0));
    claim_rank(t, "rank u v = 1", A, 1);
}
/* GELU(x) - GELU(-x) = x, which opaque functions do not know. */
static void opaque_difference(trial *t)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", 1, 1, 0), *y = mat_phi(s, x, ACT_GELU, here), *z = mat_phi(s, mat_scale(s, -1, 0, x), ACT_GELU, here);
    is_true(t);
    claim_differs(t, "GELU(x) - GELU(-x) and x", mat_sub(s, y, z), x);
}
static void rotated_difference(trial *t)
{
    const mat *X = mat_draw(&t->s, "X", 2, 2, 0);
    is_true(t);
    claim_differs(t, "R X and X", mat_rotate(&t->s, X), X);
}
static void heavy(trial *t)                                   /* some 2^-29 at one prime */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 1, 1, 0), *B;
    for (int k = 0; k < 30; k++) A = mat_mul(s, A, A);
    B = mat_mul(s, A, mat_identity(s, 1));
    claim_equal(t, "A I = A", B, A);
}
static void opens_nothing(trial *t)    { claim_equal(t, "0 = 0", mat_zero(&t->s, 2, 2), mat_zero(&t->s, 2, 2)); }

static row run(body *f, part_kind kind, uint64_t seed, uint64_t prime, bool as_control)
{
    const control broken = { "control", f, "" };
    const part P = { .name = "as-stated", .kind = kind, .run = f, .no_minimal = true };
    const claim C = { .id = "T", .title = "test", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .sh = { .n = 4, .d = 4, .h = 2, .m = 4, .V = 4, .L = 1 }, .seed = seed,
              .over = { .kind = A_FP, .prime = prime }, .control = as_control ? &broken : NULL };
    ck_assert_ptr_null(shape_complete(&j.sh));
    return runner_run(&j, NULL, NULL);
}

START_TEST(rows_that_are_not_counted)
{
    static const struct { const char *name; body *f; const char *note; } table[] = {
        { "more checks", more_over_fp, "the degree run makes other checks: 1 instead of 2" },
        { "another name", other_over_fp, "the degree run makes other checks: elsewhere instead of over fp" },
        { "another question", other_kind, "the degree run makes other checks: A instead of A" },
        { "a fact of the residues", fact_of_fp, "the degree run finds another fact: a fact" },
        { "ranks by hand", asks_rank, "no error bound: on degrees: this arithmetic does not decide ranks" },
        { "a sample", sampled, "no error bound: by chance was found at a random point" },
        { "an opaque difference", opaque_difference, "opaque functions differ and the real ones need not: GELU(x)" },
        { "a rotated difference", rotated_difference, "opaque functions differ and the real ones need not: R X" },
        { "nothing can happen", opens_nothing, "no error bound: nothing was counted for 0 = 0" },
    };
    for (size_t k = 0; k < COUNT(table); k++) {
        const row r = run(table[k].f, PART_IDENTITY, 1, 0, false);
        ck_assert_msg(r.verdict == UNDECIDED, "%s: %s", table[k].name, truth_word(r.verdict));
        ck_assert_msg(strncmp(r.note, table[k].note, strlen(table[k].note)) == 0, "%s: %s", table[k].name, r.note);
        ck_assert_msg(!(r.log2bound <= -60), "%s", table[k].name);
    }
}
END_TEST

START_TEST(rows_that_are_counted)
{
    const row r = run(is_true, PART_IDENTITY, 1, 0, false);
    const double each = log2(2 / (exp2(60) - 2) + log2(6) / (60 * exp2(54)));
    ck_assert_int_eq(r.verdict, HOLDS);
    ck_assert_str_eq(r.param, "2 primes");
    ck_assert_int_eq(r.scope, SCOPE_SIZE);
    ck_assert_double_eq_tol(r.log2bound, 2 * each, 1e-4);
    /* The error is that of all checks: twice the checks, twice the events. */
    ck_assert_double_eq_tol(run(twice, PART_IDENTITY, 1, 0, false).log2bound, 2 * (each + 1), 1e-4);
    const row h = run(heavy, PART_IDENTITY, 1, 0, false);
    ck_assert_int_eq(h.verdict, HOLDS);
    ck_assert_str_eq(h.param, "3 primes");
    ck_assert_double_eq_tol(h.log2bound, 3 * -30, 0.1);
    const row low = run(low_rank, PART_IDENTITY, 1, 0, false);
    ck_assert_int_eq(low.verdict, HOLDS);
    ck_assert(low.log2bound <= -60 && low.log2bound > -120);
    ck_assert_int_eq(run(multiple_of_the_first, PART_IDENTITY, 1, 0, false).verdict, REFUTED);
    ck_assert_int_eq(run(is_false, PART_IDENTITY, 1, 0, false).verdict, REFUTED);
    ck_assert_int_eq(run(is_false, PART_IDENTITY, 1, 0, true).verdict, REFUTED);
}
END_TEST

START_TEST(facts_are_of_another_type)
{
    const row r = run(only_facts, PART_IDENTITY, 1, 0, false);
    ck_assert_int_eq(r.verdict, HOLDS);
    ck_assert_str_eq(r.param, PARAM_CERTAIN);
    ck_assert_int_eq(r.scope, SCOPE_INSTANCE);
    const row counted = run(facts_of_functions, PART_IDENTITY, 1, 0, false);
    ck_assert_int_eq(counted.verdict, HOLDS);
    ck_assert_str_eq(counted.param, "2 primes");
}
END_TEST

/* A prime that somebody chose: its error is told, and is 1 where heights reach it. */
START_TEST(chosen_primes)
{
    const row r = run(is_true, PART_IDENTITY, 1, 2305843009213693951u, false), small = run(is_true, PART_IDENTITY, 1, 3, false);
    ck_assert_str_eq(r.param, "q=2305843009213693951");
    ck_assert_int_eq(r.verdict, HOLDS);
    ck_assert_double_eq_tol(r.log2bound, -60, 1e-4);         /* 2 events */
    ck_assert_int_eq(small.verdict, HOLDS);
    ck_assert_double_eq(small.log2bound, 0);
    ck_assert_int_eq(run(is_false, PART_IDENTITY, 1, 1021, false).verdict, REFUTED);
}
END_TEST

START_TEST(witnesses_are_not_decided_here)
{
    static const part_kind witness[] = { PART_COUNTEREXAMPLE, PART_SLIP, PART_GAP, PART_UNCHECKABLE };
    for (size_t k = 0; k < COUNT(witness); k++)
        for (int as_control = 0; as_control < 2; as_control++) {
            const row r = run(as_control ? is_false : is_true, witness[k], 1, 0, as_control == 1);
            ck_assert_int_eq(r.verdict, UNDECIDED);
            ck_assert_ptr_nonnull(strstr(r.note, "a witness is decided over Q"));
        }
}
END_TEST

START_TEST(the_seed_decides)
{
    const row a = run(is_true, PART_IDENTITY, 5, 0, false), b = run(is_true, PART_IDENTITY, 5, 0, false);
    ck_assert(a.verdict == b.verdict && a.log2bound == b.log2bound && strcmp(a.param, b.param) == 0);
    arith R = arith_fp(runner_field_prime(5, 0, 0), (uint64_t[]){ 1, 2 }), S = arith_fp(runner_field_prime(5, 0, 0), (uint64_t[]){ 1, 2 });
    scope s = scope_open(&R, 1, 1), same = scope_open(&S, 1, 1), other = scope_open(&S, 2, 1);
    const uint64_t x = residue(mat_draw(&s, "x", 1, 1, 0), 0, 0);
    ck_assert(x == residue(mat_draw(&same, "x", 1, 1, 0), 0, 0) && x != residue(mat_draw(&other, "x", 1, 1, 0), 0, 0));
    scope_close(&s);
    scope_close(&same);
    scope_close(&other);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("fp");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, accepted_no_more_often_than_the_bound, 0, (int)COUNT(identities));
    tcase_add_test(all, bounds_that_are_sharp);
    tcase_add_test(all, primes_are_independent);
    tcase_add_test(all, everything_is_salted);
    tcase_add_test(all, primes_of_a_trial);
    tcase_add_test(all, every_parameter_counts);
    tcase_add_test(all, corners_are_uniform);
    tcase_add_test(all, many_denominators);
    tcase_add_test(all, degrees_and_heights);
    tcase_add_test(all, from_bound_to_error);
    tcase_add_test(all, multiples_of_the_primes);
    tcase_add_test(all, rows_that_are_not_counted);
    tcase_add_test(all, rows_that_are_counted);
    tcase_add_test(all, facts_are_of_another_type);
    tcase_add_test(all, chosen_primes);
    tcase_add_test(all, witnesses_are_not_decided_here);
    tcase_add_test(all, the_seed_decides);
    return run_suite(suite, argc, argv);
}
