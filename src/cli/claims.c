/* SPDX-License-Identifier: GPL-3.0-or-later
 * claims.c - `provably list`, `show` and `run`: the claims by the names that people use
 * (src/report/collect/claim_name.h). */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/base/option.h"
#include "src/base/places.h"
#include "src/claim/claim.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/report/collect/claim_name.h"
#include "src/report/show.h"

enum { OPT_INDEX = 256, OPT_EVIDENCE, OPT_RESULTS, OPT_WIDTH, OPT_COLOR, OPT_JSON, OPT_LONG, OPT_VERDICT };
#define INDEX_OPTION \
    { "index", OPT_INDEX, "FILE", 0, "list of all claims (claims.csv of the suite's data, see `provably help`)", 0 }

/* The words of a name that was given as several arguments; to be freed. */
static char *joined(const char *name, const char *more)
{
    return must_format("%s%s%s", name ? name : "", name ? " " : "", more);
}

/* ---- list -------------------------------------------------------------------------------------------------- */

static const struct argp_option list_flags[] = {
    { "verdict", OPT_VERDICT, "WORD", 0, "only claims with this agreed verdict: PROVED, SUPPORTED, CAVEAT, ...", 0 },
    INDEX_OPTION, { 0 } };
typedef struct { const char *index; char *name; verdict only; } list_options;

static verdict verdict_named(const char *word)
{
    const char *words[VERDICTS];
    long n = 0;
    for (int v = V_NONE + 1; v < VERDICTS; v++) if (!verdict_fails((verdict)v)) words[n++] = verdict_word((verdict)v);
    return verdict_of_word(words[option_word(word, "--verdict", words, n)]);
}

static error_t parse_list(int key, char *arg, struct argp_state *state)
{
    list_options *o = state->input;
    switch (key) {
    case OPT_INDEX:    o->index = arg; return 0;
    case OPT_VERDICT:  o->only = verdict_named(arg); return 0;
    case ARGP_KEY_ARG: {
        char *longer = joined(o->name, arg);
        free(o->name);
        o->name = longer;
        return 0;
    }
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool has_verdict(const ratchet *settled, const claim_entry *e, verdict v)
{
    for (long k = 0; k < settled->n; k++) if (strcmp(settled->at[k].id, e->id) == 0) return settled->at[k].is[0] == v;
    return false;
}

/* The claims that are called so; else those whose id or title has the words. */
static bool *chosen(const claim_index *x, const char *name)
{
    bool *is = must_calloc((size_t)x->n + 1, sizeof *is);
    long *at = NULL, n = name ? claims_called(x, name, &at) : 0;
    for (long k = 0; k < n; k++) is[at[k]] = true;
    for (long k = 0; k < x->n && !n; k++)
        is[k] = !name || strcasestr(x->at[k].id, name) || strcasestr(x->at[k].title, name);
    free(at);
    return is;
}

/* "agreed: 29 PROVED formal, 7 PROVED derived, ..." of the chosen claims, in the order of the list of verdicts. */
static void print_agreed(const claim_index *x, const bool *is, const ratchet *settled)
{
    long n[VERDICTS][EVIDENCES] = { { 0 } };
    const char *before = "\nagreed: ";
    for (long k = 0; k < x->n; k++)
        for (long i = 0; is[k] && i < settled->n; i++)
            if (strcmp(settled->at[i].id, x->at[k].id) == 0) n[settled->at[i].is[0]][settled->at[i].by[0]]++;
    const verdict shown[] = { V_PROVED, V_SUPPORTED };
    for (size_t v = 0; v < COUNT(shown); v++)
        for (int by = EVIDENCES - 1; by >= 0; by--) {
            if (!n[shown[v]][by]) continue;
            printf("%s%ld %s %s", before, n[shown[v]][by], verdict_word(shown[v]), evidence_word((evidence_kind)by));
            before = ", ";
        }
    if (*before == ',') printf("\n");
}

int list_main(int argc, char **argv)
{
    static const struct argp parser = { list_flags, parse_list, "[NAME]",
        "Lists all claims, or those that NAME may mean (T4.4, \"Theorem 4.4\", \"App D\", norm): id, number in the "
        "paper, program, title.  `pending` in place of a program: training runs decide the claim.\n"
        "Exit status: 0, or 2 where no claim has that name.", NULL, NULL, NULL };
    list_options o = { .name = NULL };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    claim_index x = claims_index(o.index);
    char *path = o.only || !o.index ? data_place(NULL, "verdicts.csv") : NULL;
    ratchet settled = path ? ratchet_read(path) : (ratchet){ 0 };
    bool *is = chosen(&x, o.name), any = false;
    for (long k = 0; k < x.n; k++) {
        const claim_entry *e = &x.at[k];
        any |= is[k];
        if (!is[k] || (o.only && !has_verdict(&settled, e, o.only))) continue;
        shown_print(stdout, "%-14s %-14s %-12s %s\n", e->id, e->n003[0] ? e->n003 : e->n000[0] ? e->n000 : e->n001,
               e->program[0] ? e->program : "pending", e->title);
    }
    if (!any) claim_called(&x, o.name);                         /* says what is near */
    if (!o.name && !o.only) print_agreed(&x, is, &settled);
    ratchet_free(&settled);
    free(is);
    free(path);
    free(o.name);
    index_free(&x);
    return 0;
}

/* ---- show -------------------------------------------------------------------------------------------------- */

static const struct argp_option show_flags[] = {
    { "long", OPT_LONG, NULL, 0, "also what the other versions print, what their sections presuppose, the theorem, the "
      "certificates and the program", 0 },
    { "json", OPT_JSON, NULL, 0, "print all of it as a JSON object; its field `schema` is the version of its form", 0 },
    { "evidence", OPT_EVIDENCE, "DIR", 0, "folder of the evidence that the programs wrote (evidence beside this "
      "program, else build/evidence)", 0 },
    INDEX_OPTION,
    { "results", OPT_RESULTS, "DIR", 0, "folder of recorded runs (results, next to the list of claims)", 0 },
    { "width", OPT_WIDTH, "COLUMNS", 0, "of the text (that of the terminal, else COLUMNS, else 100)", 0 },
    { "color", OPT_COLOR, "WHEN", 0, "auto: on a terminal, unless NO_COLOR is set; always; never (auto)", 0 },
    { 0 } };
typedef struct { report_options report; char *name; show_form form; } show_options;

static error_t parse_show(int key, char *arg, struct argp_state *state)
{
    show_options *o = state->input;
    switch (key) {
    case OPT_JSON:     o->form = SHOW_JSON; return 0;
    case OPT_LONG:     if (o->form != SHOW_JSON) o->form = SHOW_LONG; return 0;
    case OPT_EVIDENCE: o->report.evidence = arg; return 0;
    case OPT_INDEX:    o->report.index = arg; return 0;
    case OPT_RESULTS:  o->report.results = arg; return 0;
    case OPT_WIDTH:    o->report.width = (int)option_whole(arg, "--width", SCREEN_LEAST, SCREEN_MOST); return 0;
    case OPT_COLOR:    o->report.colour = colour_named(arg, "--color"); return 0;
    case ARGP_KEY_ARG: {
        char *longer = joined(o->name, arg);
        free(o->name);
        o->name = longer;
        return 0;
    }
    default: return ARGP_ERR_UNKNOWN;
    }
}

int show_main(int argc, char **argv)
{
    static const struct argp parser = { show_flags, parse_show, "NAME",
        "Shows one claim on a screen: the verdict, what is true and why, the sentence as one version prints it, how we "
        "know, for which sizes, and the command that decides it again.  NAME is an id (K-T4.4, T4.4, k_t4_4) or "
        "what a version prints (\"Theorem 4.4\", \"middle Theorem 4.4\", \"latest Theorem 4.2\").  Where the claim was "
        "not run here, the verdict is the one that was agreed on.\n"
        "Exit status: 0, or 2 where no claim or more than one has that name.", NULL, NULL, NULL };
    show_options o = { .name = NULL };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.name) die("show takes the name of a claim, as in `provably show K-T4.4`; `provably list` shows all");
    o.report.kinds = run_kinds;
    o.report.program = provably_called;
    const int status = show_claim(&o.report, o.name, o.form);
    free(o.name);
    return status;
}

/* ---- run --------------------------------------------------------------------------------------------------- */

static const char run_help[] =
    "Usage: provably run NAME [OPTION...]\n"
    "Decides one claim by its program.  NAME is an id (K-T4.4, T4.4, k_t4_4) or what a version prints,\n"
    "\"Theorem 4.4\".\n\n"
    "      --index=FILE           list of all claims (claims.csv of the suite's data, see `provably help`)\n"
    "  -h, --help                 print this text; after NAME: the options of the claim's program\n"
    "      --version              print the version of the program and of its libraries\n\n"
    "Every other option is the program's: --list, --part, --arith, --shape, --trials, --seed, --out, ...\n"
    "What it prints is of tests alone; `provably show NAME` has the verdict with the proofs.\n\n"
    "Exit status: 0 everything as expected, 1 not, 2 bad input.\n";

/* Takes --index=FILE out of the arguments. */
static const char *take_index(int *argc, char **argv)
{
    const char *given = NULL;
    int kept = 0;
    for (int i = 0; i < *argc; i++)
        if (strncmp(argv[i], "--index=", 8) == 0) given = argv[i] + 8;
        else argv[kept++] = argv[i];
    argv[kept] = NULL;
    *argc = kept;
    return given;
}

int run_main(int argc, char **argv)
{
    if (command_answers(argc, argv, run_help)) return 0;
    const char *given = take_index(&argc, argv);
    claim_index x = claims_index(given);
    char *index = data_place(given, "claims.csv"), *slash = strrchr(index, '/');
    char *recorded = must_format("--agreed=%.*sverdicts.csv", slash ? (int)(slash + 1 - index) : 0, index);
    if (argc < 2) die("run takes the name of a claim, as in `provably run K-T4.4`; `provably list` shows all");
    if (argv[1][0] == '-') die("run takes the name of a claim first, not `%s`; see `provably run --help`", argv[1]);
    const claim_entry *e = claim_called(&x, argv[1]);
    if (!e->program[0])
        die("claim %s has no program: training runs decide it; `provably show %s` says which", e->id, e->id);
    const claim *C = claim_of_program(e->program);
    if (!C) die("the program %s of claim %s is not part of this provably", e->program, e->id);
    char *called = must_format("provably run %s", e->id);
    static char help[] = "--help";
    for (int k = 2; k < argc; k++) if (strcmp(argv[k], "-h") == 0) argv[k] = help;
    char **passed = must_calloc((size_t)argc + 2, sizeof *passed);
    passed[0] = called;                                 /* for its usage line, and for the commands that it prints */
    passed[1] = recorded;
    for (int k = 2; k < argc; k++) passed[k] = argv[k];
    index_free(&x);
    return theorem_main(C, argc, passed);
}
