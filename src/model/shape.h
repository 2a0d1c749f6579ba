/* SPDX-License-Identifier: GPL-3.0-or-later
 * shape.h - the sizes and switches of a model (model.h), and the same as text. */
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H
#include "numerics/functions.h"

enum { MAX_LAYERS = 64, MAX_HEADS = 64, MAX_EXPERTS = 8 };
typedef enum { MASK_CAUSAL, MASK_FULL, MASK_ARBITRARY /* random; every token sees itself */ } mask_kind;

typedef struct {
    long n, d, h, dk, m, V, L;       /* tokens, width, heads, head width, MLP width, vocabulary, layers */
    long h_kv;                       /* key and value heads, divides h; 0 = h (MHA), 1 = MQA            */
    mask_kind mask;
    bool attn_skip, mlp_skip, parallel;
    norm_kind norm;                  /* before attention, before the MLP, before the head               */
    activation act;
    rowmap_kind attention;
    long scale_num, scale_den;       /* scores times sqrt(num/den); 0 = 1/dk                            */
    bool gated;                      /* MLP: (phi(Y W_gate) * Y W_up) W_down                            */
    long experts;                    /* 0: one MLP; else mixture of experts with router d x experts     */
    bool tied, biases, rope, qk_norm;
    bool no_positions;               /* no learned positions: X_0 = T E                                 */
    long shared;                     /* layers i and i + shared have equal weights; 0 = none shared     */
} shape;

/* Fills defaults (h_kv, dk = d/h, scale) and checks; returns NULL, or static text that says what
 * is wrong and what to do. */
const char *shape_complete(shape *sh) MUST_USE;
/* "n=4,d=8,h=2,..." : every field that is not default, after defaults from `base`; NULL or error text. */
const char *shape_parse(shape *sh, const char *text) MUST_USE;
/* The same without checks, defaults or completion. */
const char *shape_set(shape *sh, const char *text) MUST_USE;
void shape_print(char *buffer, size_t size, const shape *sh);   /* the inverse; the whole shape  */
long shape_block(const shape *sh, long i);                      /* i, or i mod shared            */
#endif
