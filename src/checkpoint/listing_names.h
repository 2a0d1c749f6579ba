/* SPDX-License-Identifier: GPL-3.0-or-later
 * listing_names.h - which tensors of two files go together, by their names: whole names first.  Then what programs put
 * in front of names ("module.", "model.") is taken off, the same of all tensors of a file that are left over, and only
 * where their names match then: of two towers in one file each keeps its own. */
#ifndef CHECKPOINT_LISTING_NAMES_H
#define CHECKPOINT_LISTING_NAMES_H
#include "src/checkpoint/weights.h"

typedef struct { const char *name; const weight_tensor *tensor; } named_tensor;
typedef struct { named_tensor *at; long n; } named_tensors;      /* sorted by name; no two have the same        */

/* Tensors of w whose whole names the other file does not have; without: one that is not among them, or NULL. */
named_tensors names_left_over(const weights *w, const weights *other, const weight_tensor *without);
/* Takes off both what makes the most names match, if all names of that list begin with it, and none of those that A and
 * B have in common: else it tells two towers apart. */
void          names_strip(named_tensors *a, named_tensors *b, const weights *A, const weights *B);
void          names_free(named_tensors *l);
const weight_tensor *names_find(const named_tensors *l, const char *name);               /* NULL: not there    */
#endif
