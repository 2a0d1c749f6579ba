/* SPDX-License-Identifier: GPL-3.0-or-later
 * rewrite.h - a checkpoint rewritten by the constructions of the theorems: other weights, the same function.
 *
 * Theta_i is the basis of the residual stream in front of layer i, Theta_L that in front of the head; skips around the
 * MLPs make all of them one.  With the gains G and biases beta of the norms folded (or G = I, beta = 0), and with C in
 * the place of a norm that only centres (C = I - 11'/d; else C = I):
 *     stream     x~ = x C Theta + c
 *     reads      W~ = Theta^-1 G W,  b~ = b + beta W - c W~           (W_Q, W_K, W_V, gate, up, head)
 *     writes     W~ = W C Theta,     b~ = b C Theta                   (embedding, positions, W_O, down); c once
 * and then the gauges of the heads, which leave the stream alone:
 *     W_V^g D, D^-1 W_O^a  (b_V D),   W_Q^a D, W_K^g D^-T  (b_Q D, b_K D^-T)   for all query heads a of key head g
 * Claims: N1, N1b, K-P3.2 (heads); K-T4.2, K-T4.3, K-T4.4, K-R2, N4 (bases); N7, N20 (rotations); N18, K-P4.1,
 * N11 (attention_forms.c). */
#ifndef CHECKPOINT_REWRITE_H
#define CHECKPOINT_REWRITE_H
#include "src/checkpoint/forward.h"
#include "src/checkpoint/gauge_file.h"

typedef enum { STREAM_KEPT, STREAM_EVERY_QUERY, STREAM_SHARED_QUERY, STREAM_NO_LAYERNORM, STREAM_ONE_QUERY,
               STREAM_TRIANGLE, STREAM_STACKED, STREAM_CHANGES } stream_change;

typedef struct {
    stream_change stream;
    long layer;                          /* whose W_Q, or W_K and W_V, the basis is chosen for; where it is one layer */
    bool values;                         /* dk rows of W_V of each key head become I                    */
    bool queries;                        /* dk rows of W_K, or of W_Q where each head has keys of its own */
    bool pairs;                          /* with RoPE: one pair of numbers of W_K for each rotary pair becomes (1, 0) */
    bool row;                            /* behind LayerNorm: a row of each W_Q becomes 0                */
    bool collapse;                       /* one head: W_K (W_Q stays where it is I) and W_O become I     */
    bool slim;                           /* values are computed from keys: the file is no stock file       */
    bool untie;                          /* the head becomes an untied matrix                           */
    /* [L * h_kv]: key heads whose block is singular and stays; NULL: none */
    const bool *keep_values, *keep_queries;
} rewrite_plan;

typedef struct rewrite rewrite;
/* D stays the caller's.  R: numbers with square roots where the plan is a triangle or leaves out LayerNorms.
 * Contract: nothing of D is unknown, unreadable, quantised, or an identity that is not stored where the stream
 * changes. */
rewrite *rewrite_open(const transformer *D, rewrite_plan plan, const arith *R);
void     rewrite_close(rewrite *r);
/* NULL, or why the construction failed in this arithmetic: W_Q is singular, or its balls are too wide.  To be asked
 * again after the parts that were asked for. */
const char *rewrite_undecided(const rewrite *r);
/* Its weights before they are rounded, over the arithmetic of the scope that it is asked in, which must be R.  One
 * caller at a time: a layer's attention is kept until another layer is asked for. */
weight_source rewrite_source(rewrite *r);
const transformer *rewrite_model(const rewrite *r);      /* its sizes and switches; tensor_of: the original's  */
/* W, a part of that role, with the coordinates of its heads in the order of `to`. */
const mat *rewrite_pairs(const rewrite *r, scope *s, const mat *W, tensor_role role, rotary_pairs to);
/* Whether the weight differs from that of the file. */
bool rewrite_changes(const rewrite *r, tensor_role role);

/* Why what it does is not gauges alone, which a gauge_file holds; NULL: it is. */
const char *rewrite_no_gauges(const rewrite *r);
/* The gauges go to `to` as they are made: it has all of them once every part was asked for. */
void rewrite_tell_gauges(rewrite *r, gauge_file *to);

/* Whether W_Q of this layer is the identity, and W_K and W_V the stacked identities. */
bool rewrite_query_is_one(const rewrite *r, long layer);
bool rewrite_keys_are_ones(const rewrite *r, long layer);

/* ---- between the files that build it ------------------------------------------------------------------------- */

/* Theta^-1, C Theta, c, c Theta^-1; NULL: the identity, no shift. */
typedef struct { const mat *back, *write, *shift, *read_shift; } stream_basis;

/* Theta^-1 G, c Theta^-1 G, G (d x 1) of the norm with that gain; NULL: the identity, no shift, no gain. */
typedef struct { const mat *back, *shift, *g; tensor_role gain; long layer; } stream_reader;

struct rewrite {
    const transformer *D;
    transformer model;
    rewrite_plan plan;
    const arith *R;
    bool fold;
    scope keep, layer, read;             /* of the bases; of the attention of layer `at`; of reader      */
    stream_reader reader;                /* the last                                                     */
    long at;
    stream_basis *in;                    /* [L + 1]; where each layer has a basis of its own: to be asked for */
    long held;                           /* then: of these the only one that is there; -1: none           */
    const mat *scale;                    /* 1 / sqrt(eps) in front of folded gains, 1 x 1                */
    const mat *triangle, **turn, **turn_back;    /* W_Q~ of the layer; D and D^-T of each key head       */
    const mat *of[ROLES];                /* the attention of layer `at`                                  */
    gauge_file *told;                    /* NULL: nobody asks for the gauges                             */
};
const mat *rewrite_folded_gain(rewrite *r, scope *s, tensor_role gain, long layer);      /* d x 1; NULL: none */
void rewrite_choose_basis(rewrite *r);   /* bases of the stream: stream_basis.c, rotation.c             */
/* The basis in front of a layer, layer L: the head.  Stays until that of another layer is asked for. */
const stream_basis *rewrite_basis(rewrite *r, long layer);
/* C Theta alone, in s where the basis is not there; NULL: the identity. */
const mat *rewrite_writer(rewrite *r, scope *s, long layer);
void rewrite_rotate(rewrite *r);
void rewrite_head_gauges(rewrite *r, long layer);        /* of r->of: head_gauges.c                     */
void rewrite_zero_row(rewrite *r, long layer);           /* of r->of: attention_forms.c                 */
/* LayerNorm gives rows z diag(g) + beta with z 1 = 0, so z diag(g) c = 0 for c_i = g_at / g_i, and
 *     W~ = W - c W[at, :],  b~ = b + beta c W[at, :]
 * are as good as W (d x n) and b (1 x n); row `at` of W~ is 0 (N18).  g, beta: 1 x d.  beta NULL: no bias changes. */
void zero_row_form(scope *s, const mat *g, const mat *beta, long at, const mat **W, const mat **b);
void rewrite_collapse(rewrite *r, long layer);
void rewrite_slim(rewrite *r, long layer);
/* Omega of W = Omega U, U upper triangular with a positive diagonal: exactly orthogonal, in balls.  W: n x n. */
const mat *orthogonal_factor(scope *s, const mat *W);
/* [0; I; 0]: n columns of the identity from column `first` on, d x n */
const mat *unit_columns(scope *s, long d, long first, long n);
/* Blocks (re, im; -im, re) at the rotary pairs of a head, 1 at the coordinates that do not turn; re, im: n x 1. */
const mat *rotary_blocks(const transformer *D, scope *s, const mat *re, const mat *im);
void rotary_pair(const transformer *D, long k, long *p, long *q);        /* the coordinates of pair k       */
#endif
