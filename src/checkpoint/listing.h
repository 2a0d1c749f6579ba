/* SPDX-License-Identifier: GPL-3.0-or-later
 * listing.h - two files of weights of any architecture, tensor by tensor, by name: what can be said where the function
 * is not known.  Names match as they are; else without what programs put in front of all of them (listing_names.h);
 * else as what one file stores as one tensor and the other as several (fused.h). */
#ifndef CHECKPOINT_LISTING_H
#define CHECKPOINT_LISTING_H
#include "src/checkpoint/relation.h"

typedef enum {
    LISTED_ROUNDED, LISTED_QUANTISED, LISTED_DIFFERENT, LISTED_TRANSPOSED, LISTED_SHAPE, LISTED_MISSING, LISTED_EXTRA,
    LISTED_OPEN                          /* a fused tensor that may hold the others, in an order that is not known; or
                                            blocks that do not tell (quantised_apart.h)                 */
} listed_kind;

/* A tensor that does not hold the same numbers in both.  units: see relation.h; NAN where numbers cannot be
 * compared. */
typedef struct { const char *tensor; listed_kind kind; double gap, units; char *text; } listed;

typedef struct {
    listed *at;                          /* of fused ones; in the order of the names of B; those of A that B lacks */
    long    n;
    long    compared, equal, rounded;    /* tensors of both; with the same numbers; equal to rounding   */
    long    quantised;                   /* B's are A's rounded to blocks                               */
    long    renamed;                     /* of those compared, how many have another prefix             */
    long    fused;                       /* tensors of one that are several in the other, whose parts are compared */
    long    open, open_parts;            /* of them LISTED_OPEN; and how many parts those have          */
    char   *tied;                        /* in words, a head of one that repeats the tied embedding; NULL: none */
    char  **setting;                     /* keys of the configurations that are not the same            */
    long    settings;
} listing;

listing listing_of(const weights *A, const weights *B);
void    listing_free(listing *l);
bool    listing_same(const listing *l);  /* all tensors of both hold the same numbers, and all settings agree */
/* Each tensor of both is in the other, with the same numbers or B's a rounding of A's, and all settings agree. */
bool    listing_rounded(const listing *l);
/* The same, and some are B's rounding of A's to blocks. */
bool    listing_quantised(const listing *l);
/* All that is not the same or a rounding is open: nothing is certainly different. */
bool    listing_open(const listing *l);
double  listing_units(const listing *l); /* the largest distance of such a rounding                     */
/* Are all files of both, with their configurations, byte-identical? */
bool    weights_identical(const weights *A, const weights *B);
#endif
