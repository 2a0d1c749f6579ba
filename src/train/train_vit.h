/* SPDX-License-Identifier: GPL-3.0-or-later
 * train_vit.h - training of a vision transformer: a run (run.h) whose steps go through the images epoch by epoch.
 *
 * The last batch of an epoch takes what is left, as Keras has it.  evals.csv has, after each epoch or every few:
 * loss and accuracy on the validation set, the running mean over the epoch's batches of loss and accuracy while
 * weights changed (what Keras' fit prints; nan before the first epoch, and in runs that an earlier version
 * resumed within the epoch), and both on the whole training set with the epoch's final weights (nan when that was
 * not asked for). */
#ifndef TRAIN_TRAIN_VIT_H
#define TRAIN_TRAIN_VIT_H
#include "src/data/images.h"
#include "src/train/run.h"
#include "src/train/vit.h"

enum { VIT_VAL_LOSS, VIT_VAL_ACCURACY, VIT_RUNNING_LOSS, VIT_RUNNING_ACCURACY, VIT_TRAIN_LOSS, VIT_TRAIN_ACCURACY,
       VIT_METRICS };

typedef struct {
    vit_config   model;
    optim_config optim;                  /* its steps follow from the epochs                            */
    long         epochs, batch, micro;   /* images per step, and at a time                            */
    long         eval_every, save_every, train_eval_every; /* epochs; the last: 0 for the end alone     */
    uint64_t     seed, data_seed;        /* initial values; order                                       */
    const char  *out;
    bool         quiet;
} vit_training;
vit_training vit_training_default(void); /* Keras' Adam, batch 256; the model is to be filled in        */
const char *vit_training_check(const vit_training *c);        /* NULL, or what is wrong                 */
long vit_micro(const vit_training *c, const ops *o);          /* images at a time: 64, on a GPU the batch up to 4096 */
long vit_steps(const vit_training *c, long count); /* of the training, on so many images                 */
/* A run that is finished, now or before, has losses.csv: image, whether the answer is right, and the loss, of each
 * validation image by the last weights. */
run_result train_vit(const vit_training *c, const ops *o, const image_sets *s);
/* What a step with a full batch costs, on tally_ops. */
tally train_vit_tally(const vit_training *c, const ops *o);

typedef struct { double loss, accuracy; } vit_score;
vit_score vit_evaluate(vit *M, const images *x, long B);      /* B at a time: as many as M has room for */
#endif
