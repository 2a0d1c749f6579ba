/* SPDX-License-Identifier: GPL-3.0-or-later
 * names.h - what a tensor is, by its name, in each architecture, and what it is called there. */
#ifndef CHECKPOINT_NAMES_H
#define CHECKPOINT_NAMES_H
#include "src/checkpoint/architecture.h"

enum { SHARED_EXPERT = -2 };
/* *layer, *expert: from 0, or -1 where the tensor belongs to none; SHARED_EXPERT: to the one that all tokens meet. */
tensor_role role_of_name(const architecture *A, const char *name, long *layer, long *expert);
/* Without what programs put in front of all names, each once: the rest of `name`. */
const char *name_without_prefixes(const architecture *A, const char *name);
bool name_is_known(const char *name);                    /* in any of them                              */

/* Whether the tensor is, or holds, W_V or b_V of values that are computed from keys; the name that it has then, to be
 * freed, or NULL where there is none. */
bool  name_is_slim(const char *name);
char *name_slim(const char *name);

/* What that tensor is called there, to be freed; NULL: it has no name there. */
char *name_of_role(const architecture *A, tensor_role role, long layer);
#endif
