/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_run.c - what a run shows and leaves: the progress line, windows of validations, losses of windows, signals. */
#include <fcntl.h>
#include <math.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "src/experiments/reproduce.h"
#include "src/train/backend.h"
#include "src/train/ceiling.h"
#include "src/train/run_line.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { T = 16, DRAWN = 30 };

static train_config config(const char *folder)
{
    return (train_config){ .model = { .L = 1, .d = 16, .h = 2, .m = 32, .T = T, .V = 256, .factor = 1,
                                      .tied = true, .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.1 },
                           .optim = { .peak = 1e-2, .least = 1e-3, .warmup = 5, .steps = 20, .beta1 = 0.9, .beta2 = 0.99,
                                      .eps = 1e-8, .decay = 0.1, .clip = 1 },
                           .batch = 4, .micro = 4, .eval_every = 10, .save_every = 10, .seed = 1, .data_seed = 2,
                           .out = folder, .quiet = true };
}

#define RUN "@(last.ckpt|last.ckpt.part|steps.csv|evals.csv|losses.csv)"          /* the files of a run */

static double value_at(const char *csv, long row)         /* second column of the row that begins with it */
{
    char *begin = temp_format("\n%ld,", row);
    const char *at = strstr(csv, begin);
    ck_assert_msg(at != NULL, "no row %ld in\n%s", row, csv);
    const double x = strtod(at + strlen(begin), NULL);
    return x;
}

/* ---- validations ------------------------------------------------------------------------------------------ */

static double loss_at(gpt *M, const tokens *t, size_t place)       /* of one window */
{
    int32_t token[T], target[T];
    double each[T];
    tokens_window(t, place, T, token, target);
    return gpt_loss(M, token, target, 1, each, 0);
}

/* Mean loss of `count` windows of a model, of which place_at gives the places. */
static double mean_at(gpt *M, const tokens *val, long count, size_t (*place_at)(const tokens *val, long k, long step), long step)
{
    double mean = 0;
    for (long k = 0; k < count; k++) mean += loss_at(M, val, place_at(val, k, step)) / (double)count;
    return mean;
}

static size_t drawn(const tokens *val, long k, long step) { return tokens_place(val, 2, -1 - step, k, T); }
static size_t every(const tokens *val, long k, long step) { (void)val; (void)step; return (size_t)(k * T); }
static size_t spread(const tokens *val, long k, long step)      /* windows 0, 2, 4, 7, 9, 12, ... of 24 */
{
    static const long window[] = { 0, 2, 4, 7, 9, 12, 14, 16, 19, 21 };
    (void)val;
    (void)step;
    return (size_t)(window[k] * T);
}

/* Which windows a validation sees, at step 0 and at the last one, and what the header says of it. */
static const struct { long windows; bool even, whole; const char *says; long count[2]; size_t (*at[2])(const tokens *, long, long); }
    sees[] = {
    { DRAWN, false, false, "batch=4/4 eval=30\n",                 { DRAWN, DRAWN }, { drawn, drawn } },
    { DRAWN, false, true,  "batch=4/4 eval=30 end=all\n",         { DRAWN, 24 },    { drawn, every } },
    { 10,    true,  false, "batch=4/4 eval=even:10/24\n",         { 10, 10 },       { spread, spread } },
    { 10,    true,  true,  "batch=4/4 eval=even:10/24 end=all\n", { 10, 24 },       { spread, every } },
    { 24,    true,  true,  "batch=4/4\n",                         { 24, 24 },       { every, every } },
    { 0,     false, false, "batch=4/4\n",                         { 24, 24 },       { every, every } },
};

START_TEST(windows_of_a_validation)
{
    char *folder = temp_folder();
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    c.eval_windows = sees[_i].windows;
    c.eval_even = sees[_i].even;
    c.whole_at_end = sees[_i].whole;
    ck_assert_int_eq(gpt_windows(&val, T), 24);
    const run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert(r.finished);
    char *evals = temp_read(folder, "evals.csv", NULL);
    ck_assert_msg(strstr(evals, sees[_i].says) != NULL, "%s", evals);
    gpt_config found;
    gpt *M[] = { gpt_create(&c.model, ops_cpu_f32(), 1, c.seed), train_load(folder, ops_cpu_f32(), 1, &found) };
    for (int k = 0; k < 2; k++) {
        const double mean = mean_at(M[k], &val, sees[_i].count[k], sees[_i].at[k], 20 * k);
        ck_assert_double_le(fabs(mean / value_at(evals, 20 * k) - 1), 1e-6);
        gpt_free(M[k]);
    }
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
    temp_only(folder, RUN);
}
END_TEST

/* Text of w windows and less than one more: each window is seen, the last one of a batch of its own, too. */
START_TEST(each_window_is_seen)
{
    enum { MOST = 7, ROOM = 3 };
    tokens all = tokens_synthetic(3, 4000);
    const train_config c = config(NULL);
    gpt *M = gpt_create(&c.model, ops_cpu_f32(), ROOM, c.seed);
    for (long w = 1; w <= MOST; w++)
        for (long more = 0; more < T; more += T - 1) {
            tokens part = all;
            part.n = (size_t)(w * T + 1 + more);
            ck_assert_int_eq(gpt_windows(&part, T), w);
            for (long B = 1; B <= ROOM; B++) {
                double each[MOST], mean = 0;
                const double found = gpt_evaluate(M, &part, T, B, each);
                for (long k = 0; k < w; k++) {
                    const double alone = loss_at(M, &part, (size_t)(k * T));
                    mean += alone / (double)w;
                    ck_assert_msg(fabs(each[k] / alone - 1) < 1e-6, "window %ld of %ld, %ld at a time: %g", k, w, B,
                        each[k]);
                }
                ck_assert_msg(fabs(found / mean - 1) < 1e-6, "%ld windows, %ld at a time: %g", w, B, found);
            }
        }
    gpt_free(M);
    tokens_free(&all);
}
END_TEST

static void train_until(const char *path, long until)            /* 0: to its end */
{
    alarm(60);                                                   /* a pipe could make it wait for ever */
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(path);
    c.optim.until = until;
    train_gpt(&c, ops_cpu_f32(), &train, &val);
}
static void train_in(void *path) { train_until(path, 0); }

START_TEST(files_read_again_are_files)
{
    static const char *const name[] = { "last.ckpt", "steps.csv", "evals.csv" };
    for (size_t k = 0; k < COUNT(name); k++) {
        char *folder = temp_folder(), *path = temp_format("%s/%s", folder, name[k]), output[512];
        ck_assert_int_eq(mkfifo(path, 0600), 0);
        const int status = run_child(train_in, folder, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, name[k]) && strstr(output, "not a regular file"), "%d: %s", status, output);
        temp_only(folder, RUN);
    }
}
END_TEST

/* While a process trains in a folder no other does: they would write each other's files.  Then the next one may. */
START_TEST(one_process_in_a_folder)
{
    char *folder = temp_folder(), output[512];
    const int lock = open(folder, O_RDONLY | O_DIRECTORY);
    ck_assert(lock >= 0 && flock(lock, LOCK_EX) == 0);
    int status = run_child(train_in, folder, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, "another process trains in ") && strstr(output, folder), "%d: %s", status, output);
    temp_only(folder, "");
    close(lock);
    for (int k = 0; k < 2; k++) {
        status = run_child(train_in, folder, output, sizeof output);
        ck_assert_msg(status == 0, "%d: %s", status, output);
    }
    const int free = open(folder, O_RDONLY | O_DIRECTORY);       /* the run that ended here holds it no more */
    train_in(folder);
    ck_assert_int_eq(flock(free, LOCK_EX | LOCK_NB), 0);
    close(free);
}
END_TEST

static void train_as_nobody(void *folder)
{
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(9);
    train_in(folder);
}

/* What cannot be read is not taken for what is not there: a link to a disk that is away, a log that is a loop of links. */
START_TEST(what_cannot_be_read_is_kept)
{
    char *folder = temp_folder(), output[512];
    train_until(folder, 10);
    char *ckpt = temp_path(folder, "last.ckpt"), *away = temp_path(folder, "away"), *steps = temp_path(folder, "steps.csv");
    ck_assert(rename(ckpt, away) == 0 && symlink("elsewhere", ckpt) == 0);
    int status = run_child(train_in, folder, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, "last.ckpt"), "%d: %s", status, output);
    ck_assert(strstr(temp_read(folder, "steps.csv", NULL), "\n10,"));
    ck_assert(rename(away, ckpt) == 0 && rename(steps, away) == 0 && symlink("steps.csv", steps) == 0);
    status = run_child(train_in, folder, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, "steps.csv: Too many levels of symbolic links"), "%d: %s", status, output);
    ck_assert(rename(away, steps) == 0);
    if (getuid() == 0) {                                         /* another user's log, in a folder that all may write */
        ck_assert(chmod(folder, 0777) == 0 && chmod(steps, 0600) == 0);
        status = run_child(train_as_nobody, folder, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, "steps.csv: Permission denied; its rows would be lost"), "%d: %s", status, output);
    }
    train_in(folder);
    ck_assert(strstr(temp_read(folder, "steps.csv", NULL), "\n1,"));
}
END_TEST

static void train_wider(void *folder)
{
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    c.model.m *= 2;
    train_gpt(&c, ops_cpu_f32(), &train, &val);
}
static void train_slower(void *folder)
{
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    c.optim.peak /= 2;
    train_gpt(&c, ops_cpu_f32(), &train, &val);
}
static void train_reseeded(void *folder)
{
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    c.seed++;
    train_gpt(&c, ops_cpu_f32(), &train, &val);
}

/* Without a checkpoint nothing can be resumed: logs of another run, and of a finished one, are not written over. */
START_TEST(logs_without_a_checkpoint)
{
    static const struct { void (*train)(void *folder); const char *says; } other[] = {
        { train_wider, "evals.csv is of another run, whose last.ckpt is gone (model: `" }, { train_slower, " is gone (recipe: `" },
        { train_reseeded, " is gone (sources: `seed=" } };
    char *folder = temp_folder(), output[2048];
    train_until(folder, 10);
    const train_config c = config(folder);
    ck_assert_int_eq(remove(temp_path(folder, "last.ckpt")), 0);
    ck_assert_int_eq(run_micro(folder, c.batch), c.micro);                     /* the batch of then, so that it is the same run */
    ck_assert_int_eq(run_micro(folder, c.batch + 1), 0);
    char *evals = temp_read(folder, "evals.csv", NULL);
    for (size_t k = 0; k < COUNT(other); k++) {
        const int status = run_child(other[k].train, folder, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, other[k].says) && strstr(output, folder), "%d: %s", status, output);
    }
    temp_text(folder, "done", "train\na machine\n");                           /* unpacked from an archive, say */
    int status = run_child(train_in, folder, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, " holds a finished run whose last.ckpt is gone; remove the folder"), "%d: %s", status, output);
    ck_assert_str_eq(temp_read(folder, "evals.csv", NULL), evals);
    temp_text(folder, "done", "");                                             /* which says nothing: the run was killed */
    status = run_child(train_in, folder, output, sizeof output);
    ck_assert_msg(status == 0 && strstr(temp_read(folder, "steps.csv", NULL), "\n1,"), "%d: %s", status, output);
    ck_assert(strstr(temp_read(folder, "evals.csv", NULL), "\n20,"));
    temp_text(folder, "done", "train\na machine\n");                           /* with its checkpoint it is finished */
    ck_assert_int_eq(run_child(train_in, folder, output, sizeof output), 0);
}
END_TEST

/* A run that resumes copies the rows of its logs, and no piece of a header, however long that is. */
START_TEST(rows_behind_a_long_header)
{
    char *folder = temp_folder(), *digits = must_calloc(1500, 1);
    memset(digits, '0', 1499);
    train_until(folder, 10);
    temp_text(folder, "steps.csv", temp_format("# machine %s\n%s", digits, temp_read(folder, "steps.csv", NULL)));
    train_in(folder);
    const char *steps = temp_read(folder, "steps.csv", NULL);
    ck_assert_msg(!strstr(steps, "\n0000") && strstr(steps, "\n1,") && strstr(steps, "\n20,"), "%s", steps);
    free(digits);
}
END_TEST

static void train_to_ten(void *path) { train_until(path, 10); }

/* losses.csv is of the last weights or there is none: more steps remove it, and a run goes back to no earlier end. */
START_TEST(losses_of_earlier_weights)
{
    char *folder = temp_folder(), output[512];
    train_until(folder, 10);
    temp_text(folder, "losses.csv", "of step 10");
    train_until(folder, 10);                                     /* no step more */
    ck_assert(temp_exists(folder, "losses.csv"));
    train_until(folder, 15);
    ck_assert(!temp_exists(folder, "losses.csv"));
    const int status = run_child(train_to_ten, folder, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, "last.ckpt has 15 steps already; leave --until=10 out"), "%d: %s", status, output);
    train_in(folder);
    ck_assert(strstr(temp_read(folder, "steps.csv", NULL), "\n20,"));
}
END_TEST

START_TEST(losses_of_windows)            /* on demand, also of a run that was finished before */
{
    char *folder = temp_folder(), *path = temp_path(folder, "losses.csv");
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert_int_ne(access(path, F_OK), 0);
    c.losses = true;
    const run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert(r.finished && r.units_per_second == 0);
    char *losses = temp_read(folder, "losses.csv", NULL);
    ck_assert_ptr_nonnull(strstr(losses, "\nwindow,loss\n0,"));
    gpt_config found;
    gpt *M = train_load(folder, ops_cpu_f32(), 1, &found);
    const long n = gpt_windows(&val, T);
    ck_assert_int_eq(n, 399 / T);
    double mean = 0;
    for (long k = 0; k < n; k++) {
        const double loss = value_at(losses, k);
        ck_assert_double_le(fabs(loss_at(M, &val, (size_t)(k * T)) / loss - 1), 1e-5);
        mean += loss / (double)n;
    }
    ck_assert_double_le(fabs(mean - r.metric[0]), 1e-12);
    ck_assert_ptr_null(strstr(losses, "\n24,"));
    gpt_free(M);
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
    temp_only(folder, RUN);
}
END_TEST

/* ---- the line --------------------------------------------------------------------------------------------- */

typedef struct { char *folder; bool quiet; long steps; } showing;

static void train_and_show(void *with)
{
    const showing *s = with;
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(s->folder);
    c.quiet = s->quiet;
    c.optim.steps = s->steps;
    const run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
    if (!r.finished) _exit(1);
}

START_TEST(lines_without_a_terminal)     /* one before the first step, one at the end with everything in it; none when quiet */
{
    showing s = { .folder = temp_folder(), .steps = 30 };
    char output[4096];
    ck_assert_int_eq(run_child(train_and_show, &s, output, sizeof output), 0);
    ck_assert_ptr_null(strchr(output, '\r'));
    const gpt_config m = config(s.folder).model;
    char *evals = temp_read(s.folder, "evals.csv", NULL), *steps = temp_read(s.folder, "steps.csv", NULL);
    ck_assert_msg(strncmp(output, "step 0/30  at least ", 20) == 0 && strstr(output, " s left\n") == strchr(output, '\n') - 7, "%s", output);
    long lines = 0, step = 0;
    for (const char *at = output + 1; (at = strstr(at, "step ")); at++) {
        long most, row;
        double loss, val, rate, share, ceiling, logged;
        ck_assert_msg(sscanf(at, "step %ld/%ld loss %lf val_loss %lf %lf tokens/s %lf %% of %lf GFLOP/s", &step, &most, &loss, &val,
                             &rate, &share, &ceiling) == 7, "%s", at);
        ck_assert_ptr_nonnull(strstr(at, " s left\n"));
        lines++;
        ck_assert_msg(most == 30 && rate > 0 && ceiling > 0, "%s", at);
        const double exact = 100 * rate * gpt_flops(&m) / (1e9 * ceiling);
        ck_assert_msg(fabs(share - exact) <= 0.51 + exact * (0.006 + 0.5 / rate), "%g, not %g", share, exact);
        ck_assert_double_le(fabs(val - value_at(evals, step / 10 * 10)), 0.6e-4);
        char *begin = temp_format("\n%ld,", step);
        ck_assert_int_eq(sscanf(strstr(steps, begin), "%ld,%*f,%lf", &row, &logged), 2);
        ck_assert_double_le(fabs(loss - logged), 0.6e-4);
    }
    ck_assert_msg(lines >= 1 && step == 30, "%s", output);         /* more of them on a machine that takes seconds for it */
    temp_only(s.folder, RUN);
    s = (showing){ .folder = temp_folder(), .steps = 30, .quiet = true };
    ck_assert_int_eq(run_child(train_and_show, &s, output, sizeof output), 0);
    ck_assert_str_eq(output, "");
    temp_only(s.folder, RUN);
}
END_TEST

START_TEST(time_at_least)                /* all operations that are left at the speed of the ceiling */
{
    const train_config c = config("-");
    gpt *M = gpt_create(&c.model, ops_cpu_f32(), 1, 1);
    training_task t = { .net = gpt_net(M) };
    t.flops_per_step = ceiling_of(&t, 0.05) * 1e4 / 1e5;     /* about three hours on any machine */
    FILE *const was = stderr;
    char *text = NULL;
    size_t n = 0;
    stderr = open_memstream(&text, &n);
    const run_line l = run_line_begin(&t, false, 500, 100500);
    fclose(stderr);
    stderr = was;
    long h, min;
    ck_assert_msg(sscanf(text, "step 500/100500  at least %ld h %ld min left", &h, &min) == 2, "%s", text);
    const double left = 1e5 * t.flops_per_step / l.ceiling / 60;
    ck_assert_msg(left > (double)(60 * h + min) - 0.01 && left < (double)(60 * h + min) + 1.01, "%s", text);
    free(text);
    gpt_free(M);
}
END_TEST

START_TEST(one_line_on_a_terminal)       /* written over and over; the last one stays */
{
    showing s = { .folder = temp_folder(), .steps = 30 };
    char output[4096];
    int from;
    const pid_t child = forkpty(&from, NULL, NULL, NULL);
    if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (child == 0) {
        unsetenv("CI");
        train_and_show(&s);
        _exit(0);
    }
    size_t used = 0;
    for (ssize_t n; used + 1 < sizeof output && (n = read(from, output + used, sizeof output - 1 - used)) > 0;) used += (size_t)n;
    output[used] = '\0';
    close(from);
    int status;
    waitpid(child, &status, 0);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", output);
    const char *first = strstr(output, "\rstep "), *last = strstr(output, "\rstep 30/30 ");
    ck_assert_msg(first && last && strstr(last, "left\033[K\r\n"), "%s", output);
    ck_assert_msg(strncmp(first, "\rstep 0/30  at least ", 21) == 0, "%s", output);
    for (const char *at = first; at < last; at++) ck_assert_msg(*at != '\n', "%s", output);
    temp_only(s.folder, RUN);
}
END_TEST

START_TEST(ceiling_of_the_largest_matrix)
{
    const ops *o = ops_cpu_f32();
    param_table t = { NULL, 0, 0 };
    params_add(&t, "small", 8, 8, true, INIT_ONE, 0);
    params_add(&t, "large", 96, 64, true, INIT_ONE, 0);
    net n = { .o = o, .table = t };
    const training_task it = { .net = &n };
    const double rate = ceiling_of(&it, 0.01);
    ck_assert_msg(isfinite(rate) && rate > 1e7, "%g", rate);      /* a pocket calculator is slower */
    params_free(&t);
}
END_TEST

/* ---- signals ---------------------------------------------------------------------------------------------- */

START_TEST(signals_stop_after_a_checkpoint)
{
    static const int number[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t k = 0; k < COUNT(number); k++) {
        showing s = { .folder = temp_folder(), .steps = 1000000, .quiet = true };
        char *path = temp_format("%s/last.ckpt", s.folder);
        const pid_t child = fork();
        if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr)) _exit(3);
            signal(SIGINT, SIG_DFL);                               /* Check has handlers of its own */
            signal(SIGTERM, SIG_DFL);
            signal(SIGHUP, SIG_DFL);
            alarm(150);                                            /* not for ever when it does not hear */
            train_and_show(&s);
            _exit(0);
        }
        for (int i = 0; i < 6000 && access(path, F_OK) != 0; i++) usleep(10000);
        kill(child, number[k]);
        int status;
        waitpid(child, &status, 0);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "signal %d: %x", number[k], status);
        checkpoint c = checkpoint_read(path, CHECKPOINT_ALL);
        char *steps = temp_read(s.folder, "steps.csv", NULL), *last = temp_format("\n%s,", checkpoint_value(&c, "step"));
        const char *row = strstr(steps, last);
        ck_assert_msg(row && strchr(row + 1, '\n')[1] == '\0', "the log does not end with step %s", last);
        ck_assert_str_eq(checkpoint_value(&c, "finished"), "0");
        checkpoint_free(&c);
        temp_only(s.folder, RUN);
    }
}
END_TEST

/* ---- the command ------------------------------------------------------------------------------------------ */

START_TEST(options_of_the_command)
{
    char *folder = temp_folder(), output[1024];
    char *command = temp_format("%s/provably train --out=%s --data=synthetic:3 --layers=1 --width=16 --heads=2 --window=512 --batch=1 "
                                "--steps=2 --eval-windows=3 --losses --quiet", build_folder(), folder);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 0);
    char *losses = temp_read(folder, "losses.csv", NULL), *evals = temp_read(folder, "evals.csv", NULL);
    double last, mean = 0;                                         /* those of the last validation: three */
    long first;
    int rows = 0;
    for (const char *at = strstr(losses, "\nfirst_token,loss\n") + strlen("\nfirst_token,loss\n");
         sscanf(at, "%ld,%lf", &first, &last) == 2; at = strchr(at, '\n') + 1, rows++) mean += last / 3;
    ck_assert_int_eq(rows, 3);
    ck_assert_int_eq(sscanf(strstr(evals, "\n2,"), "\n2,%lf", &last), 1);
    ck_assert_double_le(fabs(mean - last), 1e-8);
    ck_assert_int_eq(unlink(temp_path(folder, "losses.csv")), 0);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 0);            /* of the finished run: the same */
    ck_assert_str_eq(temp_read(folder, "losses.csv", NULL), losses);
    ck_assert_ptr_nonnull(strstr(evals, " eval=3\n"));
    temp_only(folder, RUN);
    static const char *const given[] = { "", "--eval-windows=all", "--eval-windows=even:7 --whole-at-end" };
    static const char *const says[] = { " eval=even:1024/1638\n", " batch=1/1\n", " eval=even:7/1638 end=all\n" };
    for (size_t k = 0; k < COUNT(given); k++) {
        folder = temp_folder();
        command = temp_format("%s/provably train --out=%s --data=synthetic:3 --layers=1 --width=8 --heads=2 --mlp=8 --batch=1 "
                              "--steps=1 --eval-every=2 --quiet %s", build_folder(), folder, given[k]);
        ck_assert_int_eq(run_shell(command, output, sizeof output), 0);
        evals = temp_read(folder, "evals.csv", NULL);
        ck_assert_msg(strstr(evals, says[k]) != NULL, "%s: %s", given[k], evals);
        temp_only(folder, RUN);
    }
    static const struct { const char *value, *says; } wrong[] = {
        { "0", "--eval-windows takes a whole number from 1" }, { "even:0", "--eval-windows=even: takes a whole number from 1" },
        { "even:", "--eval-windows takes N, even:N or all, N a whole number, not `even:`" },
        { "some", "--eval-windows takes N, even:N or all, N a whole number, not `some`" },
        { "even:all", "--eval-windows takes N, even:N or all" } };
    for (size_t k = 0; k < COUNT(wrong); k++) {
        command = temp_format("%s/provably train --out=x --eval-windows=%s", build_folder(), wrong[k].value);
        ck_assert_int_eq(run_shell(command, output, sizeof output), 2);
        ck_assert_msg(strstr(output, wrong[k].says) != NULL, "%s", output);
    }
}
END_TEST

/* The most likely token every time, in a window that fills up and then moves: what all rows computed again would give. */
START_TEST(greedy_text)
{
    enum { WINDOW = 8, LENGTH = 30 };
    static const char prompt[] = "the";
    char *folder = temp_folder(), output[256];
    char *command = temp_format("%s/provably train --out=%s --data=synthetic:3 --layers=2 --width=16 --heads=2 --window=%d --batch=4 "
                                "--steps=30 --quiet", build_folder(), folder, WINDOW);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 0);
    command = temp_format("%s/provably sample --from=%s --prompt=%s --temperature=0 --length=%d", build_folder(), folder, prompt, LENGTH);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 0);
    gpt_config c;
    gpt *M = train_load(folder, ops_cpu_f32(), 1, &c);
    int32_t text[LENGTH + 4] = { 0 };
    double logits[256];
    for (long n = 0; n < 3 + LENGTH; n++) {
        const long seen = n < WINDOW ? n : WINDOW;
        if (n < 3) text[n] = prompt[n];
        else gpt_last_logits(M, text + n - seen, seen, logits);
        for (int v = 0; n >= 3 && v < 256; v++) if (v == 0 || logits[v] > logits[text[n]]) text[n] = v;
        ck_assert_msg((unsigned char)output[n] == text[n], "token %ld of %s", n, output);
    }
    gpt_free(M);
}
END_TEST

/* ---- on a GPU: the CPU's operations that say they are one's -------------------------------------------------- */

static const char *some_method(const attn_shape *s, char **why)
{
    *why = must_format("cudnn: no room for %ld sequences of %ld", s->B, s->T);
    return "flash";
}
static void run_on_a_gpu(void *folder)
{
    ops o = *ops_cpu_f32();
    o.name = "cuda-bf16";
    o.device = "Mock, sm_90, driver 13.0, runtime 13.0";
    o.attn_method = some_method;
    tokens all = tokens_synthetic(3, 4000);
    const train_config c = config(folder);
    train_gpt(&c, &o, &all, &all);
    tokens_free(&all);
}
START_TEST(a_gpu_and_its_attention_are_recorded)
{
    char *folder = temp_folder(), output[1024];
    ck_assert_int_eq(run_child(run_on_a_gpu, folder, output, sizeof output), 0);
    ck_assert_str_eq(output, temp_format("%s: cuda-bf16 on Mock, sm_90, driver 13.0, runtime 13.0, attention: flash (cudnn: no "
                                         "room for 4 sequences of 16)\n", program_name));
    static const char *const log[] = { "steps.csv", "evals.csv" };
    for (size_t k = 0; k < COUNT(log); k++) {
        const char *text = temp_read(folder, log[k], NULL);
        const char *says = strstr(text, "# machine cuda-bf16 on Mock, sm_90, driver 13.0, runtime 13.0, attention=flash ");
        ck_assert_msg(says && strstr(says, " threads="), "%s", text);
    }
    char *path = temp_path(folder, "last.ckpt");
    checkpoint_file f = checkpoint_open(path);
    const char *machine = checkpoint_value(&f.head, "machine");
    ck_assert_msg(machine && strstr(machine, ", attention=flash ") && !strstr(machine, "cudnn"), "%s", machine);
    checkpoint_close(&f);
    ck_assert_int_eq(run_child(run_on_a_gpu, folder, output, sizeof output), 0);       /* it is finished: nothing runs */
    ck_assert_str_eq(output, "");
}
END_TEST

/* Until step `until` on a device of that name, NULL for the CPU, which says so many threads. */
typedef struct { const char *folder, *device, *threads; long until; } stage;
static void run_a_stage(void *with)
{
    const stage *s = with;
    ops o = *ops_cpu_f32();
    setenv("OMP_NUM_THREADS", s->threads, 1);
    o.name = s->device ? "cuda-bf16" : "cpu-f32";
    o.device = s->device;
    tokens all = tokens_synthetic(3, 4000);
    train_config c = config(s->folder);
    c.optim.until = s->until;
    train_gpt(&c, &o, &all, &all);
    tokens_free(&all);
}
/* What a record says of a run's machine names each on which steps of it were made, and from which step on. */
START_TEST(a_run_names_all_its_machines)
{
    char *folder = temp_folder(), output[2048];
    stage s = { folder, "Mock", "1", 5 };
    ck_assert_int_eq(run_child(run_a_stage, &s, output, sizeof output), 0);
    s = (stage){ folder, NULL, "12", 10 };
    ck_assert_int_eq(run_child(run_a_stage, &s, output, sizeof output), 0);
    ck_assert_msg(strstr(output, "was written on `cuda-bf16 on Mock "), "%s", output);
    s = (stage){ folder, NULL, "1", 15 };                 /* whose text begins the one before: it is another one */
    ck_assert_int_eq(run_child(run_a_stage, &s, output, sizeof output), 0);
    static const long until[] = { 18, 0 };                /* back on the first, and there again: named once more */
    for (int k = 0; k < 2; k++) {
        s = (stage){ folder, "Mock", "1", until[k] };
        ck_assert_int_eq(run_child(run_a_stage, &s, output, sizeof output), 0);
    }
    static const char *const log[] = { "steps.csv", "evals.csv" };
    for (size_t k = 0; k < COUNT(log); k++) {
        const char *text = temp_read(folder, log[k], NULL), *at = strstr(text, "# machine cuda-bf16 on Mock ");
        static const char *const then[] = { " threads=1, from step 5 on cpu-f32 ", " threads=12, from step 10 on cpu-f32 ",
                                            " threads=1, from step 15 on cuda-bf16 on Mock ", " threads=1\n# commit " };
        for (size_t i = 0; i < COUNT(then) && at; i++) at = strstr(at, then[i]);
        ck_assert_msg(at && !strstr(text, "from step 18"), "%s", text);
    }
}
END_TEST

/* A GPU whose products take 10 ms, whatever they are: 3.4 TFLOP/s where they are measured. */
static void slow_product(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda, const void *B,
                         long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    (void)tA; (void)tB; (void)M; (void)N; (void)K; (void)alpha; (void)A; (void)lda; (void)B; (void)ldb; (void)beta; (void)D;
    (void)C; (void)ldc; (void)kind;
    nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000 * 1000 }, NULL);
}
static const ops *find_gpu(const char *precision, const char **why)
{
    static const char *const names[] = { "cuda-fp32", "cuda-tf32", "cuda-bf16" };
    static ops table[COUNT(names)];
    *why = NULL;
    size_t k = 0;
    while (strcmp(names[k] + 5, precision) != 0) k++;
    table[k] = *ops_cpu_f32();
    table[k].name = names[k];
    table[k].device = "Mock, sm_90";
    table[k].gemm = slow_product;
    return &table[k];
}
const gpu_backend backend_cuda = { .find = find_gpu };

START_TEST(prices_are_of_what_will_run)
{
    static const struct { const char *more, *where; } all[] = {
        { "", "GFLOP/s by cuda-bf16 on Mock, sm_90 (train), " }, { "", "GFLOP/s by cuda-fp32 on Mock, sm_90 (train-vision)" },
        { " --micro=3 --backend=cuda-tf32", "GFLOP/s by cuda-tf32 on Mock, sm_90 (train, train-vision)" },
        { " --backend=cuda-bf16 --backend=cpu", "by cpu-f32 on " }, { " --backend=cpu-bf16", "by cpu-bf16 " } };
    static const run_kind kinds[] = { { "train", NULL }, { "train-vision", NULL }, { NULL, NULL } };
    for (size_t k = 0; k < COUNT(all); k++) {
        const reproduce_options o = { .more = all[k].more, .kinds = kinds };
        const double flops = machine_flops(&o, k == 1 ? "train-vision" : "train");
        char *where = machine_speeds(&o);
        ck_assert_msg(strstr(where, all[k].where), "%s: %s", all[k].more, where);
        if (k < 3) ck_assert_msg(1.5e12 < flops && flops < 3.5e12, "%s: %g", where, flops);
        else       ck_assert_msg(1e8 < flops && strstr(where, " core"), "%s: %g", where, flops);
        free(where);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("run");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, windows_of_a_validation, 0, COUNT(sees));
    tcase_add_test(all, each_window_is_seen);
    tcase_add_test(all, files_read_again_are_files);
    tcase_add_test(all, one_process_in_a_folder);
    tcase_add_test(all, logs_without_a_checkpoint);
    tcase_add_test(all, rows_behind_a_long_header);
    tcase_add_test(all, what_cannot_be_read_is_kept);
    tcase_add_test(all, losses_of_earlier_weights);
    tcase_add_test(all, losses_of_windows);
    tcase_add_test(all, lines_without_a_terminal);
    tcase_add_test(all, time_at_least);
    tcase_add_test(all, one_line_on_a_terminal);
    tcase_add_test(all, ceiling_of_the_largest_matrix);
    tcase_add_test(all, signals_stop_after_a_checkpoint);
    tcase_add_test(all, options_of_the_command);
    tcase_add_test(all, greedy_text);
    tcase_add_test(all, a_gpu_and_its_attention_are_recorded);
    tcase_add_test(all, a_run_names_all_its_machines);
    tcase_add_test(all, prices_are_of_what_will_run);
    return run_suite(suite, argc, argv);
}
