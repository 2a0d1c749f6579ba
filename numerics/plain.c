/* SPDX-License-Identifier: GPL-3.0-or-later
 * plain.c - see plain.h. */
#include "numerics/plain.h"
#include <stdlib.h>
#include <string.h>

bool plain_only(void)
{
    static int known;                                   /* 0: not read yet; 1: no; 2: yes */
    int is = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!is) {                                          /* threads that meet here read the same text */
        const char *text = getenv("PROVABLY_REFERENCE");
        is = text && *text && strcmp(text, "0") != 0 ? 2 : 1;
        __atomic_store_n(&known, is, __ATOMIC_RELAXED);
    }
    return is == 2;
}
