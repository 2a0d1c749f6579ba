/* constrained.h - which weights of a model are not as they are drawn, in words for a list of hypotheses.
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
enum { CONSTRAINED_SIZE = 256 };                         /* of a list, "; " between its words, each once    */

/* Is `name` that of a weight of some layer, "W_Q.7"?  Then hypotheses call it W_Q. */
bool constrained_is_slot(const char *name);
void constrained_layer(scope *s, const layer *W, const layer *drawn, char list[CONSTRAINED_SIZE]);
/* A half of layer i of M is evaluated; and what all that were have in common, of those with one number the one that is
 * most as drawn: what a body compares without calling it whole models has an original among them.  A weight that
 * the body drew, under whatever name, and that is no other one of its layer, is any weight. */
void constrained_see_layer(scope *s, const model *M, long i, layer_half half);
/* The settings of M, some part of which is evaluated: beside those of s->plan, in the same way. */
void constrained_see_settings(scope *s, const model *M);
/* The embedding, or the head, of M is evaluated. */
void constrained_see_end(scope *s, const model *M, bool head);
/* Switches that are not those of the plan, "norm = none". */
void constrained_settings(const shape *is, const shape *plan, char list[CONSTRAINED_SIZE]);
void constrained_add_seen(const scope *s, char list[CONSTRAINED_SIZE]);
/* All of M, a whole model, against a model that is drawn here. */
void constrained_model(scope *s, const model *M, char list[CONSTRAINED_SIZE]);
#endif
