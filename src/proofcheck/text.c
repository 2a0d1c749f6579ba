/* text.c - a certificate's lines and words: printable ASCII, one space between words, newlines at the end. */
#include "src/proofcheck/proofcheck.h"
#include <stdlib.h>
#include <string.h>

bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- lines ---- */

static char *whole_line(checker *c)
{
    char *line = c->at, *stop = line < c->end ? memchr(line, '\n', (size_t)(c->end - line)) : NULL;
    c->line++;
    c->words = 0;
    if (!stop) reject(c, "the file ends before `end`", "");
    for (char *p = line; p < stop; p++) require(c, *p >= 32 && *p <= 126, "a byte that is no printable ASCII");
    *stop = '\0';
    c->at = stop + 1;
    return line;
}

static void split(checker *c, char *line)
{
    for (char *p = line; p; ) {
        char *space = strchr(p, ' ');
        if (space) *space++ = '\0';
        require(c, *p, "an empty line or word");
        require(c, c->words < WORDS, "too many words");
        c->word[c->words++] = p;
        p = space;
    }
}

void next_line(checker *c)
{
    char *line = whole_line(c);
    if (strncmp(line, "says ", 5) != 0) {
        sha256_add(&c->statement, line, strlen(line));
        sha256_add(&c->statement, "\n", 1);
    }
    split(c, line);
}

void next_row(checker *c)
{
    split(c, whole_line(c));
}

bool is(const checker *c, const char *word, int words)
{
    return same(c->word[0], word) && c->words == words;
}

void next_is(checker *c, const char *word, int words)
{
    next_line(c);
    if (!same(c->word[0], word)) reject(c, "no such line", word);
    if (c->words != words) reject(c, "another number of words in the line", word);
}

/* ---- words ---- */

char *word_at(checker *c, int k)
{
    require(c, k < c->words, "too few words");
    return c->word[k];
}

char *name_at(checker *c, int k)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *p = word_at(c, k);
    const size_t n = strspn(p, letters);
    if (strlen(p) > 40 || n == 0) reject(c, "no name", p);
    for (const char *q = p + n; *q; q++)
        if (!strchr(letters, *q) && !strchr("0123456789_.:", *q)) reject(c, "no name", p);
    return p;
}

static size_t digits(checker *c, const char *text)   /* how many there are */
{
    const size_t n = strspn(text, "0123456789");
    if (n == 0 || n > DIGITS || (n > 1 && *text == '0')) reject(c, "no number in shortest form", text);
    return n;
}

long whole(checker *c, const char *text, long most)
{
    const size_t n = digits(c, text);
    if (n > 9 || text[n] || atol(text) > most) reject(c, "no whole number, or too large", text);
    return atol(text);
}

void number(checker *c, mpq_t q, const char *text)
{
    const char *p = text + (*text == '-');
    p += digits(c, p);
    if (*p == '/') p += 1 + digits(c, p + 1);
    if (*p || mpq_set_str(q, text, 10) != 0 || mpz_sgn(mpq_denref(q)) == 0) reject(c, "no number", text);
    mpq_canonicalize(q);
}
