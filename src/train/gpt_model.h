/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpt_model.h - the weights of a trained language model as the model of the theorems (src/model/model.h), and back.
 *
 * The training engine stores weights as W' (out x in), the theorems as W (in x out); gains become diagonal matrices. */
#ifndef TRAIN_GPT_MODEL_H
#define TRAIN_GPT_MODEL_H
#include "src/model/model.h"
#include "src/train/gpt.h"

/* rows x cols doubles as a matrix, each rounded to a multiple of 2^-62 of the next power of two above the largest: an
 * entry of at least 2^-9 of the largest keeps all its bits, a smaller one loses its last ones. */
const mat *gpt_model_matrix(scope *s, long rows, long cols, const double *x);
/* The model that M is, with the switches of *c, its configuration; matrices owned by s.  A projection that it
 * lacks is I.
 * Contract: no more than MAX_LAYERS blocks. */
model gpt_to_model(scope *s, gpt *M, const gpt_config *c);
/* The same function without gains: what reads a normalised stream takes its gain, and so the head is always a matrix of
 * its own where there are norms. */
model gpt_model_fold(scope *s, const model *M);
/* Writes R into N, whose configuration is *c.  What N lacks is left out: R's W_Q, W_K or W_V where N has none, its head
 * where N is tied. */
void  gpt_from_model(gpt *N, const gpt_config *c, const model *R);
#endif
