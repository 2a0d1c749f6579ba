/* SPDX-License-Identifier: GPL-3.0-or-later
 * experts.h - layers whose MLP is a mixture of experts: of E of them each token meets the k with the largest entries of
 * r = x R (d x E), and behind them
 *   sum over the chosen e of w_e MLP_e(x) + sigmoid(x g) MLP_shared(x)
 * where w is the softmax of r, over all E or over the chosen alone (transformer.chosen_sum: then they sum to 1).  Of
 * equal entries the one of the first expert is the larger.
 *
 * An expert is an MLP with the roles of a layer's, and stands behind the layers in transformer.at: what is called
 * `layer` in functions of parts may be such a place.  The experts of layer i begin at L + i (E + 1), the shared one is
 * their last. */
#ifndef CHECKPOINT_EXPERTS_H
#define CHECKPOINT_EXPERTS_H
#include "src/checkpoint/settings.h"

bool  experts_in_layer(const transformer *D, long layer);
long  experts_place(const transformer *D, long layer, long e);             /* e = D->experts: the shared one       */
long  transformer_places(const transformer *D);          /* rows of transformer.at behind the first, of no layer   */
long  place_layer (const transformer *D, long place);    /* of a layer, or of none: that                          */
long  place_expert(const transformer *D, long place);    /* -1: it is a layer                                     */
long  place_width (const transformer *D, long place);    /* neurons of that MLP                                   */
long  place_widest  (const transformer *D);
char *place_words (const transformer *D, long place);    /* "layer 1, expert 3"; "" for no layer; to be freed     */
/* Places of MLPs in turn, from -1: those of the layers and of experts, none of which is without parts; -1: no more. */
long  place_next_mlp    (const transformer *D, long place);

/* What the configuration says of them; layer: of which bits are set.  Dies where it contradicts itself. */
void  experts_read(transformer *D, const settings *s, unsigned char *layer);
#endif
