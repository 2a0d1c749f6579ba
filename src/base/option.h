/* option.h - values of command-line options: parsed whole and range-checked, or one line that says what is expected. */
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

/* Before argp_parse: argp prints a word whose option it does not know, or that may be two, as it is, whatever it does
 * to a terminal.  Dies of such a word where shown.h would escape it; replaces argv[0] where that is one. */
void     option_words_require(const struct argp *parser, int argc, char **argv);
#endif
