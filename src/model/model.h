/* SPDX-License-Identifier: GPL-3.0-or-later
 * model.h - a transformer as the papers mean it, over any arithmetic, with all its switches; block.h evaluates a layer.
 *
 * Row convention: X is (n x d), weights act on the right.  Per layer (pre-norm):
 *   S   = concat over heads a of rowmap(scale (N X W_Q^a)(N X W_K^a)') (N X W_V^a)     n x h dk
 *   Y   = [X +] S W_O          X' = [Y +] phi(N Y W_up) W_down            skips in brackets
 * parallel: X' = [X +] S W_O + MLP(N X), one skip (attn_skip).   logits = N_f(X_L) W_LM,
 * X_0 = T E + P, T one-hot.  Every norm has epsilon 2^-17.  A mixture of experts weighs its MLPs by the
 * row map of the attention's kind, unscaled, of the router's scores.  Experts without a router are the parts of
 * one MLP: their outputs are added, and neuron j of a part has the activation of neuron j of part `function`. */
#ifndef MODEL_H
#define MODEL_H
#include "numerics/mat.h"
#include "src/model/role.h"
#include "src/model/shape.h"

typedef struct {
    const mat *up, *gate, *down;     /* d x m, d x m or NULL, m x d                               */
    const mat *b_up, *b_gate, *b_down;                  /* 1 x m, 1 x m, 1 x d; NULL without biases */
    int function;                    /* index of its opaque activation; its own number in a drawn model */
} mlp;

typedef struct {
    const mat *Q, *K, *V, *O;        /* d x h dk, d x h_kv dk, d x h_kv dk, h dk x d              */
    const mat *bQ, *bK, *bV, *bO;    /* one row each; NULL without biases                         */
    const mat *gain1, *gain2;        /* d x d diagonal; NULL without norm                         */
    const mat *bias1, *bias2;        /* 1 x d; NULL but for LayerNorm with biases                 */
    const mat *gain_q, *gain_k;      /* dk x dk diagonal; NULL without QK-norm                    */
    const mat *router;               /* d x experts; NULL without experts, or where they are parts */
    mlp expert[MAX_EXPERTS];         /* expert[0] is the MLP of a model without experts; a part whose
                                        `up` is NULL is not there                                 */
} layer;

typedef struct {
    shape s;
    const unsigned char *visible;    /* n x n of the mask; NULL when all is visible               */
    const mat *tokens;               /* T, n x V, one-hot rows                                    */
    const mat *E, *P;                /* V x d embedding, n x d positions; P NULL: none            */
    const mat *head;                 /* d x V; NULL when tied: then it is E'                      */
    const mat *gain_f, *bias_f;      /* of the final norm, as gain1 and bias1                     */
    long first;                      /* the number of layer 0 among the places of functions; 0 in whole models */
    layer at[MAX_LAYERS];            /* matrices are shared between models, never written through */
} model;

long  model_token (const scope *s, const shape *sh, long i);         /* the token at position i of model_random */
model model_random(scope *s, shape sh);                     /* sh completed; all matrices owned by s */
model model_bare  (scope *s, shape sh);                     /* the same without weights and tokens: shape and mask */
layer model_layer (scope *s, const shape *sh, long number); /* a random layer, as layer `number` of model_random */

const mat *model_input(scope *s, const model *M, long i, const mat *X);            /* N X of attention, n x d */
const mat *model_embed(scope *s, const model *M);                                  /* X_0, n x d         */
/* g of Observation 3.1: the attention of layer i from Q (n x h dk), K, V (n x h_kv dk); n x h dk */
const mat *model_attention_of(scope *s, const model *M, long i, const mat *Q, const mat *K, const mat *V);
const mat *model_self_attention(scope *s, const model *M, long i, const mat *X);   /* S, n x h dk        */
const mat *model_attention(scope *s, const model *M, long i, const mat *X);        /* S W_O [+ b], n x d */
const mat *model_mlp(scope *s, const model *M, long i, const mat *Y);              /* n x d              */
const mat *model_block(scope *s, const model *M, long i, const mat *X);            /* n x d              */
const mat *model_head(scope *s, const model *M, const mat *X);                     /* logits, n x V      */
const mat *model_forward(scope *s, const model *M);                                /* logits, n x V      */
/* A model of so many layers is evaluated in s: by model_forward, or layer by layer, by whatever function takes a
 * layer's number, from the second layer on, or, whatever their numbers, one behind the other.  (Of the first alone
 * nothing is noted: a step speaks of any layer.)
 * s->depth keeps the largest: what was seen at this depth holds at others only by an induction. */
void model_note_depth(scope *s, long layers);
/* The same of layer i of M, which came to `is`, attending to so many tokens, and what src/model/constrained.h keeps of
 * it; returns `is`.  Whatever evaluates a layer ends so. */
const mat *model_note_layer(scope *s, const model *M, long i, layer_half half, long tokens, const mat *is);
/* The embedding, or the head, of M likewise. */
const mat *model_note_end(scope *s, const model *M, bool head, const mat *is);

/* The addresses of all weight matrices in use (embeddings and head included, biases and gains
 * not), for tests and the minimal control; at most `max`, returns how many there are. */
long model_weights(model *M, const mat **out[], long max);
#endif
