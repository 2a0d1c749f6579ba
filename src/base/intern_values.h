/* SPDX-License-Identifier: GPL-3.0-or-later
 * intern_values.h - a value for each interned text, found in a number of steps that does not grow with the number of
 * texts. */
#ifndef INTERN_VALUES_H
#define INTERN_VALUES_H
#include <stddef.h>

/* All 0: no text has one.  `steps` counts the places that were looked at. */
typedef struct {
    size_t capacity, used, steps;        /* capacity: a power of two, or 0                       */
    struct intern_value { const char *text; void *value; } *at;
} intern_values;

/* Where the value of the text is, NULL at first; `text` is what intern returned.  The next call may move it. */
void **intern_value(intern_values *all, const char *text);
void intern_values_free(intern_values *all);             /* the table, not the values                */
#endif
