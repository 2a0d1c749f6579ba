/* SPDX-License-Identifier: GPL-3.0-or-later
 * surroundings.c - see surroundings.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/shown.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/surroundings.h"

enum { MOST_FILE = 1 << 28 };

/* vocabulary: without any of these a folder has no tokenizer. */
static const struct { const char *name; bool vocabulary, json; } beside[] = {
    { "tokenizer.json", true, true }, { "tokenizer.model", true, false }, { "spiece.model", true, false },
    { "vocab.json", true, true }, { "vocab.txt", true, false }, { "merges.txt", true, false },
    { "added_tokens.json", true, true }, { "tokenizer_config.json", false, true },
    { "special_tokens_map.json", false, true }, { "chat_template.jinja", false, false },
    { "chat_template.json", false, true }, { "generation_config.json", false, true } };
static const char *const special[] = { "bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id" };
/* What programs write into such files about themselves. */
static const char *const ignored[] = { "transformers_version", "name_or_path", "_from_model_config", "_commit_hash" };

typedef struct { char **line; long n; } lines;

static void add(lines *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(lines *l, const char *fmt, ...)
{
    char text[640];
    va_list ap;
    va_start(ap, fmt);
    shown_format(text, sizeof text, fmt, ap);
    va_end(ap);
    l->line = must_realloc(l->line, (size_t)l->n + 1, sizeof *l->line);
    l->line[l->n++] = must_strdup(text);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* At most 80 characters, to be freed. */
static char *shown(const json_t *x)
{
    char *text = x ? json_dumps(x, JSON_ENCODE_ANY | JSON_COMPACT) : must_strdup("nothing");
    if (!text) text = must_strdup("?");
    char *shown = shown_short(text, 80);
    free(text);
    return shown;
}

static bool is_ignored(const char *key)
{
    for (size_t k = 0; k < COUNT(ignored); k++) if (strcmp(ignored[k], key) == 0) return true;
    return false;
}

/* The first place where two values differ is appended to `path`; *a, *b: what is there, NULL: nothing. */
static bool differ(const json_t **a, const json_t **b, text_buffer *path)
{
    const json_t *x = *a, *y = *b;
    if (json_is_object(x) && json_is_object(y)) {
        const char *key;
        json_t *value;
        for (int of = 0; of < 2; of++)
            json_object_foreach((json_t *)(uintptr_t)(of ? y : x), key, value) {
                if (is_ignored(key) || (of && json_object_get(x, key))) continue;
                *a = json_object_get(x, key), *b = json_object_get(y, key);
                const size_t length = path->length;
                text_add(path, "%s%.80s", length ? "." : "", key);
                if (!*a || !*b || differ(a, b, path)) return true;
                path->at[path->length = length] = '\0';
            }
        return false;
    }
    if (json_is_array(x) && json_is_array(y)) {
        const size_t n = json_array_size(x), m = json_array_size(y);
        for (size_t k = 0; k < n || k < m; k++) {
            *a = json_array_get(x, k), *b = json_array_get(y, k);
            const size_t length = path->length;
            text_add(path, "[%zu]", k);
            if (!*a || !*b || differ(a, b, path)) return true;
            path->at[path->length = length] = '\0';
        }
        return false;
    }
    return !json_equal(x, y);
}

static void compare_values(lines *l, const char *where, const json_t *a, const json_t *b)
{
    text_buffer path = { 0 };
    if ((a || b) && differ(&a, &b, &path)) {
        char *x = shown(a), *y = shown(b);
        add(l, "%s%s%.200s is %s in A and %s in B", where, path.length ? ": " : "", path.length ? path.at : "", x, y);
        free(x);
        free(y);
    }
    text_clear(&path);
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

static bool is_gguf(const weights *w) { return strcmp(w->format, "GGUF") == 0; }

/* The folder of a safetensors model, to be freed; NULL: it is none, or its files are its own. */
static char *folder_of(const weights *w)
{
    if (!weights_of_class(w)) return NULL;
    const char *path = w->file[0].path, *slash = strrchr(path, '/');
    return slash ? must_format("%.*s", (int)(slash - path), path) : must_strdup(".");
}

/* The bytes of FOLDER/NAME; NULL: it is not there. */
static char *bytes_of(const char *folder, const char *name, size_t *n)
{
    char *path = must_format("%s/%s", folder, name), *bytes = NULL;
    if (file_is_regular(path)) bytes = file_read(path, MOST_FILE, n);
    free(path);
    return bytes;
}

static json_t *json_of(const char *bytes, size_t n)      /* NULL: it is no JSON                         */
{
    json_error_t wrong;
    json_t *twice, *x = python_json_loads(bytes, n, &twice, &wrong);
    json_decref(twice);
    return x;
}

static bool has_vocabulary(const char *folder)
{
    for (size_t k = 0; k < COUNT(beside); k++) {
        size_t n;
        char *bytes = beside[k].vocabulary ? bytes_of(folder, beside[k].name, &n) : NULL;
        free(bytes);
        if (bytes) return true;
    }
    return false;
}

static void compare_file(lines *l, const char *a, const char *b, size_t k)
{
    const char *name = beside[k].name;
    size_t n = 0, m = 0;
    char *x = bytes_of(a, name, &n), *y = bytes_of(b, name, &m);
    if (!x != !y) add(l, "%s is beside %s only", name, x ? "A" : "B");
    if (x && y && (n != m || memcmp(x, y, n) != 0)) {
        json_t *p = beside[k].json ? json_of(x, n) : NULL, *q = beside[k].json ? json_of(y, m) : NULL;
        if (p && q) compare_values(l, name, p, q);
        else add(l, "%s differs: %zu bytes in A, %zu in B", name, n, m);
        json_decref(p);
        json_decref(q);
    }
    free(x);
    free(y);
}

static void compare_folders(lines *l, const weights *A, const weights *B, const char *a, const char *b)
{
    const bool in_a = has_vocabulary(a), in_b = has_vocabulary(b);
    if (in_a != in_b) add(l, "%s has a vocabulary beside it, %s has none", in_a ? "A" : "B", in_a ? "B" : "A");
    for (size_t k = 0; k < COUNT(beside); k++)
        if (in_a == in_b || !(beside[k].vocabulary || strstr(beside[k].name, "token"))) compare_file(l, a, b, k);
    for (size_t k = 0; k < COUNT(special); k++) {
        const json_t *x = json_object_get(A->config, special[k]), *y = json_object_get(B->config, special[k]);
        char *where = must_format("config.json: %s", special[k]);
        compare_values(l, where, json_is_null(x) ? NULL : x, json_is_null(y) ? NULL : y);
        free(where);
    }
}

/* ---- GGUF -------------------------------------------------------------------------------------------------------- */

/* The values of an array, as gguf.c notes where they are. */
static const unsigned char *array_bytes(const weights *w, const json_t *array, size_t *bytes)
{
    *bytes = (size_t)json_integer_value(json_object_get(array, "bytes"));
    return w->file[0].at + (size_t)json_integer_value(json_object_get(array, "from"));
}

typedef struct { const char *at; size_t n; } piece;

/* The texts of an array of texts, whose lengths gguf.c has checked.  To be freed; *n: how many. */
static piece *texts_of(const weights *w, const json_t *array, size_t *n)
{
    size_t bytes;
    const unsigned char *at = array_bytes(w, array, &bytes);
    const bool texts = json_is_true(json_object_get(array, "texts"));
    *n = texts ? (size_t)json_integer_value(json_object_get(array, "length")) : 0;
    piece *p = must_calloc(*n, sizeof *p);
    for (size_t k = 0; k < *n; k++) {
        uint64_t length;
        memcpy(&length, at, 8);
        p[k] = (piece){ (const char *)at + 8, (size_t)length };
        at += 8 + length;
    }
    return p;
}

static long long length_of(const json_t *array) { return json_integer_value(json_object_get(array, "length")); }

static void compare_arrays(lines *l, const char *key, const weights *A, const weights *B, const json_t *a,
                           const json_t *b)
{
    size_t n, m;
    const unsigned char *x = array_bytes(A, a, &n), *y = array_bytes(B, b, &m);
    if (n == m && memcmp(x, y, n) == 0) return;
    piece *p = texts_of(A, a, &n), *q = texts_of(B, b, &m);
    size_t k = 0;
    while (k < n && k < m && p[k].n == q[k].n && memcmp(p[k].at, q[k].at, p[k].n) == 0) k++;
    if (k < n && k < m)
        add(l, "%s: entry %zu is `%.*s` in A and `%.*s` in B", key, k, (int)(p[k].n < 60 ? p[k].n : 60), p[k].at,
            (int)(q[k].n < 60 ? q[k].n : 60), q[k].at);
    else
        add(l, "%s differs: %lld entries in A, %lld in B", key, length_of(a), length_of(b));
    free(p);
    free(q);
}

static void compare_gguf(lines *l, const weights *A, const weights *B)
{
    static const char room[] = "tokenizer.";
    const weights *const of[2] = { A, B };
    for (int side = 0; side < 2; side++) {
        const char *key;
        json_t *x;
        json_object_foreach(of[side]->config, key, x) {
            const json_t *y = json_object_get(of[1 - side]->config, key);
            if (strncmp(key, room, strlen(room)) != 0 || (side && y)) continue;
            if (!y) add(l, "%s is in %s only", key, side ? "B" : "A");
            else if (json_object_get(x, "from") && json_object_get(y, "from")) compare_arrays(l, key, A, B, x, y);
            else compare_values(l, key, x, y);
        }
    }
}

/* ---- GGUF and a folder ------------------------------------------------------------------------------------------- */

/* {"token": id} of a tokenizer.json, with the added ones; a list of [token, score] counts from 0.  NULL: there is
 * none. */
static json_t *vocabulary_of(const json_t *tokenizer)
{
    const json_t *vocabulary = json_object_get(json_object_get(tokenizer, "model"), "vocab");
    json_t *all = json_object(), *x;
    const char *token;
    size_t k;
    json_object_foreach((json_t *)(uintptr_t)vocabulary, token, x) json_object_set(all, token, x);
    if (json_is_array(vocabulary))
        json_array_foreach(vocabulary, k, x)
            if (json_is_string(json_array_get(x, 0)))
                json_object_set_new(all, json_string_value(json_array_get(x, 0)), json_integer((json_int_t)k));
    json_array_foreach(json_object_get(tokenizer, "added_tokens"), k, x)
        if (json_is_string(json_object_get(x, "content")))
            json_object_set(all, json_string_value(json_object_get(x, "content")), json_object_get(x, "id"));
    if (json_object_size(all)) return all;
    json_decref(all);
    return NULL;
}

static void compare_tokens(lines *l, const json_t *vocabulary, const piece *token, size_t n, bool folder_is_a)
{
    const char *text, *first = NULL;
    json_t *id;
    size_t wrong = 0, at = 0;
    json_object_foreach((json_t *)(uintptr_t)vocabulary, text, id) {
        const json_int_t i = json_is_integer(id) ? json_integer_value(id) : -1;
        const bool same = i >= 0 && (size_t)i < n && text_is(token[i].at, token[i].n, text);
        if (!same && !wrong++) first = text, at = (size_t)i;
    }
    if (!wrong) return;
    const piece other = at < n ? token[at] : (piece){ "nothing", 7 };
    const char *const of[2] = { folder_is_a ? "A" : "B", folder_is_a ? "B" : "A" };
    add(l, "%zu of the %zu tokens of tokenizer.json beside %s are others in tokenizer.ggml.tokens of %s: token %zu is "
        "`%.60s`, and `%.*s`", wrong, json_object_size(vocabulary), of[0], of[1], at, first,
        (int)(other.n < 60 ? other.n : 60), other.at);
}

static void compare_with_gguf(lines *l, const weights *hub, const weights *gguf, const char *folder, bool folder_is_a)
{
    size_t bytes, n;
    char *text = bytes_of(folder, "tokenizer.json", &bytes);
    const json_t *array = json_object_get(gguf->config, "tokenizer.ggml.tokens");
    if (!json_is_true(json_object_get(array, "texts"))) array = NULL;
    if (!text != !array)
        add(l, "%s has a vocabulary, %s has none", !text == folder_is_a ? "B" : "A", !text == folder_is_a ? "A" : "B");
    json_t *tokenizer = text && array ? json_of(text, bytes) : NULL, *vocabulary = vocabulary_of(tokenizer);
    piece *token = array ? texts_of(gguf, array, &n) : NULL;
    if (vocabulary && token) compare_tokens(l, vocabulary, token, n, folder_is_a);
    static const char *const ids[][2] = { { "bos_token_id", "tokenizer.ggml.bos_token_id" },
                                          { "eos_token_id", "tokenizer.ggml.eos_token_id" } };
    for (size_t k = 0; k < COUNT(ids); k++) {
        const json_t *x = json_object_get(hub->config, ids[k][0]), *y = json_object_get(gguf->config, ids[k][1]);
        if (json_is_integer(x) && json_is_integer(y))
            compare_values(l, ids[k][0], folder_is_a ? x : y, folder_is_a ? y : x);
    }
    json_decref(tokenizer);
    json_decref(vocabulary);
    free(token);
    free(text);
}

char **surroundings_differ(const weights *A, const weights *B, long *n)
{
    lines l = { .n = 0 };
    char *a = folder_of(A), *b = folder_of(B);
    if (a && b) compare_folders(&l, A, B, a, b);
    else if (is_gguf(A) && is_gguf(B)) compare_gguf(&l, A, B);
    else if (a && is_gguf(B)) compare_with_gguf(&l, A, B, a, true);
    else if (b && is_gguf(A)) compare_with_gguf(&l, B, A, b, false);
    free(a);
    free(b);
    *n = l.n;
    return l.line;
}
