/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_experiments.c - statistics of few seeds, lists of work, presets, results and what reports make of them. */
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/file.h"
#include "src/methods/counts/printed.h"
#include "src/experiments/figures.h"
#include "src/experiments/paper_tables.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/statistics.h"
#include "src/experiments/check_elimination.h"
#include "src/train/run.h"
#include "src/train/train.h"
#include "tests/support/recorded.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- statistics: known values -------------------------------------------------------------------------------- */

START_TEST(intervals)
{
    const double x[] = { 1, 2, 3, 4, 5 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 }, bad[] = { NAN, 98, NAN };
    ck_assert_double_eq(stats_mean(x, 5), 3);
    ck_assert_double_eq_tol(stats_sd(x, 5), sqrt(2.5), 1e-15);
    ck_assert_double_eq(stats_median(x, 5), 3);
    ck_assert_double_eq(stats_median(even, 4), 2.5);
    ck_assert(isnan(stats_median(bad, 3)));
    const stats_interval i = stats_mean_interval(x, 5, 0.95);              /* t(0.975, 4) = 2.776445105 */
    ck_assert_double_eq_tol(i.high - 3, 2.776445105 * sqrt(2.5) / sqrt(5), 1e-8);
    ck_assert_double_eq_tol(i.low + i.high, 6, 1e-12);
    const stats_interval wide = stats_mean_interval(x, 2, 0.95);           /* t(0.975, 1) = 12.70620474 */
    ck_assert_double_eq_tol(wide.high - 1.5, 12.70620474 * 0.5, 1e-7);
    const stats_interval alone = stats_mean_interval(one, 1, 0.95);
    ck_assert(alone.high == INFINITY && alone.mean == 7 && isnan(stats_sd(one, 1)));
}
END_TEST

/* The ends move by no more than the stated bound, whichever numbers move; and by nearly that when the outer two move apart. */
START_TEST(moved_intervals)
{
    const double x[] = { 1, 2, 4 }, by = 0.01;
    const stats_interval i = stats_mean_interval(x, 3, 0.95);
    const double most = stats_interval_shift(3, 0.95, by);
    double farthest = 0;
    for (int k = 0; k < 27; k++) {
        const double y[] = { x[0] + by * (k % 3 - 1), x[1] + by * (k / 3 % 3 - 1), x[2] + by * (k / 9 - 1) };
        const stats_interval j = stats_mean_interval(y, 3, 0.95);
        ck_assert(fabs(j.low - i.low) <= most && fabs(j.high - i.high) <= most);
        farthest = fmax(farthest, fmax(fabs(j.low - i.low), fabs(j.high - i.high)));
    }
    ck_assert_double_ge(farthest, 0.6 * most);
    ck_assert_double_eq(stats_interval_shift(1, 0.95, by), 0);
}
END_TEST

START_TEST(p_values)
{
    const double x[] = { -1, -2, -3 }, same[] = { -1, -1, -1 }, zero[] = { 0, 0 };
    /* t = -2 sqrt 3 = -3.4641 with 2 degrees: P = 1/2 - |t| / (2 sqrt(2 + t^2)) = 0.0370900 */
    ck_assert_double_eq_tol(stats_p_below(x, 3, 0), 0.5 - sqrt(12) / (2 * sqrt(14)), 1e-12);
    ck_assert_double_eq_tol(stats_p_below(x, 3, -4), 0.5 + sqrt(12) / (2 * sqrt(14)), 1e-12);
    ck_assert_double_eq(stats_p_below(same, 3, 0), 0);
    ck_assert_double_eq(stats_p_below(same, 3, -2), 1);
    ck_assert_double_eq(stats_p_below(zero, 2, 0), 0.5);
    ck_assert(isnan(stats_p_below(x, 1, 0)) && isnan(stats_p_equivalent(x, 1, 1)));
    /* mean 0.001, sd 0.001, n = 4 within 0.005: t = -8 and 12 with 3 degrees; the larger P is of the nearer side */
    const double near[] = { 0, 0.001, 0.001, 0.002 }, far[] = { 0.004, 0.006, 0.005, 0.005 };
    ck_assert_double_le(stats_p_equivalent(near, 4, 0.005), 0.002);
    ck_assert_double_ge(stats_p_equivalent(near, 4, 0.005), stats_p_below(near, 4, 0.005));
    ck_assert_double_ge(stats_p_equivalent(far, 4, 0.005), 0.5);
    const double mirrored[] = { 0, -0.001, -0.001, -0.002 };
    ck_assert_double_eq_tol(stats_p_equivalent(mirrored, 4, 0.005), stats_p_equivalent(near, 4, 0.005), 1e-12);
}
END_TEST

START_TEST(corrections)
{
    double p[] = { 0.01, 0.04, 0.03, 0.005 }, q[] = { 0.6, 0.5 }, r[] = { NAN, 0.02 };
    stats_holm(p, 4);                              /* 4 * 0.005, 3 * 0.01, 2 * 0.03, then at least that */
    ck_assert_double_eq_tol(p[3], 0.02, 1e-15);
    ck_assert_double_eq_tol(p[0], 0.03, 1e-15);
    ck_assert_double_eq_tol(p[2], 0.06, 1e-15);
    ck_assert_double_eq_tol(p[1], 0.06, 1e-15);
    stats_holm(q, 2);
    ck_assert(q[0] == 1 && q[1] == 1);
    stats_holm(r, 2);
    ck_assert(isnan(r[0]) && fabs(r[1] - 0.04) < 1e-15);
    ck_assert_double_eq_tol(100 * stats_binomial_error(0.98, 10000), 0.14, 1e-12);
}
END_TEST

/* ---- a kind of run for tests: a shell script that does what its options say -------------------------------------- */

static char *root;
static char *in(const char *name) { return temp_path(root, name); }

static bool there(const char *name) { return temp_exists(root, name); }
static char *read_file(const char *name) { return there(name) ? temp_read(root, name, NULL) : temp_format("%s", ""); }

static void must_hold(const char *text, const char *part) { ck_assert_msg(strstr(text, part) != NULL, "no `%s` in:\n%s", part, text); }

/* Prints a loss that its options name, counts how often it was started, and ends as they say. */
static const char script[] =
    "#!/bin/sh\n"
    "command=$1; shift\n"
    "for word; do case $word in --out=*) out=${word#--out=};; --loss=*) loss=${word#--loss=};; --seed=*) seed=${word#--seed=};;\n"
    "  --data-seed=*) order=${word#--data-seed=};; --end=*) end=${word#--end=};; esac; done\n"
    "mkdir -p $out\n"
    "echo $command threads=$OMP_NUM_THREADS $* >> $out/starts\n"
    "cut -d' ' -f1,5 /proc/$$/stat > $out/groups\n"
    "echo said by $seed\n"
    "case $end in look) cp $out/../said $out/seen;;\n"
    "  slow) printf 'step,rate,loss,norm\\n1,1,1,1\\n3,1,1,1\\n4,1' > $out/steps.csv\n"
    "    for try in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do [ -f $out/go ] || sleep 3; done;; esac\n"
    "case $end in 3) printf 'step,rate,loss,norm\\n4,1,inf,nan\\n' > $out/steps.csv\n"
    "  printf 'step,other,val_loss\\n4,nan,inf\\n' > $out/evals.csv; exit 3;; esac\n"
    "case $end in kill) [ -f $out/again ] || { touch $out/again; kill -9 $$; };; 1|2) exit $end;; wait) exec sleep 30;;\n"
    "  deaf) trap 'echo >> $out/heard' INT; touch $out/ready; until [ -f $out/go ]; do sleep 0.1; done;; esac\n"
    "{ echo \"# sources seed=$seed data_seed=$order train=abcd\"; echo '# commit c0ffee'; echo '# machine test'; echo step,other,val_loss\n"
    "  echo 0,9,9; echo 5,1,$(echo $loss $seed | awk '{print $1 + ($2 % 10) / 1000}'); } > $out/evals.csv\n";

static run_cost cost(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        if (strncmp(argv[k], "--bad", 5) == 0) die("--bad is bad, \"really\"");
        if (strcmp(argv[k], "--ends") == 0) exit(0);                      /* as --help does                  */
    }
    return (run_cost){ .parameters = 1234, .flops = 1e9, .units = 500, .steps = 5, .unit = "tokens" };
}
static const run_kind kinds[] = { { "train", cost }, { "other", cost }, { NULL, NULL } };

static void setup(void)
{
    root = temp_folder();
    temp_text(root, "program", script);
    char *path = in("program");
    ck_assert_int_eq(chmod(path, 0755), 0);
}

/* ---- lists of work ------------------------------------------------------------------------------------------------- */

static void read_list(void *with)
{
    (void)with;
    char *path = in("list");
    worklist w = worklist_read(path, kinds);
    printf("%ld runs\n", w.n);
    worklist_free(&w);
}

static const struct { const char *list, *says; } bad_list[] = {
    { "a train --x=1\nb train --bad=2\n", "list:2: --bad is bad, \"really\"" },
    { "a train\n\n# a\na other # b\n", "list:4: duplicate run name `a`" },
    { "a walk --x\n", "list:1: unknown command `walk`; a run is one of train, other" },
    { "a\n", "list:1: run `a` has no command" },
    { "../a train\n", "cannot name a folder" },
    { "a/b train\n", "cannot name a folder" },
    { "a train --out=x\n", "list:1: --out is not allowed" },
    { "a train --x=1\nb train --ends\n", "list:2: its options train nothing: a run takes no --help" },
    { "a train --estimate --x\n", "list:1: --estimate is not allowed here: it trains nothing" },
    { "a train --seed=random\n", "list:1: --seed=random is not allowed here" },
    { "a train --data-seed=random\n", "list:1: --data-seed=random is not allowed here" },
    { "a train --estim --gpu=h100\n", "list:1: --estimate is not allowed here" },       /* as getopt_long takes them */
    { "a train --ou=x\n", "list:1: --out is not allowed here" },
    { "a train --x --se random\n", "list:1: --se random is not allowed here" },
    { "a train --data-s=random\n", "list:1: --data-s=random is not allowed here" },
    { "# nothing\n\n", "contains no run" },
};
START_TEST(bad_lists)
{
    char output[1024];
    temp_text(root, "list", bad_list[_i].list);
    ck_assert_int_eq(run_child(read_list, NULL, output, sizeof output), 2);
    must_hold(output, bad_list[_i].says);
}
END_TEST

START_TEST(good_lists)
{
    char output[1024];
    temp_text(root, "list", "  a train  --x=1\t--y  # why\n#b train\nc-1.5+d=e_f other --data=random --seed=1\r\n"
              "d train --da random\ne train --dat=random\n");
    ck_assert_int_eq(run_child(read_list, NULL, output, sizeof output), 0);
    ck_assert_str_eq(output, "4 runs\n");
    char *path = in("list");
    worklist w = worklist_read(path, kinds);
    ck_assert(w.at[0].words == 3 && strcmp(w.at[0].word[1], "--x=1") == 0 && strcmp(w.at[0].word[2], "--y") == 0);
    ck_assert_str_eq(w.at[1].word[2], "--seed=1");                        /* the line's end is Windows'      */
    worklist_free(&w);
    temp_write(root, "list", "a train\0--x=1\n", 14);
    ck_assert_int_eq(run_child(read_list, NULL, output, sizeof output), 2);
    must_hold(output, "list:1: the line has a byte 0");
}
END_TEST

/* ---- sweeps ----------------------------------------------------------------------------------------------------------- */

static sweep_result sweep_list(long jobs)                   /* of the file `list` */
{
    char *path = in("list"), *program = in("program"), *out = in("out");
    worklist w = worklist_read(path, kinds);
    const sweep_options o = { .out = out, .program = program, .jobs = jobs, .quiet = true };
    const sweep_result r = sweep_run(&w, &o);
    worklist_free(&w);
    return r;
}

static sweep_result sweep_of(const char *list, long jobs)
{
    temp_text(root, "list", list);
    return sweep_list(jobs);
}

static long lines_of(const char *name)
{
    char *text = read_file(name);
    long n = 0;
    for (const char *p = text; *p; p++) n += *p == '\n';
    return n;
}

START_TEST(finished_runs_are_skipped)
{
    const char list[] = "a train --loss=1 --seed=1\nb other --loss=2 --seed=1\nc train --loss=3\n";
    sweep_result r = sweep_of(list, 2);
    ck_assert(r.here == 3 && r.before == 0 && r.failed == 0 && r.stopped == 0 && r.elsewhere == 0);
    r = sweep_of(list, 1);
    ck_assert(r.here == 0 && r.before == 3);
    ck_assert_int_eq(lines_of("out/a/starts"), 1);
    char *done = read_file("out/b/done"), *starts = read_file("out/b/starts"), *log = read_file("out/a/log");
    char *machine = machine_name(), *both = temp_format("other --loss=2 --seed=1\n%s\n", machine);
    ck_assert_str_eq(done, both);
    must_hold(machine, " core");
    free(machine);
    must_hold(starts, "--quiet");
    ck_assert_str_eq(log, "said by 1\n");
}
END_TEST

/* Held to a core as by taskset. */
static void print_held_machine(void *unused)
{
    (void)unused;
    cpu_set_t all, one;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all)) cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    printf("%s\n", machine_name());
}

START_TEST(one_core_is_no_cores)
{
    char output[256];
    ck_assert_int_eq(run_child(print_held_machine, NULL, output, sizeof output), 0);
    must_hold(output, ", 1 core\n");
}
END_TEST

START_TEST(failures_leave_the_others_alone)
{
    const char list[] = "a train --end=2\nb train --end=kill --loss=1\nc train --end=1\nd train --loss=1\n";
    sweep_result r = sweep_of(list, 1);
    ck_assert(r.here == 1 && r.failed == 2 && r.stopped == 1);
    ck_assert(there("out/d/done") && !there("out/a/done") && !there("out/b/done") && !there("out/c/done"));
    r = sweep_of(list, 2);                                                 /* b crashed, and ends well the second time */
    ck_assert(r.here == 1 && r.before == 1 && r.failed == 1 && r.stopped == 1 && there("out/b/done"));
}
END_TEST

static void sweep_aloud(void *with)
{
    temp_text(root, "list", with);
    char *list = in("list"), *program = in("program"), *out = in("out");
    worklist w = worklist_read(list, kinds);
    sweep_run(&w, &(sweep_options){ .out = out, .program = program, .jobs = 1 });
}

/* A run has its share of the cores, and no more threads than the environment allows. */
START_TEST(threads_of_a_run)
{
    const long all = machine_cores(), half = all / 2 > 1 ? all / 2 : 1;
    const struct { const char *most; long jobs, threads; } try[] = {
        { NULL, 1, all }, { NULL, 2, half }, { NULL, 999, 1 }, { "1", 1, 1 }, { "999", 2, half }, { "none", 1, all } };
    for (size_t k = 0; k < COUNT(try); k++) {
        if (try[k].most) setenv("OMP_NUM_THREADS", try[k].most, 1);
        else             unsetenv("OMP_NUM_THREADS");
        sweep_of(temp_format("run%zu train --loss=1\n", k), try[k].jobs);
        must_hold(read_file(temp_format("out/run%zu/starts", k)), temp_format(" threads=%ld ", try[k].threads));
    }
}
END_TEST

/* Exit status 3: it is not run again, and the others go on. */
START_TEST(diverged_runs_are_finished)
{
    char list[] = "a train --end=3\nb train --loss=1\n", output[1024], *out = in("out");
    ck_assert_int_eq(run_child(sweep_aloud, list, output, sizeof output), 0);
    must_hold(output, "diverged at step 4 after ");
    ck_assert_ptr_null(strstr(output, "FAILED"));
    char *machine = machine_name(), *done = must_format("train --end=3\n%s\ndiverged at step 4\n", machine);
    ck_assert_str_eq(read_file("out/a/done"), done);
    free(machine);
    free(done);
    const sweep_result r = sweep_of(list, 1);
    ck_assert(r.before == 2 && r.diverged == 1 && r.here == 0 && r.failed == 0);
    ck_assert_int_eq(lines_of("out/a/starts"), 1);
    worklist w = worklist_read(in("list"), kinds);
    ck_assert(sweep_diverged(out, &w.at[0]) == 4 && sweep_diverged(out, &w.at[1]) == 0 && sweep_done(out, &w.at[0]));
    worklist_free(&w);
    const sweep_result now = sweep_of("c train --end=3\n", 1);
    ck_assert(now.here == 1 && now.diverged == 1 && now.failed == 0 && now.stopped == 0);
}
END_TEST

/* Why a run failed stands beside it: its last words, the signal that ended it, or that it left no word. */
START_TEST(failed_runs_say_why)
{
    char list[] = "a train --end=kill\nb train --end=2\n", output[1024];
    run_child(sweep_aloud, list, output, sizeof output);
    must_hold(output, "FAILED after ");
    must_hold(output, ": said by; ended by signal 9 (Killed)");
    temp_text(root, "program", "#!/bin/sh\nexit 2\n");
    run_child(sweep_aloud, "c train --end=2\n", output, sizeof output);
    must_hold(output, "exit status 2, and nothing in its log: is the disk full?");
}
END_TEST

START_TEST(held_runs_are_left)
{
    char *out = in("out"), *folder = in("out/a"), *lock = in("out/a/lock");
    ck_assert(mkdir(out, 0777) == 0 && mkdir(folder, 0777) == 0);
    const int held = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ck_assert_int_eq(flock(held, LOCK_EX), 0);
    const char list[] = "a train --loss=1\nb train --loss=1\n";
    sweep_result r = sweep_of(list, 2);
    ck_assert(r.elsewhere == 1 && r.here == 1 && !there("out/a/starts"));
    close(held);                                                           /* whoever held it has died */
    r = sweep_of(list, 2);
    ck_assert(r.elsewhere == 0 && r.here == 1 && r.before == 1);
}
END_TEST

static void sweep_b(void *with) { sweep_of(with, 1); }

START_TEST(another_run_in_the_folder)
{
    char output[1024], list[] = "new train --loss=2\na train --loss=2\n";
    sweep_of("a train --loss=1\n", 1);
    ck_assert_int_eq(run_child(sweep_b, list, output, sizeof output), 2);
    must_hold(output, "belongs to a different run (`train --loss=1`, now `train --loss=2`)");
    ck_assert(!there("out/new"));                                          /* nothing was started */
}
END_TEST

/* A run that was made with more of the options which leave model, data and steps as they are is the one that is asked for
 * without them; not the other way round, nor with another value or another option. */
static const struct { const char *done, *asked; bool same; } more_options[] = {
    { "train --loss=1", "train --loss=1", true },
    { "train --loss=1 --micro=16 --backend=cpu-bf16", "train --loss=1", true },
    { "train --loss=1 --micro=16", "train --loss=1 --micro=8", false },
    { "train --loss=1", "train --loss=1 --micro=8", false },
    { "train --loss=1 --micro=16 --x=3", "train --loss=1", false },
    { "train --loss=1 --microscope=16", "train --loss=1", false },
    { "train --loss=12", "train --loss=1", false },
    { "train --loss=1 --backend=cpu --backend=cpu-bf16", "train --loss=1 --backend=cpu", false },
};
START_TEST(runs_with_more_options)
{
    char output[1024], *list = must_format("a %s\n", more_options[_i].asked), *first = must_format("a %s\n", more_options[_i].done);
    sweep_of(first, 1);
    ck_assert_int_eq(run_child(sweep_b, list, output, sizeof output), more_options[_i].same ? 0 : 2);
    if (!more_options[_i].same) must_hold(output, "belongs to a different run");
    ck_assert_int_eq(lines_of("out/a/starts"), 1);
    free(list);
    free(first);
}
END_TEST

/* Two processes at one list: each run once, all of them done in the end. */
START_TEST(processes_share_a_list)
{
    char list[1024] = "";
    for (int k = 0; k < 12; k++) {
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "r%d train --loss=1\n", k);
    }
    fflush(NULL);
    pid_t child[2];
    int status;
    temp_text(root, "list", list);                          /* once: a process must not read half of it */
    for (int k = 0; k < 2; k++) if ((child[k] = fork()) == 0) { sweep_list(2); _exit(0); }
    for (int k = 0; k < 2; k++) ck_assert(waitpid(child[k], &status, 0) == child[k] && status == 0);
    for (int k = 0; k < 12; k++) {
        char *starts = temp_format("out/r%d/starts", k), *done = temp_format("out/r%d/done", k);
        ck_assert_int_eq(lines_of(starts), 1);
        ck_assert(there(done));
    }
}
END_TEST

/* SIGINT at the sweep alone reaches its runs; what was not started is not. */
START_TEST(interrupts)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const sweep_result r = sweep_of("a train --end=wait\nb train --end=wait\nc train --loss=1\n", 2);
        _exit(r.here == 0 && r.failed == 0 && r.stopped == 3 ? 0 : 9);     /* the script dies of it, as a run does in its
                                                                               first moments: stopped, not failed */
    }
    for (int tries = 0; tries < 500 && !(there("out/a/log") && there("out/b/log")); tries++) usleep(10000);
    usleep(100000);
    kill(child, SIGINT);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", status);
    ck_assert(!there("out/c"));
}
END_TEST

/* What `timeout` sends twice is passed on once; a second request is passed on, too. */
START_TEST(one_request_is_one_signal)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const sweep_result r = sweep_of("a train --loss=1 --end=deaf\n", 1);
        _exit(r.here == 1 ? 0 : 9);
    }
    for (int tries = 0; tries < 500 && !there("out/a/ready"); tries++) usleep(10000);
    kill(child, SIGTERM);
    for (int tries = 0; tries < 500 && !there("out/a/heard"); tries++) usleep(10000);
    kill(child, SIGTERM);
    usleep(2500000);
    ck_assert_int_eq(lines_of("out/a/heard"), 1);
    kill(child, SIGTERM);
    for (int tries = 0; tries < 500 && lines_of("out/a/heard") < 2; tries++) usleep(10000);
    ck_assert_int_eq(lines_of("out/a/heard"), 2);
    temp_text(root, "out/a/go", "");
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* The letter of a process in /proc: S sleeping, T stopped. */
static char state_of(long pid)
{
    char *path = temp_format("/proc/%ld/stat", pid), line[512] = "";
    FILE *f = fopen(path, "r");
    if (f && !fgets(line, sizeof line, f)) *line = '\0';
    if (f) fclose(f);
    const char *end = strrchr(line, ')');
    return end ? end[2] : '?';
}
static void until(long pid, char state)
{
    for (int tries = 0; tries < 500 && state_of(pid) != state; tries++) usleep(10000);
    ck_assert_int_eq(state_of(pid), state);
}

/* Ctrl-Z at a terminal, too; so its runs stop with the sweep and resume with it. */
START_TEST(pauses)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        sweep_of("a train --end=wait\n", 1);
        _exit(0);
    }
    for (int tries = 0; tries < 500 && !(there("out/a/groups") && *read_file("out/a/groups")); tries++) usleep(10000);
    const long run = strtol(read_file("out/a/groups"), NULL, 10);
    until(run, 'S');
    kill(child, SIGTSTP);
    int status;
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    ck_assert_msg(WIFSTOPPED(status), "status %x", status);
    until(run, 'T');
    kill(child, SIGCONT);
    until(run, 'S');
    kill(child, SIGINT);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* Each run leads a process group of its own, so that Ctrl-C at a terminal reaches it only once, through the sweep. */
START_TEST(groups_of_runs)
{
    sweep_of("a train --loss=1\n", 1);
    char *groups = read_file("out/a/groups"), *end;
    const long pid = strtol(groups, &end, 10), group = strtol(end, NULL, 10);
    ck_assert_int_gt(pid, 0);
    ck_assert_int_eq(pid, group);
}
END_TEST

/* ---- progress output ------------------------------------------------------------------------------------------- */

/* A sweep of out/a and out/b, one after the other, whose output goes to out/said. */
static void watched_sweep(void *with)
{
    temp_text(root, "list", with);
    char *list = in("list"), *program = in("program"), *out = in("out"), *to = in("out/said");
    make_folder(out);
    if (!freopen(to, "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) exit(9);
    worklist w = worklist_read(list, kinds);
    watch a = { .kinds = kinds, .speed = 1e8 };
    watch_add(&a, &w, out);
    const sweep_result r = sweep_run(&w, &(sweep_options){ .out = out, .program = program, .jobs = 1, .watch = &a });
    exit(r.here == 2 ? 0 : 9);
}

/* Each run finds its own first line already written, and not yet its last one.  2e9 FLOP at 1e8 a second are at least
 * 20 s, so 40 s are expected before anything is known. */
START_TEST(a_line_comes_before_its_run)
{
    char list[] = "a train --end=look --loss=1\nb train --end=look --loss=1\n";
    ck_assert_int_eq(run_child(watched_sweep, list, NULL, 0), 0);
    char *a = read_file("out/a/seen"), *b = read_file("out/b/seen"), *all = read_file("out/said");
    must_hold(a, "  [1/2] a                                5 steps, about 40 s left in all\n");
    ck_assert_msg(!strstr(a, "finished after") && !strstr(a, "[2/2]"), "%s", a);
    must_hold(b, "[1/2] a                                finished after ");
    must_hold(b, "[2/2] b                                5 steps, about ");
    must_hold(all, "[2/2] b                                finished after ");
}
END_TEST

/* While a run is at its third step, and its fourth row is half written, a line says so; nothing of it is recorded. */
START_TEST(a_long_run_is_followed)
{
    char list[] = "a train --end=slow --loss=1\nb train --loss=1\n", *output = NULL;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) watched_sweep(list);
    for (int tries = 0; tries < 3000 && !(output && strstr(output, "step 3/5")); tries++) {
        usleep(10000);
        output = read_file("out/said");
    }
    temp_text(root, "out/a/go", "");
    int status;
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    must_hold(output, "  0 of 2 runs finished, about ");
    must_hold(output, "left in all; [1] step 3/5\n");
    char *log = read_file("out/a/log");
    ck_assert(!strstr(log, "left"));
}
END_TEST

/* Earlier steps are counted and not awaited; a resumed run says from where. */
START_TEST(what_is_left_is_counted)
{
    char list[] = "a train --loss=1\nb train --loss=1\n";
    sweep_of("a train --loss=1\n", 1);
    char *folder = in("out/b"), *out = in("out");
    make_folder(folder);
    temp_text(root, "out/b/steps.csv", temp_format("# model %0600d\nstep,rate,loss,norm\n", 7));
    ck_assert_int_eq(run_folder_step(out, "b"), 0);                        /* the end of a long line is no step */
    temp_text(root, "out/b/steps.csv", "# model\nstep,rate,loss,norm\n1,0,0,0\n2,0,0,0\n3,0,0,0\n");
    ck_assert_int_eq(run_folder_step(out, "b"), 3);
    temp_text(root, "out/b/last.ckpt", "PROVABLY 1\ntext model x\ntext step 2\nend\n\ntext step 4\n");    /* a step was lost */
    ck_assert_int_eq(run_folder_step(out, "none"), 0);
    worklist w = { NULL, 0 };
    ck_assert(!worklist_add(&w, kinds, "a", "train --loss=1") && !worklist_add(&w, kinds, "b", "train --loss=1"));
    watch a = { .kinds = kinds };
    watch_add(&a, &w, out);
    ck_assert(a.runs == 2 && a.before == 1 && a.flops == 1e9 && a.begun_flops == 4e8);
    watched r = watch_start(&a, &w.at[1], out, 0);
    temp_text(root, "out/b/steps.csv", "step,rate,loss,norm\n2,0,0,0\n4,0,0,0\n");
    ck_assert(r.number == 1 && r.first == 2 && watch_made(&r, out) == 4e8 && r.step == 4);
    watch_end(&a, &r, out, true);                          /* it ended at step 4 of 5, so it diverged */
    ck_assert(a.finished == 1 && a.made == 4e8 && fabs(a.flops) < 1);
    temp_text(root, "out/b/steps.csv", "step,rate,loss,norm\n2,0,0,0\n");
    worklist_free(&w);
    ck_assert_int_eq(run_child(watched_sweep, list, NULL, 0), 9);          /* one here, one before */
    char *output = read_file("out/said");
    must_hold(output, "  [2/2] b                                5 steps from step 2, about 12 s left in all\n");
}
END_TEST

START_TEST(durations)
{
    const struct { double seconds; const char *text; } known[] = { { 0, "0.0 s" }, { 41, "41 s" }, { 90, "90 s" }, { 720, "12 min" },
        { 7.5 * 3600, "7.5 h" }, { 72 * 3600, "3.0 days" } };
    for (size_t k = 0; k < COUNT(known); k++) {
        char text[32];
        duration_text(text, sizeof text, known[k].seconds);
        ck_assert_str_eq(text, known[k].text);
    }
}
END_TEST

/* ---- presets ------------------------------------------------------------------------------------------------------------- */

static bool has_row(const experiment *e, const char *name)
{
    for (long k = 0; k < e->rows; k++) if (strcmp(e->row[k].name, name) == 0) return true;
    return false;
}

START_TEST(presets_are_sound)
{
    for (const preset *p = presets; p->name; p++) {
        ck_assert(preset_find(p->name) == p && (p->parts > 0) != (p->members > 0) && p->about && p->scale);
        for (long k = 0; k < p->parts; k++) {
            const experiment *e = &p->part[k];
            ck_assert_msg(e->name && e->title && e->command && e->options && e->rows > 0 && e->seeds > 0 && e->shown[0].name,
                          "%s %ld", p->name, k);
            ck_assert_msg(e->data || e->without_data, "%s", p->name);
            ck_assert_msg(!e->data || e->get, "%s does not say where its data are from", p->name);
            ck_assert_msg(e->full || e->cannot || !e->claim || e->eliminates, "%s %s claims without saying its limits", p->name, e->name);
            for (long i = 0; i < e->plans; i++) {
                ck_assert(has_row(e, e->plan[i].first) && has_row(e, e->plan[i].second));
                ck_assert(e->plan[i].kind == BELOW || e->plan[i].margin > 0);
            }
            ck_assert_msg(!e->full || !e->tuned_by, "%s is full and tuned", p->name);  /* own commands need no tuning */
            for (long m = 0; m < PRESET_METRICS && e->shown[m].name; m++)     /* lines are known by these names */
                for (long i = 0; i < m; i++) ck_assert_str_ne(e->shown[m].shown, e->shown[i].shown);
            for (long i = 0; i < experiment_rows(e); i++)
                for (long j = 0; j < i; j++) {
                    char *a = experiment_name(e, i), *b = experiment_name(e, j);
                    ck_assert_str_ne(a, b);
                    free(a);
                    free(b);
                }
        }
    }
    ck_assert_ptr_null(preset_find("nope"));
}
END_TEST

/* Each run that 002 prints is a row of a preset, with the printed figures. */
START_TEST(every_printed_run_has_a_row)
{
    for (size_t r = 0; r < printed_runs_count; r++) {
        const char *name = printed_runs[r].name;
        const experiment *e = &preset_find(strncmp(name, "mnist", 5) == 0 ? "vit-mnist" : "vit-cifar10")->part[0];
        ck_assert_msg(has_row(e, name), "%s", name);
        for (long k = 0; k < e->rows; k++) {
            if (strcmp(e->row[k].name, name) != 0) continue;
            ck_assert_str_eq(e->row[k].run, name);
            ck_assert_str_eq(experiment_paper(e, &e->row[k], 0), printed_runs[r].val_acc);
            ck_assert_str_eq(experiment_paper(e, &e->row[k], 3), printed_runs[r].train_loss);
            char *options = experiment_options(e, k, "", "D");
            ck_assert_ptr_nonnull(strstr(options, name));
            free(options);
        }
    }
}
END_TEST

/* A figure that nothing could be compared with would never stand in the way of its claim. */
START_TEST(every_printed_figure_is_a_number)
{
    const double x[] = { 1, 1, 1 };
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++)
            for (long row = 0; row < p->part[k].rows; row++)
                for (long m = 0; m < PRESET_METRICS && p->part[k].shown[m].name; m++) {
                    const experiment *e = &p->part[k];
                    const char *paper = experiment_paper(e, &e->row[row], m);
                    const outcome is = outcome_of_paper(paper, &e->shown[m], x, 3, 10000);
                    ck_assert_msg(!paper || is == OUTCOME_AGREES || is == OUTCOME_DIFFERS, "%s: %s", p->name, paper);
                }
}
END_TEST

START_TEST(grids_and_data)
{
    const experiment *e = &preset_find("small-gpt-tune")->part[0];
    ck_assert_int_eq(experiment_rows(e), 5 * 4 * 2 * 2);
    char *first = experiment_name(e, 0), *last = experiment_name(e, 79), *options = experiment_options(e, 79, "", "here/x");
    ck_assert_str_eq(first, "smaller-mlp-rate=1.5e-3-decay=0.1-factor=0.5");
    ck_assert_str_eq(last, "reduced-larger-mlp-rate=5.1e-3-decay=0.03125-factor=1");
    must_hold(options, "--mlp=1152 --no-query --rate=5.1e-3 --decay=0.03125 --factor=1 --data=bytes:here/x/text.txt");
    free(first);
    free(last);
    free(options);
    const experiment *tied = &preset_find("gpt-tied")->part[0];                /* as in the authors' code */
    for (long k = 1; k < 4; k += 2) {
        char *reduced = experiment_options(tied, k, "", NULL);
        must_hold(reduced, "--no-query --factor=0.5 --decay=0.025");
        free(reduced);
    }
    const experiment *q = &preset_find("quick")->part[2];
    char *made_up = experiment_options(q, 0, "", NULL), *twice = experiment_place_data("DATA/a DATA/b", "x");
    must_hold(made_up, "--data=synthetic");
    ck_assert_str_eq(twice, "x/a x/b");
    free(made_up);
    free(twice);
}
END_TEST

/* ---- verdicts --------------------------------------------------------------------------------------------------------------- */

START_TEST(against_the_paper)
{
    const metric plain = { .times = 1 }, share = { .times = 100, .share = true };
    const double near[] = { 3.015, 3.017, 3.019 }, far[] = { 3.0301, 3.0302, 3.0303 }, acc[] = { 98.0, 98.0, 98.0 };
    const double inside[] = { 5, 5.1, 5.2 }, bad[] = { 1, NAN, 2 };
    ck_assert_int_eq(outcome_of_paper("3.018", &plain, near, 3, 0), OUTCOME_AGREES);
    ck_assert_int_eq(outcome_of_paper("3.018", &plain, far, 3, 0), OUTCOME_DIFFERS);
    ck_assert_int_eq(outcome_of_paper("3.0306", &plain, far, 3, 0), OUTCOME_DIFFERS); /* 2 sd = 0.0002, half a digit 0.00005 */
    ck_assert_int_eq(outcome_of_paper("3.030", &plain, far, 3, 0), OUTCOME_AGREES); /* within half a digit */
    ck_assert_int_eq(outcome_of_paper("98.38", &share, acc, 3, 10000), OUTCOME_AGREES); /* three standard errors are 0.379 */
    ck_assert_int_eq(outcome_of_paper("98.45", &share, acc, 3, 10000), OUTCOME_DIFFERS);
    ck_assert_int_eq(outcome_of_paper("4 to 6", &plain, inside, 3, 0), OUTCOME_AGREES);
    ck_assert_int_eq(outcome_of_paper("11 to 14", &plain, inside, 3, 0), OUTCOME_DIFFERS);
    ck_assert_int_eq(outcome_of_paper("above 4", &plain, inside, 3, 0), OUTCOME_AGREES);
    ck_assert_int_eq(outcome_of_paper("above 6", &plain, inside, 3, 0), OUTCOME_DIFFERS);
    ck_assert_int_eq(outcome_of_paper(NULL, &plain, near, 3, 0), OUTCOME_NONE);
    ck_assert_int_eq(outcome_of_paper("no number", &plain, near, 3, 0), OUTCOME_NONE);
    ck_assert_int_eq(outcome_of_paper("1", &plain, bad, 3, 0), OUTCOME_NOT_FINITE);
    ck_assert_int_eq(outcome_of_paper("3.018", &plain, near, 2, 0), OUTCOME_FEW_SEEDS);
}
END_TEST

START_TEST(planned_comparisons)
{
    const planned below = { .kind = BELOW, .first = "a", .second = "b" };
    const planned same = { .kind = SAME, .first = "a", .second = "b", .margin = 0.005 };
    const double lower[] = { -3, -3.1, -2.9 }, higher[] = { 1, 1.1, 0.9 }, wide[] = { -1, 1, 0.1 };
    const double tight[] = { 0.001, 0.0011, 0.0009 }, apart[] = { 0.02, 0.021, 0.019 };
    const struct { const planned *plan; const double *x; double p; outcome is; const char *says; } try[] = {
        { &below, lower, 0.01, OUTCOME_AS_PRINTED, "as printed: a is lower (p = 0.01)" },
        { &below, lower, 0.06, OUTCOME_NOT_RESOLVED, "not resolved at this size" },
        { &below, higher, 0.99, OUTCOME_OPPOSITE, "the opposite order: a is higher" },
        { &below, wide, 0.4, OUTCOME_NOT_RESOLVED, "not resolved at this size" },
        { &same, tight, 0.01, OUTCOME_AS_PRINTED, "as printed: the same within 0.005 by two one-sided tests (p = 0.01)" },
        { &same, apart, 0.99, OUTCOME_NOT_AS_PRINTED, "not as printed: they differ by more than 0.005" },
        { &same, wide, 0.5, OUTCOME_NOT_RESOLVED, "not resolved at this size" },
        { &below, lower, 0, OUTCOME_AS_PRINTED, "as printed: a is lower (p < 1e-300)" },
        { &same, tight, 1e-301, OUTCOME_AS_PRINTED, "as printed: the same within 0.005 by two one-sided tests (p < 1e-300)" },
        { &below, lower, NAN, OUTCOME_NOT_RESOLVED, "not resolved at this size" } };
    for (size_t k = 0; k < COUNT(try); k++) {
        const outcome is = outcome_of_plan(try[k].plan, stats_estimate_mean(try[k].x, 3, 0), try[k].p);
        char *text = outcome_text(is, try[k].plan, try[k].p);
        ck_assert_int_eq(is, try[k].is);
        ck_assert_str_eq(text, try[k].says);
        free(text);
    }
    ck_assert_int_eq(outcome_of_plan(&below, stats_estimate_mean(lower, 1, 0), NAN), OUTCOME_ONE_SEED);
}
END_TEST

/* Each kind is read back from its words; what only begins or ends like one is none. */
START_TEST(words_of_outcomes)
{
    static const char *const none[] = { "agree", "agrees!", "agrees: so", "Agrees", " agrees", "as printed so", "as", "x", "fails" };
    const planned plan[] = { { .kind = BELOW, .first = "a", .second = "b" },
                             { .kind = SAME, .first = "a", .second = "b", .margin = 0.005 } };
    for (int k = 0; k < OUTCOMES; k++)
        for (size_t i = 0; i < 3; i++) {
            char *text = k == OUTCOME_PARTIAL ? outcome_partial(2, 3) : outcome_text((outcome)k, i < 2 ? &plan[i] : NULL, 0.01);
            ck_assert_msg((int)outcome_read(text) == k, "%d: %s", k, text);
            free(text);
        }
    for (size_t k = 0; k < COUNT(none); k++) ck_assert_msg(outcome_read(none[k]) == OUTCOMES, "%s", none[k]);
}
END_TEST

/* ---- a preset of one part, run by the script ------------------------------------------------------------------------------------ */

static const preset_row small_rows[] = {
    { "low",  "--loss=1.0", { "1.001" }, NULL, 0 }, { "high", "--loss=1.5", { "9" }, NULL, 0 },
    { "like", "--loss=1.0005", { NULL }, NULL, 0 } };
static const planned small_plan[] = {
    { .kind = BELOW, .first = "low", .second = "high" },
    { .kind = SAME, .first = "low", .second = "like", .margin = 0.005 },
    { .kind = BELOW, .first = "high", .second = "low" } };
static const experiment small_part[] = { {
    .name = "small", .title = "a small part", .claim = "K-X", .table = "003 Table 9", .command = "train", .options = "--same",
    .data = "--from=DATA/x", .without_data = "", .row = small_rows, .rows = 3, .plan = small_plan, .plans = 3, .seeds = 3, .seed = 10, .order = 20,
    .shown = { { .name = "val_loss", .shown = "validation loss", .times = 1 } }, .full = true } };
/* On a GPU one run per core would be too many; a preset that says how many has its way. */
START_TEST(a_gpu_takes_a_few_runs)
{
    const ops gpu = { .device = "a GPU" }, cpu = { .device = NULL };
    ck_assert_int_eq(jobs_on(&gpu, 64), 4);
    ck_assert_int_eq(jobs_on(&gpu, 2), 2);
    ck_assert_int_eq(jobs_on(&cpu, 64), 64);
    const reproduce_options o = { .more = "--backend=cpu", .kinds = kinds };
    ck_assert_int_eq(machine_jobs(&o, "train"), machine_cores());
}
END_TEST

static const preset small_preset = { .name = "small", .about = "for tests", .scale = "tiny", .part = small_part, .parts = 1, .jobs = 2 };

static int reproduce_small(const char *more)
{
    char *program = in("program"), *out = in("out"), *to = in("results");
    const reproduce_options o = { .out = out, .results = to, .data = "/some/where", .more = more, .program = program, .kinds = kinds };
    const int status = reproduce_run(&small_preset, &o);
    return status;
}
static void reproduce_child(void *more) { exit(reproduce_small(more ? more : "--micro=2")); }

static const result *find(const results *all, const char *kind, const char *row)
{
    for (long k = 0; k < all->n; k++) if (result_is(&all->at[k], R_KIND, kind) && result_is(&all->at[k], R_ROW, row)) return &all->at[k];
    ck_abort_msg("no %s %s", kind, row);
    return NULL;
}

START_TEST(a_preset_becomes_results)
{
    char output[8192];
    ck_assert_int_eq(run_child(reproduce_child, NULL, output, sizeof output), 0);
    must_hold(output, "a small part");
    must_hold(output, "as printed: low is lower");
    must_hold(output, "the opposite order: high is higher");
    char *path = in("results/small.csv");
    results all = { NULL, 0 };
    results_parse(&all, path);
    results_check(&all, &small_preset, path);                              /* dies unless all follows from the values */
    ck_assert_int_eq(all.n, 3 + 3);
    const result *low = find(&all, "run", "low");
    ck_assert_str_eq(low->cell[R_VALUES], "1 1.001 1.002");                /* seeds 10, 11, 12 */
    ck_assert_str_eq(low->cell[R_MEAN], "1.001");
    ck_assert_str_eq(low->cell[R_PAPER], "1.001");
    ck_assert_str_eq(low->cell[R_VERDICT], "agrees");
    ck_assert_str_eq(find(&all, "run", "high")->cell[R_VERDICT], "differs");
    ck_assert_str_eq(low->cell[R_SEEDS], "10 to 12");
    ck_assert_str_eq(low->cell[R_COMMIT], "c0ffee");
    ck_assert_str_eq(low->cell[R_DATA], "train=abcd");
    ck_assert_str_eq(low->cell[R_SCALE], "full");
    ck_assert_str_eq(low->cell[R_PARAMETERS], "1234");
    must_hold(low->cell[R_HARDWARE], "test");
    must_hold(low->cell[R_COMMAND], "provably train --same --loss=1.0");
    must_hold(low->cell[R_COMMAND], "--from=DATA/x");
    must_hold(low->cell[R_COMMAND], "--seed=10 --data-seed=20 --micro=2");
    must_hold(find(&all, "comparison", "low - like")->cell[R_VERDICT], "as printed: the same within 0.005");
    ck_assert_str_eq(find(&all, "comparison", "low - high")->cell[R_MEAN], "-0.5");
    results_free(&all);
    ck_assert_int_eq(run_child(reproduce_child, NULL, output, sizeof output), 0);      /* nothing runs again */
    ck_assert_int_eq(lines_of("out/small-low-1/starts"), 1);
}
END_TEST

/* With other options nothing is judged: neither figures nor comparisons, nor an acceptance. */
START_TEST(changed_options_are_not_judged)
{
    char output[8192], more[] = "--epochs=5";
    ck_assert_int_eq(run_child(reproduce_child, more, output, sizeof output), 0);
    ck_assert(!strstr(output, "agrees") && !strstr(output, "differs") && !strstr(output, "as printed:"));
    char *path = in("results/small.csv");
    results all = { NULL, 0 };
    results_parse(&all, path);
    results_check(&all, &small_preset, path);
    for (long k = 0; k < all.n; k++) ck_assert_str_eq(all.at[k].cell[R_VERDICT], "other options: not judged");
    ck_assert_str_eq(find(&all, "comparison", "low - high")->cell[R_P_HOLM], "");
    results_free(&all);
    experiment e = small_part[0];
    e.least_median = 2;                                                    /* an acceptance that would fail */
    const preset p = { .name = "small", .about = "for tests", .scale = "tiny", .part = &e, .parts = 1 };
    char *out = in("out");
    const reproduce_options o = { .out = out, .data = "/some/where", .more = more, .kinds = kinds };
    ck_assert(summarize_part(&p, &e, &o, &all));
    ck_assert_str_eq(find(&all, "check", "low")->cell[R_VERDICT], "other options: not judged");
    results_free(&all);
}
END_TEST

START_TEST(figures_of_a_folder)
{
    const metric loss = { .name = "val_loss", .times = 1 }, linear = { .name = "error", .times = 1, .model = "linear" };
    const metric trained = { .name = "error", .times = 1, .model = "trained" }, none = { .name = "error", .times = 1, .model = "lin" };
    const metric step = { .name = "loss", .times = 1 };
    double x = 0;
    temp_text(root, "evals.csv", "# commit a b\n# a,val_loss,3\nstep,val_loss,z\n0,5,1\n10,4.5,2\n");
    temp_text(root, "models.csv", "# x\nmodel,cosine,error\nlinear,9,0.25\ntrained,8,0.125\n");
    ck_assert(run_folder_metric(root, &loss, &x) && x == 4.5);
    ck_assert(run_folder_metric(root, &linear, &x) && x == 0.25);
    ck_assert(run_folder_metric(root, &trained, &x) && x == 0.125);
    ck_assert(!run_folder_metric(root, &none, &x) && !run_folder_metric(root, &step, &x));
    ck_assert(!run_folder_metric("/nowhere", &loss, &x));
    temp_text(root, "evals.csv", "step,val_loss\n");
    ck_assert(!run_folder_metric(root, &loss, &x));
    char *output = run_folder_header(root, "evals.csv", "commit");
    ck_assert_str_eq(output, "");
    free(output);
}
END_TEST

/* Losses 1, 1.001, 1.002: their median decides. */
START_TEST(acceptance_by_the_median)
{
    experiment e = small_part[0];
    const preset p = { .name = "small", .about = "for tests", .scale = "tiny", .part = &e, .parts = 1 };
    char *out = in("out");
    const reproduce_options o = { .out = out, .data = "/some/where", .more = "--micro=2", .kinds = kinds };
    ck_assert_int_eq(reproduce_small("--micro=2"), 0);
    for (int k = 0; k < 2; k++) {
        results all = { NULL, 0 };
        e.least_median = k ? 1.001 : 1.0011;
        ck_assert(summarize_part(&p, &e, &o, &all) == (k == 1));
        const result *r = find(&all, "check", "low");
        ck_assert_str_eq(r->cell[R_VERDICT], k ? "accepted" : "FAILS");
        ck_assert_str_eq(r->cell[R_MEAN], "1.001");
        results_free(&all);
    }
}
END_TEST

START_TEST(unfinished_presets_record_nothing)
{
    char output[8192];
    temp_text(root, "program", "#!/bin/sh\nexit 2\n");
    ck_assert_int_eq(run_child(reproduce_child, NULL, output, sizeof output), 1);
    must_hold(output, "9 failed");
    ck_assert(!there("results/small.csv"));
}
END_TEST

/* ---- files of results ---------------------------------------------------------------------------------------------------------- */

static result line(const char *name, const char *part, const char *kind, const char *verdict)
{
    result r = { .p = NULL };
    r.cell[R_PRESET] = must_strdup(name);
    r.cell[R_PART] = must_strdup(part);
    r.cell[R_KIND] = must_strdup(kind);
    r.cell[R_VERDICT] = must_strdup(verdict);
    return r;
}

START_TEST(round_trip)
{
    results all = { NULL, 0 }, back = { NULL, 0 };
    result r = line("p", "a", "run", "");
    r.cell[R_TABLE] = must_strdup("a,b");
    r.cell[R_ROW] = must_strdup("says \"so\", twice");
    r.cell[R_CLAIM] = must_strdup("K-T2-100k K-T2-60k");
    results_add(&all, r);
    results_add(&all, line("p", "b", "run", "\""));
    char *path = in("x.csv");
    results_write(&all, path);
    results_parse(&back, path);
    ck_assert_int_eq(back.n, 2);
    for (long k = 0; k < 2; k++)
        for (int c = 0; c < RESULT_COLUMNS; c++) ck_assert_str_eq(all.at[k].cell[c], back.at[k].cell[c]);
    results_free(&all);
    results_free(&back);
}
END_TEST

static void read_bad(void *with)
{
    (void)with;
    char *folder = in("bad");
    results all = results_folder(folder);
    printf("%ld", all.n);
}

START_TEST(damaged_results)
{
    static const char *const tail[] = { "a,b\n", "\"a\n", "", "\"a\"b,c\n" };
    char output[1024], *folder = in("bad"), *path = in("bad/x.csv");
    results none = results_folder("/nowhere/at/all"), empty = { NULL, 0 };
    ck_assert_int_eq(none.n, 0);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    for (size_t k = 0; k < COUNT(tail); k++) {
        results_write(&empty, path);
        char *head = read_file("bad/x.csv"), *text = *tail[k] ? must_format("%s%s", head, tail[k]) : must_strdup("preset,part\n");
        temp_text(root, "bad/x.csv", text);
        ck_assert_int_eq(run_child(read_bad, NULL, output, sizeof output), 2);
        must_hold(output, *tail[k] ? "x.csv:2: " : "x.csv:1: "); must_hold(output, "not a line of results");
        free(text);
    }
    results_write(&empty, path);                                           /* a head alone, or nothing at all */
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(run_child(read_bad, NULL, output, sizeof output), 2);
        must_hold(output, "x.csv: holds no line of results");
        temp_text(root, "bad/x.csv", "");
    }
    results_add(&empty, line("nope", "a", "run", "agrees"));
    results_write(&empty, path);
    ck_assert_int_eq(run_child(read_bad, NULL, output, sizeof output), 2);
    must_hold(output, "x.csv:2: no preset is called `nope`");
    results_free(&empty);
    temp_text(root, "bad/x.csv", "# torch 2\na,b\n");                           /* another kind of record */
    ck_assert_int_eq(run_child(read_bad, NULL, output, sizeof output), 0);
    ck_assert_str_eq(output, "0");
}
END_TEST

/* ---- what results say about claims -------------------------------------------------------------------------------------------------- */

static void add_full(results *all, const char *name, long seeds, long row, double shift)
{
    add_recorded(all, name, (recorded_runs){ .seeds = seeds, .spread = 1e-5, .row = row, .shift = shift });
}

static void set(results *all, long k, result_cell c, const char *text)
{
    free(all->at[k].cell[c]);
    all->at[k].cell[c] = must_strdup(text);
}

static void remove_line(results *all, long k)
{
    result_free(&all->at[k]);
    memmove(&all->at[k], &all->at[k + 1], (size_t)(all->n - k - 1) * sizeof *all->at);
    all->n--;
}

static void double_line(results *all, long k)
{
    result copy;
    for (int c = 0; c < RESULT_COLUMNS; c++) copy.cell[c] = must_strdup(all->at[k].cell[c]);
    results_add(all, copy);
    for (long i = all->n - 1; i > k; i--) {
        const result last = all->at[i];
        all->at[i] = all->at[i - 1];
        all->at[i - 1] = last;
    }
}

static recorded_standing standing_of(const char *name, long seeds, long row, double shift, const char *id)
{
    results all = { NULL, 0 };
    add_full(&all, name, seeds, row, shift);
    const recorded_standing is = results_standing(&all, id);
    results_free(&all);
    return is;
}

START_TEST(standing_of_claims)
{
    results all = { NULL, 0 };
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_NONE);
    ck_assert_int_eq(results_standing(&all, "K-T4.4-nothing"), RECORDED_NONE);
    add_full(&all, "small-gpt", 6, -1, 0);
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_SOME);       /* scaled: shown, and decides nothing */
    ck_assert_int_eq(results_standing(&all, "K-T2-60k"), RECORDED_SOME);
    ck_assert_int_eq(results_standing(&all, "K-T2"), RECORDED_NONE);          /* no claim of that name */
    ck_assert_int_eq(results_standing(&all, "K-T2-001"), RECORDED_NONE);
    add_full(&all, "gpt-100k", 3, -1, 0);
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_AGREE);
    ck_assert_int_eq(results_standing(&all, "K-T2-60k"), RECORDED_SOME);
    add_full(&all, "vit-mnist", 3, -1, 0);
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_AGREE);
    ck_assert_int_eq(results_standing(&all, "B-T1"), RECORDED_SOME);            /* CIFAR-10 is missing */
    add_full(&all, "vit-cifar10", 3, -1, 0);
    ck_assert_int_eq(results_standing(&all, "B-T1"), RECORDED_AGREE);
    add_full(&all, "vit-cifar10", 3, -1, 0);
    ck_assert_int_eq(results_standing(&all, "B-T1"), RECORDED_SOME);            /* recorded twice */
    char *words = results_claim_words(&all, "K-T2-100k"), *command = results_claim_command("B-T1");
    must_hold(words, "Scaled, not the papers' size: recorded by `small-gpt`");
    must_hold(words, "as printed: reduced is lower");
    ck_assert_str_eq(command, "provably reproduce vit-mnist --data=DIR; provably reproduce vit-cifar10 --data=DIR");
    ck_assert_ptr_null(results_claim_command("K-P3.2"));
    free(words);
    free(command);
    results_free(&all);
    ck_assert_int_eq(standing_of("basis-transfer", 3, -1, 0, "K-AppD"), RECORDED_AGREE);
    ck_assert_int_eq(standing_of("gpt-100k", 2, -1, 0, "K-T2-100k"), RECORDED_SOME);      /* two seeds */
    ck_assert_int_eq(standing_of("gpt-100k", 1, -1, 0, "K-T2-100k"), RECORDED_SOME);      /* one run, no interval */
    ck_assert_int_eq(standing_of("gpt-100k", 3, 0, 0.01, "K-T2-100k"), RECORDED_STATED);  /* a figure differs, its order holds */
    ck_assert_int_eq(standing_of("gpt-100k", 3, 2, 0.0004, "K-T2-100k"), RECORDED_AGREE);
    ck_assert_int_eq(standing_of("gpt-tied", 3, -1, 0, "K-T2-001"), RECORDED_AGREE);
    ck_assert_int_eq(standing_of("gpt-60k", 3, -1, 0, "K-T2-60k"), RECORDED_AGREE);
}
END_TEST

static char *cell_of_line(const figures *f, long k, result_cell c)
{
    outcome is;
    result r = figures_line_judged(f, k, &is);
    char *text = must_strdup(r.cell[c]);
    result_free(&r);
    return text;
}

static void must_say(const figures *f, long k, result_cell c, const char *says)
{
    char *text = cell_of_line(f, k, c);
    ck_assert_str_eq(text, says);
    free(text);
}

/* Of 1.8, 2.8, 3.8 below zero p is 0.01999: alone it decides, beside two as large it does not. */
START_TEST(comparisons_are_corrected)
{
    const preset *p = preset_find("gpt-100k");
    figures f = figures_new(p, &p->part[0], 3);
    const double far[] = { -100, -100.1, -99.9 };
    for (long seed = 0; seed < 3; seed++)
        figures_named(&f, "reduced-larger-mlp")[seed] = figures_named(&f, "reduced")[seed] = -1.8 - (double)seed;
    figures_round(&f);
    for (long k = 5; k < 8; k++) must_say(&f, k, R_VERDICT, "not resolved at this size");
    must_say(&f, 8, R_VERDICT, "not as printed: they differ by more than 0.005");
    memcpy(figures_named(&f, "reduced"), far, sizeof far);
    figures_round(&f);
    char *corrected = temp_format("as printed: reduced is lower (p = %.2g)", 3 * stats_p_below(far, 3, 0));
    must_say(&f, 5, R_VERDICT, "as printed: reduced-larger-mlp is lower (p = 0.02)");
    must_say(&f, 6, R_VERDICT, corrected);
    must_say(&f, 7, R_VERDICT, corrected);
    figures_free(&f);
}
END_TEST

/* What a line says follows from the six digits in it, not from those that are left out. */
START_TEST(lines_follow_from_their_digits)
{
    const preset *p = preset_find("gpt-100k");
    figures f = figures_new(p, &p->part[0], 3);
    const double x[] = { 1.000004, 1.000004, 0.999996 };                   /* their mean is above 1 */
    memcpy(figures_row(&f, 0, 0), x, sizeof x);
    figures_round(&f);
    must_say(&f, 0, R_VALUES, "1 1 0.999996");
    must_say(&f, 0, R_MEAN, "0.999999");
    figures_free(&f);
}
END_TEST

/* Seeds that differ so much that every printed figure agrees, and no order is resolved. */
START_TEST(every_comparison_must_be_as_printed)
{
    results all = { NULL, 0 };
    add_recorded(&all, "gpt-100k", (recorded_runs){ .seeds = 3, .spread = 0.02, .row = -1 });
    for (long k = 0; k < all.n; k++) ck_assert_str_eq(all.at[k].cell[R_VERDICT], k < 5 ? "agrees" : "not resolved at this size");
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_STATED);
    results_free(&all);
}
END_TEST

/* Words alone: lines as they were once believed, with no values and with the wrong ones. */
START_TEST(words_decide_nothing)
{
    const preset *p = preset_find("gpt-100k");
    const experiment *e = &p->part[0];
    for (int with = 0; with < 3; with++) {
        results all = { NULL, 0 };
        for (long k = 0; k < figures_lines(e); k++) {
            result r = figures_line_named(p, e, k);
            const figures_place at = figures_line_place(e, k);
            const char *paper = at.kind == RUN ? experiment_paper(e, experiment_row(e, at.row), 0) : "";
            r.cell[R_VERDICT] = must_strdup(at.kind == RUN ? "agrees" : "as printed: so");
            r.cell[R_PAPER] = must_strdup(paper);
            if (with) r.cell[R_N] = must_strdup("3");
            if (with) r.cell[R_MEAN] = must_strdup(paper);
            if (with == 2) r.cell[R_VALUES] = must_strdup("1 1 1");
            results_add(&all, r);
        }
        ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_SOME);
        results_free(&all);
    }
}
END_TEST

/* ---- lines of gpt-100k that do not follow from their values: 0 to 4 are rows, 5 to 8 comparisons --------------------------------------- */

static void one_off(results *all, long k, result_cell c)                   /* in the fourth digit */
{
    char *text = temp_format("%.6g", strtod(all->at[k].cell[c], NULL) * 1.001);
    set(all, k, c, text);
}

static void change(results *all, long k, result_cell c, const char *from, const char *to)
{
    const char *is = all->at[k].cell[c], *at = strstr(is, from);
    ck_assert_msg(at != NULL, "no `%s` in `%s`", from, is);
    char *text = temp_format("%.*s%s%s", (int)(at - is), is, to, at + strlen(from));
    set(all, k, c, text);
}

static void tamper_mean(results *all)       { one_off(all, 1, R_MEAN); }
static void tamper_low(results *all)        { one_off(all, 1, R_LOW); }
static void tamper_high(results *all)       { one_off(all, 6, R_HIGH); }
static void tamper_difference(results *all) { one_off(all, 6, R_MEAN); }
static void off_by_two(results *all)        { set(all, 1, R_MEAN, "3.02702"); }             /* units of the sixth digit; */
static void off_by_three(results *all)      { char *low = temp_format("%.6g", strtod(all->at[1].cell[R_LOW], NULL) + 3e-5);
                                              set(all, 1, R_LOW, low); }          /* rounding explains less */
static void no_interval(results *all)       { set(all, 1, R_LOW, ""); }
static void tail_of_a_mean(results *all)    { set(all, 1, R_MEAN, "3.027x"); }
static void other_digits(results *all)      { set(all, 1, R_MEAN, "3.0270"); }
static void tamper_p(results *all)          { set(all, 6, R_VERDICT, "as printed: reduced is lower (p = 0.04)"); }
static void tamper_n(results *all)          { set(all, 1, R_N, "6"); }
static void tamper_seeds(results *all)      { set(all, 1, R_SEEDS, "1337 to 1340"); }
static void other_seeds(results *all)       { set(all, 1, R_SEEDS, "1 to 3"); }
static void tamper_paper(results *all)      { set(all, 1, R_PAPER, "3.1"); }
static void tamper_margin(results *all)     { set(all, 8, R_PAPER, "0 within 0.5"); }
static void no_values(results *all)         { set(all, 1, R_VALUES, ""); }
static void no_first_values(results *all)   { set(all, 0, R_VALUES, ""); }
static void words_for_values(results *all)  { set(all, 1, R_VALUES, "a b c"); }
static void two_values(results *all)        { set(all, 1, R_VALUES, "3.026 3.026"); }
static void four_values(results *all)       { set(all, 1, R_VALUES, "3.026 3.026 3.027 3.026"); }
static void long_values(results *all)       { change(all, 1, R_VALUES, " ", "00000 "); }
static void apart_values(results *all)      { change(all, 1, R_VALUES, " ", "  "); }
static void other_values(results *all)      { set(all, 5, R_VALUES, "-1 -1.1 -1.2"); }
static void unknown_word(results *all)      { set(all, 1, R_VERDICT, "agrees, surely"); }
static void other_word(results *all)        { set(all, 1, R_VERDICT, "differs"); }
static void other_comparison(results *all)  { set(all, 7, R_VERDICT, "not resolved at this size"); }
static void row_twice(results *all)         { double_line(all, 1); }
static void last_twice(results *all)        { double_line(all, 8); }
static void row_missing(results *all)       { remove_line(all, 0); }
static void comparison_missing(results *all){ remove_line(all, 6); }
static void last_missing(results *all)      { remove_line(all, 8); }
static void other_order(results *all)       { double_line(all, 0); remove_line(all, 2); set(all, 0, R_ROW, "smaller-d"); }
static void other_metric(results *all)      { set(all, 1, R_METRIC, "training loss"); }
static void other_part(results *all)        { set(all, 1, R_PART, "vit"); }
static void other_preset(results *all)      { set(all, 1, R_PRESET, "gpt-60k"); }
static void other_kind(results *all)        { set(all, 1, R_KIND, "check"); }
static void other_claim(results *all)       { set(all, 1, R_CLAIM, "K-T2-60k"); }
static void other_scale(results *all)       { set(all, 1, R_SCALE, "tiny"); }

static const struct { void (*with)(results *all); const char *says; } tampered[] = {
    { tamper_mean, "gpt-100k.csv:3: mean is `3.03003`, but the values give `3.027`; run the preset again, or remove the file" },
    { tamper_low, "csv:3: low is `" }, { tamper_high, "csv:8: high is `" }, { tamper_difference, "csv:8: mean is `" },
    { off_by_two, "csv:3: mean is `3.02702`" }, { off_by_three, "csv:3: low is `" },
    { no_interval, "csv:3: low is ``, but the values give `3.0" }, { other_digits, "csv:3: mean is `3.0270`" }, { tail_of_a_mean, "csv:3: mean is `3.027x`" },
    { tamper_p, "csv:8: verdict is `as printed: reduced is lower (p = 0.04)`, but the values give `as printed: reduced is lower (p = " },
    { tamper_n, "csv:3: n is `6`, but should be `3`" }, { tamper_seeds, "csv:3: values `3.02698 3.027 3.02702` are not 4 numbers" },
    { other_seeds, "csv:3: seeds `1 to 3` are not seeds of this part, whose first is 1337" }, { tamper_paper, "csv:3: paper is `3.1`, but should be `3.027`" },
    { tamper_margin, "csv:10: paper is `0 within 0.5`, but should be `0 within 0.005`" },
    { no_values, "csv:3: values `` are not 3 numbers" }, { no_first_values, "csv:2: values `` are not 3 numbers" },
    { words_for_values, "csv:3: values `a b c` are not 3 numbers" },
    { two_values, "csv:3: values `3.026 3.026` are not 3 numbers" }, { four_values, "csv:3: values `3.026 3.026 3.027 3.026` are not 3" },
    { long_values, "csv:3: values is `" }, { apart_values, "csv:3: values `" },
    { other_values, "csv:7: values: difference 1 is -1, but reduced-larger-mlp has 3.00" },
    { unknown_word, "csv:3: unknown verdict `agrees, surely`" },
    { other_word, "csv:3: verdict is `differs`, but the values give `agrees`" },
    { other_comparison, "csv:9: verdict is `not resolved at this size`, but the values give `as printed: reduced is lower (p = " },
    { row_twice, "csv:4: row is `smaller-d`, not `reduced`; expected here: run of `reduced`, `validation loss`, part gpt of preset gpt-100k" },
    { last_twice, "csv:11: more lines than preset gpt-100k has" },
    { row_missing, "csv:2: row is `smaller-d`, not `smaller-mlp`" },
    { comparison_missing, "csv:8: row is `reduced - smaller-d`, not `reduced - smaller-mlp`" },
    { last_missing, "csv:10: missing line: comparison of `reduced - baseline`" },
    { other_order, "csv:2: row is `smaller-d`, not `smaller-mlp`" }, { other_metric, "csv:3: metric is `training loss`" },
    { other_part, "csv:3: part is `vit`, not `gpt`" }, { other_preset, "csv:3: preset is `gpt-60k`, not `gpt-100k`" },
    { other_kind, "csv:3: kind is `check`, not `run`" }, { other_claim, "csv:3: claim is `K-T2-60k`, not `K-T2-100k`" },
    { other_scale, "csv:3: scale is `tiny`, not `full`" },
};

static void read_gpt(void *with)
{
    char *path = with;
    results all = { NULL, 0 };
    results_read(&all, path);
    printf("%ld lines", all.n);
}

START_TEST(tampered_lines)
{
    char output[2048], *path = in("gpt-100k.csv");
    results all = { NULL, 0 };
    add_full(&all, "gpt-100k", 3, -1, 0);
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_AGREE);
    tampered[_i].with(&all);
    results_write(&all, path);
    ck_assert_msg(run_child(read_gpt, path, output, sizeof output) == 2, "%s", output);
    must_hold(output, tampered[_i].says);
    must_hold(output, "run ");
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_SOME);       /* nor is it believed where it was not read */
    results_free(&all);
}
END_TEST

START_TEST(a_line_more)
{
    results all = { NULL, 0 };
    add_full(&all, "gpt-100k", 3, -1, 0);
    double_line(&all, 8);
    const preset *p = preset_find("gpt-100k");
    char *wrong;
    long at;
    outcome *is = results_part_outcomes(p, &p->part[0], all.at, 9, &at, &wrong);
    ck_assert(is && !wrong && is[0] == OUTCOME_AGREES && is[8] == OUTCOME_AS_PRINTED);
    free(is);
    is = results_part_outcomes(p, &p->part[0], all.at, 10, &at, &wrong);
    ck_assert(!is && at == 9);
    ck_assert_str_eq(wrong, "more lines than the 9 of part gpt of preset gpt-100k");
    free(wrong);
    results_free(&all);
}
END_TEST

START_TEST(whole_files)
{
    char output[2048];
    static const struct { const char *name; const char *file; int status; const char *says; } is[] = {
        { "gpt-100k", "gpt-100k.csv", 0, "9 lines" }, { "gpt-100k", "again.csv", 2, "belongs to preset gpt-100k, whose results must be in a file called gpt-100k.csv" },
        { "gpt-100k", "gpt-100k-old.csv", 2, "belongs to preset gpt-100k" }, { "gpt-60k", "gpt-100k.csv", 2, "belongs to preset gpt-60k" }, { "quick", "quick.csv", 0, "37 lines" },
        { "basis-transfer", "basis-transfer.csv", 0, "30 lines" }, { "mnist", "mnist.csv", 0, "6 lines" },
        { "small-gpt-tune", "small-gpt-tune.csv", 0, "80 lines" } };
    for (size_t k = 0; k < COUNT(is); k++) {
        results all = { NULL, 0 };
        char *path = in(is[k].file);
        add_full(&all, is[k].name, 3, -1, 0);
        results_write(&all, path);
        ck_assert_msg(run_child(read_gpt, path, output, sizeof output) == is[k].status, "%s: %s", is[k].name, output);
        must_hold(output, is[k].says);
        results_free(&all);
    }
}
END_TEST

/* Of another command: the lines are good, and decide nothing. */
START_TEST(other_options_decide_nothing)
{
    static const struct { const char *from, *to; recorded_standing is; } try[] = {
        { " --micro=3", "", RECORDED_AGREE }, { " --micro=3", " --backend=cuda-bf16 --attn=best --pad=8", RECORDED_AGREE },
        { " --micro=3", " --steps=10", RECORDED_SOME }, { " --micro=3", " --micro=3 --no-query", RECORDED_SOME },
        { " --micro=3", " --micro-steps=10", RECORDED_SOME }, { " --micro=3", " --m=3", RECORDED_SOME }, { "--steps=600000", "--steps=60000", RECORDED_SOME },
        { "DATA/openwebtext/train", "DATA/mine/train", RECORDED_SOME }, { "--seed=1337", "--seed=1", RECORDED_SOME },
        { "provably train", "train", RECORDED_SOME } };
    for (size_t k = 0; k < COUNT(try); k++) {
        results all = { NULL, 0 };
        add_full(&all, "gpt-100k", 3, -1, 0);
        change(&all, 1, R_COMMAND, try[k].from, try[k].to);
        ck_assert_msg(results_standing(&all, "K-T2-100k") == try[k].is, "%s", try[k].to);
        set(&all, 1, R_COMMAND, "");
        ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_SOME);
        results_free(&all);
    }
}
END_TEST

/* A check of a theorem follows from its gap, an acceptance from its values; nothing else is allowed. */
START_TEST(tampered_checks)
{
    static const struct { const char *name; long line; result_cell c; const char *to, *says; } try[] = {
        { "quick", 0, R_MEAN, "0.5", "quick.csv:2: verdict is `holds`, but the values give `FAILS`" },
        { "quick", 0, R_VERDICT, "refuted, as expected", "quick.csv:2: verdict is" },
        { "quick", 0, R_PAPER, "nothing", "quick.csv:2: paper is `nothing`" },
        { "quick", 0, R_MEAN, "small", "quick.csv:2: mean `small` is not a number" },
        { "quick", 0, R_MEAN, "0.00", "quick.csv:2: mean is `0.00`" },
        { "quick", 0, R_N, "none", "quick.csv:2: n is `none`, but should be `3`" },
        { "quick", 0, R_SEEDS, "1337 to 99999999999", "quick.csv:2: seeds `1337 to 99999999999` are not seeds of this part" },
        { "quick", 0, R_N, "03", "quick.csv:2: n is `03`, but should be `3`" },
        { "mnist", 5, R_VALUES, "99 99 99", "mnist.csv:7: values is `99 99 99`, but should be `98.38 98.38 98.38`" },
        { "mnist", 5, R_MEAN, "97", "mnist.csv:7: mean is `97`" },
        { "mnist", 5, R_VERDICT, "FAILS", "mnist.csv:7: verdict is `FAILS`, but the values give `accepted`" } };
    char output[2048];
    for (size_t k = 0; k < COUNT(try); k++) {
        results all = { NULL, 0 };
        char *name = temp_format("%s.csv", try[k].name), *path = in(name);
        add_full(&all, try[k].name, 3, -1, 0);
        if (k < 8) {
            set(&all, 0, R_PAPER, "0");
            set(&all, 0, R_VERDICT, "holds");
            results_write(&all, path);
            ck_assert_msg(run_child(read_gpt, path, output, sizeof output) == 0, "%s", output);
        }
        set(&all, try[k].line, try[k].c, try[k].to);
        results_write(&all, path);
        ck_assert_msg(run_child(read_gpt, path, output, sizeof output) == 2, "%s", try[k].says);
        must_hold(output, try[k].says);
        results_free(&all);
    }
}
END_TEST

/* What is recorded here reads, and so does what was rounded from more digits than a line shows. */
START_TEST(recorded_files_read)
{
    results all = results_folder("reports/results");
    ck_assert_int_gt(all.n, 0);
    results_free(&all);
}
END_TEST

/* The two recorded measures of the best linear map belong to each other: for small ones 1 - cosine = error^2 / 2. */
START_TEST(recorded_linear_maps)
{
    results all = results_folder("reports/results");
    long pairs = 0;
    for (long k = 0; k < all.n; k++)
        for (long i = 0; i < all.n; i++) {
            const result *a = &all.at[k], *b = &all.at[i];
            if (!result_is(a, R_METRIC, "relative error of the best linear map, %") || !a->seeds) continue;
            if (!result_is(b, R_METRIC, "cosine distance of the best linear map")) continue;
            if (!result_is(b, R_ROW, a->cell[R_ROW]) || !result_is(b, R_PRESET, a->cell[R_PRESET])) continue;
            const double error = strtod(a->cell[R_MEAN], NULL) / 100;
            ck_assert_double_eq_tol(strtod(b->cell[R_MEAN], NULL) / (error * error / 2), 1, 0.01);
            pairs++;
        }
    ck_assert_int_ge(pairs, 2);
    results_free(&all);
}
END_TEST

/* ---- the commands ---------------------------------------------------------------------------------------------------------------------- */

static int provably(const char *arguments, char *output, size_t size)
{
    const int status = run_command(output, size, "%s/provably %s", build_folder(), arguments);
    return status;
}

START_TEST(commands_say_what_is_wrong)
{
    static const struct { const char *arguments, *says; } bad[] = {
        { "reproduce nope", "no preset is called `nope`; there are quick, gpt-100k, gpt-60k" },
        { "reproduce gpt-100k", "preset gpt-100k needs --data=DIR.  To get them: provably data get" },
        { "reproduce vit-mnist --data=/nowhere", "needs /nowhere/mnist (No such file" },
        { "reproduce quick quick", "takes one preset" }, { "reproduce --seeds=0", "--seeds takes a whole number" },
        { "reproduce shakespeare --dry-run -- --bad=1", "preset shakespeare, run char-baseline-1: unrecognized option" },
        { "sweep", "needs a list" }, { "sweep /nowhere --out=/tmp", "cannot read the list /nowhere" },
        { "sweep x", "needs --out" } };
    char output[2048];
    for (size_t k = 0; k < COUNT(bad); k++) {
        ck_assert_msg(provably(bad[k].arguments, output, sizeof output) == 2, "%s: %s", bad[k].arguments, output);
        must_hold(output, bad[k].says);
    }
    temp_text(root, "list", "a train --steps=3\nb train --width=9 --heads=2\n");
    char *sweep_it = temp_format("sweep %s/list --out=%s/out", root, root);
    ck_assert_int_eq(provably(sweep_it, output, sizeof output), 2);
    must_hold(output, "list:2: the number of heads must divide the width");
    ck_assert(!there("out"));
}
END_TEST

/* 003 Table 2's counts; the length of 002's runs; arguments after -- reach each run. */
START_TEST(costs_are_shown_before)
{
    char *output = must_calloc(1 << 16, 1);
    ck_assert_int_eq(provably("reproduce gpt-100k --dry-run -- --micro=8", output, 1 << 16), 0);
    must_hold(output, "124373760 parameters");
    must_hold(output, "117295872 parameters");
    must_hold(output, "117915816 parameters");
    must_hold(output, "100000 steps");
    must_hold(output, "3.92e+07 TFLOP");
    must_hold(output, "--data-seed=42 --micro=8");
    ck_assert_int_eq(provably("reproduce vit-mnist --dry-run --seeds=1", output, 1 << 16), 0);
    must_hold(output, "279106 parameters");
    must_hold(output, "117500 steps");
    ck_assert_int_eq(provably("reproduce --list", output, 1 << 16), 0);
    for (const preset *p = presets; p->name; p++) must_hold(output, p->name);
    free(output);
}
END_TEST

/* Real runs: two at a time, then skipped. */
START_TEST(a_real_sweep)
{
    char output[2048], *evals, *sweep_it = temp_format("sweep %s/list --out=%s/out --jobs=2", root, root);
    temp_text(root, "list", "a train --layers=1 --width=8 --heads=1 --mlp=8 --window=8 --batch=2 --steps=3 --eval-every=3\n"
                       "b basis-transfer --width=4 --steps=3 --batch=64 --tests=64 --fits=64\n"
                       "c train-vision --encoders=1 --width=4 --mlp=0 --epochs=1 --micro=32\n");
    ck_assert_int_eq(provably(sweep_it, output, sizeof output), 0);
    must_hold(output, "3 runs: 3 finished now, 0 finished before");
    ck_assert_int_eq(provably(sweep_it, output, sizeof output), 0);
    must_hold(output, "3 runs: 0 finished now, 3 finished before");
    evals = read_file("out/a/evals.csv");
    must_hold(evals, "step,val_loss");
    must_hold(evals, "\n3,");
    const struct { const char *folder; metric m; } read[] = {
        { "out/a", { .name = "val_loss", .times = 1 } }, { "out/b", { .name = "cosine_distance", .times = 1 } },
        { "out/b", { .name = "error", .times = 1, .model = "linear" } }, { "out/c", { .name = "val_accuracy", .times = 1 } } };
    for (size_t k = 0; k < COUNT(read); k++) {
        char *folder = in(read[k].folder);
        double x = NAN;
        ck_assert_msg(run_folder_metric(folder, &read[k].m, &x) && isfinite(x), "%s %s", folder, read[k].m.name);
        const metric wrong = { .name = "no_such", .times = 1 };
        ck_assert(!run_folder_metric(folder, &wrong, &x));
    }
}
END_TEST

/* ---- Theorem 4.4 on trained weights --------------------------------------------------------------------------------------------------- */

static void train_small(const char *folder, bool norm)
{
    const train_config c = {
        .model = { .L = 2, .d = 16, .h = 2, .m = 32, .T = 16, .V = 256, .factor = 1, .attn_skip = true,
                   .norm = norm, .init_std = 0.14 },
        .optim = { .peak = 2e-3, .steps = 40, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .clip = 1 },
        .batch = 4, .micro = 4, .eval_every = 40, .save_every = 40, .seed = 1, .data_seed = 2, .out = folder, .quiet = true };
    tokens text = tokens_synthetic(1, 4096), val = tokens_synthetic(3, 512);
    ck_assert(train_gpt(&c, ops_cpu_f32(), &text, &val).finished);
    tokens_free(&text);
    tokens_free(&val);
}

START_TEST(theorem_on_trained_weights)
{
    char *with = in("with"), *without = in("without");
    train_small(without, false);
    train_small(with, true);
    elimination_result holds = elimination_check(without), fails = elimination_check(with);
    ck_assert_msg(holds.exact && holds.meets_expectation && holds.gap <= 1e-10 && holds.gap > 0, "%s", holds.words);
    ck_assert_double_le(fabs(holds.before - holds.after), 1e-10);
    ck_assert_int_eq(holds.verdict, OUTCOME_HOLDS);
    ck_assert_msg(!fails.exact && fails.meets_expectation && fails.gap >= 1e-3, "%s", fails.words);
    ck_assert_int_eq(fails.verdict, OUTCOME_REFUTED);
    must_hold(fails.words, "LayerNorm");
    free(holds.words);
    free(fails.words);
}
END_TEST

START_TEST(gaps_are_judged)
{
    static const struct { double gap; const char *why_not; bool good; } is[] = {
        { 1e-10, NULL, true }, { 2e-10, NULL, false }, { INFINITY, NULL, false }, { NAN, NULL, false },
        { 1e-3, "a norm", true }, { 9e-4, "a norm", false }, { 0, "a norm", false }, { NAN, "a norm", false } };
    for (size_t k = 0; k < COUNT(is); k++) {
        elimination_result t = { .gap = is[k].gap };
        elimination_judge(&t, is[k].why_not);
        ck_assert_msg(t.meets_expectation == is[k].good, "%g: %s", is[k].gap, t.words);
        ck_assert(is[k].good == (t.verdict != OUTCOME_FAILS) && t.exact == !is[k].why_not);
        ck_assert(is[k].good == (strstr(t.words, "not as expected") == NULL));
        free(t.words);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("experiments");
    TCase *numbers = tcase_create("numbers"), *runs_of = tcase_create("runs"), *files = tcase_create("files");
    suite_add_tcase(suite, numbers);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, runs_of);
    tcase_add_checked_fixture(runs_of, setup, NULL);
    tcase_add_checked_fixture(files, setup, NULL);
    tcase_set_timeout(runs_of, 60);
    tcase_add_test(numbers, intervals);
    tcase_add_test(numbers, a_gpu_takes_a_few_runs);
    tcase_add_test(numbers, moved_intervals);
    tcase_add_test(numbers, p_values);
    tcase_add_test(numbers, corrections);
    tcase_add_test(numbers, presets_are_sound);
    tcase_add_test(numbers, every_printed_run_has_a_row);
    tcase_add_test(numbers, every_printed_figure_is_a_number);
    tcase_add_test(numbers, grids_and_data);
    tcase_add_test(numbers, against_the_paper);
    tcase_add_test(numbers, planned_comparisons);
    tcase_add_test(numbers, words_of_outcomes);
    tcase_add_test(numbers, standing_of_claims);
    tcase_add_test(numbers, every_comparison_must_be_as_printed);
    tcase_add_test(numbers, comparisons_are_corrected);
    tcase_add_test(numbers, lines_follow_from_their_digits);
    tcase_add_test(numbers, a_line_more);
    tcase_add_test(numbers, words_decide_nothing);
    tcase_add_test(numbers, other_options_decide_nothing);
    tcase_add_test(numbers, recorded_files_read);
    tcase_add_test(numbers, recorded_linear_maps);
    tcase_add_test(numbers, gaps_are_judged);
    tcase_add_loop_test(runs_of, bad_lists, 0, COUNT(bad_list));
    tcase_add_test(runs_of, good_lists);
    tcase_add_test(runs_of, finished_runs_are_skipped);
    tcase_add_test(runs_of, one_core_is_no_cores);
    tcase_add_test(runs_of, failures_leave_the_others_alone);
    tcase_add_test(runs_of, threads_of_a_run);
    tcase_add_test(runs_of, diverged_runs_are_finished);
    tcase_add_test(runs_of, failed_runs_say_why);
    tcase_add_test(runs_of, held_runs_are_left);
    tcase_add_test(runs_of, another_run_in_the_folder);
    tcase_add_loop_test(runs_of, runs_with_more_options, 0, COUNT(more_options));
    tcase_add_test(runs_of, processes_share_a_list);
    tcase_add_test(runs_of, interrupts);
    tcase_add_test(runs_of, one_request_is_one_signal);
    tcase_add_test(runs_of, pauses);
    tcase_add_test(runs_of, groups_of_runs);
    tcase_add_test(runs_of, a_line_comes_before_its_run);
    tcase_add_test(runs_of, a_long_run_is_followed);
    tcase_add_test(runs_of, what_is_left_is_counted);
    tcase_add_test(runs_of, durations);
    tcase_add_test(runs_of, a_preset_becomes_results);
    tcase_add_test(runs_of, changed_options_are_not_judged);
    tcase_add_test(runs_of, figures_of_a_folder);
    tcase_add_test(runs_of, acceptance_by_the_median);
    tcase_add_test(runs_of, unfinished_presets_record_nothing);
    tcase_add_test(files, round_trip);
    tcase_add_test(files, damaged_results);
    tcase_add_loop_test(files, tampered_lines, 0, COUNT(tampered));
    tcase_add_test(files, tampered_checks);
    tcase_add_test(files, whole_files);
    tcase_add_test(runs_of, theorem_on_trained_weights);
    tcase_add_test(runs_of, commands_say_what_is_wrong);
    tcase_add_test(runs_of, costs_are_shown_before);
    tcase_add_test(runs_of, a_real_sweep);
    return run_suite(suite, argc, argv);
}
