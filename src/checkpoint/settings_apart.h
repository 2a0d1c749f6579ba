/* SPDX-License-Identifier: GPL-3.0-or-later
 * settings_apart.h - which settings of two configurations do not say the same, whatever the architecture: numbers by
 * value (10000 is 10000.0), without the keys that have no effect on any architecture's function (settings.h). */
#ifndef CHECKPOINT_SETTINGS_APART_H
#define CHECKPOINT_SETTINGS_APART_H
#include "src/checkpoint/settings.h"

/* Numbers by value, also 1 and 1.0; all else as it is written. */
bool   settings_same_value(const json_t *a, const json_t *b);
/* "KEY is X in A and Y in B", in the order of A, then of B; *n: how many.  To be freed, each and the list. */
char **settings_apart(const json_t *a, const json_t *b, long *n);
#endif
