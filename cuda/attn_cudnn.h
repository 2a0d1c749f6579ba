/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_cudnn.h - attention by cuDNN, as a graph of its backend interface; the library is loaded at run time.
 *
 * Numbers are bf16, lse float; shapes and strides as in src/train/ops.h.  The functions do nothing and return
 * false when libcudnn.so.9 or a device is missing, when cuDNN declines the shape (head sizes that are not multiples
 * of 8), when an output is accumulated, or when `work` (s->room bytes) is too small.  The backward pass
 * is requested in its deterministic form.  Plans are cached: one per shape, strides and direction. */
#ifndef CUDA_ATTN_CUDNN_H
#define CUDA_ATTN_CUDNN_H
#include "src/train/ops.h"

bool   attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                      void *stream);
bool   attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                      heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream);
size_t attn_cudnn_work(const attn_shape *s);     /* 0: cuDNN cannot do this shape */
const char *attn_cudnn_why(void);                /* why the last call returned false */

/* For the check without a GPU: builds the graph of one direction for the device that `json` describes and asks the
 * heuristics.  Returns the number of engine configurations that cuDNN offers, deterministic ones for the backward pass;
 * *nodes and *compiled say how many nodes the graph has and how many configurations became plans, or failed only
 * because the machine code could not be loaded.  0 and attn_cudnn_why() when the graph is refused.         */
typedef struct { heads Q, K, V, O, dO, dQ, dK, dV; } attn_cudnn_layout;      /* strides only */
int attn_cudnn_try(const char *json, bool back, const attn_shape *s, const attn_cudnn_layout *at, int *nodes,
                   int *compiled);
#endif
