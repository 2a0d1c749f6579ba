/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_bf16.c - products of bfloat16 numbers and the backend cpu-bf16: every method that this machine can run against the
 * product of the rounded operands in double, at odd sizes; rounding; threads; and models trained with them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/backend.h"
#include "src/train/cpu/bf16.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

extern void omp_set_num_threads(int n) __attribute__((weak));      /* builds without OpenMP have one thread */
static void use_threads(int n) { if (omp_set_num_threads) omp_set_num_threads(n); }

/* A unit in plain C, so that the blocks are tried on every machine. */
static void plain_pack(bf16 *tile, bf16_layout layout, const float *from, long ld, bool across, long lines, long depth)
{
    memset(tile, 0, BF16_NUMBERS * sizeof *tile);
    for (long i = 0; i < lines; i++)
        for (long k = 0; k < depth; k++)
            tile[layout == BF16_LINES ? i * 32 + k : k / 2 * 32 + 2 * i + k % 2] =
                bf16_rounded(from[across ? k * ld + i : i * ld + k]);
}
static void plain_multiply(long chunks, const bf16 *A, const bf16 *B, const float *D, long ldd, float *C, long ldc)
{
    for (long i = 0; i < 32; i++)
        for (long j = 0; j < 32; j++) {
            float sum = D ? D[i * ldd + j] : 0;
            for (long c = 0; c < chunks; c++)
                for (long k = 0; k < 32; k++)
                    sum += bf16_value(A[(2 * c + i / 16) * 512 + i % 16 * 32 + k]) *
                           bf16_value(B[(2 * c + j / 16) * 512 + k / 2 * 32 + 2 * (j % 16) + k % 2]);
            C[i * ldc + j] = sum;
        }
}
static void plain_product(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                          const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    static const bf16_unit unit = { NULL, NULL, plain_pack, plain_multiply };
    bf16_by_blocks(&unit, tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, D, C, ldc);
}
static const bf16_method plain = { "plain", NULL, NULL, plain_product };

enum { METHODS = 3, ALL_METHODS = METHODS + 1 };
static const bf16_method *method(int k)                            /* NULL: not on this machine */
{
    if (k == METHODS) return &plain;
    const bf16_method *m = bf16_method_at((size_t)k);
    ck_assert_ptr_nonnull(m);
    return m->usable() ? m : NULL;
}

/* ---- products ------------------------------------------------------------------------------------------------ */

/* A product with rows that are `gap` numbers apart, of poison that no method may read or write over. */
typedef struct { bool tA, tB; long M, N, K, gap; double alpha, beta; bool apart; } product;
typedef struct { float *A, *B, *D, *C; long lda, ldb, ldc; } operands;

static float *drawn(long rows, long cols, long ld, const char *name)
{
    float *x = must_calloc((size_t)(rows * ld) + 1, sizeof *x);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ 3, 0 }, name);
    for (long k = 0; k < rows * ld; k++) x[k] = NAN;
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) x[r * ld + c] = (float)random_gauss8(key, (uint64_t)(r * cols + c)) / 31;
    return x;
}

static operands operands_of(const product *p)
{
    operands s = { .lda = (p->tA ? p->M : p->K) + p->gap, .ldb = (p->tB ? p->K : p->N) + p->gap, .ldc = p->N + p->gap };
    s.A = drawn(p->tA ? p->K : p->M, p->tA ? p->M : p->K, s.lda, "A");
    s.B = drawn(p->tB ? p->N : p->K, p->tB ? p->K : p->N, s.ldb, "B");
    s.D = drawn(p->M, p->N, s.ldc, "D");
    s.C = p->apart ? drawn(p->M, 0, s.ldc, "C") : drawn(p->M, p->N, s.ldc, "D");
    return s;
}

static void operands_free(operands *s)
{
    free(s->A);
    free(s->B);
    free(s->D);
    free(s->C);
}

static void multiply(const bf16_method *m, const product *p, const operands *s)
{
    m->product(p->tA, p->tB, p->M, p->N, p->K, p->alpha, s->A, s->lda, s->B, s->ldb, p->beta,
               p->beta == 0 ? NULL : p->apart ? s->D : s->C, s->C, s->ldc);
}

/* Rounded operands as K numbers of each of the `lines` rows of op(A), or columns of op(B). */
static double *rounded(const float *x, long ld, bool across, long lines, long K)
{
    double *y = must_calloc((size_t)(lines * K) + 1, sizeof *y);
    for (long i = 0; i < lines; i++)
        for (long k = 0; k < K; k++)
            y[i * K + k] = (double)bf16_value(bf16_rounded(x[across ? k * ld + i : i * ld + k]));
    return y;
}

/* Each product of two rounded numbers is exact in float; a term passes at most K additions of the sum, and those of the
 * block sums (384 deep or more) to C; alpha and beta D round once each.  n roundings: n u / (1 - n u), u = 2^-24
 * (Higham 2002, 3.1).  A sum that is flushed to zero was below 2^-126. */
static void product_is_right(const product *p)
{
    operands s = operands_of(p);
    double *a = rounded(s.A, s.lda, p->tA, p->M, p->K), *b = rounded(s.B, s.ldb, !p->tB, p->N, p->K);
    const size_t entries = (size_t)(p->M * p->N);
    double *sum = must_calloc(entries, sizeof *sum), *size = must_calloc(entries, sizeof *size);
    for (long i = 0; i < p->M; i++)
        for (long j = 0; j < p->N; j++)
            for (long k = 0; k < p->K; k++) {
                const double term = a[i * p->K + k] * b[j * p->K + k];
                sum[i * p->N + j] += term;
                size[i * p->N + j] += fabs(term);
            }
    const double n = (double)(p->K + 2 * (p->K / 384 + 1) + 2), unit = n * 0x1p-24 / (1 - n * 0x1p-24);
    for (int k = 0; k < ALL_METHODS; k++) {
        const bf16_method *m = method(k);
        if (!m) continue;
        operands t = operands_of(p);
        multiply(m, p, &t);
        for (long i = 0; i < p->M; i++) {
            for (long j = 0; j < p->N; j++) {
                const double old = p->beta == 0 ? 0 : p->beta * (double)s.D[i * s.ldc + j];
                const double wanted = p->alpha * sum[i * p->N + j] + old, is = (double)t.C[i * t.ldc + j];
                const double bound = unit * (fabs(p->alpha) * size[i * p->N + j] + fabs(old)) + n * 0x1p-126;
                if (fabs(is - wanted) <= bound) continue;
                ck_abort_msg("%s %d%d %ld x %ld x %ld, %g %g, entry %ld %ld: %.9g, not %.9g", m->name, p->tA, p->tB,
                             p->M, p->N, p->K, p->alpha, p->beta, i, j, is, wanted);
            }
            for (long j = p->N; j < t.ldc; j++) if (!isnan(t.C[i * t.ldc + j])) ck_abort_msg("wrote behind row %ld", i);
        }
        operands_free(&t);
    }
    free(a);
    free(b);
    free(sum);
    free(size);
    operands_free(&s);
}

/* How C is put together, in turn. */
static const struct { double alpha, beta; bool apart; long gap; } ways[] = {
    { 1, 0, true, 0 }, { 1, 1, true, 3 }, { 1, 1, false, 0 }, { 0.75, 0, true, 5 }, { -0.5, 2, true, 1 },
    { 1, -2, false, 7 } };

START_TEST(odd_sizes)                    /* each three of them, the transposes and ways in turn */
{
    static const long size[] = { 1, 3, 15, 16, 17, 31, 33, 60, 100, 257 };
    size_t turn = 0;
    for (size_t m = 0; m < COUNT(size); m++)
        for (size_t n = 0; n < COUNT(size); n++)
            for (size_t k = 0; k < COUNT(size); k++, turn++) {
                const size_t w = turn / 4 % COUNT(ways);
                product_is_right(&(product){ turn & 1, turn >> 1 & 1, size[m], size[n], size[k], ways[w].gap,
                                             ways[w].alpha, ways[w].beta, ways[w].apart });
            }
}
END_TEST

START_TEST(several_blocks)               /* deeper, wider and higher than the blocks of each method */
{
    static const long size[][3] = {
        { 33, 1100, 40 }, { 40, 36, 1600 }, { 530, 32, 520 }, { 32, 1056, 400 }, { 5, 4, 0 } };
    const long *n = size[_i >> 2];
    for (size_t w = 0; w < COUNT(ways); w++)
        if (n[2] <= 40 || w % 3 == (size_t)(_i % 3))
            product_is_right(&(product){ _i & 1, _i >> 1 & 1, n[0], n[1], n[2], ways[w].gap, ways[w].alpha,
                                         ways[w].beta, ways[w].apart });
}
END_TEST

START_TEST(no_factor_no_product)         /* alpha = 0: A and B are not read, deeper and wider than a block too */
{
    const bf16_method *m = method(_i);
    if (!m) return;
    enum { M = 5, N = 1100, K = 600 };
    float *bad = must_calloc(N * K, sizeof *bad), *D = must_calloc(M * N, sizeof *D), *C = must_calloc(M * N, sizeof *C);
    for (int i = 0; i < N * K; i++) bad[i] = NAN;
    for (int beta = 0; beta <= 3; beta += 3) {
        for (int i = 0; i < M * N; i++) C[i] = NAN;
        for (int i = 0; i < M * N; i++) D[i] = (float)(i % 7);
        m->product(false, true, M, N, K, 0, bad, K, bad, K, beta, beta ? D : NULL, C, N);
        for (int i = 0; i < M * N; i++) ck_assert_msg(C[i] == (float)beta * D[i], "%s: %g", m->name, (double)C[i]);
    }
    free(bad);
    free(D);
    free(C);
}
END_TEST

/* ---- rounding ------------------------------------------------------------------------------------------------ */

static float of_bits(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

START_TEST(rounds_to_even)
{
    static const struct { uint32_t from, to; } known[] = {
        { 0x3f800000, 0x3f800000 }, { 0x3f807fff, 0x3f800000 }, { 0x3f808000, 0x3f800000 }, { 0x3f808001, 0x3f810000 },
        { 0x3f817fff, 0x3f810000 }, { 0x3f818000, 0x3f820000 }, { 0x3fff8000, 0x40000000 }, { 0xbf808000, 0xbf800000 },
        { 0xbf818000, 0xbf820000 }, { 0x7f7f7fff, 0x7f7f0000 }, { 0x7f7f8000, 0x7f800000 }, { 0x7f800000, 0x7f800000 },
        { 0xff800000, 0xff800000 }, { 0x00800000, 0x00800000 }, { 0x00808000, 0x00800000 } };
    for (size_t k = 0; k < COUNT(known); k++)
        ck_assert_uint_eq((uint32_t)bf16_rounded(of_bits(known[k].from)) << 16, known[k].to);
}
END_TEST

/* Numbers of every exponent times 1, as A and as B, by lines and across: what comes out is the rounded number. */
START_TEST(operands_are_rounded)
{
    static const uint32_t low[] = { 0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x17fff, 0x18000, 0x18001, 0x7f8000 };
    const bf16_method *m = method(_i);
    if (!m) return;
    enum { ALL = 512 * COUNT(low) };
    float *x = must_calloc(ALL, sizeof *x), *y = must_calloc(ALL, sizeof *y);
    const float one = 1;
    for (uint32_t e = 0; e < 512; e++)
        for (size_t k = 0; k < COUNT(low); k++) x[e * COUNT(low) + k] = of_bits(e << 23 | low[k]);
    for (int way = 0; way < 4; way++) {
        for (long k = 0; k < ALL; k++) y[k] = 7;
        if (way < 2) m->product(way == 0, false, ALL, 1, 1, 1, x, way == 0 ? ALL : 1, &one, 1, 0, NULL, y, 1);
        else m->product(false, way == 2, 1, ALL, 1, 1, &one, 1, x, way == 2 ? 1 : ALL, 0, NULL, y, ALL);
        for (long k = 0; k < ALL; k++) {
            const float wanted = bf16_value(bf16_rounded(x[k]));
            const bool flushed = fabsf(x[k]) < 0x1p-126f && y[k] == 0;
            if (isnan(wanted) ? isnan(y[k]) : y[k] == wanted || flushed) continue;
            ck_abort_msg("%s, way %d: %a gives %a, not %a", m->name, way, (double)x[k], (double)y[k], (double)wanted);
        }
    }
    free(x);
    free(y);
}
END_TEST

START_TEST(infinity_and_nan_stay_in_their_rows)
{
    const bf16_method *m = method(_i);
    if (!m) return;
    enum { M = 33, N = 35, K = 37 };
    float A[M * K], B[K * N], C[M * N];
    for (int k = 0; k < M * K; k++) A[k] = 1;
    for (int k = 0; k < K * N; k++) B[k] = 1;
    A[3 * K + 36] = INFINITY;
    A[32 * K] = NAN;
    B[5 * N + 34] = -INFINITY;
    m->product(false, false, M, N, K, 1, A, K, B, N, 0, NULL, C, N);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const float is = C[i * N + j];
            if (i == 32 || (i == 3 && j == 34)) ck_assert(isnan(is));
            else if (i == 3)                    ck_assert(is == INFINITY);
            else if (j == 34)                   ck_assert(is == -INFINITY);
            else                                ck_assert(is == K);
        }
}
END_TEST

/* ---- threads ------------------------------------------------------------------------------------------------- */

START_TEST(threads_do_not_change_bits)   /* the units' own order; OpenBLAS promises none */
{
    static const long size[][3] = { { 70, 300, 400 }, { 300, 70, 40 } };
    for (int k = 0; k < ALL_METHODS; k++) {
        const bf16_method *m = method(k);
        if (!m || strcmp(m->name, "sgemm") == 0) continue;
        for (size_t w = 0; w < COUNT(size) * 4; w++) {
            const product p = { w & 1, w >> 1 & 1, size[w / 4][0], size[w / 4][1], size[w / 4][2], 3, 1, 1, true };
            operands one = operands_of(&p);
            use_threads(1);
            multiply(m, &p, &one);
            for (int threads = 1; threads <= 3; threads++) {
                operands s = operands_of(&p);
                use_threads(threads);
                multiply(m, &p, &s);
                if (memcmp(one.C, s.C, (size_t)(p.M * s.ldc) * sizeof *s.C) != 0)
                    ck_abort_msg("%s, %d threads", m->name, threads);
                operands_free(&s);
            }
            operands_free(&one);
        }
    }
    use_threads(1);
}
END_TEST

static int entered;                      /* by how many threads a product was made                       */
static void enter(void) { __atomic_add_fetch(&entered, 1, __ATOMIC_RELAXED); }

START_TEST(small_products_stay_on_one_thread)          /* fewer multiply-adds than FORK_PRODUCTS: 2 million */
{
    static const bf16_unit unit = { enter, NULL, plain_pack, plain_multiply };
    static const struct { long side; int threads; } is[] = { { 96, 1 }, { 160, 3 } };
    static float x[160 * 160], y[160 * 160];
    use_threads(3);
    for (size_t k = 0; k < COUNT(is); k++) {
        const long n = is[k].side;
        entered = 0;
        bf16_by_blocks(&unit, false, true, n, n, n, 1, x, n, x, n, 0, NULL, y, n);
        ck_assert_int_eq(entered, omp_set_num_threads ? is[k].threads : 1);
    }
    use_threads(1);
}
END_TEST

/* ---- the choice ---------------------------------------------------------------------------------------------- */

static void name_with(void *value)
{
    if (value) setenv("PROVABLY_BF16", value, 1);
    else unsetenv("PROVABLY_BF16");
    printf("%s.", backend_find("cpu-bf16", GPU_FP32)->name);
}

START_TEST(methods_have_names)
{
    static const char *const names[METHODS] = { "amx", "avx512", "sgemm" };
    char output[512];
    const char *first = NULL;
    ck_assert_ptr_null(bf16_method_at(METHODS));
    for (int k = 0; k < METHODS; k++) {
        char *name = must_strdup(names[k]);
        const int status = run_child(name_with, name, output, sizeof output);
        const bf16_method *m = method(k);
        ck_assert_str_eq(bf16_method_at((size_t)k)->name, name);
        if (m) {
            ck_assert_str_eq(output, temp_format("cpu-bf16 %s.", name));
            ck_assert_int_eq(status, 0);
            if (!first && m->fast()) first = m->name;
        } else {
            ck_assert_int_eq(status, 2);
            ck_assert_ptr_nonnull(strstr(output, "unset it, or take sgemm"));
        }
        free(name);
    }
    ck_assert_ptr_nonnull(method(METHODS - 1));                    /* the last one is for every machine */
    ck_assert_int_eq(run_child(name_with, NULL, output, sizeof output), 0);
    ck_assert_str_eq(output, temp_format("cpu-bf16 %s.", first));
    char wrong[] = "fast";
    ck_assert_int_eq(run_child(name_with, wrong, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "PROVABLY_BF16 takes amx, avx512 or sgemm, not `fast`"));
}
END_TEST

/* ---- models -------------------------------------------------------------------------------------------------- */

static gpt_config model(void)
{
    return (gpt_config){ .L = 2, .d = 48, .h = 3, .m = 100, .T = 33, .V = 256, .factor = 1, .tied = true,
                         .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.1 };
}

/* Each operand is off by at most 2^-9 of itself, and some dozen products lie between a weight and its gradient: errors
 * of independent signs add up to a few times 2^-9, and a wrong product to about 1. */
START_TEST(gradients_are_near)
{
    enum { B = 2 };
    const gpt_config c = model();
    gpt *M = gpt_create(&c, ops_cpu_bf16(), B, 5), *D = gpt_create(&c, ops_cpu_f64(), B, 5);
    const long R = B * c.T;
    int32_t token[B * 33], target[B * 33];
    double loss[B * 33];
    for (long r = 0; r < R; r++) {
        token[r] = (int32_t)(r * 7919 % c.V);
        target[r] = (int32_t)((r + 1) * 7919 % c.V);
    }
    const double is = gpt_loss(M, token, target, B, loss, 1.0 / (double)R);
    const double wanted = gpt_loss(D, token, target, B, loss, 1.0 / (double)R);
    ck_assert_msg(fabs(is / wanted - 1) <= 0x1p-9, "loss %g, not %g", is, wanted);
    double most = 0;
    for (long k = 0; k < gpt_net(M)->table.n; k++) {
        const param *p = &gpt_net(M)->table.list[k];
        const float *x = (const float *)gpt_net(M)->g + p->at;
        const double *y = (const double *)gpt_net(D)->g + p->at;
        double difference = 0, size = 0;
        for (long i = 0; i < p->rows * p->cols; i++) {
            difference += ((double)x[i] - y[i]) * ((double)x[i] - y[i]);
            size += y[i] * y[i];
        }
        most = fmax(most, sqrt(difference / size));
        ck_assert_msg(difference <= 0x1p-12 * size, "%s: %g", p->name, sqrt(difference / size));
    }
    ck_assert_msg(most > 0x1p-12, "largest difference %g: nothing was rounded", most);
    gpt_free(M);
    gpt_free(D);
}
END_TEST

static train_config config(const char *folder)
{
    train_config c = { .optim = { .peak = 1e-2, .least = 1e-3, .warmup = 5, .steps = 60, .beta1 = 0.9, .beta2 = 0.99,
                                  .eps = 1e-8, .decay = 0.1, .clip = 1 },
                       .batch = 4, .micro = 4, .eval_every = 60, .save_every = 60, .seed = 1, .data_seed = 2,
                       .out = folder, .quiet = true };
    c.model = model();
    return c;
}

/* The loss falls as in float, and a run may change from one backend to the other on its way: a checkpoint is floats. */
START_TEST(trains_like_float)
{
    tokens all = tokens_synthetic(3, 6000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    char *folder[3] = { temp_folder(), temp_folder(), temp_folder() };
    const ops *const f32 = ops_cpu_f32(), *const half = ops_cpu_bf16();
    double loss[3];
    for (int k = 0; k < 3; k++) {
        train_config c = config(folder[k]);
        c.optim.until = 30;
        const run_result begun = train_gpt(&c, k ? half : f32, &train, &val);
        ck_assert(begun.finished && begun.steps == 30);
        c.optim.until = 0;
        const run_result r = train_gpt(&c, k == 1 ? half : f32, &train, &val);
        ck_assert(r.finished && r.steps == 60);
        loss[k] = r.metric[0];
    }
    ck_assert_msg(loss[0] < 4, "%g", loss[0]);                     /* log 256 = 5.5 at first */
    for (int k = 1; k < 3; k++) ck_assert_msg(fabs(loss[k] - loss[0]) <= 0.02, "%g and %g", loss[0], loss[k]);
    ck_assert(loss[1] != loss[0]);
    const char *says = strstr(temp_read(folder[1], "evals.csv", NULL), "# machine cpu-bf16 ");
    ck_assert_ptr_nonnull(says);
    tokens_free(&all);
    tokens_free(&train);
    tokens_free(&val);
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    Suite *suite = suite_create("bf16");
    TCase *t = tcase_create("bf16");
    tcase_set_timeout(t, 300);
    suite_add_tcase(suite, t);
    tcase_add_test(t, odd_sizes);
    tcase_add_loop_test(t, several_blocks, 0, 20);
    tcase_add_test(t, rounds_to_even);
    tcase_add_loop_test(t, operands_are_rounded, 0, ALL_METHODS);
    tcase_add_loop_test(t, infinity_and_nan_stay_in_their_rows, 0, ALL_METHODS);
    tcase_add_loop_test(t, no_factor_no_product, 0, ALL_METHODS);
    tcase_add_test(t, threads_do_not_change_bits);
    tcase_add_test(t, small_products_stay_on_one_thread);
    tcase_add_test(t, methods_have_names);
    tcase_add_test(t, gradients_are_near);
    tcase_add_test(t, trains_like_float);
    return run_suite(suite, argc, argv);
}
