/* SPDX-License-Identifier: GPL-3.0-or-later
 * plan.h - which constructions `provably reduce` applies: what was asked for, or what the model meets the hypotheses
 * of. */
#ifndef CHECKPOINT_PLAN_H
#define CHECKPOINT_PLAN_H
#include "src/checkpoint/reductions.h"
#include "src/checkpoint/rewrite.h"

typedef struct {
    const char *word;                    /* of --apply: "values"                                          */
    const char *claims;                  /* "N1 N1b"                                                      */
    const char *what;
    char *why;                           /* of reductions_of, or why not                                  */
    bool  forced;                        /* its hypotheses do not hold                                    */
    double parameters, bits;             /* of reductions_of; 0 and NAN where it is forced                */
    long  kept, heads;                   /* key heads that keep their columns, which are dependent; of how many */
} planned;

typedef struct {
    rewrite_plan plan;
    planned *at;                         /* in the order in which they are applied                        */
    long n;
    double bits;                         /* log2 of the largest condition number of what is inverted      */
    char *nothing;                       /* NULL, or why there is nothing to do, reason by reason: n is 0 */
    char *left;                          /* NULL, or what its own choice left out because programs for the file's
                                            kind do not read a tensor that it would write: --apply asks for it */
    char *refused;                       /* NULL, or why what was asked for cannot be done: do nothing then */
} reduction_plan;

typedef struct { const char *apply; bool untie, force; } plan_request;      /* apply NULL: by its own choice */

/* c: of all layers.  Refused, with the theorem's condition, where something asked for does not apply and is not
 * forced. */
reduction_plan plan_of(const weights *w, const transformer *D, const layer_condition *c, const plan_request *ask);
void           plan_free(reduction_plan *p);
/* Bits of the balls to begin with, for numbers of float32 or coarser, or wide: of float64. */
long           plan_bits(const reduction_plan *p, bool wide);
/* The words, with a comma between each two, to be freed. */
char          *plan_words(const reduction_plan *p);
/* Of a row of reductions_of: the word of --apply, or NULL where there is no such construction; and whether it takes
 * --untie with this model. */
const char    *plan_word(const reduction_row *row);
bool           plan_needs_untied(const transformer *D, const reduction_row *row);
void           plan_print_words(FILE *f);        /* for --help */
#endif
