/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_train.c - training runs: schedule, text, and that a killed run ends byte-identical. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/random.h"
#include "src/base/clock.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- the recipe ------------------------------------------------------------------------------------------- */

START_TEST(rates)                        /* nanoGPT's formula at its corners */
{
    const optim_config c = { .peak = 6e-4, .least = 6e-5, .warmup = 2000, .steps = 600000 };
    ck_assert_double_eq(optim_rate(&c, 0), 6e-4 / 2001);
    ck_assert_double_le(fabs(optim_rate(&c, 1999) - 6e-4 * 2000 / 2001), 1e-18);
    ck_assert_double_le(fabs(optim_rate(&c, 2000) - 6e-4), 1e-18);
    ck_assert_double_le(fabs(optim_rate(&c, 301000) - 3.3e-4), 1e-15);
    ck_assert_double_le(fabs(optim_rate(&c, 100000) - 5.65e-4), 5e-7);       /* 003's losses are taken here */
    ck_assert_double_eq(optim_rate(&c, 600000), 6e-5);
}
END_TEST

/* Two updates of two weights, one of them decayed, with clipping, by hand. */
START_TEST(decay_groups_and_clipping)
{
    const ops *o = ops_cpu_f64();
    param_table t = { NULL, 0, 0 };
    params_add(&t, "gain", 1, 1, false, INIT_ONE, 0);
    params_add(&t, "matrix", 1, 1, true, INIT_ONE, 0);
    optim s = optim_create(&t, o);
    const optim_config c = { .peak = 0.1, .least = 0.1, .steps = 10, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .decay = 0.5, .clip = 1 };
    double w[] = { 1, 1 };
    const double g[] = { 3, 4 }, bad[] = { NAN, 0 };
    ck_assert_double_eq(optim_update(&s, &c, &t, o, w, g), 5);
    /* step 1: m / (1 - b1) = g', v / (1 - b2) = g'^2, so each moves by the rate */
    const double e0 = 0.6 / (0.6 + 1e-8), e1 = 0.8 / (0.8 + 1e-8);
    ck_assert_double_le(fabs(w[0] - (1 - 0.1 * e0)), 1e-6);
    ck_assert_double_le(fabs(w[1] - (1 - 0.1 * 0.5 - 0.1 * e1)), 1e-6);
    ck_assert_double_le(fabs(((double *)s.m)[0] - 0.1 * 0.6), 1e-6);
    const double before = w[0];
    ck_assert(isnan(optim_update(&s, &c, &t, o, w, bad)));
    ck_assert_double_eq(w[0], before);
    ck_assert_int_eq(s.step, 1);
    optim_free(&s, o);
    params_free(&t);
}
END_TEST

static long updates, edges;
static void counted_adamw(void *w, void *m, void *v, const void *g, size_t n, const adamw_step *a)
{
    updates++;
    edges = a->edges;
    ops_cpu_f64()->adamw(w, m, v, g, n, a);
}
START_TEST(an_update_is_one_call)        /* with an edge wherever the decay changes */
{
    ops o = *ops_cpu_f64();
    o.adamw = counted_adamw;
    param_table t = { NULL, 0, 0 };
    for (int k = 0; k < 6; k++) params_add(&t, temp_format("array %d", k), 2, 3, k % 3 < 2, INIT_ONE, 0);
    ck_assert_uint_eq(t.size, 36);
    optim_config c = { .peak = 0.1, .least = 0.1, .steps = 10, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8 };
    static const struct { double decay; long edges; } all[] = { { 0, 0 }, { 0.5, 3 } };
    double w[COUNT(all)][36], g[36];
    for (int i = 0; i < 36; i++) g[i] = i - 20;
    for (size_t k = 0; k < COUNT(all); k++) {
        optim s = optim_create(&t, &o);
        for (int i = 0; i < 36; i++) w[k][i] = 1;
        c.decay = all[k].decay;
        updates = 0;
        optim_update(&s, &c, &t, &o, w[k], g);
        ck_assert_int_eq(updates, 1);
        ck_assert_int_eq(edges, all[k].edges);
        optim_free(&s, &o);
    }
    for (int i = 0; i < 36; i++) {
        const double less = i / 6 % 3 < 2 ? 0.1 * 0.5 : 0;
        ck_assert_double_le(fabs(w[0][i] - less - w[1][i]), 1e-15);
    }
    params_free(&t);
}
END_TEST

START_TEST(keras_epsilon)                /* rate sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + eps) */
{
    const ops *o = ops_cpu_f64();
    param_table t = { NULL, 0, 0 };
    params_add(&t, "w", 1, 1, false, INIT_ZERO, 0);
    optim s = optim_create(&t, o);
    const optim_config c = { .peak = 0.1, .least = 0.1, .steps = 9, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-2, .keras = true };
    double w[] = { 0 };
    const double g[] = { 0.5 };
    optim_update(&s, &c, &t, o, w, g);
    ck_assert_double_le(fabs(w[0] + 0.1 * sqrt(0.001) / 0.1 * 0.05 / (sqrt(0.001 * 0.25) + 1e-2)), 1e-12);
    optim_free(&s, o);
    params_free(&t);
}
END_TEST

/* ---- text --------------------------------------------------------------------------------------------------- */

START_TEST(readers)
{
    char *folder = temp_folder();
    char *text = temp_write(folder, "text", "banana", 6);
    tokens bytes = tokens_bytes(text), chars = tokens_chars(text);
    ck_assert(bytes.n == 6 && bytes.V == 256 && bytes.at[0] == 'b');
    ck_assert(chars.V == 3 && chars.at[0] == 1 && chars.at[1] == 0 && chars.at[2] == 2);
    const uint16_t word[] = { 5, 7, 500 };
    char *plain = temp_write(folder, "bin", word, sizeof word);
    tokens nano = tokens_nanogpt(plain, 501);
    ck_assert(nano.n == 3 && nano.at[2] == 500 && nano.V == 501);
    uint32_t head[256] = { 20240520, 1, 3 };
    unsigned char shard[1024 + 6];
    memcpy(shard, head, 1024);
    memcpy(shard + 1024, word, 6);
    char *llmc = temp_write(folder, "llmc", shard, sizeof shard);
    tokens c = tokens_llmc(llmc, 501);
    ck_assert(c.n == 3 && c.hash == nano.hash && c.hash != bytes.hash);
    int32_t token[2], target[2];
    tokens_window(&nano, 0, 2, token, target);
    ck_assert(token[0] == 5 && token[1] == 7 && target[0] == 7 && target[1] == 500);
    tokens_free(&bytes); tokens_free(&chars); tokens_free(&nano); tokens_free(&c);
}
END_TEST

typedef struct { const char *path; int how; } reading;
static void read_it(void *with)
{
    const reading *r = with;
    tokens t = r->how == 0 ? tokens_bytes(r->path) : r->how == 1 ? tokens_chars(r->path)
             : r->how == 2 ? tokens_nanogpt(r->path, 100) : tokens_llmc(r->path, 100);
    tokens_free(&t);
}

START_TEST(bad_text)
{
    char *folder = temp_folder(), output[512];
    uint32_t head[256] = { 20240520, 1, 3 }, other[256] = { 20240520, 2, 0 };
    const uint16_t large[] = { 5, 100 };
    char *empty = temp_write(folder, "empty", "", 0), *odd = temp_write(folder, "odd", "abc", 3);
    char *beyond = temp_write(folder, "beyond", large, sizeof large), *one = temp_write(folder, "one", "aaa", 3);
    char *cut = temp_write(folder, "cut", head, sizeof head), *version = temp_write(folder, "version", other, sizeof other);
    const struct { reading r; const char *says; } bad[] = {
        { { empty, 0 }, "is empty" }, { { one, 1 }, "only one character" }, { { odd, 2 }, "16-bit tokens" },
        { { beyond, 2 }, "token 1 is 100, the vocabulary is 100" }, { { cut, 3 }, "cut off or too long" },
        { { version, 3 }, "version 1" }, { { odd, 3 }, "version 1" }, { { "/no/such/file", 0 }, "cannot read /no/such/file" },
        { { "/", 0 }, "is not a regular file" },
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        reading r = bad[k].r;
        ck_assert_int_eq(run_child(read_it, &r, output, sizeof output), 2);
        ck_assert_msg(strstr(output, bad[k].says) != NULL, "%zu: %s", k, output);
    }
}
END_TEST

START_TEST(windows)                      /* uniform, by step and row, without state */
{
    tokens t = tokens_synthetic(1, 1000), again = tokens_synthetic(1, 1000), other = tokens_synthetic(2, 1000);
    ck_assert(t.hash == again.hash && t.hash != other.hash);
    double mean = 0;
    size_t least = 1000, most = 0;
    for (long k = 0; k < 4000; k++) {
        const size_t at = tokens_place(&t, 7, k / 10, k % 10, 100);
        least = at < least ? at : least;
        most = at > most ? at : most;
        mean += (double)at / 4000;
    }
    ck_assert(least <= 3 && most >= 896 && most <= 899);
    ck_assert_double_le(fabs(mean - 449.5), 5 * 900 / sqrt(12 * 4000.0));
    ck_assert(tokens_place(&t, 7, 3, 4, 100) == tokens_place(&t, 7, 3, 4, 100));
    ck_assert(tokens_place(&t, 7, 3, 4, 100) != tokens_place(&t, 8, 3, 4, 100));
    tokens_free(&t); tokens_free(&again); tokens_free(&other);
}
END_TEST

/* ---- runs --------------------------------------------------------------------------------------------------- */

static train_config config(const char *folder)
{
    return (train_config){ .model = { .L = 1, .d = 16, .h = 2, .m = 32, .T = 16, .V = 256, .factor = 1,
                                      .tied = true, .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.1 },
                           .optim = { .peak = 1e-2, .least = 1e-3, .warmup = 5, .steps = 40, .beta1 = 0.9, .beta2 = 0.99,
                                      .eps = 1e-8, .decay = 0.1, .clip = 1 },
                           .batch = 4, .micro = 2, .eval_every = 10, .save_every = 3, .seed = 1, .data_seed = 2,
                           .out = folder, .quiet = true };
}

static void train_in(void *folder)
{
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    const train_config c = config(folder);
    const run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
    if (!r.finished) _exit(9);
}

START_TEST(learns)
{
    char *folder = temp_folder(), output[512];
    ck_assert_int_eq(run_child(train_in, folder, output, sizeof output), 0);
    size_t n;
    char *evals = temp_read(folder, "evals.csv", &n);
    double first, last;
    ck_assert_int_eq(sscanf(strstr(evals, "\n0,"), "\n0,%lf", &first), 1);
    ck_assert_int_eq(sscanf(strstr(evals, "\n40,"), "\n40,%lf", &last), 1);
    ck_assert_msg(first > 5 && last < first - 1.5, "from %g to %g", first, last);
}
END_TEST

static void train_at_once(void *folder)
{
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    c.micro = c.batch;
    train_gpt(&c, ops_cpu_f32(), &train, &val);
}

START_TEST(micro_batches_add_up)         /* the same windows, whatever goes through at a time */
{
    char *parts = temp_folder(), *whole = temp_folder(), output[512];
    ck_assert_int_eq(run_child(train_in, parts, output, sizeof output), 0);
    ck_assert_int_eq(run_child(train_at_once, whole, output, sizeof output), 0);
    size_t n;
    char *a = temp_read(parts, "steps.csv", &n), *b = temp_read(whole, "steps.csv", &n);
    double loss[2], norm[2];
    ck_assert_int_eq(sscanf(strstr(a, "\n1,"), "\n1,%*f,%lf,%lf", &loss[0], &norm[0]), 2);
    ck_assert_int_eq(sscanf(strstr(b, "\n1,"), "\n1,%*f,%lf,%lf", &loss[1], &norm[1]), 2);
    ck_assert_double_le(fabs(loss[0] / loss[1] - 1), 1e-6);
    ck_assert_double_le(fabs(norm[0] / norm[1] - 1), 1e-5);
}
END_TEST

/* Killed at random moments, again and again, until it is through: the same files, to the bit.  What counts are kills
 * that leave a checkpoint of an unfinished run: 20, or 100 with FULL=1 in the environment. */
START_TEST(killed_runs_end_the_same)
{
    char *whole = temp_folder(), *killed = temp_folder(), output[512];
    const double begun = monotonic_seconds();
    ck_assert_int_eq(run_child(train_in, whole, output, sizeof output), 0);
    const uint64_t key[2] = { 99, 1 }, longest = (uint64_t)(1.2e6 * (monotonic_seconds() - begun)) + 1000;     /* us */
    const long most = getenv("FULL") ? 100 : 20;
    long kills = 0;
    for (uint64_t k = 0; kills < most; k++) {
        ck_assert(k < 4000);
        char *path = temp_path(killed, "last.ckpt");
        const pid_t child = fork();
        if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr)) _exit(1);
            train_in(killed);
            _exit(0);
        }
        usleep((useconds_t)random_below(key, k, longest));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        kills += WIFSIGNALED(status) && access(path, F_OK) == 0;
        if (WIFSIGNALED(status)) continue;
        ck_assert_int_eq(WEXITSTATUS(status), 0);                  /* it came through: start anew */
        temp_equal(whole, killed, "last.ckpt");
        temp_equal(whole, killed, "steps.csv");
        temp_equal(whole, killed, "evals.csv");
        killed = temp_folder();
    }
    ck_assert_int_eq(run_child(train_in, killed, output, sizeof output), 0);
    temp_equal(whole, killed, "last.ckpt");
    temp_equal(whole, killed, "steps.csv");
    temp_equal(whole, killed, "evals.csv");
    ck_assert_int_eq(run_child(train_in, killed, output, sizeof output), 0);     /* finished: nothing happens */
    temp_equal(whole, killed, "last.ckpt");
}
END_TEST

static void other_recipe(void *folder)
{
    tokens all = tokens_synthetic(3, 4000);
    train_config c = config(folder);
    c.optim.decay = 0.2;
    train_gpt(&c, ops_cpu_f32(), &all, &all);
}
static void too_fast(void *folder)       /* a step that is not finite is not counted: a run that did not end would go on */
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){ 30, 30 });
    tokens all = tokens_synthetic(3, 4000);
    train_config c = config(folder);
    c.model.norm = false;
    c.optim.peak = 1e30;
    c.optim.clip = 0;
    c.losses = true;
    const run_result r = train_gpt(&c, ops_cpu_f32(), &all, &all);
    tokens_free(&all);
    if (r.finished && r.diverged == r.steps + 1 && r.metric[0] == INFINITY) _exit(run_status(&r));
}
static void too_short(void *folder)
{
    tokens all = tokens_synthetic(3, 16);
    const train_config c = config(folder);
    train_gpt(&c, ops_cpu_f32(), &all, &all);
}
static void full_disk(void *folder)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 30000, 30000 });
    train_in(folder);
}

/* A run may end within its schedule and resume there: the same bits as one that went through. */
START_TEST(runs_until_a_step)
{
    char *folder[2] = { temp_folder(), temp_folder() };
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder[0]);
    const double before = optim_rate(&c.optim, 30);
    c.optim.until = 20;
    run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert(r.finished && r.steps == 20);
    ck_assert_double_eq(optim_rate(&c.optim, 30), before);
    r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert(r.finished && r.steps == 20);                                /* nothing is left to do */
    c.optim.until = 0;
    r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert(r.finished && r.steps == 40);
    c.out = folder[1];
    const run_result straight = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert_double_eq(straight.metric[0], r.metric[0]);
    c.optim.until = 41;
    ck_assert_ptr_nonnull(strstr(train_config_check(&c), "within"));
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
}
END_TEST

START_TEST(runs_that_cannot_go_on)
{
    char *folder = temp_folder(), output[1024];
    ck_assert_int_eq(run_child(too_short, folder, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "too short"));
    ck_assert_int_eq(run_child(full_disk, folder, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "raise the limit") != NULL, "%s", output);
    char *path = temp_path(folder, "last.ckpt");
    ck_assert_int_ne(access(path, F_OK), 0);                       /* nothing half-written */
    ck_assert_int_eq(run_child(train_in, folder, output, sizeof output), 0);
    ck_assert_int_eq(run_child(other_recipe, folder, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "is another run (recipe"));
}
END_TEST

/* Ends as a finished run at the step that is not finite, keeps the weights of before, and is not trained again. */
START_TEST(runs_that_diverge)
{
    char *folder = temp_folder(), output[1024];
    ck_assert_msg(run_child(too_fast, folder, output, sizeof output) == RUN_DIVERGED, "%s", output);
    char *says = strstr(output, "diverged at step "), *steps = temp_read(folder, "steps.csv", NULL);
    ck_assert_msg(says != NULL, "%s", output);
    const long at = strtol(says + strlen("diverged at step "), NULL, 10);
    ck_assert_int_ge(at, 2);                                       /* a first step is always finite */
    char *evals = temp_read(folder, "evals.csv", NULL), *row = temp_format("\n%ld,inf\n", at);
    ck_assert_msg(strlen(evals) > strlen(row) && strcmp(evals + strlen(evals) - strlen(row), row) == 0, "%s", evals);
    row = temp_format("\n%ld,", at);
    ck_assert_ptr_nonnull(strstr(steps, row));
    ck_assert_ptr_null(strstr(steps, temp_format("\n%ld,", at + 1)));
    checkpoint k = checkpoint_read(temp_path(folder, "last.ckpt"), CHECKPOINT_ALL);
    ck_assert_str_eq(checkpoint_value(&k, "step"), temp_format("%ld", at - 1));
    ck_assert_str_eq(checkpoint_value(&k, "diverged"), temp_format("%ld", at));
    ck_assert_str_eq(checkpoint_value(&k, "finished"), "1");
    checkpoint_free(&k);
    size_t n, m;
    char *before = temp_read(folder, "last.ckpt", &n);
    struct stat log, later;
    ck_assert_int_eq(stat(temp_path(folder, "steps.csv"), &log), 0);
    ck_assert_int_eq(run_child(too_fast, folder, output, sizeof output), RUN_DIVERGED);
    ck_assert_ptr_nonnull(strstr(output, temp_format("diverged at step %ld: ", at)));
    char *after = temp_read(folder, "last.ckpt", &m);
    ck_assert(n == m && memcmp(before, after, n) == 0);
    ck_assert_int_eq(stat(temp_path(folder, "steps.csv"), &later), 0);
    ck_assert_msg(log.st_ino == later.st_ino, "the logs were opened again, so it was trained again");
    ck_assert_str_eq(temp_read(folder, "steps.csv", NULL), steps);
    ck_assert_str_eq(temp_read(folder, "evals.csv", NULL), evals);
    ck_assert(!temp_exists(folder, "losses.csv"));                 /* there is no last validation */
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("train");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_test(all, rates);
    tcase_add_test(all, decay_groups_and_clipping);
    tcase_add_test(all, an_update_is_one_call);
    tcase_add_test(all, keras_epsilon);
    tcase_add_test(all, readers);
    tcase_add_test(all, bad_text);
    tcase_add_test(all, windows);
    tcase_add_test(all, learns);
    tcase_add_test(all, micro_batches_add_up);
    tcase_add_test(all, killed_runs_end_the_same);
    tcase_add_test(all, runs_until_a_step);
    tcase_add_test(all, runs_that_cannot_go_on);
    tcase_add_test(all, runs_that_diverge);
    return run_suite(suite, argc, argv);
}
