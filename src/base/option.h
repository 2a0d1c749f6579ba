/* SPDX-License-Identifier: GPL-3.0-or-later
 * option.h - values of command-line options: parsed whole and range-checked, or one line that says what is expected. */
#ifndef OPTION_H
#define OPTION_H
#include <argp.h>
#include "src/base/base.h"

/* `option` with its dashes, as the user wrote it.  Each dies when arg is anything else. */
long     option_whole (const char *arg, const char *option, long least, long most);
double   option_number(const char *arg, const char *option, double least, double most);
/* A whole number, or `random`: then the system draws one (getrandom), and it is printed to stderr. */
uint64_t option_seed  (const char *arg, const char *option);
/* The place of arg among n words. */
long     option_word  (const char *arg, const char *option, const char *const *words, long n);

/* argp_parse, but for two things.  Where it lacks memory it returns with no option read: this dies.  A word whose
 * option it does not know, or that may be two, it prints as it is, whatever that does to a terminal: of one that
 * shown.h would escape this dies before, and argv[0] is replaced. */
void     option_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input);
#endif
