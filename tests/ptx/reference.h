/* SPDX-License-Identifier: GPL-3.0-or-later
 * reference.h - attention and its gradients by plain loops in double. */
#ifndef TESTS_PTX_REFERENCE_H
#define TESTS_PTX_REFERENCE_H
#include "src/train/ops.h"

typedef struct { double *O, *lse, *dQ, *dK, *dV; } attention_reference;      /* lse [B,H,T], the others [B,T,H,D] */

/* All arguments are [B,T,H,D]; `rounded` is O as the backward pass gets it, or NULL: exact. */
attention_reference attention_in_double(const attn_shape *s, const double *Q, const double *K, const double *V,
                                        const double *dO, const double *rounded);
void attention_reference_free(attention_reference r);
#endif
