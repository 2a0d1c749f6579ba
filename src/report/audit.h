/* SPDX-License-Identifier: GPL-3.0-or-later
 * audit.h - `provably audit`: the printed numbers recounted, and a described model counted. */
#ifndef AUDIT_H
#define AUDIT_H
#include <stdbool.h>

typedef struct {
    const char *model;                   /* a file, or the name of a built-in model; NULL: the printed numbers */
    const char *claim;                   /* only this claim's numbers; NULL: all                               */
    bool describe;                       /* with model: write its description instead of counting              */
} audit_options;
int audit_print(const audit_options *o);                    /* 0; dies (exit 2) on bad input                    */
#endif
