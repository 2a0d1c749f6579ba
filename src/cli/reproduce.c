/* SPDX-License-Identifier: GPL-3.0-or-later
 * reproduce.c - `provably reproduce`. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/file.h"
#include "src/base/places.h"
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/experiments/reproduce.h"
#include "src/base/option.h"

enum { OPT_OUT = 256, OPT_RESULTS, OPT_DATA, OPT_SEEDS, OPT_JOBS, OPT_DRY, OPT_LIST, OPT_ROWS, OPT_RECORD,
       OPT_RECORDED };
static const struct argp_option flags[] = {
    { "list", OPT_LIST, NULL, 0, "list all presets: rows, runs, steps, FLOP, and the least time they take here", 0 },
    { "dry-run", OPT_DRY, NULL, 0, "show the parameters, cost and command of each run of PRESET; start nothing", 0 },
    { "data", OPT_DATA, "DIR", 0, "folder of real data; presets that need it say how to get it (quick: the folder "
      "data where it has the files, else synthetic data, which are not compared with the papers)", 0 },
    { "out", OPT_OUT, "DIR", 0, "folder of the runs (build/reproduce/PRESET; hour, night, weekend: of the folders of "
      "their presets, build/reproduce)", 0 },
    { "results", OPT_RESULTS, "DIR", 0, "the figures are written to DIR/PRESET.csv, the curves to DIR/curves "
      "(build/reproduce/results: your own, which the report shows beside the records; reports/results records them)",
          0 },
    { "recorded", OPT_RECORDED, "DIR", 0, "the records, read for the options that a tuning chose where the figures' "
      "own DIR has none (those of the suite's data, where --results is not given)", 0 },
    { "rows", OPT_ROWS, "A,B", 0, "run only these rows (all)", 0 },
    { "record", OPT_RECORD, NULL, 0, "start nothing: write the figures of the runs that are finished", 0 },
    { "seeds", OPT_SEEDS, "N", 0, "seeds per row (as in the preset)", 0 },
    { "jobs", OPT_JOBS, "N", 0, "runs at the same time, which share the cores, each with at most OMP_NUM_THREADS "
      "threads (as in the preset, or one per core; on a GPU at most 4)", 0 },
    { 0 } };

typedef struct { const char *preset; reproduce_options o; bool dry, list; } options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case OPT_LIST:    o->list = true; return 0;
    case OPT_DRY:     o->dry = true; return 0;
    case OPT_DATA:    o->o.data = arg; return 0;
    case OPT_OUT:     o->o.out = arg; return 0;
    case OPT_ROWS:    o->o.rows = arg; return 0;
    case OPT_RECORD:  o->o.record = true; return 0;
    case OPT_RESULTS: o->o.results = arg; return 0;
    case OPT_RECORDED: o->o.recorded = arg; return 0;
    case OPT_SEEDS:   o->o.seeds = option_whole(arg, "--seeds", 1, 1000); return 0;
    case OPT_JOBS:    o->o.jobs = option_whole(arg, "--jobs", 1, 4096); return 0;
    case ARGP_KEY_ARG:
        if (o->preset) die("reproduce takes one preset, not `%s` as well", arg);
        o->preset = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Takes the options after -- out of the arguments; they are given to every run. */
static char *take_more(int *argc, char **argv)
{
    int at = 1;
    while (at < *argc && strcmp(argv[at], "--") != 0) at++;
    text_buffer more = { 0 };
    for (int k = at + 1; k < *argc; k++) {
        text_add(&more, "%s%s", more.length ? " " : "", argv[k]);
    }
    if (at < *argc) argv[at] = NULL;
    *argc = at;
    return text_take(&more);
}

static const preset *preset_named(const char *name)
{
    const preset *p = preset_find(name);
    if (p) return p;
    text_buffer all = { 0 };
    for (p = presets; p->name; p++) {
        text_add(&all, "%s%s", all.length ? ", " : "", p->name);
    }
    die("no preset is called `%s`; there are %s", name, all.at);
}

int reproduce_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "[PRESET] [-- OPTION...]",
        "Reruns the papers' experiments: quick (default) in about ten minutes on two cores, or one of their tables "
        "at full size.  Finished runs are skipped and interrupted ones resumed.  Options after -- are given "
        "to every run.  The figures are written for `provably report`.\n"
        "Comparisons, seeds and margins are preregistered in the presets; a change after the first run is stated with "
        "the table.  A comparison is consistent with the "
        "papers (`as printed`) when the planned test supports them: an order, when the 95 % interval of the difference "
        "lies on their side and Holm's p is at most 0.05; equality, when two one-sided tests put the difference within "
        "the margin, which is to say its 90 % interval.  It is inconsistent when the 95 % interval excludes what they "
        "say: the opposite order, or a difference beyond the margin.  Anything else is unresolved.  Holm's "
        "method counts the orders of a part; equalities and opposite orders are judged alone.  The error over "
        "validation windows or test images counts once in the interval where all seeds share them, of differences "
        "window by window or image by image, from each run's losses.csv; without one, losses on test images are not "
        "resolved, and accuracies are compared as if the images of both were independent.\n"
        "A printed figure is consistent (`agrees`) when our mean is within two standard deviations of the seeds of it, "
        "an accuracy also within three standard errors of the test images: the more the seeds scatter, the easier that "
        "is, while with three seeds chance alone makes about one printed run in five miss it; so these are counted "
        "apart from the planned comparisons.\n"
        "Nothing is judged before all planned seeds are finished, with fewer than three seeds, on synthetic data, or "
        "with options after -- that change the model, its data or its steps.  A run that diverges is finished: its "
        "figures are inf or nan, and no comparison with it is judged.  nan is also the running figure of a run that "
        "an earlier version had resumed within its last epoch.\n"
        "Exit status: 0 all runs finished, 1 some failed or were stopped, or a theorem fails, 2 bad input.",
        NULL, NULL, NULL };
    options o = { .preset = NULL };
    char *more = take_more(&argc, argv), *folder = NULL, *recorded = NULL;
    int status = 0;
    o.o.more = more;
    o.o.kinds = run_kinds;
    o.o.estimate = true;
    o.o.found = "data";
    command_parse(&parser, argc, argv, 0, &o, NULL);
    o.o.list = o.list || o.dry;
    if (!o.o.results && !o.o.recorded) o.o.recorded = recorded = data_place(NULL, "results");
    if (!o.o.results) o.o.results = "build/reproduce/results";
    if (o.list && !o.preset && o.o.rows) die("--rows needs a preset");
    if (o.list && !o.preset) reproduce_list(&o.o);
    else {
        const preset *p = preset_named(o.preset ? o.preset : "quick");
        if (o.dry || o.list) reproduce_rows(p, &o.o);
        else {
            if (p->members && o.o.rows) die("--rows: %s runs other presets; give it to one of them", p->name);
            folder = must_format("build/reproduce%s%s", p->members ? "" : "/", p->members ? "" : p->name);
            if (!o.o.out) o.o.out = folder;
            make_parents(o.o.out);
            make_parents(o.o.results);
            struct stat there;
            if (stat(o.o.results, &there) == 0 && !S_ISDIR(there.st_mode))
                die("--results=%s is not a folder; choose another", o.o.results);
            status = reproduce_run(p, &o.o);
        }
    }
    free(folder);
    free(recorded);
    free(more);
    return status;
}
