/* beyond.h - what a configuration asks for that the description of transformer.h does not hold: such a model is never
 * evaluated as if the key were not there. */
#ifndef CHECKPOINT_BEYOND_H
#define CHECKPOINT_BEYOND_H
#include "src/checkpoint/settings.h"

/* NULL, or what it is, with the key, to be freed.  *theorems: the theorems that are applied here hold all the same,
 * because they hold for any mask, any scale of the scores and any angles. */
char *beyond_description(const settings *s, bool *theorems);
/* rope_scaling or rope_parameters, whichever transformers reads; NULL: neither says anything. */
const json_t *beyond_rope(const settings *s);
/* Positions that a token sees in all L layers, itself included; 0: all before it.  -1: not in all layers. */
long beyond_window(const settings *s, long L);
#endif
