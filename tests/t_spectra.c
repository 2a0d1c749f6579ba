/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_spectra.c - singular values of a model's weights: against matrices whose singular values are known, and as the log
 * of a run that is killed and resumed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/spectra.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { T = 8, D = 3, WIDE_D = 5 };

static void close_to(double x, double y, double limit)
{
    ck_assert_msg(fabs(x - y) <= limit * fabs(y), "%.17g, not %.17g", x, y);
}

/* x [n] becomes (I - 2 v v' / v'v) x with a drawn v: orthogonal, and no coordinate stays. */
static void reflect(double *x, long n, long apart, uint64_t stream)
{
    const uint64_t key[2] = { 77, stream };
    double v[32], vv = 0, vx = 0;
    ck_assert(n <= 32);
    for (long k = 0; k < n; k++) v[k] = 1 + (double)random_below(key, (uint64_t)k, 1000) / 300;
    for (long k = 0; k < n; k++) {
        vv += v[k] * v[k];
        vx += v[k] * x[k * apart];
    }
    for (long k = 0; k < n; k++) x[k * apart] -= 2 * v[k] * vx / vv;
}

/* A[rows, cols] = H1 diag(s) H2 */
static void with_singular_values(double *A, long rows, long cols, const double *s)
{
    memset(A, 0, (size_t)(rows * cols) * sizeof *A);
    for (long k = 0; k < rows && k < cols; k++) A[k * cols + k] = s[k];
    for (long c = 0; c < cols; c++) reflect(A + c, rows, cols, 1);
    for (long r = 0; r < rows; r++) reflect(A + r * cols, cols, 1, 2);
}

/* ---- matrices ---------------------------------------------------------------------------------------------- */

START_TEST(known_singular_values)        /* the diagonal itself, then turned; wide and tall */
{
    const long rows = _i % 2 ? 5 : 3, cols = _i % 2 ? 3 : 5;
    const double s[] = { 2, 0.5, 3 };
    double A[15] = { 0 };
    if (_i < 2) for (long k = 0; k < 3; k++) A[k * cols + k] = s[k];
    else        with_singular_values(A, rows, cols, s);
    const spectrum found = spectrum_of(rows, cols, A);
    close_to(found.largest, 3, 1e-14);
    close_to(found.smallest, 0.5, 1e-13);
    close_to(found.stable_rank, (4 + 0.25 + 9) / 9, 1e-14);
    close_to(spectrum_condition(found), 6, 1e-13);
}
END_TEST

START_TEST(singular_matrices)
{
    const double zero[4] = { 0 }, one[4] = { 2, 0, 0, 0 };
    const spectrum z = spectrum_of(2, 2, zero), s = spectrum_of(2, 2, one);
    ck_assert(z.largest == 0 && z.smallest == 0 && z.stable_rank == 0 && isinf(spectrum_condition(z)));
    ck_assert(s.largest == 2 && s.smallest == 0 && s.stable_rank == 1 && isinf(spectrum_condition(s)));
}
END_TEST

/* A = G diag(a) H and B = G diag(b) H with rows of WIDE_D numbers: A' B = H' diag(a) diag(b) H has the singular values
 * a_k b_k, and zeros. */
START_TEST(known_products)
{
    double A[D * WIDE_D] = { 0 }, B[D * WIDE_D] = { 0 }, whole[WIDE_D * WIDE_D] = { 0 };
    const double a[D] = { 2, 1, 5 }, b[D] = { 3, 0.5, 0.25 };                /* products 6, 0.5, 1.25 */
    for (long k = 0; k < D; k++) {
        A[k * WIDE_D + k] = a[k];
        B[k * WIDE_D + k] = b[k];
        reflect(A + k * WIDE_D, WIDE_D, 1, 3);
        reflect(B + k * WIDE_D, WIDE_D, 1, 3);
    }
    for (long k = 0; k < WIDE_D; k++) {
        reflect(A + k, D, WIDE_D, 4);
        reflect(B + k, D, WIDE_D, 4);
    }
    const spectrum s = spectrum_of_product(D, WIDE_D, A, B);
    close_to(s.largest, 6, 1e-13);
    close_to(s.smallest, 0.5, 1e-13);
    close_to(s.stable_rank, (36 + 0.25 + 1.25 * 1.25) / 36, 1e-13);
    for (long r = 0; r < WIDE_D; r++)
        for (long c = 0; c < WIDE_D; c++)
            for (long k = 0; k < D; k++) whole[r * WIDE_D + c] += A[k * WIDE_D + r] * B[k * WIDE_D + c];
    close_to(spectrum_of(WIDE_D, WIDE_D, whole).largest, 6, 1e-13);
}
END_TEST

/* ---- models ------------------------------------------------------------------------------------------------- */

static gpt_config small(void)
{
    return (gpt_config){ .L = 2, .d = 12, .h = 3, .m = 20, .T = T, .V = 256, .factor = 1, .tied = true, .norm = true,
                         .attn_skip = true, .mlp_skip = true, .init_std = 0.1 };
}

static const spectra_row *row_of(const spectra *s, long layer, const char *matrix, long head)
{
    for (long k = 0; k < s->n; k++)
        if (s->row[k].layer == layer && s->row[k].head == head && strcmp(s->row[k].matrix, matrix) == 0) return &s->row[k];
    return NULL;
}

static double *weight(gpt *M, const char *name)
{
    const param *p = params_find(&gpt_net(M)->table, name);
    ck_assert_ptr_nonnull(p);
    return (double *)gpt_net(M)->w + p->at;
}

/* Each matrix is found by its name; a product is that of its own head's rows. */
START_TEST(matrices_of_a_model)
{
    const gpt_config c = small();
    gpt *M = gpt_create(&c, ops_cpu_f64(), 1, 5);
    const double half[12] = { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0.5 };
    const double each[12] = { 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5, 1, 0.5, 0.25 };
    static const struct { const char *matrix, *name; long rows, cols; } of[] = {
        { "q", "h.1.attn.q", 12, 12 }, { "k", "h.1.attn.k", 12, 12 }, { "v", "h.1.attn.v", 12, 12 },
        { "o", "h.1.attn.o", 12, 12 }, { "fc", "h.1.mlp.fc", 20, 12 }, { "proj", "h.1.mlp.proj", 12, 20 } };
    for (size_t k = 0; k < COUNT(of); k++) {
        double sizes[12];
        for (int i = 0; i < 12; i++) sizes[i] = half[i] * (double)(k + 1);
        with_singular_values(weight(M, of[k].name), of[k].rows, of[k].cols, sizes);
    }
    spectra s = spectra_of(M, &c);
    ck_assert_int_eq(s.n, c.L * (6 + c.h));
    for (size_t k = 0; k < COUNT(of); k++) {
        const spectra_row *r = row_of(&s, 1, of[k].matrix, -1);
        ck_assert_ptr_nonnull(r);
        close_to(r->s.largest, 4 * (double)(k + 1), 1e-13);
        close_to(r->s.smallest, 0.5 * (double)(k + 1), 1e-12);
        close_to(r->s.stable_rank, 11 + 1.0 / 64, 1e-13);
    }
    const double first = spectrum_condition(row_of(&s, 0, "q", -1)->s);
    close_to(spectra_query_condition(&s), sqrt(first * 8), 1e-12);
    spectra_free(&s);
    memset(weight(M, "h.0.attn.q"), 0, 144 * sizeof(double));
    memset(weight(M, "h.0.attn.k"), 0, 144 * sizeof(double));
    for (long k = 0; k < 12; k++) weight(M, "h.0.attn.q")[13 * k] = weight(M, "h.0.attn.k")[13 * k] = each[k];
    s = spectra_of(M, &c);
    for (long a = 0; a < 3; a++) {
        const spectra_row *r = row_of(&s, 0, "qk", a);
        ck_assert_ptr_nonnull(r);
        close_to(r->s.largest, each[4 * a] * each[4 * a], 1e-13);
        close_to(r->s.smallest, each[4 * a + 3] * each[4 * a + 3], 1e-13);
    }
    spectra_free(&s);
    gpt_free(M);
}
END_TEST

/* W_Q = I: no matrix q, its condition number is 1, and the product of a head is W_K^a'. */
START_TEST(models_without_queries)
{
    gpt_config c = small();
    c.identity[GPT_QUERY] = true;
    gpt *M = gpt_create(&c, ops_cpu_f64(), 1, 5);
    spectra s = spectra_of(M, &c);
    ck_assert_int_eq(s.n, c.L * (5 + c.h));
    ck_assert_ptr_null(row_of(&s, 0, "q", -1));
    ck_assert(spectra_query_condition(&s) == 1);
    for (long a = 0; a < c.h; a++) {
        const spectrum K = spectrum_of(4, 12, weight(M, "h.0.attn.k") + a * 4 * 12);
        close_to(row_of(&s, 0, "qk", a)->s.largest, K.largest, 1e-13);
        close_to(row_of(&s, 0, "qk", a)->s.smallest, K.smallest, 1e-12);
    }
    spectra_free(&s);
    gpt_free(M);
}
END_TEST

/* ---- runs --------------------------------------------------------------------------------------------------- */

static train_config config(const char *folder)
{
    return (train_config){ .model = small(), .optim = { .peak = 1e-2, .least = 1e-3, .warmup = 5, .steps = 20,
                           .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .decay = 0.1, .clip = 1 }, .batch = 4, .micro = 4,
                           .eval_every = 8, .save_every = 5, .seed = 1, .data_seed = 2, .out = folder, .quiet = true,
                           .spectra = true };
}

static void train(const char *folder, long until)
{
    tokens text = tokens_synthetic(3, 2000);
    train_config c = config(folder);
    c.optim.until = until;
    train_gpt(&c, ops_cpu_f32(), &text, &text);
    tokens_free(&text);
}

/* What spectra.csv must have of these weights. */
static char *rows_of(gpt *M, const gpt_config *c, long step)
{
    char *rows = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&rows, &n);
    spectra s = spectra_of(M, c);
    spectra_write(f, &s, step);
    spectra_free(&s);
    fclose(f);
    return rows;
}

/* The rows of the first step are those of the initial values, of the last those of the checkpoint's weights; cond_q is
 * what follows from the rows. */
START_TEST(rows_of_a_run)
{
    char *folder = temp_folder();
    train(folder, 0);
    char *log = temp_read(folder, "spectra.csv", NULL), *evals = temp_read(folder, "evals.csv", NULL);
    gpt_config c = small(), found;
    gpt *first = gpt_create(&c, ops_cpu_f32(), 1, 1), *last = train_load(folder, ops_cpu_f32(), 1, &found);
    char *start = rows_of(first, &c, 0), *end = rows_of(last, &found, 20), *begins = strstr(log, "\n" SPECTRA_COLUMNS "\n");
    ck_assert_ptr_nonnull(begins);
    begins += strlen("\n" SPECTRA_COLUMNS "\n");
    ck_assert_msg(strncmp(begins, start, strlen(start)) == 0, "%s", begins);
    ck_assert(strlen(end) > 100 && strlen(log) > strlen(end));
    ck_assert_str_eq(log + strlen(log) - strlen(end), end);
    const char *second = strstr(begins, "\n8,0,q,,"), *third = strstr(begins, "\n16,0,q,,");
    ck_assert(second && third && second < third && !strstr(second + 1, "\n8,0,q,,"));
    double condition[2];
    for (long k = 0; k < 2; k++) {
        char *row = temp_format("20,%ld,q,,%%*[^,],%%*[^,],%%lf", k), *name = temp_format("\n20,%ld,q,,", k);
        const char *at = strstr(log, name);
        ck_assert(at && sscanf(at + 1, row, &condition[k]) == 1 && condition[k] > 1);
    }
    double loss, mean;
    const char *row = strstr(evals, "\n20,");
    ck_assert_ptr_nonnull(strstr(evals, "\nstep,val_loss,cond_q\n"));
    ck_assert(row && sscanf(row, "\n20,%lf,%lf", &loss, &mean) == 2);
    close_to(mean, sqrt(condition[0] * condition[1]), 1e-8);
    free(start);
    free(end);
    gpt_free(first);
    gpt_free(last);
}
END_TEST

/* Killed after rows that no checkpoint counts on: they are written again, once. */
START_TEST(resumed_without_duplicates)
{
    char *whole = temp_folder(), *parts = temp_folder();
    train(whole, 0);
    train(parts, 9);                     /* checkpoint of step 9, rows of steps 0, 8 and 9 */
    size_t n;
    char *log = temp_read(parts, "spectra.csv", &n);
    char *rows = strstr(log, "\n9,0,q,,"), *more = temp_format("%.*s\n16,0,q,,1,1,1,1\n16,0,k,,1,1", (int)(rows - log), log);
    temp_text(parts, "spectra.csv", more);
    char *evals = temp_read(parts, "evals.csv", NULL), *nine = strstr(evals, "\n9,");
    ck_assert_ptr_nonnull(nine);
    temp_text(parts, "evals.csv", temp_format("%.*s\n", (int)(nine - evals), evals));
    train(parts, 0);
    temp_equal(whole, parts, "spectra.csv");
    temp_equal(whole, parts, "evals.csv");
    temp_equal(whole, parts, "last.ckpt");
}
END_TEST

static void train_without(void *folder)
{
    tokens text = tokens_synthetic(3, 2000);
    train_config c = config(folder);
    c.spectra = false;
    train_gpt(&c, ops_cpu_f32(), &text, &text);
    tokens_free(&text);
}

START_TEST(part_of_what_a_run_is)        /* columns do not change within a log */
{
    char *folder = temp_folder(), output[1024];
    train(folder, 9);
    ck_assert_int_eq(run_child(train_without, folder, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "is another run") && strstr(output, "batch=4/4 spectra=1"), "%s", output);
}
END_TEST

START_TEST(not_without_being_asked)
{
    char *folder = temp_folder();
    train_without(folder);
    ck_assert(!temp_exists(folder, "spectra.csv"));
    ck_assert_ptr_nonnull(strstr(temp_read(folder, "evals.csv", NULL), "\nstep,val_loss\n"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("spectra");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, known_singular_values, 0, 4);
    tcase_add_test(all, singular_matrices);
    tcase_add_test(all, known_products);
    tcase_add_test(all, matrices_of_a_model);
    tcase_add_test(all, models_without_queries);
    tcase_add_test(all, rows_of_a_run);
    tcase_add_test(all, resumed_without_duplicates);
    tcase_add_test(all, part_of_what_a_run_is);
    tcase_add_test(all, not_without_being_asked);
    return run_suite(suite, argc, argv);
}
