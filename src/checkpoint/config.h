/* SPDX-License-Identifier: GPL-3.0-or-later
 * config.h - the configuration beside the tensors: which architecture it is, its sizes and its switches. */
#ifndef CHECKPOINT_CONFIG_H
#define CHECKPOINT_CONFIG_H
#include "src/checkpoint/transformer.h"

/* Fills in all that the tensors need not say; D->unknown where nothing is known about this model.  Dies where the
 * configuration contradicts itself. */
void config_of(transformer *D, const weights *w);
/* Whether the programs for that family load such a tensor of a safetensors file: others compute without it, and say so
 * in a warning only.  *key: of the configuration that decides it, or NULL. */
bool config_lets_load(const transformer *D, const weights *w, tensor_role role, const char **key);
bool activation_same(const char *a, const char *b);       /* two names of one function                   */
/* The first reason stays. */
void config_not_known(transformer *D, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#endif
