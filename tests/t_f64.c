/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_f64.c - the companion of bounded doubles contains the error: |computed - exact| <= E, entry by entry, whether a
 * running analysis or balls tell it.
 *
 * The exact value is that of 2,000-bit floats, whose own error is far below E.  Each slot is tried on operands that are
 * themselves off: spread over 2^-30 .. 2^30, cancelled, near-singular.  E is not much too large: see `tightness`. */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/f64_error.h"
#include "numerics/mat.h"
#include "numerics/random.h"
#include "src/claim/runner/runner.h"
#include "tests/support/suite.h"

enum { N = 4, TRIALS = 60, BITS = 2000 };
typedef enum { PLAIN, SPREAD, CANCELLED, ROUGH, NEAR_SINGULAR, LOUD, KINDS } kind;
static const char *const kind_name[] = { "plain", "spread", "cancelled", "rough", "near-singular", "loud" };

/* diag(2^k), k random in -30 .. 30 */
static const mat *powers(scope *s, const char *name, long n)
{
    uint64_t key[2];
    int64_t m[N];
    random_key_derive(key, s->key, name);
    for (long i = 0; i < n; i++) m[i] = (int64_t)1 << random_below(key, (uint64_t)i, 61);
    return mat_dyadic(s, n, 1, m, -30);
}

/* A rounded to multiples of 1: (A + 3 2^51) - 3 2^51.  Its error is of its own size and E is that very error. */
static const mat *rough(scope *s, const mat *A)
{
    int64_t m[N * N];
    for (long k = 0; k < N * N; k++) m[k] = (int64_t)3 << 51;
    const mat *big = mat_dyadic(s, N, N, m, 0);
    return mat_sub(s, mat_add(s, A, big), big);
}

/* Draws are exact in doubles; everything after them is off by some bits. */
static const mat *operand(scope *s, const char *name, kind of)
{
    char other[32];
    snprintf(other, sizeof other, "%s other", name);
    s->shape_of_draws = of == NEAR_SINGULAR ? CORNER_NEAR_SINGULAR : CORNER_NONE;
    const mat *A = mat_draw(s, name, N, N, 0), *B = mat_draw(s, other, N, N, 0);
    s->shape_of_draws = CORNER_NONE;
    const mat *third = mat_dyadic(s, N, N, (int64_t[N * N]){ 0x15555555555555, 1, -3, 7, 5, 0x1999999999999a, 9, 1, -1,
                                  -11, 0x1fffffffffffff, 2, 3, 5, 13, -0x12492492492493 }, -52);
    switch (of) {
    case SPREAD:    return mat_scale_rows(s, powers(s, name, N), mat_mul(s, third, mat_t(s, mat_scale_rows(s,
                                          powers(s, other, N), A))));
    case CANCELLED: B = mat_scale(s, 1, 40, B); return mat_sub(s, mat_add(s, mat_mul(s, third, A), B), B);
    case ROUGH:     return rough(s, A);
    case LOUD:      return mat_mul(s, mat_scale(s, 1, 4, A), third);
    default:        return mat_mul(s, A, mat_mul(s, B, third));
    }
}

/* ---- what is tried -------------------------------------------------------------------------- */

static const place HERE = { 0, 0, 0 };
static const unsigned char visible[N * N] = { 1, 0, 0, 0,  1, 1, 0, 0,  1, 0, 1, 1,  0, 1, 1, 0 };

static const mat *sum(scope *s, const mat *A, const mat *B)        { return mat_add(s, A, B); }
static const mat *difference(scope *s, const mat *A, const mat *B) { return mat_sub(s, A, B); }
static const mat *product(scope *s, const mat *A, const mat *B)    { return mat_mul(s, A, B); }
static const mat *one_by_one(scope *s, const mat *A, const mat *B)
{
    return mat_mul(s, mat_cols(s, mat_rows(s, A, 0, 1), 0, 1), mat_cols(s, mat_rows(s, B, 1, 1), 1, 1));
}
static const mat *entries(scope *s, const mat *A, const mat *B)    { return mat_hadamard(s, A, B); }
static const mat *scaled_rows(scope *s, const mat *A, const mat *B)
{
    return mat_scale_rows(s, mat_cols(s, A, 1, 1), B);
}
static const mat *turned(scope *s, const mat *A, const mat *B)     { (void)B; return mat_t(s, A); }
static const mat *blocks(scope *s, const mat *A, const mat *B)
{
    const mat *C[] = { mat_rows(s, A, 1, 2), mat_cols(s, B, 1, 2) };
    return mat_blockdiag(s, 2, C);
}
static const mat *inverse(scope *s, const mat *A, const mat *B)    { (void)B; return mat_inv(s, A); }
static const mat *inverses(scope *s, const mat *A, const mat *B)   { return mat_mul(s, mat_inv(s, A), mat_inv(s, B)); }
static const mat *inverse_of_inverse(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_inv(s, mat_inv(s, A));
}
static const mat *gelu(scope *s, const mat *A, const mat *B) { (void)B; return mat_phi(s, A, ACT_GELU, HERE); }
static const mat *silu(scope *s, const mat *A, const mat *B) { (void)B; return mat_phi(s, A, ACT_SILU, HERE); }
static const mat *hyp (scope *s, const mat *A, const mat *B) { (void)B; return mat_phi(s, A, ACT_TANH, HERE); }
static const mat *relu(scope *s, const mat *A, const mat *B) { (void)B; return mat_phi(s, A, ACT_RELU, HERE); }
static const mat *softmax(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_rowmap(s, A, &(rowmap){ ROWMAP_SOFTMAX, visible, 1, 3 }, HERE);
}
/* Two scores, far less accurate than anything softmax rounds itself. */
static const mat *softmax_of_rough(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_rowmap(s, mat_scale(s, 1, -6, mat_cols(s, rough(s, A), 0, 2)), &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 1 },
                      HERE);
}
static const mat *linear(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_rowmap(s, A, &(rowmap){ ROWMAP_LINEAR, visible, 2, 3 }, HERE);
}
static const mat *layer_norm(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_norm(s, A, NORM_LAYER, -17, HERE);
}
static const mat *rms  (scope *s, const mat *A, const mat *B) { (void)B; return mat_norm(s, A, NORM_RMS, -17, HERE); }
static const mat *rope (scope *s, const mat *A, const mat *B) { (void)B; return mat_rotate(s, A); }
static const mat *square_plus(scope *s, const mat *A)
{
    return mat_add(s, mat_hadamard(s, A, A), mat_scale(s, 1, -10, mat_ones(s, N, N)));
}
static const mat *rsqrt(scope *s, const mat *A, const mat *B) { (void)B; return mat_rsqrt(s, square_plus(s, A)); }
static const mat *artanh(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_artanh(s, mat_phi(s, mat_scale(s, 1, -2, A), ACT_TANH, HERE));
}
/* Entries far from 0, whose errors are of another size than what the slots round. */
static const mat *far_and_rough(scope *s, const mat *A)
{
    return mat_add(s, mat_scale(s, 1, -4, rough(s, A)), mat_scale(s, 4, 0, mat_identity(s, N)));
}
static const mat *inverse_of_rough(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_inv(s, mat_rows(s, mat_cols(s, far_and_rough(s, A), 0, 1), 0, 1));
}
static const mat *rsqrt_of_rough(scope *s, const mat *A, const mat *B)
{
    (void)B;
    return mat_rsqrt(s, mat_rows(s, mat_cols(s, far_and_rough(s, A), 0, 1), 0, 1));
}

/* The two ways to E. */
static arith enclosed(void) { return arith_f64_enclosed(192); }
static const struct { const char *name; arith (*open)(void); } ways[] = { { "running", arith_f64_bounded },
                                                                          { "balls", enclosed } };
enum { RUNNING, BALLS };

/* least: the largest |error| / E that must be seen among the rough trials, so that E is not much too large.  Where it is above
 * 1/2, half of E would not contain the error. */
typedef struct { const char *name; const mat *(*run)(scope *, const mat *, const mat *); double least; } slot;
static const slot slots[] = {
    { "sum", sum, 0.99 }, { "difference", difference, 0.99 }, { "product", product, 0.9 },
    { "1 x 1", one_by_one, 0.99 }, { "hadamard", entries, 0.99 }, { "scale_rows", scaled_rows, 0.99 },
    { "transpose", turned, 0.99 }, { "blocks", blocks, 0.99 }, { "inv", inverse, 0 },
    { "inv inv", inverses, 0 }, { "inv of inv", inverse_of_inverse, 0 }, { "gelu", gelu, 0.9 },
    { "silu", silu, 0.9 }, { "tanh", hyp, 0.9 }, { "relu", relu, 0.99 }, { "softmax", softmax, 0.9 },
    { "rough softmax", softmax_of_rough, 0.9 }, { "linear", linear, 0.9 }, { "LayerNorm", layer_norm, 0.3 },
    { "RMSNorm", rms, 0.9 }, { "rotate", rope, 0.9 }, { "rsqrt", rsqrt, 0 }, { "artanh", artanh, 0.9 },
    { "rough inv", inverse_of_rough, 0.9 }, { "rough rsqrt", rsqrt_of_rough, 0.8 },
};

/* ---- the comparison ------------------------------------------------------------------------- */

typedef struct { long entries, infinite, undecided; double *ratio; long n, room; } tally;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* |x - y| <= E, over the rationals; y is off by less than 2^-1000 of itself and of 1.  Balls of errors that are not far
 * below 2^-53 are those very errors. */
static void entry(tally *to, const slot *what, kind of, int way, uint64_t seed, const mat *X, const mat *Y, long i,
                  long j)
{
    const double E = f64_error(X, i, j);
    mpq_t x, y, bound;
    to->entries++;
    ck_assert_msg(E >= 0, "%s, %s, seed %lu: E = %g", what->name, kind_name[of], (unsigned long)seed, E);
    if (!isfinite(E)) {
        to->infinite++;
        return;
    }
    mpq_inits(x, y, bound, NULL);
    ck_assert(mat_get_exact(x, X, i, j) && mat_get_exact(y, Y, i, j));
    mpq_sub(y, y, x);
    mpq_abs(y, y);
    mpq_set_d(bound, E + 0x1p-1000);
    ck_assert_msg(mpq_cmp(y, bound) <= 0, "%s, %s, %s, seed %lu, (%ld, %ld): off by %g, E = %g", ways[way].name,
                  what->name, kind_name[of], (unsigned long)seed, i, j, mpq_get_d(y), E);
    ck_assert_msg(way != BALLS || of == NEAR_SINGULAR || E <= 1.001 * mpq_get_d(y) + 0x1p-80,
                  "%s, %s, seed %lu, (%ld, %ld): off by %g, E = %g", what->name, kind_name[of], (unsigned long)seed,
                  i, j, mpq_get_d(y), E);
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 1024;
        to->ratio = must_realloc(to->ratio, (size_t)to->room, sizeof *to->ratio);
    }
    if (E > 0) to->ratio[to->n++] = mpq_get_d(y) / E;
    mpq_clears(x, y, bound, NULL);
}

static const mat *computed(scope *s, const arith *R, const slot *what, kind of, uint64_t seed)
{
    *s = scope_open(R, seed, (uint64_t)of);
    const mat *A = operand(s, "A", of), *B = operand(s, "B", of);
    return what->run(s, A, B);
}

static void contained(tally to[], const slot *what, kind of, uint64_t seed)
{
    arith exactly = arith_mpfr(BITS);
    scope s, t;
    const mat *Y = computed(&t, &exactly, what, of, seed);
    for (int way = RUNNING; way <= BALLS; way++) {
        arith R = ways[way].open();
        const mat *X = computed(&s, &R, what, of, seed);
        if (s.status != HOLDS || t.status != HOLDS) to[way].undecided++;
        else
            for (long i = 0; i < X->rows; i++)
                for (long j = 0; j < X->cols; j++) entry(&to[way], what, of, way, seed, X, Y, i, j);
        scope_close(&s);
        arith_close(&R);
    }
    scope_close(&t);
    arith_close(&exactly);
}

static void tight(tally *t, const slot *what, kind of, int way)
{
    if (t->n) qsort(t->ratio, (size_t)t->n, sizeof *t->ratio, by_size);
    if (getenv("T_F64_PRINT"))
        printf("%-8s %-14s %-14s %5ld entries, %3ld unknown, %2ld undecided; error/E median 2^%.1f, largest %.3f\n",
               ways[way].name, what->name, kind_name[of], t->entries, t->infinite, t->undecided,
               t->n ? log2(t->ratio[t->n / 2]) : 0, t->n ? t->ratio[t->n - 1] : 0);
    ck_assert_msg(of != PLAIN || (t->undecided < TRIALS / 2 && t->infinite == 0), "%s: %ld undecided, %ld unknown",
                  what->name, t->undecided, t->infinite);
    ck_assert_msg(of != ROUGH || !t->n || t->ratio[t->n - 1] >= what->least, "%s: E is at least %g times the error",
                  what->name, 1 / t->ratio[t->n - 1]);
    free(t->ratio);
}

START_TEST(containment)
{
    const slot *what = &slots[_i];
    for (kind of = PLAIN; of < KINDS; of++) {
        tally t[COUNT(ways)] = { 0 };
        for (uint64_t seed = 1; seed <= TRIALS; seed++) contained(t, what, of, seed);
        for (int way = RUNNING; way <= BALLS; way++) tight(&t[way], what, of, way);
    }
}
END_TEST

/* ---- answers -------------------------------------------------------------------------------- */

/* 2^54 + 1 - 2^54 is 0 in doubles, and 1: E = 1 there. */
static const mat *lost_one(scope *s)
{
    const mat *big = mat_dyadic(s, 1, 1, &(int64_t){ 1 }, 54);
    return mat_sub(s, mat_add(s, big, mat_ones(s, 1, 1)), big);
}

START_TEST(both_errors_count)
{
    arith R = ways[_i].open();
    scope s = scope_open(&R, 1, 0);
    const mat *one = mat_ones(&s, 1, 1), *zero = lost_one(&s);          /* 0 for 1, E = 1 */
    const mat *two = mat_add(&s, one, one), *three = mat_add(&s, two, one);
    ck_assert_double_eq(R.ring.get_d(zero, 0, 0), 0);
    ck_assert_int_eq(mat_compare(zero, mat_t(&s, one), 100).is, HOLDS);
    ck_assert_int_eq(mat_compare(one, zero, 100).is, HOLDS);            /* the error of the right side counts */
    ck_assert_int_eq(mat_compare(zero, one, 100).is, HOLDS);
    ck_assert_int_eq(mat_compare(zero, two, 100).is, REFUTED);
    ck_assert_int_eq(mat_compare(three, zero, 100).is, REFUTED);
    ck_assert_int_eq(mat_compare(one, mat_t(&s, one), -1000).is, HOLDS);       /* whole numbers stay exact */
    ck_assert_int_eq(mat_compare(one, zero, -60).is, UNDECIDED);        /* the bound is wider than asked for */
    ck_assert_int_eq(mat_positive(zero), UNDECIDED);
    ck_assert_int_eq(mat_positive(mat_add(&s, zero, one)), UNDECIDED);  /* 1, E = 1 */
    ck_assert_int_eq(mat_positive(two), HOLDS);
    ck_assert_int_eq(mat_positive(mat_sub(&s, zero, two)), REFUTED);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* A singular matrix is never inverted, though LU of doubles may miss it. */
START_TEST(singular)
{
    arith R = ways[_i].open();
    for (uint64_t seed = 1; seed <= 100; seed++) {
        scope s = scope_open(&R, seed, 0);
        const mat *third = mat_dyadic(&s, 1, 1, &(int64_t){ 0x15555555555555 }, -54), *A = mat_draw(&s, "A", 5, 4, 0);
        (void)mat_inv(&s, mat_mul(&s, mat_mul(&s, A, mat_draw(&s, "B", 4, 5, 0)),
                                  mat_blockdiag(&s, 5, (const mat *[]){ third, third, third, third, third })));
        ck_assert_int_eq(s.status, UNDECIDED);
        scope_close(&s);
    }
    arith_close(&R);
}
END_TEST

/* 2^60 + 1 is no double: a constant is off, too.  3 fl(1/3) rounds to 1, but fl(1/3) is not 1/3.  Exact factors have
 * products that are off. */
START_TEST(constants)
{
    arith R = ways[_i].open();
    scope s = scope_open(&R, 1, 0);
    const int64_t m = ((int64_t)1 << 60) + 1;
    const mat *A = mat_dyadic(&s, 1, 1, &m, 0), *B = mat_dyadic(&s, 1, 1, &(int64_t){ 1 }, -1060);
    ck_assert(f64_error(A, 0, 0) >= 1 && f64_error(A, 0, 0) < 1000);
    ck_assert(_i == BALLS || f64_error(B, 0, 0) > 0);              /* balls know that 2^-1060 is exact */
    ck_assert_double_eq(f64_error(mat_identity(&s, 3), 1, 1), 0);
    ck_assert(f64_error(mat_inv(&s, mat_from_si(&s, 1, 1, &(long){ 3 })), 0, 0) >= 0x1p-56);
    const mat *C = mat_dyadic(&s, 1, 1, &(int64_t){ 0x10000000000001 }, -52);           /* (1 + u')^2, u' = 2^-52 */
    ck_assert(f64_error(mat_hadamard(&s, C, C), 0, 0) >= 0x1p-104);
    ck_assert(f64_error(mat_scale_rows(&s, C, C), 0, 0) >= 0x1p-104);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* Beyond the largest double nothing is known, and nothing is accepted. */
START_TEST(overflow)
{
    arith R = ways[_i].open();
    scope s = scope_open(&R, 1, 0);
    const mat *A = mat_scale(&s, 1, 1000, mat_ones(&s, 2, 2)), *B = mat_mul(&s, A, A), *C = mat_sub(&s, B, B);
    ck_assert(!isfinite(f64_error(B, 0, 0)) && !isfinite(f64_error(C, 0, 0)));
    ck_assert_int_eq(mat_compare(B, mat_t(&s, B), 100).is, UNDECIDED);
    ck_assert_int_eq(mat_compare(mat_phi(&s, B, ACT_TANH, HERE), mat_ones(&s, 2, 2), INFINITY).is,
                     _i == BALLS ? HOLDS : UNDECIDED);                   /* a ball knows how large B is */
    ck_assert_int_eq(mat_compare(C, mat_zero(&s, 2, 2), 100).is, UNDECIDED);
    ck_assert_int_ne(mat_positive(C), HOLDS);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* X times k rotations (3, 4; -4, 3)/5 of the plane and k back again: the doubles are off by a few u, and each product
 * multiplies a bound without signs by 7/5. */
static const mat *there_and_back(scope *s, const mat *X, int k)
{
    const mat *fifth = mat_inv(s, mat_from_si(s, 2, 2, (long[]){ 5, 0, 0, 5 }));
    const mat *T = mat_mul(s, fifth, mat_from_si(s, 2, 2, (long[]){ 3, 4, -4, 3 }));
    for (int i = 0; i < k; i++) X = mat_mul(s, X, T);
    for (int i = 0; i < k; i++) X = mat_mul(s, X, mat_t(s, T));
    return X;
}

START_TEST(deep)
{
    double log2bound[COUNT(ways)];
    for (int way = RUNNING; way <= BALLS; way++) {
        arith R = ways[way].open();
        scope s = scope_open(&R, 1, 0);
        const mat *X = mat_draw(&s, "X", 2, 2, 0), *Y = there_and_back(&s, X, 32);
        const comparison is = mat_compare(Y, X, log2(1e-3));
        ck_assert_int_eq(is.is, HOLDS);
        ck_assert_msg(is.log2gap <= is.log2bound && is.log2gap < -45, "gap 2^%g, bound 2^%g", is.log2gap,
                      is.log2bound);
        log2bound[way] = is.log2bound;
        ck_assert_int_eq(mat_compare(Y, mat_nudge(&s, X, 1, 0), log2(1e-3)).is, way == BALLS ? REFUTED : HOLDS);
        scope_close(&s);
        arith_close(&R);
    }
    ck_assert(log2bound[RUNNING] > -30 && log2bound[BALLS] < -45);
}
END_TEST

static int turns;
static void turned_back(trial *t)
{
    const mat *X = mat_draw(&t->s, "X", 2, 2, 0);
    claim_equal(t, "X", there_and_back(&t->s, X, turns), mat_t(&t->s, mat_t(&t->s, X)));
}
static void not_turned_back(trial *t)
{
    const mat *X = mat_draw(&t->s, "X", 2, 2, 0);
    claim_equal(t, "X", there_and_back(&t->s, X, turns), mat_nudge(&t->s, X, 1, 0));
}

static row over_doubles(body *run, int k)
{
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = run };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_F64 },
              .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 1 } };
    ck_assert_ptr_null(shape_complete(&j.sh));
    turns = k;
    return runner_run(&j, NULL, NULL);
}

/* The runner tries the running analysis, then balls of 256 bits, then of 512. */
START_TEST(runner_chooses)
{
    const struct { int turns; const char *param; truth right, wrong; } is[] = {
        { 24, "53 bits", HOLDS, HOLDS },                                 /* 2^-40 is below the bound */
        { 128, "53 bits in arb:256", HOLDS, REFUTED },
        { 400, "53 bits in arb:512", HOLDS, REFUTED },
        { 1000, "53 bits in arb:512", UNDECIDED, UNDECIDED },
    };
    for (size_t k = 0; k < COUNT(is); k++) {
        const row right = over_doubles(turned_back, is[k].turns), wrong = over_doubles(not_turned_back, is[k].turns);
        ck_assert_int_eq(right.verdict, is[k].right);
        ck_assert_str_eq(right.param, is[k].param);
        ck_assert_int_eq(wrong.verdict, is[k].wrong);
        ck_assert(right.verdict != HOLDS || right.log2gap <= right.log2bound);
    }
}
END_TEST

/* A row that may be 0 has no norm over doubles, and that is no lack of norms: balls may know better. */
START_TEST(norm_of_nothing)
{
    arith R = arith_f64_bounded();
    scope s = scope_open(&R, 1, 0);
    (void)mat_norm(&s, mat_hcat(&s, 2, (const mat *[]){ lost_one(&s), lost_one(&s) }), NORM_RMS, -17, HERE);
    ck_assert_int_eq(s.status, UNDECIDED);
    ck_assert(!reason_skips(s.reason));
    scope_close(&s);
    arith_close(&R);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("f64");
    TCase *slot_by_slot = tcase_create("slots"), *all = tcase_create("answers");
    suite_add_tcase(suite, slot_by_slot);
    suite_add_tcase(suite, all);
    tcase_set_timeout(slot_by_slot, 300);
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(slot_by_slot, containment, 0, COUNT(slots));
    tcase_add_loop_test(all, both_errors_count, 0, COUNT(ways));
    tcase_add_loop_test(all, singular, 0, COUNT(ways));
    tcase_add_loop_test(all, constants, 0, COUNT(ways));
    tcase_add_loop_test(all, overflow, 0, COUNT(ways));
    tcase_add_test(all, deep);
    tcase_add_test(all, runner_chooses);
    tcase_add_test(all, norm_of_nothing);
    return run_suite(suite, argc, argv);
}
