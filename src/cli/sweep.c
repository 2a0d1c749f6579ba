/* SPDX-License-Identifier: GPL-3.0-or-later
 * sweep.c - `provably sweep`. */
#include <stdlib.h>
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/base/option.h"

enum { OPT_OUT = 256, OPT_JOBS, OPT_QUIET };
static const struct argp_option flags[] = {
    { "out", OPT_OUT, "DIR", 0, "folder that contains the folders of the runs", 0 },
    { "jobs", OPT_JOBS, "N", 0, "runs at the same time, which share the cores, each with at most OMP_NUM_THREADS "
      "threads (one per core)", 0 },
    { "quiet", OPT_QUIET, NULL, 0, "print only what failed", 0 },
    { 0 } };

typedef struct { const char *list; sweep_options o; } options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case OPT_OUT:      o->o.out = arg; return 0;
    case OPT_JOBS:     o->o.jobs = option_whole(arg, "--jobs", 1, 4096); return 0;
    case OPT_QUIET:    o->o.quiet = true; return 0;
    case ARGP_KEY_ARG:
        if (o->list) die("sweep takes one list, not `%s` as well", arg);
        o->list = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int sweep_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "LIST",
        "Executes a list of runs.  A line is NAME COMMAND OPTION..., for example\n"
        "\n"
        "    reduced-1 train --no-query --factor=0.5 --seed=1\n"
        "\n"
        "# begins a comment.  The folder of a run is DIR/NAME.  Each process takes the next free run, skips finished "
        "ones and resumes interrupted ones.  Start as many processes as you like: as tasks of a batch array, "
        "under make -j or on several machines that share DIR.  If the list has an error, nothing is started.\n"
        "A run that diverges is finished; its figures are inf and nan.  "
        "Exit status: 0 all runs are finished or running elsewhere, 1 some failed or were stopped, 2 bad input."
        "\vCOMMAND is train, train-vision or basis-transfer; their options are in `provably COMMAND --help`.",
        NULL, NULL, NULL };
    options o = { .o = { .jobs = machine_cores() } };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.list) die("sweep needs a list of runs; see `provably sweep --help`");
    if (!o.o.out) die("sweep needs --out=DIR, the folder that contains the folders of the runs");
    worklist w = worklist_read(o.list, run_kinds);
    watch a = { .kinds = run_kinds };
    watch_add(&a, &w, o.o.out);
    o.o.watch = &a;
    const sweep_result r = sweep_run(&w, &o.o);
    printf("%ld runs: %ld finished now, %ld finished before, %ld running elsewhere, %ld stopped, %ld failed", w.n,
           r.here, r.before, r.elsewhere, r.stopped, r.failed);
    if (r.diverged) printf("; %ld of the finished ones diverged", r.diverged);
    printf("\n");
    worklist_free(&w);
    return r.stopped || r.failed ? 1 : 0;
}
