/* SPDX-License-Identifier: GPL-3.0-or-later
 * provably.c - the command line: which command it is. */
#include <stdlib.h>
#include <string.h>
#include "numerics/libraries.h"
#include "src/base/nearest.h"
#include "src/claim/claim.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"

static const cli_command commands[] = {
    { NULL, NULL, "Claims", NULL, NULL },
    { "show",   "NAME [OPTION...]", "one claim in plain text: sentence, verdict, evidence", show_main,
      "provably show \"Theorem 4.4\"" },
    { "list",   "[NAME]",           "all claims: id, number in the paper, program, title", list_main,
      "provably list K-T4" },
    { "run",    "NAME [OPTION...]", "decide one claim again", run_main,
      "provably run K-T4.4 --arith=arb:512" },
    { "check",  "[OPTION...]",      "decide every claim that changed, and write the reports", check_main,
      "provably check --jobs=2" },
    { "report", "[OPTION...]",      "write the verdict table and the reports from evidence", report_command,
      "provably report --evidence=build/evidence --out=reports/out" },
    { "audit",  "[OPTION...]",      "recount the papers' numbers, or count a model", audit_main,
      "provably audit --claim=K-T4.4" },
    { NULL, NULL, "Your own weights and architectures", NULL, NULL },
    { "inspect", "FILE [OPTION...]", "a model's file: its architecture, and which theorems apply", inspect_main,
      "provably inspect model.safetensors" },
    { "reduce", "FILE --out=DIR [OPTION...]", "the same function from a simpler file of weights", reduce_main,
      "provably reduce model.safetensors --out=reduced" },
    { "verify", "A B [OPTION...]", "whether two files are the same function, or where they diverge", verify_main,
      "provably verify model.safetensors reduced" },
    { "absorb", "W1 W2 [OPTION...]", "decide whether a ReLU MLP absorbs its skip connection", absorb_main,
      "provably absorb W1.csv W2.npy" },
    { "rank",   "[OPTION...]",      "dimension of the functions of a transformer", rank_main,
      "provably rank --arch=attn-skip --d=4 --h=2 --L=3" },
    { NULL, NULL, "Experiments", NULL, NULL },
    { "reproduce",      "[PRESET]",         "rerun the papers' experiments; --list shows them", reproduce_main,
      "provably reproduce quick" },
    { "sweep",          "LIST --out=DIR",   "run a list of training runs, also from several processes", sweep_main,
      "provably sweep runs.txt --out=runs" },
    { "train",          "--out=DIR [OPTION...]", "train a language model", train_main,
      "provably train --data=bytes:text.txt --out=run" },
    { "train-vision",   "--out=DIR [OPTION...]", "train a vision transformer", train_vision_main,
      "provably train-vision --data=mnist:DIR --out=run" },
    { "basis-transfer", "--out=DIR [OPTION...]", "train an MLP to compute another one's function (Appendix D)",
      basis_main,
      "provably basis-transfer --out=run" },
    { "sample",         "--from=DIR [OPTION...]", "generate text from a trained model", sample_main,
      "provably sample --from=run" },
    { "export",         "--from=DIR --out=FILE", "write a trained model as .safetensors", export_main,
      "provably export --from=run --out=model.safetensors" },
    { "data",           "COMMAND [OPTION...]", "download and check data sets, turn text into tokens", data_main,
      "provably data get mnist --to=data" },
};

static void usage(FILE *f)
{
    fprintf(f, "Usage: provably COMMAND [OPTION...]\n"
               "Which weights of a transformer can be removed without changing what it computes?\n"
               "Two papers answer, and this suite decides each of their claims.  In short:\n"
               "- W_Q of GPT-2 or Llama: not exactly (show N18, show N20)\n"
               "- for free: a block of W_V or W_O in each head, without RoPE also of W_Q or W_K (show N1b)\n"
               "- all W_Q: without norms, with skips around attention only, around the MLPs only, or with\n"
               "  one shared block (show K-T4.4, show N2, show K-T4.3)\n"
               "- your own file: inspect FILE, reduce FILE --out=DIR, verify A B\n");
    for (size_t k = 0; k < COUNT(commands); k++) {
        if (!commands[k].name) { fprintf(f, "\n%s\n", commands[k].does); continue; }
        const int n = fprintf(f, "  %s %s", commands[k].name, commands[k].with);
        fprintf(f, "%*s%s\n", n < 36 ? 36 - n : 1, "", commands[k].does);
    }
    fprintf(f, "\n  help [COMMAND]                    this text, or that of a command\n"
               "  -h, --help                        the same; also after every command\n"
               "  --version                         version, commit, compiler and libraries\n"
               "\nThe suite's data (claims.csv and the files beside it) are looked for in the folder that the\n"
               "environment variable PROVABLY_DATA names; else in ../reports and ../share/provably beside this\n"
               "program; else in reports.\n"
               "PROVABLY_ARCHITECTURES=FOLDER: inspect, reduce and verify also know the architectures that the files\n"
               "in FOLDER describe (src/checkpoint/architectures/README.md).\n"
               "PROVABLY_REFERENCE=1 in the environment: FLINT, Arb and MPFR do all arithmetic, the suite's fast\n"
               "paths are off.\n"
               "Colours: on a terminal only; not where NO_COLOR is set or TERM is dumb.\n"
               "\nExit status: 0 everything as expected, 1 a verdict fails or a run was stopped, 2 bad input;\n"
               "of absorb: 0 decided, 1 UNDECIDED, 2 bad input.\n");
}

static _Noreturn void unknown(const char *command)
{
    const char *names[COUNT(commands) + 1];
    long n = 0;
    for (size_t k = 0; k < COUNT(commands); k++) if (commands[k].name) names[n++] = commands[k].name;
    names[n++] = "help";
    const char *const hint = nearest_hint(command, names, n);
    die("no command is called `%s`%s%s", command, hint, *hint ? "" : "; `provably help` lists them");
}

/* An installed theorem program is a link to this one: called by its name, this is that program.  NULL: it is not. */
static const claim *called_as(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return *name ? claim_of_program(name) : NULL;
}

int main(int argc, char **argv)
{
    const claim *C = argc > 0 ? called_as(argv[0]) : NULL;
    if (C) return theorem_main(C, argc, argv);
    base_init(argc, argv);
    base_guard_end();
    libraries_init();
    argp_err_exit_status = 2;
    static char help[] = "--help";
    if (argc > 0) provably_called = argv[0];
    if (argc == 3 && strcmp(argv[1], "help") == 0) {    /* help COMMAND: COMMAND --help */
        argv[1] = argv[2];
        argv[2] = help;
    }
    const char *command = argc > 1 ? argv[1] : "";
    for (size_t k = 0; k < COUNT(commands); k++) {
        if (!commands[k].name || strcmp(command, commands[k].name) != 0) continue;
        static char name[64];                           /* "provably train", for argp's usage line */
        snprintf(name, sizeof name, "%s %s", program_name, command);
        argv[1] = name;
        return base_end(commands[k].main(argc - 1, argv + 1));
    }
    if (strcmp(command, "complete") == 0) return complete_main(argc - 1, argv + 1, commands, COUNT(commands));
    const bool asks = strcmp(command, "help") == 0 || strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0;
    if (asks) usage(stdout);
    else if (strcmp(command, "--version") == 0 || strcmp(command, "version") == 0) version_print(stdout);
    else if (argc > 1) unknown(command);
    else usage(stderr);
    return argc > 1 ? 0 : 2;
}
