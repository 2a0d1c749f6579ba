/* SPDX-License-Identifier: GPL-3.0-or-later
 * denorm.h - models whose LayerNorm has lost its division, as pretrained models are after LayerNorm was removed.
 *
 * x -> (x - mean) g / sqrt(var + eps) + b with a fixed number for the root is x C g + b, C = I - 11'/d.  What reads it
 * may take g and b into its own weights: (x C g + b) W + c = (x C)(g W) + (b W + c).  C is left to the caller. */
#ifndef DENORM_H
#define DENORM_H
#include "src/model/model.h"

typedef enum { FOLDED, WRITERS_KEPT, GAIN_LEFT, BIAS_LEFT } denorm_slip;        /* BIAS_LEFT: b W_Q is not added */
/* Random weights, gains and biases.  sh: all skips, biases, a head and layers of their own, plain MLPs. */
model denorm_random(scope *s, shape sh);
/* Its logits (n x V), each x C g + b computed as it stands. */
const mat *denorm_forward(scope *s, const model *M);
/* A model without norms: readers g W, biases b W + c, head g_f W_LM; its logits lack the constant row b_f W_LM. */
model denorm_folded(scope *s, const model *M, denorm_slip how);
#endif
