/* SPDX-License-Identifier: GPL-3.0-or-later
 * symmetry.h - is B an image of A under symmetries that need no search?  Gains say by what their readers are scaled,
 * the numbers of a neuron or of a coordinate of a head agree on one factor, and what biases and means add up to is
 * compared.
 *
 *   norm(x) = n g + beta with n of mean 0 (LayerNorm) or of mean square 1; a reader: n (diag(g) W) + (beta W + b):
 *     diag(g) W the same, LayerNorm: but for 1 v'           gains folded, AWQ, SmoothQuant; readers centred (N18)
 *     beta W + b the same                                   the bias of a norm folded
 *   W_Q's column x c, b_Q x c, W_K's / c, b_K / c           diag(c) of K-P3.2; equal c in a rotary pair.  Behind Q
 *                                                           and K norms c = -1 alone, and Q gain x c, K gain / c.
 *                                                           Where scores have another factor in B, the two take its
 *                                                           ratio up
 *   b_K anything, without rotary positions and Q, K norms   q . b_K is the same for all keys: softmax drops it (N16)
 *   W_V's column x c, W_O's rows / c                        the gauge diag(c) of N1, for all query heads of a key head
 *   (beta W_V + b_V) W_O + b_O the same                     rows of softmax sum to 1 (N16); b_V is the key head's
 *   up's column x t, b_up x t, down's row / t               gated: act(gate) . (up t) (down / t); ReLU: t > 0 (B-28);
 *                                                           of each expert
 *   router + y 1'                                         the entries of a token move together: the softmax and the
 *                                                           choice of experts are the same
 *   a constant to each row of what writes to the stream     LayerNorms alone read it: each subtracts the mean
 *   head + y 1'                                             the logits of a token move together: the same up to softmax
 *
 * All at once, layer by layer.  A power of two is exact; the image for any other factor is rounded once for each and
 * once for B.  Where products are added up, an entry may be off by what rounding them explains: symmetry_parts.h. */
#ifndef CHECKPOINT_SYMMETRY_H
#define CHECKPOINT_SYMMETRY_H
#include "src/checkpoint/structure.h"

typedef struct {
    bool   found;
    bool   up_to_a_constant;             /* not found, but for one constant of the logits for each token       */
    bool   exact;                        /* every number of B is that of the image                      */
    double units, allowed;               /* of the entry that is nearest to what it is allowed: how far, and how much,
                                            in roundings to the coarser type (relation.h)               */
    long   gains, neurons, values, keys; /* coordinates of norms, neurons, coordinates of values, and of queries and
                                            keys, whose factor is not 1                                 */
    long   norm_biases, value_biases;    /* norms whose bias, layers whose b_V is in the biases behind it */
    long   key_biases;                   /* b_K that differ and do not matter                           */
    long   readers, writers;             /* lines of parts that are centred: columns, rows              */
    long   routers;                      /* whose rows have another mean                                */
    bool   factor;                       /* scores have another factor in B                             */
    tensor_role role;                    /* not found: the part that is no image                        */
    long   layer;
} symmetry_found;

/* s: of A and B.  Contract: as structure_of. */
symmetry_found symmetry_between(const transformer *A, const transformer *B, const structure *s);
#endif
