/* SPDX-License-Identifier: GPL-3.0-or-later
 * json.c - see json.h. */
#include <math.h>
#include <stdlib.h>
#include "src/base/shown.h"
#include "src/cli/json.h"

void json_put(json_t *o, const char *name, json_t *value)
{
    if (!value) die("a text of the file is not UTF-8, which JSON must be");
    if (json_object_set_new(o, name, value) != 0) die("out of memory");
}

json_t *json_of_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

json_t *json_of_longs(const long *x, long n)
{
    json_t *list = json_array();
    for (long k = 0; k < n; k++) json_array_append_new(list, json_integer(x[k]));
    return list;
}

void json_print(FILE *f, const json_t *o, int digits)
{
    char *text = json_dumps(o, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION((unsigned)digits));
    if (!text) die("the result cannot be written as JSON");
    shown_json(f, text);
    fputc('\n', f);
    free(text);
}
