/* SPDX-License-Identifier: GPL-3.0-or-later
 * settings_apart.c - see settings_apart.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/settings_apart.h"
#include "src/checkpoint/settings_form.h"

static bool same_value(const json_t *a, const json_t *b, bool configuration);

static bool same_number(const json_t *a, const json_t *b)
{
    if (json_is_integer(a) == json_is_integer(b)) return json_equal(a, b);
    const json_int_t whole = json_integer_value(json_is_integer(a) ? a : b);
    const double x = json_real_value(json_is_integer(a) ? b : a);
    return fabs(x) < 0x1p62 && x == rint(x) && (json_int_t)x == whole;      /* exactly, also beyond 2^53         */
}

/* The configuration of a part of the model, as of its text or its images. */
static bool is_configuration(const char *key)
{
    static const char end[] = "_config";
    const size_t n = strlen(key);
    return n > strlen(end) && strcmp(key + n - strlen(end), end) == 0 && strcmp(key, "quantization_config") != 0;
}

/* a or b is NULL where the key is not there. */
static bool same_setting(const char *key, const json_t *a, const json_t *b, bool configuration)
{
    if (configuration && settings_harmless_anywhere(key)) return true;
    if (configuration && (!a || settings_means_absent(key, a)) && (!b || settings_means_absent(key, b))) return true;
    return a && b && same_value(a, b, is_configuration(key));
}

/* An array of a GGUF file, as gguf.c notes it: equal wherever it stands in the file. */
static bool is_noted_array(const json_t *x)
{
    return json_is_string(json_object_get(x, "sha256")) && json_is_boolean(json_object_get(x, "texts"))
        && json_is_integer(json_object_get(x, "from"));
}

static bool same_value(const json_t *a, const json_t *b, bool configuration)
{
    const char *key;
    json_t *value;
    bool same = true;
    if (json_is_number(a) && json_is_number(b)) return same_number(a, b);
    if (json_is_array(a) && json_is_array(b)) {
        same = json_array_size(a) == json_array_size(b);
        for (size_t k = 0; k < json_array_size(a) && same; k++)
            same = same_value(json_array_get(a, k), json_array_get(b, k), false);
        return same;
    }
    if (!json_is_object(a) || !json_is_object(b)) return json_equal(a, b);
    const bool arrays = is_noted_array(a) && is_noted_array(b);
    json_object_foreach((json_t *)(uintptr_t)a, key, value)
        same = same && ((arrays && strcmp(key, "from") == 0)
                        || same_setting(key, value, json_object_get(b, key), configuration));
    json_object_foreach((json_t *)(uintptr_t)b, key, value)
        same = same && (json_object_get(a, key) || same_setting(key, NULL, value, configuration));
    return same;
}

bool settings_same_value(const json_t *a, const json_t *b) { return same_value(a, b, false); }

static char *text_of(const json_t *x, int digits)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_REAL_PRECISION(digits);
    return x ? python_json_dumps(x, flags) : must_strdup("not there");
}

static void add(char ***list, long *n, const char *key, const json_t *a, const json_t *b)
{
    if (same_setting(key, a, b, true)) return;
    char *x = text_of(a, 12), *y = text_of(b, 12);
    if (strcmp(x, y) == 0) {
        free(x);
        free(y);
        x = text_of(a, 17), y = text_of(b, 17);
    }
    *list = must_realloc(*list, (size_t)*n + 1, sizeof **list);
    (*list)[(*n)++] = must_format("%s is %.100s in A and %.100s in B", key, x, y);
    free(x);
    free(y);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

char **settings_apart(const json_t *of_a, const json_t *of_b, long *n)
{
    char **list = NULL;
    const char *key;
    json_t *value;
    json_t *a = settings_form(of_a), *b = settings_form(of_b);
    *n = 0;
    json_object_foreach(a, key, value) add(&list, n, key, value, json_object_get(b, key));
    json_object_foreach(b, key, value) if (!json_object_get(a, key)) add(&list, n, key, NULL, value);
    json_decref(a);
    json_decref(b);
    return list;
}
