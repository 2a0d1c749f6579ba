/* SPDX-License-Identifier: GPL-3.0-or-later
 * replay.h - is B what `provably reduce` makes of A?
 *
 * The constructions that the note in B names are applied to A again, in balls.  Each is a theorem's, so what they give
 * is the same function as A for all inputs; how far each number of B is from its ball is measured in roundings to its
 * type.
 * The note is a hint where to look and proves nothing: a note that lies finds numbers that are not B's. */
#ifndef CHECKPOINT_REPLAY_H
#define CHECKPOINT_REPLAY_H
#include "src/checkpoint/transformer.h"

typedef struct {
    char  *words;                        /* the constructions that B's note names; NULL: it has none    */
    bool   found;                        /* every number of B is within `units` roundings of the image  */
    double units;                        /* max |b - image| / (u |b| + half the least number), an upper bound */
    tensor_role role;                    /* the part that is farthest                                   */
    long   layer;
    char  *why;                          /* NULL, or why not                                            */
} replayed;

/* wA, wB: the files of A and B.  Where numbers vanish by cancellation, 2^-40 of the largest of their part counts beside
 * |b|: what the balls of reduce may be wide. */
replayed replay_between(const weights *wA, const transformer *A, const weights *wB, const transformer *B);
void     replay_free(replayed *r);
#endif
