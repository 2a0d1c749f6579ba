/* SPDX-License-Identifier: GPL-3.0-or-later
 * free_family.h - the dimension of functions of arbitrary inputs, between a minor and null vectors known in advance.
 *
 * As dimension.h for transformers of tokens: a family has parameters, an output for each random input, and null vectors
 * of its Jacobian that somebody lists; r independent rows and g independent null vectors decide its dimension where
 * r + g = P.  Inputs and weights are small integers, so that exponentials of scores keep their relations where no norm
 * comes before (src/methods/rank/jacobian.h).                                                                */
#ifndef FREE_FAMILY_H
#define FREE_FAMILY_H
#include "src/methods/rank/dimension_claim.h"

typedef struct {
    const void *sizes;
    /* Random weights over the tape, owned by its scope, all of them added to P. */
    const void *(*weights)(scope *tape, const void *sizes, parameters *P);
    family_output *output;                               /* `with`: those weights                                */
    /* Rows (k x P->free) over s; NULL: there are none. */
    const mat *(*null_vectors)(scope *s, const void *weights, const parameters *P);
    long range, kappa;                                   /* of tape_rules; at least 1                            */
} free_family;

dimension free_family_dimension(trial *t, const free_family *F);   /* as claim_find                               */
/* Null vectors are null, the bounds meet, and the rank is as given. */
void claim_family_rank(trial *t, const char *what, const free_family *F, long expected);
/* The same of P - rank. */
void claim_family_nullity(trial *t, const char *what, const free_family *F, long expected);
#endif
