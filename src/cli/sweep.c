/* sweep.c - `provably sweep`. */
#include <argp.h>
#include <stdlib.h>
#include "src/cli/cli.h"
#include "src/base/option.h"

enum { OPT_OUT = 256, OPT_JOBS, OPT_QUIET };
static const struct argp_option flags[] = {
    { "out", OPT_OUT, "DIR", 0, "the runs' folders go into this one", 0 },
    { "jobs", OPT_JOBS, "N", 0, "runs side by side, each with its share of the cores (one a core)", 0 },
    { "quiet", OPT_QUIET, NULL, 0, "say only what failed", 0 },
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
        "Works off a list of runs.  A line is NAME COMMAND OPTION..., for example\n"
        "\n"
        "    reduced-1 train --no-query --factor=0.5 --seed=1\n"
        "\n"
        "# begins a comment.  A run's folder is DIR/NAME.  Each process takes the next run that is free, skips those "
        "that are done and goes on with those that were stopped: start as many as you like, as tasks of a batch array, "
        "under make -j or on several machines that share DIR.  A list with an error starts nothing.\n"
        "Exit status: 0 all runs are done or in other hands, 1 some failed or were stopped, 2 bad input."
        "\vCOMMAND is train, train-vision or basis-transfer; their options are in `provably COMMAND --help`.",
        NULL, NULL, NULL };
    options o = { .o = { .jobs = machine_cores() } };
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    if (!o.list) die("sweep needs a list of runs; see `provably sweep --help`");
    if (!o.o.out) die("sweep needs --out=DIR, the folder of the runs' folders");
    worklist w = worklist_read(o.list, run_kinds);
    watch a = { .kinds = run_kinds };
    watch_add(&a, &w, o.o.out);
    o.o.watch = &a;
    const sweep_result r = sweep_run(&w, &o.o);
    printf("%ld runs: %ld finished here, %ld were done, %ld in other hands, %ld stopped, %ld failed\n", w.n, r.here,
           r.before, r.elsewhere, r.stopped, r.failed);
    worklist_free(&w);
    return r.stopped || r.failed ? 1 : 0;
}
