/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_checkpoint.c - checkpoints: what is written comes back, piece by piece and without a copy of the model, and damage
 * is noticed by everybody who reads the damaged part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include "src/train/checkpoint_net.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static checkpoint small(void)            /* two weights, and what an optimizer knows about one of them */
{
    checkpoint c = { .tensor = NULL };
    checkpoint_text(&c, "step", "%d", 12);
    checkpoint_text(&c, "note", "%s", "two words");
    checkpoint_tensor(&c, "a", 2, 3, (float[]){ 1, 2, 3, 4, 5, 6.5f });
    checkpoint_tensor(&c, "b", 1, 1, (float[]){ -0.0f });
    checkpoint_tensor(&c, "m:b", 1, 2, (float[]){ 7, 8 });
    return c;
}

START_TEST(comes_back)
{
    char *folder = temp_folder(), *path = temp_path(folder, "x.ckpt");
    checkpoint c = small();
    checkpoint_write(&c, path);
    for (int part = CHECKPOINT_WEIGHTS; part <= CHECKPOINT_ALL; part++) {
        checkpoint d = checkpoint_read(path, (checkpoint_part)part);
        ck_assert_str_eq(checkpoint_value(&d, "step"), "12");
        ck_assert_str_eq(checkpoint_value(&d, "note"), "two words");
        ck_assert_ptr_null(checkpoint_value(&d, "nothing"));
        ck_assert_ptr_null(checkpoint_value(&d, "sum"));           /* it belongs to the file */
        const stored *a = checkpoint_find(&d, "a"), *m = checkpoint_find(&d, "m:b");
        ck_assert(a && a->rows == 2 && a->cols == 3 && a->x[5] == 6.5f);
        ck_assert(signbit(checkpoint_find(&d, "b")->x[0]));
        ck_assert(part == CHECKPOINT_ALL ? m && m->x[1] == 8 : !m);
        checkpoint_free(&d);
    }
    checkpoint_free(&c);
}
END_TEST

static void read_all(void *path)     { checkpoint c = checkpoint_read(path, CHECKPOINT_ALL); checkpoint_free(&c); }
static void read_weights(void *path) { checkpoint c = checkpoint_read(path, CHECKPOINT_WEIGHTS); checkpoint_free(&c); }

static void only_open(void *path)    { checkpoint_file f = checkpoint_open(path); checkpoint_close(&f); }

static bool refused(void (*read)(void *path), const char *path, const char *words)
{
    char output[512];
    const int status = run_child(read, (void *)(uintptr_t)path, output, sizeof output);
    ck_assert_msg(status == 0 || (status == 2 && strstr(output, words)), "status %d, %s", status, output);
    return status == 2;
}

static bool noticed(void (*read)(void *path), const char *path) { return refused(read, path, "is damaged"); }

/* Every single damaged byte and every cut is noticed, before the ninth byte as a file of another kind; those before byte `header` when the file is opened, before
 * anything in it is believed; those before `weights` by who reads the weights alone. */
static void damage(const char *bytes, size_t n, size_t header, size_t weights)
{
    char *folder = temp_folder(), changed[512];
    ck_assert_uint_lt(n, sizeof changed);
    for (size_t k = 0; k < 2 * n; k++) {
        memcpy(changed, bytes, n);
        if (k < n) changed[k] ^= 1;
        const char *path = temp_write(folder, "y.ckpt", changed, k < n ? n : k - n);
        const char *words = (k < n ? k : k - n) < strlen("PROVABLY ") ? "is not a checkpoint" : "is damaged";
        ck_assert_msg(refused(read_all, path, words), "change %zu", k);
        if (k < header || k >= n) ck_assert_msg(refused(only_open, path, words), "change %zu: when opened", k);
        ck_assert_msg(refused(read_weights, path, words) == (k < weights || k >= n), "change %zu: weights alone", k);
    }
}

START_TEST(damage_is_noticed)
{
    char *folder = temp_folder(), *path = temp_path(folder, "x.ckpt");
    checkpoint c = small();
    checkpoint_write(&c, path);
    checkpoint_free(&c);
    size_t n;
    const char *bytes = temp_read(NULL, path, &n);
    const char *const sums = strstr(bytes, "text sum ");
    const size_t header = (size_t)(sums - bytes) + strlen("text sum 01234567 2 ");       /* the weights' sum is next */
    const size_t weights = n - 4 - 2 * sizeof(float);              /* m:b and the last sum follow */
    damage(bytes, n, header, weights);
}
END_TEST

/* A file of an earlier version has one sum at its end, and all of it is read for that. */
START_TEST(files_without_sums)
{
    const char header[] = "PROVABLY 1\ntext step 3\ntensor a 1 2\ntensor m:a 1 2\nend\n";
    const float x[] = { 1, 2, 3, 4 };
    char file[sizeof header - 1 + sizeof x + 4], *folder = temp_folder();
    memcpy(file, header, sizeof header - 1);
    memcpy(file + sizeof header - 1, x, sizeof x);
    const uint32_t sum = (uint32_t)crc32_z(0, (unsigned char *)file, sizeof file - 4);
    memcpy(file + sizeof file - 4, &sum, sizeof sum);
    checkpoint c = checkpoint_read(temp_write(folder, "x.ckpt", file, sizeof file), CHECKPOINT_WEIGHTS);
    ck_assert(c.tensors == 1 && c.tensor->x[1] == 2);
    checkpoint_free(&c);
    damage(file, sizeof file, sizeof file, sizeof file);
}
END_TEST

/* Sums that are right for what a forger wrote. */
START_TEST(forged_sums)
{
    static const struct { const char *sums, *says; } forged[] = {
        { "1 %08x\n", NULL }, { "0 %08x\n", "not two sums" }, { "2 %08x\n", "not two sums" }, { "-1 %08x\n", "not two sums" },
        { "1 %08x x\n", "not two sums" }, { "1\n%08x\n", "not two sums" }, { "1 %08x\ntext late x\n", "between the sums" },
    };
    const char lines[] = "PROVABLY 1\ntensor a 1 2\ntensor m:a 1 2\n";
    const float x[] = { 1, 2, 3, 4 };
    const unsigned first = (unsigned)crc32_z(0, (const unsigned char *)lines, sizeof lines - 1);
    const unsigned weights = (unsigned)crc32_z(0, (const unsigned char *)x, 2 * sizeof *x);
    char *folder = temp_folder(), *path = temp_path(folder, "x.ckpt"), output[512];
    for (size_t k = 0; k < COUNT(forged); k++) {
        char file[256];
        int n = sprintf(file, "%stext sum %08x ", lines, first);
        n += sprintf(file + n, forged[k].sums, weights);
        n += sprintf(file + n, "end\n");
        memcpy(file + n, x, sizeof x);
        n += (int)sizeof x;
        const uint32_t sum = (uint32_t)crc32_z(0, (unsigned char *)file, (size_t)n);
        memcpy(file + n, &sum, sizeof sum);
        temp_write(folder, "x.ckpt", file, (size_t)n + sizeof sum);
        const int status = run_child(read_weights, path, output, sizeof output);
        ck_assert_msg(forged[k].says ? status == 2 && strstr(output, forged[k].says) : status == 0, "%zu: status %d, %s", k, status,
                      output);
    }
}
END_TEST

/* Headers that no program writes: their file is damaged, and nothing else goes wrong. */
START_TEST(impossible_headers)
{
    static const struct { const char *lines, *says; long numbers; } try[] = {
        { "tensor a 1 1\ntensor m:a 1 1\ntensor b 1 1\n", "a weight after PREFIX:NAME", 3 },
        { "text sum\n", "", 0 }, { "text sum 1\n", "", 0 } };
    char *folder = temp_folder(), *path = temp_path(folder, "x.ckpt"), output[512];
    for (size_t k = 0; k < COUNT(try); k++) {
        char file[256];
        int n = sprintf(file, "PROVABLY 1\n%send\n", try[k].lines);
        memset(file + n, 0, (size_t)try[k].numbers * sizeof(float));
        n += (int)((size_t)try[k].numbers * sizeof(float));
        const uint32_t sum = (uint32_t)crc32_z(0, (unsigned char *)file, (size_t)n);
        memcpy(file + n, &sum, sizeof sum);
        temp_write(folder, "x.ckpt", file, (size_t)n + sizeof sum);
        const int status = run_child(read_weights, path, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, "damaged") && strstr(output, try[k].says), "%zu: status %d, %s", k, status, output);
    }
}
END_TEST

/* ---- pieces ------------------------------------------------------------------------------------------------ */

enum { ROWS = 701, COLS = 300, LONG = 70001 };      /* three pieces and a bit; a row that is longer than a piece */
typedef struct { float *x[2]; long rows; } pieces;

static void give(void *self, long k, long from, long rows, float *x)
{
    pieces *p = self;
    const long cols = k ? LONG : COLS;
    memcpy(x, p->x[k] + from * cols, (size_t)(rows * cols) * sizeof *x);
    p->rows = rows > p->rows ? rows : p->rows;
}

static void expect(void *self, long k, long from, long rows, const float *x)
{
    pieces *p = self;
    const long cols = k ? LONG : COLS;
    ck_assert_int_eq(memcmp(x, p->x[k] + from * cols, (size_t)(rows * cols) * sizeof *x), 0);
    p->rows += rows;
}

START_TEST(pieces_make_the_same_file)
{
    char *folder = temp_folder();
    pieces p = { { calloc(ROWS * COLS, sizeof(float)), calloc(2 * LONG, sizeof(float)) }, 0 };
    for (long i = 0; i < ROWS * COLS; i++) p.x[0][i] = (float)i;
    for (long i = 0; i < 2 * LONG; i++) p.x[1][i] = -(float)i;
    checkpoint whole = { .tensor = NULL }, names = { .tensor = NULL };
    checkpoint_tensor(&whole, "a", ROWS, COLS, p.x[0]);
    checkpoint_tensor(&whole, "b", 2, LONG, p.x[1]);
    checkpoint_declare(&names, "a", ROWS, COLS);
    checkpoint_declare(&names, "b", 2, LONG);
    checkpoint_write(&whole, temp_path(folder, "whole"));
    checkpoint_stream(&names, temp_path(folder, "pieces"), give, &p);
    ck_assert_int_lt(p.rows, ROWS);                                /* there were pieces */
    size_t n, m;
    const char *x = temp_read(folder, "whole", &n), *y = temp_read(folder, "pieces", &m);
    ck_assert(n == m && memcmp(x, y, n) == 0);
    for (int part = CHECKPOINT_WEIGHTS; part <= CHECKPOINT_ALL; part++) {
        p.rows = 0;
        checkpoint_file f = checkpoint_open(temp_path(folder, "pieces"));
        checkpoint_take(&f, (checkpoint_part)part, expect, &p);
        ck_assert_int_eq(p.rows, ROWS + 2);
        checkpoint_close(&f);
    }
    checkpoint_free(&whole);
    checkpoint_free(&names);
    free(p.x[0]);
    free(p.x[1]);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------------------ */

enum { SIDE = 2048, MEGABYTES = 16 };    /* of one flat array                                           */
typedef struct { const char *folder; long until; net net; long before; } training;

static long resident(void)               /* the most so far, in kilobytes */
{
    struct rusage is;
    getrusage(RUSAGE_SELF, &is);
    return is.ru_maxrss;
}

static double one_step(void *self, long step)           /* after the first one, all arrays were written to */
{
    training *t = self;
    for (size_t k = 0; k < t->net.table.size; k++) ((float *)t->net.g)[k] = (float)(k % 7 + 1);
    if (step % 2) t->before = resident();
    return 1;
}

static void no_metric(void *self, double *to) { (void)self; *to = 0; }

static void save_in_little_memory(void *with)
{
    training *t = with;
    static const char *const metric[] = { "none" };
    param_table table = { NULL, 0, 0 };
    params_add(&table, "w", SIDE, SIDE, true, INIT_ONE, 0);
    t->net = net_create(ops_cpu_f32(), table, 1);
    const training_task task = { .net = &t->net, .self = t, .step = one_step, .evaluate = no_metric, .metric = metric, .metrics = 1,
                                 .unit = "x", .units_per_step = 1 };
    const run_config c = { .optim = { .peak = 1e-3, .steps = 4, .until = t->until, .beta1 = 0.9, .beta2 = 0.9, .eps = 1e-8 },
                           .eval_every = 4, .save_every = 2, .out = t->folder, .quiet = true, .model = "m", .sources = "s",
                           .recipe = "r" };
    const long begin = resident();
    run_training(&c, &task);
    printf("%ld %ld\n", (resident() - t->before) / 1024, (resident() - begin) / 1024);
    net_free(&t->net);
}

/* Neither the writing nor the reading of a checkpoint holds even one array a second time; a copy of all would be 48 MB. */
START_TEST(no_second_copy)
{
    char *folder = temp_folder(), output[512];
    for (long until = 2; until <= 4; until += 2) {                 /* the second run resumes from the first one's checkpoint */
        training t = { .folder = folder, .until = until };
        ck_assert_int_eq(run_child(save_in_little_memory, &t, output, sizeof output), 0);
        long more, all;
        ck_assert_int_eq(sscanf(output, "%ld %ld", &more, &all), 2);
        ck_assert_msg(more < MEGABYTES, "%ld MB more for a checkpoint", more);
        ck_assert_msg(all < 4 * MEGABYTES, "%ld MB for a gradient, two means and a checkpoint", all);
    }
}
END_TEST

/* ---- a run ------------------------------------------------------------------------------------------------- */

static void train_in(void *folder)
{
    tokens all = tokens_synthetic(3, 1000);
    const train_config c = { .model = { .L = 1, .d = 8, .h = 2, .m = 8, .T = 8, .V = 256, .factor = 1, .tied = true,
                                        .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.1 },
                             .optim = { .peak = 1e-2, .least = 1e-3, .steps = 4, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8 },
                             .batch = 2, .micro = 2, .eval_every = 4, .save_every = 2, .seed = 1, .data_seed = 2, .out = folder,
                             .quiet = true };
    train_gpt(&c, ops_cpu_f32(), &all, &all);
    tokens_free(&all);
}

static void load_from(void *folder)
{
    gpt_config c;
    gpt_free(train_load(folder, ops_cpu_f32(), 1, &c));
}

static const char *run;
static void load_into_another(void *shape)
{
    const long *const is = shape;
    param_table t = { NULL, 0, 0 };
    params_add(&t, "wpe", is[0], is[1], true, INIT_ZERO, 0);
    net n = net_of_weights(ops_cpu_f32(), t);
    checkpoint_file f = checkpoint_open(temp_path(run, "last.ckpt"));
    net_restore(&f, &n.table, n.o, 1, (net_array[]){ { "", n.w } });
}

START_TEST(another_shape)
{
    char *folder = temp_folder(), output[512];
    train_in(folder);
    run = folder;
    for (int k = 0; k < 3; k++) {
        const int status = run_child(load_into_another, (long[][2]){ { 8, 8 }, { 8, 4 }, { 4, 8 } }[k], output, sizeof output);
        ck_assert_msg(k ? status == 2 && strstr(output, "no tensor wpe of") : status == 0, "%d: status %d, %s", k, status, output);
    }
}
END_TEST

/* A byte of the optimizer's means: a run that goes on notices it, who wants the weights does not; a byte of the weights
 * is noticed by both. */
START_TEST(whose_business_it_is)
{
    char *folder = temp_folder();
    train_in(folder);
    size_t n;
    char *bytes = temp_read(folder, "last.ckpt", &n);
    ck_assert(!noticed(train_in, folder) && !noticed(load_from, folder));
    const size_t means = n - 100, weights = (size_t)(strstr(bytes, "\nend\n") - bytes) + 100;
    bytes[means] ^= 4;
    temp_write(folder, "last.ckpt", bytes, n);
    ck_assert(noticed(train_in, folder) && !noticed(load_from, folder));
    bytes[means] ^= 4;
    bytes[weights] ^= 4;
    temp_write(folder, "last.ckpt", bytes, n);
    ck_assert(noticed(train_in, folder) && noticed(load_from, folder));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("checkpoint");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_test(all, comes_back);
    tcase_add_test(all, damage_is_noticed);
    tcase_add_test(all, files_without_sums);
    tcase_add_test(all, forged_sums);
    tcase_add_test(all, impossible_headers);
    tcase_add_test(all, pieces_make_the_same_file);
    tcase_add_test(all, no_second_copy);
    tcase_add_test(all, another_shape);
    tcase_add_test(all, whose_business_it_is);
    return run_suite(suite, argc, argv);
}
