/* SPDX-License-Identifier: GPL-3.0-or-later
 * json_form.h - has JSON the form that a JSON Schema in the tree says?  The part of JSON Schema that these use: type, enum,
 * required, properties, additionalProperties, items, $ref. */
#ifndef JSON_FORM_H
#define JSON_FORM_H
#include <jansson.h>

json_t     *json_form(const char *path);                 /* the schema, to be freed; fails the test where it is none */
/* NULL, or what is wrong where: "$.answer: none of the choices". */
const char *json_form_wrong(const json_t *x, const json_t *schema);
#endif
