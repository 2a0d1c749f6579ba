/* SPDX-License-Identifier: GPL-3.0-or-later
 * small_grown.h - small models made larger, in all layers, for tests to fill: see small_model.h. */
#ifndef SMALL_GROWN_H
#define SMALL_GROWN_H
#include "tests/support/small_model.h"

/* Columns `cols` behind the part's own become zeros, or are cut off; likewise rows.  Nothing where there is no part. */
void small_part_resize(small_model *m, tensor_role role, long layer, long rows, long cols);
/* Part of `heads` heads, in columns, of which head a of the new `to` is head from[a] of before, or zeros (-1). */
void small_heads_from(small_model *m, tensor_role role, long layer, long to, const long *from);
void small_key_heads_repeated(small_model *m, long kv);                  /* each kv / m->kv times               */
void small_key_heads_added(small_model *m, long n);                      /* of zeros, each with its query heads */
void small_neurons_added(small_model *m, long n);                        /* of zeros, behind the others         */
void small_neurons_doubled(small_model *m, bool halves);                 /* halves: of the rows of down         */
/* Neuron j of that layer n times, whose rows of down are its row times those shares. */
void small_neuron_split(small_model *m, long layer, long j, long n, const double *share);
/* In front of layer `at` a copy of it, but with zeros in W_O, b_O, down and b_down. */
void small_layer_added(small_model *m, long at);
void small_tokens_added(small_model *m, long n);                         /* drawn                               */
void small_positions_added(small_model *m, long n);
/* Entries of the part from that row and column on become small multiples of 2^-6, none of them 0. */
void small_part_fill(small_model *m, tensor_role role, long layer, long row, long col, long rows, long cols);
#endif
