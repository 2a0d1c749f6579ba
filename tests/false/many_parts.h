/* SPDX-License-Identifier: GPL-3.0-or-later
 * many_parts.h - a claim of many parts: all show A + B = B + A, but the last, which claims AB = BA. */
#ifndef FALSE_MANY_PARTS_H
#define FALSE_MANY_PARTS_H
#include <stdio.h>
#include "tests/false/false.h"

enum { MANY = 33 };

static inline int many_parts(const char *id, const char *title, size_t n, int argc, char **argv)
{
    static char names[MANY][24];
    static part parts[MANY];
    const part as_stated = { .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", PRODUCT_FOR_SUM,
                             .shapes = small, .nshapes = COUNT(small) };
    for (size_t k = 0; k < n; k++) {
        snprintf(names[k], sizeof names[k], "as-stated-%zu", k + 1);
        parts[k] = as_stated;
        parts[k].name = names[k];
    }
    parts[n - 1].run = product_for_sum;
    const claim C = { .id = id, .title = title, .where = "", .shapes = small, .nshapes = COUNT(small), .parts = parts,
                      .nparts = n };
    return theorem_main(&C, argc, argv);
}
#endif
