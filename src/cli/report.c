/* SPDX-License-Identifier: GPL-3.0-or-later
 * report.c - `provably report`: its options, and the PDF; the work is done in src/report/report.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "src/base/shown.h"
#include "src/base/option.h"
#include "src/base/places.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/report/report.h"

enum { OPT_EVIDENCE = 256, OPT_OUT, OPT_INDEX, OPT_RESULTS, OPT_QUIET, OPT_PARTIAL, OPT_PDF, OPT_AGREE, OPT_WIDTH,
       OPT_COLOR, OPT_JSON };
static const struct argp_option flags[] = {
    { "evidence", OPT_EVIDENCE, "DIR", 0, "folder of the evidence that the programs wrote (evidence beside this "
      "program, else build/evidence)", 0 },
    { "out", OPT_OUT, "DIR", 0, "output folder (reports/out)", 0 },
    { "index", OPT_INDEX, "FILE", 0, "list of all claims (claims.csv of the suite's data, see `provably help`)", 0 },
    { "results", OPT_RESULTS, "DIR", 0, "folder of recorded runs (results, next to the list of claims)", 0 },
    { "agree", OPT_AGREE, "FILE", 0, "write the verdicts to FILE as the agreed ones (reports/verdicts.csv)", 0 },
    { "width", OPT_WIDTH, "COLUMNS", 0, "of the table (that of the terminal, else COLUMNS, else 100)", 0 },
    { "color", OPT_COLOR, "WHEN", 0, "auto: on a terminal, unless NO_COLOR is set; always; never (auto)", 0 },
    { "json", OPT_JSON, "FILE", OPTION_ARG_OPTIONAL, "write the data of all CSV files as one JSON object to FILE, or "
      "to standard output in place of the table", 0 },
    { "quiet", OPT_QUIET, NULL, 0, "do not print the table", 0 },
    { "partial", OPT_PARTIAL, NULL, 0, "the evidence comes from a filtered run: give no verdicts", 0 },
    { "pdf", OPT_PDF, NULL, 0, "also typeset the PDF; needs TeX and rsvg-convert (make deps-report)", 0 },
    { 0 } };
static report_options report;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case OPT_EVIDENCE: report.evidence = arg; return 0;
    case OPT_OUT:      report.out = arg; return 0;
    case OPT_INDEX:    report.index = arg; return 0;
    case OPT_RESULTS:  report.results = arg; return 0;
    case OPT_AGREE:    report.agree = arg; return 0;
    case OPT_WIDTH:    report.width = (int)option_whole(arg, "--width", SCREEN_LEAST, SCREEN_MOST); return 0;
    case OPT_COLOR:    report.colour = colour_named(arg, "--color"); return 0;
    case OPT_JSON:     report.json = arg ? arg : "-"; return 0;
    case OPT_QUIET:    report.quiet = true; return 0;
    case OPT_PARTIAL:  report.partial = true; return 0;
    case OPT_PDF:      report.pdf = true; return 0;
    case ARGP_KEY_ARG: die("report takes options only, not `%s`; see `provably report --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int shell(const char *command)                   /* its exit status; 127: no such program */
{
    const int status = system(command);
    return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* LaTeX runs three times: contents, the pages they move, references.  report.tex includes the files in `out`. */
static void typeset(void)
{
    const char *out = report.out ? report.out : "reports/out";
    if (shell("command -v pdflatex >/dev/null 2>&1") != 0)
        die("no PDF: pdflatex is missing; install TeX with `make deps-report`.  The other reports are in %s", out);
    char *frame = data_place(NULL, "report.tex");
    if (strchr(frame, '\'')) die("cannot use %s: its path must not contain a quote", frame);
    /* An interrupted TeX leaves half files, which stop the next one. */
    char *command = must_format("cp '%s' '%s/' && cd '%s' && rm -f report.aux report.toc report.out && "
        "for run in 1 2 3; do pdflatex -interaction=nonstopmode -halt-on-error report.tex || exit 1; done "
        ">/dev/null </dev/null", frame, out, out);
    if (strchr(out, '\'')) die("--out: the name of the folder must not contain a quote");
    if (shell(command) != 0) die("no PDF: LaTeX failed, see %s/report.log", out);
    free(command);
    free(frame);
    shown_print(report.json && strcmp(report.json, "-") == 0 ? stderr : stdout, "%s/report.pdf\n", out);
}

int report_command(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, NULL,
        "Writes the verdict table and the CSV, LaTeX and HTML reports from evidence.\n"
        "Exit status: 0 everything as agreed, 1 a verdict fails or differs from the agreed one, 2 bad input.",
        NULL, NULL, NULL };
    command_parse(&parser, argc, argv, 0, NULL, NULL);
    report.kinds = run_kinds;
    report.program = provably_called;
    const int status = report_main(&report);
    if (report.pdf) typeset();
    return status;
}
