/* SPDX-License-Identifier: GPL-3.0-or-later
 * dimension_claim.h - dimensions as checks of a claim.
 *
 * Bodies run over fp and over arb, where a lower bound that does not reach the upper one is UNDECIDED (the balls may
 * be too wide).  Over deg,
 * which bounds the error over fp, only claim_null does something: that tangents are null vectors is an identity, and so
 * is an upper bound on a rank; a lower bound, found by a minor, is certain. */
#ifndef DIMENSION_CLAIM_H
#define DIMENSION_CLAIM_H
#include "src/claim/check.h"
#include "src/methods/rank/dimension.h"

/* The family of an architecture (architecture_parse) with the sizes of `sizes`, completed; contract: both are right. */
dimension_of dimension_family_named(shape sizes, const char *architecture);

/* The dimension of a family at this trial's random point.  `is` is UNDECIDED, and so is the trial, where it was
 * not found; over deg it is UNDECIDED and the trial is not. */
dimension claim_find(trial *t, const dimension_of *what);
/* The field (or balls) of this trial into *own, to be closed by arith_close; false over deg, and (UNDECIDED) for
 * primes below 2^40. */
bool claim_field(trial *t, arith *own);

/* Over fp and deg: the tangents of `of` are null vectors, D->fixed_directions is not too small.  False: undecided. */
bool claim_null(trial *t, const char *what, const dimension_of *of, const dimension *D);
/* Null vectors are null, the bounds meet, and the nullity is as given. */
void claim_nullity(trial *t, const char *what, const dimension_of *of, long expected);
/* dim(full family) - dim(reduced family) is as given; all bounds meet. */
void claim_lost(trial *t, const char *what, const dimension_of *full, const dimension_of *reduced, long expected);
/* The same where the reduced family has W_Q = I in the layers of `fixed`. */
void claim_deficit(trial *t, const char *what, const dimension_of *full, uint64_t fixed, long expected);
#endif
