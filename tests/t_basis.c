/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_basis.c - the basis transfer: random normal numbers of the backend, gradients, exact solutions, the regression. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/methods/measure/transfer.h"
#include "src/train/formula.h"
#include "src/train/train_basis.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- random numbers ---------------------------------------------------------------------------------------- */

static const uint32_t key[2] = { 0x243f6a88, 0x85a308d3 };

START_TEST(numbers_of_a_stream)          /* Philox and Box-Muller by their definitions, from any place, of any length */
{
    const ops *o = ops_cpu_f64();
    enum { N = 5003 };
    const uint64_t counter = (1ull << 32) - 7;                /* the counter's upper word is reached */
    double *x = o->alloc(N * sizeof *x), *few = o->alloc(N * sizeof *few);
    o->randn(x, N, key, counter);
    for (long i = 0; i < N; i++) {
        const uint64_t block = counter + (uint64_t)(i / 4);
        uint32_t word[4];
        philox4x32(word, (uint32_t[]){ (uint32_t)block, (uint32_t)(block >> 32), 0, 0 }, key);
        const uint32_t a = word[i % 4 < 2 ? 0 : 2], b = word[i % 4 < 2 ? 1 : 3];
        const double radius = sqrt(-2 * log((a + 0.5) / 4294967296.0)), angle = 8 * atan(1) * ((b + 0.5) / 4294967296.0);
        ck_assert_double_le(fabs(x[i] - radius * (i % 2 ? sin(angle) : cos(angle))), 1e-14);
    }
    for (long n = 1; n < 9; n++) {
        for (long i = 0; i < N; i++) few[i] = 99;
        o->randn(few, (size_t)n, key, counter + 100);
        ck_assert_int_eq(memcmp(few, x + 400, (size_t)n * sizeof *x), 0);
        ck_assert(few[n] == 99);
    }
    o->release(x);
    o->release(few);
}
END_TEST

START_TEST(float_numbers)                /* the same to the last bits, also at the ends of the ranges */
{
    const uint32_t end[] = { 0, 1, 2, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xb504f333, 0xb504f334, 0xbfffffff,
                             0xfffffffe, 0xffffffff };
    const long ends = COUNT(end), N = 1 << 20;
    double log_error = 0, pair_error = 0;
    for (long k = 0; k < N + ends; k++) {
        const uint32_t a = k < ends ? end[k] : (uint32_t)((k - ends) * 4097), b = k < ends ? end[ends - 1 - k] : a * 2654435761u;
        const double exact = log(((double)a + 0.5) * 0x1p-32);
        float z[2];
        double w[2];
        log_error = fmax(log_error, fabs((double)log_word_f32(a) / exact - 1));
        normal_pair_f32(z, a, b);
        normal_pair(w, a, b);
        const double size = hypot(w[0], w[1]);
        pair_error = fmax(pair_error, fmax(fabs((double)z[0] - w[0]), fabs((double)z[1] - w[1])) / size);
    }
    ck_assert_double_le(log_error, 0x1p-21);
    ck_assert_double_le(pair_error, 0x1p-21);
    const ops *f32 = ops_cpu_f32(), *f64 = ops_cpu_f64();
    float *x = f32->alloc((size_t)N * sizeof *x);
    double *y = f64->alloc((size_t)N * sizeof *y), moment[5] = { 0 }, across = 0, worst = 0;
    f32->randn(x, (size_t)N, key, 3);
    f64->randn(y, (size_t)N, key, 3);
    for (long i = 0; i < N; i++) {
        const double z = (double)x[i];
        worst = fmax(worst, fabs(z - y[i]));
        for (int p = 1; p <= 4; p++) moment[p] += pow(z, p) / (double)N;
        across += z * (double)x[i ^ 1] / (double)N;
    }
    const double s = 5 / sqrt((double)N);                     /* five standard deviations */
    ck_assert_double_le(worst, 0x1p-20);
    ck_assert_double_le(fabs(moment[1]), s);
    ck_assert_double_le(fabs(moment[2] - 1), sqrt(2) * s);
    ck_assert_double_le(fabs(moment[3]), sqrt(15) * s);
    ck_assert_double_le(fabs(moment[4] - 3), sqrt(96) * s);
    ck_assert_double_le(fabs(across), sqrt(2) * s);
    f32->release(x);
    f64->release(y);
}
END_TEST

/* ---- target, loss, gradient ---------------------------------------------------------------------------------- */

static double slow_gelu(double s) { return s * 0.5 * erfc(-s / sqrt(2)); }

/* down GELU(up x) + L x for one x */
static void slow_model(double *y, const double *x, const double *up, const double *down, const double *L, long d, long m)
{
    for (long i = 0; i < d; i++) {
        y[i] = 0;
        for (long k = 0; k < d; k++) y[i] += (L ? L[i * d + k] : i == k) * x[k];
        for (long n = 0; n < m; n++) {
            double s = 0;
            for (long k = 0; k < d; k++) s += up[n * d + k] * x[k];
            y[i] += down[i * m + n] * slow_gelu(s);
        }
    }
}

START_TEST(loss_and_distances)           /* by loops, from samples that the model hands out */
{
    enum { D = 8, M5 = 21, N = 10 };
    for (int less_x = 0; less_x < 2; less_x++) {
        basis_task *M = basis_create(&(basis_shape){ .d = D, .m = M5, .less_x = less_x }, ops_cpu_f64(), 4, 3, 4);
        const param_table *t = &basis_net(M)->table;
        const double *w = basis_net(M)->w, *up = w + params_find(t, "up")->at, *down = w + params_find(t, "down")->at;
        const basis_target T = basis_target_of(M);
        double x[N * D], y[N * D], mine[D], missing = 0, size = 0, each = 0, cosine = 0;
        basis_samples(M, SAMPLES_TEST, 5, N, x, y);
        for (long r = 0; r < N; r++) {
            double e2 = 0, y2 = 0, p2 = 0, py = 0;
            slow_model(mine, x + r * D, T.W1, T.W2, T.L, D, 4 * D);
            for (long i = 0; i < D; i++) ck_assert_double_le(fabs(mine[i] - y[r * D + i]), 1e-12);
            slow_model(mine, x + r * D, up, down, NULL, D, M5);
            for (long i = 0; i < D; i++) {
                const double p = mine[i], q = y[r * D + i];
                e2 += (p - q) * (p - q);
                y2 += q * q;
                p2 += p * p;
                py += p * q;
            }
            missing += e2;
            size += y2;
            each += sqrt(e2 / y2) / N;
            cosine += (1 - py / sqrt(p2 * y2)) / N;
        }
        const basis_distance is = basis_measure(M, MODEL_STUDENT, 5, N);
        ck_assert_double_le(fabs(is.error - sqrt(missing / size)), 1e-12);
        ck_assert_double_le(fabs(is.sample_error - each), 1e-12);
        ck_assert_double_le(fabs(is.cosine - cosine), 1e-12);
        /* the loss is relative to E|Y|^2, of 4096 samples */
        double *many = calloc(2 * 4096 * D, sizeof *many), scale = 0;
        basis_samples(M, SAMPLES_TEST, 0, 4096, many, many + 4096 * D);
        for (long i = 0; i < 4096 * D; i++) scale += many[4096 * D + i] * many[4096 * D + i] / 4096;
        ck_assert_double_le(fabs(basis_loss(M, SAMPLES_TEST, 5, N, 0) - missing / (N * scale)), 1e-12);
        /* the entries of Z have variance 1/d, those of W1 and W2 1/(4 d) */
        double z2 = 0, w2 = 0;
        for (long i = 0; i < D * D; i++) z2 += pow(T.L[i] + (less_x && i % (D + 1) == 0), 2);
        for (long i = 0; i < 4 * D * D; i++) w2 += T.W1[i] * T.W1[i] + T.W2[i] * T.W2[i];
        ck_assert_double_le(fabs(z2 / D - 1), 0.6);
        ck_assert_double_le(fabs(w2 / (2 * D) - 1), 0.3);
        free(many);
        basis_free(M);
    }
}
END_TEST

START_TEST(gradient)                     /* each entry against the difference of fourth order; samples in pieces or at once */
{
    enum { D = 8, N = 11 };
    const ops *o = ops_cpu_f64();
    basis_task *M = basis_create(&(basis_shape){ .d = D, .m = 3 * D, .less_x = true }, o, 4, 1, 2);
    basis_task *whole = basis_create(&(basis_shape){ .d = D, .m = 3 * D, .less_x = true }, o, 64, 1, 2);
    const size_t n = basis_net(M)->table.size;
    double *w = basis_net(M)->w, *g = basis_net(M)->g, *h = basis_net(whole)->g, largest = 0;
    const double loss = basis_loss(M, SAMPLES_TRAIN, 100, N, 3), again = basis_loss(whole, SAMPLES_TRAIN, 100, N, 3);
    ck_assert_double_le(fabs(loss - again), 1e-14);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(g[i]));
    for (size_t i = 0; i < n; i++) {
        const double step = 1e-3, old = w[i], at_[] = { -2 * step, -step, step, 2 * step };
        double v[4];
        for (int j = 0; j < 4; j++) {
            w[i] = old + at_[j];
            net_refresh(basis_net(M));
            v[j] = basis_loss(M, SAMPLES_TRAIN, 100, N, 0);
        }
        w[i] = old;
        const double slope = 3 * (v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * step);
        ck_assert_double_le(fabs(g[i] - slope), 1e-8 * largest);
        ck_assert_double_le(fabs(g[i] - h[i]), 1e-13 * largest);
    }
    basis_loss(M, SAMPLES_TRAIN, 100, N, 3);                  /* adds */
    for (size_t i = 0; i < n; i++) ck_assert_double_le(fabs(g[i] - 2 * h[i]), 1e-13 * largest);
    basis_free(M);
    basis_free(whole);
}
END_TEST

START_TEST(float_agrees_with_double)
{
    const basis_shape c = { .d = 32, .m = 128 };
    basis_task *a = basis_create(&c, ops_cpu_f32(), 64, 1, 2), *b = basis_create(&c, ops_cpu_f64(), 64, 1, 2);
    const double x = basis_loss(a, SAMPLES_TRAIN, 0, 256, 1), y = basis_loss(b, SAMPLES_TRAIN, 0, 256, 1);
    ck_assert_double_le(fabs(x / y - 1), 1e-6);
    const float *g = basis_net(a)->g;
    const double *h = basis_net(b)->g;
    double away = 0, size = 0;
    for (size_t i = 0; i < basis_net(a)->table.size; i++) {
        away += pow((double)g[i] - h[i], 2);
        size += h[i] * h[i];
    }
    ck_assert_double_le(sqrt(away / size), 1e-5);
    basis_free(a);
    basis_free(b);
}
END_TEST

/* ---- solutions that are known ---------------------------------------------------------------------------------- */

START_TEST(closed_form)
{
    for (int less_x = 0; less_x < 2; less_x++) {
        basis_shape c = { .d = 64, .m = 5 * 64, .less_x = less_x };
        basis_task *exact = basis_create(&c, ops_cpu_f64(), 256, 7, 8), *rounded = basis_create(&c, ops_cpu_f32(), 256, 7, 8);
        c.m = 4 * 64;
        basis_task *M = basis_create(&c, ops_cpu_f64(), 256, 7, 8);
        basis_construct(exact);
        basis_construct(rounded);
        basis_construct(M);
        ck_assert_double_le(basis_measure(exact, MODEL_STUDENT, 0, 1024).error, 1e-11);
        ck_assert_double_le(basis_measure(rounded, MODEL_STUDENT, 0, 1024).error, 1e-4);
        ck_assert_double_le(fabs(basis_measure(exact, MODEL_STUDENT, 0, 1024).cosine), 1e-14);
        /* without the smallest quarter: below the limit for any quarter (N14), and the loss is the error's square */
        const basis_distance is = basis_measure(M, MODEL_STUDENT, 0, 4096);
        const double limit = transfer_limit(UNTRAINED, less_x);
        ck_assert_double_le(is.error, limit);
        ck_assert_double_le(0.7 * limit, is.error);
        ck_assert_double_le(fabs(basis_loss(M, SAMPLES_TEST, 0, 4096, 0) / (is.error * is.error) - 1), 1e-12);
        /* nothing is left to learn: the gradient vanishes with the error */
        basis_loss(exact, SAMPLES_TRAIN, 0, 256, 1);
        ck_assert_double_le(sqrt(ops_cpu_f64()->sumsq(basis_net(exact)->g, basis_net(exact)->table.size)), 1e-9);
        basis_free(exact);
        basis_free(rounded);
        basis_free(M);
    }
}
END_TEST

START_TEST(regression)
{
    enum { D = 32, N = 2000 };
    const double lambda = 5;
    basis_task *M = basis_create(&(basis_shape){ .d = D, .m = 4 * D }, ops_cpu_f64(), 300, 7, 8);
    /* near the limit of N14 for random targets, and far from it without the ridge's line */
    basis_fit_linear(M, 100000, 1e-3);
    const basis_distance line = basis_measure(M, MODEL_LINEAR, 0, 8192);
    ck_assert_double_le(fabs(line.error / transfer_limit(LINEAR_MAP, false) - 1), 0.1);
    ck_assert_double_le(fabs(line.cosine / (line.error * line.error / 2) - 1), 0.2);
    /* an exactly linear target is found: W2 = 0 */
    const basis_target T = basis_target_of(M);
    double *zero = calloc(4 * D * D, sizeof *zero);
    double *L = calloc(D * D, sizeof *L), *W1 = calloc(4 * D * D, sizeof *W1);
    memcpy(L, T.L, D * D * sizeof *L);
    memcpy(W1, T.W1, 4 * D * D * sizeof *W1);
    basis_set_target(M, &(basis_target){ W1, zero, L });
    basis_fit_linear(M, N, 1e-9);
    ck_assert_double_le(basis_measure(M, MODEL_LINEAR, 0, N).error, 1e-12);
    /* lambda shrinks: A (X'X + lambda) = Y'X, so X'X near n I makes it n/(n + lambda) of L */
    basis_fit_linear(M, N, lambda * N);
    ck_assert_double_le(fabs(basis_measure(M, MODEL_LINEAR, 0, N).error - lambda / (1 + lambda)), 0.01);
    free(zero);
    free(L);
    free(W1);
    basis_free(M);
}
END_TEST

/* ---- training --------------------------------------------------------------------------------------------------- */

/* The error after some steps, and that of the linear map. */
static void taught(bool shuffled, double *student, double *line)
{
    const optim_config c = { .peak = 1e-2, .steps = 600, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .clip = 3 };
    const ops *o = ops_cpu_f32();
    basis_task *M = basis_create(&(basis_shape){ .d = 16, .m = 64, .shuffled = shuffled }, o, 256, 5, 6);
    optim s = optim_create(&basis_net(M)->table, o);
    while (s.step < c.steps) {
        o->zero(basis_net(M)->g, basis_net(M)->table.size);
        basis_loss(M, SAMPLES_TRAIN, (uint64_t)s.step * 256, 256, 1);
        optim_update(&s, &c, &basis_net(M)->table, o, basis_net(M)->w, basis_net(M)->g);
        net_refresh(basis_net(M));
    }
    basis_fit_linear(M, 20000, 1e-3);
    *student = basis_measure(M, MODEL_STUDENT, 0, 2048).error;
    *line = basis_measure(M, MODEL_LINEAR, 0, 2048).error;
    optim_free(&s, o);
    basis_free(M);
}

START_TEST(learns_and_cannot_learn)
{
    double student, line;
    taught(false, &student, &line);
    ck_assert_double_le(student, 0.8 * line);
    taught(true, &student, &line);
    ck_assert_double_le(fabs(line - 1), 0.02);                 /* the best answer is 0 */
    ck_assert_double_le(0.98, student);
}
END_TEST

START_TEST(defaults)
{
    static const struct { long width, batch, steps; } want[] = { { 64, 1024, 6000 }, { 128, 1024, 6000 },
                                                                 { 256, 65536, 20000 }, { 768, 65536, 20000 } };
    for (size_t k = 0; k < COUNT(want); k++) {
        basis_config c = basis_default(want[k].width);
        ck_assert_ptr_nonnull(basis_config_check(&c));        /* a folder is missing */
        c.out = "x";
        ck_assert_ptr_null(basis_config_check(&c));
        ck_assert(c.batch == want[k].batch && c.optim.steps == want[k].steps && c.model.m == 4 * want[k].width);
        ck_assert(c.optim.clip == 3 && c.fits == 500000 && c.tests == 32768 && !c.model.less_x);
    }
    const basis_shape bad[] = { { .d = 6, .m = 4 }, { .d = 0, .m = 4 }, { .d = 8, .m = 0 } };
    for (size_t k = 0; k < COUNT(bad); k++) ck_assert_ptr_nonnull(basis_shape_check(&bad[k]));
}
END_TEST

static long rows_of(const char *path)
{
    long n = 0;
    for (const char *line = temp_read(NULL, path, NULL); *line; line = strchrnul(line, '\n') + 1) n += *line != '#';
    return n;
}

START_TEST(a_run)
{
    char *folder = temp_folder(), *out = temp_path(folder, "run"), *models = temp_path(out, "models.csv");
    char *evals = temp_path(out, "evals.csv"), output[4096];
    basis_config c = basis_default(16);
    c.batch = 64;
    c.chunk = 24;
    c.optim.steps = 10;
    c.eval_every = c.save_every = 5;
    c.tests = c.fits = 500;
    c.out = out;
    c.quiet = true;
    const basis_result is = train_basis(&c, ops_cpu_f32()), again = train_basis(&c, ops_cpu_f32());
    ck_assert(is.run.finished && is.run.steps == 10);
    ck_assert_int_eq(memcmp(is.of, again.of, sizeof is.of), 0);         /* finished: read back */
    for (int k = 0; k < BASIS_MODELS; k++) ck_assert(is.of[k].error > 0 && is.of[k].cosine > 0);
    ck_assert_double_eq(is.of[BASIS_TRAINED].error, is.run.metric[0]);
    ck_assert_double_le(is.of[BASIS_UNTRAINED].error, 0.6 * is.of[BASIS_LINEAR].error);
    /* the closed form is the same whatever trains the student */
    c.out = temp_path(folder, "bf16");
    const basis_result in_bf16 = train_basis(&c, ops_cpu_bf16());
    c.out = out;
    basis_task *exact = basis_create(&c.model, ops_cpu_f64(), 512, c.seed, c.data_seed);
    basis_construct(exact);
    ck_assert_double_eq(is.of[BASIS_UNTRAINED].error, basis_measure(exact, MODEL_STUDENT, 0, 500).error);
    ck_assert_double_eq(in_bf16.of[BASIS_UNTRAINED].error, is.of[BASIS_UNTRAINED].error);
    basis_free(exact);
    ck_assert_double_ne(in_bf16.of[BASIS_TRAINED].error, is.of[BASIS_TRAINED].error);
    /* step by step: batch s are the samples from s batch on */
    const ops *o = ops_cpu_f32();
    basis_task *M = basis_create(&c.model, o, c.chunk, c.seed, c.data_seed);
    optim s = optim_create(&basis_net(M)->table, o);
    while (s.step < c.optim.steps) {
        o->zero(basis_net(M)->g, basis_net(M)->table.size);
        basis_loss(M, SAMPLES_TRAIN, (uint64_t)(64 * s.step), 64, 1);
        optim_update(&s, &c.optim, &basis_net(M)->table, o, basis_net(M)->w, basis_net(M)->g);
        net_refresh(basis_net(M));
    }
    ck_assert_double_eq(basis_measure(M, MODEL_STUDENT, 0, 500).error, is.of[BASIS_TRAINED].error);
    optim_free(&s, o);
    basis_free(M);
    ck_assert_int_eq(rows_of(models), 4);
    ck_assert_int_eq(rows_of(evals), 4);                                /* steps 0, 5, 10 */
    char *command = temp_format("%s/provably basis-transfer --width=16 --batch=64 --steps=10 --chunk=24 --eval-every=5 "
                                "--tests=500 --fits=500 --out=%s --quiet", build_folder(), out);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 0);     /* the same run, so it is finished */
    char *line = temp_format("%.3f %%", 100 * is.of[BASIS_TRAINED].error);
    ck_assert_msg(strstr(output, line), "no %s in\n%s", line, output);
}
END_TEST

/* ---- recorded batches ---------------------------------------------------------------------------------------- */

/* A backend that records: what it replays is what the work called when it was recorded, with those arguments. */
static struct { bool inside; long graphs, products; } counted;
static void counted_graph(void **graph, void (*work)(void *self), void *self)
{
    (void)graph;
    counted.inside = true;
    work(self);
    counted.inside = false;
    counted.graphs++;
}
static void counted_product(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda, const void *b,
                            long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    counted.products += !counted.inside;
    ops_cpu_f32()->gemm(tA, tB, M, N, K, alpha, A, lda, b, ldb, beta, D, C, ldc, kind);
}
static void not_recorded(void *y, size_t n, const uint32_t stream[2], uint64_t counter)
{
    ck_assert_msg(!counted.inside, "samples of block %lu would come again with every replay", (unsigned long)counter);
    ops_cpu_f32()->randn(y, n, stream, counter);
}
START_TEST(full_batches_are_recorded)
{
    enum { ROWS = 24, FULL = 3, REST = 5, SAMPLES = FULL * ROWS + REST };
    ops o = *ops_cpu_f32();
    o.graph_run = counted_graph;
    o.gemm = counted_product;
    o.randn = not_recorded;
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        const basis_shape c = { .d = 16, .m = 64, .shuffled = shuffled };
        basis_task *M = basis_create(&c, &o, ROWS, 1, 2), *plain = basis_create(&c, ops_cpu_f32(), ROWS, 1, 2);
        counted.graphs = counted.products = 0;
        const double loss = basis_loss(M, SAMPLES_TRAIN, 7, SAMPLES, 1);
        ck_assert_int_eq(counted.graphs, FULL);
        /* 3 of the target, 2 forward, 3 backward of the rest; the target of shuffled samples is not recorded */
        ck_assert_int_eq(counted.products, shuffled ? 3 * FULL + 8 : 8);
        ck_assert(loss == basis_loss(plain, SAMPLES_TRAIN, 7, SAMPLES, 1));
        basis_free(M);
        basis_free(plain);
    }
}
END_TEST

/* How many samples go through at a time, where nobody says: in the run's recipe. */
START_TEST(a_gpu_takes_the_batch_at_once)
{
    static const struct { const char *device; long chunk; const char *says; } all[] = {
        { NULL, 0, " batch=48/512 " }, { "Mock, sm_90", 0, " batch=48/48 " }, { "Mock, sm_90", 24, " batch=48/24 " } };
    for (size_t k = 0; k < COUNT(all); k++) {
        ops o = *ops_cpu_f32();
        o.device = all[k].device;
        basis_config c = basis_default(16);
        c.batch = 48;
        c.chunk = all[k].chunk;
        c.tests = c.fits = 64;
        c.optim.steps = 2;
        c.quiet = true;
        c.out = temp_folder();
        train_basis(&c, &o);
        const char *log = temp_read(c.out, "evals.csv", NULL);
        ck_assert_msg(strstr(log, all[k].says), "%s", log);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("basis");
    TCase *numbers = tcase_create("numbers"), *task = tcase_create("model"), *runs = tcase_create("runs");
    suite_add_tcase(suite, numbers);
    suite_add_tcase(suite, task);
    suite_add_tcase(suite, runs);
    tcase_set_timeout(task, 120);
    tcase_set_timeout(runs, 120);
    tcase_add_test(numbers, numbers_of_a_stream);
    tcase_add_test(numbers, float_numbers);
    tcase_add_test(task, loss_and_distances);
    tcase_add_test(task, gradient);
    tcase_add_test(task, float_agrees_with_double);
    tcase_add_test(task, closed_form);
    tcase_add_test(task, regression);
    tcase_add_test(runs, learns_and_cannot_learn);
    tcase_add_test(runs, defaults);
    tcase_add_test(runs, a_run);
    tcase_add_test(runs, full_batches_are_recorded);
    tcase_add_test(runs, a_gpu_takes_the_batch_at_once);
    return run_suite(suite, argc, argv);
}
