/* provably.c - the command line: lists claims, runs their programs, writes the reports. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/libraries.h"
#include "src/base/places.h"
#include "src/cli/cli.h"
#include "src/report/report.h"
#include "src/claim/judge/verdict.h"

/* The index of all claims; takes --index=FILE out of the arguments. */
static claim_index take_index(int *argc, char **argv)
{
    const char *given = NULL;
    int kept = 0;
    for (int i = 0; i < *argc; i++)
        if (strncmp(argv[i], "--index=", 8) == 0) given = argv[i] + 8;
        else argv[kept++] = argv[i];
    argv[kept] = NULL;
    *argc = kept;
    char *path = data_place(given, "claims.csv");
    const claim_index x = index_read(path);
    free(path);
    return x;
}

static int list_main(int argc, char **argv)
{
    claim_index x = take_index(&argc, argv);
    if (argc > 1) die("list takes no argument but --index=FILE, not `%s`", argv[1]);
    for (long k = 0; k < x.n; k++) {
        const claim_entry *e = &x.at[k];
        printf("%-14s %-14s %-12s %s\n", e->id, e->n003[0] ? e->n003 : e->n000[0] ? e->n000 : e->n001,
               e->program[0] ? e->program : "pending", e->title);
    }
    index_free(&x);
    return 0;
}

static int run_main(int argc, char **argv)
{
    claim_index x = take_index(&argc, argv);
    if (argc < 2) die("run takes the id of a claim; `provably list` shows them");
    const claim_entry *e = index_find(&x, argv[1]);
    if (!e) die("no claim is called `%s`; `provably list` shows them", argv[1]);
    if (!e->program[0]) die("claim %s has no program yet", e->id);
    char *program = theorem_place(e->program);
    if (!program) die("the program %s of claim %s is not built; build it with make", e->program, e->id);
    argv[1] = program;
    execv(program, argv + 1);
    die("cannot run %s: %s", program, strerror(errno));
}

/* ---- report --------------------------------------------------------------------------------------- */

enum { OPT_EVIDENCE = 256, OPT_OUT, OPT_INDEX, OPT_RESULTS, OPT_QUIET, OPT_PARTIAL, OPT_PDF, OPT_AGREE };
static const struct argp_option report_flags[] = {
    { "evidence", OPT_EVIDENCE, "DIR", 0, "folder of the evidence that the programs wrote (build/evidence)", 0 },
    { "out", OPT_OUT, "DIR", 0, "output folder (reports/out)", 0 },
    { "index", OPT_INDEX, "FILE", 0, "index of all claims (claims.csv of the suite's data, see `provably help`)", 0 },
    { "results", OPT_RESULTS, "DIR", 0, "folder of recorded runs (results, next to the index)", 0 },
    { "agree", OPT_AGREE, "FILE", 0, "write the verdicts to FILE as the agreed ones (reports/verdicts.csv)", 0 },
    { "quiet", OPT_QUIET, NULL, 0, "do not print the table", 0 },
    { "partial", OPT_PARTIAL, NULL, 0, "the evidence comes from a filtered run: give no verdicts", 0 },
    { "pdf", OPT_PDF, NULL, 0, "also typeset the PDF; needs TeX (make deps-report)", 0 },
    { 0 } };
static report_options report;
static bool pdf;

static error_t parse_report(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case OPT_EVIDENCE: report.evidence = arg; return 0;
    case OPT_OUT:      report.out = arg; return 0;
    case OPT_INDEX:    report.index = arg; return 0;
    case OPT_RESULTS:  report.results = arg; return 0;
    case OPT_AGREE:    report.agree = arg; return 0;
    case OPT_QUIET:    report.quiet = true; return 0;
    case OPT_PARTIAL:  report.partial = true; return 0;
    case OPT_PDF:      pdf = true; return 0;
    case ARGP_KEY_ARG: die("report takes options only, not `%s`; see `provably report --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int shell(const char *command)                   /* its exit status; 127: no such program */
{
    const int status = system(command);
    return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* LaTeX runs twice, for the references; report.tex includes the files in `out`. */
static void typeset(void)
{
    const char *out = report.out ? report.out : "reports/out";
    if (shell("command -v pdflatex >/dev/null 2>&1") != 0)
        die("no PDF: pdflatex is missing; install TeX with `make deps-report`.  The other reports are in %s", out);
    char *frame = data_place(NULL, "report.tex");
    if (strchr(frame, '\'')) die("cannot use %s: its path must not contain a quote", frame);
    char *command = must_format("cp '%s' '%s/' && cd '%s' && "
        "{ pdflatex -interaction=nonstopmode -halt-on-error report.tex && pdflatex -interaction=nonstopmode "
        "-halt-on-error report.tex; } >/dev/null </dev/null", frame, out, out);
    if (strchr(out, '\'')) die("--out: the name of the folder must not contain a quote");
    if (shell(command) != 0) die("no PDF: LaTeX failed, see %s/report.log", out);
    free(command);
    free(frame);
    printf("%s/report.pdf\n", out);
}

static int report_command(int argc, char **argv)
{
    static const struct argp parser = { report_flags, parse_report, NULL,
        "Writes the verdict table and the CSV, LaTeX and HTML reports from evidence.", NULL, NULL, NULL };
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    report.kinds = run_kinds;
    const int status = report_main(&report);
    if (pdf) typeset();
    return status;
}

static const cli_command commands[] = {
    { NULL, NULL, "Claims", NULL },
    { "list",   "",                 "list all claims: id, number in the paper, program", list_main },
    { "run",    "ID [OPTION...]",   "decide one claim; `provably run ID --help` lists the options", run_main },
    { "report", "[OPTION...]",      "write the verdict table and the reports from evidence", report_command },
    { "audit",  "[OPTION...]",      "recount the papers' numbers, or count a model", audit_main },
    { NULL, NULL, "Your own weights and architectures", NULL },
    { "absorb", "W1 W2 [OPTION...]", "decide whether a ReLU MLP absorbs its skip connection", absorb_main },
    { "rank",   "[OPTION...]",      "dimension of the functions of a transformer", rank_main },
    { NULL, NULL, "Experiments", NULL },
    { "reproduce",      "[PRESET]",         "rerun the papers' experiments; --list shows them", reproduce_main },
    { "sweep",          "LIST --out=DIR",   "run a list of training runs, also from several processes", sweep_main },
    { "train",          "--out=DIR [OPTION...]", "train a language model", train_main },
    { "train-vision",   "--out=DIR [OPTION...]", "train a vision transformer", train_vision_main },
    { "basis-transfer", "--out=DIR [OPTION...]", "train an MLP to compute another one's function (Appendix D)",
      basis_main },
    { "sample",         "--from=DIR [OPTION...]", "generate text from a trained model", sample_main },
    { "export",         "--from=DIR --out=FILE", "write a trained model as .safetensors", export_main },
    { "data",           "COMMAND [OPTION...]", "download and check data sets, turn text into tokens", data_main },
};

static void usage(FILE *f)
{
    fprintf(f, "usage: provably COMMAND [OPTION...]\n");
    for (size_t k = 0; k < COUNT(commands); k++) {
        if (!commands[k].name) { fprintf(f, "\n%s\n", commands[k].does); continue; }
        const int n = fprintf(f, "  %s %s", commands[k].name, commands[k].with);
        fprintf(f, "%*s%s\n", n < 36 ? 36 - n : 1, "", commands[k].does);
    }
    fprintf(f, "\nEvery command except `list` explains its options with --help.\n"
               "`list` and `run` read the index reports/claims.csv, or the file given by --index=FILE.\n"
               "Exit status: 0 everything as expected, 1 a verdict fails or a run was stopped, 2 bad input;\n"
               "of absorb: 0 decided, 1 UNDECIDED, 2 bad input.\n");
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    libraries_init();
    argp_err_exit_status = 2;
    const char *command = argc > 1 ? argv[1] : "";
    for (size_t k = 0; k < COUNT(commands); k++) {
        if (!commands[k].name || strcmp(command, commands[k].name) != 0) continue;
        static char name[64];                           /* "provably train", for argp's usage line */
        snprintf(name, sizeof name, "%s %s", program_name, command);
        argv[1] = name;
        return commands[k].main(argc - 1, argv + 1);
    }
    if (strcmp(command, "complete") == 0) return complete_main(argc - 1, argv + 1, commands, COUNT(commands));
    if (strcmp(command, "help") == 0 || strcmp(command, "--help") == 0) { usage(stdout); return 0; }
    if (argc > 1) die("no command is called `%s`; `provably help` lists them", command);
    usage(stderr);
    return 2;
}
