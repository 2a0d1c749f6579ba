/* SPDX-License-Identifier: GPL-3.0-or-later
 * rows_arb.c - see rows_arb.h.
 *
 * Doubles.  A product of k terms computed in doubles, in any order, fused or not, is off by at most g = k u/(1 - k u)
 * times the product of the sizes, u = 2^-53 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), so
 *     |fl(A B) - A B|_F <= g |A|_F |B|_F,      |fl(A B)_j - (A B)_j|_2 <= g |A|_F |B_j|_2;
 * what underflows adds less than 2^-1000 to a sum of squares, TINY to its root.  A sum of squares and the few
 * operations after it are off by less than 2^-20 of the result, for fewer than 2^30 terms: UP.  A ball w is its centre
 * rounded to a double plus at most 2^-52 of its size and the radius.
 *
 * Norms.  With G = A'A (or A A', where that is smaller), |A|_2^2 = |G|_2, |G|_2^2 = |G G|_2, and |H|_2 <= |H|_F: after
 * k squarings of a d x d matrix the bound is at most d^(1/2^(k+2)) times too large.  Floats do for that: v = 2^-24,
 * sums of AT_ONCE terms and then of these, so that g is (AT_ONCE + blocks + 2) v UP.  What underflows, also where the
 * machine takes it for 0, adds less than LOST a term.  Each matrix is a power of 2 times one of about size 1, so that
 * nothing overflows. */
#include "numerics/rows_arb.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "numerics/flint_compat.h"
#include "numerics/rows_threads.h"
#include "src/base/vector.h"

static void ready(const mat *A)                 { (void)arith_arb_balls(A); }      /* before loops on several threads */
static arb_ptr at(const mat *A, long i, long j) { return arb_mat_entry((arb_mat_struct *)A->rep, i, j); }

enum { SQUARINGS = 3, AT_ONCE = 256 };
static const double UP = 1 + 0x1p-20, TINY = 0x1p-500, LOST = 0x1p-120;

/* A tape over balls is another thing; and centres are computed with, so an infinite one is no good. */
bool rows_have(const arith *R) { return R->kind == A_ARB && !R->state; }

static double gamma_of(long terms) { return (double)terms * 0x1p-53 * UP; }

/* ---- doubles ----------------------------------------------------------------------------------------------- */

/* The centres of A rounded, r x c, row by row; size: |.|_F of these, off: of what they miss. */
typedef struct { long r, c; double *x, size, off; } near;

/* At least the root of a sum of squares. */
static double root(double sum) { return sqrt(sum) * UP + TINY; }

enum { LANES = 16, CHUNK = 1 << 14, BAND = 64 };          /* of sums side by side, a thread's numbers and columns */

/* The LANES sums of squares of every LANES-th number, and their sum: the same bits whatever vectors the machine has. */
#define SQUARES {                                                                                           \
    double sum[LANES] = { 0 }, all = 0;                                                                     \
    long k = 0;                                                                                             \
    for (; k + LANES <= n; k += LANES)                                                                      \
        for (int l = 0; l < LANES; l++) sum[l] += (double)x[k + l] * (double)x[k + l];                      \
    for (; k < n; k++) all += (double)x[k] * (double)x[k];                                                  \
    for (int l = 0; l < LANES; l++) all += sum[l];                                                          \
    return all; }
static VECTOR_CLONES double squares(const double *x, long n)         SQUARES
static VECTOR_CLONES double squares_float(const float *x, long n)    SQUARES

static double length(const double *x, long n)
{
    const long chunks = (n + CHUNK - 1) / CHUNK;
    double *part = must_calloc((size_t)chunks, sizeof *part), sum = 0;
    EACH_ROW_OF(chunks, CHUNK, i) part[i] = squares(x + i * CHUNK, n - i * CHUNK < CHUNK ? n - i * CHUNK : CHUNK);
    for (long i = 0; i < chunks; i++) sum += part[i];
    free(part);
    return root(sum);
}

/* The same of a d x d matrix of floats. */
static double length_float(const float *x, long d)
{
    double *part = must_calloc((size_t)d, sizeof *part), sum = 0;
    EACH_ROW_OF(d, d, i) part[i] = squares_float(x + i * d, d);
    for (long i = 0; i < d; i++) sum += part[i];
    free(part);
    return root(sum);
}

static VECTOR_CLONES void add_squares(double *to, const double *x, long n)
{
    for (long j = 0; j < n; j++) to[j] += x[j] * x[j];
}

/* to[j]: the same of column j. */
static void lengths(double *to, const double *x, long r, long c)
{
    const long bands = (c + BAND - 1) / BAND;
    memset(to, 0, (size_t)c * sizeof *to);
    EACH_ROW_OF(bands, r * BAND, b) {
        const long from = b * BAND, cols = c - from < BAND ? c - from : BAND;
        for (long i = 0; i < r; i++) add_squares(to + from, x + i * c + from, cols);
        for (long j = from; j < from + cols; j++) to[j] = root(to[j]);
    }
}

static double power_of_2(long k)                          /* -1022 <= k <= 1023 */
{
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static bool moderate(fmpz e)     { return !COEFF_IS_MPZ(e) && e > -900 && e < 900; }

/* arf_get_d for numbers that are no extremes: their first 64 bits, rounded to nearest. */
static double centre_of(arb_srcptr ball)
{
    arf_srcptr m = arb_midref(ball);
    if (arf_is_special(m) || !moderate(ARF_EXP(m))) return arf_get_d(m, ARF_RND_NEAR);
    mp_srcptr limb;
    mp_size_t n;
    ARF_GET_MPN_READONLY(limb, n, m);
    const double x = (double)limb[n - 1] * power_of_2(ARF_EXP(m) - 64);
    return ARF_SGNBIT(m) ? -x : x;
}

static double radius_of(arb_srcptr ball)
{
    mag_srcptr r = arb_radref(ball);
    if (mag_is_special(r) || !moderate(MAG_EXP(r))) return mag_get_d(r);
    return (double)MAG_MAN(r) * power_of_2(MAG_EXP(r) - MAG_BITS);
}

/* x, off: the centres of A rounded, and what is missed of each. */
static void split(double *x, double *off, const mat *A)
{
    long e;
    const int64_t *whole = arith_arb_whole(A, &e);
    if (whole && e > -900 && e < 900) {
        const double unit = power_of_2(e);
        EACH_ROW(A, i) for (long k = i * A->cols; k < (i + 1) * A->cols; k++) {
            x[k] = (double)whole[k] * unit;
            off[k] = fabs(x[k]) * 0x1p-52 + TINY;
        }
        return;
    }
    ready(A);
    EACH_ROW(A, i) for (long j = 0; j < A->cols; j++) {
        const long k = i * A->cols + j;
        x[k] = centre_of(at(A, i, j));
        off[k] = fabs(x[k]) * 0x1p-52 + radius_of(at(A, i, j)) + TINY;
    }
}

/* columns: where it is not NULL, columns[j] is what is missed of column j. */
static near near_to(const mat *A, double *columns)
{
    const long n = A->rows * A->cols;
    near N = { A->rows, A->cols, must_calloc((size_t)n, sizeof(double)), 0, 0 };
    double *off = must_calloc((size_t)n, sizeof *off);
    split(N.x, off, A);
    if (columns) lengths(columns, off, N.r, N.c);
    N.size = length(N.x, n);
    N.off = length(off, n);
    free(off);
    return N;
}

/* The same doubles, taken as exact. */
static near exact(const mat *A)
{
    near N = near_to(A, NULL);
    N.off = 0;
    return N;
}

static near product_of(const near *A, const near *B)
{
    near C = { A->r, B->c, must_calloc((size_t)(A->r * B->c), sizeof(double)), 0, 0 };
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)A->r, (int)B->c, (int)A->c, 1, A->x, (int)A->c, B->x,
                (int)B->c, 0, C.x, (int)B->c);
    C.size = length(C.x, C.r * C.c);
    C.off = (gamma_of(A->c) * A->size * B->size + A->size * B->off + A->off * B->size + A->off * B->off) * UP + TINY;
    return C;
}

/* G = A'A, d x d, where A is terms x d; transposed: A A', where A is d x terms.  Symmetric to the last bit. */
static void gram(float *G, const float *A, long d, long terms, bool transposed)
{
    for (long k = 0; k < terms; k += AT_ONCE)
        cblas_ssyrk(CblasRowMajor, CblasLower, transposed ? CblasNoTrans : CblasTrans, (int)d,
                    (int)(terms - k < AT_ONCE ? terms - k : AT_ONCE), 1, A + k * (transposed ? 1 : d),
                    (int)(transposed ? terms : d), k ? 1 : 0, G, (int)d);
    EACH_ROW_OF(d, d, i) for (long j = i + 1; j < d; j++) G[i * d + j] = G[j * d + i];
}

/* At least |fl(A'A) - A'A|_F, |A|_F <= size.  Two terms more make (k + 2) v at least k v/(1 - k v), for k < 5,000. */
static double off_gram(double size, long d, long terms)
{
    const long sums = (terms < AT_ONCE ? terms : AT_ONCE) + (terms + AT_ONCE - 1) / AT_ONCE;
    const double g = (double)(sums + 2) * 0x1p-24 * UP;
    return (g * size * size + (double)d * (double)terms * LOST) * UP;
}

/* to = from times `by`, a power of 2: n numbers, rounded to floats. */
#define SCALED { for (long k = 0; k < n; k++) to[k] = (float)(from[k] * by); }
static VECTOR_CLONES void scaled(float *to, const double *from, double by, long n)       SCALED
static VECTOR_CLONES void scaled_float(float *to, const float *from, float by, long n)   SCALED

/* At least |A|_2 of the r x c matrix x.  With A_0 = A 2^-e rounded and A_k+1 = fl(A_k'A_k) 2^-up rounded,
 * |A_k|_2^2 <= 2^up (|A_k+1|_2 + d LOST) + off. */
static double norm_of(const double *x, long r, long c)
{
    const long d = r < c ? r : c, terms = r < c ? c : r;
    const double size = length(x, r * c);
    if (!(size > 0x1p-900 && size < 0x1p900) || d > 1 << 15 || terms > 1 << 20) return size;
    const size_t count = (size_t)(d * d);
    float *A = must_calloc((size_t)(r * c), sizeof *A), *G = must_calloc(count, sizeof *G);
    double off[SQUARINGS + 1], times[SQUARINGS + 1], now;
    int e;
    (void)frexp(size, &e);                                /* |A|_F 2^-e is at most 1 */
    EACH_ROW_OF(r, c, i) scaled(A + i * c, x + i * c, power_of_2(-e), c);
    now = UP;
    for (int k = 0; k <= SQUARINGS; k++) {
        gram(G, A, d, k ? d : terms, k ? false : r < c);
        off[k] = off_gram(now, d, k ? d : terms);
        now = length_float(G, d);
        int up = 0;
        (void)frexp(now, &up);
        if (up < -100) up = -100;
        EACH_ROW_OF(d, d, i) scaled_float(A + i * d, G + i * d, (float)power_of_2(-up), d);
        times[k] = power_of_2(up);
        now = (now / times[k] + (double)d * LOST) * UP;
    }
    double bound = now;
    for (int k = SQUARINGS; k >= 0; k--) bound = sqrt((times[k] * (bound + (double)d * LOST) + off[k]) * UP) * UP;
    free(A);
    free(G);
    return fmin(((bound + 0x1p-100) * power_of_2(e) + 0x1p-24 * size) * UP, size);
}

static double norm_of_near(const near *A) { return (norm_of(A->x, A->r, A->c) + A->off) * UP; }

/* ---- norms ------------------------------------------------------------------------------------------------- */

static bool euclidean(row_norm N) { return N.to == NULL; }

row_norm rows_norm(const mat *to, const mat *from)
{
    if (to == from) return ROWS_EUCLIDEAN;
    near T = exact(to), P = exact(from);
    near E = product_of(&T, &P);
    for (long i = 0; i < E.r; i++) E.x[i * E.c + i] -= 1;
    E.off = (E.off + 0x1p-52 * (E.size + (double)E.r)) * UP;
    const double far = (length(E.x, E.r * E.c) + E.off) * UP, e = far < 0x1p-20 ? far : norm_of_near(&E);
    const row_norm N = { to, from, e < 0.5 ? UP / (1 - e) : INFINITY, norm_of(P.x, P.r, P.c) };
    free(T.x);
    free(P.x);
    free(E.x);
    return e < 0.5 && isfinite(N.size) ? N : ROWS_EUCLIDEAN;
}

double rows_read(row_norm N, const mat *W)
{
    near w = near_to(W, NULL);
    if (euclidean(N)) {
        const double bound = norm_of_near(&w);
        free(w.x);
        return bound;
    }
    near T = exact(N.to);
    near product = product_of(&T, &w);
    const double bound = norm_of_near(&product) * N.slack * UP;
    free(T.x);
    free(w.x);
    free(product.x);
    return bound;
}

double rows_write(const mat *W, row_norm N)
{
    if (euclidean(N)) return rows_read(N, W);
    near w = near_to(W, NULL), P = exact(N.from);
    near product = product_of(&w, &P);
    const double bound = norm_of_near(&product);
    free(P.x);
    free(w.x);
    free(product.x);
    return bound;
}

double rows_change(row_norm from, row_norm to)
{
    if (from.to == to.to && from.from == to.from) return 1;
    if (euclidean(from)) return to.size;
    near T = exact(from.to);
    if (!euclidean(to)) {
        near P = exact(to.from);
        near product = product_of(&T, &P);
        free(T.x);
        free(P.x);
        T = product;
    }
    const double bound = norm_of_near(&T) * from.slack * UP;
    free(T.x);
    return bound;
}

/* to[j] >= |T W_j|_2 slack, for each column of W: |fl(T w_j)|_2 + |T|_F (g |w_j|_2 + |W_j - w_j|_2). */
static double *columns_read(row_norm N, const mat *W)
{
    const long n = W->cols;
    double *to = must_calloc((size_t)(3 * n), sizeof *to), *off = to + n, *size = off + n;
    near w = near_to(W, off), T = { .size = 1 };
    lengths(size, w.x, w.r, w.c);
    if (!euclidean(N)) {
        T = exact(N.to);
        const near product = product_of(&T, &w);
        lengths(to, product.x, product.r, product.c);
        for (long j = 0; j < n; j++) off[j] += gamma_of(T.c) * size[j] * UP;
        free(product.x);
        free(T.x);
    } else memcpy(to, size, (size_t)n * sizeof *to);
    for (long j = 0; j < n; j++) to[j] = (to[j] + T.size * off[j] * UP + TINY) * N.slack * UP;
    free(w.x);
    return to;
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

/* |r_i P|_2 <= |r_i|_2 |P|_2 of the radii of row i. */
static void radius_of_row(mag_t to, const mat *A, long i, double size)
{
    mag_t by;
    mag_init(by);
    mag_zero(to);
    for (long j = 0; j < A->cols; j++) mag_addmul(to, arb_radref(at(A, i, j)), arb_radref(at(A, i, j)));
    mag_sqrt(to, to);
    mag_set_d(by, size);
    mag_mul(to, to, by);
    mag_clear(by);
}

static void error_of(mag_t to, const mat *error, long i) { arf_get_mag(to, arb_midref(at(error, i, 0))); }

/* Row i of what rows_sum returns. */
static void sum_row(mat *centre, mat *error, const mat *A, long i, row_norm N, long parts, const rows_part part[])
{
    mag_t sum, x, by;
    mag_init(sum);
    mag_init(x);
    mag_init(by);
    radius_of_row(sum, A, i, N.size);
    for (long k = 0; k < parts; k++) {
        error_of(x, part[k].error, i);
        mag_set_d(by, part[k].times);
        mag_addmul(sum, x, by);
    }
    arf_set_mag(arb_midref(at(error, i, 0)), sum);
    for (long j = 0; j < A->cols; j++) arf_set(arb_midref(at(centre, i, j)), arb_midref(at(A, i, j)));
    mag_clear(by);
    mag_clear(x);
    mag_clear(sum);
}

row_balls rows_sum(scope *s, const mat *A, row_norm N, long parts, const rows_part part[])
{
    mat *centre = mat_blank(s, A->rows, A->cols), *error = mat_blank(s, A->rows, 1);
    ready(A);
    ready(centre);
    ready(error);
    for (long k = 0; k < parts; k++) ready(part[k].error);
    EACH_ROW(A, i) sum_row(centre, error, A, i, N, parts, part);
    return (row_balls){ centre, error };
}

row_balls rows_enclose(scope *s, const mat *A, row_norm N) { return rows_sum(s, A, N, 0, NULL); }

/* Row i of A, with error_i times to[j] added to the radius of entry (i, j). */
static void widen_row(mat *C, const mat *A, long i, const mat *error, const double *times)
{
    mag_t x, by;
    mag_init(x);
    mag_init(by);
    error_of(x, error, i);
    for (long j = 0; j < A->cols; j++) {
        arb_set(at(C, i, j), at(A, i, j));
        mag_set_d(by, times ? times[j] : 1);
        mag_addmul(arb_radref(at(C, i, j)), x, by);
    }
    mag_clear(by);
    mag_clear(x);
}

static const mat *widened(scope *s, const mat *A, const mat *error, const double *times)
{
    mat *C = mat_blank(s, A->rows, A->cols);
    ready(A);
    ready(C);
    ready(error);
    EACH_ROW(A, i) widen_row(C, A, i, error, times);
    return C;
}

const mat *rows_times(scope *s, row_balls X, row_norm N, const mat *W)
{
    double *times = columns_read(N, W);
    const mat *Y = widened(s, mat_mul(s, X.centre, W), X.error, times);
    free(times);
    return Y;
}

const mat *rows_box(scope *s, row_balls X, row_norm N)
{
    if (euclidean(N)) return widened(s, X.centre, X.error, NULL);
    near T = exact(N.to);
    double *times = must_calloc((size_t)T.c, sizeof *times);
    lengths(times, T.x, T.r, T.c);
    for (long j = 0; j < T.c; j++) times[j] *= N.slack * UP;
    const mat *Y = widened(s, X.centre, X.error, times);
    free(times);
    free(T.x);
    return Y;
}
