/* SPDX-License-Identifier: GPL-3.0-or-later
 * drawn_sizes.h - the sizes of the models that a trial draws: a body that goes through configurations draws others than
 * those of the trial's shape, and a row of evidence says so.
 *
 * One record for the process: a program runs one trial at a time. */
#ifndef DRAWN_SIZES_H
#define DRAWN_SIZES_H
#include "src/model/shape.h"

enum { DRAWN_N, DRAWN_D, DRAWN_H, DRAWN_M, DRAWN_V, DRAWN_L, DRAWN_SIZES };
extern const char *const drawn_size_names[DRAWN_SIZES];  /* n d h m V L                                     */

typedef struct { long least[DRAWN_SIZES], most[DRAWN_SIZES]; } drawn_sizes;      /* 0: none was noted */
void drawn_sizes_forget(void);                           /* nothing has been drawn                          */
/* What was noted, and, of what others draw in between, no more than that. */
drawn_sizes drawn_sizes_noted(void);
void drawn_sizes_restore(drawn_sizes noted);
/* A model of these sizes was drawn; a size of 0 is one that it does not have (an attention stack has no m and V). */
void drawn_sizes_note(const shape *sh);
/* "d=4-6 L=3": the smallest and the largest of each size that was not always that of sh; "": all were.  What does not
 * fit is a broken contract. */
void drawn_sizes_print(char *buffer, size_t size, const shape *sh);
/* Of h and L alone: over sym the other sizes are symbols. */
void drawn_sizes_print_counts(char *buffer, size_t size, const shape *sh);
#endif
