/* SPDX-License-Identifier: GPL-3.0-or-later
 * expansion_plan.h - between expansion.c, which finds what does nothing, and contracted.c, which leaves it out. */
#ifndef CHECKPOINT_EXPANSION_PLAN_H
#define CHECKPOINT_EXPANSION_PLAN_H
#include "src/checkpoint/expansion.h"

/* -1: left out.  Things of one place are one. */
typedef struct {
    bool  silent;                        /* the layer is the identity                                   */
    bool  fixed;                         /* its heads stay as they are                                  */
    long *neuron, neurons;               /* [m]: its place; how many places                             */
    long *key, keys;                     /* [h_kv]                                                      */
    long *among, group;                  /* [h]: its place among the query heads of its key head; how many at most */
    long *of_key;                        /* [h]: the place of its key head                              */
    long silent_neurons, equal_neurons, silent_heads, equal_heads, equal_keys;
    long moved_neurons, moved_heads;     /* to other places, whose function stays (nearest_order.h)     */
} layer_plan;

void plan_open_heads(const transformer *D, layer_plan *p);
/* Key heads that are not stored as columns of their own are left as they are. */
bool plan_has_heads(const transformer *D);
void plan_heads_as_they_are(const transformer *D, layer_plan *p);
void plans_free(const transformer *D, layer_plan *p);    /* of all layers                                       */

typedef struct { long m, keys, group; } plan_sizes;

/* What is left of D: the layers that are not silent, with those sizes. */
contracted contracted_model(const transformer *D, const layer_plan *plan, plan_sizes sizes);
#endif
