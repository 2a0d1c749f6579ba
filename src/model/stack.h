/* SPDX-License-Identifier: GPL-3.0-or-later
 * stack.h - attention without MLPs, as the second paper stacks it.
 *
 * Tokens are the rows of X (n x N).  Layer s of a model M, whose MLPs, embedding and head are not used, is
 *     X  ->  [X +] sum_h A_h(N X) (N X) W_V^h W_O^h [+ biases],        A_h(Y) = rowmap(Y W_Q^h W_K^h' Y'),
 * with the skip (attn_skip) and the norm N that M has.  A stack is its M->s.L layers, one after another. */
#ifndef STACK_H
#define STACK_H
#include "src/model/model.h"

/* One head of the model's width, square matrices, scores that are not scaled, no skip, no norm (Sections 1, 3). */
void stack_single_head(shape *sh);
/* The same with the shape's own heads (Section 4). */
void stack_multi_head(shape *sh);

const mat *stack_input  (scope *s, const model *M, long i, const mat *X);           /* N X, n x N          */
const mat *stack_weights(scope *s, const model *M, long i, long a, const mat *X);   /* A_a(N X), n x n     */
/* Token `row` of the layer's output, 1 x N, from the weights of its own row alone. */
const mat *stack_token  (scope *s, const model *M, long i, long row, const mat *X);
const mat *stack_layer  (scope *s, const model *M, long i, const mat *X);           /* n x N               */
const mat *stack_output (scope *s, const model *M, const mat *X);                   /* all layers, n x N   */
/* W_V^a, W_O^a and so on: the part of head a. */
const mat *stack_columns(scope *s, const model *M, const mat *W, long a);           /* of Q, K, V: N x dk  */
const mat *stack_rows   (scope *s, const model *M, const mat *W, long a);           /* of O: dk x N        */
#endif
