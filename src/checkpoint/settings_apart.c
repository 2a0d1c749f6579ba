/* settings_apart.c - see settings_apart.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/settings_apart.h"

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
    json_object_foreach((json_t *)(uintptr_t)a, key, value)
        same = same && same_setting(key, value, json_object_get(b, key), configuration);
    json_object_foreach((json_t *)(uintptr_t)b, key, value)
        same = same && (json_object_get(a, key) || same_setting(key, NULL, value, configuration));
    return same;
}

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

/* ---- rotary angles ----------------------------------------------------------------------------------------------- */

/* Models whose classes in transformers read rope_scaling, or else rope_parameters, in all the forms below. */
static bool says_rope(const json_t *config)
{
    static const char *const types[] = {
        "llama", "mistral", "mixtral", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "gpt_neox", "phi3", "olmo", "olmo2",
        "granite", "starcoder2", "cohere" };
    const char *type = json_string_value(json_object_get(config, "model_type"));
    const json_t *code = json_object_get(config, "auto_map");
    for (size_t k = 0; type && k < COUNT(types); k++)
        if (strcmp(types[k], type) == 0) return !code || settings_means_absent("auto_map", code);
    return false;
}

static bool has_objects(const json_t *rope)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)rope, key, value) if (json_is_object(value)) return true;
    return false;
}

/* A copy in one form: rope_theta is beside rope_scaling, whose kind is called rope_type; none where it changes nothing.
 * The classes take rope_scaling before rope_parameters, theta inside before theta beside, rope_type before type. */
static json_t *with_plain_rope(const json_t *config)
{
    json_t *to = json_copy((json_t *)(uintptr_t)config);
    const json_t *scaling = json_object_get(to, "rope_scaling"), *parameters = json_object_get(to, "rope_parameters");
    const json_t *said = json_object_size(scaling) > 0 ? scaling : parameters;
    const bool readable = (!scaling || json_is_null(scaling) || json_is_object(scaling))
                          && (!parameters || json_is_null(parameters) || json_is_object(parameters));
    if (!to || !says_rope(config) || !readable || has_objects(said)) return to;
    json_t *rope = json_object_size(said) > 0 ? json_copy((json_t *)(uintptr_t)said) : json_object();
    json_t *type = json_object_get(rope, "type"), *theta = json_object_get(rope, "rope_theta");
    if (theta) json_object_set(to, "rope_theta", theta);
    if (type && !json_object_get(rope, "rope_type")) json_object_set(rope, "rope_type", type);
    const json_t *kind = json_object_get(rope, "rope_type");
    if (json_equal(kind, type)) json_object_del(rope, "type");
    json_object_del(rope, "rope_theta");
    const char *name = json_string_value(kind);
    if (name && strcmp(name, "default") == 0 && json_object_size(rope) == 1) json_object_clear(rope);
    json_object_del(to, "rope_parameters");
    json_object_del(to, "rope_scaling");
    if (json_object_size(rope) > 0) json_object_set(to, "rope_scaling", rope);
    json_decref(rope);
    return to;
}

char **settings_apart(const json_t *of_a, const json_t *of_b, long *n)
{
    char **list = NULL;
    const char *key;
    json_t *value;
    json_t *a = with_plain_rope(of_a), *b = with_plain_rope(of_b);
    *n = 0;
    json_object_foreach(a, key, value) add(&list, n, key, value, json_object_get(b, key));
    json_object_foreach(b, key, value) if (!json_object_get(a, key)) add(&list, n, key, NULL, value);
    json_decref(a);
    json_decref(b);
    return list;
}
