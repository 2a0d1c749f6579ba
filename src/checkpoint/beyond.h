/* beyond.h - what a configuration asks for that the description of transformer.h does not hold: such a model is never
 * evaluated as if the key were not there. */
#ifndef CHECKPOINT_BEYOND_H
#define CHECKPOINT_BEYOND_H
#include <jansson.h>
#include "src/base/base.h"

/* before: of GGUF's keys, "llama."; "" otherwise.  NULL, or what it is, with the key, to be freed.
 * *theorems: the theorems that are applied here hold all the same, because they hold for any mask, any scale of the
 * scores and any angles. */
char *beyond_description(const json_t *config, const char *before, bool *theorems);
/* Positions that a token sees, itself included; 0: all before it. */
long beyond_window(const json_t *config, const char *before);
#endif
