/* audit.c - `provably audit`: its options and help; the work is done in src/report/audit.h. */
#include <argp.h>
#include <stdlib.h>
#include "src/methods/counts/describe.h"
#include "src/cli/cli.h"
#include "src/report/audit.h"

enum { OPT_MODEL = 256, OPT_CLAIM, OPT_DESCRIPTION, OPT_HELP };
static const struct argp_option audit_flags[] = {
    { "model", OPT_MODEL, "FILE", 0, "count the model that FILE describes (or a built-in one, such as gpt)", 0 },
    { "describe", OPT_DESCRIPTION, NULL, 0, "with --model: print its description", 0 },
    { "claim", OPT_CLAIM, "ID", 0, "only the numbers of this claim", 0 },
    { "help", OPT_HELP, NULL, 0, "print this text and the format of a description", 0 },
    { 0 } };
static audit_options audit;

static error_t parse_audit(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case OPT_MODEL:       audit.model = arg; return 0;
    case OPT_CLAIM:       audit.claim = arg; return 0;
    case OPT_DESCRIPTION: audit.describe = true; return 0;
    case OPT_HELP:                                     /* argp would wrap the list of lines */
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_DOC | ARGP_HELP_LONG);
        describe_help(stdout);
        exit(0);
    case ARGP_KEY_ARG: die("audit takes options only, not `%s`; see `provably audit --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int audit_main(int argc, char **argv)
{
    static const struct argp parser = { audit_flags, parse_audit, NULL,
        "Recomputes every number in the papers that follows from definitions: printed, recomputed, verdict, "
        "explanation.  With --model: parameters, operations, gauge dimension, and what each theorem could remove.",
        NULL, NULL, NULL };
    argp_parse(&parser, argc, argv, ARGP_NO_HELP, NULL, NULL);
    if (audit.describe && !audit.model) die("--describe needs --model");
    if (audit.claim && audit.model) die("--claim and --model exclude each other");
    return audit_print(&audit);
}
