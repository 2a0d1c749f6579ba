/* SPDX-License-Identifier: GPL-3.0-or-later
 * sequence.h - tensors that follow each other in a file without names or gaps, as llama2.c and llm.c store them. */
#ifndef CHECKPOINT_SEQUENCE_H
#define CHECKPOINT_SEQUENCE_H
#include "src/checkpoint/weights.h"

/* type: of all that follows, "F32" or "BF16".  at: bytes so far.  listing: tensors are added to w (file 0), else only
 * their bytes are counted, so that the file's length can be compared first. */
typedef struct { weights *w; const char *type; size_t at; bool listing; } tensor_sequence;

/* rows x cols numbers; rank 1: a vector of cols. */
void sequence_next(tensor_sequence *s, const char *name, int rank, long rows, long cols);
/* One for each layer, `name` with a %ld for its number. */
void sequence_layers(tensor_sequence *s, long L, const char *name, int rank, long rows, long cols);
#endif
