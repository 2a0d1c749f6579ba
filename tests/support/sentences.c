/* SPDX-License-Identifier: GPL-3.0-or-later
 * sentences.c - see sentences.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "tests/support/quoted.h"
#include "tests/support/sentences.h"

enum { WORDS_OF_A_SENTENCE = 4 };

static bool letter(char c) { return isalpha((unsigned char)c); }

/* Words of two letters or more that are no name of a LaTeX command, nor its argument, nor an index. */
static long words_of(const char *at, size_t n)
{
    long words = 0;
    for (size_t i = 0, length; i < n; i += length ? length : 1) {
        for (length = 0; i + length < n && letter(at[i + length]); length++) continue;
        words += length >= 2 && (i == 0 || !strchr("\\{_^$", at[i - 1]));
    }
    return words;
}

/* The end of the sentence that begins at `at`: behind its last sign. */
static size_t sentence_end(const char *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strchr(".?!", at[i])) continue;
        if (i >= 3 && (strncmp(at + i - 3, " al", 3) == 0 || strncmp(at + i - 3, " vs", 3) == 0)) continue;
        size_t end = i + 1;
        while (end < n && at[end] != ' ' && (strchr("*_)]\"'", at[end]) || (unsigned char)at[end] > 127)) end++;
        if (end + 1 >= n) return n;
        const unsigned char next = (unsigned char)at[end + 1];
        if (at[end] == ' ' && (isupper(next) || next > 127 || strchr("*_\"$\\", next))) return end;
    }
    return n;
}

/* From the heading of the references to the appendix behind them, if there is one. */
static bool in_references(bool before, const char *line)
{
    static const char *const begins[] = { "References", "REFERENCES", "#### REFERENCES" };
    for (size_t k = 0; k < COUNT(begins); k++) if (strcmp(line, begins[k]) == 0) return true;
    return before && strcmp(line, "A BLOCK-NOTATION FOR MULTI-HEAD ATTENTION") != 0;
}

static void add_line(sentences *s, const char *line, long number, size_t at)
{
    const size_t n = strlen(line);
    for (size_t from = 0, length; from < n; from += length + (line[from + length] == ' ')) {
        length = sentence_end(line + from, n - from);
        if (words_of(line + from, length) < WORDS_OF_A_SENTENCE) continue;
        s->all = must_realloc(s->all, (size_t)s->n + 1, sizeof *s->all);
        sentence *one = &s->all[s->n++];
        *one = (sentence){ .line = number, .at = at + from, .length = length };
        checksum_sha256_bytes(line + from, length, one->sha256);
    }
}

sentences sentences_of(const char *raw)
{
    sentences s = { .text = must_calloc(strlen(raw) + 2, 1) };
    char *copy = must_strdup(raw), *rest = copy, *line;
    bool references = false;
    for (long number = 1; (line = strsep(&rest, "\n")); number++) {
        text_collapse(line);
        if (!*line) continue;
        const size_t at = strlen(s.text) + (*s.text != '\0');
        if (*s.text) strcat(s.text + at - 1, " ");
        strcpy(s.text + at, line);
        references = in_references(references, line);
        if (!references) add_line(&s, line, number, at);
    }
    free(copy);
    s.quoted = must_calloc(strlen(s.text) + 1, sizeof *s.quoted);
    return s;
}

void sentences_free(sentences *s)
{
    free(s->text);
    free(s->all);
    free(s->quoted);
    *s = (sentences){ 0 };
}

void sentences_mark(sentences *s, const char *says)
{
    const size_t n = strlen(says);
    for (const char *at = s->text; (at = quoted_at(at, says)); at++)
        for (size_t i = 0; i < n; i++) s->quoted[(size_t)(at - s->text) + i] = true;
}

long sentence_quoted(const sentences *s, const sentence *one, long *of)
{
    long quoted = 0;
    *of = 0;
    for (size_t i = one->at; i < one->at + one->length; i++) {
        if (!isalnum((unsigned char)s->text[i])) continue;
        ++*of;
        quoted += s->quoted[i];
    }
    return quoted;
}
