/* names.h - what a tensor is, by its name: those of Hugging Face's GPT-2, Llama, Mistral, Qwen and GPT-NeoX, of Meta's
 * Llama and llama2.c, of GGUF, of nanoGPT, and of our own runs. */
#ifndef CHECKPOINT_NAMES_H
#define CHECKPOINT_NAMES_H
#include "src/checkpoint/transformer.h"

/* *layer: from 0, or -1 where the tensor belongs to none. */
tensor_role role_of_name(const char *name, long *layer);
#endif
