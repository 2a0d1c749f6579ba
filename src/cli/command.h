/* SPDX-License-Identifier: GPL-3.0-or-later
 * command.h - what all commands of `provably` do alike: --help and -h, --usage, --version, and hints for misspelt
 * names. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H
#include <argp.h>
#include "src/base/base.h"

/* The last line of --help of a command that does its work or dies. */
#define EXIT_USUAL "Exit status: 0 done, 2 bad input, or a file that cannot be read or written."

/* argp_parse with the options that every command has.  more: printed after --help, or NULL. */
void command_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input, void (*more)(FILE *));
/* A command whose help is a text of its own: whether its only argument is help, --help, -h (then the text is printed)
 * or --version. */
bool command_answers(int argc, char **argv, const char *help);

/* How `provably` was called, "build/provably", for commands that are printed. */
extern const char *provably_called;

/* `provably 0.1 (1a2b3c4d5e6f)`, then what it was built with. */
void version_print(FILE *f);
#endif
