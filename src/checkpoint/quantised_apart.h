/* SPDX-License-Identifier: GPL-3.0-or-later
 * quantised_apart.h - is B what an encoder of its block type makes of A?
 *
 * Which step and offset an encoder chooses is free.  Given those that are stored, each code has to be a nearest one:
 *
 *   |b - a| <= max(|step| / 2, e) + margin,   e = how far a lies beyond the group's least or largest number, or 0
 *
 * The margin is what rounding of the encoder explains.  It may choose the code by step and offset before they are
 * stored, which moves step code + offset by |code| scale_error + offset_error, and the half way between two codes by
 * scale_error / 2 more; and it computes in float32: 2^-20 steps, where it adds 8.5 to a / step before it cuts off, and
 * 2^-22 (|a| + |offset|).  No more than a quarter of a step is excused so: where the margin is larger (scales that are
 * hardly normal half floats, offsets of hundreds of steps), it would explain another code, and decides nothing.  Nor
 * does half a step more in Q4_0 to Q5_1: encoders that weigh numbers choose the step of these again behind the codes,
 * as the least squares say (those of Q2_K to Q6_K choose the codes again, too).
 *
 * Codes end, and e of a good encoder is small.  Signed codes have one more on one side, so that the largest number of
 * the other side is cut off by up to a step; searches place the largest number up to a code beyond the end: two steps.
 * Where the encoder's step t was rounded to d sc, |t - |step|| <= scale_unit + scale_error, and it meant numbers up to
 * (c + 2) t to fit, c the largest |code|: so
 *
 *   e <= 2 |step| + (c + 2) (scale_unit + scale_error) + offset_unit + offset_error
 *
 * is what encoders do, and is told; up to four times that nothing is decided, and beyond it B is something else.
 *
 * A step may be so large that 0 is nearest to all numbers: B would be zeros.  So of each block, without groups whose
 * scale is no normal half float,
 *
 *   sum (b - a)^2 <= sum a^2 / 2
 *
 * or nothing is decided.  Where the largest number of a group is about the last code, it is far less: a code that is a
 * quarter of the range (Q2_K) leaves 15/36 of the squares at worst, and a tenth of those of drawn numbers. */
#ifndef CHECKPOINT_QUANTISED_APART_H
#define CHECKPOINT_QUANTISED_APART_H
#include "src/checkpoint/weight_matrix.h"

typedef enum { QUANTISED_NEAREST, QUANTISED_OPEN, QUANTISED_OTHER } quantised_is;

/* steps: |b - a| / |step|; where the step is 0, / |d|, or the least half float.  at: its place in B's tensor. */
typedef struct { double steps; size_t at; } far_number;
typedef struct {
    quantised_is is;
    far_number within;                   /* the farthest of those within the range of their group, or half a step
                                            beyond it                                                   */
    far_number beyond;                   /* the farthest of the others                                  */
    size_t     cut_off;                  /* how many those are                                          */
    far_number other;                    /* of QUANTISED_OPEN and _OTHER: the farthest of those that decide it */
    bool       lost;                     /* more than half of some block, by its squares: the first begins at */
    size_t     lost_at;
} quantised_gap;

/* Line k of A's numbers, as many as B's lines are wide. */
typedef void quantised_line(void *of, long k, double *x);
/* b: lines of a tensor of NUMBERS_QUANTISED.  alone: `line` must not be called by several threads.  A number that is
 * not finite is QUANTISED_OTHER. */
quantised_gap quantised_apart_of(const tensor_lines *b, quantised_line *line, void *of, bool alone);
/* quantised_line of A's numbers as they lie in the file: of a tensor_lines. */
void quantised_line_of_file(void *of, long k, double *x);
/* In words, of B's part; to be freed. */
char *quantised_words(const quantised_gap *g, const weight_tensor *b);
/* "[row, column]" of a tensor's number, as its file counts; to be freed. */
char *quantised_place(const weight_tensor *t, size_t at);

/* The same rule for one number of A at a time, where it is asked whether it may have become B's number k (relation.c):
 * remembers the group. */
typedef struct { const weight_tensor *t; bool any; size_t first; block_group group; } block_reader;
bool quantised_fits(block_reader *r, size_t k, double a);
#endif
