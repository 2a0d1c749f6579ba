/* SPDX-License-Identifier: GPL-3.0-or-later
 * beyond.h - what a configuration asks for that the description of transformer.h does not hold: such a model is never
 * evaluated as if the key were not there. */
#ifndef CHECKPOINT_BEYOND_H
#define CHECKPOINT_BEYOND_H
#include "src/checkpoint/settings.h"
#include "src/checkpoint/transformer.h"

/* NULL, or what it is, with the key, to be freed.  *theorems: the theorems that are applied here hold all the same,
 * because they hold for any mask, any scale of the scores and any angles. */
char *beyond_description(const settings *s, bool *theorems);
/* rope_scaling or rope_parameters, whichever transformers reads; NULL: neither says anything. */
const json_t *beyond_rope(const settings *s);
/* Is there a layer whose kind is one within a window? */
bool beyond_slides(const settings *s);
/* Marks in layer[0 ... L - 1] those whose heads do not turn. */
void beyond_turns(const settings *s, long L, unsigned char *layer);
/* Positions that a token sees, itself included; 0: all before it.  Marks the layers that see all nevertheless; those
 * that do not turn are marked already. */
long beyond_window(const settings *s, long L, unsigned char *layer);
#endif
