/* SPDX-License-Identifier: GPL-3.0-or-later
 * check.c - `provably check`: its options, then the programs, then the reports. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "src/base/child.h"
#include "src/base/file.h"
#include "src/base/option.h"
#include "src/base/places.h"
#include "src/base/progress.h"
#include "src/cli/check.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"

enum { OPT_EVIDENCE = 256, OPT_PROGRAMS, OPT_OUT, OPT_JOBS, OPT_SEED, OPT_SCALE, OPT_TRIALS, OPT_LIMIT, OPT_ALL,
       OPT_ONLY, OPT_CERTIFICATES, OPT_INDEX, OPT_COMPARE, OPT_NO_REPORT, OPT_PDF, OPT_QUIET };
static const uint64_t PLANNED_SEED = 20261121;
static const struct argp_option flags[] = {
    { "evidence", OPT_EVIDENCE, "DIR", 0, "folder of the evidence (evidence beside this program, else build/evidence); "
      "certificates go to the folder certificates beside it", 0 },
    { "out", OPT_OUT, "DIR", 0, "folder of the reports (reports/out)", 0 },
    { "jobs", OPT_JOBS, "N", 0, "programs at the same time, of one thread each (one per core)", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of all draws (20261121); random: the system draws one", 0 },
    { "scale", OPT_SCALE, "S", 0, "quick, default or large; after quick the reports give no verdicts", 0 },
    { "trials", OPT_TRIALS, "N", 0, "random models per shape (3, or as a claim plans)", 0 },
    { "limit", OPT_LIMIT, "SECONDS", 0, "a program that takes longer is ended (900)", 0 },
    { "all", OPT_ALL, NULL, 0, "run every program again", 0 },
    { "only", OPT_ONLY, "NAME", 0, "only this program or claim, k_t4_4 or K-T4.4, and no reports; may be repeated", 0 },
    { "certificates", OPT_CERTIFICATES, NULL, 0, "only the certificates: they are written where they are out of date, "
      "proofcheck reads them all, and claims.csv and formal.csv must say what they are", 0 },
    { "write-index", OPT_INDEX, NULL, 0, "the same, but the columns certificate and controls of claims.csv are written",
      0 },
    { "compare", OPT_COMPARE, "DIR", 0, "run nothing; say whether the rows in DIR, made with PROVABLY_REFERENCE=1, "
      "have the same outcomes", 0 },
    { "no-report", OPT_NO_REPORT, NULL, 0, "no reports, no table", 0 },
    { "pdf", OPT_PDF, NULL, 0, "also typeset the reports as PDF (make deps-report)", 0 },
    { "quiet", OPT_QUIET, NULL, 0, "do not say what is under way", 0 },
    { "programs", OPT_PROGRAMS, "DIR", 0, "folder of the programs (theorems beside this program, or where `make "
      "install` puts them)", 0 },
    { 0 } };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const scales[] = { "quick", "default", "large" };
    check_options *o = state->input;
    switch (key) {
    case OPT_EVIDENCE: o->evidence = arg; return 0;
    case OPT_PROGRAMS: o->programs = arg; return 0;
    case OPT_OUT:      o->out = arg; return 0;
    case OPT_JOBS:     o->jobs = option_whole(arg, "--jobs", 1, 4096); return 0;
    case OPT_SEED:     o->seed = option_seed(arg, "--seed"); return 0;
    case OPT_SCALE:    o->scale = scales[option_word(arg, "--scale", scales, COUNT(scales))]; return 0;
    case OPT_TRIALS:   o->trials = option_whole(arg, "--trials", 1, 1000000); return 0;
    case OPT_LIMIT:    o->limit = option_whole(arg, "--limit", 1, 1000000); return 0;
    case OPT_ALL:      o->all = true; return 0;
    case OPT_ONLY:
        o->only = must_realloc(o->only, (size_t)o->onlys + 1, sizeof *o->only);
        o->only[o->onlys++] = arg;
        return 0;
    case OPT_CERTIFICATES: o->certificates = true; return 0;
    case OPT_INDEX:    o->certificates = o->write_index = true; return 0;
    case OPT_COMPARE:  o->plain = arg; return 0;
    case OPT_NO_REPORT: o->no_report = true; return 0;
    case OPT_PDF:      o->pdf = true; return 0;
    case OPT_QUIET:    o->quiet = true; return 0;
    case ARGP_KEY_ARG: die("check takes options only, not `%s`: --only=%s checks one claim", arg, arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Of two calls with one folder of evidence the second waits, and then has little to do.  The lock ends with us. */
static void wait_for_folder(const char *evidence)
{
    char *path = must_format("%s/lock", evidence);
    make_parents(path);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) fprintf(stderr, "another process is checking in %s: waiting for it\n", evidence);
        if (flock(lock, LOCK_EX) != 0) die("cannot lock %s: %s", path, strerror(errno));
    }
    free(path);
}

/* A process of its own: what it cannot read must not hide what failed before.  Its exit status. */
static int report(const check_options *o)
{
    char *evidence = must_format("--evidence=%s", o->evidence), *out = must_format("--out=%s", o->out ? o->out : "");
    const char *argv[8] = { provably_called, "report", evidence };
    int n = 3;
    if (o->out) argv[n++] = out;
    if (o->pdf) argv[n++] = "--pdf";
    if (strcmp(o->scale, "quick") == 0) argv[n++] = "--partial";
    fflush(NULL);
    const int status = child_run(argv);
    free(evidence);
    free(out);
    return status;
}

/* The suite was stopped: we end as by default. */
static void end_by(int signal_number)
{
    if (!signal_number) return;
    fflush(NULL);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Whether the lists say what programs and certificates do.  Coq's kernel has read those of the planned seed. */
static bool lists(const check_suite *s)
{
    if (s->o->write_index) return lists_index(s, true);
    bool good = lists_index(s, false);
    if (s->o->seed == PLANNED_SEED) good &= lists_formal(s);
    lists_count(s);
    return good;
}

static char *without_end(const char *folder)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/') n--;
    return must_format("%.*s", (int)n, folder);
}

static void say_writing(const check_options *o)
{
    progress p = progress_begin(o->quiet || !isatty(STDOUT_FILENO) ? PROGRESS_NONE : PROGRESS_TERMINAL,
                                "writing the reports");
    progress_keep(&p);
}

static int check(check_suite *s)
{
    const check_options *o = s->o;
    suite_begin(s);
    end_by(suite_run(s));
    const bool reports = !o->no_report && !o->certificates && !o->onlys;
    if (reports) say_writing(o);
    const int status = reports ? report(o) : o->certificates && !o->onlys && !lists(s);
    char *failed = suite_failed(s);
    if (*failed) fprintf(stderr, "provably check: failed, see NAME.log in %s:%s\n", o->evidence, failed);
    else if (reports) suite_print_kept(s);
    const int answer = *failed ? 1 : status;
    free(failed);
    return answer;
}

int check_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, NULL,
        "Decides every claim: runs the programs that have changed since their last run, or failed, or ran with other "
        "options; proofcheck reads their certificates; then the reports are written and the table is printed.  "
        "Ctrl-C keeps what has finished.\n"
        "Exit status: 0 everything as agreed, 1 a program failed, a certificate is not accepted, or a verdict fails or "
        "differs from the agreed one, 2 bad input.",
        NULL, NULL, NULL };
    check_options o = { .seed = PLANNED_SEED, .scale = "default", .limit = 900, .jobs = machine_cores() };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    char *evidence = evidence_place(o.evidence), *programs = programs_place(o.programs);
    o.evidence = without_end(evidence);
    o.programs = without_end(programs);
    wait_for_folder(o.evidence);
    check_suite s = suite_open(&o);
    const int status = o.plain ? !suite_compare(&s, o.plain) : check(&s);
    suite_close(&s);
    free(evidence);
    free(programs);
    free((char *)(uintptr_t)o.evidence);
    free((char *)(uintptr_t)o.programs);
    free(o.only);
    return status;
}
