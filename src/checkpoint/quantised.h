/* SPDX-License-Identifier: GPL-3.0-or-later
 * quantised.h - numbers that share a scale: the block types of GGUF, decoded exactly.
 *
 * A block holds codes, small whole numbers, in groups with one step and one offset each; a number is
 *
 *   x = step code + offset,   step = d sc,   offset = m (Q4_1, Q5_1), -dmin sm (Q2_K, Q4_K, Q5_K), or none
 *
 * where d, m and dmin are half floats of the block, and sc and sm whole numbers of the group (sc = 1 where a block is
 * one group).  A half float is a multiple of 2^-24 below 2^16, |sc code| is at most 2^12 and sm below 2^6, so that x is
 * a multiple of 2^-24 below 2^29: it has 53 bits at most, and is exact in double. */
#ifndef CHECKPOINT_QUANTISED_H
#define CHECKPOINT_QUANTISED_H
#include <stdbool.h>
#include <stddef.h>

enum { BLOCK_GROUP = 32 };               /* numbers of a group, at most                                 */

/* A group as it is stored.  scale_error, offset_error: how far step and offset may be from those that an encoder had
 * before it stored d, m and dmin as half floats: sc and sm times 2^-11 of them, or 2^-25 where they are below the least
 * normal half float.  scale_unit, offset_unit: |d| / 2 and |dmin| / 2 where sc and sm are whole numbers that it rounded
 * to as well; else 0. */
typedef struct {
    double step, offset, scale_error, offset_error, scale_unit, offset_unit;
    int code[BLOCK_GROUP];
} block_group;

typedef struct {
    const char *name;                    /* "Q4_K"                                                      */
    size_t numbers, bytes, group;        /* of a block; numbers of a group                              */
    int least, most;                     /* codes                                                       */
    void (*read)(const unsigned char *block, size_t group, block_group *to);
} block_type;

/* NULL: no block type of that name is decoded here. */
const block_type *block_type_of(const char *name);
/* Numbers from ... from + n - 1 of blocks that lie one behind the other from `at` on, which need not be aligned; those
 * of a scale that is not finite are not finite.  Contract: the blocks are there. */
void quantised_numbers(const block_type *type, const unsigned char *at, size_t from, size_t n, double *x);
/* The group that holds number k. */
void quantised_group(const block_type *type, const unsigned char *at, size_t k, block_group *to);
#endif
