/* SPDX-License-Identifier: GPL-3.0-or-later
 * estimate.h - prints what a training step would cost on GPUs (tally.h), beside the floor. */
#ifndef TRAIN_ESTIMATE_H
#define TRAIN_ESTIMATE_H
#include "src/train/tally.h"

typedef struct {                         /* of --estimate and --gpu                                     */
    bool        asked, csv;
    const char *gpu;                     /* a name, or "all"; NULL: not given                           */
} estimate_options;

typedef struct {                         /* a step on one GPU                                           */
    tally  t;
    double units, flops;                 /* of the step; as the closed formulas of the models count them */
    const char *unit;                    /* "tokens"                                                    */
    char   *at_once;                     /* "60 of 480 sequences at a time", to be freed                */
} estimate;
typedef estimate estimate_of(const void *self, const ops *o);

/* Prints the estimate for each GPU that is asked for; 0.  backend: as given, or NULL for `usual`.  Dies for a GPU that
 * is not known, without one, and for a backend that is no GPU's. */
int estimate_run(const estimate_options *e, const char *backend, gpu_precision usual, estimate_of *of,
                 const void *self);
/* Dies where --gpu was given without --estimate. */
void estimate_check(const estimate_options *e);
#endif
