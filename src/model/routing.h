/* SPDX-License-Identifier: GPL-3.0-or-later
 * routing.h - which experts a token meets, and with which weights: the k of them with the largest entries of
 * r = z R (d x E), of equal ones the first; w is the row map of r, over all E or over the chosen alone. */
#ifndef MODEL_ROUTING_H
#define MODEL_ROUTING_H
#include "numerics/mat.h"

typedef struct {
    const unsigned char *chosen;         /* n x E, of the scope: k of each row; NULL: all               */
    const mat *weight;                   /* n x E; of those that are not chosen it does not count       */
} routing;

/* R (n x E): the router's entries; with k < E over f64 without bounds, mpfr or arb.  In balls the choice of a row must
 * be certain: where those chosen do not all lie above the others, s becomes UNDECIDED.  of_chosen: w is over those. */
routing routing_of(scope *s, const mat *R, long k, bool of_chosen, rowmap_kind kind, place at);
const mat *routing_sigmoid(scope *s, const mat *X);              /* 1 / (1 + e^-x), entrywise                   */
#endif
