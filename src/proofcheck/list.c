/* SPDX-License-Identifier: GPL-3.0-or-later
 * list.c - the list of statements: what is agreed on, which of its numbers are drawn, and what is demanded of those.
 *
 * A line of the list is  CLAIM,PART,NAME,DRAWN,DEMANDS,HASH.  DRAWN has the names of the matrices whose numbers another
 * seed changes, with blanks between them.  HASH is that of all lines of the file but the rows of these, so that every
 * other number is fixed.  A drawn matrix may have any numbers that make the certificate worth something: see
 * list_demands.                                                                                                    */
#include "src/proofcheck/proofcheck.h"
#include <string.h>

/* Of a word, which is not empty: no comma, newline or slash, so that the key of such names is one line of the list. */
static bool is_name(const char *p)
{
    return !p[strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._+=")];
}

/* What stands before the next comma, or before the end of the line, where *at remains. */
static const char *column(checker *c, const char **at)
{
    const size_t n = strcspn(*at, ",\n");
    char *text = check_alloc(c, n + 1);
    memcpy(text, *at, n);
    *at += n + ((*at)[n] == ',');
    return text;
}

void list_find(checker *c, const char *list, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t n = strlen(name);
    if (n <= 5 || !text_equal(name + n - 5, ".cert")) return;
    char *stem = check_join(c, name, "", "");
    stem[n - 5] = '\0';
    if (!is_name(c->claim) || !is_name(c->part) || !is_name(stem)) return;
    const char *key = check_join(c, check_join(c, "\n", c->claim, ","), check_join(c, c->part, ",", stem), ",");
    const char *at = strstr(list, key);
    if (!at) return;
    at += strlen(key);
    c->drawn = column(c, &at);
    c->demands = column(c, &at);
    if (at[strcspn(at, ",\n")] == '\n') c->agreed = column(c, &at);
}

bool list_draws(const checker *c, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = c->drawn; (at = strstr(at, name)) != NULL; at++)
        if ((at == c->drawn || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

/* Zeros make every identity true, and two networks that are written alike are one function whatever they are. */
void list_demands(checker *c)
{
    if (!*c->drawn) return;
    check_that(c, !c->drawn_zero, "a matrix whose numbers are drawn is 0");
    check_that(c, c->kinks != 0, "the first network is drawn and linear");
    check_that(c, !c->one_skip, "networks that are drawn have the same skip");
    if (text_equal(c->demands, "rows"))
        check_that(c, !c->drawn_zero_row, "a matrix whose numbers are drawn has a row of zeros");
    else if (text_equal(c->demands, "regular"))
        check_that(c, c->kinks == c->neurons, "the first network is drawn and violates the conditions of E.1");
    else if (text_equal(c->demands, "half"))
        check_that(c, 2 * c->kinks >= c->neurons, "the first network is drawn and has too few kinks");
    else check_that(c, !*c->demands, "the list demands something unknown of drawn numbers");
}
