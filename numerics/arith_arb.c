/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_arb.c - balls, by Arb (Johansson, IEEE Trans. Computers 66, 2017).
 *
 * Every entry encloses the true value, so disjoint balls prove that two matrices differ; narrow balls
 * that overlap are strong evidence that they agree; wide ones say nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "numerics/balls.h"
#include "numerics/elementary/elementary.h"
#include "numerics/flint_compat.h"
#include "numerics/inverse_arb.h"
#include "numerics/product/product_arb.h"
#include "numerics/random.h"
#include "numerics/rows_threads.h"

/* Balls are made when one of them is asked for: products and norms read what was drawn as integers. */
typedef struct {
    arb_mat_struct balls;
    bool    made;
    int64_t *whole;                      /* until then entries are these times 2^exponent; NULL: all are 0 */
    long    exponent;
} representation;

static representation *rep(const mat *A)               { return A->rep; }
static arb_ptr at(const mat *A, long i, long j)        { return arb_mat_entry(&rep(A)->balls, i, j); }   /* made ones */
static long prec(const mat *A)                         { return A->R->bits; }
#define EACH(A, i, j) for (long i = 0; i < (A)->rows; i++) for (long j = 0; j < (A)->cols; j++)

static void init(mat *A) { A->rep = must_calloc(1, sizeof(representation)); }

static void clear(mat *A)
{
    if (rep(A)->made) balls_clear(&rep(A)->balls);
    free(rep(A)->whole);
    free(A->rep);
}

arb_mat_struct *arith_arb_balls(const mat *A)
{
    representation *r = rep(A);
    if (r->made) return &r->balls;
    arb_mat_init(&r->balls, A->rows, A->cols);
    r->made = true;
    if (r->whole)
        EACH_ROW(A, i) for (long j = 0; j < A->cols; j++) {
            arb_set_si(at(A, i, j), r->whole[i * A->cols + j]);
            arb_mul_2exp_si(at(A, i, j), at(A, i, j), r->exponent);
        }
    free(r->whole);
    r->whole = NULL;
    return &r->balls;
}

const int64_t *arith_arb_whole(const mat *A, long *e)
{
    *e = rep(A)->exponent;
    return rep(A)->made ? NULL : rep(A)->whole;
}

static arb_mat_struct *balls(const mat *A) { return arith_arb_balls(A); }
/* Before the loops of a function, which may run on several threads. */
static void ready(const mat *A)            { (void)arith_arb_balls(A); }

/* C becomes C->rows x C->cols integers that are still to be written, times a power of 2. */
static representation *become_whole(mat *C)
{
    representation *r = rep(C);
    if (r->made) balls_clear(&r->balls);
    free(r->whole);
    *r = (representation){ .whole = must_calloc((size_t)(C->rows * C->cols), sizeof *r->whole) };
    return r;
}

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    representation *r = become_whole(C);
    r->exponent = e;
    if (C->rows && C->cols) memcpy(r->whole, m, (size_t)(C->rows * C->cols) * sizeof *m);
}

static void draw(mat *C, const drawing *how)
{
    representation *r = become_whole(C);
    random_dyadic(r->whole, &r->exponent, C->rows, C->cols, how);
}

static bool get_exact(mpq_t x, const mat *A, long i, long j)
{
    ready(A);
    if (!arb_is_exact(at(A, i, j)) || !arb_is_finite(at(A, i, j))) return false;
    fmpq_t q;
    fmpq_init(q);
    arf_get_fmpq(q, arb_midref(at(A, i, j)));
    fmpq_get_mpq(x, q);
    fmpq_clear(q);
    return true;
}

static double get_d(const mat *A, long i, long j)
{
    return arf_get_d(arb_midref(arb_mat_entry(balls(A), i, j)), ARF_RND_NEAR);
}

bool arith_arb_contains(const mat *A, long i, long j, const mpq_t x)
{
    ready(A);
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_mpq(q, x);
    bool in = arb_contains_fmpq(at(A, i, j), q);
    fmpq_clear(q);
    return in;
}

double arith_arb_farthest(const mat *A, long i, long j, double x)
{
    ready(A);
    arf_t point;
    arb_t off;
    mag_t far;
    arf_init(point);
    arb_init(off);
    mag_init(far);
    arf_set_d(point, x);
    arb_sub_arf(off, at(A, i, j), point, 64);
    arb_get_mag(far, off);
    const double upper = mag_get_d(far) * (1 + 0x1p-30);
    mag_clear(far);
    arb_clear(off);
    arf_clear(point);
    return upper;
}

const mat *arith_arb_of_doubles(scope *s, long rows, long cols, const double *x)
{
    mat *A = mat_blank(s, rows, cols);
    ready(A);
    EACH(A, i, j) arf_set_d(arb_midref(at(A, i, j)), x[i * cols + j]);
    return A;
}

double arith_arb_row(const mat *A, long i, bool nearest, double *x)
{
    ready(A);
    mag_t most;
    mag_init(most);
    for (long j = 0; j < A->cols; j++) {
        arf_srcptr middle = arb_midref(at(A, i, j));
        x[j] = arf_get_d(middle, nearest ? ARF_RND_NEAR : ARF_RND_DOWN);
        if (!nearest && isfinite(x[j]) && arf_cmp_d(middle, x[j]) != 0) {
            uint64_t bits;
            memcpy(&bits, &x[j], sizeof bits);
            bits |= 1;
            memcpy(&x[j], &bits, sizeof bits);
            if (arf_sgn(middle) < 0) x[j] = -fabs(x[j]);               /* cut to 0, which has no sign here      */
        }
        if (!isfinite(x[j])) mag_inf(most);
        mag_max(most, most, arb_radref(at(A, i, j)));
    }
    const double radius = mag_get_d(most) * (1 + 0x1p-30);
    mag_clear(most);
    return radius;
}

const mat *arith_arb_midpoints(scope *s, const mat *A)
{
    mat *C = mat_blank(s, A->rows, A->cols);
    ready(A);
    ready(C);
    EACH(C, i, j) arb_set_arf(at(C, i, j), arb_midref(at(A, i, j)));
    return C;
}

const mat *arith_arb_widened(scope *s, const mat *A, const mat *c)
{
    mat *C = mat_blank(s, A->rows, A->cols);
    mag_t more;
    mag_init(more);
    ready(A);
    ready(c);
    ready(C);
    arb_get_mag(more, at(c, 0, 0));
    EACH(C, i, j) {
        arb_set(at(C, i, j), at(A, i, j));
        arb_add_error_mag(at(C, i, j), more);
    }
    mag_clear(more);
    return C;
}

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    ready(C);
    ready(A);
    for (long i = 0; i < r; i++)
        for (long j = 0; j < c; j++) arb_set(at(C, ci + i, cj + j), at(A, ai + i, aj + j));
}

static void add(mat *C, const mat *A, const mat *B)
{
    ready(C);
    ready(A);
    ready(B);
    EACH_ROW(C, i) for (long j = 0; j < C->cols; j++) arb_add(at(C, i, j), at(A, i, j), at(B, i, j), prec(C));
}

static void sub(mat *C, const mat *A, const mat *B)
{
    ready(C);
    ready(A);
    ready(B);
    EACH_ROW(C, i) for (long j = 0; j < C->cols; j++) arb_sub(at(C, i, j), at(A, i, j), at(B, i, j), prec(C));
}

/* Where there are few entries, or far ones, balls are as good. */
static ball_factor factor(const mat *A)
{
    long e;
    const int64_t *whole = arith_arb_whole(A, &e);
    if (!whole || A->rows * A->cols < 4096 || labs(e) > 1 << 20) return product_arb_balls(balls(A));
    return (ball_factor){ .rows = A->rows, .cols = A->cols, .whole = whole, .exponent = e, .pitch = A->cols };
}

static void mul(mat *C, const mat *A, const mat *B)
{
    const ball_factor a = factor(A), b = factor(B);
    product_arb_of(balls(C), &a, &b, prec(C));
}
static void transpose(mat *C, const mat *A)         { arb_mat_transpose(balls(C), balls(A)); }

static void hadamard(mat *C, const mat *A, const mat *B)
{
    ready(C);
    ready(A);
    ready(B);
    EACH_ROW(C, i) for (long j = 0; j < C->cols; j++) arb_mul(at(C, i, j), at(A, i, j), at(B, i, j), prec(C));
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    ready(C);
    ready(g);
    ready(A);
    EACH_ROW(C, i) for (long j = 0; j < C->cols; j++) arb_mul(at(C, i, j), at(g, i, 0), at(A, i, j), prec(C));
}

static truth inv(mat *C, const mat *A)
{
    return inverse_arb(balls(C), balls(A), prec(C)) ? HOLDS : UNDECIDED;
}

/* ---- functions -------------------------------------------------------------------------- */

/* y = f(x) for n entries; y is not x. */
static void activate(arb_ptr y, arb_srcptr x, long n, activation kind, long p)
{
    switch (kind) {
    case ACT_IDENTITY:
        for (long k = 0; k < n; k++) arb_set(y + k, x + k);
        break;
    case ACT_TANH:
        for (long k = 0; k < n; k++) arb_tanh(y + k, x + k, p);
        break;
    case ACT_RELU:                                      /* (x + |x|)/2 */
        for (long k = 0; k < n; k++) {
            arb_abs(y + k, x + k);
            arb_add(y + k, x + k, y + k, p);
            arb_mul_2exp_si(y + k, y + k, -1);
        }
        break;
    case ACT_SILU:                                      /* x / (1 + e^-x) */
        for (long k = 0; k < n; k++) arb_neg(y + k, x + k);
        elementary_exp(y, y, n, p);
        for (long k = 0; k < n; k++) {
            arb_add_ui(y + k, y + k, 1, p);
            arb_div(y + k, x + k, y + k, p);
        }
        break;
    case ACT_GELU: case ACT_OPAQUE: case ACT_HALF_ODD:  /* x/2 erfc(-x/sqrt 2) */
        elementary_normal(y, x, n, p);
        for (long k = 0; k < n; k++) arb_mul(y + k, x + k, y + k, p);
        break;
    }
}

static truth phi(mat *C, const mat *A, activation kind, place where)
{
    ready(C);
    ready(A);
    (void)where;
    if (A->cols) EACH_ROW(A, i) activate(at(C, i, 0), at(A, i, 0), A->cols, kind, prec(A));
    return HOLDS;
}

/* exp of the entries of row i that are visible, a run of neighbours at a time. */
static void exp_row(mat *C, long i, const rowmap *how)
{
    for (long j = 0, end; j < C->cols; j = end + 1) {
        for (end = j; end < C->cols && rowmap_sees(how, i * C->cols + end); end++) ;
        if (end > j) elementary_exp(at(C, i, j), at(C, i, j), end - j, prec(C));
    }
}

/* Row i of the scaled scores: their exponentials over the sum. */
static void softmax_row(mat *C, long i, const rowmap *how)
{
    arb_t sum;
    arb_init(sum);
    exp_row(C, i, how);
    for (long j = 0; j < C->cols; j++)
        if (rowmap_sees(how, i * C->cols + j)) arb_add(sum, sum, at(C, i, j), prec(C));
    arb_inv(sum, sum, prec(C));                         /* once: half the time of a quotient each, an ulp wider */
    for (long j = 0; j < C->cols; j++)
        if (rowmap_sees(how, i * C->cols + j)) arb_mul(at(C, i, j), at(C, i, j), sum, prec(C));
    arb_clear(sum);
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place where)
{
    ready(C);
    ready(A);
    (void)where;
    arb_t scale;
    arb_init(scale);
    arb_set_si(scale, how->scale_num);
    arb_div_si(scale, scale, how->scale_den, prec(A));
    arb_sqrt(scale, scale, prec(A));
    EACH_ROW(A, i) {
        for (long j = 0; j < A->cols; j++)
            if (rowmap_sees(how, i * A->cols + j)) arb_mul(at(C, i, j), at(A, i, j), scale, prec(A));
        if (how->kind != ROWMAP_LINEAR) softmax_row(C, i, how);
    }
    arb_clear(scale);
    return HOLDS;
}

/* LayerNorm and RMSNorm as in arith_f64.c; a ball for var + eps that reaches 0 is UNDECIDED. */
static bool norm_row(mat *C, const mat *A, long i, norm_kind kind, long log2eps)
{
    const long p = prec(A);
    arb_t mean, square, t;
    arb_init(mean);
    arb_init(square);
    arb_init(t);
    for (long j = 0; kind == NORM_LAYER && j < A->cols; j++) arb_add(mean, mean, at(A, i, j), p);
    arb_div_si(mean, mean, A->cols, p);
    for (long j = 0; j < A->cols; j++) {
        arb_sub(at(C, i, j), at(A, i, j), mean, p);
        arb_sqr(t, at(C, i, j), p);
        arb_add(square, square, t, p);
    }
    arb_div_si(square, square, A->cols, p);
    arb_one(t);
    arb_mul_2exp_si(t, t, log2eps);
    arb_add(square, square, t, p);
    const bool known = arb_is_positive(square);
    arb_rsqrt(square, square, p);
    for (long j = 0; j < A->cols; j++) arb_mul(at(C, i, j), at(C, i, j), square, p);
    arb_clear(mean);
    arb_clear(square);
    arb_clear(t);
    return known;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place where)
{
    ready(C);
    ready(A);
    (void)where;
    bool *known = must_calloc((size_t)A->rows + 1, sizeof *known), all = true;
    EACH_ROW(A, i) known[i] = norm_row(C, A, i, kind, log2eps);
    for (long i = 0; i < A->rows; i++) all &= known[i];
    free(known);
    return all ? HOLDS : UNDECIDED;
}

/* The domain must contain the whole ball. */
static truth partial(mat *C, const mat *A, partial_function kind)
{
    ready(C);
    ready(A);
    arb_t room;
    arb_init(room);
    truth is = HOLDS;
    EACH(A, i, j) {
        if (kind == PARTIAL_RSQRT) {
            arb_set(room, at(A, i, j));
        } else {                                        /* 1 - |x| > 0 */
            arb_abs(room, at(A, i, j));
            arb_sub_ui(room, room, 1, prec(A));
            arb_neg(room, room);
        }
        if (!arb_is_positive(room)) { is = UNDECIDED; continue; }
        if (kind == PARTIAL_RSQRT) arb_rsqrt(at(C, i, j), at(A, i, j), prec(A));
        else                       arb_atanh(at(C, i, j), at(A, i, j), prec(A));
    }
    arb_clear(room);
    return is;
}

static truth angles(mat *C, const long *position, double theta, const double *divide)
{
    ready(C);
    const long p = prec(C), k = C->cols / 2;
    arb_t base, angle, by;
    arb_init(base);
    arb_init(angle);
    arb_init(by);
    for (long i = 0; i < k; i++) {
        fmpq_t power;
        fmpq_init(power);
        fmpq_set_si(power, -i, (ulong)k);
        arb_set_d(base, theta);
        arb_pow_fmpq(base, base, power, p);
        fmpq_clear(power);
        if (divide) {
            arb_set_d(by, divide[i]);
            arb_div(base, base, by, p);
        }
        for (long t = 0; t < C->rows; t++) {
            arb_mul_si(angle, base, position[t], p);
            arb_sin_cos(at(C, t, k + i), at(C, t, i), angle, p);
        }
    }
    arb_clear(base);
    arb_clear(angle);
    arb_clear(by);
    return HOLDS;
}

static truth rotate(mat *C, const mat *A)
{
    ready(C);
    ready(A);
    const long p = prec(A);
    arb_t theta, angle, c, s, t;
    arb_init(theta); arb_init(angle); arb_init(c); arb_init(s); arb_init(t);
    for (long j = 0; j < A->cols; j += 2) {
        fmpq_t power;                                   /* theta_j = 10000^(-j/cols) */
        fmpq_init(power);
        fmpq_set_si(power, -j, (ulong)A->cols);
        arb_set_ui(theta, 10000);
        arb_pow_fmpq(theta, theta, power, p);
        fmpq_clear(power);
        for (long i = 0; i < A->rows; i++) {
            arb_mul_si(angle, theta, i, p);
            arb_sin_cos(s, c, angle, p);
            arb_mul(at(C, i, j), at(A, i, j), c, p);
            arb_mul(t, at(A, i, j + 1), s, p);
            arb_sub(at(C, i, j), at(C, i, j), t, p);
            arb_mul(at(C, i, j + 1), at(A, i, j), s, p);
            arb_mul(t, at(A, i, j + 1), c, p);
            arb_add(at(C, i, j + 1), at(C, i, j + 1), t, p);
        }
    }
    arb_clear(theta); arb_clear(angle); arb_clear(c); arb_clear(s); arb_clear(t);
    return HOLDS;
}

/* ---- answers ---------------------------------------------------------------------------- */

/* |A_ij| <= top for all entries */
static void largest(mag_t top, const mat *A)
{
    ready(A);
    mag_ptr row = _mag_vec_init(A->rows);
    EACH_ROW(A, i) {
        mag_t x;
        mag_init(x);
        for (long j = 0; j < A->cols; j++) {
            arb_get_mag(x, at(A, i, j));
            mag_max(row + i, row + i, x);
        }
        mag_clear(x);
    }
    for (long i = 0; i < A->rows; i++) mag_max(top, top, row + i);
    _mag_vec_clear(row, A->rows);
}

static double log2max(const mat *A)
{
    mag_t top;
    mag_init(top);
    largest(top, A);
    double log2top = mag_get_d_log2_approx(top);
    mag_clear(top);
    return log2top;
}

static truth positive(const mat *A)
{
    ready(A);
    truth is = HOLDS;
    EACH(A, i, j) {
        if (arb_is_nonpositive(at(A, i, j))) return REFUTED;
        if (!arb_is_positive(at(A, i, j))) is = UNDECIDED;
    }
    return is;
}

/* Row i of both: most >= |a - b| for all a and b in the two balls of an entry. */
static truth compare_row(mag_t most, const mat *A, const mat *B, long i)
{
    truth is = HOLDS;
    arb_t diff;
    mag_t far;
    arb_init(diff);
    mag_init(far);
    for (long j = 0; j < A->cols; j++) {
        arb_sub(diff, at(A, i, j), at(B, i, j), prec(A));
        arb_get_mag(far, diff);
        mag_max(most, most, far);
        if (!arb_is_finite(at(A, i, j)) || !arb_is_finite(at(B, i, j))) { if (is == HOLDS) is = UNDECIDED; }
        else if (!arb_overlaps(at(A, i, j), at(B, i, j))) is = REFUTED;
    }
    arb_clear(diff);
    mag_clear(far);
    return is;
}

/* log2gap bounds every |a - b|, relative to the largest entry. */
static comparison compare(const mat *A, const mat *B, double log2bound)
{
    ready(A);
    ready(B);
    comparison out = { HOLDS, -INFINITY, log2bound };
    mag_t most, top;
    mag_init(most);
    mag_init(top);
    largest(top, A);
    largest(top, B);
    mag_ptr far = _mag_vec_init(A->rows);
    truth *row = must_calloc((size_t)A->rows, sizeof *row);
    EACH_ROW(A, i) row[i] = compare_row(far + i, A, B, i);
    for (long i = 0; i < A->rows; i++) {
        mag_max(most, most, far + i);
        if (row[i] == REFUTED || out.is == HOLDS) out.is = row[i];
    }
    free(row);
    _mag_vec_clear(far, A->rows);
    if (!mag_is_zero(most)) out.log2gap = mag_get_d_log2_approx(most) - mag_get_d_log2_approx(top);
    if (out.is == HOLDS && !(out.log2gap <= log2bound)) out.is = UNDECIDED;
    mag_clear(most);
    mag_clear(top);
    return out;
}

/* ---- spectra ----------------------------------------------------------------------------- */

/* [low, high] encloses the real part of E[k].  Ball k holds one eigenvalue; its conjugate is an eigenvalue, too, and
 * lies in the conjugate ball.  Where that meets no other ball, it is the same one: real. */
static eigenvalue enclosed(acb_srcptr E, long n, long k)
{
    eigenvalue e = { .real = true, .not_real = !arb_contains_zero(acb_imagref(E + k)) };
    arf_t low, high;
    acb_t conjugate;
    arf_init(low);
    arf_init(high);
    acb_init(conjugate);
    acb_conj(conjugate, E + k);
    for (long j = 0; j < n; j++) e.real &= (acb_overlaps(conjugate, E + j) != 0) == (j == k);
    arb_get_interval_arf(low, high, acb_realref(E + k), 64);
    e.low = arf_get_d(low, ARF_RND_FLOOR);
    e.high = arf_get_d(high, ARF_RND_CEIL);
    arf_clear(low);
    arf_clear(high);
    acb_clear(conjugate);
    return e;
}

static int by_real_part(const void *x, const void *y)
{
    const eigenvalue *a = x, *b = y;
    return (a->low > b->low) - (a->low < b->low);
}

bool arith_arb_eigenvalues(const mat *A, eigenvalue to[])
{
    const long n = A->rows;
    REQUIRE(A->cols == n, "eigenvalues of %ldx%ld", n, A->cols);
    acb_mat_t C, R;
    acb_ptr E = _acb_vec_init(n);
    acb_mat_init(C, n, n);
    acb_mat_init(R, n, n);
    acb_mat_set_arb_mat(C, balls(A));
    acb_mat_approx_eig_qr(E, NULL, R, C, NULL, 0, prec(A));     /* only a guess: the next step certifies or refuses */
    const bool isolated = acb_mat_eig_simple(E, NULL, NULL, C, E, R, prec(A));
    for (long k = 0; isolated && k < n; k++) to[k] = enclosed(E, n, k);
    if (isolated) qsort(to, (size_t)n, sizeof *to, by_real_part);
    _acb_vec_clear(E, n);
    acb_mat_clear(C);
    acb_mat_clear(R);
    return isolated;
}

arith arith_arb(long bits)
{
    return (arith){
        .name = "arb", .kind = A_ARB, .traits = RIGOROUS | ORDERED | HAS_EXP, .bits = bits,
        .default_log2bound = -64,                     /* relative width */
        .ring = { .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
                  .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub,
                  .mul = mul, .hadamard = hadamard, .scale_rows = scale_rows,
                  .transpose = transpose, .inv = inv, .compare = compare, .positive = positive,
                  .log2max = log2max },
        .functions = { .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate, .angles = angles,
                       .partial = partial },
    };
}
