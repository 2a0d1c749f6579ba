/* SPDX-License-Identifier: GPL-3.0-or-later
 * role.h - what a weight of a transformer is, where its norms stand, and the halves of a layer. */
#ifndef MODEL_ROLE_H
#define MODEL_ROLE_H

/* What a tensor is.  The residual stream is read by Q, K, V, QKV, up, gate and the head, and written by the
 * embeddings, O and down. */
typedef enum {
    ROLE_UNKNOWN, ROLE_BUFFER,           /* a buffer: masks and tables that other programs store along  */
    ROLE_EMBED, ROLE_POSITION, ROLE_EMBED_GAIN, ROLE_EMBED_BIAS, ROLE_HEAD, ROLE_HEAD_BIAS, ROLE_FINAL_GAIN,
    ROLE_FINAL_BIAS,
    ROLE_GAIN1, ROLE_BIAS1, ROLE_Q, ROLE_K, ROLE_V, ROLE_QKV, ROLE_O, ROLE_Q_BIAS, ROLE_K_BIAS, ROLE_V_BIAS,
    ROLE_QKV_BIAS, ROLE_O_BIAS, ROLE_Q_GAIN, ROLE_K_GAIN, ROLE_GAIN2, ROLE_BIAS2, ROLE_UP, ROLE_GATE, ROLE_DOWN,
    ROLE_UP_BIAS, ROLE_GATE_BIAS, ROLE_DOWN_BIAS, ROLE_GATE_UP, ROLE_POST_GAIN1, ROLE_POST_GAIN2,
    ROLE_POST_BIAS1, ROLE_POST_BIAS2,
    ROLE_TOKEN_TYPE, ROLE_PAD_POSITION,  /* of encoders: rows for kinds of tokens; the position of those that pad */
    ROLE_BUCKETS,                        /* biases of scores, by distance and head                      */
    ROLE_DENSE, ROLE_DENSE_BIAS, ROLE_DENSE_GAIN, ROLE_DENSE_SHIFT,   /* in front of a head: a layer and its norm */
    ROLE_POOL, ROLE_POOL_BIAS, ROLE_NEXT, ROLE_NEXT_BIAS,      /* read the first token; not computed here */
    ROLE_ROUTER, ROLE_SHARED_GATE,       /* of a layer with experts: one row for each; one row          */
    ROLE_EXPERTS_GATE_UP, ROLE_EXPERTS_DOWN,     /* of all experts, stacked; they become views          */
    ROLES
} tensor_role;

/* Norms in front of attention and MLP; one in front of both, which are parallel; behind them; in front and behind;
 * behind the sums of the stream and what they add: the stream itself is normalised. */
typedef enum { NORMS_BEFORE, NORMS_SHARED, NORMS_BEHIND, NORMS_AROUND, NORMS_OF_SUMS } norm_places;
typedef enum { HALF_ATTENTION, HALF_MLP } layer_half;
#endif
