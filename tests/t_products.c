/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_products.c - the small products of the training engine, and the operations that are built of them, at odd sizes:
 * against explicit loops in double, beside numbers that must be neither read nor written (NaN), and with any number of
 * threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/cpu/tile.h"
#include "tests/support/suite.h"

static const long sizes[] = { 1, 5, 15, 17, 60, 62, 64, 100 };

/* Integers from -4 to 4: sums of their products are exact in float. */
static void fill(double *x, size_t n, uint64_t stream)
{
    const uint64_t key[2] = { 5, stream };
    for (size_t i = 0; i < n; i++) x[i] = (double)random_below(key, i, 9) - 4;
}

/* rows x cols numbers in rows of `row`; what is beside them is NaN. */
static double *framed(long rows, long cols, long row, uint64_t stream)
{
    double *x = must_calloc((size_t)(rows * row), sizeof *x);
    fill(x, (size_t)(rows * row), stream);
    for (long r = 0; r < rows; r++) for (long c = cols; c < row; c++) x[r * row + c] = NAN;
    return x;
}

static void *put(const ops *o, const double *x, size_t n)
{
    void *y = o->alloc(n * o->real);
    o->put(y, x, n);
    return y;
}

/* ---- products -------------------------------------------------------------------------------------------- */

typedef struct { bool tA, tB; long M, N, K, lda, ldb, ldc; double alpha, beta; } product;

static void explicit_product(const product *p, const double *A, const double *B, const double *D, double *C)
{
    for (long m = 0; m < p->M; m++)
        for (long n = 0; n < p->N; n++) {
            double sum = 0;
            for (long k = 0; k < p->K; k++)
                sum += A[p->tA ? k * p->lda + m : m * p->lda + k] * B[p->tB ? n * p->ldb + k : k * p->ldb + n];
            C[m * p->ldc + n] = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * D[m * p->ldc + n]);
        }
}

/* All numbers are whole: the product is equal in every bit, and what is beside it stays. */
static void check_product(const ops *o, const product *p, bool in_place)
{
    const long a_rows = p->tA ? p->K : p->M, b_rows = p->tB ? p->N : p->K;
    const size_t nA = (size_t)(a_rows * p->lda), nB = (size_t)(b_rows * p->ldb), nC = (size_t)(p->M * p->ldc);
    double *A = framed(a_rows, p->tA ? p->M : p->K, p->lda, 1), *B = framed(b_rows, p->tB ? p->K : p->N, p->ldb, 2);
    double *D = framed(p->M, p->N, p->ldc, 3), *C = must_calloc(nC, sizeof *C), *wanted = must_calloc(nC, sizeof *C);
    for (size_t i = 0; i < nC; i++) wanted[i] = NAN;
    explicit_product(p, A, B, D, wanted);
    void *a = put(o, A, nA), *b = put(o, B, nB), *d = put(o, D, nC), *c = in_place ? d : put(o, wanted, nC);
    if (!in_place) for (long m = 0; m < p->M; m++) memset((char *)c + (size_t)(m * p->ldc) * o->real, 0xff, (size_t)p->N * o->real);
    o->gemm(p->tA, p->tB, p->M, p->N, p->K, p->alpha, a, p->lda, b, p->ldb, p->beta, p->beta == 0 ? NULL : d, c, p->ldc, ACT);
    o->get(C, c, nC);
    for (size_t i = 0; i < nC; i++)
        ck_assert_msg(C[i] == wanted[i] || (isnan(wanted[i]) && isnan(C[i])),
                      "%s, %ld x %ld x %ld%s%s: %g and %g", o->name, p->M, p->N, p->K, p->tA ? " A'" : "", p->tB ? " B'" : "",
                      C[i], wanted[i]);
    void *const all[] = { a, b, d, in_place ? NULL : c, A, B, D, C, wanted };
    for (size_t k = 0; k < COUNT(all); k++) o->release(all[k]);
}

START_TEST(products_of_odd_sizes)
{
    const ops *const both[] = { ops_cpu_f32(), ops_cpu_f64() };
    const long M = sizes[_i];
    for (size_t f = 0; f < COUNT(both); f++)
        for (size_t n = 0; n < COUNT(sizes); n++)
            for (size_t k = 0; k < COUNT(sizes); k++)
                for (int how = (int)(n + k) % 2; how < 4; how += 2) {
                    const long N = sizes[n], K = sizes[k], pad = (long)(n + k) % 3;
                    const bool tA = how & 1, tB = how & 2;
                    const product p = { tA, tB, M, N, K, (tA ? M : K) + pad, (tB ? K : N) + 2 * pad, N + pad,
                                        k % 2 ? 1 : -2, how ? n % 3 == 0 ? 1 : 2 : 0 };
                    check_product(both[f], &p, how == 3);
                }
}
END_TEST

START_TEST(long_sums)                    /* more steps, columns and rows than are packed at a time */
{
    const ops *const both[] = { ops_cpu_f32(), ops_cpu_f64() };
    static const long shape[][3] = { { 60, 49, 1030 }, { 7, 300, 400 }, { 130, 17, 801 }, { 600, 270, 5 }, { 3, 2, 0 } };
    const long *s = shape[_i];
    for (size_t f = 0; f < COUNT(both); f++)
        for (int how = 0; how < 4; how++) {
            const bool tA = how & 1, tB = how & 2;
            const product p = { tA, tB, s[0], s[1], s[2], (tA ? s[0] : s[2]) + 1, (tB ? s[2] : s[1]) + 1, s[1] + 1, 1, how % 3 };
            check_product(both[f], &p, how == 2);
        }
}
END_TEST

START_TEST(no_factor_no_product)         /* alpha = 0: A and B are not read */
{
    const ops *const each[] = { ops_cpu_f32(), ops_cpu_f64(), ops_cpu_bf16() }, *o = each[_i];
    enum { N = 70 };
    double x[N * N], y[N * N];
    fill(x, N * N, 4);
    void *D = put(o, x, N * N);
    for (int i = 0; i < N * N; i++) y[i] = NAN;
    void *bad = put(o, y, N * N), *C = put(o, y, N * N);
    o->gemm(false, true, N, N, N, 0, bad, N, bad, N, 3, D, C, N, ACT);
    o->get(y, C, N * N);
    for (int i = 0; i < N * N; i++) ck_assert(y[i] == 3 * x[i]);
    o->gemm(false, true, N, N, N, 0, bad, N, bad, N, 0, NULL, C, N, ACT);
    o->get(y, C, N * N);
    for (int i = 0; i < N * N; i++) ck_assert(y[i] == 0);
    o->release(D);
    o->release(bad);
    o->release(C);
}
END_TEST

START_TEST(every_kernel)                 /* that this CPU can run, on one panel */
{
    size_t n;
    const tile_kernel *t = &tile_kernels(&n)[_i];
    if ((size_t)_i >= n) return;
    for (long M = 1; M <= 13; M++)
        for (long N = 1; N <= t->columns; N++) {
            enum { K = 11 };
            double A[13 * K], B[K * 4 * LANES], D[13 * 4 * LANES], wanted[13 * 4 * LANES];
            float a[13 * K], b[K * 4 * LANES], c[13 * 4 * LANES + 1], panel[K * 4 * LANES];
            const product p = { true, false, M, N, K, M, N, N, 2, 3 };
            fill(A, COUNT(A), 1);
            fill(B, COUNT(B), 2);
            fill(D, COUNT(D), 3);
            for (size_t i = 0; i < COUNT(A); i++) a[i] = (float)A[i];
            for (size_t i = 0; i < COUNT(B); i++) b[i] = (float)B[i];
            for (size_t i = 0; i < COUNT(D); i++) c[i] = (float)D[i];
            explicit_product(&p, A, B, D, wanted);
            c[M * N] = 77;
            pack_panel(panel, K, N, (strided){ b, N, 1 });
            t->product(M, N, K, 2, (strided){ a, 1, M }, panel, 3, c, c, N);
            for (long i = 0; i < M * N; i++) ck_assert_msg((double)c[i] == wanted[i], "%s, %ld x %ld", t->name, M, N);
            ck_assert(c[M * N] == 77);
        }
}
END_TEST

/* ---- attention --------------------------------------------------------------------------------------------- */

enum { B = 2, H = 2 };
static size_t cell(const attn_shape *s, long row, long b, long h, long t) { return (size_t)((b * s->T + t) * row + h * s->D); }

/* x: Q, K, V, dO in rows of `row`; y: O, dQ, dK, dV, each added to what is there, or not. */
static void explicit_attention(const attn_shape *s, long row, double *const x[4], double *const y[4], bool add)
{
    const long T = s->T, D = s->D;
    double *P = must_calloc((size_t)T, sizeof *P), *dP = must_calloc((size_t)T, sizeof *dP);
    for (int k = 0; k < 4; k++)
        for (long r = 0; r < s->B * T; r++) for (long c = 0; c < s->H * D && !add; c++) y[k][r * row + c] = 0;
    for (long b = 0; b < s->B; b++)
        for (long h = 0; h < s->H; h++)
            for (long t = 0; t < T; t++) {
                const size_t q = cell(s, row, b, h, t);
                const long keys = s->causal ? t + 1 : T;
                double top = -INFINITY, sum = 0, delta = 0;
                for (long j = 0; j < keys; j++) {
                    const size_t k = cell(s, row, b, h, j);
                    P[j] = dP[j] = 0;
                    for (long c = 0; c < D; c++) {
                        P[j] += s->scale * x[0][q + c] * x[1][k + c];
                        dP[j] += x[3][q + c] * x[2][k + c];
                    }
                    top = fmax(top, P[j]);
                }
                for (long j = 0; j < keys; j++) sum += P[j] = exp(P[j] - top);
                for (long j = 0; j < keys; j++) delta += (P[j] /= sum) * dP[j];
                for (long j = 0; j < keys; j++) {
                    const size_t k = cell(s, row, b, h, j);
                    const double dS = s->scale * P[j] * (dP[j] - delta);
                    for (long c = 0; c < D; c++) {
                        y[0][q + c] += P[j] * x[2][k + c];
                        y[1][q + c] += dS * x[1][k + c];
                        y[2][k + c] += dS * x[0][q + c];
                        y[3][k + c] += P[j] * x[3][q + c];
                    }
                }
            }
    free(P);
    free(dP);
}

static void attention(const ops *o, const attn_shape *s, long row, void *const x[4], void *const y[4], bool add)
{
    void *lse = o->alloc((size_t)(s->B * s->H * s->T) * o->real), *work = o->alloc(o->attn_work(s));
    heads in[4];
    heads_out out[4];
    for (int k = 0; k < 4; k++) {
        in[k] = (heads){ x[k], row, s->D };
        out[k] = (heads_out){ y[k], row, s->D, add };
    }
    o->attn_fwd(out[0], lse, in[0], in[1], in[2], s, work);
    o->attn_bwd(out[1], out[2], out[3], in[3], (heads){ y[0], row, s->D }, lse, in[0], in[1], in[2], s, work);
    o->release(lse);
    o->release(work);
}

static void check_attention(const ops *o, const attn_shape *s, bool add, double most)
{
    const long rows = s->B * s->T, wide = s->H * s->D, row = wide + 3;
    const size_t n = (size_t)(rows * row);
    double *x[4], *y[4], *got = must_calloc(n, sizeof *got);
    void *a[4], *b[4];
    for (int k = 0; k < 4; k++) {
        x[k] = framed(rows, wide, row, (uint64_t)(10 + k));
        y[k] = framed(rows, wide, row, (uint64_t)(20 + k));
        for (size_t i = 0; i < n; i++) x[k][i] /= 8;
        a[k] = put(o, x[k], n);
        for (size_t i = 0; i < n && !add; i++) got[i] = NAN;
        b[k] = put(o, add ? y[k] : got, n);
    }
    explicit_attention(s, row, x, y, add);
    attention(o, s, row, a, b, add);
    for (int k = 0; k < 4; k++) {
        double error = 0, size = 0;
        o->get(got, b[k], n);
        for (size_t i = 0; i < n; i++) {
            ck_assert_msg(isnan(got[i]) == isnan(y[k][i]), "tensor %d, number %zu: %g and %g", k, i, got[i], y[k][i]);
            if (isnan(got[i])) continue;
            error += (got[i] - y[k][i]) * (got[i] - y[k][i]);
            size += y[k][i] * y[k][i];
        }
        ck_assert_msg(sqrt(error) <= most * (sqrt(size) + 1), "%s T %ld D %ld%s%s, tensor %d: %g of %g", o->name, s->T, s->D,
                      s->causal ? " causal" : "", add ? " added" : "", k, sqrt(error), sqrt(size));
    }
    for (int k = 0; k < 4; k++) {
        o->release(a[k]);
        o->release(b[k]);
        free(x[k]);
        free(y[k]);
    }
    free(got);
}

static const long lengths[] = { 1, 5, 16, 17, 33, 70, 100 };
START_TEST(attention_of_odd_sizes)
{
    const ops *const both[] = { ops_cpu_f32(), ops_cpu_f64() };
    for (size_t d = 0; d < COUNT(sizes); d++)
        for (int how = (int)d % 2; how < 4; how += 2) {
            const attn_shape s = { .B = B, .H = H, .T = lengths[_i], .D = sizes[d], .causal = (how + _i) & 1,
                                   .scale = 1 / sqrt((double)sizes[d]) };
            check_attention(both[0], &s, how & 2, 2e-6);
            check_attention(both[1], &s, how & 2, 1e-14);
        }
}
END_TEST

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static double relative(const ops *o, const void *got, const double *wanted, size_t n)
{
    double *x = must_calloc(n, sizeof *x), error = 0, size = 0;
    o->get(x, got, n);
    for (size_t i = 0; i < n; i++) {
        error += (x[i] - wanted[i]) * (x[i] - wanted[i]);
        size += wanted[i] * wanted[i];
    }
    free(x);
    return sqrt(error) / (sqrt(size) + 1);
}

/* LayerNorm and its gradient, and a bias', by their definitions. */
static void check_norm(const ops *o, long R, long C, double most)
{
    const size_t n = (size_t)(R * C), c = (size_t)C, r = (size_t)R;
    double *x = framed(R, C, C, 1), *dy = framed(R, C, C, 2), *g = framed(1, C, C, 3), *b = framed(1, C, C, 4);
    double *y = must_calloc(n, sizeof *y), *dx = framed(R, C, C, 5), *dg = framed(1, C, C, 6), *db = framed(1, C, C, 7);
    void *const t[] = { put(o, x, n), put(o, dy, n), put(o, g, c), put(o, b, c), put(o, y, n), put(o, dx, n), put(o, dg, c),
                        put(o, db, c), put(o, x, r < n ? r : n), o->alloc(r * o->real), put(o, db, c) };
    double *bias = framed(1, C, C, 7);
    for (long i = 0; i < R; i++) {
        double mean = 0, variance = 0, e_mean = 0, ez_mean = 0;
        for (long j = 0; j < C; j++) mean += x[i * C + j] / (double)C;
        for (long j = 0; j < C; j++) variance += pow(x[i * C + j] - mean, 2) / (double)C;
        const double rstd = 1 / sqrt(variance + 0.125);
        for (long j = 0; j < C; j++) {
            const double z = (x[i * C + j] - mean) * rstd, e = dy[i * C + j] * g[j];
            y[i * C + j] = z * g[j] + b[j];
            e_mean += e / (double)C;
            ez_mean += e * z / (double)C;
            dg[j] += dy[i * C + j] * z;
            db[j] += dy[i * C + j];
            bias[j] += dy[i * C + j];
        }
        for (long j = 0; j < C; j++) {
            const double z = (x[i * C + j] - mean) * rstd, e = dy[i * C + j] * g[j];
            dx[i * C + j] += rstd * (e - e_mean - z * ez_mean);
        }
    }
    o->norm_fwd(t[4], t[8], t[9], t[0], t[2], t[3], R, C, 0.125);
    ck_assert_msg(relative(o, t[4], y, n) <= most, "%s %ld x %ld, y: %g", o->name, R, C, relative(o, t[4], y, n));
    o->norm_bwd(t[5], t[4], t[6], t[7], t[1], t[0], t[8], t[9], t[2], R, C);
    o->bias_bwd(t[10], t[1], R, C);
    ck_assert_msg(relative(o, t[4], dx, n) <= most, "%s %ld x %ld, dx as ACT", o->name, R, C);
    ck_assert_msg(relative(o, t[5], dx, n) <= most, "%s %ld x %ld, dx: %g", o->name, R, C, relative(o, t[5], dx, n));
    ck_assert_msg(relative(o, t[6], dg, c) <= most, "%s %ld x %ld, dg: %g", o->name, R, C, relative(o, t[6], dg, c));
    ck_assert_msg(relative(o, t[7], db, c) <= most, "%s %ld x %ld, db: %g", o->name, R, C, relative(o, t[7], db, c));
    ck_assert_msg(relative(o, t[10], bias, c) <= most, "%s %ld x %ld, bias", o->name, R, C);
    for (size_t k = 0; k < COUNT(t); k++) o->release(t[k]);
    double *const all[] = { x, dy, g, b, y, dx, dg, db, bias };
    for (size_t k = 0; k < COUNT(all); k++) free(all[k]);
}

START_TEST(norms_of_odd_sizes)
{
    static const long rows[] = { 1, 3, 16, 67, 130 };
    for (size_t r = 0; r < COUNT(rows); r++) {
        check_norm(ops_cpu_f32(), rows[r], sizes[_i], 2e-6);
        check_norm(ops_cpu_f64(), rows[r], sizes[_i], 1e-14);
    }
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------------------------- */

/* Without OpenMP there is one thread. */
extern void omp_set_num_threads(int n) __attribute__((weak));

/* All that was shared out, large enough for it: y holds a product, a sum over rows, attention and its gradients. */
static void run_with(int threads, float *const x[4], float *const y[6])
{
    const ops *o = ops_cpu_f32();
    enum { T = 40, D = 60, R = 16 * T, C = 2 * D };
    const attn_shape s = { .B = 16, .T = T, .H = 2, .D = D, .scale = 0.125, .causal = true };
    if (omp_set_num_threads) omp_set_num_threads(threads);
    o->gemm(true, false, C, C, R, 1, x[0], C, x[1], C, 0, NULL, y[4], C, ACT);
    o->gemm(false, true, R, C, C, 1, x[0], C, x[1], C, 1, x[2], y[4] + C * C, C, ACT);
    o->bias_bwd(y[5], x[3], R, C);
    attention(o, &s, C, (void *const *)x, (void *const *)y, false);
}

START_TEST(any_number_of_threads)        /* gives the same bits */
{
    enum { N = 640 * 120 };
    float *x[4], *y[6], *z[6];
    double *from = must_calloc(N, sizeof *from);
    for (int k = 0; k < 4; k++) {
        fill(from, N, (uint64_t)k);
        for (int i = 0; i < N; i++) from[i] = from[i] / 7 + 1e-3 * (i % 11);
        x[k] = put(ops_cpu_f32(), from, N);
    }
    for (int k = 0; k < 6; k++) {
        y[k] = must_calloc(2 * N, sizeof *y[k]);
        z[k] = must_calloc(2 * N, sizeof *z[k]);
    }
    run_with(1, x, y);
    run_with(_i, x, z);
    for (int k = 0; k < 6; k++) ck_assert_msg(memcmp(y[k], z[k], 2 * N * sizeof *y[k]) == 0, "%d threads, result %d", _i, k);
    for (int k = 0; k < 4; k++) free(x[k]);
    for (int k = 0; k < 6; k++) {
        free(y[k]);
        free(z[k]);
    }
    free(from);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("products");
    TCase *small = tcase_create("products"), *attn = tcase_create("attention"), *rows = tcase_create("rows");
    TCase *threads = tcase_create("threads"), *const all[] = { small, attn, rows, threads };
    for (size_t k = 0; k < COUNT(all); k++) suite_add_tcase(suite, all[k]);
    tcase_add_loop_test(small, products_of_odd_sizes, 0, COUNT(sizes));
    tcase_add_loop_test(small, long_sums, 0, 5);
    tcase_add_loop_test(small, no_factor_no_product, 0, 3);
    tcase_add_loop_test(small, every_kernel, 0, 3);
    tcase_add_loop_test(attn, attention_of_odd_sizes, 0, COUNT(lengths));
    tcase_add_loop_test(rows, norms_of_odd_sizes, 0, COUNT(sizes));
    tcase_add_loop_test(threads, any_number_of_threads, 2, 5);
    return run_suite(suite, argc, argv);
}
