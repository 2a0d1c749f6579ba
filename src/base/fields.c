/* SPDX-License-Identifier: GPL-3.0-or-later
 * fields.c - see fields.h. */
#include "src/base/fields.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the member ------------------------------------------------------------------------ */

long field_get(const field *f, const void *record)
{
    const char *at = (const char *)record + f->at;
    long value;
    unsigned word;
    bool flag;
    REQUIRE(f->type != FIELD_IS_REAL, "a real number is not read as an integer");
    if (f->size == sizeof value) return memcpy(&value, at, sizeof value), value;
    if (f->size == sizeof word)  return memcpy(&word, at, sizeof word), (long)word;
    return memcpy(&flag, at, sizeof flag), flag;
}

void field_set(const field *f, void *record, long value)
{
    char *at = (char *)record + f->at;
    const unsigned word = (unsigned)value;
    const bool flag = value != 0;
    REQUIRE(f->type != FIELD_IS_REAL, "a real number is not set from an integer");
    if (f->size == sizeof value) memcpy(at, &value, sizeof value);
    else if (f->size == sizeof word) memcpy(at, &word, sizeof word);
    else memcpy(at, &flag, sizeof flag);
}

static double real_get(const field *f, const void *record)
{
    double x;
    return memcpy(&x, (const char *)record + f->at, sizeof x), x;
}

/* ---- the value ------------------------------------------------------------------------- */

/* The word with this number; *length: of it. */
static const char *word_at(const char *words, long number, size_t *length)
{
    for (; number > 0; number--) words += strcspn(words, " ") + 1;
    *length = strcspn(words, " ");
    return words;
}

/* The number of the word that these n bytes are; -1: it is none of them. */
static long word_number(const char *words, const char *text, size_t n)
{
    long k = 0;
    for (const char *p = words; *p; k++) {
        const size_t length = strcspn(p, " ");
        if (length == n && memcmp(p, text, n) == 0) return k;
        p += length + (p[length] == ' ');
    }
    return -1;
}

/* Reads the value that `text` begins with; the end of it, or NULL: there is none. */
static const char *read_value(const field *f, void *record, const char *text)
{
    char *end;
    long value;
    errno = 0;
    if (f->type == FIELD_IS_WORD) {
        const size_t n = strcspn(text, " ");
        value = word_number(f->words, text, n);
        if (value < 0) return NULL;
        end = (char *)(uintptr_t)text + n;
    } else if (f->type == FIELD_IS_SWITCH) {
        if (*text != '0' && *text != '1') return NULL;
        value = *text - '0';
        end = (char *)(uintptr_t)text + 1;
    } else if (!isdigit((unsigned char)*text) && *text != '-') {
        return NULL;
    } else if (f->type == FIELD_IS_REAL) {
        const double x = strtod(text, &end);
        if (end == text || errno) return NULL;
        memcpy((char *)record + f->at, &x, sizeof x);
        return end;
    } else {
        value = strtol(text, &end, 10);
        if (end == text || errno || value < f->least || value > f->most) return NULL;
    }
    field_set(f, record, value);
    return end;
}

bool field_parse(const field *f, void *record, const char *text)
{
    char before[sizeof(long) > sizeof(double) ? sizeof(long) : sizeof(double)];
    REQUIRE(f->size <= sizeof before, "a member of %zu bytes", f->size);
    memcpy(before, (char *)record + f->at, f->size);
    const char *end = read_value(f, record, text);
    if (end && !*end) return true;
    memcpy((char *)record + f->at, before, f->size);
    return false;
}

void field_print(const field *f, const void *record, text_buffer *t)
{
    size_t n;
    const char *word = f->type == FIELD_IS_WORD ? word_at(f->words, field_get(f, record), &n) : NULL;
    if (word) text_bytes(t, word, n);
    else if (f->type == FIELD_IS_REAL) text_add(t, "%.17g", real_get(f, record));
    else text_add(t, "%ld", field_get(f, record));
}

char *field_expected(const field *f)
{
    switch (f->type) {
    case FIELD_IS_WORD:   return must_format("%s is one of: %s", f->name, f->words);
    case FIELD_IS_SWITCH: return must_format("%s is 0 or 1", f->name);
    case FIELD_IS_REAL:   return must_format("%s is a number", f->name);
    default:              return must_format("%s is a whole number from %ld to %ld", f->name, f->least, f->most);
    }
}

/* ---- the table ------------------------------------------------------------------------- */

const field *field_find(const field *table, size_t n, const char *name)
{
    for (const field *f = table; f < table + n; f++) if (f->name && strcmp(f->name, name) == 0) return f;
    return NULL;
}

void fields_print(const field *table, size_t n, const void *record, text_buffer *t)
{
    for (const field *f = table; f < table + n; f++) {
        if (f->optional && field_get(f, record) == f->fallback) continue;
        if (f->name) text_add(t, "%s%s=", f == table ? "" : " ", f->name);
        else text_add(t, "%s", f->join);
        field_print(f, record, t);
    }
}

/* `at` after the text `begin`; NULL: it does not begin so. */
static const char *skip_text(const char *at, const char *begin)
{
    const size_t n = strlen(begin);
    return strncmp(at, begin, n) == 0 ? at + n : NULL;
}

/* Whether the text goes on with " name=". */
static bool is_next(const char *at, const char *name)
{
    const char *rest = skip_text(at, " ");
    if (rest) rest = skip_text(rest, name);
    return rest && *rest == '=';
}

char *fields_parse(const field *table, size_t n, void *record, const char *text)
{
    const char *at = text, *name = "";
    for (const field *f = table; f < table + n; f++) {
        if (f->optional && !is_next(at, f->name)) {
            field_set(f, record, f->fallback);
            continue;
        }
        if (f->name && f > table) at = skip_text(at, " ");
        if (f->name && at) at = skip_text(at, f->name);
        if (at) at = skip_text(at, f->name ? "=" : f->join);
        if (f->name) name = f->name;
        if (!at) return must_format("expected %s=", name);
        at = read_value(f, record, at);
        if (!at) return f->name ? field_expected(f) : must_format("a part of %s is missing or wrong", name);
    }
    return *at ? must_format("more than is expected after %s", name) : NULL;
}

const field *fields_difference(const field *table, size_t n, const void *a, const void *b)
{
    for (const field *f = table; f < table + n; f++) {
        const bool equal = memcmp((const char *)a + f->at, (const char *)b + f->at, f->size) == 0;
        if (!equal) return f;
    }
    return NULL;
}
