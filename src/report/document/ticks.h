/* SPDX-License-Identifier: GPL-3.0-or-later
 * ticks.h - marks in a text: between a pair of ` is code, between `` and '' a quotation. */
#ifndef TICKS_H
#define TICKS_H
#include <stdbool.h>

/* At p begins one that opens or closes code, not a quotation. */
static inline bool tick_of_code(const char *text, const char *p)
{
    return *p == '`' && p[1] != '`' && (p == text || p[-1] != '`');
}

/* They come in pairs; else each stands for itself. */
static inline bool ticks_pair(const char *text)
{
    long n = 0;
    for (const char *p = text; p && *p; p++) n += tick_of_code(text, p);
    return n % 2 == 0;
}
#endif
