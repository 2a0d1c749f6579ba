/* SPDX-License-Identifier: GPL-3.0-or-later
 * command.c - see command.h. */
#include "src/cli/command.h"
#include <stdlib.h>
#include <string.h>
#include "numerics/libraries.h"
#include "src/base/option.h"

const char *provably_called = "provably";

void version_print(FILE *f) { libraries_print_version(f, "provably"); }

/* ---- the options of every command, as argp's child ---------------------------------------------------------- */

enum { OPT_USAGE = 0x7000, OPT_VERSION };
static const struct argp_option common[] = {
    { "help", 'h', NULL, 0, "print this text", -1 },
    { "usage", OPT_USAGE, NULL, 0, "print the options in short", 0 },
    { "version", OPT_VERSION, NULL, 0, "print the version of the program and of its libraries", 0 },
    { 0 } };
static void (*more_help)(FILE *);

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    switch (key) {
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC | ARGP_HELP_LONG);
        if (more_help) more_help(stdout);
        exit(0);
    case OPT_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE);
        exit(0);
    case OPT_VERSION:
        version_print(stdout);
        exit(0);
    default: return ARGP_ERR_UNKNOWN;
    }
}

void command_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input, void (*more)(FILE *))
{
    enum { MOST = 8 };
    static const struct argp shared = { common, parse_common, NULL, NULL, NULL, NULL, NULL };
    struct argp_child children[MOST] = { { 0 } };
    int n = 0;
    for (const struct argp_child *c = parser->children; c && c->argp; c++) {
        REQUIRE(n + 2 < MOST, "%d children", n);
        children[n++] = *c;
    }
    children[n] = (struct argp_child){ &shared, 0, NULL, -1 };
    struct argp whole = *parser;
    whole.children = children;
    more_help = more;
    option_parse(&whole, argc, argv, flags | ARGP_NO_HELP, input);
}

bool command_answers(int argc, char **argv, const char *help)
{
    if (argc != 2) return false;
    const bool asks = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0;
    if (asks) fputs(help, stdout);
    if (asks || strcmp(argv[1], "--version") != 0) return asks;
    version_print(stdout);
    return true;
}
