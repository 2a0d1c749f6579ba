/* SPDX-License-Identifier: GPL-3.0-or-later
 * layers.c - see layers.h. */
#include "src/train/layers.h"

/* ---- linear ---------------------------------------------------------------------------------------------- */

void linear_forward(const net *n, const linear *l, long R, const void *x, const void *residual, void *y,
                    number_kind kind)
{
    const ops *o = n->o;
    const void *W = net_weight_act(n, l->w);
    REQUIRE(!l->bias || kind == ACT, "a bias is added to ACT numbers");
    if (l->bias && o->linear_fwd) {
        o->linear_fwd(y, x, W, net_weight_act(n, l->b), residual, R, l->out, l->in);
        return;
    }
    o->gemm(false, true, R, l->out, l->in, 1, x, l->in, W, l->in, residual ? 1 : 0, residual, y, l->out, kind);
    if (l->bias) o->bias_fwd(y, net_weight(n, l->b), R, l->out);
}

void linear_backward(const net *n, const linear *l, long R, const void *dy, const void *x, void *dx, const void *plus)
{
    const ops *o = n->o;
    void *dW = net_gradient(n, l->w);
    o->gemm(true, false, l->out, l->in, R, 1, dy, l->out, x, l->in, 1, dW, dW, l->in, WIDE);
    if (l->bias) o->bias_bwd(net_gradient(n, l->b), dy, R, l->out);
    if (dx) o->gemm(false, false, R, l->in, l->out, 1, dy, l->out, net_weight_act(n, l->w), l->in, plus ? 1 : 0, plus,
                    dx, l->in, ACT);
}

/* ---- LayerNorm ------------------------------------------------------------------------------------------- */

layernorm layernorm_add(param_table *t, long block, const char *gain, const char *bias, long width, double eps)
{
    char name[LAYER_NAME];
    layernorm l = { .present = true, .has_bias = bias, .width = width, .eps = eps };
    l.gain = params_add(t, layer_name(name, block, gain), 1, width, false, INIT_ONE, 0);
    if (bias) l.bias = params_add(t, layer_name(name, block, bias), 1, width, false, INIT_ZERO, 0);
    return l;
}

void layernorm_buffers(net *n, layernorm *l, long R)
{
    if (!l->present) return;
    l->mean = arena_take_wide(n, R);
    l->rstd = arena_take_wide(n, R);
}

void layernorm_forward(const net *n, const layernorm *l, long R, const void *x, void *y)
{
    if (l->present)
        n->o->norm_fwd(y, l->mean, l->rstd, x, net_weight(n, l->gain), l->has_bias ? net_weight(n, l->bias) : NULL, R,
                       l->width, l->eps);
    else if (y != x)
        n->o->cast_to_act(y, x, (size_t)(R * l->width));
}

void layernorm_backward(const net *n, const layernorm *l, long R, const void *dy, const void *x, void *dx,
                        void *dx_act)
{
    if (l->present) {
        n->o->norm_bwd(dx, dx_act, net_gradient(n, l->gain), l->has_bias ? net_gradient(n, l->bias) : NULL, dy, x,
                       l->mean, l->rstd, net_weight(n, l->gain), R, l->width);
        return;
    }
    n->o->add(dx, dy, (size_t)(R * l->width));
    if (dx_act) n->o->cast_to_act(dx_act, dx, (size_t)(R * l->width));
}

/* ---- MLP ------------------------------------------------------------------------------------------------- */

void mlp_buffers(net *n, mlp *l, long R)
{
    l->u = arena_take_act(n, R * l->fc.out);
    l->g = arena_take_act(n, R * l->fc.out);
}

void mlp_forward(const net *n, const mlp *l, long R, const void *x, const void *residual, void *y, number_kind kind)
{
    linear_forward(n, &l->fc, R, x, NULL, l->u, ACT);
    n->o->activation_fwd(l->g, l->u, (size_t)(R * l->fc.out), ACTIVATION_GELU);
    linear_forward(n, &l->proj, R, l->g, residual, y, kind);
}

void mlp_backward(const net *n, const mlp *l, long R, const void *dy, const void *x, void *du, void *dx)
{
    linear_backward(n, &l->proj, R, dy, l->g, du, NULL);
    n->o->activation_bwd(du, du, l->u, (size_t)(R * l->fc.out), ACTIVATION_GELU);
    linear_backward(n, &l->fc, R, du, x, dx, NULL);
}
