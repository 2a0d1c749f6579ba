/* SPDX-License-Identifier: GPL-3.0-or-later
 * adapter.h - LoRA adapters as PEFT saves them, added to the weights that they were trained on.
 *
 * A folder with adapter_config.json and adapter_model.safetensors, which has two matrices for each weight that it
 * changes, A (r x in) and B (out x r); the merged weight, out x in, is
 *
 *   W' = W + s B A,   s = alpha / r, or alpha / sqrt(r) where use_rslora is true
 *
 * (fan_in_fan_out: W is in x out, and (B A)' is added).  Here W' is computed in doubles.
 *
 * Programs that merge compute B A in float32 or in the adapter's type, with sums of r terms in float32 at least, and
 * round the product, its multiple by s and the sum, so that with u the unit of W's type, v the larger one of it and the
 * adapter's, and f that of the sums (float32's, but of two files of doubles),
 *
 *   |w' - W'| <= u |w'| + (2 v + r f) |s| sum_k |b_k a_k|   to first order.
 *
 * weight_tensor.sizes of the entry is |w| + (1 + (2 v + r f) / u) |s| sum_k |b_k a_k|: structure_of allows so much (see
 * SUMMED_MOST in relation.h), and a file without the adapter is another model where its changes are larger. */
#ifndef CHECKPOINT_ADAPTER_H
#define CHECKPOINT_ADAPTER_H
#include "src/checkpoint/transformer.h"

/* Changes the tensors of D, which is the transformer of w.  Contract: D's function is computed here.  Dies, naming the
 * key, the tensor or the reason, where the adapter is of another kind (DoRA, biases, whole modules, several ranks), of
 * another model, or changes what is no matrix of its own in D. */
void adapter_add(weights *w, const transformer *D, const char *folder);
#endif
