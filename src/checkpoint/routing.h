/* routing.h - which experts a token meets, and with which weights: experts.h has the formula. */
#ifndef CHECKPOINT_ROUTING_H
#define CHECKPOINT_ROUTING_H
#include "numerics/mat.h"
#include "src/checkpoint/transformer.h"

typedef struct {
    const unsigned char *chosen;         /* n x E, of the scope: transformer.chosen of each row         */
    const mat *weight;                   /* n x E; of those that are not chosen it does not count       */
} routing;

/* R (n x E): the router's entries, over f64 without bounds, mpfr or arb.  In balls the choice of a row must be certain:
 * where those chosen do not all lie above the others, s becomes UNDECIDED. */
routing routing_of(scope *s, const transformer *D, const mat *R);
const mat *routing_sigmoid(scope *s, const mat *X);              /* 1 / (1 + e^-x), entrywise                   */
#endif
