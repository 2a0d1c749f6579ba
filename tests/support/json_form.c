/* SPDX-License-Identifier: GPL-3.0-or-later
 * json_form.c - see json_form.h. */
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/json_form.h"
#include "tests/support/suite.h"

static const char *not_valid(const json_t *x, const json_t *schema, const json_t *root, const char *where)
{
    static const struct { const char *name; json_type type; } types[] = { { "object", JSON_OBJECT }, { "array", JSON_ARRAY },
        { "string", JSON_STRING }, { "integer", JSON_INTEGER }, { "null", JSON_NULL }, { "boolean", JSON_TRUE } };
    static const char *const known[] = { "type", "enum", "required", "properties", "additionalProperties", "items", "$ref", "$schema",
        "title", "description", "definitions" };
    const char *key, *why;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)schema, key, value) {
        bool is = false;
        for (size_t k = 0; k < COUNT(known); k++) is = is || strcmp(key, known[k]) == 0;
        if (!is) return temp_format("%s: the schema's %s is not checked", where, key);
    }
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    if (ref) {
        const json_t *to = json_object_get(json_object_get(root, "definitions"), ref + strlen("#/definitions/"));
        return to ? not_valid(x, to, root, where) : temp_format("%s: no %s", where, ref);
    }
    const json_t *type_ = json_object_get(schema, "type"), *choices = json_object_get(schema, "enum");
    bool fits = !type_;
    for (size_t i = 0; type_ && i < (json_is_array(type_) ? json_array_size(type_) : 1); i++) {
        const char *name = json_string_value(json_is_array(type_) ? json_array_get(type_, i) : type_);
        fits = fits || (strcmp(name, "number") == 0 && json_is_number(x));
        for (size_t k = 0; k < COUNT(types); k++)
            fits = fits || (strcmp(name, types[k].name) == 0 && (json_typeof(x) == types[k].type || (json_is_false(x) && types[k].type == JSON_TRUE)));
    }
    if (!fits) return temp_format("%s: another type", where);
    fits = !choices;
    for (size_t i = 0; i < json_array_size(choices); i++) fits = fits || json_equal(x, json_array_get(choices, i));
    if (!fits) return temp_format("%s: none of the choices", where);
    const json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    for (size_t i = 0; json_is_object(x) && i < json_array_size(required); i++)
        if (!json_object_get(x, json_string_value(json_array_get(required, i))))
            return temp_format("%s: %s is missing", where, json_string_value(json_array_get(required, i)));
    json_object_foreach((json_t *)(uintptr_t)x, key, value) {
        const json_t *of_it = json_object_get(properties, key);
        if (!of_it && properties && json_is_false(json_object_get(schema, "additionalProperties"))) return temp_format("%s.%s is not in the schema", where, key);
        if (of_it && (why = not_valid(value, of_it, root, temp_format("%s.%s", where, key)))) return why;
    }
    const json_t *items = json_object_get(schema, "items");
    for (size_t i = 0; items && i < json_array_size(x); i++)
        if ((why = not_valid(json_array_get(x, i), items, root, temp_format("%s[%zu]", where, i)))) return why;
    return NULL;
}

const char *json_form_wrong(const json_t *x, const json_t *schema) { return not_valid(x, schema, schema, "$"); }

json_t *json_form(const char *path)
{
    json_error_t e;
    json_t *schema = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
    ck_assert_msg(schema, "%s:%d: %s", path, e.line, e.text);
    return schema;
}
