/* SPDX-License-Identifier: GPL-3.0-or-later
 * constrained.h - which weights of a model are not as they are drawn, in words for a list of hypotheses.
 *
 * A theorem about all models compares models of model_random.  A weight that a table or a body sets instead is a
 * hypothesis, whatever name its matrices were drawn under: each slot of the model is compared with what model_random
 * has there, and each that differs is "constrained W_Q", with what it is where that is short: "constrained W_K = W_Q"
 * (of the same layer), "constrained gain1 = I", "constrained W_V = 0", "constrained W_router = none".  Tokens T and the
 * mask are slots like the others. */
#ifndef CONSTRAINED_H
#define CONSTRAINED_H
#include "src/model/model.h"

#define CONSTRAINED "constrained "                       /* every such word begins so                       */
enum { CONSTRAINED_SIZE = 512 };                         /* of a list, "; " between its words, each once    */

/* Is `name` that of a weight of some layer, "W_Q.7"?  Then hypotheses call it W_Q. */
bool constrained_is_slot(const char *name);
void constrained_layer(scope *s, const layer *W, const layer *drawn, char list[CONSTRAINED_SIZE]);
/* A half of layer i of M was evaluated, and came to `is`, which returns, marked (mat.h): whatever is computed from it
 * is of this layer.  A weight that the body drew, under whatever name, and that is no other one of its model, is any
 * weight. */
const mat *constrained_see_layer(scope *s, const model *M, long i, layer_half half, const mat *is);
/* The settings of M, some part of which was evaluated on so many tokens, beside those of s->plan; `is` as above. */
const mat *constrained_see_settings(scope *s, const model *M, long tokens, const mat *is);
/* The embedding, or the head, of M was evaluated, and came to X, as above. */
const mat *constrained_see_end(scope *s, const model *M, bool head, const mat *X);
/* For scope.applied.  A body applied a function of this kind to what was computed from the weights of a model:
 * "given attention", "given MLP", "given norm", "given rotation", and a kind that is not the plan's. */
void constrained_see_applied(scope *s, const mat *is, function_applied what, int kind);
/* "given attention": a body gave the queries, keys and values of a layer. */
void constrained_see_given(scope *s, const mat *is);
/* The weights of W were drawn, for a model of this shape: what is computed from them is of that, too. */
void constrained_see_drawn(scope *s, const shape *sh, const layer *W);
void constrained_see_drawn_ends(scope *s, const model *M);
/* A body says that A = B.  Where one side was computed from what was named as reduced (MARK_REDUCED), and the other was
 * not, the layers of the first that were so computed are reduced ones, and all others of both sides count, and so do
 * reduced ones that the other has not.  Else all layers of both count.  What is evaluated beside an equation, and
 * enters no side of it, does not speak for it. */
void constrained_add_equation(scope *s, const mat *A, const mat *B, char list[CONSTRAINED_SIZE]);
/* Layers that no equation has: of those with one number the one that is most as drawn. */
void constrained_add_rest(const scope *s, char list[CONSTRAINED_SIZE]);
/* Switches that are not those of the plan, "norm = none". */
void constrained_settings(const shape *is, const shape *plan, char list[CONSTRAINED_SIZE]);
/* All of M, a whole model, against a model that is drawn here. */
void constrained_model(scope *s, const model *M, char list[CONSTRAINED_SIZE]);
#endif
