/* SPDX-License-Identifier: GPL-3.0-or-later
 * python_json.c - see python_json.h. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/python_json.h"

static const char mark[] = "provably.unreadable";

json_t *json_unreadable(const char *what) { return json_pack("{s:s}", mark, what); }

const char *json_unreadable_text(const json_t *x)
{
    return json_object_size(x) == 1 ? json_string_value(json_object_get(x, mark)) : NULL;
}

/* The length of a number, NaN or Infinity that Python reads and Jansson does not; 0: there is none. */
static size_t python_number(const char *at, const char *end)
{
    static const char *const word[] = { "NaN", "Infinity", "-Infinity" };
    for (size_t k = 0; k < COUNT(word); k++) {
        const size_t n = strlen(word[k]);
        if ((size_t)(end - at) >= n && memcmp(at, word[k], n) == 0) return n;
    }
    if (*at != '-' && !isdigit((unsigned char)*at)) return 0;
    size_t n = 1;
    bool whole = true;
    for (; at + n < end && (isdigit((unsigned char)at[n]) || (at[n] && strchr("+-.eE", at[n]))); n++)
        whole = whole && isdigit((unsigned char)at[n]);
    char *text = must_format("%.*s", (int)n, at), *stop;
    errno = 0;
    const double x = strtod(text, &stop);
    bool beyond = !*stop && isinf(x);
    if (whole && !*stop) {
        errno = 0;
        const long long i = strtoll(text, &stop, 10);
        (void)i;
        beyond = errno == ERANGE;
    }
    free(text);
    return beyond ? n : 0;
}

/* The length of the number or word at `at`, so that no part of it is looked at again. */
static size_t token(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && (isalnum((unsigned char)at[n]) || (at[n] && strchr("+-.", at[n])))) n++;
    return n ? n : 1;
}

/* ---- keys that are there twice ----------------------------------------------------------------------------------- */

static const char *behind_string(const char *at)         /* at: its first quote                           */
{
    for (at++; *at != '"'; at++) if (*at == '\\') at++;
    return at + 1;
}

static const char *behind_space(const char *at) { return at + strspn(at, " \t\r\n,:"); }

/* Behind the value at `at`, which Jansson has read; its keys that are there twice go into `twice`. */
static const char *note_twice(const char *at, json_t *twice)
{
    if (*at == '"') return behind_string(at);
    if (*at != '{' && *at != '[') return at + strcspn(at, ",]} \t\r\n");
    const bool object = *at == '{';
    json_t *seen = json_object();
    for (at = behind_space(at + 1); *at != '}' && *at != ']'; at = behind_space(at)) {
        const char *key = at;
        size_t length = 0;
        if (object) {
            at = behind_string(at);
            length = (size_t)(at - key);
            at = behind_space(at);
        }
        const char *value = at;
        at = note_twice(at, twice);
        if (!object) continue;
        json_t *name = json_loadb(key, length, JSON_DECODE_ANY, NULL);
        json_t *text = json_stringn_nocheck(value, (size_t)(at - value)), *before;
        before = json_object_get(seen, json_string_value(name));
        if (before && !json_equal(before, text)) json_object_set_new(twice, json_string_value(name), json_true());
        json_object_set_new(seen, json_string_value(name), text);
        json_decref(name);
    }
    json_decref(seen);
    return at + 1;
}

/* NULL: there is none. */
static json_t *keys_twice(const char *text, size_t n)
{
    json_error_t wrong;
    json_t *x = json_loadb(text, n, JSON_REJECT_DUPLICATES, &wrong);
    json_decref(x);
    if (x || json_error_code(&wrong) != json_error_duplicate_key) return NULL;
    json_t *twice = json_object();
    note_twice(behind_space(text), twice);
    if (json_object_size(twice)) return twice;
    json_decref(twice);
    return NULL;
}

json_t *python_json_loads(const char *text, size_t n, json_t **twice, json_error_t *wrong)
{
    text_buffer t = { 0 };
    const char *end = text + n;
    bool quoted = false;
    for (const char *at = text; at < end;) {
        size_t step = quoted ? 1 : token(at, end);
        const size_t own = quoted ? 0 : python_number(at, end);
        if (own && own == step) text_add(&t, "{\"%s\": \"%.*s\"}", mark, (int)own, at);
        else {
            if (quoted && *at == '\\' && at + 1 < end) step = 2;
            else if (*at == '"') quoted = !quoted;
            text_bytes(&t, at, step);
        }
        at += step;
    }
    json_t *x = json_loadb(t.length ? t.at : "", t.length, 0, wrong);
    *twice = x ? keys_twice(t.at, t.length) : NULL;
    text_clear(&t);
    return x;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Whether the object that begins at `at` is one of json_unreadable that holds a number: where its text begins, and what
 * is behind the object. */
static bool is_unreadable(const char *at, const char **text, int *length, const char **behind)
{
    at += 1 + strspn(at + 1, " \n");
    if (*at != '"' || strncmp(at + 1, mark, strlen(mark)) != 0) return false;
    at += 1 + strlen(mark);
    at += strncmp(at, "\":", 2) == 0 ? 2 : 0;
    at += *at == ' ';
    if (*at != '"') return false;
    *text = at + 1;
    *length = (int)strspn(*text, "+-.0123456789eEINafinty");
    at = *text + *length;
    if (*at != '"' || !*length) return false;
    at += 1 + strspn(at + 1, " \n");
    *behind = at + 1;
    return *at == '}';
}

char *python_json_dumps(const json_t *x, size_t flags)
{
    char *plain = json_dumps(x, flags);
    text_buffer t = { 0 };
    bool quoted = false;
    REQUIRE(plain, "JSON");
    for (const char *at = plain, *text, *behind; *at;) {
        int length;
        if (!quoted && *at == '{' && is_unreadable(at, &text, &length, &behind)) {
            text_bytes(&t, text, (size_t)length);
            at = behind;
            continue;
        }
        const size_t step = quoted && *at == '\\' && at[1] ? 2 : 1;
        if (step == 1 && *at == '"') quoted = !quoted;
        text_bytes(&t, at, step);
        at += step;
    }
    free(plain);
    return text_take(&t);
}
