/* reproduce.c - the runs of presets, and the list of presets: see reproduce.h. */
#include <cblas.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "src/experiments/reproduce.h"
#include "src/base/file.h"
#include "src/train/ops.h"

static long seeds_of(const experiment *e, const reproduce_options *o) { return o->seeds ? o->seeds : e->seeds; }

/* ---- runs ---------------------------------------------------------------------------------------------- */

static char *run_name(const experiment *e, long k, long seed)
{
    char *row = experiment_name(e, k), *name = must_format("%s-%s-%ld", e->name, row, seed + 1);
    free(row);
    return name;
}

static char *run_line(const experiment *e, long k, long seed, const reproduce_options *o)
{
    char *options = experiment_options(e, k, o->data);
    char *order = e->order ? must_format(" --data-seed=%ld", e->order + seed) : must_strdup("");
    char *line = must_format("%s %s --seed=%ld%s %s", e->command, options, e->seed + seed, order, o->more);
    free(options);
    free(order);
    return line;
}

/* Seed by seed, so that the first comparisons are possible early. */
worklist reproduce_part_runs(const preset *p, const experiment *e, const reproduce_options *o)
{
    worklist w = { NULL, 0 };
    for (long seed = 0; seed < seeds_of(e, o); seed++)
        for (long k = 0; k < experiment_rows(e); k++) {
            char *name = run_name(e, k, seed), *line = run_line(e, k, seed, o);
            char *wrong = worklist_add(&w, o->kinds, name, line);
            if (wrong) die("preset %s, run %s: %s", p->name, name, wrong);
            free(name);
            free(line);
        }
    return w;
}

/* Dies unless each file or folder that the options name exists; its name is what follows a colon. */
static void need_paths(const preset *p, const experiment *e, const reproduce_options *o)
{
    char *options = experiment_place_data(e->data, o->data), *rest = NULL;
    for (char *word = strtok_r(options, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const char *colon = strchr(word, ':');
        if (!colon || access(colon + 1, R_OK) == 0) continue;
        char *get = experiment_place_data(e->get ? e->get : "", o->data);
        die("preset %s needs %s (%s).  To get it: %s", p->name, colon + 1, strerror(errno), get);
    }
    free(options);
}

static void need_data(const preset *p, const reproduce_options *o)
{
    for (long k = 0; k < p->parts; k++) {
        const experiment *e = &p->part[k];
        if (!e->data || (!o->data && e->without_data)) continue;
        if (o->data) { need_paths(p, e, o); continue; }
        char *get = experiment_place_data(e->get ? e->get : "", "DIR");
        die("preset %s needs --data=DIR.  To get them: %s", p->name, get);
    }
}

/* ---- cost ---------------------------------------------------------------------------------------------- */

/* On one thread, in processor time, so that other programs do not count. */
double machine_flops(void)
{
    enum { N = 512, LEAST = CLOCKS_PER_SEC };
    const ops *o = ops_cpu_f32();
    void *A = alloc_act(o, N * N), *B = alloc_act(o, N * N), *C = alloc_act(o, N * N);
    double done = 0;
    clock_t since = 0;
    const int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
    for (bool warm = false; !warm || clock() - since < LEAST; warm = true) {
        o->gemm(false, true, N, N, N, 1, A, N, B, N, 0, NULL, C, N, ACT);
        if (warm) done += 2.0 * N * N * N;
        else since = clock();
    }
    openblas_set_num_threads(threads);
    const double took = (double)(clock() - since) / CLOCKS_PER_SEC;
    o->release(A);
    o->release(B);
    o->release(C);
    return done / took * (double)machine_cores();
}

static run_cost total_cost(const preset *p, const reproduce_options *o, long *runs)
{
    run_cost sum = { .unit = "" };
    *runs = 0;
    for (long k = 0; k < p->parts; k++) {
        worklist w = reproduce_part_runs(p, &p->part[k], o);
        for (long i = 0; i < w.n; i++) {
            const run_cost one = work_cost(o->kinds, &w.at[i]);
            sum.flops += one.flops;
            sum.steps += one.steps;
        }
        *runs += w.n;
        worklist_free(&w);
    }
    return sum;
}

void reproduce_list(const reproduce_options *o, double flops)
{
    printf("%-15s %5s %6s %9s %9s %9s   what\n", "preset", "rows", "runs", "steps", "TFLOP", "at least");
    for (const preset *p = presets; p->name; p++) {
        long runs, rows = 0;
        char time[32];
        const run_cost all = total_cost(p, o, &runs);
        for (long k = 0; k < p->parts; k++) rows += experiment_rows(&p->part[k]);
        duration_text(time, sizeof time, all.flops / flops);
        printf("%-15s %5ld %6ld %9ld %9.3g %9s   %s\n", p->name, rows, runs, all.steps, all.flops * 1e-12, time,
               p->about);
    }
    printf("\n`at least`: all runs at the speed of matrix products on this machine, %.0f GFLOP/s on %ld cores;\n"
           "models below d = 256 take two to four times as long.  `provably reproduce PRESET --dry-run` shows each "
           "run.\n",
           flops * 1e-9, machine_cores());
}

void reproduce_rows(const preset *p, const reproduce_options *o, double flops)
{
    for (long k = 0; k < p->parts; k++) {
        const experiment *e = &p->part[k];
        worklist w = reproduce_part_runs(p, e, o);
        printf("%s: %s%s%s\n", p->name, e->title, e->table ? ", " : "", e->table ? e->table : "");
        for (long i = 0; i < w.n; i++) {
            const run_cost one = work_cost(o->kinds, &w.at[i]);
            char time[32];
            duration_text(time, sizeof time, one.flops / flops);
            printf("  %-28s %11.0f parameters  %8ld steps  %8.3g TFLOP  at least %s\n     ", w.at[i].name,
                   one.parameters, one.steps, one.flops * 1e-12, time);
            for (int j = 0; j < w.at[i].words; j++) printf(" %s", w.at[i].word[j]);
            printf("\n");
        }
        worklist_free(&w);
    }
}

/* Counts and command lines of the full tables; one line per model. */
static void announce(const reproduce_options *o)
{
    printf("\nThe papers' own tables:\n");
    for (const preset *p = presets; p->name; p++) {
        const reproduce_options plain = { .kinds = o->kinds, .more = "", .seeds = 1 };
        for (long k = 0; k < p->parts && p->part[k].full && p->part[k].claim; k++) {
            const experiment *e = &p->part[k];
            worklist w = reproduce_part_runs(p, e, &plain);
            printf("  provably reproduce %s%s    (%s, %s)\n", p->name, e->data ? " --data=DIR" : "", e->title,
                   e->table);
            for (long i = 0; i < w.n; i++) {
                const run_cost one = work_cost(o->kinds, &w.at[i]);
                printf("    %-28s %11.0f parameters  %8ld steps  %10.4g PFLOP a run\n",
                       w.at[i].name + strlen(e->name) + 1, one.parameters, one.steps, one.flops * 1e-15);
            }
            worklist_free(&w);
        }
    }
}

/* ---- a preset ------------------------------------------------------------------------------------------ */

/* Sweeps a part; false: not all of its runs are finished, and the reasons are printed. */
static bool part_sweep(const preset *p, const experiment *e, const reproduce_options *o, watch *a)
{
    worklist w = reproduce_part_runs(p, e, o);
    const long jobs = o->jobs ? o->jobs : p->jobs ? p->jobs : machine_cores();
    const sweep_options s = { .out = o->out, .program = o->program, .jobs = jobs, .watch = a };
    printf("%s\n", e->title);
    fflush(stdout);
    const sweep_result r = sweep_run(&w, &s);
    const bool all = r.before + r.here == w.n;
    if (!all)
        printf("  %ld of %ld runs are finished; %ld failed, %ld were stopped, %ld are running elsewhere.  Run the "
               "same command again to resume.\n", r.before + r.here, w.n, r.failed, r.stopped, r.elsewhere);
    worklist_free(&w);
    return all;
}

/* Counts the runs of all parts and prints the work to be done. */
static watch watch_of(const preset *p, const reproduce_options *o)
{
    watch a = { .kinds = o->kinds, .every = o->every };
    char time[32];
    for (long k = 0; k < p->parts; k++) {
        worklist w = reproduce_part_runs(p, &p->part[k], o);
        watch_add(&a, &w, o->out);
        worklist_free(&w);
    }
    printf("%ld runs", a.runs);
    if (a.before) printf(", %ld of them finished before", a.before);
    fflush(stdout);
    if (o->estimate && a.before < a.runs) {
        a.speed = machine_flops();
        duration_text(time, sizeof time, a.flops / a.speed);
        printf("; at least %s on this machine", time);
    }
    printf("\n\n");
    fflush(stdout);
    return a;
}

int reproduce_run(const preset *p, const reproduce_options *o)
{
    results all = { NULL, 0 };
    bool good = true;
    need_data(p, o);
    make_folder(o->out);
    printf("%s: %s\n", p->name, p->about);
    watch a = watch_of(p, o);
    for (long k = 0; k < p->parts; k++) {
        if (!part_sweep(p, &p->part[k], o, &a)) {
            results_free(&all);
            return 1;
        }
        if (p->part[k].eliminates) printf("  comparing the trained models with and without W_Q\n");
        fflush(stdout);
        good &= summarize_part(p, &p->part[k], o, &all);
        if (p->part[k].follows) good &= follow_part(p, &p->part[k], o, &all.at[all.n - 1]);
        printf("\n");
    }
    if (p->announces) announce(o);
    make_folder(o->results);
    char *path = must_format("%s/%s.csv", o->results, p->name);
    results_write(&all, path);
    printf("\n%s; `make report` shows it beside the papers' figures\n", path);
    free(path);
    results_free(&all);
    return good ? 0 : 1;
}
