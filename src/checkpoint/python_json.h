/* SPDX-License-Identifier: GPL-3.0-or-later
 * python_json.h - JSON as Python's json module reads and writes it: with NaN, Infinity, integers of any length, and the
 * last of several values of a key.  Jansson has no such numbers, so they are objects that hold their text. */
#ifndef CHECKPOINT_PYTHON_JSON_H
#define CHECKPOINT_PYTHON_JSON_H
#include <jansson.h>
#include "src/base/base.h"

/* A value that is there and that Jansson cannot hold; what: its text, or a description. */
json_t     *json_unreadable(const char *what);
const char *json_unreadable_text(const json_t *x);       /* NULL: x is an ordinary value, or absent     */
/* NULL: it is no JSON; *wrong then has the line and the reason.  *twice: NULL, or an object whose keys are those that
 * some object has twice with different texts as their values: the last one is what Python takes. */
json_t *python_json_loads(const char *text, size_t n, json_t **twice, json_error_t *wrong);
/* json_dumps, with numbers as they were read.  To be freed. */
char   *python_json_dumps(const json_t *x, size_t flags);
#endif
