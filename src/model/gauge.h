/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge.h - changes of basis that leave the function of a model alone, or should.
 *
 * The residual stream may be written in another basis, X~ = X Theta, wherever something stands
 * between two bases that can absorb the change: every matrix that reads the stream takes Theta^-1
 * from the left, every matrix that writes to it takes Theta from the right.  A skip connection
 * carries the stream unchanged, so it forces equal bases on both sides; gauge_stream does not
 * check that, for the controls break it on purpose. */
#ifndef GAUGE_H
#define GAUGE_H
#include "src/model/model.h"

typedef struct { const mat *to, *from; } basis;             /* Theta and Theta^-1, both d x d      */
basis gauge_basis(scope *s, const mat *Theta);                 /* UNDECIDED where Theta is singular   */
basis gauge_identity(scope *s, long d);

/* M with its stream rewritten: at[2i] is the basis of the input of block i, at[2i+1] the one between
 * its attention and its MLP (not used by parallel blocks), at[2L] the one the head reads.
 * A tied head stays tied: it becomes (E at[0])'. */
model gauge_stream(scope *s, const model *M, const basis at[]);
/* One layer alone, X in -> block(X) out: where only the MLP has a skip the basis changes across the attention, else
 * across the MLP. */
layer gauge_layer(scope *s, const shape *sh, const layer *W, basis in, basis out);
model gauge_uniform(scope *s, const model *M, basis Theta);  /* the same basis everywhere          */

/* Proposition 3.2 in a layer: W_Q diag(D_a), W_K diag(D_a)^-T for D[a] (dk x dk), one per key-value
 * head; query heads of one group share the D of their key head.  Biases go with their weights. */
void gauge_query_key(scope *s, const shape *sh, layer *W, const mat *const D[]);
/* The same for values and outputs: W_V diag(D_g), diag(D_a)^-1 W_O. */
void gauge_value_output(scope *s, const shape *sh, layer *W, const mat *const D[]);
#endif
