/* SPDX-License-Identifier: GPL-3.0-or-later
 * audit.c - `provably audit`: its options and help; the work is done in src/report/audit.h. */
#include <stdlib.h>
#include "src/methods/counts/describe.h"
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/report/audit.h"
#include "src/report/collect/claim_name.h"

enum { OPT_MODEL = 256, OPT_CLAIM, OPT_DESCRIPTION };
static const struct argp_option audit_flags[] = {
    { "model", OPT_MODEL, "FILE", 0, "count the model that FILE describes (or a built-in one, such as gpt)", 0 },
    { "describe", OPT_DESCRIPTION, NULL, 0, "with --model: print its description", 0 },
    { "claim", OPT_CLAIM, "NAME", 0, "only the numbers of this claim: its id, or what a version prints", 0 },
    { 0 } };
static audit_options audit;

static error_t parse_audit(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case OPT_MODEL:       audit.model = arg; return 0;
    case OPT_CLAIM:       audit.claim = arg; return 0;
    case OPT_DESCRIPTION: audit.describe = true; return 0;
    case ARGP_KEY_ARG: die("audit takes options only, not `%s`; see `provably audit --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int audit_main(int argc, char **argv)
{
    static const struct argp parser = { audit_flags, parse_audit, NULL,
        "Recomputes every number in the papers that follows from definitions: printed, recomputed, verdict, "
        "explanation.  With --model: parameters, operations, gauge dimension, and what each theorem could remove.\n"
        EXIT_USUAL,
        NULL, NULL, NULL };
    command_parse(&parser, argc, argv, 0, NULL, describe_help);      /* argp would wrap its list of lines */
    if (audit.describe && !audit.model) die("--describe needs --model");
    if (audit.claim && audit.model) die("--claim and --model exclude each other");
    if (!audit.claim) return audit_print(&audit);
    claim_index x = claims_index(NULL);
    audit.claim = claim_called(&x, audit.claim)->id;
    const int status = audit_print(&audit);
    index_free(&x);
    return status;
}
