/* SPDX-License-Identifier: GPL-3.0-or-later
 * formats.h - what GGUF and llama2.c have of their own where a checkpoint is written: which models they can hold, their
 * headers, and in which order their tensors come. */
#ifndef CHECKPOINT_FORMATS_H
#define CHECKPOINT_FORMATS_H
#include "src/checkpoint/layout.h"

/* NULL, or why a file of that format, made from one of another, would be another function or could not be loaded: a
 * sentence. */
const char *gguf_refuses(const transformer *D);
const char *llama2c_refuses(const transformer *D);

/* Keys and values that describe the model, as GGUF stores them; without a tokenizer.  *n: how many. */
text_buffer gguf_keys(const transformer *D, uint64_t *n);
/* Header and list of the tensors, up to where the numbers begin.  reduced, source: two more keys. */
void gguf_put_header(FILE *f, const file_layout *l, const char *reduced, const char *source);
size_t gguf_gap(const file_layout *l, size_t bytes);     /* zeros after so many bytes, up to l->alignment   */

/* Adds the two tables that version 0 has, where they are missing, and sorts the tensors. */
void llama2c_arrange(file_layout *l, const transformer *D);
void llama2c_put_header(FILE *f, const file_layout *l, const transformer *D, bool tied);
/* cos or sin of t theta^(-2i/dk), row t of T: dk/2 numbers. */
void llama2c_angles(const transformer *D, bool sine, long t, float *x);

size_t new_tensor_bytes(const new_tensor *t);
#endif
