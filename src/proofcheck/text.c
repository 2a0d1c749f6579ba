/* SPDX-License-Identifier: GPL-3.0-or-later
 * text.c - a certificate's lines and words: printable ASCII, one space between words, newlines at the end. */
#include "src/proofcheck/proofcheck.h"
#include <stdlib.h>
#include <string.h>

bool text_equal(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- lines ---- */

static char *whole_line(checker *c)
{
    char *line = c->at, *stop = line < c->end ? memchr(line, '\n', (size_t)(c->end - line)) : NULL;
    c->line++;
    c->words = 0;
    if (!stop) check_reject(c, "the file ends before `end`", "");
    for (char *p = line; p < stop; p++) check_that(c, *p >= 32 && *p <= 126, "a byte that is not printable ASCII");
    *stop = '\0';
    c->at = stop + 1;
    return line;
}

static void split(checker *c, char *line)
{
    for (char *p = line; p; ) {
        char *space = strchr(p, ' ');
        if (space) *space++ = '\0';
        check_that(c, *p, "an empty line or word");
        check_that(c, c->words < WORDS, "too many words");
        c->word[c->words++] = p;
        p = space;
    }
}

static void add_line(checker *c, const char *line)
{
    sha256_add(&c->statement, line, strlen(line));
    sha256_add(&c->statement, "\n", 1);
}

void text_next_line(checker *c)
{
    char *line = whole_line(c);
    add_line(c, line);
    split(c, line);
}

void text_next_row(checker *c, bool fixed)
{
    char *line = whole_line(c);
    if (fixed) add_line(c, line);
    split(c, line);
}

bool text_line_is(const checker *c, const char *word, int words)
{
    return text_equal(c->word[0], word) && c->words == words;
}

void text_next_line_is(checker *c, const char *word, int words)
{
    text_next_line(c);
    if (!text_equal(c->word[0], word)) check_reject(c, "expected a line", word);
    if (c->words != words) check_reject(c, "wrong number of words in the line", word);
}

/* ---- words ---- */

char *text_line_word(checker *c, int k)
{
    check_that(c, k < c->words, "too few words");
    return c->word[k];
}

char *text_line_name(checker *c, int k)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *p = text_line_word(c, k);
    const size_t n = strspn(p, letters);
    if (strlen(p) > 40 || n == 0) check_reject(c, "not a name", p);
    for (const char *q = p + n; *q; q++)
        if (!strchr(letters, *q) && !strchr("0123456789_.:", *q)) check_reject(c, "not a name", p);
    return p;
}

static size_t digits(checker *c, const char *text)   /* how many there are */
{
    const size_t n = strspn(text, "0123456789");
    if (n == 0 || n > DIGITS || (n > 1 && *text == '0')) check_reject(c, "not a number in shortest form", text);
    return n;
}

long text_read_whole(checker *c, const char *text, long most)
{
    const size_t n = digits(c, text);
    if (n > 9 || text[n] || atol(text) > most) check_reject(c, "not a whole number, or too large", text);
    return atol(text);
}

void text_read_rational(checker *c, mpq_t q, const char *text)
{
    const char *p = text + (*text == '-');
    p += digits(c, p);
    if (*p == '/') p += 1 + digits(c, p + 1);
    if (*p || mpq_set_str(q, text, 10) != 0 || mpz_sgn(mpq_denref(q)) == 0) check_reject(c, "not a number", text);
    mpq_canonicalize(q);
}
