/* SPDX-License-Identifier: GPL-3.0-or-later
 * numbers_apart.h - how far the numbers of two tensors are apart, entry by entry, as they lie in the files: bytes
 * first, and decoded, some at a time on each core, only where these differ. */
#ifndef CHECKPOINT_NUMBERS_APART_H
#define CHECKPOINT_NUMBERS_APART_H
#include "src/checkpoint/relation.h"

typedef struct {
    bool   equal;                        /* bit by bit: 0 is not -0; else the rest is filled in         */
    bool   finite;                       /* all numbers of A and of B                                   */
    /* max |x|; max |a - b|; and in roundings (relation.h), infinite where off is */
    double most, off, units;
    bool   below;                        /* u |b| alone does not explain all of them: some are below the least
                                            normal number of the type                                   */
} numbers_apart;

/* Contract: as many lines, as wide, whose numbers can be read. */
numbers_apart numbers_apart_of(const tensor_lines *a, const tensor_lines *b);
/* Of numbers some of which are below: have they been lost (lost.h)?  Lines are rows, or columns. */
bool          numbers_apart_lost(const tensor_lines *a, const tensor_lines *b, bool each);
#endif
