/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_options.c - the options of a theorem program: see program.h. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/libraries.h"
#include "src/base/option.h"
#include "src/claim/program/program.h"

#define NO_OPTIONS { .only_trial = -1, .seed = 20261121, .scale = SCALE_DEFAULT }
program_settings program = NO_OPTIONS;

void program_begin(const claim *C)
{
    program = (program_settings)NO_OPTIONS;
    program.C = C;
}

bool program_only_certifies(void) { return program.certificates && !program.out; }

enum { OPT_LIST = 256, OPT_DESCRIBE, OPT_ARITH, OPT_TRIALS, OPT_TRIAL, OPT_SEED, OPT_SHAPE, OPT_PART, OPT_CASE,
       OPT_SCALE, OPT_GAIN, OPT_CORNER, OPT_OUT, OPT_CERTIFICATES, OPT_FORK,
       OPT_STRICT, OPT_SUITE, OPT_LOGITS, OPT_AGREED, OPT_VERSION };
static const struct argp_option options[] = {
    { "arith", OPT_ARITH, "LIST", 0, "arithmetics, comma-separated: f64 mpfr[:bits] arb[:bits] fp[:prime] q sym", 0 },
    { "trials", OPT_TRIALS, "N", 0, "random models per shape (default 3)", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of all draws (default 20261121); random: the system draws one", 0 },
    { "scale", OPT_SCALE, "S", 0, "quick, default, large, or gpt2-small: a model of that size, a layer at a time", 0 },
    { "logits", OPT_LOGITS, "WHICH", 0, "with --scale=gpt2-small: those of the last token (default), or all", 0 },
    { "shape", OPT_SHAPE, "TEXT", 0, "one shape instead of the plan's, as --list prints them", 0 },
    { "part", OPT_PART, "NAME", 0, "only this part", 0 },
    { "case", OPT_CASE, "NAME", 0, "only `claim`, `minimal` or this control", 0 },
    { "trial", OPT_TRIAL, "K", 0, "only trial K of each shape: replays an evidence row", 0 },
    { "gain", OPT_GAIN, "G", 0, "multiply every draw by 2^G", 0 },
    { "corner", OPT_CORNER, "C", 0, "draws that are sparse, repeated or near-singular", 0 },
    { "out", OPT_OUT, "FILE", 0, "write the evidence rows to FILE; `-` prints them", 0 },
    { "certificates", OPT_CERTIFICATES, "FOLDER", 0, "write certificates for proofcheck to FOLDER, and without --out "
      "no more", 0 },
    { "list", OPT_LIST, NULL, 0, "parts, cases and shapes", 0 },
    { "describe", OPT_DESCRIBE, NULL, 0, "the claim in full, for reports", 0 },
    { "strict", OPT_STRICT, NULL, 0, "with --certificates: fail also where a certificate would state nothing", 0 },
    { "agreed", OPT_AGREED, "FILE", OPTION_HIDDEN, "the recorded verdicts: `provably run` names them", 0 },
    { "suite", OPT_SUITE, NULL, 0, "--seed, --trials, --gain and --corner are for a suite of programs: where nothing "
      "that this one checks depends on them, they are passed over instead of refused", 0 },
    { "fork", OPT_FORK, NULL, 0, "run each test in a process of its own", 0 },
    { "version", OPT_VERSION, NULL, 0, "print the version of the program and of its libraries", -1 },
    { 0 } };

static void parse_ariths(const char *text)
{
    char *copy = must_strdup(text), *save = NULL;
    for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        if (program.arithmetics == (int)COUNT(program.over))
            die("--arith: at most %zu arithmetics", COUNT(program.over));
        const char *wrong = arith_spec_parse(&program.over[program.arithmetics++], item);
        if (wrong) die("--arith=%s: %s", item, wrong);
    }
    free(copy);
    if (!program.arithmetics) die("--arith: choose among f64 mpfr[:bits] arb[:bits] fp[:prime] q sym");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case OPT_LIST:     program.list = true; break;
    case OPT_DESCRIBE: program.describe = true; break;
    case OPT_FORK:     program.fork = true; break;
    case OPT_STRICT:   program.strict = true; break;
    case OPT_SUITE:    program.suite = true; break;
    case OPT_ARITH:    parse_ariths(arg); break;
    case OPT_TRIALS:   program.trials = option_whole(arg, "--trials", 1, 1000000); break;
    case OPT_TRIAL:    program.only_trial = option_whole(arg, "--trial", 0, 1000000); break;
    case OPT_GAIN:     program.gain = (int)option_whole(arg, "--gain", -40, 40); break;
    case OPT_SHAPE:    program.shape = arg; break;
    case OPT_PART:     program.part = arg; break;
    case OPT_CASE:     program.which = arg; break;
    case OPT_OUT:
        if (!*arg) die("--out: name a file, or `-`");
        program.out = arg;
        break;
    case OPT_AGREED:   program.agreed = arg; break;
    case OPT_CERTIFICATES: program.certificates = arg; break;
    case OPT_SEED:
        program.seed = option_seed(arg, "--seed");
        program.seed_given = true;
        break;
    case OPT_SCALE:
        program.scale = (int)option_word(arg, "--scale",
                                         (const char *const[]){ "quick", "default", "large", "gpt2-small" }, 4);
        break;
    case OPT_LOGITS:
        program.all_logits = option_word(arg, "--logits", (const char *const[]){ "last", "all" }, 2);
        break;
    case OPT_CORNER:
        program.corner = (corner)(1 + option_word(arg, "--corner",
                                              (const char *const[]){ "sparse", "repeated", "near-singular" }, 3));
        break;
    case OPT_VERSION:
        libraries_print_version(stdout, program_name);
        exit(0);
    case ARGP_KEY_ARG: die("no arguments are taken, only options: see --help (`%s`)", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
    (void)state;
    return 0;
}

/* What only a run uses, beside something that runs nothing. */
static void refuse_beside(const char *mode, bool takes_shape, bool takes_part, bool takes_seed)
{
    const struct { const char *name; bool given; } of_runs[] = {
        { "--arith", program.arithmetics > 0 }, { "--trials", program.trials > 0 },
        { "--trial", program.only_trial >= 0 },
        { "--case", program.which != NULL },    { "--gain", program.gain != 0 },
        { "--corner", program.corner != CORNER_NONE },
        { "--out", program.out != NULL },       { "--fork", program.fork },         { "--logits", program.all_logits },
        { "--shape", program.shape && !takes_shape }, { "--part", program.part && !takes_part },
        { "--seed", program.seed_given && !takes_seed }, { "--suite", program.suite && !takes_seed } };
    for (size_t k = 0; k < COUNT(of_runs); k++)
        if (of_runs[k].given) die("%s does not use %s: leave one of them out", mode, of_runs[k].name);
}

static void refuse_combinations(void)
{
    if (program.strict && !program.certificates)
        die("--strict belongs to --certificates=FOLDER; a run is as strict without it");
    if (program.list + program.describe + (program.certificates != NULL) > 1)
        die("--list, --describe and --certificates are three different things: choose one");
    if (program.list)         refuse_beside("--list", true, true, false);
    if (program.describe)     refuse_beside("--describe", false, false, false);
    if (program_only_certifies()) refuse_beside("--certificates", true, true, true);
    if (program.trials && program.only_trial >= 0)
        die("--trials says how many trials run, --trial=K runs only number K: leave one of them out");
}

void program_parse(const claim *C, int argc, char **argv)
{
    static const struct argp parser = { options, parse, NULL,
        "Decides one claim of the papers in every arithmetic.  Exit status: 0 everything as expected, 1 not, 2 bad "
        "input.  INT, TERM and HUP end the program by that signal (130, 143 and 129 in a shell), and nothing is left.",
        NULL, NULL, NULL };
    argp_err_exit_status = 2;
    program.C = C;
    option_parse(&parser, argc, argv, 0, NULL);
    if (program.all_logits && !program_streams())
        die("--logits=all belongs to --scale=gpt2-small; at other scales all logits are compared");
    refuse_combinations();
    program.all_arithmetics = !program.arithmetics;
    if (!program.arithmetics) parse_ariths(program_streams() ? "arb" : "f64,mpfr,arb,fp,q,sym");
}
