/* SPDX-License-Identifier: GPL-3.0-or-later
 * json.h - what the commands that print JSON have in common. */
#ifndef CLI_JSON_H
#define CLI_JSON_H
#include <jansson.h>
#include "src/base/base.h"

/* Takes value; dies where it is NULL: a text that is not UTF-8. */
void    json_put (json_t *o, const char *name, json_t *value);
json_t *json_of_real(double x);          /* infinite, not a number: null                                */
json_t *json_of_longs(const long *x, long n);
/* One object and a new line, `digits` of each real number; dies where it cannot be said in JSON. */
void    json_print(FILE *f, const json_t *o, int digits);
#endif
