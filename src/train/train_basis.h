/* SPDX-License-Identifier: GPL-3.0-or-later
 * train_basis.h - the basis-transfer experiment of Appendix D: a student is trained (run.h) and compared with the best
 * linear map and the untrained closed form.
 *
 * evals.csv has the student's distances on held-out samples; models.csv, written at the end, those of all three.  The
 * closed form is measured in doubles, the others by the backend. */
#ifndef TRAIN_TRAIN_BASIS_H
#define TRAIN_TRAIN_BASIS_H
#include "src/train/basis.h"
#include "src/train/run.h"

typedef struct {
    basis_shape  model;
    optim_config optim;
    long         batch, chunk;           /* samples per step, and at a time (of everything); chunk = 0: 512,
                                            on a GPU the batch, up to 65,536                            */
    long         tests;                  /* held-out samples                                            */
    long         fits;                   /* samples of the ridge regression,                            */
    double       lambda;                 /* and its weight                                              */
    long         eval_every, save_every; /* steps                                                       */
    uint64_t     seed, data_seed;        /* target and initial values; samples                          */
    const char  *out;                    /* the folder; made when missing                               */
    bool         quiet;                  /* no progress on the terminal                                 */
} basis_config;
/* The recipe for a width: the papers' from 256 on, a scaled one below; see the table in train_basis.c. */
basis_config basis_default(long width);
/* Of products with weights, per sample: target, student, and its backward pass without the gradient of x. */
double       basis_flops(const basis_shape *c);
long         basis_chunk(const basis_config *c, const ops *o);        /* what chunk = 0 stands for      */
const char  *basis_config_check(const basis_config *c);       /* NULL, or what is wrong                 */

enum { BASIS_LINEAR, BASIS_UNTRAINED, BASIS_TRAINED, BASIS_MODELS };
extern const char *const basis_model_name[BASIS_MODELS];
typedef struct {
    run_result     run;
    basis_distance of[BASIS_MODELS];     /* UNTRAINED: NaN unless the student has 4 d or 5 d neurons    */
} basis_result;
basis_result train_basis(const basis_config *c, const ops *o);
/* What one of its steps costs, on tally_ops. */
tally train_basis_tally(const basis_config *c, const ops *o);
#endif
