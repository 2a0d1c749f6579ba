/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_images.c - images: files and their damages, synthetic digits, the order of an epoch; and training on them. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include "numerics/random.h"
#include "src/methods/counts/labels.h"
#include "src/train/train_vit.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- files ------------------------------------------------------------------------------------------------- */

static char *gz_with(const char *folder, const char *name, const void *bytes, size_t n)
{
    char *path = temp_path(folder, name);
    gzFile f = gzopen(path, "wb");
    ck_assert_int_eq(gzwrite(f, bytes, (unsigned)n), (int)n);
    ck_assert_int_eq(gzclose(f), Z_OK);
    return path;
}

/* Two images of 2 x 2, and their labels. */
static const unsigned char pictures[] = { 0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 250, 251, 252, 253 };
static const unsigned char labels[]   = { 0, 0, 8, 1, 0, 0, 0, 2, 7, 9 };
enum { RECORD = 3073 };

START_TEST(idx_files)
{
    char *folder = temp_folder();
    char *a = temp_write(folder, "pictures", pictures, sizeof pictures), *b = gz_with(folder, "labels.gz", labels, sizeof labels);
    char *c = gz_with(folder, "pictures.gz", pictures, sizeof pictures);
    images x = images_idx(a, b), y = images_idx(c, b);
    ck_assert(x.n == 2 && x.side == 2 && x.channels == 1 && x.classes == 10);
    ck_assert_mem_eq(x.pixel, pictures + 16, 8);
    ck_assert(x.label[0] == 7 && x.label[1] == 9);
    ck_assert(x.hash == y.hash);
    y.label[0]--;
    ck_assert(images_hashed(y).hash != x.hash);
    images_free(&x);
    images_free(&y);
    temp_write(folder, "train-images.idx3-ubyte", pictures, sizeof pictures);       /* as some archives name them */
    gz_with(folder, "train-labels.idx1-ubyte.gz", labels, sizeof labels);
    temp_write(folder, "t10k-images-idx3-ubyte", pictures, sizeof pictures);
    gz_with(folder, "t10k-labels.idx1-ubyte.gz", labels, sizeof labels);
    image_sets s = image_sets_open(temp_format("mnist:%s", folder), false);
    ck_assert(s.train.n == 2 && s.val.n == 2);
    image_sets_free(&s);
}
END_TEST

START_TEST(cifar_files)                  /* planes become pixels; files are read one after the other */
{
    char *folder = temp_folder();
    unsigned char *record = must_calloc(2, RECORD);
    record[0] = 3;
    record[1] = 11; record[1 + 1024] = 22; record[1 + 2048] = 33;          /* the first pixel, and the last */
    record[1024] = 44; record[2048] = 55; record[3072] = 66;
    record[RECORD] = 9;
    char *path[] = { temp_write(folder, "one", record, RECORD), temp_write(folder, "two", record, 2 * RECORD) };
    images x = images_cifar(path, 2);
    ck_assert(x.n == 3 && x.side == 32 && x.channels == 3 && x.label[0] == 3 && x.label[1] == 3 && x.label[2] == 9);
    for (int i = 0; i < 2; i++) {
        const unsigned char *p = x.pixel + 3072 * i;
        ck_assert(p[0] == 11 && p[1] == 22 && p[2] == 33 && p[3069] == 44 && p[3070] == 55 && p[3071] == 66 && p[3] == 0);
    }
    images_free(&x);
    free(record);
}
END_TEST

typedef struct { char *a, *b; } reading;
static void read_idx(void *with)
{
    const reading *r = with;
    images x = images_idx(r->a, r->b);
    images_free(&x);
}
static void read_cifar(void *with)
{
    const reading *r = with;
    images x = images_cifar(&r->a, 1);
    images_free(&x);
}
static void open_sets(void *with)
{
    const reading *r = with;
    image_sets s = image_sets_open(r->a, r->b != NULL);
    image_sets_free(&s);
}

static unsigned char *changed(const unsigned char *bytes, size_t n, size_t at, unsigned char to)
{
    unsigned char *copy = must_calloc(n, 1);
    memcpy(copy, bytes, n);
    copy[at] = to;
    return copy;
}

START_TEST(bad_files)
{
    char *folder = temp_folder(), output[512];
    unsigned char *wide = changed(pictures, sizeof pictures, 11, 1), *many = changed(pictures, sizeof pictures, 7, 3);
    unsigned char *large = changed(labels, sizeof labels, 9, 10), *one = changed(labels, sizeof labels, 7, 1);
    unsigned char *class = must_calloc(1, RECORD);
    class[0] = 10;
    char *good = temp_write(folder, "good", pictures, sizeof pictures), *list = temp_write(folder, "list", labels, sizeof labels);
    char *cut = temp_write(folder, "cut", pictures, sizeof pictures - 1), *head = temp_write(folder, "head", pictures, 15);
    char *oblong = temp_write(folder, "oblong", wide, sizeof pictures), *three = temp_write(folder, "three", many, sizeof pictures);
    char *ten = temp_write(folder, "ten", large, sizeof labels), *few = temp_write(folder, "few", one, sizeof labels);
    char *short_list = temp_write(folder, "short", labels, sizeof labels - 1), *odd = temp_write(folder, "odd", class, RECORD - 1);
    char *eleven = temp_write(folder, "eleven", class, RECORD), *empty = temp_write(folder, "empty", "", 0);
    char *mnist = temp_format("mnist:%s", folder), *cifar = temp_format("cifar10:%s", folder);
    const struct { void (*how)(void *); reading r; const char *says; } bad[] = {
        { read_idx, { list, list }, "must begin with 2051" }, { read_idx, { head, list }, "must begin with 2051" },
        { read_idx, { oblong, list }, "not square" }, { read_idx, { cut, list }, "cut off or too long: 2 images of 2 x 2 announced, 23" },
        { read_idx, { three, list }, "cut off or too long" }, { read_idx, { good, good }, "must begin with 2049" },
        { read_idx, { good, few }, "labels of other images" }, { read_idx, { good, short_list }, "cut off" },
        { read_idx, { good, ten }, "label 1 is 10" }, { read_idx, { "/no/such/file", list }, "cannot read /no/such/file" },
        { read_cifar, { odd, NULL }, "not whole CIFAR-10 records" }, { read_cifar, { empty, NULL }, "not whole" },
        { read_cifar, { eleven, NULL }, "label 0 is 10" },
        { open_sets, { mnist, NULL }, "has no train-images-idx3-ubyte (nor .gz" },
        { open_sets, { cifar, NULL }, "has no data_batch_1.bin" }, { open_sets, { mnist, mnist }, "only CIFAR-10 has a batch" },
        { open_sets, { "emnist:x", NULL }, "--data takes mnist:DIR" }, { open_sets, { "mnist", NULL }, "--data takes" },
        { open_sets, { "digits:x", NULL }, "whole number" },
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        reading r = bad[k].r;
        const int status = run_child(bad[k].how, &r, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, bad[k].says), "%zu: status %d, %s", k, status, output);
    }
    free(wide); free(many); free(large); free(one); free(class);
}
END_TEST

START_TEST(sets_say_what_they_are)       /* all test images, as many as there are, or the batch held out */
{
    char *folder = temp_folder();
    unsigned char *record = must_calloc(3, RECORD);
    for (int k = 0; k < 5; k++) {
        char *name = temp_format("data_batch_%d.bin%s", k + 1, k ? "" : ".gz");
        record[0] = (unsigned char)k;
        if (k) temp_write(folder, name, record, 2 * RECORD);
        else gz_with(folder, name, record, 2 * RECORD);
    }
    temp_write(folder, "test_batch_first1000.bin", record, 3 * RECORD);
    char *what = temp_format("cifar10:%s", folder);
    image_sets few = image_sets_open(what, false), out = image_sets_open(what, true);
    ck_assert(few.train.n == 10 && few.val.n == 3);
    ck_assert_str_eq(few.val_name, "the first 3 of the 10000 test pictures");
    ck_assert(out.train.n == 8 && out.val.n == 2 && out.val.label[0] == 4 && out.train.label[6] == 3);
    ck_assert_str_eq(out.val_name, "data_batch_5, held out");
    ck_assert_str_eq(out.name, "cifar10");
    record = must_realloc(record, 10000, RECORD);
    memset(record, 0, (size_t)10000 * RECORD);
    temp_write(folder, "test_batch.bin", record, (size_t)10000 * RECORD);
    image_sets all = image_sets_open(what, false);
    ck_assert_str_eq(all.val_name, "test_batch");
    ck_assert_int_eq(all.val.n, 10000);
    image_sets_free(&few); image_sets_free(&out); image_sets_free(&all);
    free(record);
}
END_TEST

static void counted(const char *what, const images *x, const label_counts *said)
{
    long of[LABEL_CLASSES] = { 0 };
    for (long k = 0; k < x->n; k++) of[x->label[k]]++;
    for (long c = 0; c < LABEL_CLASSES; c++)
        ck_assert_msg(of[c] == said->of[c], "%s: %ld images of class %ld, not %ld (%s)", what, of[c], c, said->of[c], said->set);
}

/* Where IMAGES names a folder with the publishers' files, in mnist/ and cifar10/. */
START_TEST(labels_are_as_counted)
{
    const char *folder = getenv("IMAGES");
    if (!folder) {
        printf("t_images: IMAGES names no folder of images, so their labels were not counted\n");
        return;
    }
    image_sets mnist = image_sets_open(temp_format("mnist:%s/mnist", folder), false);
    image_sets cifar = image_sets_open(temp_format("cifar10:%s/cifar10", folder), false);
    counted("mnist", &mnist.train, &labels_mnist);
    counted("mnist", &mnist.val, &labels_mnist_test);
    counted("cifar10", &cifar.train, &labels_cifar10);
    image_sets_free(&mnist); image_sets_free(&cifar);
}
END_TEST

/* ---- digits -------------------------------------------------------------------------------------------------- */

/* Distance to the mean picture of a class finds a good part, and by far not all. */
START_TEST(digits_are_neither_noise_nor_trivial)
{
    enum { N = 3000, TEST = 1000, PIXELS = 784 };
    images x = images_digits(3, 0, N), y = images_digits(3, N, TEST);
    double *mean = must_calloc(10 * PIXELS, sizeof *mean), count[10] = { 0 };
    for (long i = 0; i < N; i++) {
        count[x.label[i]]++;
        for (long p = 0; p < PIXELS; p++) mean[x.label[i] * PIXELS + p] += x.pixel[i * PIXELS + p];
    }
    for (long k = 0; k < 10; k++) {
        ck_assert_double_le(fabs(count[k] - N / 10.0), 5 * sqrt(N * 0.09));
        for (long p = 0; p < PIXELS; p++) mean[k * PIXELS + p] /= count[k];
    }
    long right = 0;
    for (long i = 0; i < TEST; i++) {
        double least = INFINITY;
        long best = 0;
        for (long k = 0; k < 10; k++) {
            double far = 0;
            for (long p = 0; p < PIXELS; p++) far += pow(y.pixel[i * PIXELS + p] - mean[k * PIXELS + p], 2);
            if (far < least) { least = far; best = k; }
        }
        right += best == y.label[i];
    }
    ck_assert_msg(right > 350 && right < 800, "%ld of 1000", right);
    free(mean);
    images_free(&x);
    images_free(&y);
}
END_TEST

START_TEST(digits_by_number)             /* a picture is a hash of (seed, number): no state */
{
    images x = images_digits(3, 0, 20), y = images_digits(3, 5, 3), z = images_digits(4, 0, 20);
    ck_assert_mem_eq(x.pixel + 5 * 784, y.pixel, 3 * 784);
    ck_assert_mem_eq(x.label + 5, y.label, 3);
    ck_assert(x.hash != z.hash && x.side == 28 && x.channels == 1);
    image_sets s = image_sets_open("digits:3", false);
    ck_assert_mem_eq(s.train.pixel, x.pixel, 20 * 784);
    ck_assert(s.train.n == 10000 && s.val.n == 2000 && memcmp(s.val.pixel, x.pixel, 784) != 0);
    ck_assert_str_eq(s.name, "digits:3");
    image_sets_free(&s);
    images_free(&x);
    images_free(&y);
    images_free(&z);
}
END_TEST

/* ---- order --------------------------------------------------------------------------------------------------- */

START_TEST(epochs_are_permutations)
{
    enum { N = 1000 };
    int32_t a[N], b[N];
    long kept = 0;
    double middle = 0;
    for (long epoch = 0; epoch < 5; epoch++) {
        bool seen[N] = { false };
        images_order(a, N, 7, epoch);
        for (long i = 0; i < N; i++) {
            ck_assert(a[i] >= 0 && a[i] < N && !seen[a[i]]);
            seen[a[i]] = true;
            kept += epoch > 0 && a[i] == b[i];
            middle += (double)i * (a[i] < N / 2) / (5.0 * N / 2);           /* mean place of the first half */
        }
        memcpy(b, a, sizeof a);
    }
    ck_assert_int_lt(kept, 20);                                            /* one an epoch is expected */
    ck_assert_double_le(fabs(middle - (N - 1) / 2.0), 5 * N / sqrt(12 * 5.0 * N));
    images_order(b, N, 7, 4);
    ck_assert_mem_eq(a, b, sizeof a);
    images_order(b, N, 8, 4);
    ck_assert_mem_ne(a, b, sizeof a);
}
END_TEST

START_TEST(permuted_labels)              /* as many of each class, at other images */
{
    images x = images_digits(3, 0, 500), y = images_digits(3, 0, 500);
    images_permute_labels(&y, 1);
    long counts[10] = { 0 }, same = 0;
    for (long i = 0; i < 500; i++) {
        counts[x.label[i]]++;
        counts[y.label[i]]--;
        same += x.label[i] == y.label[i];
    }
    for (int k = 0; k < 10; k++) ck_assert_int_eq(counts[k], 0);
    ck_assert_int_lt(same, 100);
    ck_assert(x.hash != y.hash);
    ck_assert_mem_eq(x.pixel, y.pixel, 500 * 784);
    images_free(&x);
    images_free(&y);
}
END_TEST

/* ---- training ------------------------------------------------------------------------------------------------ */

static image_sets small(void)
{
    return (image_sets){ .train = images_digits(3, 0, 600), .val = images_digits(3, 600, 200), .name = "digits", .val_name = "200" };
}

static vit_training config(const char *folder)
{
    vit_training c = vit_training_default();
    ck_assert(vit_row(&c.model, "mnist_6_1_mlp_full"));
    c.model.S = 1; c.model.d = 12; c.model.m = 24;
    c.optim.peak = c.optim.least = 5e-3;
    c.epochs = 4; c.batch = 130; c.micro = 50;                             /* 5 steps an epoch, the last of 80 */
    c.out = folder;
    c.quiet = true;
    return c;
}

/* The numbers of evals.csv's row of a step; how many there were. */
static int row_of(const char *folder, long step, double metric[VIT_METRICS])
{
    size_t n;
    char *evals = temp_read(folder, "evals.csv", &n), start[32];
    snprintf(start, sizeof start, "\n%ld,", step);
    const char *row = strstr(evals, start);
    int got = 0;
    if (row) {
        row = strchr(row, ',');
        for (; got < VIT_METRICS && *row == ','; got++) {
            char *end;
            metric[got] = strtod(row + 1, &end);
            row = end;
        }
    }
    return got;
}

static void train_in(void *folder)
{
    image_sets s = small();
    const vit_training c = config(folder);
    const run_result r = train_vit(&c, ops_cpu_f32(), &s);
    image_sets_free(&s);
    if (!r.finished || r.steps != 20) _exit(9);
}

START_TEST(learns)
{
    char *folder = temp_folder();
    image_sets s = small();
    vit_training c = config(folder);
    c.epochs = 30;
    const run_result r = train_vit(&c, ops_cpu_f32(), &s);
    double first[VIT_METRICS], last[VIT_METRICS];
    ck_assert_int_eq(row_of(folder, 0, first), VIT_METRICS);
    ck_assert_int_eq(row_of(folder, 150, last), VIT_METRICS);
    ck_assert_msg(last[VIT_VAL_LOSS] < first[VIT_VAL_LOSS] - 0.4, "loss from %g to %g", first[VIT_VAL_LOSS], last[VIT_VAL_LOSS]);
    ck_assert_msg(last[VIT_VAL_ACCURACY] > 0.25, "accuracy %g", last[VIT_VAL_ACCURACY]);
    ck_assert_double_gt(last[VIT_TRAIN_ACCURACY], first[VIT_VAL_ACCURACY]);
    ck_assert(fabs(r.metric[VIT_VAL_LOSS] - last[VIT_VAL_LOSS]) <= 1e-7 && r.finished && r.steps == 150);
    ck_assert(isnan(first[VIT_RUNNING_LOSS]) && isnan(first[VIT_TRAIN_LOSS]));
    image_sets_free(&s);
}
END_TEST

/* Loss and norm of the gradient of a step. */
static void step_of(const char *folder, long step, double *loss, double *norm)
{
    size_t n;
    char *steps = temp_read(folder, "steps.csv", &n), start[32];
    snprintf(start, sizeof start, "\n%ld,", step);
    const char *row = strstr(steps, start);
    ck_assert_ptr_nonnull(row);
    ck_assert_int_eq(sscanf(row, "\n%*d,%*f,%lf,%lf", loss, norm), 2);
}

/* Weights that hardly move: the running mean over an epoch's batches is the mean over the training set, whatever goes
 * through at a time, and the training set is evaluated when that is due.  Each epoch has its own order. */
START_TEST(metrics_are_means_over_pictures)
{
    image_sets s = small();
    double row[2][VIT_METRICS], loss[2][2], norm[2][2];
    for (int k = 0; k < 2; k++) {
        char *folder = temp_folder();
        vit_training c = config(folder);
        c.optim.peak = c.optim.least = 1e-12;
        c.micro = k ? 130 : 7;
        c.train_eval_every = 2;
        train_vit(&c, ops_cpu_f32(), &s);
        for (long epoch = 1; epoch <= 4; epoch++) {
            ck_assert_int_eq(row_of(folder, 5 * epoch, row[k]), VIT_METRICS);
            ck_assert(isnan(row[k][VIT_TRAIN_LOSS]) == (epoch % 2 == 1));
        }
        ck_assert_double_le(fabs(row[k][VIT_RUNNING_LOSS] - row[k][VIT_TRAIN_LOSS]), 1e-6);
        ck_assert_double_eq(row[k][VIT_RUNNING_ACCURACY], row[k][VIT_TRAIN_ACCURACY]);
        for (int e = 0; e < 2; e++) step_of(folder, 5 * e + 1, &loss[k][e], &norm[k][e]);
        ck_assert_double_ge(fabs(loss[k][0] - loss[k][1]), 1e-3);
    }
    for (int i = 0; i < VIT_METRICS; i++) ck_assert_double_le(fabs(row[0][i] - row[1][i]), 1e-6);
    for (int e = 0; e < 2; e++) ck_assert_double_le(fabs(norm[0][e] / norm[1][e] - 1), 1e-5);
    vit_training c = config("unused");
    vit *M = vit_create(&c.model, ops_cpu_f64(), 200, c.seed);
    double each[200], right[200], hits = 0;
    int32_t label[200];
    for (int i = 0; i < 200; i++) label[i] = s.val.label[i];
    ck_assert_double_le(fabs(vit_loss(M, s.val.pixel, label, 200, each, right, 0) - row[0][VIT_VAL_LOSS]), 1e-6);
    for (int i = 0; i < 200; i++) hits += right[i];
    ck_assert_double_eq(hits / 200, row[0][VIT_VAL_ACCURACY]);
    vit_free(M);
    image_sets_free(&s);
}
END_TEST

/* Loss and answer of each validation image by the last weights: their means are the last row of evals.csv.  A run that was
 * finished before without them has them when its command is given again, and nothing else changes. */
START_TEST(losses_of_images)
{
    char *folder = temp_folder();
    image_sets s = small();
    vit_training c = config(folder);
    c.epochs = 2;
    ck_assert(train_vit(&c, ops_cpu_f32(), &s).finished);
    double last[VIT_METRICS], loss = 0, right = 0;
    ck_assert_int_eq(row_of(folder, 10, last), VIT_METRICS);
    char *text = temp_read(folder, "losses.csv", NULL), *evals = temp_read(folder, "evals.csv", NULL);
    const char *row = strstr(text, "\nimage,right,loss\n");
    ck_assert(strncmp(text, "# model ", 8) == 0 && strstr(text, "\n# sources ") && row);
    long n = 0, answer, at;
    double one;
    for (row += strlen("\nimage,right,loss\n"); sscanf(row, "%ld,%ld,%lf\n", &at, &answer, &one) == 3; row = strchr(row, '\n') + 1) {
        ck_assert(at == n++ && (answer == 0 || answer == 1) && one > 0);
        loss += one;
        right += (double)answer;
    }
    ck_assert(n == s.val.n && *row == '\0');
    ck_assert_double_le(fabs(loss / (double)n - last[VIT_VAL_LOSS]), 1e-5);
    ck_assert_double_eq_tol(right / (double)n, last[VIT_VAL_ACCURACY], 1e-12);
    ck_assert_int_eq(remove(temp_path(folder, "losses.csv")), 0);
    ck_assert(train_vit(&c, ops_cpu_f32(), &s).finished);
    ck_assert_str_eq(temp_read(folder, "losses.csv", NULL), text);
    ck_assert_str_eq(temp_read(folder, "evals.csv", NULL), evals);
    image_sets_free(&s);
}
END_TEST

/* The batches of an epoch are all images, each once: the mean of their losses is the loss of all at once. */
START_TEST(batches_of_an_epoch)
{
    image_sets s = small();
    char *parts = temp_folder(), *whole = temp_folder();
    vit_training c = config(parts);
    c.optim.peak = c.optim.least = 1e-12;
    c.epochs = 1; c.batch = 120;
    train_vit(&c, ops_cpu_f32(), &s);
    c.batch = 600; c.out = whole;
    train_vit(&c, ops_cpu_f32(), &s);
    size_t n;
    char *a = temp_read(parts, "steps.csv", &n), *b = temp_read(whole, "steps.csv", &n);
    double mean = 0, all;
    for (int k = 1; k <= 5; k++) {
        char start[16];
        double loss;
        snprintf(start, sizeof start, "\n%d,", k);
        const char *row = strstr(a, start);
        ck_assert_ptr_nonnull(row);
        ck_assert_int_eq(sscanf(row, "\n%*d,%*f,%lf", &loss), 1);
        mean += loss / 5;
    }
    ck_assert_int_eq(sscanf(strstr(b, "\n1,"), "\n1,%*f,%lf", &all), 1);
    ck_assert_double_le(fabs(mean - all), 1e-6);
    ck_assert_ptr_null(strstr(b, "\n2,"));
    image_sets_free(&s);
}
END_TEST

START_TEST(killed_runs_end_the_same)     /* the running means, too */
{
    char *whole = temp_folder(), *killed = temp_folder(), output[512];
    ck_assert_int_eq(run_child(train_in, whole, output, sizeof output), 0);
    const uint64_t key[2] = { 99, 2 };
    long kills = 0;
    for (uint64_t k = 0; kills < 6; k++) {
        ck_assert(k < 400);
        const pid_t child = fork();
        if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr)) _exit(1);
            train_in(killed);
            _exit(0);
        }
        usleep((useconds_t)random_below(key, k, 60000));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { kills++; continue; }
        ck_assert_int_eq(WEXITSTATUS(status), 0);                          /* it came through: start anew */
        temp_equal(whole, killed, "evals.csv");
        killed = temp_folder();
    }
    ck_assert_int_eq(run_child(train_in, killed, output, sizeof output), 0);
    temp_equal(whole, killed, "last.ckpt");
    temp_equal(whole, killed, "steps.csv");
    temp_equal(whole, killed, "evals.csv");
}
END_TEST

static vit_training slow(const char *folder)               /* 30 steps an epoch */
{
    vit_training c = config(folder);
    c.batch = 20;
    return c;
}
static void train_slowly(void *folder)
{
    image_sets s = small();
    const vit_training c = slow(folder);
    const run_result r = train_vit(&c, ops_cpu_f32(), &s);
    image_sets_free(&s);
    _exit(r.finished ? 0 : 9);
}

/* Ctrl-C within an epoch: its running means resume, too.  From a checkpoint that does not have their sums, of an earlier
 * version, they would be of a part of the epoch and are left out. */
START_TEST(an_epoch_seen_in_part)
{
    char *folder = temp_folder(), output[512], *steps = temp_path(folder, "steps.csv");
    const pid_t child = fork();
    if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        train_slowly(folder);
    }
    for (long k = 0; k < 20000; k++) {                                     /* until the first steps are made */
        size_t n = 0;
        char *log = access(steps, F_OK) == 0 ? temp_read(folder, "steps.csv", &n) : NULL;
        const bool begun = log && strstr(log, "\n3,");
        if (begun) break;
        usleep(500);
    }
    kill(child, SIGINT);
    int status;
    waitpid(child, &status, 0);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 9);
    char *path = temp_path(folder, "last.ckpt");
    checkpoint k = checkpoint_read(path, CHECKPOINT_ALL);
    const long stopped = strtol(checkpoint_value(&k, "step"), NULL, 10);
    ck_assert(stopped >= 3 && stopped < 120);
    char *earlier = temp_folder(), *whole = temp_folder();
    for (long i = 0; i < k.texts; i++)
        if (strncmp(k.text[i].name, "epoch_", 6) == 0) k.text[i].name[0] = '-';
    checkpoint_write(&k, temp_path(earlier, "last.ckpt"));
    checkpoint_free(&k);
    ck_assert_int_eq(run_child(train_slowly, whole, output, sizeof output), 0);
    ck_assert_int_eq(run_child(train_slowly, folder, output, sizeof output), 0);
    temp_equal(whole, folder, "evals.csv");
    ck_assert_int_eq(run_child(train_slowly, earlier, output, sizeof output), 0);
    double metric[VIT_METRICS];
    for (long epoch = stopped / 30 + 1; epoch <= 4; epoch++) {
        const bool part = stopped % 30 && stopped / 30 == epoch - 1;
        ck_assert_int_eq(row_of(earlier, 30 * epoch, metric), VIT_METRICS);
        ck_assert_msg(isnan(metric[VIT_RUNNING_LOSS]) == part && isnan(metric[VIT_RUNNING_ACCURACY]) == part, "epoch %ld, stopped at %ld", epoch, stopped);
        ck_assert(isfinite(metric[VIT_VAL_LOSS]));
    }
}
END_TEST

static void other_pictures(void *folder)
{
    image_sets s = small();
    images_permute_labels(&s.train, 1);
    const vit_training c = config(folder);
    train_vit(&c, ops_cpu_f32(), &s);
}
static void other_size(void *folder)
{
    image_sets s = small();
    vit_training c = config(folder);
    c.model.side = 14;
    train_vit(&c, ops_cpu_f32(), &s);
}

START_TEST(runs_that_cannot_go_on)
{
    char *folder = temp_folder(), output[1024];
    ck_assert_int_eq(run_child(other_size, folder, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "the model reads images of 14 x 14 x 1"));
    ck_assert_int_eq(run_child(train_in, folder, output, sizeof output), 0);
    ck_assert_int_eq(run_child(other_pictures, folder, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "is another run (sources"));
    vit_training bad = config("x");
    bad.epochs = 0;
    ck_assert_ptr_nonnull(strstr(vit_training_check(&bad), "at least 1"));
    bad = config("x");
    bad.eval_every = 0;
    ck_assert_ptr_nonnull(strstr(vit_training_check(&bad), "every 1 or more"));
    bad = config("x");
    bad.batch = 1L << 40;
    ck_assert_ptr_nonnull(strstr(vit_training_check(&bad), "at most"));
    bad = config("");
    ck_assert_ptr_nonnull(strstr(vit_training_check(&bad), "folder"));
    bad = config("x");
    ck_assert_ptr_null(vit_training_check(&bad));
    ck_assert_int_eq(vit_steps(&bad, 600), 20);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("images");
    TCase *files = tcase_create("files"), *runs = tcase_create("runs");
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, runs);
    tcase_add_test(files, idx_files);
    tcase_add_test(files, cifar_files);
    tcase_add_test(files, labels_are_as_counted);
    tcase_add_test(files, bad_files);
    tcase_add_test(files, sets_say_what_they_are);
    tcase_add_test(files, digits_are_neither_noise_nor_trivial);
    tcase_add_test(files, digits_by_number);
    tcase_add_test(files, epochs_are_permutations);
    tcase_add_test(files, permuted_labels);
    tcase_add_test(runs, learns);
    tcase_add_test(runs, metrics_are_means_over_pictures);
    tcase_add_test(runs, losses_of_images);
    tcase_add_test(runs, batches_of_an_epoch);
    tcase_add_test(runs, killed_runs_end_the_same);
    tcase_add_test(runs, an_epoch_seen_in_part);
    tcase_add_test(runs, runs_that_cannot_go_on);
    return run_suite(suite, argc, argv);
}
