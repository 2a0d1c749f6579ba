/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal_text.c - see formal_text.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/claim/certificate/formal_text.h"

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

/* Where the line `Theorem NAME` begins; NULL: nowhere. */
static const char *theorem_at(const char *text, const char *theorem)
{
    static const char *const words[] = { "Theorem", "Corollary", "Lemma", "Proposition" };
    for (size_t k = 0; k < COUNT(words); k++) {
        char *begin = must_format("\n%s %s", words[k], theorem);
        const size_t length = strlen(begin);
        const char *at = strstr(text, begin);
        while (at && in_name(at[length])) at = strstr(at + 1, begin);
        free(begin);
        if (at) return at + 1;
    }
    return NULL;
}

char *formal_statement(const char *text, const char *theorem)
{
    const char *at = theorem_at(text, theorem), *end = at ? strstr(at, "\nProof") : NULL;
    return end ? must_format("%.*s", (int)(end - at), at) : NULL;
}

bool formal_has_line(const char *text, const char *line)
{
    const size_t n = strlen(line);
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        if ((at == text || at[-1] == '\n') && (at[n] == '\n' || at[n] == '\0')) return true;
    return false;
}

/* ---- the setting ------------------------------------------------------------------------------------------- */

static bool begins(const char *line, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && !in_name(line[n]);
}

static bool has_name(const char *text, const char *name, size_t n)
{
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
        if ((at == text || !in_name(at[-1])) && !in_name(at[n])) return true;
    return false;
}

/* Does the line begin the definition of a name that the text has? */
static bool defines(const char *line, const char *text)
{
    if (!begins(line, "Definition")) return false;
    const char *from = line + strlen("Definition ");
    size_t n = 0;
    while (in_name(from[n])) n++;
    char *name = must_format("%.*s", (int)n, from);
    const bool is = n > 0 && has_name(text, name, n);
    free(name);
    return is;
}

/* Does the sentence fix a symbol of all that follows in its section, or one that the statement has? */
static bool is_setting(const char *line, const char *statement)
{
    static const char *const always[] = { "Variable", "Variables", "Hypothesis", "Hypotheses", "Context", "Notation",
                                          "Implicit" };
    for (size_t k = 0; k < COUNT(always); k++) if (begins(line, always[k])) return true;
    return defines(line, statement);
}

/* The end of the sentence that begins here: behind the first dot at the end of a line. */
static const char *sentence_end(const char *line)
{
    const char *end = strstr(line, ".\n");
    return end ? end + 1 : line + strlen(line);
}

static void cut(text_buffer *t, size_t length)
{
    if (t->length == length) return;
    t->length = length;
    t->at[length] = '\0';
}

char *formal_setting(const char *text, const char *theorem)
{
    enum { DEEP = 16 };
    size_t length[DEEP] = { 0 };
    int open = 0;
    text_buffer found = { 0 };
    char *statement = formal_statement(text, theorem);
    const char *to = statement ? theorem_at(text, theorem) : text;
    for (const char *line = text, *next; line < to; line = next) {
        next = strchr(line, '\n') + 1;                         /* the theorem begins a line behind this one */
        if (begins(line, "Section") && open < DEEP) length[open++] = found.length;
        else if (begins(line, "End") && open) cut(&found, length[--open]);
        else if (is_setting(line, statement)) {
            next = sentence_end(line);
            text_add(&found, "%s%.*s", found.length ? "\n" : "", (int)(next - line), line);
            next += *next == '\n';
        }
    }
    free(statement);
    return text_take(&found);
}

char *formal_definitions(const char *text, const char *named)
{
    text_buffer found = { 0 };
    for (const char *line = text; *line; line += *line == '\n') {
        const char *end = defines(line, named) ? sentence_end(line) : NULL;
        if (end) text_add(&found, "%s%.*s", found.length ? "\n" : "", (int)(end - line), line);
        line = end ? end : line + strcspn(line, "\n");
    }
    return text_take(&found);
}

/* ---- what a reader has read -------------------------------------------------------------------------------- */

static bool ends_proof(const char *line, size_t n)
{
    static const char *const ends[] = { "Qed.", "Defined." };
    for (size_t k = 0; k < COUNT(ends); k++) {
        const size_t m = strlen(ends[k]);
        if (n >= m && strncmp(line + n - m, ends[k], m) == 0) return true;
    }
    return false;
}

void formal_reading(const char *text, char hex[SHA256_HEX])
{
    text_buffer kept = { 0 };
    bool proof = false;
    for (const char *line = text; *line; ) {
        const size_t n = strcspn(line, "\n");
        proof |= begins(line, "Proof");
        if (!proof) text_add(&kept, "%.*s\n", (int)n, line);
        if (ends_proof(line, n)) proof = false;
        line += n + (line[n] == '\n');
    }
    char *all = text_take(&kept);
    checksum_sha256_bytes(all, strlen(all), hex);
    free(all);
}
