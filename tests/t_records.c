/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_records.c - records of what is finished: subsets of rows and seeds, tuned options, both kinds of error, curves; and
 * that whoever reads a record refuses what does not follow from its values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/file.h"
#include "src/experiments/commands.h"
#include "src/experiments/figures.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/statistics.h"
#include "src/experiments/tuning.h"
#include "tests/support/files.h"
#include "tests/support/recorded.h"
#include "tests/support/suite.h"

static char *root;
static char *in(const char *name) { return temp_path(root, name); }

static void must_hold(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no `%s` in:\n%s", part, text);
}

static char *must_replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "no `%s` in `%s`", from, text);
    return temp_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static long line_of(const results *all, const char *kind, const char *row, const char *of)
{
    for (long k = 0; k < all->n; k++)
        if (result_is(&all->at[k], R_KIND, kind) && result_is(&all->at[k], R_ROW, row)
            && (!of || result_is(&all->at[k], R_METRIC, of))) return k;
    ck_abort_msg("no %s of %s", kind, row);
    return -1;
}

static void must_be(const results *all, long k, result_cell c, const char *text)
{
    ck_assert_msg(result_is(&all->at[k], c, text), "%s of line %ld is `%s`, not `%s`", result_cell_name[c], k,
                  all->at[k].cell[c], text);
}

/* ---- statistics ------------------------------------------------------------------------------------------ */

START_TEST(estimates)
{
    const double x[] = { 1, 2, 4 };                        /* variance 7/3; of the mean 7/9                */
    const stats_estimate own = stats_estimate_mean(x, 3, 0), both = stats_estimate_mean(x, 3, 0.5);
    const stats_estimate one = stats_estimate_mean(x, 1, 0.5), none = stats_estimate_mean(x, 1, 0);
    ck_assert_double_eq_tol(own.error, sqrt(7.0 / 9), 1e-15);
    ck_assert_double_eq(own.freedom, 2);
    const double var = 7.0 / 9 + 0.25;
    ck_assert_double_eq_tol(both.error, sqrt(var), 1e-15);
    ck_assert_double_eq_tol(both.freedom, 2 * var * var * 81 / 49, 1e-12);             /* 3.4924           */
    ck_assert(one.freedom == INFINITY && one.error == 0.5 && isnan(none.error));
    const stats_interval i = stats_estimate_interval(one, 0.95);
    ck_assert_double_eq_tol(i.high - 1, 0.5 * 1.959963985, 1e-9);
    ck_assert_double_eq_tol(i.low + i.high, 2, 1e-12);
    ck_assert_double_eq_tol(stats_estimate_p_below(one, 0), 0.977249868, 1e-9);        /* two errors above */
    ck_assert(stats_estimate_interval(none, 0.95).low == -INFINITY && isnan(stats_estimate_p_below(none, 0)));
    /* much smaller seed variance than the shared one: the normal quantile */
    const double tight[] = { 1, 1 + 1e-9, 1 };
    ck_assert(stats_estimate_mean(tight, 3, 1).freedom == INFINITY);
    ck_assert_double_eq_tol(stats_share_error(0.5, 998), sqrt(0.25 / 1000), 1e-15);
    ck_assert_double_eq_tol(stats_share_error(1, 98), sqrt(0.99 * 0.01 / 100), 1e-15);
}
END_TEST

/* ---- a preset of one part, run by a script ------------------------------------------------------------------ */

/* Each validation loss is what --loss says, plus a thousandth for each seed; three windows' losses; 101 validations. */
static const char script[] =
    "#!/bin/sh\n"
    "shift\n"
    "for word; do case $word in --out=*) out=${word#--out=};; --loss=*) loss=${word#--loss=};;\n"
    "  --seed=*) seed=${word#--seed=};; --data-seed=*) order=${word#--data-seed=};;\n"
    "  --windows=*) windows=${word#--windows=};; esac; done\n"
    "mkdir -p $out; echo started >> $out/starts\n"
    "sources=\"# sources toy seed=$seed data_seed=$order train=abcd val_n=1000\"\n"
    "if [ -f $out/../diverge-${out##*/} ]; then printf 'step,rate,loss,norm\\n31,1,inf,nan\\n' > $out/steps.csv\n"
    "  { echo \"$sources\"; echo step,val_loss,gain; echo 31,inf,nan\n"
    "  } > $out/evals.csv; exit 3; fi\n"
    "{ echo \"$sources\"; echo step,val_loss,gain\n"
    "  awk -v a=$loss -v s=$seed 'BEGIN { for (k = 0; k < 100; k++) print k \",9,1\";\n"
    "    print \"100,\" a + (s % 10) / 1000 \",0.25\" }'; } > $out/evals.csv\n"
    "if [ -n \"$windows\" ]; then awk -v a=$loss -v s=$seed 'BEGIN { a += (s % 10) / 1000; print \"# w\\nwindow,loss\";\n"
    "    print \"0,\" 0; print \"1,\" 2 * a; print \"2,\" a }' > $out/losses.csv; fi\n";

static run_cost cost(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return (run_cost){ .parameters = 1234, .flops = 1e9, .units = 500, .steps = 100, .unit = "tokens" };
}
static const run_kind kinds[] = { { "train", cost }, { NULL, NULL } };

static const preset_row toy_rows[] = {
    { .name = "low", .options = "--loss=1.0" }, { .name = "high", .options = "--loss=1.5" },
    { .name = "like", .options = "--loss=1.001", .seeds = 2 },
};
static const planned toy_plan[] = {
    { .kind = BELOW, .first = "low", .second = "high" },
    { .kind = SAME, .first = "low", .second = "like", .margin = 0.005 },
    { .kind = BELOW, .first = "low", .second = "like" },
    { .kind = BELOW, .first = "low", .second = "high", .metric = 1, .claim = "B-1" },
};
static const experiment toy_part[] = { {
    .name = "toy", .title = "a toy", .claim = "K-X", .command = "train", .options = "--windows=2", .without_data = "",
    .row = toy_rows, .rows = 3, .plan = toy_plan, .plans = 4, .seeds = 3, .seed = 10, .order = 20,
    .shown = { { .name = "val_loss", .shown = "loss", .times = 1 },
               { .name = "gain", .shown = "right", .times = 100, .share = true },
               { .name = "val_loss", .shown = "loss - gain", .times = 1, .minus = "gain" } } } };
static const preset toy = { .name = "toy", .about = "for tests", .scale = "tiny", .part = toy_part, .parts = 1,
                            .jobs = 2 };

/* A part whose figures are means over images. */
static const planned images_plan[] = {
    { .kind = BELOW, .first = "low", .second = "high" }, { .kind = BELOW, .first = "low", .second = "high", .metric = 1 },
    { .kind = BELOW, .first = "low", .second = "high", .metric = 2 },
};
static const experiment images_part[] = { {
    .name = "toy", .title = "images", .claim = "K-X", .command = "train", .options = "", .without_data = "",
    .row = toy_rows, .rows = 2, .plan = images_plan, .plans = 3, .seeds = 3, .seed = 10, .order = 20,
    .shown = { { .name = "val_accuracy", .shown = "right", .times = 100, .share = true },
               { .name = "val_loss", .shown = "loss", .times = 1, .over_images = true },
               { .name = "val_loss", .shown = "loss - right", .times = 1, .minus = "val_accuracy", .over_images = true } } } };
static const preset images_preset = { .name = "images", .about = "for tests", .scale = "tiny", .part = images_part, .parts = 1,
                                      .jobs = 2 };

/* out: "out" if NULL; of: the preset, toy if NULL */
typedef struct { const char *rows; long seeds; bool record; const char *out; const preset *of; const char *more; } what;

static void setup(void)
{
    root = temp_folder();
    char *path = temp_text(root, "program", script);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static void reproduce_child(void *with)
{
    const what *w = with;
    char *program = in("program"), *out = in(w->out ? w->out : "out"), *to = in("results");
    const reproduce_options o = { .out = out, .results = to, .more = w->more ? w->more : "", .program = program, .kinds = kinds,
                                  .rows = w->rows, .seeds = w->seeds, .record = w->record };
    exit(reproduce_run(w->of ? w->of : &toy, &o));
}

/* Runs what is asked for, and reads what it recorded, strictly. */
static results run_toy(what w, char *output, size_t size)
{
    results all = { NULL, 0 };
    const preset *p = w.of ? w.of : &toy;
    ck_assert_msg(run_child(reproduce_child, &w, output, size) == 0, "%s", output);
    char *path = in(temp_format("results/%s.csv", p->name));
    results_parse(&all, path);
    results_check(&all, p, path);
    ck_assert_int_eq(all.n, p == &toy ? 9 + 4 : 6 + 3);
    return all;
}

START_TEST(parts_of_a_preset)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low,high", .seeds = 2 }, output, sizeof output);
    const long low = line_of(&all, "run", "low", "loss"), like = line_of(&all, "run", "like", "loss");
    const long order = line_of(&all, "comparison", "low - high", "difference of loss");
    must_be(&all, low, R_N, "2");
    must_be(&all, low, R_PLANNED, "3");
    must_be(&all, low, R_SEEDS, "10 to 11");
    must_be(&all, low, R_VALUES, "1 1.001");
    must_be(&all, low, R_VERDICT, "2 of 3 seeds: not judged");
    must_be(&all, low, R_INTERVAL, "seeds");
    must_be(&all, low, R_FLOPS, "1e+09");
    must_be(&all, like, R_N, "0");
    must_be(&all, like, R_VERDICT, "not run");
    const result_cell empty[] = { R_MEAN, R_LOW, R_HIGH, R_VALUES, R_SEEDS, R_INTERVAL, R_SE_SEEDS, R_HARDWARE, R_DATE,
                                  R_COMMIT, R_DATA };
    for (size_t k = 0; k < COUNT(empty); k++) must_be(&all, like, empty[k], "");
    must_hold(all.at[like].cell[R_COMMAND], "--loss=1.001");
    must_be(&all, order, R_VERDICT, "2 of 3 seeds: not judged");
    must_be(&all, order, R_P, "0.0416");
    must_be(&all, order, R_P_HOLM, "");                                   /* not complete: nothing decides  */
    must_be(&all, line_of(&all, "comparison", "low - like", NULL), R_VERDICT, "not run");
    must_hold(output, "lines have no finished run yet");
    must_hold(output, "  right of 1000 test images, mean of the seeds [95 % interval]");
    results_free(&all);

    all = run_toy((what){ .rows = "high", .seeds = 3 }, output, sizeof output);           /* a hole: low has two */
    must_be(&all, line_of(&all, "run", "high", "loss"), R_VERDICT, "");
    must_be(&all, order, R_SEEDS, "10 to 11");
    results_free(&all);

    all = run_toy((what){ .record = true }, output, sizeof output);
    must_be(&all, low, R_N, "2");
    ck_assert(!temp_exists(root, "out/toy-low-3") && !strstr(output, "[1/"));             /* nothing was started */
    results_free(&all);

    all = run_toy((what){ .rows = NULL }, output, sizeof output);
    must_be(&all, low, R_VERDICT, "");
    must_be(&all, like, R_N, "2");
    must_be(&all, like, R_PLANNED, "2");
    must_be(&all, like, R_VERDICT, "");                                   /* as many as planned              */
    must_be(&all, order, R_VERDICT, "not resolved at this size");         /* three windows are few          */
    must_be(&all, line_of(&all, "comparison", "low - high", "difference of right"), R_INTERVAL,
            "seeds and test images");                                     /* windows' losses are no error of it */
    const long same = line_of(&all, "comparison", "low - like", NULL);
    must_be(&all, same, R_N, "2");
    must_be(&all, same, R_VERDICT, "fewer than three seeds: not judged");
    ck_assert_int_eq((long)strlen(temp_read(root, "out/toy-low-1/starts", NULL)), 8);     /* once            */
    results_free(&all);

    char *done = temp_read(root, "out/toy-low-1/done", NULL), *here = machine_name();     /* where it ran, not   */
    must_hold(done, here);                                                /* where it is read                */
    temp_text(root, "out/toy-low-1/done", must_replace(done, here, "Another CPU, 99 cores"));
    all = run_toy((what){ .record = true }, output, sizeof output);
    char *both = must_format("Another CPU, 99 cores;  and %s; ", here);   /* three seeds, two machines, each named once */
    must_be(&all, low, R_HARDWARE, both);
    must_be(&all, like, R_HARDWARE, temp_format("%s; ", here));
    free(both);
    results_free(&all);
    temp_text(root, "out/toy-low-1/done", temp_format("%.*s\n", (int)strcspn(done, "\n"), done));   /* earlier */
    all = run_toy((what){ .record = true }, output, sizeof output);
    must_be(&all, low, R_HARDWARE, temp_format("%s; ", here));
    results_free(&all);
    temp_text(root, "out/toy-low-1/done", must_replace(done, here, "CPU\033[31m"));               /* a stranger's */
    what again = { .record = true };
    ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
    must_hold(output, "toy-low-1/done: its second line has characters that command a terminal: `CPU\\x1b[31m`");
    temp_text(root, "out/toy-low-1/done", done);
    char *evals = temp_read(root, "out/toy-low-1/evals.csv", NULL);
    temp_text(root, "out/toy-low-1/evals.csv", temp_format("# commit a\xe2\x80\xae" "b\n%s", evals));
    ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
    must_hold(output, "its `# commit` has characters that command a terminal: `a\\u202eb`");
    temp_text(root, "out/toy-low-1/evals.csv", evals);
    free(here);
}
END_TEST

/* A seed that diverged is finished, its figures are inf or nan, and no comparison with it is judged. */
START_TEST(a_seed_diverges)
{
    static const struct { const char *run; const char *low, *high, *difference, *share; } try[] = {
        { "toy-high-2", "1 1.001 1.002", "1.5 inf 1.502", "-0.5 -inf -0.5", "25 nan 25" },
        { "toy-low-1", "inf 1.001 1.002", "1.5 1.501 1.502", "inf -0.5 -0.5", "nan 25 25" } };
    char output[1 << 14], *folder = in(_i ? "second" : "first");
    make_folder(folder);
    temp_text(root, temp_format("%s/diverge-%s", _i ? "second" : "first", try[_i].run), "");
    results all = run_toy((what){ .out = _i ? "second" : "first" }, output, sizeof output);
    must_hold(output, "diverged at step 31 after ");
    must_hold(output, "  1 of the finished runs diverged: their figures are recorded as inf");
    must_hold(output, _i ? "low                             inf   n = 3\n" : "high                            inf   n = 3\n");
    must_hold(output, _i ? "low                             nan   n = 3\n" : "high                            nan   n = 3\n");
    const long low = line_of(&all, "run", "low", "loss"), high = line_of(&all, "run", "high", "loss");
    const long bad = _i ? low : high, order = line_of(&all, "comparison", "low - high", "difference of loss");
    must_be(&all, low, R_VALUES, try[_i].low);
    must_be(&all, high, R_VALUES, try[_i].high);
    must_be(&all, bad, R_N, "3");
    must_be(&all, bad, R_MEAN, "inf");
    const result_cell empty[] = { R_LOW, R_HIGH, R_INTERVAL, R_SE_SEEDS, R_P };
    for (size_t k = 0; k < COUNT(empty); k++) must_be(&all, bad, empty[k], "");
    must_be(&all, line_of(&all, "run", _i ? "low" : "high", "right"), R_VALUES, try[_i].share);
    must_be(&all, line_of(&all, "run", _i ? "low" : "high", "right"), R_MEAN, "");
    must_be(&all, order, R_VALUES, try[_i].difference);
    for (size_t k = 0; k < COUNT(empty); k++) must_be(&all, order, empty[k], "");
    must_be(&all, order, R_P_HOLM, "");
    for (long k = 0; k < all.n; k++)
        if (result_is(&all.at[k], R_KIND, "comparison") && strstr(all.at[k].cell[R_ROW], _i ? "low" : "high"))
            must_be(&all, k, R_VERDICT, strstr(all.at[k].cell[R_ROW], "like") ? "fewer than three seeds: not judged"
                                                                              : "not measured in every run");
    ck_assert_str_eq(temp_read(root, temp_format("%s/%s/starts", _i ? "second" : "first", try[_i].run), NULL), "started\n");
    results_free(&all);
    all = run_toy((what){ .out = _i ? "second" : "first" }, output, sizeof output);       /* nothing runs again */
    must_be(&all, bad, R_MEAN, "inf");
    must_hold(output, "1 of the finished runs diverged");
    ck_assert_str_eq(temp_read(root, temp_format("%s/%s/starts", _i ? "second" : "first", try[_i].run), NULL), "started\n");
    results_free(&all);
}
END_TEST

/* A record is replaced by runs that hold all its seeds only, and by nothing at all. */
START_TEST(records_are_kept)
{
    char output[1 << 14];
    what nothing = { .record = true, .out = "new" };
    ck_assert_msg(run_child(reproduce_child, &nothing, output, sizeof output) == 0, "%s", output);
    must_hold(output, "no run of toy is finished: nothing is written");
    ck_assert(!temp_exists(root, "results/toy.csv") && !temp_exists(root, "results/curves"));
    results all = run_toy((what){ .rows = NULL }, output, sizeof output);
    results_free(&all);
    char *before = temp_read(root, "results/toy.csv", NULL);
    static const struct { what w; const char *says; } less[] = {
        { { .record = true, .out = "new" }, "results/toy.csv holds 8 finished seeds that would be lost: " },
        { { .rows = "low", .out = "new" }, "holds 5 finished seeds that would be lost: " },
        { { .seeds = 2, .out = "new" }, "holds 2 finished seeds that would be lost: " } };
    for (size_t k = 0; k < COUNT(less); k++) {
        what w = less[k].w;
        ck_assert_int_eq(run_child(reproduce_child, &w, output, sizeof output), 2);
        must_hold(output, less[k].says);
        must_hold(output, "new has no such runs.  Give the --out (and --seeds) of those runs");
        ck_assert_str_eq(temp_read(root, "results/toy.csv", NULL), before);
        ck_assert(!temp_exists(root, "new/toy-low-1"));                   /* nothing was started             */
    }
    all = run_toy((what){ .rows = "low", .seeds = 1 }, output, sizeof output);            /* all are in out  */
    results_free(&all);
    all = run_toy((what){ .out = "new" }, output, sizeof output);                         /* all are run     */
    results_free(&all);
    temp_text(root, "out/toy-low-2/done", "");                            /* says nothing: it is not finished */
    what one = { .record = true };
    ck_assert_int_eq(run_child(reproduce_child, &one, output, sizeof output), 2);
    must_hold(output, "holds 1 finished seed that would be lost: ");
    ck_assert_int_eq(remove(in("out/toy-low-2/done")), 0);
    ck_assert_int_eq(run_child(reproduce_child, &one, output, sizeof output), 2);
    must_hold(output, "holds 1 finished seed that would be lost: ");
    temp_text(root, "results/toy.csv", temp_format("# a note\n%s", before));
    ck_assert_int_eq(run_child(reproduce_child, &one, output, sizeof output), 2);
    must_hold(output, "results/toy.csv is no record of runs and would be replaced; move it away");
}
END_TEST

/* Runs with other options than the preset's, or on synthetic data, are no substitute for planned ones that are recorded. */
START_TEST(planned_runs_are_kept)
{
    static const char *const other[] = { "--until=5", "--data=synthetic", "--windows=3" };
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low", .seeds = 2 }, output, sizeof output);
    results_free(&all);
    char *before = temp_read(root, "results/toy.csv", NULL);
    for (size_t k = 0; k < COUNT(other); k++) {
        what w = { .out = "new", .more = other[k] };
        ck_assert_int_eq(run_child(reproduce_child, &w, output, sizeof output), 2);
        must_hold(output, "results/toy.csv holds 2 finished seeds of the preset's own command that would be lost: ");
        ck_assert_str_eq(temp_read(root, "results/toy.csv", NULL), before);
        ck_assert(!temp_exists(root, "new/toy-low-1"));
    }
    all = run_toy((what){ .out = "new", .more = "--micro=2" }, output, sizeof output);    /* leaves the model as it is */
    results_free(&all);
    ck_assert_int_eq(remove(in("results/toy.csv")), 0);
    for (int k = 0; k < 2; k++) {                                         /* what was not planned is replaced */
        all = run_toy((what){ .out = "third", .more = "--windows=3" }, output, sizeof output);
        results_free(&all);
    }
    all = run_toy((what){ .out = "new", .more = "--micro=2" }, output, sizeof output);
    must_be(&all, line_of(&all, "run", "low", "loss"), R_VERDICT, "");
    results_free(&all);
}
END_TEST

/* Seeds need not follow each other. */
START_TEST(a_seed_between_is_missing)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = NULL }, output, sizeof output);
    results_free(&all);
    char *done = in("out/toy-low-2/done");
    ck_assert_int_eq(remove(done), 0);
    ck_assert_int_eq(remove(in("results/toy.csv")), 0);
    all = run_toy((what){ .record = true }, output, sizeof output);
    const long low = line_of(&all, "run", "low", "loss"), like = line_of(&all, "comparison", "low - like", NULL);
    must_be(&all, low, R_SEEDS, "10 12");
    must_be(&all, low, R_VALUES, "1 1.002");
    must_be(&all, like, R_SEEDS, "10");                                   /* like has 10 and 11              */
    must_be(&all, like, R_VERDICT, "1 of 2 seeds: not judged");
    results_free(&all);
}
END_TEST

/* What is not whole is no figure: a run's evals.csv is taken as it was written, or refused. */
START_TEST(damaged_figures)
{
    static const struct { const char *evals, *says; } try[] = {
        { "step,val_loss,gain\n0,5,1\n100,4.5,2\n", NULL }, { "step,val_loss,gain\n0,5,1\n100,inf,nan\n", NULL },
        { "step,val_loss,gain\n0,5,1\n100,4.5,2", "evals.csv:4: the line is cut off; get it again" },
        { "step,val_loss,gain\n0,5,1\n100,4.5xyz,2\n", "evals.csv:4: column val_loss, `4.5xyz`, is not a number" },
        { "step,val_loss,gain\n0,5,1\n100,abc,2\n", "column val_loss, `abc`, is not a number" }, { "step,val_loss,gain\n0,5,1\n100\n", "evals.csv:4: 1 columns, not the 3" },
        { "step,val_loss,gain\n0,5,1\n100,4,2\n2,1,1\n", "evals.csv:5: step 2 comes behind step 100" },
        { "step,val_loss,gain\n0,5,1\n100,4,2\n100,1,1\n", "evals.csv:5: step 100 comes behind step 100" },
        { "step,val_loss,gain\n0,5,1\nx,4,2\n", "evals.csv:4: column step, `x`, is not a whole number" } };
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low", .seeds = 1 }, output, sizeof output);
    results_free(&all);
    what again = { .record = true };
    for (size_t k = 0; k < COUNT(try); k++) {
        temp_text(root, "out/toy-low-1/evals.csv", temp_format("# sources seed=10 data_seed=20\n%s", try[k].evals));
        const int status = run_child(reproduce_child, &again, output, sizeof output);
        ck_assert_msg(status == (try[k].says ? 2 : 0), "%zu: %d, %s", k, status, output);
        if (try[k].says) must_hold(output, "out/toy-low-1/evals.csv:");
        if (try[k].says) must_hold(output, try[k].says);
    }
}
END_TEST

/* A finished run's folder that was trained in again has other figures, whatever its `done` says. */
START_TEST(figures_of_a_folder_trained_in_again)
{
    static const struct { const char *evals, *says; } try[] = {
        { "# sources toy seed=10 data_seed=20 train=abcd val_n=1000\nstep,val_loss,gain\n0,5,1\n",
          "out/toy-low-1/evals.csv ends at step 0, and the finished run at step 100: remove the folder" },
        { "# sources toy seed=10 data_seed=20 train=abcd val_n=1000\nstep,val_loss,gain\n0,5,1\n99,1,1\n", "ends at step 99, and " },
        { "# sources toy seed=10 data_seed=20 train=abcd val_n=1000\nstep,val_loss,gain\n0,5,1\n101,1,1\n", "ends at step 101, and " },
        { "# sources toy seed=11 data_seed=20 train=abcd val_n=1000\nstep,val_loss,gain\n100,1,1\n",
          "out/toy-low-1/evals.csv is of seed=11, and the finished run of --seed=10: remove the folder" },
        { "# sources toy seed=10 data_seed=2 train=abcd val_n=1000\nstep,val_loss,gain\n100,1,1\n",
          "evals.csv is of data_seed=2, and the finished run of --data-seed=20: " },
        { "step,val_loss,gain\n100,1,1\n", "evals.csv is of seed=, and the finished run of --seed=10: " } };
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low", .seeds = 1 }, output, sizeof output);
    results_free(&all);
    char *before = temp_read(root, "results/toy.csv", NULL);
    what again = { .record = true };
    for (size_t k = 0; k < COUNT(try); k++) {
        temp_text(root, "out/toy-low-1/evals.csv", try[k].evals);
        ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
        must_hold(output, try[k].says);
        ck_assert_str_eq(temp_read(root, "results/toy.csv", NULL), before);
    }
    make_folder(in("second"));                                            /* of a run that diverged, too     */
    temp_text(root, "second/diverge-toy-low-1", "");
    all = run_toy((what){ .rows = "low", .out = "second" }, output, sizeof output);
    results_free(&all);
    temp_text(root, "second/toy-low-1/evals.csv", temp_format("# sources seed=10 data_seed=20\nstep,val_loss,gain\n0,5,1\n"));
    again.out = "second";
    ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
    must_hold(output, "second/toy-low-1/evals.csv ends at step 0, and the finished run at step 31: remove the folder");
}
END_TEST

static void need_whole_child(void *with) { run_folder_need_whole(in("run"), with, 5); }

/* Seeds of a row, and rows of a part, whose texts differ are not put together. */
START_TEST(one_part_has_one_text)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low,high", .seeds = 2 }, output, sizeof output);
    results_free(&all);
    char *before = temp_read(root, "results/toy.csv", NULL);
    static const char *const other[] = { "low-2", "high-1" }, *const from[] = { "train=abcd", "toy seed" };
    static const char *const to[] = { "train=ffff", "toy val=12 seed" };
    for (size_t k = 0; k < COUNT(other); k++) {
        char *path = temp_format("out/toy-%s/evals.csv", other[k]), *evals = temp_read(root, path, NULL);
        for (size_t i = 0; i < COUNT(from); i++) {
            what again = { .record = true };
            temp_text(root, path, must_replace(evals, from[i], to[i]));
            ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
            must_hold(output, "out/toy-low-1 and ");
            must_hold(output, temp_format("out/toy-%s were trained on different data (`toy train=abcd val_n=1000` and `toy %s",
                                          other[k], i ? "val=12 train=abcd" : "train=ffff"));
            ck_assert_str_eq(temp_read(root, "results/toy.csv", NULL), before);
        }
        temp_text(root, path, evals);
    }
    all = run_toy((what){ .record = true }, output, sizeof output);
    results_free(&all);
}
END_TEST

/* --seed=1 and --seed 1, the last of several, and none: what a command does not say is not asked for. */
START_TEST(seeds_of_a_command)
{
    static const struct { const char *command; bool whole; } try[] = {
        { "train --seed=7", true }, { "train --seed 7", true }, { "train --seed=3 --seed=7", true }, { "train --seed=007", true },
        { "train", true }, { "train --seed=7 --seed=3", false }, { "train --seed 3", false }, { "train --seedling=3", true } };
    char output[1024];
    make_folder(in("run"));
    temp_text(root, "run/evals.csv", "# sources data_seed=9 seed=7\nstep,val_loss\n5,1\n");
    for (size_t k = 0; k < COUNT(try); k++) {
        worklist w = { NULL, 0 };
        ck_assert_ptr_null(worklist_add(&w, kinds, "run", try[k].command));
        const int status = run_child(need_whole_child, &w.at[0], output, sizeof output);
        ck_assert_msg(status == (try[k].whole ? 0 : 2), "%s: %d, %s", try[k].command, status, output);
        worklist_free(&w);
    }
}
END_TEST

START_TEST(unknown_rows)
{
    char output[1 << 14];
    what w = { .rows = "low,nope" };
    ck_assert_int_eq(run_child(reproduce_child, &w, output, sizeof output), 2);
    must_hold(output, "--rows: preset toy has no row `nope`; its rows are low, high, like");
    ck_assert(!temp_exists(root, "out"));
}
END_TEST

/* Two of three seeds of low and high. */
static const struct { long line; result_cell c; const char *to, *says; } tampered[] = {
    { 0, R_N, "3", "n is `3`, but should be `2`" },
    { 0, R_PLANNED, "2", "planned is `2`, but should be `3`" },
    { 0, R_SEEDS, "10 to 12", "are not 3 numbers" },
    { 0, R_SEEDS, "10 12", "values `-0.5 -0.5` are not 1 numbers" },      /* of the comparison               */
    { 0, R_SEEDS, "11 10", "seeds `11 10` are not seeds of this part, whose first is 10" },
    { 0, R_SEEDS, "9 10", "seeds `9 10` are not seeds of this part" },
    { 0, R_SEEDS, "10  11", "seeds `10  11` are not seeds of this part" },
    { 0, R_SEEDS, "10 11", "seeds is `10 11`, but should be `10 to 11`" },
    { 0, R_SEEDS, "", "are not 0 numbers" },
    { 0, R_VERDICT, "", "verdict is ``, but the values give `2 of 3 seeds: not judged`" },
    { 0, R_VERDICT, "3 of 3 seeds: not judged", "unknown verdict" },
    { 0, R_VERDICT, "1 of 3 seeds: not judged", "but the values give `2 of 3" },
    { 0, R_INTERVAL, "test images", "interval is `test images`, but should be `seeds`" },
    { 0, R_SE_SEEDS, "0.1", "se_seeds is `0.1`, but should be `0.0005`" },
    { 2, R_VERDICT, "as printed", "but the values give `not run`" },
    { 2, R_VALUES, "1 1.001", "values `1 1.001` are not 0 numbers" },
    { 2, R_MEAN, "1", "mean is `1`, but the values give ``" },
    { 3, R_EVAL_N, "10000", "eval_n is `10000`, but should be `1000`" },
    { 3, R_SE_EVAL, "0.1", "se_eval is `0.1`, but should be" },
    { 3, R_DATA, "val_n=10000", "but" },
    { 9, R_P, "0.5", "p is `0.5`, but should be `0.0416`" },
    { 9, R_P_HOLM, "0", "p_holm is `0`, but should be ``" },
    { 9, R_VERDICT, "as printed: low is lower (p = 0)", "but the values give `2 of 3" },
    { 9, R_EVAL_OF, "", "p is `0.0416`, but should be `< 1e-300`" },
    { 9, R_INTERVAL, "seeds", "interval is `seeds`, but should be `seeds and windows`" },
    { 0, R_UNITS, "-5", "units `-5` is not a number of at least 0" },
    { 0, R_FLOPS, "much", "flops `much` is not a number of at least 0" },
    { 3, R_COMMAND, "provably train", "command is `provably train`, but that of the row's first line is `" },
    { 9, R_SE_EVAL, "-1", "se_eval `-1` is not an error over 3 windows" },
    { 9, R_EVAL_N, "0", "is not an error over 0 windows" },
    { 9, R_EVAL_OF, "windows of each seed", "p is `0.0416`, but should be `< 1e-300`" },
    { 12, R_CLAIM, "K-X", "claim is `K-X`, not `B-1`" },
    { 12, R_METRIC, "difference of loss", "metric is `difference of loss`, not `difference of right`" },
};

static void check_child(void *with) { results_check(with, &toy, "toy.csv"); }
static void check_images_child(void *with) { results_check(with, &images_preset, "images.csv"); }

START_TEST(tampered_parts)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low,high", .seeds = 2 }, output, sizeof output);
    ck_assert_int_eq(run_child(check_child, &all, output, sizeof output), 0);
    for (size_t k = 0; k < COUNT(tampered); k++) {
        char *before = temp_format("%s", all.at[tampered[k].line].cell[tampered[k].c]);
        set_recorded(&all, tampered[k].line, tampered[k].c, tampered[k].to);
        ck_assert_msg(run_child(check_child, &all, output, sizeof output) == 2, "%s", tampered[k].says);
        must_hold(output, tampered[k].says);
        set_recorded(&all, tampered[k].line, tampered[k].c, before);
    }
    results_free(&all);
}
END_TEST

/* ---- one seed of an accuracy, and Holm beside what has not run ------------------------------------------------- */

static char *own_command(const experiment *e, long row)
{
    char *options = experiment_options(e, row, "", "DATA");
    char *text = must_format("provably %s %s --seed=%ld --data-seed=%ld", e->command, options, e->seed, e->order);
    free(options);
    return text;
}

static results judged(const figures *f)
{
    results all = { NULL, 0 };
    for (long k = 0; k < figures_lines(f->e); k++) {
        outcome is;
        result r = figures_line_judged(f, k, &is);
        r.cell[R_COMMAND] = own_command(f->e, figures_line_place(f->e, k).row);
        r.cell[R_DATA] = must_strdup("cifar10 val_n=1000");
        results_add(&all, r);
    }
    return all;
}

/* 39.2 and 60.2 % of 1,000 images differ by 21 +- 2.2 points; 53.7 and 55.3 % by less than can be told. */
START_TEST(proportions_of_one_seed)
{
    const preset *p = preset_find("vit-cifar10");
    figures f = figures_new(p, &p->part[0], 1);
    for (long row = 0; row < f.rows; row++) f.images[row] = 1000;
    figures_named(&f, "cifar_6_1_no_min")[0] = 39.2;
    figures_named(&f, "cifar_6_1_mlp_full")[0] = 60.2;
    figures_named(&f, "cifar_6_1_no_wqk")[0] = 53.7;
    figures_named(&f, "cifar_6_1_no_full")[0] = 55.3;
    figures_named(&f, "cifar_6_1_no_sym")[0] = 70;
    figures_round(&f);
    results all = judged(&f);
    const char *share = "difference of validation accuracy, %";
    const long min = line_of(&all, "comparison", "cifar_6_1_no_min - cifar_6_1_mlp_full", share);
    const long wqk = line_of(&all, "comparison", "cifar_6_1_no_wqk - cifar_6_1_no_full", share);
    const double error = 100 * hypot(stats_share_error(0.392, 1000), stats_share_error(0.602, 1000));
    must_be(&all, min, R_CLAIM, "B-43");
    must_be(&all, min, R_INTERVAL, "test images");
    must_be(&all, min, R_EVAL_N, "1000");
    must_be(&all, min, R_PLANNED, "3");
    must_be(&all, min, R_VERDICT, "1 of 3 seeds: not judged");            /* though the images tell them apart */
    ck_assert_double_eq_tol(strtod(all.at[min].cell[R_SE_EVAL], NULL), error, 1e-5);
    ck_assert_double_eq_tol(strtod(all.at[min].cell[R_HIGH], NULL), -21 + 1.959964 * error, 1e-3);
    must_be(&all, wqk, R_VERDICT, "1 of 3 seeds: not judged");
    ck_assert_double_gt(strtod(all.at[wqk].cell[R_P], NULL), 0.3);
    const long loss = line_of(&all, "comparison", "cifar_6_1_no_min - cifar_6_1_mlp_full",
                              "difference of validation loss");
    must_be(&all, loss, R_VERDICT, "1 of 3 seeds: not judged");           /* a loss has no such error        */
    must_be(&all, loss, R_LOW, "");
    results_free(&all);
    figures_free(&f);
}
END_TEST

START_TEST(one_seed_as_planned)
{
    const preset *p = preset_find("gpt-100k");
    figures f = figures_new(p, &p->part[0], 1);
    for (long row = 0; row < f.rows; row++) figures_row(&f, 0, row)[0] = 3.016 + 0.002 * (double)row;
    figures_round(&f);
    results all = judged(&f);
    const long line = line_of(&all, "comparison", "reduced - baseline", NULL);
    must_be(&all, line, R_PLANNED, "1");
    must_be(&all, line, R_VERDICT, "one seed: not judged");
    char *wrong;
    long at;
    outcome *is = results_part_outcomes(p, &p->part[0], all.at, all.n, &at, &wrong);
    ck_assert_msg(is != NULL, "%s", wrong);
    ck_assert_int_eq(is[line], OUTCOME_ONE_SEED);
    free(is);
    results_free(&all);
    figures_free(&f);
}
END_TEST

/* With three seeds of both rows the comparison of accuracies is judged; that of losses, whose test set's error no run
 * writes, is not resolved however far apart they are. */
START_TEST(proportions_of_three_seeds)
{
    const preset *p = preset_find("vit-cifar10");
    figures f = figures_new(p, &p->part[0], 3);
    const long min = experiment_row_named(f.e, "cifar_6_1_no_min");
    const long mlp = experiment_row_named(f.e, "cifar_6_1_mlp_full");
    for (long row = 0; row < f.rows; row++) f.images[row] = 1000;
    for (long seed = 0; seed < 3; seed++) {
        figures_row(&f, 0, min)[seed] = 39.2 + 0.1 * (double)seed;
        figures_row(&f, 0, mlp)[seed] = 60.2;
        for (long row = 0; row < f.rows; row++) figures_row(&f, 1, row)[seed] = 1 + (double)row + 0.001 * (double)seed;
    }
    figures_round(&f);
    results all = judged(&f);
    const char *first = "cifar_6_1_no_min - cifar_6_1_mlp_full";
    must_be(&all, line_of(&all, "comparison", first, "difference of validation accuracy, %"), R_VERDICT,
            "not as printed: they differ by more than 2");
    long losses = 0;
    for (long k = 0; k < all.n; k++) {
        if (!result_is(&all.at[k], R_KIND, "comparison")) continue;
        if (!strstr(all.at[k].cell[R_METRIC], "validation loss")) continue;
        must_be(&all, k, R_VERDICT, "not resolved: interval over seeds only, without that of the test images");
        must_be(&all, k, R_INTERVAL, "seeds");
        losses++;
    }
    ck_assert_int_eq(losses, 7);                                          /* 3 of losses, 4 of gaps          */
    results_free(&all);
    figures_free(&f);
}
END_TEST

/* The test images' error widens what three seeds say: 60 +- 0.04 becomes 60 +- 3.0. */
START_TEST(few_images_widen)
{
    const preset *p = preset_find("mnist");
    figures f = figures_new(p, &p->part[0], 3);
    const double x[] = { 60, 60.02, 59.98 };
    memcpy(figures_row(&f, 0, 0), x, sizeof x);
    results narrow = judged(&f);
    f.images[0] = 1000;
    results wide = judged(&f);
    must_be(&narrow, 0, R_INTERVAL, "seeds");
    must_be(&wide, 0, R_INTERVAL, "seeds and test images");
    const double before = strtod(narrow.at[0].cell[R_HIGH], NULL), after = strtod(wide.at[0].cell[R_HIGH], NULL);
    ck_assert_double_le(before, 60.1);
    ck_assert_double_eq_tol(after, 60 + 1.96 * 100 * stats_share_error(0.6, 1000), 0.01);
    results_free(&narrow);
    results_free(&wide);
    figures_free(&f);
}
END_TEST

/* One of three orders is finished, with p = 0.01999: the two others count, and 0.05 is not reached. */
START_TEST(what_has_not_run_counts)
{
    const preset *p = preset_find("gpt-100k");
    figures f = figures_new(p, &p->part[0], 3);
    for (long seed = 0; seed < 3; seed++) figures_named(&f, "reduced-larger-mlp")[seed] = -1.8 - (double)seed;
    figures_round(&f);
    for (long seed = 0; seed < 3; seed++) f.missing[experiment_row_named(f.e, "reduced") * 3 + seed] = true;
    results all = judged(&f);
    must_be(&all, 5, R_P, "0.02");
    must_be(&all, 5, R_P_HOLM, "0.06");
    must_be(&all, 5, R_VERDICT, "not resolved at this size");
    must_be(&all, 6, R_VERDICT, "not run");
    must_be(&all, 8, R_P, "");
    results_free(&all);
    f.other[experiment_row_named(f.e, "baseline")] = true;                /* the second of the two           */
    all = judged(&f);
    must_be(&all, 5, R_P, "0.02");
    must_be(&all, 5, R_P_HOLM, "");
    must_be(&all, 5, R_VERDICT, "other options: not judged");
    results_free(&all);
    figures_free(&f);
}
END_TEST

/* ---- errors of images ------------------------------------------------------------------------------------ */

/* What the finished model of a row and seed says of 1,000 images, a quarter of which are right: the losses scatter by 0.3 around
 * the run's where `spread`. */
static void put_images(const char *row, int seed, long first_right, double mean, bool spread)
{
    text_buffer text = { 0 };
    text_add(&text, "# steps 100\nimage,right,loss\n");
    for (long k = 0; k < 1000; k++)
        text_add(&text, "%ld,%d,%.6g\n", k, k >= first_right && k < first_right + 250, mean + (spread ? k % 2 ? 0.3 : -0.3 : 0));
    char *all = text_take(&text);
    temp_text(root, temp_format("out/toy-%s-%d/losses.csv", row, seed), all);
    free(all);
}

/* Losses and answers of each image give the error of a mean loss, and of differences, image by image. */
START_TEST(errors_over_images)
{
    char output[1 << 14], *once = must_replace(script, "step,val_loss,gain", "step,val_loss,val_accuracy");
    char *program = must_replace(once, "step,val_loss,gain", "step,val_loss,val_accuracy");
    temp_text(root, "program", program);                                  /* the same figures by other names */
    results all = run_toy((what){ .of = &images_preset }, output, sizeof output);
    const long right = line_of(&all, "comparison", "low - high", "difference of right");
    const long loss = line_of(&all, "comparison", "low - high", "difference of loss"), low = line_of(&all, "run", "low", "loss");
    const long gap = line_of(&all, "comparison", "low - high", "difference of loss - right");
    must_be(&all, right, R_EVAL_OF, "test images");                       /* as if they were independent     */
    must_be(&all, loss, R_EVAL_OF, "");
    must_be(&all, loss, R_VERDICT, "not resolved: interval over seeds only, without that of the test images");
    must_be(&all, low, R_INTERVAL, "seeds");
    must_hold(output, "interval over seeds only; test set of 1000 not included");
    results_free(&all);
    for (int seed = 1; seed <= 2; seed++) {                               /* the third has none              */
        put_images("low", seed, 0, 1 + (seed - 1) / 1000.0, true);
        put_images("high", seed, 250, 1.5 + (seed - 1) / 1000.0, false);
    }
    all = run_toy((what){ .record = true, .of = &images_preset }, output, sizeof output);
    must_be(&all, right, R_EVAL_OF, "paired test images");
    must_be(&all, right, R_EVAL_N, "1000");
    must_be(&all, right, R_SE_EVAL, "2.23719");                           /* 100 sqrt(500 / 999 / 1000)      */
    must_be(&all, loss, R_EVAL_OF, "paired test images");
    must_be(&all, loss, R_SE_EVAL, "0.00949158");                         /* 0.3 / sqrt 999                  */
    must_be(&all, loss, R_INTERVAL, "seeds and test images");
    ck_assert_double_eq_tol(strtod(all.at[loss].cell[R_HIGH], NULL), -0.5 + 1.959964 * 0.00949158, 1e-5);
    ck_assert(strncmp(all.at[loss].cell[R_VERDICT], "as printed: low is lower", 24) == 0);
    must_be(&all, gap, R_SE_EVAL, "0.00949158");
    must_be(&all, low, R_INTERVAL, "seeds and test images");
    must_be(&all, low, R_SE_EVAL, "0.00949158");
    must_be(&all, low, R_EVAL_N, "1000");
    must_be(&all, line_of(&all, "run", "high", "loss"), R_SE_EVAL, "");   /* all equal: 0 is not known       */
    must_hold(output, "standard errors: 0 over seeds, 0.00949158 of one seed over 1000 paired test images");
    ck_assert(!strstr(output, "not included"));
    static const struct { result_cell c; const char *to, *says; bool run; } tampered_images[] = {
        { R_SE_EVAL, "x", "se_eval `x` is not an error over 1000 paired test images", false },
        { R_SE_EVAL, "0.5", "p is `< 1e-300`, but should be `0.159`", false }, { R_EVAL_OF, "", "is `", false },
        { R_SE_EVAL, "-1", "se_eval `-1` is not an error over 1000 test images", true },
        { R_SE_EVAL, "0.5", "the values give", true }, { R_EVAL_N, "999", "eval_n is `999`, but should be `1000`", true } };
    for (size_t k = 0; k < COUNT(tampered_images); k++) {
        const long line = tampered_images[k].run ? low : loss;
        char *before = temp_format("%s", all.at[line].cell[tampered_images[k].c]);
        set_recorded(&all, line, tampered_images[k].c, tampered_images[k].to);
        ck_assert_int_eq(run_child(check_images_child, &all, output, sizeof output), 2);
        must_hold(output, tampered_images[k].says);
        set_recorded(&all, line, tampered_images[k].c, before);
    }
    results_free(&all);
    what again = { .record = true, .of = &images_preset };
    put_images("low", 1, 0, 1.1, true);                                   /* of other weights                */
    ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
    must_hold(output, "out/toy-low-1: the mean val_loss of losses.csv is 1.1 and not the 1 of evals.csv; remove losses.csv");
    char *losses = temp_read(root, "out/toy-low-1/losses.csv", NULL);
    temp_text(root, "out/toy-low-1/losses.csv", temp_format("# model another\n%s", losses));
    ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
    must_hold(output, "out/toy-low-1/losses.csv is of another run than evals.csv (model: `another`, and there ``); remove it");
    temp_text(root, "out/toy-low-1/losses.csv", "image,right,loss\n0,1,0.5\n1,0,1.5\n");
    ck_assert_int_eq(run_child(reproduce_child, &again, output, sizeof output), 2);
    must_hold(output, "out/toy-low-1/losses.csv has 2 images, the run 1000; remove it");
}
END_TEST

/* ---- errors of windows ------------------------------------------------------------------------------------- */

/* Differences 0, 1 and 0.5: mean 0.5, standard deviation 0.5. */
START_TEST(windows_in_a_record)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = NULL }, output, sizeof output);
    const long order = line_of(&all, "comparison", "low - high", "difference of loss");
    must_be(&all, order, R_EVAL_OF, "windows");
    must_be(&all, order, R_EVAL_N, "3");
    must_be(&all, order, R_SE_EVAL, "0.288675");                          /* 0.5 / sqrt 3                    */
    must_hold(output, "standard errors: 0 over seeds, 0.288675 of one seed over 3 windows");
    must_be(&all, order, R_INTERVAL, "seeds and windows");                /* once, not divided by the seeds  */
    ck_assert_double_eq_tol(strtod(all.at[order].cell[R_HIGH], NULL), -0.5 + 1.959964 * 0.288675, 1e-5);
    must_be(&all, order, R_P_HOLM, "0.125");                              /* three orders                    */
    must_be(&all, order, R_VERDICT, "not resolved at this size");
    results_free(&all);
    temp_text(root, "out/toy-high-2/losses.csv", "window,loss\n0,1.501\n2,1.501\n1,1.501\n");
    what w = { .record = true };
    ck_assert_int_eq(run_child(reproduce_child, &w, output, sizeof output), 2);
    must_hold(output, "out/toy-high-2/losses.csv are not of the same windows; remove one of them");
    static const char *const other[] = { "low-1", "high-1" };             /* of the first and of the second  */
    temp_text(root, "out/toy-high-2/losses.csv", "window,loss\n0,0\n1,3.002\n2,1.501\n");
    for (size_t k = 0; k < COUNT(other); k++) {
        char *path = temp_format("out/toy-%s/losses.csv", other[k]), *before = temp_read(root, path, NULL);
        temp_text(root, path, temp_format("window,loss\n0,0\n1,%s\n2,%s\n", k ? "3.0015" : "2.0006", k ? "1.5" : "1"));
        ck_assert_int_eq(run_child(reproduce_child, &w, output, sizeof output), 2);
        must_hold(output, temp_format("out/toy-%s: the mean val_loss of losses.csv is %s of evals.csv; remove losses.csv", other[k],
                                      k ? "1.5005 and not the 1.5" : "1.0002 and not the 1"));
        temp_text(root, path, temp_format("window,loss\n0,0\n1,%s\n2,%s\n", k ? "3.0001" : "2.0001", k ? "1.5" : "1"));
        ck_assert_msg(run_child(reproduce_child, &w, output, sizeof output) == 0, "%s", output);    /* bfloat16  */
        temp_text(root, path, before);
    }
}
END_TEST

/* Later seeds are evaluated on other windows than the first: their figures scatter by that error, which is not added. */
START_TEST(windows_of_each_seed)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = NULL }, output, sizeof output);
    results_free(&all);
    for (int seed = 2; seed <= 3; seed++) {
        const double low = 1 + 0.001 * (seed - 1), high = 1.5 + 0.001 * (seed - 1);
        temp_text(root, temp_format("out/toy-low-%d/losses.csv", seed), temp_format("window,loss\n7,0\n8,%g\n9,%g\n", 2 * low, low));
        temp_text(root, temp_format("out/toy-high-%d/losses.csv", seed), temp_format("window,loss\n7,0\n8,%g\n9,%g\n", 2 * high, high));
    }
    temp_text(root, "out/toy-like-2/losses.csv", "window,loss\n7,0\n8,2.004\n9,1.002\n");
    all = run_toy((what){ .record = true }, output, sizeof output);
    const long order = line_of(&all, "comparison", "low - high", "difference of loss");
    must_be(&all, order, R_EVAL_OF, "windows of each seed");
    must_be(&all, order, R_SE_EVAL, "0.288675");
    must_be(&all, order, R_INTERVAL, "seeds");
    must_be(&all, order, R_LOW, "-0.5");
    must_be(&all, order, R_HIGH, "-0.5");
    must_be(&all, order, R_P, "< 1e-300");
    must_hold(output, "standard errors: 0 over seeds, 0.288675 of one seed over 3 windows of each seed");
    results_free(&all);
    for (int seed = 2; seed <= 3; seed++)
        ck_assert_int_eq(remove(in(temp_format("out/toy-high-%d/done", seed))), 0);
    ck_assert_int_eq(remove(in("results/toy.csv")), 0);
    all = run_toy((what){ .record = true }, output, sizeof output);
    must_be(&all, order, R_N, "1");
    must_be(&all, order, R_EVAL_OF, "windows");
    must_be(&all, order, R_INTERVAL, "windows");
    results_free(&all);
}
END_TEST

static void read_windows(void *with)
{
    long n;
    double mean, error;
    temp_text(root, "c/losses.csv", with);
    free(run_folder_error(in("c"), NULL, "loss", &n, &mean, &error));
}

/* What is not whole is no loss, and the message says where. */
START_TEST(damaged_losses)
{
    static const struct { const char *text, *says; } try[] = {
        { "window,loss\n0,1\n1,x\n", "c/losses.csv:3: column loss, `x`, is not a number; get it again" },
        { "# x\nwindow,loss\n0,1\n1,2", "c/losses.csv:4: the line is cut off" },
        { "window,loss\n0,1,2\n", "c/losses.csv:2: more than the 2 columns" } };
    char output[512];
    make_folder(in("c"));
    for (size_t k = 0; k < COUNT(try); k++) {
        ck_assert_int_eq(run_child(read_windows, (void *)(uintptr_t)try[k].text, output, sizeof output), 2);
        must_hold(output, try[k].says);
    }
}
END_TEST

START_TEST(windows_of_two_runs)
{
    static const struct { const char *a, *b; long windows; const char *wrong; } try[] = {
        { "# x\nwindow,loss\n0,1\n1,2\n", "# y\nwindow,loss\n0,2\n1,5\n", 2, NULL },
        { "window,loss\n0,1\n1,2\n", "window,loss\n0,2\n", 0, "not of the same windows" },
        { "window,loss\n0,1\n1,2\n", "window,loss\n0,2\n2,2\n", 0, "not of the same windows" },
        { "window,loss\n0,1\n1,2\n", "place,loss\n0,2\n1,2\n", 0, "not of the same windows" },
        { "window,loss\n0,1\n1,nan\n", "window,loss\n0,2\n1,2\n", 0, "has no loss of window 1" },
        { "window,loss\n0,1\n", "window,loss\n0,2\n", 0, NULL } };
    for (size_t k = 0; k < COUNT(try); k++) {
        char *a = in("a"), *b = in("b");
        long windows;
        double mean, error;
        make_folder(a);
        make_folder(b);
        temp_text(root, "a/losses.csv", try[k].a);
        temp_text(root, "b/losses.csv", try[k].b);
        char *wrong = run_folder_error(a, b, "loss", &windows, &mean, &error);
        ck_assert_msg(!wrong == !try[k].wrong, "%zu: %s", k, wrong ? wrong : "nothing wrong");
        if (wrong) must_hold(wrong, try[k].wrong);
        else ck_assert_int_eq(windows, try[k].windows);
        if (k == 0) ck_assert_double_eq_tol(error, 1, 1e-15);             /* of -1 and -3: sqrt 2 / sqrt 2   */
        if (k == 0) ck_assert_double_eq_tol(mean, -2, 1e-15);
        free(wrong);
    }
    long windows;
    double mean, error;
    char *wrong = run_folder_error("/nowhere", "/nowhere", "loss", &windows, &mean, &error);
    ck_assert(!wrong && windows == 0);
}
END_TEST

/* What `train --losses` writes, of two models on one text and of one on another. */
START_TEST(windows_of_trained_models)
{
    char output[4096], *a = in("out/a"), *b = in("out/b"), *c = in("out/c");
    const char *model = "--layers=1 --heads=1 --mlp=8 --window=8 --batch=2 --steps=2 --eval-every=2 --losses";
    char *text = temp_format("a train --width=8 %s\nb train --width=4 %s\nc train --width=8 %s --window=16\n", model,
                             model, model);
    temp_text(root, "list", text);
    char *sweep = temp_format("sweep %s/list --out=%s/out", root, root);
    ck_assert_msg(run_command(output, sizeof output, "%s/provably %s", build_folder(), sweep) == 0, "%s", output);
    long windows;
    double mean, error;
    char *wrong = run_folder_error(a, b, "loss", &windows, &mean, &error);
    ck_assert_msg(!wrong && windows > 2 && error > 0 && error < 1, "%s", wrong ? wrong : "no windows");
    wrong = run_folder_error(a, c, "loss", &windows, &mean, &error);
    must_hold(wrong ? wrong : "", "are not of the same windows");
    free(wrong);
}
END_TEST

START_TEST(differences_of_columns)
{
    const metric gap = { .name = "a", .minus = "b", .times = 1 }, none = { .name = "a", .minus = "c", .times = 1 };
    double x = 0;
    temp_text(root, "evals.csv", "step,a,b\n0,5,1\n10,4.5,2\n");
    ck_assert(run_folder_metric(root, &gap, &x) && x == 2.5);
    ck_assert(!run_folder_metric(root, &none, &x));
}
END_TEST

/* ---- curves --------------------------------------------------------------------------------------------------- */

START_TEST(curves_of_a_part)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low,like", .seeds = 2 }, output, sizeof output);
    results_free(&all);
    char *text = temp_read(root, "results/curves/toy-toy.csv", NULL);
    long lines = 0;
    for (const char *at = text; *at; at++) lines += *at == '\n';
    ck_assert_int_eq(lines, 1 + 4 * 60);                                  /* of 101 validations each         */
    ck_assert_msg(strncmp(text, "row,seed,step,val_loss,gain\nlow,10,0,9,1\n", 41) == 0, "%.60s", text);
    must_hold(text, "\nlow,10,100,1,0.25\nlow,11,0,9,1\n");
    must_hold(text, "\nlow,11,100,1.001,0.25\nlike,10,0,9,1\n");
    ck_assert_str_eq(text + strlen(text) - 24, "\nlike,11,100,1.002,0.25\n");
    temp_text(root, "out/toy-like-1/evals.csv", "# sources toy seed=10 data_seed=20 train=abcd val_n=1000\n"
                                                "step,val_loss,gain,more\n100,1.001,1,1\n");
    what w = { .record = true };
    ck_assert_int_eq(run_child(reproduce_child, &w, output, sizeof output), 2);
    must_hold(output, "out/toy-like-1/evals.csv has the columns `step,val_loss,gain,more`, other runs");
}
END_TEST

/* ---- runs kept without their weights ----------------------------------------------------------------------------- */

static int kept_runs(const char *verb, const char *folder, char *output, size_t room)
{
    return run_command(output, room, "sh src/experiments/kept_runs.sh %s toy %s/%s %s/kept", verb, root, folder, root);
}

/* Runs of two sittings, put together elsewhere, give the record that they would have given in one place. */
START_TEST(kept_runs_give_the_same_record)
{
    char output[1 << 14];
    results all = run_toy((what){ .rows = "low,like", .seeds = 2 }, output, sizeof output);
    results_free(&all);
    temp_text(root, "out/toy-low-1/last.ckpt", "weights");
    make_folder(in("out/toy-high-1"));
    temp_text(root, "out/toy-high-1/evals.csv", "begun\n");
    ck_assert_msg(kept_runs("keep", "out", output, sizeof output) == 0, "%s", output);
    must_hold(output, "kept/toy-1.tar.xz: 4 finished runs\n");
    ck_assert_int_eq(kept_runs("keep", "out", output, sizeof output), 0);
    must_hold(output, "no finished run of toy in ");
    ck_assert(!temp_exists(root, "kept/toy-2.tar.xz"));
    all = run_toy((what){ 0 }, output, sizeof output);
    results_free(&all);
    ck_assert_msg(kept_runs("keep", "out", output, sizeof output) == 0, "%s", output);
    must_hold(output, "kept/toy-2.tar.xz: 4 finished runs\n");
    char *first = temp_read(root, "results/toy.csv", NULL);
    ck_assert_msg(kept_runs("unpack", "other", output, sizeof output) == 0, "%s", output);
    must_hold(output, "/other: 8 finished runs\n");
    temp_only(in("other/toy-low-1"), "@(done|evals.csv|losses.csv)");
    temp_text(root, "results/toy.csv", "");
    ck_assert_int_eq(remove(in("results/toy.csv")), 0);
    what again = { .record = true, .out = "other" };
    ck_assert_msg(run_child(reproduce_child, &again, output, sizeof output) == 0, "%s", output);
    ck_assert_str_eq(temp_read(root, "results/toy.csv", NULL), first);
    ck_assert_int_eq(kept_runs("unpack", "other", output, sizeof output), 0);             /* all there: no harm */
    temp_text(root, "out/toy-low-1/models.csv", "later\n");                               /* a file that comes later */
    ck_assert_int_eq(kept_runs("keep", "out", output, sizeof output), 0);
    must_hold(output, "kept/toy-3.tar.xz: 1 finished runs\n");
    ck_assert_int_eq(kept_runs("unpack", "other", output, sizeof output), 0);
    must_hold(output, "/other: 8 finished runs\n");
    temp_only(in("other/toy-low-1"), "@(done|evals.csv|losses.csv|models.csv)");
    ck_assert(temp_exists(root, "other/toy-low-1/models.csv"));
    char *kept = temp_read(root, "other/toy-low-1/evals.csv", NULL);                      /* another run of that name */
    temp_text(root, "out/toy-low-1/evals.csv", "another");
    temp_text(root, "other/toy-low-1/evals.csv", "another");
    ck_assert_int_eq(remove(in("other/toy-low-1/models.csv")), 0);
    make_folder(in("out/toy-new"));
    temp_text(root, "out/toy-new/done", "new");
    temp_text(root, "out/toy-new/evals.csv", "new");
    static const char *const verbs[] = { "keep", "unpack" }, *const folders[] = { "out", "other" };
    for (size_t k = 0; k < COUNT(verbs); k++) {
        ck_assert_int_eq(kept_runs(verbs[k], folders[k], output, sizeof output), 2);
        must_hold(output, temp_format("%s/toy-low-1/evals.csv is not what ", folders[k]));
        must_hold(output, "kept has of toy-low-1: keep one of the two runs. Nothing was changed\n");
    }
    ck_assert(!temp_exists(root, "kept/toy-4.tar.xz") && !temp_exists(root, "other/toy-low-1/models.csv"));
    temp_text(root, "out/toy-low-1/evals.csv", kept);
    ck_assert_int_eq(kept_runs("keep", "out", output, sizeof output), 0);
    must_hold(output, "kept/toy-4.tar.xz: 1 finished runs\n");
    make_folder(in("third"));
    make_folder(in("third/toy-low-1"));
    ck_assert_int_eq(kept_runs("unpack", "third", output, sizeof output), 2);
    must_hold(output, "third/toy-low-1 has begun and is kept as finished: remove it, or choose another folder\n");
    temp_only(in("third"), "toy-low-1");
}
END_TEST

/* What an archive of a stranger may hold, made in ROOT/s: nothing of it arrives, and what links lead to stays. */
static const struct { const char *made, *packed, *says; } strange_archives[] = {
    { "ln -s ../secret s/r1", "-C s r1", "holds what is not a regular file: lrwx" },
    { "mkdir s/r1 && ln -s ../../secret/key s/r1/evals.csv", "-C s r1/evals.csv", "holds what is not a regular file: lrwx" },
    { "mkdir s/r1 && mkfifo s/r1/done", "-C s r1/done", "holds what is not a regular file: prw" },
    { "mkdir s/r1 && echo x >s/r1/done && ln s/r1/done s/r1/evals.csv", "-C s r1/done r1/evals.csv", "holds what is not a regular file: hrw" },
    { "mkdir s/r1 && echo x >s/r1/done", "-C s r1", "holds what is not a regular file: drwx" },
    { "mkdir s/r1 && echo x >s/r1/last.ckpt", "-C s r1/last.ckpt", "holds r1/last.ckpt, which is not RUN/done" },
    { "echo x >s/done", "-C s done", "holds done, which is not RUN/done" },
    { "mkdir -p s/r1/done && echo x >s/r1/done/done", "-C s r1/done/done", "holds r1/done/done, which is not RUN/done" },
    { "mkdir s/.r1 && echo x >s/.r1/done", "-C s .r1/done", "holds .r1/done, which is not RUN/done" },
    { "mkdir s/r1 && echo x >s/done", "-P -C s/r1 ../done", "holds ../done, which is not RUN/done" },
    { "mkdir s/r1 && echo x >s/r1/done", "-P $PWD/s/r1/done", "s/r1/done, which is not RUN/done" },
    { "mkdir 's/r\033[2J' && echo x >\"$(echo s/r*)/done\"", "-C s \"$(cd s && echo r*/done)\"", "033[2J/done, which is not RUN/done" },
};

START_TEST(archives_of_strangers)
{
    char output[4096];
    const char *made = strange_archives[_i].made, *packed = strange_archives[_i].packed;
    ck_assert_msg(run_command(output, sizeof output, "cd %s && mkdir -p s kept secret there/r1 && echo key >secret/key && echo x >there/r1/done && "
                              "%s && tar -cJf kept/toy-1.tar.xz %s", root, made, packed) == 0, "%s", output);
    ck_assert_int_eq(kept_runs("unpack", "there", output, sizeof output), 2);
    must_hold(output, strange_archives[_i].says);
    must_hold(output, "Nothing was changed\n");
    ck_assert(!strchr(output, '\033'));
    ck_assert_str_eq(temp_read(root, "secret/key", NULL), "key\n");
    temp_only(in("there"), "r1");
    temp_only(in("there/r1"), "done");
}
END_TEST

/* Links among the user's own runs: one that leads nowhere is not written through, and none is packed. */
START_TEST(links_among_kept_runs)
{
    char output[4096];
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s && mkdir -p out/r1 other/r1 && echo x >out/r1/done && echo y >out/r1/evals.csv", root), 0);
    ck_assert_msg(kept_runs("keep", "out", output, sizeof output) == 0, "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s && echo x >other/r1/done && ln -s ../../nowhere other/r1/evals.csv", root), 0);
    ck_assert_int_eq(kept_runs("unpack", "other", output, sizeof output), 2);
    must_hold(output, "other/r1/evals.csv is not what ");
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s && rm -r other/r1 && ln -s ../nowhere other/r1", root), 0);
    ck_assert_int_eq(kept_runs("unpack", "other", output, sizeof output), 2);
    must_hold(output, "other/r1 has begun and is kept as finished");
    ck_assert(!temp_exists(root, "nowhere"));
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s && mkdir out/r2 && echo x >out/r2/done && ln -s ../r1/evals.csv out/r2/evals.csv", root), 0);
    ck_assert_int_eq(kept_runs("keep", "out", output, sizeof output), 2);
    must_hold(output, "out/r2/evals.csv is a symbolic link, which is not packed");
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s/kept && ls -A", root), 0);
    ck_assert_str_eq(output, "toy-1.tar.xz\n");
}
END_TEST

START_TEST(kept_runs_of_bad_input)
{
    char output[4096];
    ck_assert_int_eq(kept_runs("keep", "nowhere", output, sizeof output), 2);
    must_hold(output, "there is no folder ");
    ck_assert_int_eq(kept_runs("unpack", "nowhere", output, sizeof output), 2);
    must_hold(output, "no run of toy is kept\n");
    ck_assert_int_eq(kept_runs("pack", "nowhere", output, sizeof output), 2);
    make_folder(in("kept"));
    temp_text(root, "kept/toy-1.tar.xz", "no archive");
    ck_assert_int_eq(kept_runs("unpack", "there", output, sizeof output), 2);
    must_hold(output, "toy-1.tar.xz; get it again. Nothing was changed\n");
    temp_only(in("there"), "");
    ck_assert_int_eq(run_command(output, sizeof output, "sh src/experiments/kept_runs.sh keep ../x %s", root), 2);
    must_hold(output, "is no name of a preset");
    ck_assert_int_eq(rename(in("kept/toy-1.tar.xz"), in("kept/toy-2.tar.xz")), 0);
    temp_text(root, "kept/toy-tune-3.tar.xz", "of another preset");
    ck_assert_int_eq(kept_runs("unpack", "there", output, sizeof output), 2);
    must_hold(output, "kept/toy-2.tar.xz is there, and ");
    must_hold(output, "kept/toy-1.tar.xz is not; get that again\n");
    ck_assert_int_eq(run_command(output, sizeof output, "sh src/experiments/kept_runs.sh keep trained-theorems %s", root), 2);
    must_hold(output, "is made from weights, which archives do not hold");
}
END_TEST

/* ---- tuning ----------------------------------------------------------------------------------------------------- */

static results tuned_record(void)
{
    results all = { NULL, 0 };
    add_recorded(&all, "gpt-d128-tune", (recorded_runs){ .seeds = 1, .row = -1 });        /* all equal       */
    return all;
}

static void must_give(const experiment *e, const char *row, const results *all, const char *options)
{
    char *is = tuning_options(e, experiment_row_named(e, row), all);
    ck_assert_msg(is && strcmp(is, options) == 0, "%s: `%s`, not `%s`", row, is ? is : "nothing", options);
    free(is);
}

START_TEST(the_best_combination)
{
    const preset *p = preset_find("gpt-d128");
    const experiment *own = preset_part(p, "tuned"), *one = preset_part(p, "as-003");
    results all = tuned_record();
    must_give(own, "baseline", &all, " --rate=2e-3 --decay=0.1 --factor=0.5");            /* ties: the first */
    must_give(one, "baseline-0.03125", &all, " --rate=2e-3");
    const long best = line_of(&all, "run", "baseline-rate=8e-3-decay=0.1-factor=1", NULL);
    set_recorded(&all, best, R_MEAN, "0.9");
    must_give(own, "baseline", &all, " --rate=8e-3 --decay=0.1 --factor=1");
    must_give(own, "reduced", &all, " --rate=2e-3 --decay=0.1 --factor=0.5");
    must_give(one, "reduced", &all, " --rate=8e-3");                                      /* the baseline's  */
    set_recorded(&all, best, R_MEAN, "nan");
    must_give(own, "baseline", &all, " --rate=2e-3 --decay=0.1 --factor=0.5");
    const long baseline = experiment_row_named(own, "baseline");
    set_recorded(&all, best, R_N, "0");
    ck_assert_ptr_null(tuning_options(own, baseline, &all));
    ck_assert(!tuning_all_diverged(own, baseline, &all));
    set_recorded(&all, best, R_N, "1");
    for (long k = 0; k < all.n; k++)
        if (strncmp(all.at[k].cell[R_ROW], "baseline-", 9) == 0) set_recorded(&all, k, R_MEAN, k % 2 ? "inf" : "");
    ck_assert_ptr_null(tuning_options(own, baseline, &all));
    ck_assert(tuning_all_diverged(own, baseline, &all));
    ck_assert(!tuning_all_diverged(own, experiment_row_named(own, "reduced"), &all));
    char *wrong = tuning_wrong(own, baseline, &all, "");
    must_hold(wrong, "in which every combination of its grid diverged");
    free(wrong);
    must_give(own, "reduced", &all, " --rate=2e-3 --decay=0.1 --factor=0.5");
    results_free(&all);
    results none = { NULL, 0 };
    ck_assert_ptr_null(tuning_options(own, 0, &none));
    must_give(preset_part(preset_find("gpt-d128-tune"), "tune"), "baseline", &none, "");
}
END_TEST

START_TEST(commands_of_tuned_rows)
{
    const experiment *own = preset_part(preset_find("gpt-d128"), "tuned");
    static const struct { const char *command; bool good; } try[] = {
        { "provably train --rate=2e-3 --decay=0.1 --factor=0.5 --x", true },
        { "provably train --rate=4e-3 --decay=0.1 --factor=0.5", false },
        { "provably train --rate=2e-3 --decay=0.1 --factor=0.55", false },
        { "provably train --rate=2e-3 --decay=0.1", false },
        { "provably train --rate=2e-3 --decay=0.1 --factor=0.5 --rate=4e-3", false }, { "", false } };
    results all = tuned_record();
    for (size_t k = 0; k < COUNT(try); k++) {
        char *wrong = tuning_wrong(own, 0, &all, try[k].command);
        ck_assert(!command_own(own, 0, try[k].command));                  /* none has the other options      */
        ck_assert_msg(!wrong == try[k].good, "%s: %s", try[k].command, wrong ? wrong : "good");
        free(wrong);
    }
    char *options = experiment_options(own, 0, " --rate=4e-3 --decay=0.1 --factor=1", "DATA");
    char *good = temp_format("provably train %s --seed=1337 --data-seed=42 --attn=x", options);
    ck_assert(command_own(own, 0, good));                                 /* of any combination of the grid  */
    char *other = must_replace(good, "4e-3", "5e-3"), *shorter = must_replace(good, "--steps=2000", "--steps=200");
    ck_assert(!command_own(own, 0, other) && !command_own(own, 0, shorter) && !command_own(own, 1, good));
    free(options);
    results_free(&all);
}
END_TEST

/* The options decide, not the text. */
START_TEST(commands_are_compared_by_their_options)
{
    static const struct { const char *done, *asked; bool same; } of[] = {
        { "provably train --rate=4e-3 --seed=1", "provably train --seed=1 --rate=0.004", true },
        { "provably train --rate=4e-3", "provably train --rate=0.0041", false },
        { "provably train --steps=2000", "provably train --steps=200", false },
        { "provably train --seed=9007199254740993", "provably train --seed=9007199254740992", false },
        { "provably train --rate=1 --rate=2", "provably train --rate=2", true },
        { "provably train --rate=2 --rate=1", "provably train --rate=2", false },
        { "provably train --a=x --micro=2 --save-every=9", "provably train --a=x", true },
        { "provably train --a=x --mic=2", "provably train --a=x", false }, { "provably train --a=x --b", "provably train --a=x", false },
        { "provably train --a=x", "provably train --a=x --micro=2", false }, { "provably train --b", "provably train --b=1", false },
        { "provably train --micro=2", "provably train --micro=3", false }, { "provably train-vision --a=x", "provably train --a=x", false },
        { "provably train --data=a", "provably train --data=b", false }, { "provably train --rate=1e", "provably train --rate=1", false },
        { "provably train --rate 1e-3 --decay 0.1", "provably train --decay 0.1 --rate=0.001", true },
        { "provably train --rate 1e-3 --decay 0.1", "provably train --decay 1e-3 --rate 0.1", false },
        { "provably train --seed 1 --data-seed 2", "provably train --data-seed 1 --seed 2", false },
        { "provably train --rate=1e-3 --rat=1e-2", "provably train --rat=1e-2 --rate=1e-3", false },
        { "provably train --rate=1 --a=2 --rate=1", "provably train --rate=1 --a=2", true },
        { "  provably  train --b ", "provably train --b", true }, { "", "", true } };
    for (size_t k = 0; k < COUNT(of); k++)
        ck_assert_msg(command_same_run(of[k].done, of[k].asked) == of[k].same, "`%s` for `%s`", of[k].done, of[k].asked);
}
END_TEST

/* A backend is anybody's choice, but not where the rows are compared because they differ in it. */
START_TEST(backends_of_commands)
{
    static const struct { const char *preset; long row; const char *more; bool own; } try[] = {
        { "basis-256", 0, "", true }, { "basis-256", 0, " --backend=cpu-bf16", true },
        { "basis-precision", 0, "", true }, { "basis-precision", 0, " --backend=cpu-bf16", false },
        { "basis-precision", 1, " --micro=2", true }, { "basis-precision", 1, " --micro=2 --backend=cpu", false } };
    for (size_t k = 0; k < COUNT(try); k++) {
        const experiment *e = &preset_find(try[k].preset)->part[0];
        char *options = experiment_options(e, try[k].row, "", "DATA");
        char *command = temp_format("provably basis-transfer %s --seed=1 --data-seed=42%s", options, try[k].more);
        ck_assert_msg(command_own(e, try[k].row, command) == try[k].own, "%s", command);
        free(options);
    }
}
END_TEST

static void read_folder(void *with)
{
    results all = results_folder(with);
    printf("%ld lines", all.n);
}

/* A tuned preset is read beside its tuning, and only if it was run as the tuning says. */
START_TEST(records_beside_their_tuning)
{
    char output[4096], *folder = in("records"), *tune = in("records/gpt-d128-tune.csv");
    char *main_path = in("records/gpt-d128.csv");
    make_folder(folder);
    results tuning = tuned_record(), all = { NULL, 0 };
    add_recorded(&all, "gpt-d128", (recorded_runs){ .seeds = 6, .row = -1 });
    results_write(&all, main_path);
    ck_assert_int_eq(run_child(read_folder, folder, output, sizeof output), 2);
    must_hold(output, "row smaller-mlp of part tuned: is tuned by gpt-d128-tune, of which nothing complete is "
                      "recorded");
    results_write(&tuning, tune);
    ck_assert_msg(run_child(read_folder, folder, output, sizeof output) == 0, "%s", output);
    must_hold(output, "92 lines");                                        /* 60; 5 + 4, 6 + 6, 6 + 5         */
    const long better = line_of(&tuning, "run", "reduced-rate=2e-3-decay=0.1-factor=1", NULL);
    set_recorded(&tuning, better, R_VALUES, "0.5");
    set_recorded(&tuning, better, R_MEAN, "0.5");
    results_write(&tuning, tune);
    ck_assert_int_eq(run_child(read_folder, folder, output, sizeof output), 2);
    must_hold(output, "row reduced of part tuned: its command does not have --factor=1, which gpt-d128-tune chose");
    results_free(&tuning);
    results_free(&all);
}
END_TEST

static int provably(const char *arguments, char *output, size_t size)
{
    return run_command(output, size, "%s/provably %s", build_folder(), arguments);
}

START_TEST(tuned_presets_from_the_command_line)
{
    char *output = must_calloc(1 << 17, 1);
    temp_text(root, "train.txt", "some text");
    temp_text(root, "val.txt", "some text");
    char *start = temp_format("reproduce gpt-d128 --data=%s --out=%s/out --results=%s/none", root, root, root);
    char *list = temp_format("reproduce gpt-d128 --dry-run --seeds=1 --results=%s", root);
    char *tune = in("gpt-d128-tune.csv");
    ck_assert_int_eq(provably(start, output, 1 << 17), 2);
    must_hold(output, "part tuned of preset gpt-d128 is tuned by gpt-d128-tune, and ");
    must_hold(output, "first run `provably reproduce gpt-d128-tune --data=DIR`");
    ck_assert_int_eq(provably(list, output, 1 << 17), 0);
    must_hold(output, "still to be chosen by `provably reproduce gpt-d128-tune`");
    results all = tuned_record();
    const long best = line_of(&all, "run", "baseline-rate=8e-3-decay=0.1-factor=1", NULL);
    set_recorded(&all, best, R_VALUES, "0.9");
    set_recorded(&all, best, R_MEAN, "0.9");
    results_write(&all, tune);
    ck_assert_int_eq(provably(list, output, 1 << 17), 0);
    ck_assert_ptr_null(strstr(output, "still to be chosen"));
    must_hold(output, "--width=128 --mlp=512 --rate=8e-3 --decay=0.1 --factor=1 --data");
    must_hold(output, "--width=124 --mlp=496 --decay=0.1 --rate=8e-3 --data");
    for (long k = 0; k < all.n; k++)
        if (strncmp(all.at[k].cell[R_ROW], "baseline-", 9) == 0) {
            set_recorded(&all, k, R_VALUES, "inf");
            set_recorded(&all, k, R_MEAN, "inf");
        }
    results_write(&all, tune);
    start = temp_format("reproduce gpt-d128 --data=%s --out=%s/out --results=%s", root, root, root);
    ck_assert_int_eq(provably(start, output, 1 << 17), 2);
    must_hold(output, "no combination of the grid has a finite figure for row baseline: its runs diverged at every rate");
    results_free(&all);
    free(output);
}
END_TEST

/* ---- presets of presets; synthetic data --------------------------------------------------------------------- */

START_TEST(members_exist)
{
    long composites = 0;
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->members; k++) {
            const preset_member *m = &p->member[k];
            const preset *its = preset_find(m->preset);
            composites += k == 0;
            ck_assert_msg(its && its->parts > 0, "%s", m->preset);
            for (const char *at = m->rows; at && *at; at += strspn(at, ",")) {
                char *name = temp_format("%.*s", (int)strcspn(at, ","), at);
                ck_assert_msg(experiment_row_named(&its->part[0], name) >= 0, "%s: no row %s", m->preset, name);
                at += strlen(name);
            }
            for (long i = 0; i < its->parts; i++) {
                const char *by = its->part[i].tuned_by;
                bool before = !by;
                for (long j = 0; by && j < k; j++) before |= strcmp(p->member[j].preset, by) == 0;
                ck_assert_msg(before, "%s comes before its tuning in %s", m->preset, p->name);
            }
        }
    ck_assert_int_eq(composites, 3);
}
END_TEST

/* All that is shown of every preset of the hour; half of MNIST's images right, which its acceptance refuses. */
static const char hour_script[] =
    "#!/bin/sh\n"
    "for word; do case $word in --out=*) out=${word#--out=};; --seed=*) seed=${word#--seed=};;\n"
    "  --data-seed=*) order=${word#--data-seed=};; esac; done\n"
    "mkdir -p $out; [ ! -f $out/../../stop ] || exit 1\n"
    "{ echo \"# sources x seed=$seed data_seed=$order val_n=1000\"; echo step,val_loss,val_accuracy,running_loss,running_accuracy,error,cosine_distance\n"
    "  echo 100,2,0.5,2,0.5,0.05,0.002; } > $out/evals.csv\n"
    "{ echo model,error,cosine_distance; echo linear,0.1,0.01; echo untrained,0.3,0.1; } > $out/models.csv\n";
static const run_kind all_kinds[] = { { "train", cost }, { "train-vision", cost }, { "basis-transfer", cost }, { NULL, NULL } };

static void hour_child(void *with)
{
    const reproduce_options o = { .out = in("out"), .results = in("results"), .data = root, .more = "",
                                  .program = in("program"), .kinds = all_kinds };
    exit(reproduce_run(preset_find(with), &o));
}

/* An acceptance that fails does not stop what comes after it, and is not forgotten; runs that are stopped do. */
START_TEST(a_member_fails)
{
    char *output = must_calloc(1 << 15, 1);
    make_folder(in("mnist"));
    temp_text(root, "tinyshakespeare.txt", "to be or not to be");
    ck_assert_int_eq(chmod(temp_text(root, "program", hour_script), 0755), 0);
    make_folder(in("out"));
    temp_text(root, "out/stop", "");
    char hour[] = "hour";
    ck_assert_int_eq(run_child(hour_child, hour, output, 1 << 15), 1);
    must_hold(output, "3 were stopped");
    ck_assert_msg(strstr(output, "[1 of 4]") && !strstr(output, "[2 of 4]"), "%s", output);
    ck_assert_int_eq(remove(in("out/stop")), 0);
    ck_assert_int_eq(run_child(hour_child, hour, output, 1 << 15), 1);
    must_hold(output, "FAILS");
    must_hold(output, "[4 of 4] ");
    static const char *const each[] = { "shakespeare", "mnist", "small-vit", "basis-batch" };
    for (size_t k = 0; k < COUNT(each); k++)
        ck_assert_msg(temp_exists(root, temp_format("results/%s.csv", each[k])), "%s", each[k]);
    make_folder(in("evidence"));
    ck_assert_msg(provably(temp_format("report --partial --quiet --evidence=%s/evidence --results=%s/results --out=%s/report",
                                       root, root, root), output, 1 << 15) == 0, "%s", output);
    char *csv = temp_read(root, "report/experiments.csv", NULL);
    must_hold(csv, "\nbasis-batch,basis,comparison,128-4096 - 128-1024,K-AppD,");
    must_hold(csv, "\nsmall-vit,vit,run,mnist_6_1_no_min,B-T2,");
    free(output);
}
END_TEST

/* What a tuning that failed leaves without options is left out; the others run. */
START_TEST(a_member_without_its_tuning)
{
    char *output = must_calloc(1 << 16, 1), night[] = "night";
    static const char *const there[] = { "mnist", "cifar10" }, *const text[] = { "train.txt", "val.txt" };
    for (size_t k = 0; k < 2; k++) make_folder(in(there[k]));
    for (size_t k = 0; k < 2; k++) temp_text(root, text[k], "x");
    ck_assert_int_eq(chmod(temp_text(root, "program", "#!/bin/sh\nexit 2\n"), 0755), 0);
    ck_assert_int_eq(run_child(hour_child, night, output, 1 << 16), 1);
    must_hold(output, "[2 of 6] gpt-d128 is left out: gpt-d128-tune has not chosen its options\n");
    must_hold(output, "[6 of 6] mnist: ");
    free(output);
}
END_TEST

/* A row whose runs diverged is read, shown, and decides nothing. */
START_TEST(a_report_of_a_row_that_diverged)
{
    char output[1 << 13];
    results all = { NULL, 0 };
    add_recorded(&all, "gpt-100k", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = 1, .shift = INFINITY });
    ck_assert_int_ne(results_standing(&all, "K-T2-100k"), RECORDED_AGREE);
    long judged_by_it = 0;
    for (long k = 0; k < all.n; k++) {
        if (strchr(all.at[k].cell[R_VALUES], 'i') == NULL) continue;
        must_be(&all, k, R_VERDICT, "not measured in every run");
        judged_by_it++;
    }
    ck_assert_int_ge(judged_by_it, 2);
    make_folder(in("results"));
    make_folder(in("evidence"));
    results_write(&all, in("results/gpt-100k.csv"));
    results exact = { NULL, 0 };
    add_recorded(&exact, "small-gpt", (recorded_runs){ .seeds = 6, .row = -1 });          /* p below every number */
    results_write(&exact, in("results/small-gpt.csv"));
    results_free(&exact);
    ck_assert_msg(provably(temp_format("report --partial --quiet --evidence=%s/evidence --results=%s/results --out=%s/report "
                                       "--json=%s/all.json", root, root, root, root), output, sizeof output) == 0, "%s", output);
    must_hold(temp_read(root, "report/experiments.csv", NULL), ",1e-300,1e-300,");
    must_hold(temp_read(root, "report/experiments.csv", NULL), ",Inf,,,3,1,not measured in every run,");
    must_hold(temp_read(root, "report/seeds.csv", NULL), ",1337,Inf\n");
    char *count = temp_format("cat %s/report/*.svg 2>/dev/null | grep -c nan", root);
    run_shell(count, output, sizeof output);
    ck_assert_str_eq(output, "0\n");
    results_free(&all);
}
END_TEST

/* The data of all members are looked for before the first begins. */
START_TEST(a_night_without_its_data)
{
    char output[4096];
    temp_text(root, "train.txt", "some text");
    temp_text(root, "val.txt", "some text");
    ck_assert_int_eq(provably(temp_format("reproduce night --record --data=%s --out=%s/out --results=%s/results", root, root, root),
                              output, sizeof output), 2);
    must_hold(output, "preset vit-mnist needs ");
    must_hold(output, "To get it: provably data get mnist");
    ck_assert(!temp_exists(root, "out"));
    make_folder(in("mnist"));
    make_folder(in("cifar10"));
    results all = { NULL, 0 };
    add_recorded(&all, "mnist", (recorded_runs){ .seeds = 4, .row = -1 });
    make_folder(in("results"));
    results_write(&all, in("results/mnist.csv"));
    results_free(&all);
    ck_assert_int_eq(provably(temp_format("reproduce night --record --data=%s --out=%s/out --results=%s/results", root, root, root),
                              output, sizeof output), 2);
    must_hold(output, "results/mnist.csv holds 4 finished seeds that would be lost");
    ck_assert(!temp_exists(root, "out"));
}
END_TEST

/* Nothing is finished, so nothing is written, and nothing is started. */
START_TEST(an_hour_of_nothing)
{
    char *output = must_calloc(1 << 17, 1), *mnist = in("mnist");
    make_folder(mnist);
    temp_text(root, "tinyshakespeare.txt", "to be or not to be, that is the question");
    char *record = temp_format("reproduce hour --record --data=%s --out=%s/out --results=%s/results", root, root, root);
    ck_assert_msg(provably(record, output, 1 << 17) == 0, "%s", output);
    static const char *const each[] = { "shakespeare", "mnist", "small-vit", "basis-batch" };
    for (size_t k = 0; k < COUNT(each); k++) {
        must_hold(output, temp_format("no run of %s is finished: nothing is written", each[k]));
        ck_assert(!temp_exists(root, temp_format("results/%s.csv", each[k])));
    }
    ck_assert(!temp_exists(root, "out/shakespeare/char-baseline-1") && !temp_exists(root, "results/hour.csv"));
    ck_assert_int_eq(provably("reproduce hour --rows=baseline", output, 1 << 17), 2);
    must_hold(output, "--rows: hour runs other presets; give it to one of them");
    free(output);
}
END_TEST

/* A part whose figures are all 0, of its own data or of made-up ones. */
static results on_data(const preset *p, const experiment *e, long seeds, bool made_up)
{
    figures f = figures_new(p, e, seeds);
    results all = { NULL, 0 };
    f.made_up = made_up;
    for (long k = 0; k < figures_lines(e); k++) {
        outcome is;
        result r = figures_line_judged(&f, k, &is);
        r.cell[R_COMMAND] = made_up ? must_strdup("provably x --data=digits")
                                    : own_command(e, figures_line_place(e, k).row);
        results_add(&all, r);
    }
    figures_free(&f);
    return all;
}

/* Synthetic digits never stand beside a printed accuracy, and a record in which they do is refused. */
START_TEST(made_up_data)
{
    const preset *p = preset_find("quick");
    const experiment *e = preset_part(p, "vit");
    for (int made_up = 0; made_up < 2; made_up++) {
        results all = on_data(p, e, 1, made_up);
        must_be(&all, 0, R_PAPER, made_up ? "" : "98.38");
        char *wrong;
        long at;
        outcome *is = results_part_outcomes(p, e, all.at, all.n, &at, &wrong);
        ck_assert_msg(is != NULL, "%s", wrong);
        free(is);
        set_recorded(&all, 0, R_PAPER, made_up ? "98.38" : "");
        ck_assert_ptr_null(results_part_outcomes(p, e, all.at, all.n, &at, &wrong));
        must_hold(wrong, "paper is `");
        free(wrong);
        results_free(&all);
    }
    e = preset_part(p, "gpt");                                            /* planned comparisons likewise    */
    for (int made_up = 0; made_up < 2; made_up++) {
        results all = on_data(p, e, 3, made_up);
        const long order = line_of(&all, "comparison", "reduced - smaller-mlp", NULL);
        must_be(&all, order, R_VERDICT, made_up ? "synthetic data: not judged" : "not resolved at this size");
        must_be(&all, order, R_PAPER, made_up ? "" : "below 0");
        must_be(&all, order, R_P, made_up ? "" : "0.5");
        must_be(&all, order, R_P_HOLM, made_up ? "" : "0.5");
        must_be(&all, order, R_MEAN, "0");
        results_free(&all);
    }
    ck_assert(command_made_up("train --data=synthetic:3") && !command_made_up("train --data=bytes:synthetic"));
}
END_TEST

/* Real data are used where they lie; a part whose files are not all there does without. */
START_TEST(data_that_are_found)
{
    const preset *quick = preset_find("quick");
    const experiment *gpt = preset_part(quick, "gpt"), *vit = preset_part(quick, "vit");
    reproduce_options o = { .found = root, .more = "" };
    ck_assert_ptr_null(reproduce_data(gpt, &o));
    temp_text(root, "tinyshakespeare.txt", "x");
    ck_assert(reproduce_data(gpt, &o) == o.found && !reproduce_data(vit, &o));
    ck_assert_ptr_null(reproduce_data(&preset_find("shakespeare")->part[0], &o));         /* it asks for --data */
    o.data = "/some/where";
    ck_assert_str_eq(reproduce_data(vit, &o), "/some/where");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("records");
    TCase *all = tcase_create("records");
    suite_add_tcase(suite, all);
    tcase_add_checked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, estimates);
    tcase_add_test(all, parts_of_a_preset);
    tcase_add_loop_test(all, a_seed_diverges, 0, 2);
    tcase_add_test(all, records_are_kept);
    tcase_add_test(all, planned_runs_are_kept);
    tcase_add_test(all, a_seed_between_is_missing);
    tcase_add_test(all, unknown_rows);
    tcase_add_test(all, tampered_parts);
    tcase_add_test(all, proportions_of_one_seed);
    tcase_add_test(all, one_seed_as_planned);
    tcase_add_test(all, proportions_of_three_seeds);
    tcase_add_test(all, few_images_widen);
    tcase_add_test(all, what_has_not_run_counts);
    tcase_add_test(all, errors_over_images);
    tcase_add_test(all, damaged_figures);
    tcase_add_test(all, figures_of_a_folder_trained_in_again);
    tcase_add_test(all, one_part_has_one_text);
    tcase_add_test(all, seeds_of_a_command);
    tcase_add_test(all, windows_in_a_record);
    tcase_add_test(all, windows_of_each_seed);
    tcase_add_test(all, damaged_losses);
    tcase_add_test(all, windows_of_two_runs);
    tcase_add_test(all, windows_of_trained_models);
    tcase_add_test(all, differences_of_columns);
    tcase_add_test(all, curves_of_a_part);
    tcase_add_test(all, kept_runs_give_the_same_record);
    tcase_add_test(all, kept_runs_of_bad_input);
    tcase_add_loop_test(all, archives_of_strangers, 0, COUNT(strange_archives));
    tcase_add_test(all, links_among_kept_runs);
    tcase_add_test(all, the_best_combination);
    tcase_add_test(all, commands_of_tuned_rows);
    tcase_add_test(all, backends_of_commands);
    tcase_add_test(all, commands_are_compared_by_their_options);
    tcase_add_test(all, records_beside_their_tuning);
    tcase_add_test(all, tuned_presets_from_the_command_line);
    tcase_add_test(all, members_exist);
    tcase_add_test(all, a_member_fails);
    tcase_add_test(all, a_member_without_its_tuning);
    tcase_add_test(all, a_report_of_a_row_that_diverged);
    tcase_add_test(all, a_night_without_its_data);
    tcase_add_test(all, an_hour_of_nothing);
    tcase_add_test(all, made_up_data);
    tcase_add_test(all, data_that_are_found);
    return run_suite(suite, argc, argv);
}
