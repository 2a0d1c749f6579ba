/* option.c - see option.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "src/base/option.h"

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
