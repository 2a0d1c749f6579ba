/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_record.h - what the files check*.c share: a check that was decided, and the minimal control of a model. */
#ifndef CHECK_RECORD_H
#define CHECK_RECORD_H
#include "src/claim/check.h"
#include "src/claim/words.h"

void check_record(trial *t, const char *what, bool want_equal, comparison is, certainty by);
/* Y must equal Z, the values of two whole functions, which evaluated models: s->depth was `before` in front of them,
 * and the comparison is counted instead, so that an induction can carry it. */
void check_whole(trial *t, const char *what, long before, const mat *Y, const mat *Z);
/* What the checks show of the depth: all of it, the L of the shape, or nothing.  A model that was evaluated for any
 * other check than those that an induction carries to every depth was seen at its own alone. */
model_depth check_depth(const trial *t);
/* There, how many layers: the L of the shape, or more where the body went on behind these. */
long check_layers(const trial *t);
/* Over sym, which alone proves: notes the weights of M, an original, that are others than model_random draws there; and
 * those of layer W that are others than `drawn`. */
void check_constrained(trial *t, const model *M);
void check_constrained_layer(trial *t, const layer *W, const layer *drawn);
/* Names the weights of R for the control `minimal`, as claim_reduced does. */
void check_nudge_model(trial *t, model *R);
/* The same of all its weights, and only where they are to be replaced: for what is compared beside whole models. */
void check_replace_model(trial *t, model *R);
#endif
