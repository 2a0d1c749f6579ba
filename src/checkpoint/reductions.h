/* SPDX-License-Identifier: GPL-3.0-or-later
 * reductions.h - which of the theorems a model of a file meets the hypotheses of, and what each would remove. */
#ifndef CHECKPOINT_REDUCTIONS_H
#define CHECKPOINT_REDUCTIONS_H
#include "src/checkpoint/conditions.h"

typedef struct {
    const char *name, *claims;           /* in words; ids, as `provably show` takes them                */
    bool   applies;
    char  *why;                          /* one sentence                                                */
    double parameters;                   /* that it would remove                                        */
    double flops;                        /* per token, forward                                          */
    double bytes;                        /* in the type of W_Q                                          */
    double bits;                         /* log2 of the condition number that it meets; NAN: not known  */
} reduction_row;
typedef struct { reduction_row *at; long n; char *nothing; } reduction_list;
/* nothing: NULL, or why none can be said to apply; n is 0 then.  c: of all layers, or NULL. */
reduction_list reductions_of(const transformer *D, const layer_condition *c);
void           reductions_free(reduction_list *r);
#endif
