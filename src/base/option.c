/* SPDX-License-Identifier: GPL-3.0-or-later
 * option.c - see option.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "src/base/option.h"
#include "src/base/shown.h"

long option_whole(const char *arg, const char *option, long least, long most)
{
    char *end;
    errno = 0;
    const long n = strtol(arg, &end, 10);
    if (end == arg || *end || errno || n < least || n > most)
        die("%s takes a whole number from %ld to %ld, not `%s`", option, least, most, arg);
    return n;
}

double option_number(const char *arg, const char *option, double least, double most)
{
    char *end;
    const double x = strtod(arg, &end);
    if (end == arg || *end || !(least <= x && x <= most))
        die("%s takes a number from %g to %g, not `%s`", option, least, most, arg);
    return x;
}

uint64_t option_seed(const char *arg, const char *option)
{
    char *end;
    errno = 0;
    if (strcmp(arg, "random") == 0) {
        uint64_t seed;
        if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
            die("%s=random: the system gave no random number: %s; give a whole number", option, strerror(errno));
        fprintf(stderr, "%s=%llu was drawn\n", option, (unsigned long long)seed);
        return seed;
    }
    const unsigned long long n = strtoull(arg, &end, 10);
    if (*arg < '0' || *arg > '9' || *end || errno) die("%s takes a whole number or `random`, not `%s`", option, arg);
    return n;
}

long option_word(const char *arg, const char *option, const char *const *words, long n)
{
    for (long k = 0; k < n; k++) if (strcmp(arg, words[k]) == 0) return k;
    text_buffer all = { 0 };
    text_add(&all, "%s", words[0]);
    for (long k = 1; k < n; k++) {
        text_add(&all, ", %s", words[k]);
    }
    die("%s takes one of %s, not `%s`", option, all.at, arg);
}

/* ---- what argp would print --------------------------------------------------------------------------------------- */

static bool takes_value(const struct argp_option *o) { return o->arg && !(o->flags & OPTION_ARG_OPTIONAL); }

typedef struct { const struct argp_option *whole, *begins; long n; } named;   /* begins: the last of n that begin so */

/* The options of the parser and its children that have the letter, or, where it is 0, that the n bytes name or
 * begin. */
static void find_named(const struct argp *parser, int letter, const char *name, size_t n, named *is)
{
    for (const struct argp_option *o = parser->options; o && (o->name || o->key || o->doc); o++) {
        if (letter ? o->key != letter : !o->name || strncmp(o->name, name, n) != 0) continue;
        if (letter || !o->name[n]) is->whole = o;
        is->begins = o;
        is->n++;
    }
    for (const struct argp_child *c = parser->children; c && c->argp; c++) find_named(c->argp, letter, name, n, is);
}

/* Whether getopt knows every option of the word, `--name`, `--name=value` or `-abc`; *next: its value is the next
 * word. */
static bool is_known(const struct argp *parser, const char *word, bool *next)
{
    const size_t n = strcspn(word, "=");
    *next = false;
    if (word[1] == '-') {
        named is = { NULL, NULL, 0 };
        find_named(parser, 0, word + 2, n - 2, &is);
        const struct argp_option *o = is.whole ? is.whole : is.n == 1 ? is.begins : NULL;
        *next = o && takes_value(o) && !word[n];
        return o;
    }
    for (const char *c = word + 1; *c; c++) {
        named is = { NULL, NULL, 0 };
        find_named(parser, (unsigned char)*c, "", 0, &is);
        if (!is.whole) return false;
        *next = takes_value(is.whole) && !c[1];
        if (is.whole->arg) break;                        /* the rest is its value */
    }
    return true;
}

static void require_words(const struct argp *parser, int argc, char **argv)
{
    if (argc > 0 && !shown_as_is(argv[0])) argv[0] = (char *)(uintptr_t)program_name;
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        bool next;
        if (argv[k][0] != '-' || !argv[k][1]) continue;
        if (!is_known(parser, argv[k], &next) && !shown_as_is(argv[k]))
            die("no option is called `%.*s`; --help lists them", (int)strcspn(argv[k], "="), argv[k]);
        k += next;
    }
}

void option_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input)
{
    require_words(parser, argc, argv);
    const error_t why = argp_parse(parser, argc, argv, flags, NULL, input);
    if (why) die("cannot read the options: %s", strerror(why));
}
