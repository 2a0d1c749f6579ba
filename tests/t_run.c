/* t_run.c - what a run shows and leaves: the progress line, drawn validations, losses of windows, signals. */
#include <math.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/train/progress.h"
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

START_TEST(validations_on_drawn_windows) /* other windows at step 0 and at step 20, given by seed and step */
{
    char *folder = temp_folder();
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(folder);
    c.eval_windows = DRAWN;
    const run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    ck_assert(r.finished);
    char *evals = temp_read(folder, "evals.csv", NULL);
    ck_assert_ptr_nonnull(strstr(evals, " eval=30\n"));
    gpt_config found;
    gpt *M[] = { gpt_create(&c.model, ops_cpu_f32(), 1, c.seed), train_load(folder, ops_cpu_f32(), 1, &found) };
    for (long step = 0; step <= 20; step += 20) {
        double mean = 0;
        for (long k = 0; k < DRAWN; k++) mean += loss_at(M[step / 20], &val, tokens_place(&val, 2, -1 - step, k, T)) / DRAWN;
        ck_assert_double_le(fabs(mean / value_at(evals, step) - 1), 1e-6);
    }
    gpt_free(M[0]);
    gpt_free(M[1]);
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
    temp_only(folder, RUN);
}
END_TEST

static void train_in(void *path)
{
    alarm(60);                                                   /* a pipe could make it wait for ever */
    tokens all = tokens_synthetic(3, 4000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    train_config c = config(path);
    train_gpt(&c, ops_cpu_f32(), &train, &val);
}

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

START_TEST(lines_without_a_terminal)     /* one per validation, with everything in it; none when quiet */
{
    showing s = { .folder = temp_folder(), .steps = 30 };
    char output[4096];
    ck_assert_int_eq(run_child(train_and_show, &s, output, sizeof output), 0);
    ck_assert_ptr_null(strchr(output, '\r'));
    const gpt_config m = config(s.folder).model;
    char *evals = temp_read(s.folder, "evals.csv", NULL), *steps = temp_read(s.folder, "steps.csv", NULL);
    long lines = 0;
    for (const char *at = output; (at = strstr(at, "step ")); at++) {
        long step, most, row;
        double loss, val, rate, share, ceiling, logged;
        ck_assert_msg(sscanf(at, "step %ld/%ld loss %lf val_loss %lf %lf tokens/s %lf %% of %lf GFLOP/s", &step, &most, &loss, &val,
                             &rate, &share, &ceiling) == 7, "%s", at);
        ck_assert_ptr_nonnull(strstr(at, " s left\n"));
        lines++;
        ck_assert_msg(step == 10 * lines && most == 30 && rate > 0 && ceiling > 0, "%s", at);
        const double exact = 100 * rate * gpt_flops(&m) / (1e9 * ceiling);
        ck_assert_msg(fabs(share - exact) <= 0.51 + exact * (0.006 + 0.5 / rate), "%g, not %g", share, exact);
        ck_assert_double_le(fabs(val - value_at(evals, step)), 0.6e-4);
        char *begin = temp_format("\n%ld,", step);
        ck_assert_int_eq(sscanf(strstr(steps, begin), "%ld,%*f,%lf", &row, &logged), 2);
        ck_assert_double_le(fabs(loss - logged), 0.6e-4);
    }
    ck_assert_int_eq(lines, 3);
    temp_only(s.folder, RUN);
    s = (showing){ .folder = temp_folder(), .steps = 30, .quiet = true };
    ck_assert_int_eq(run_child(train_and_show, &s, output, sizeof output), 0);
    ck_assert_str_eq(output, "");
    temp_only(s.folder, RUN);
}
END_TEST

START_TEST(one_line_on_a_terminal)       /* written over and over; the last one stays */
{
    showing s = { .folder = temp_folder(), .steps = 30 };
    char output[4096];
    int from;
    const pid_t child = forkpty(&from, NULL, NULL, NULL);
    ck_assert_int_ge(child, 0);
    if (child == 0) {
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
    const double rate = progress_ceiling(&it, 0.01);
    ck_assert_msg(isfinite(rate) && rate > 1e7, "%g", rate);      /* a pocket calculator is slower */
    params_free(&t);
}
END_TEST

/* ---- signals ---------------------------------------------------------------------------------------------- */

START_TEST(signals_stop_after_a_checkpoint)
{
    static const int number[] = { SIGINT, SIGTERM };
    for (size_t k = 0; k < COUNT(number); k++) {
        showing s = { .folder = temp_folder(), .steps = 1000000, .quiet = true };
        char *path = temp_format("%s/last.ckpt", s.folder);
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr)) _exit(3);
            signal(SIGINT, SIG_DFL);                               /* Check has handlers of its own */
            signal(SIGTERM, SIG_DFL);
            alarm(150);                                            /* not for ever when it does not hear */
            train_and_show(&s);
            _exit(0);
        }
        for (int i = 0; i < 6000 && access(path, F_OK) != 0; i++) usleep(10000);
        kill(child, number[k]);
        int status;
        waitpid(child, &status, 0);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "signal %d: %x", number[k], status);
        checkpoint c = checkpoint_read(path);
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
    ck_assert(value_at(losses, 203) > 0);                          /* a tenth of 2^20 bytes in windows of 512 */
    ck_assert_ptr_null(strstr(losses, "\n204,"));
    ck_assert_ptr_nonnull(strstr(evals, " eval=3\n"));
    temp_only(folder, RUN);
    command = temp_format("%s/provably train --out=x --eval-windows=0", build_folder());
    ck_assert_int_eq(run_shell(command, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "--eval-windows takes a whole number from 1") != NULL, "%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("run");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_test(all, validations_on_drawn_windows);
    tcase_add_test(all, files_read_again_are_files);
    tcase_add_test(all, losses_of_windows);
    tcase_add_test(all, lines_without_a_terminal);
    tcase_add_test(all, one_line_on_a_terminal);
    tcase_add_test(all, ceiling_of_the_largest_matrix);
    tcase_add_test(all, signals_stop_after_a_checkpoint);
    tcase_add_test(all, options_of_the_command);
    return run_suite(suite, argc, argv);
}
