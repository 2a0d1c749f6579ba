/* SPDX-License-Identifier: GPL-3.0-or-later
 * outcome.h - the possible outcomes of a recorded figure, and the one table of their words.
 *
 * A line of results shows its outcome as text.  The words are written and read here and nowhere else; the rules that
 * choose an outcome are in paper_compare.h and check_elimination.h. */
#ifndef OUTCOME_H
#define OUTCOME_H

typedef enum {
    OUTCOME_NONE,                        /* the paper prints nothing to compare with, or not at this scale */
    OUTCOME_AGREES, OUTCOME_DIFFERS,     /* a figure compared with the printed one                      */
    OUTCOME_FEW_SEEDS, OUTCOME_NOT_FINITE, /* a figure that cannot be judged                            */
    OUTCOME_NOT_RUN, OUTCOME_PARTIAL,    /* no seed; K of the N seeds that are planned                  */
    OUTCOME_MADE_UP, OUTCOME_OTHER_OPTIONS, /* of synthetic data; not of the preset's own command          */
    OUTCOME_AS_PRINTED, OUTCOME_NOT_AS_PRINTED, OUTCOME_OPPOSITE, /* a planned comparison               */
    OUTCOME_NOT_RESOLVED, OUTCOME_ONE_SEED,
    OUTCOME_SEEDS_ONLY,                  /* the error of the evaluation, which all seeds share, is not known */
    OUTCOME_HOLDS, OUTCOME_REFUTED, OUTCOME_ACCEPTED, OUTCOME_FAILS, /* a check                         */
    OUTCOMES                             /* how many there are; also: words of no outcome               */
} outcome;

extern const char *const outcome_word[OUTCOMES];
/* "2 of 3 seeds: not judged", to be freed. */
char *outcome_partial(long k, long n);
/* The outcome whose word `text` is, or begins with where the word of a comparison is followed by a colon. */
outcome outcome_read(const char *text);
#endif
