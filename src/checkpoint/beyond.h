/* beyond.h - what a configuration asks for that the description of transformer.h does not hold: such a model is never
 * evaluated as if the key were not there. */
#ifndef CHECKPOINT_BEYOND_H
#define CHECKPOINT_BEYOND_H
#include <jansson.h>
#include "src/base/base.h"

/* before: of GGUF's keys, "llama."; "" otherwise.  family: model_type.  NULL, or what it is, with the key, to be freed.
 * *theorems: the theorems that are applied here hold all the same, because they hold for any mask, any scale of the
 * scores and any angles. */
char *beyond_description(const json_t *config, const char *before, const char *family, bool *theorems);
/* rope_scaling or rope_parameters, whichever transformers reads; NULL: neither says anything. */
json_t *beyond_rope(const json_t *config);
/* Positions that a token sees in all L layers, itself included; 0: all before it.  -1: not in all layers. */
long beyond_window(const json_t *config, const char *before, const char *family, long L);
#endif
