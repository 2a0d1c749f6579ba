/* names.h - what a tensor is, by its name: those of Hugging Face's GPT-2, Llama, Mistral, Qwen and GPT-NeoX, of Meta's
 * Llama and llama2.c, of GGUF, of nanoGPT, and of our own runs. */
#ifndef CHECKPOINT_NAMES_H
#define CHECKPOINT_NAMES_H
#include "src/checkpoint/transformer.h"

/* *layer: from 0, or -1 where the tensor belongs to none. */
tensor_role role_of_name(const char *name, long *layer);

typedef enum { NAMES_GPT2, NAMES_LLAMA, NAMES_META, NAMES_GGUF } naming;    /* Hugging Face's; llama2.c's; GGUF's */
/* Whether the tensor is, or holds, W_V or b_V of values that are computed from keys; the name that it has then, to be
 * freed, or NULL where there is none. */
bool  name_is_slim(const char *name);
char *name_slim(const char *name);

/* What that tensor is called there, to be freed; NULL: it has no name there. */
char *name_of_role(naming where, tensor_role role, long layer);
#endif
