/* SPDX-License-Identifier: GPL-3.0-or-later
 * block.h - a block of a transformer over any arithmetic, evaluated here for theorems, whose weights are drawn
 * (model.h), and for checkpoints, whose weights are those of files (src/checkpoint/forward.h).
 *
 * Row convention: X is (n x d), weights act on the right.  N1, N2 are norms, where they stand (role.h), c is a factor,
 * skips are in brackets:
 *   Y = [X +] c A(N1 X)          X' = [Y +] c F(N2 Y), parallel: [Y +] c F(N2 X)
 *   A(Z) = concat over heads a of rowmap(scores_a((Z W_Q^a) (Z W_K^g)')) (Z W_V^g), times W_O;  g = a / (h / h_kv)
 *   F(Z) = phi(Z W_up) W_down, or (phi(Z W_gate) o (Z W_up)) W_down, or of experts
 *          sum over e of w_e F_e(Z), w as routing.h says, [+ sigmoid(Z g) F_shared(Z)]; their sum without a router
 * with the biases that there are.  A query or key of a head is behind a norm, where that has a gain, and turned. */
#ifndef MODEL_BLOCK_H
#define MODEL_BLOCK_H
#include "numerics/mat.h"
#include "src/model/role.h"

/* A part of the weights, made in s or older: a matrix in x out, a vector 1 x n, a gain 1 x n or its diagonal matrix;
 * NULL: the model has none (W_Q that is the identity, a bias, a gain).  where: a layer, an expert, or -1: neither.
 * first, count: some of its rows or columns, as forward.h says; 0, 0: the whole, which is what a block asks for. */
typedef const mat *weight_part(void *of, scope *s, tensor_role role, long where, long first, long count);

/* Where weights come from, and what is done on the way; all but `part` may be NULL.
 *   function   the number of that MLP's activation; NULL: 0
 *   scores     what becomes of a head's scores in front of the row map
 *   seen       that half of that layer came to `is`, which is returned; attending to so many tokens, an MLP: 0 */
typedef struct {
    void        *of;
    weight_part *part;
    int        (*function)(const void *of, long where);
    const mat *(*scores)(const void *of, scope *s, const mat *X, long head);
    const mat *(*seen)(const void *of, scope *s, long where, layer_half half, long tokens, const mat *is);
} weight_view;

/* Not at all; by mat_rotate, the angles of the arithmetic; by cosines and sines, pairs (i, k + i) or (2i, 2i + 1). */
typedef enum { TURN_NOT, TURN_ROTATE, TURN_HALVES, TURN_PAIRS } head_turn;
/* As it is, or: gelu by tanh; with 0.79788456 in it; the square of relu. */
typedef enum { ACTIVATION_PLAIN, ACTIVATION_BY_TANH, ACTIVATION_BY_TANH_SHORT, ACTIVATION_SQUARED } activation_form;

typedef struct {
    weight_view  view;
    long         layer, mlp;             /* where its attention and norms are; its MLP, or the first expert  */
    int          at;                     /* of its functions: place.layer                               */
    long         h, h_kv, dk;
    rowmap       map;
    norm_kind    norm;
    long         log2eps;
    const mat   *shrink;                 /* 1 x 1: sqrt(2^log2eps / eps); NULL: eps is 2^log2eps        */
    bool         offset_gain;            /* gains multiply by 1 + w                                     */
    norm_places  norms;
    bool         qk_whole;               /* norms of all queries and of all keys, not head by head      */
    head_turn    turn;
    const mat   *cos, *sin;              /* n x k: of each position; coordinates behind 2 k do not turn */
    bool         slim;                   /* W_V acts on the keys before they turn                       */
    activation   act;
    activation_form form;
    bool         gated;                  /* MLPs may have a gate                                        */
    long         experts, chosen;        /* 0: one MLP; of which a token meets so many                  */
    bool         of_chosen, shared;      /* w is over those chosen; one more expert, that all tokens meet */
    bool         parallel, attn_skip, mlp_skip;
    const mat   *added_factor;           /* 1 x 1: c; NULL: 1                                           */
} transformer_block;

/* Z W + b, of which the weights are freed; Z + b where there is no W. */
const mat *block_affine(scope *s, const transformer_block *B, const mat *Z, tensor_role weight, tensor_role bias,
                        long where);
const mat *block_norm(scope *s, const transformer_block *B, const mat *X, tensor_role gain, tensor_role bias,
                      long where, place at);
const mat *block_activate(scope *s, const transformer_block *B, const mat *X, place at);
/* The heads (n x h dk) of Q (n x h dk), K, V (n x h_kv dk); the same of Z. */
const mat *block_heads(scope *s, const transformer_block *B, const mat *Q, const mat *K, const mat *V);
const mat *block_self_attention(scope *s, const transformer_block *B, const mat *Z);
/* A(Z), F(Z), N1 X, Y, X' as above, all n x d; N1 X is X where no norm stands in front. */
const mat *block_attention(scope *s, const transformer_block *B, const mat *Z);
const mat *block_mlp(scope *s, const transformer_block *B, const mat *Z);
const mat *block_input(scope *s, const transformer_block *B, const mat *X);
const mat *block_after_attention(scope *s, const transformer_block *B, const mat *X);
const mat *block_after_mlp(scope *s, const transformer_block *B, const mat *X, const mat *Y);
#endif
