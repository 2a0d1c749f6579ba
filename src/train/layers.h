/* SPDX-License-Identifier: GPL-3.0-or-later
 * layers.h - the layers that models are built of, each with its forward and its backward pass.
 *
 * A layer is the offsets of its weights in the net's table and the activations that it saves for the backward pass.
 * R rows: batch times positions.  Tensors are ACT (ops.h), but the residual stream and its gradient, which are WIDE. */
#ifndef TRAIN_LAYERS_H
#define TRAIN_LAYERS_H
#include "src/train/net.h"

typedef struct {                         /* y = x W' + b                                                */
    bool   weight, bias;                 /* which of the two there are                                  */
    long   out, in;                      /* W is out x in                                               */
    size_t w, b;
} linear;
/* y = x W' + b [+ residual];  x R x in, y and residual R x out and of `kind`; a bias needs ACT. */
void linear_forward (const net *n, const linear *l, long R, const void *x, const void *residual, void *y,
                     number_kind kind);
/* dW += dy' x, db += dy, dx = dy W [+ plus];  dy R x out, x, dx and plus R x in; dx NULL: it is not wanted. */
void linear_backward(const net *n, const linear *l, long R, const void *dy, const void *x, void *dx, const void *plus);

typedef struct {                         /* y = (x - mean) / sqrt(variance + eps) gain + bias, row by row */
    bool   present, has_bias;            /* not present: the identity                                   */
    long   width;
    double eps;
    size_t gain, bias;
    void  *mean, *rstd;                  /* [R], WIDE: saved for the backward pass                      */
} layernorm;
/* Appends gain, and bias where it has a name, to the table. */
layernorm layernorm_add(param_table *t, long block, const char *gain, const char *bias, long width, double eps);
void layernorm_buffers (net *n, layernorm *l, long R);
/* x R x width, WIDE;  y R x width, may be x where the layer is the identity and both kinds of number are one type. */
void layernorm_forward (const net *n, const layernorm *l, long R, const void *x, void *y);
/* dx += the gradient at x; dx_act = dx, rounded, or NULL;  dx, x WIDE, dy, dx_act ACT, all R x width */
void layernorm_backward(const net *n, const layernorm *l, long R, const void *dy, const void *x, void *dx,
                        void *dx_act);

typedef struct {                         /* y = GELU(x W_fc' + b_fc) W_proj' + b_proj                   */
    linear fc, proj;                     /* hidden x width, width x hidden                              */
    void  *u, *g;                        /* R x hidden: before and after GELU, saved for the backward pass */
} mlp;
void mlp_buffers (net *n, mlp *l, long R);
/* y [= residual +] MLP(x), as linear_forward */
void mlp_forward (const net *n, const mlp *l, long R, const void *x, const void *residual, void *y, number_kind kind);
/* du: R x hidden numbers of room, may be l->g; dx may be NULL */
void mlp_backward(const net *n, const mlp *l, long R, const void *dy, const void *x, void *du, void *dx);
#endif
