/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_rows.c - rows of balls with one error bound each: bounds of norms against known ones, enclosures against the worst
 * errors there are, a block of a model against its value at points, and how they grow in a deep model. */
#include <math.h>
#include "numerics/arith_arb.h"
#include "numerics/flint_compat.h"
#include "numerics/random.h"
#include "src/model/block_rows.h"
#include "src/model/gauge.h"
#include "tests/support/suite.h"

static arith balls;
static scope open_scope(long bits)
{
    balls = arith_arb(bits);
    return scope_open(&balls, 11, 1);
}

static const mat *number(scope *s, double x) { return mat_dyadic(s, 1, 1, (int64_t[]){ (int64_t)ldexp(x, 50) }, -50); }

/* A 2 x 2 matrix of small numbers. */
static const mat *small(scope *s, long a, long b, long c, long d)
{
    return mat_from_si(s, 2, 2, (long[]){ a, b, c, d });
}
static arb_ptr at(const mat *A, long i, long j) { return arb_mat_entry(arith_arb_balls(A), i, j); }

/* sqrt of the sum of the squares of a row in doubles: the matrices are small and full of small numbers. */
static double length(const mat *row)
{
    double sum = 0;
    for (long j = 0; j < row->cols; j++) sum += mat_get_d(row, 0, j) * mat_get_d(row, 0, j);
    return sqrt(sum);
}

/* All entries of A as balls of this radius. */
static const mat *with_radius(scope *s, const mat *A, double radius)
{
    mat *C = mat_blank(s, A->rows, A->cols);
    arb_mat_set(arith_arb_balls(C), arith_arb_balls(A));
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) mag_set_d(arb_radref(at(C, i, j)), radius);
    return C;
}

static row_balls about(scope *s, const mat *centre, double error)
{
    mat *e = mat_blank(s, centre->rows, 1);
    for (long i = 0; i < centre->rows; i++) arb_set_d(at(e, i, 0), error);
    return (row_balls){ centre, e };
}

static double error_of(row_balls X, long i) { return mat_get_d(X.error, i, 0); }
static double radius(const mat *A, long i, long j) { return mag_get_d(arb_radref(at(A, i, j))); }

/* ---- threads ------------------------------------------------------------------------------------------------- */

extern void omp_set_num_threads(int n) __attribute__((weak));           /* absent where there is no OpenMP      */
enum { WIDE = 160, RESULTS = 13 };                                      /* 160 x 160: enough for several        */

/* Every operation whose rows go to threads, on balls of some width. */
static void all_operations(scope *s, const mat *to[RESULTS])
{
    const place nowhere = { 0, 0, 0 };
    const mat *A = with_radius(s, mat_draw(s, "A", WIDE, WIDE, -3), 0x1p-200), *B = mat_draw(s, "B", WIDE, WIDE, -3);
    const mat *scores = mat_rowmap(s, A, &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 7 }, nowhere);
    const row_balls X = rows_enclose(s, A, ROWS_EUCLIDEAN);
    const rows_part twice[] = { { 2, X.error } };
    const row_balls Y = rows_sum(s, A, ROWS_EUCLIDEAN, 1, twice);
    const mat *all[RESULTS] = { mat_add(s, A, B), mat_sub(s, A, B), mat_hadamard(s, A, B), scores,
                                mat_phi(s, A, ACT_GELU, nowhere), mat_norm(s, A, NORM_LAYER, -10, nowhere),
                                mat_scale_rows(s, mat_cols(s, B, 0, 1), A), X.centre, X.error, Y.error,
                                rows_times(s, Y, ROWS_EUCLIDEAN, B), rows_box(s, Y, ROWS_EUCLIDEAN), mat_inv(s, A) };
    for (long k = 0; k < RESULTS; k++) to[k] = all[k];
}

START_TEST(any_threads)
{
    scope s = open_scope(256);
    const mat *one[RESULTS], *several[RESULTS];
    if (omp_set_num_threads) omp_set_num_threads(1);
    all_operations(&s, one);
    if (omp_set_num_threads) omp_set_num_threads(3);
    all_operations(&s, several);
    if (omp_set_num_threads) omp_set_num_threads(1);
    for (long k = 0; k < RESULTS; k++)
        for (long i = 0; i < WIDE; i++)
            for (long j = 0; j < one[k]->cols; j++)
                ck_assert_msg(arb_equal(at(one[k], i, j), at(several[k], i, j)), "operation %ld, entry (%ld, %ld)", k, i,
                              j);
    ck_assert_int_eq(s.status, HOLDS);
    scope_close(&s);
    arith_close(&balls);
}
END_TEST

/* A matrix of which no ball was asked for is read as its integers: all bounds are the same bits as of its balls, also of
 * integers that no double holds and of exponents that leave the doubles. */
START_TEST(integers_or_balls)
{
    static const long exponents[] = { -35, 880, 2000, -2000 };
    for (size_t k = 0; k < COUNT(exponents); k++) {
        scope s = open_scope(128);
        int64_t m[6 * 9];
        for (long i = 0; i < 54; i++) m[i] = (int64_t)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u) >> i % 8;
        const mat *drawn = mat_dyadic(&s, 6, 9, m, exponents[k]), *made = mat_dyadic(&s, 6, 9, m, exponents[k]);
        long e;
        ck_assert(arith_arb_whole(made, &e) && e == exponents[k]);
        (void)arith_arb_balls(made);
        ck_assert(!arith_arb_whole(made, &e));
        const double bound = rows_read(ROWS_EUCLIDEAN, drawn);
        ck_assert_msg(bound == rows_read(ROWS_EUCLIDEAN, made) && bound > 0, "2^%ld", exponents[k]);
        ck_assert(mat_compare(drawn, made, -INFINITY).is == HOLDS);
        scope_close(&s);
        arith_close(&balls);
    }
}
END_TEST

START_TEST(each_row_its_own_error)
{
    scope s = open_scope(128);
    row_balls X = about(&s, small(&s, 1, 2, 3, 4), 0);
    arb_set_d(at(X.error, 0, 0), 1);
    arb_set_d(at(X.error, 1, 0), 8);
    const mat *box = rows_box(&s, X, ROWS_EUCLIDEAN), *Y = rows_times(&s, X, ROWS_EUCLIDEAN, mat_identity(&s, 2));
    for (long i = 0; i < 2; i++)
        for (long j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                const double wide = radius(k ? Y : box, i, j), least = i ? 8 : 1;
                ck_assert_msg(least <= wide && wide < 1.01 * least, "%d: row %ld is %g wide", k, i, wide);
            }
    scope_close(&s);
    arith_close(&balls);
}
END_TEST

START_TEST(each_column_its_own_bound)
{
    enum { COLUMNS = 200 };
    scope s = open_scope(128);
    long w[2 * COLUMNS];
    for (long j = 0; j < COLUMNS; j++) w[j] = 3 * (j + 1), w[COLUMNS + j] = 4 * (j + 1);
    const mat *Y = rows_times(&s, about(&s, mat_zero(&s, 1, 2), 1), ROWS_EUCLIDEAN, mat_from_si(&s, 2, COLUMNS, w));
    for (long j = 0; j < COLUMNS; j++) {
        const double wide = radius(Y, 0, j), least = 5 * (double)(j + 1);
        ck_assert_msg(least <= wide && wide < 1.001 * least, "column %ld is %g wide", j, wide);
    }
    scope_close(&s);
    arith_close(&balls);
}
END_TEST

/* A row that has no norm is not hidden by others that have, wherever it stands. */
START_TEST(one_row_without_a_norm)
{
    for (long bad = 0; bad < WIDE; bad += WIDE - 1) {
        scope s = open_scope(256);
        mat *A = mat_blank(&s, WIDE, WIDE);
        for (long i = 0; i < WIDE; i++)
            for (long j = 0; j < WIDE; j++) arb_set_si(at(A, i, j), i == bad ? 0 : j);
        mag_one(arb_radref(at(A, bad, 0)));
        (void)mat_norm(&s, A, NORM_RMS, -400, (place){ 0, 0, 0 });
        ck_assert_int_eq(s.status, UNDECIDED);
        scope_close(&s);
        arith_close(&balls);
    }
}
END_TEST

/* A norm of rows in two dimensions: |v P|, P next to to^-1; spoilt: `to` is 7/8 of what it should be. */
static row_norm norm_of(scope *s, const mat *Theta, bool spoilt)
{
    return rows_norm(spoilt ? mat_scale(s, 7, -3, Theta) : Theta, mat_inv(s, Theta));
}

static double measure(scope *s, const mat *row, row_norm N) { return length(N.from ? mat_mul(s, row, N.from) : row); }

/* ---- norms ------------------------------------------------------------------------------------------------- */

/* Sylvester's matrix of 2^k rows has norm 2^(k/2); rows are left out, and then it still has that of the longer side. */
START_TEST(known_norms)
{
    scope s = open_scope(128);
    for (long n = 1; n <= 64; n *= 4)
        for (int half = 0; half < 3; half++) {
            const long r = half == 1 && n > 1 ? n / 2 : n, c = half == 2 && n > 1 ? n / 2 : n;
            int64_t *m = scope_alloc(&s, (size_t)(r * c) * sizeof *m);
            for (long i = 0; i < r; i++)
                for (long j = 0; j < c; j++) m[i * c + j] = __builtin_popcountl((unsigned long)(i & j)) % 2 ? -1 : 1;
            const double bound = rows_read(ROWS_EUCLIDEAN, mat_dyadic(&s, r, c, m, 0));
            ck_assert_double_ge(bound, sqrt((double)n));
            ck_assert_double_lt(bound, sqrt((double)n) * pow((double)n, 1.0 / 32) * 1.001);
        }
    /* Balls: every matrix in them. */
    const mat *wide = with_radius(&s, mat_zero(&s, 5, 7), 0.25);
    ck_assert_double_ge(rows_read(ROWS_EUCLIDEAN, wide), 0.25 * sqrt(35));
    ck_assert_double_lt(rows_read(ROWS_EUCLIDEAN, wide), 0.25 * sqrt(35) * 1.001);
    const mat *I = mat_identity(&s, 3), *huge = mat_scale_entries(&s, 1, 600, I),
              *tiny = mat_scale_entries(&s, 1, -1060, I);
    ck_assert_double_ge(rows_read(ROWS_EUCLIDEAN, huge), 0x1p600);       /* its square is no double */
    ck_assert_double_ge(rows_read(ROWS_EUCLIDEAN, tiny), 0x1p-1060);
    ck_assert(!(rows_read(ROWS_EUCLIDEAN, mat_scale_entries(&s, 1, 2000, I)) < INFINITY));
    scope_close(&s);
}
END_TEST

/* The same where sums are of several blocks, and of several threads: 1 % for the roundings of floats.  A single entry is
 * its norm, wherever it stands. */
START_TEST(norms_of_many)
{
    static const long sizes[][2] = { { 4, 1024 }, { 1024, 4 }, { 256, 256 } };
    scope s = open_scope(128);
    for (size_t k = 0; k < COUNT(sizes); k++)
        for (int single = 0; single < 2; single++) {
            const long r = sizes[k][0], c = sizes[k][1], d = r < c ? r : c;
            const double norm = single ? 5 : sqrt((double)(r < c ? c : r)),
                         most = single ? norm : norm * pow((double)d, 1.0 / 32);
            int64_t *m = scope_alloc(&s, (size_t)(r * c) * sizeof *m);
            for (long i = 0; i < r && !single; i++)
                for (long j = 0; j < c; j++) m[i * c + j] = __builtin_popcountl((unsigned long)(i & j)) % 2 ? -1 : 1;
            if (single) m[r * c - 1] = -5;
            const double bound = rows_read(ROWS_EUCLIDEAN, mat_dyadic(&s, r, c, m, 40)) * 0x1p-40;
            ck_assert_msg(norm <= bound && bound < 1.01 * most, "%ld x %ld: %g for %g", r, c, bound, norm);
        }
    scope_close(&s);
}
END_TEST

/* Every direction of the plane: the bounds hold, and are met. */
START_TEST(all_directions)
{
    scope s = open_scope(128);
    const row_norm norms[] = { ROWS_EUCLIDEAN, norm_of(&s, small(&s, 3, 1, 5, 2), false),
                               norm_of(&s, small(&s, 1, -4, 2, 7), true) };
    const mat *W = small(&s, 2, -1, 4, 3);
    for (size_t a = 0; a < COUNT(norms); a++)
        for (size_t b = 0; b < COUNT(norms); b++) {
            const double read = rows_read(norms[a], W), write = rows_write(W, norms[b]);
            const double change = rows_change(norms[a], norms[b]);
            double most[3] = { 0 };
            for (long k = 0; k < 700; k++) {
                const double angle = (double)k * M_PI / 700;
                const mat *e = mat_dyadic(&s, 1, 2, (int64_t[]){ lrint(1e6 * cos(angle)), lrint(1e6 * sin(angle)) }, 0);
                const mat *eW = mat_mul(&s, e, W);
                most[0] = fmax(most[0], length(eW) / measure(&s, e, norms[a]));
                most[1] = fmax(most[1], measure(&s, eW, norms[b]) / length(e));
                most[2] = fmax(most[2], measure(&s, e, norms[b]) / measure(&s, e, norms[a]));
            }
            const double bound[3] = { read, write, change }, spoilt = a == 2 ? 1.001 : 1;
            for (int k = 0; k < 3; k++) {
                ck_assert_msg(most[k] <= bound[k] && bound[k] <= 1.05 * spoilt * most[k],
                              "norms %zu and %zu, bound %d: %.9g of %.9g", a, b, k, bound[k], most[k]);
            }
        }
    ck_assert(rows_change(norms[1], norms[1]) == 1);
    scope_close(&s);
}
END_TEST

/* What is no inverse gives the Euclidean norm; and one matrix twice. */
START_TEST(no_inverse)
{
    scope s = open_scope(128);
    const mat *A = small(&s, 3, 1, 5, 2), *I = mat_identity(&s, 2);
    ck_assert_ptr_null(rows_norm(A, I).to);
    ck_assert_ptr_null(rows_norm(A, mat_scale(&s, 3, 0, mat_inv(&s, A))).to);
    ck_assert_ptr_null(rows_norm(I, I).to);
    ck_assert_ptr_eq(rows_norm(A, mat_inv(&s, A)).to, A);
    ck_assert(rows_have(&balls));
    const arith f64 = arith_f64(), fp = arith_fp(10007, (uint64_t[]){ 1, 2 });
    ck_assert(!rows_have(&f64) && !rows_have(&fp));
    scope_close(&s);
    arith_close((arith *)(uintptr_t)&fp);
}
END_TEST

/* ---- enclosures -------------------------------------------------------------------------------------------- */

/* The worst error for column j, e = error (P^-1 W_j)' P^-1 / |P^-1 W_j|, just fits, in every norm. */
START_TEST(worst_errors)
{
    scope s = open_scope(256);
    const mat *Theta = mat_draw_weight(&s, "Theta", 9, 9), *W = mat_draw(&s, "W", 9, 6, 0);
    const mat *X = mat_draw(&s, "X", 2, 9, 0);
    for (int kind = 0; kind < 3; kind++) {
        const row_norm N = kind ? norm_of(&s, Theta, kind == 2) : ROWS_EUCLIDEAN;
        ck_assert(kind == 0 || N.to);
        const mat *back = kind ? Theta : mat_identity(&s, 9);        /* P^-1 up to 2^-45 */
        const row_balls rows = about(&s, X, 0x1p-20);
        const mat *Y = rows_times(&s, rows, N, W), *box = rows_box(&s, rows, N), *centre = mat_mul(&s, X, W);
        for (long j = 0; j < 6; j++) {
            const double worst = 0x1p-20 * length(mat_t(&s, mat_mul(&s, back, mat_cols(&s, W, j, 1))));
            ck_assert_double_ge(radius(Y, 1, j), worst * (1 - 1e-9));
            ck_assert_double_lt(radius(Y, 1, j), worst * (kind == 2 ? 1.02 : 1.001));     /* e = 1/8 up to 7 % */
            ck_assert(mat_get_d(Y, 1, j) == mat_get_d(centre, 1, j));
        }
        for (long j = 0; j < 9; j++) {
            const double worst = 0x1p-20 * length(mat_t(&s, mat_cols(&s, back, j, 1)));
            ck_assert_double_ge(radius(box, 0, j), worst * (1 - 1e-9));
            ck_assert_double_lt(radius(box, 0, j), worst * (kind == 2 ? 1.02 : 1.001));
        }
    }
    scope_close(&s);
}
END_TEST

/* A box is in the rows that enclose it: each corner; and the parts are added. */
START_TEST(sums)
{
    scope s = open_scope(128);
    const mat *Theta = small(&s, 3, 1, 5, 2), *A = with_radius(&s, small(&s, 1, 2, 3, 4), 0x1p-10);
    const row_norm N = norm_of(&s, Theta, false);
    const row_balls X = rows_enclose(&s, A, N);
    for (int k = 0; k < 4; k++) {
        const mat *at_corner = mat_dyadic(&s, 1, 2, (int64_t[]){ k & 1 ? 1 : -1, k & 2 ? 1 : -1 }, -10);
        ck_assert_double_le(measure(&s, at_corner, N), error_of(X, 1));
    }
    ck_assert_double_lt(error_of(X, 1), 1.01 * 0x1p-10 * sqrt(2) * rows_write(mat_identity(&s, 2), N));
    const row_balls more = rows_sum(&s, A, N, 2, (rows_part[]){ { 3, X.error }, { 0.5, about(&s, A, 0.25).error } });
    ck_assert_double_ge(error_of(more, 0), 4 * error_of(X, 0) + 0.125);
    ck_assert_double_lt(error_of(more, 0), 1.001 * (4 * error_of(X, 0) + 0.125));
    ck_assert(arb_is_exact(at(more.centre, 1, 1)));
    scope_close(&s);
}
END_TEST

/* ---- a block ----------------------------------------------------------------------------------------------- */

/* One number through the MLP alone, where GELU is steepest: the bound is met. */
START_TEST(steepest)
{
    scope s = open_scope(256);
    shape sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 2, .L = 1, .act = ACT_GELU };
    ck_assert_ptr_null(shape_complete(&sh));
    model M = model_bare(&s, sh);
    M.at[0] = (layer){ .Q = number(&s, 0), .K = number(&s, 0), .V = number(&s, 1), .O = number(&s, 1) };
    M.at[0].expert[0] = (mlp){ .up = number(&s, 2), .down = number(&s, 3) };
    const double x = M_SQRT2 / 2, e = 0x1p-25;           /* one token attends to itself: Y = X */
    const row_balls after = block_rows(&s, &M, 0, about(&s, number(&s, x), e), ROWS_EUCLIDEAN, ROWS_EUCLIDEAN);
    const double there = mat_get_d(model_block(&s, &M, 0, mat_add(&s, number(&s, x), number(&s, e))), 0, 0),
                 here = mat_get_d(after.centre, 0, 0);
    ck_assert_double_ge(error_of(after, 0), fabs(there - here));
    ck_assert_double_lt(error_of(after, 0), 1.01 * fabs(there - here));
    scope_close(&s);
}
END_TEST

/* Weights of 0 and two skips: the block is the identity, its error that of X, measured as the result is. */
START_TEST(only_skips)
{
    scope s = open_scope(128);
    shape sh = { .n = 1, .d = 2, .h = 1, .m = 2, .V = 2, .L = 1, .attn_skip = true, .mlp_skip = true };
    ck_assert_ptr_null(shape_complete(&sh));
    model M = model_bare(&s, sh);
    const mat *zero = mat_zero(&s, 2, 2), *X = mat_from_si(&s, 1, 2, (long[]){ 3, 5 });
    M.at[0] = (layer){ .Q = zero, .K = zero, .V = zero, .O = zero, .expert[0] = { .up = zero, .down = zero } };
    const row_norm N = norm_of(&s, small(&s, 3, 1, 5, 2), false);
    const row_balls same = block_rows(&s, &M, 0, about(&s, X, 0.125), N, N),
                    other = block_rows(&s, &M, 0, about(&s, X, 0.125), N, ROWS_EUCLIDEAN);
    ck_assert(error_of(same, 0) >= 0.125 && error_of(same, 0) < 0.126);
    ck_assert_double_ge(error_of(other, 0), 0.124 * rows_change(N, ROWS_EUCLIDEAN));
    ck_assert_double_lt(error_of(other, 0), 0.126 * rows_change(N, ROWS_EUCLIDEAN));
    ck_assert(mat_get_d(same.centre, 0, 1) == 5);
    scope_close(&s);
}
END_TEST

static shape block_shape(int which)
{
    shape sh = { .n = 3, .d = 6, .h = 2, .m = 8, .V = 5, .L = 1, .mask = MASK_CAUSAL,
                 .act = which & 4 ? ACT_SILU : ACT_GELU, .attn_skip = which & 1, .mlp_skip = which & 2 };
    ck_assert_ptr_null(shape_complete(&sh));
    ck_assert(block_rows_can(&sh));
    return sh;
}

/* Points of X, moved as far as its errors allow, stay in the enclosure of the block; in the original and in another
 * basis, which the block enters and leaves. */
START_TEST(points_of_a_block)
{
    scope s = open_scope(512);
    const shape sh = block_shape(_i);
    model M = model_random(&s, sh);
    const bool other = _i & 1 || !(_i & 2);              /* an MLP's skip alone would change it in the middle */
    const basis in = gauge_basis(&s, mat_draw_weight(&s, "Theta.in", 6, 6)),
                out = _i & 2 ? in : gauge_basis(&s, mat_draw_weight(&s, "Theta.out", 6, 6));
    for (int reduced = 0; reduced < 2; reduced++) {
        if (reduced && other) M.at[0] = gauge_layer(&s, &sh, &M.at[0], in, out);
        const row_norm before = reduced ? rows_norm(in.to, in.from) : ROWS_EUCLIDEAN,
                       after = reduced ? rows_norm(out.to, out.from) : ROWS_EUCLIDEAN;
        const mat *X = reduced ? mat_mul(&s, mat_draw(&s, "X", 3, 6, 0), in.to) : mat_draw(&s, "X", 3, 6, 0);
        const row_balls enclosed = block_rows(&s, &M, 0, about(&s, X, 0x1p-30), before, after);
        const mat *box = rows_box(&s, enclosed, after);
        double most = 0;
        for (long k = 0; k < 30; k++) {                  /* |e P| is a little less than the error */
            int64_t m[18];
            for (long i = 0; i < 3; i++) {
                double sum = 0, x[6];
                for (long j = 0; j < 6; j++) {
                    x[j] = (double)random_gauss8((uint64_t[]){ 5, (uint64_t)k }, (uint64_t)(6 * i + j));
                    sum += x[j] * x[j];
                }
                for (long j = 0; j < 6; j++) m[6 * i + j] = (int64_t)(x[j] / sqrt(sum) * 0x1p19);
            }
            const mat *e = mat_dyadic(&s, 3, 6, m, -50), *moved = mat_add(&s, X, reduced ? mat_mul(&s, e, in.to) : e);
            const mat *Y = model_block(&s, &M, 0, moved);
            for (long i = 0; i < 3; i++) {
                const mat *gap = mat_sub(&s, mat_rows(&s, Y, i, 1), mat_rows(&s, enclosed.centre, i, 1));
                ck_assert_double_le(measure(&s, gap, after), error_of(enclosed, i));
                most = fmax(most, measure(&s, gap, after) / error_of(enclosed, i));
            }
            ck_assert_int_eq(mat_compare(Y, box, INFINITY).is, HOLDS);
        }
        ck_assert_double_gt(most, 0x1p-12);              /* and not much farther than they must */
    }
    scope_close(&s);
}
END_TEST

/* The rounding of few bits is in the bounds: the block at 64 bits holds its value at 1000. */
START_TEST(few_bits)
{
    const shape sh = block_shape(_i);
    scope more = open_scope(1000), few;
    arith narrow = arith_arb(64);
    few = scope_open(&narrow, 11, 1);
    const mat *of[2];
    for (int k = 0; k < 2; k++) {
        scope *s = k ? &few : &more;
        const model M = model_random(s, sh);
        const mat *X = mat_draw(s, "X", 3, 6, 0);
        for (int pass = 0; pass < 3 && !k; pass++) X = model_block(s, &M, 0, X);
        row_balls rows = rows_enclose(s, X, ROWS_EUCLIDEAN);
        for (int pass = 0; pass < 3 && k; pass++) rows = block_rows(s, &M, 0, rows, ROWS_EUCLIDEAN, ROWS_EUCLIDEAN);
        of[k] = k ? rows_box(s, rows, ROWS_EUCLIDEAN) : X;
    }
    for (long i = 0; i < 3; i++)
        for (long j = 0; j < 6; j++) {
            ck_assert(arb_contains(at(of[1], i, j), at(of[0], i, j)));
            ck_assert_double_lt(radius(of[1], i, j), 0x1p-30);
        }
    scope_close(&few);
    scope_close(&more);
}
END_TEST

static void attends(shape *sh) { (void)sh; }
static void biased(shape *sh)   { sh->biases = true; }
static void gated(shape *sh)    { sh->gated = true; }
static void experts(shape *sh)  { sh->experts = 2; }
static void parallel(shape *sh) { sh->parallel = true; }
static void normed(shape *sh)   { sh->norm = NORM_RMS; }
START_TEST(which_blocks)
{
    static void (*const change[])(shape *) = { attends, biased, gated, experts, parallel, normed };
    for (size_t k = 0; k < COUNT(change); k++) {
        shape sh = block_shape(1);
        change[k](&sh);
        ck_assert_int_eq(block_rows_can(&sh), k == 0);
    }
}
END_TEST

/* Six layers of 32 columns: boxes lose many bits more. */
START_TEST(deep)
{
    scope s = open_scope(256);
    shape sh = { .n = 3, .d = 32, .h = 4, .m = 64, .V = 5, .L = 6, .mask = MASK_CAUSAL, .act = ACT_GELU,
                 .attn_skip = true };
    ck_assert_ptr_null(shape_complete(&sh));
    const model M = model_random(&s, sh);
    const basis Theta = gauge_basis(&s, mat_draw_weight(&s, "Theta", 32, 32));
    model R = M;
    for (long i = 0; i < 6; i++) R.at[i] = gauge_layer(&s, &sh, &M.at[i], Theta, Theta);
    const mat *X = mat_mul(&s, mat_draw(&s, "X", 3, 32, 0), Theta.to);
    const row_norm N = rows_norm(Theta.to, Theta.from);
    row_balls rows = rows_enclose(&s, X, N);
    for (long i = 0; i < 6; i++) {
        X = model_block(&s, &R, i, X);
        rows = block_rows(&s, &R, i, rows, N, N);
    }
    const mat *box = rows_box(&s, rows, N);
    ck_assert_int_eq(mat_compare(X, box, INFINITY).is, HOLDS);
    ck_assert_double_lt(radius(box, 2, 3), radius(X, 2, 3) * 0x1p-30);
    scope_close(&s);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("rows");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_test(all, any_threads);
    tcase_add_test(all, integers_or_balls);
    tcase_add_test(all, each_row_its_own_error);
    tcase_add_test(all, one_row_without_a_norm);
    tcase_add_test(all, known_norms);
    tcase_add_test(all, norms_of_many);
    tcase_add_test(all, each_column_its_own_bound);
    tcase_add_test(all, all_directions);
    tcase_add_test(all, no_inverse);
    tcase_add_test(all, worst_errors);
    tcase_add_test(all, sums);
    tcase_add_test(all, steepest);
    tcase_add_test(all, only_skips);
    tcase_add_loop_test(all, points_of_a_block, 0, 8);
    tcase_add_loop_test(all, few_bits, 0, 8);
    tcase_add_test(all, which_blocks);
    tcase_add_test(all, deep);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
