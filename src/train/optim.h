/* SPDX-License-Identifier: GPL-3.0-or-later
 * optim.h - AdamW with decay groups, clipping, warm-up and cosine, as nanoGPT and PyTorch have them. */
#ifndef TRAIN_OPTIM_H
#define TRAIN_OPTIM_H
#include "src/train/params.h"

typedef struct {
    double peak, least;                  /* learning rates                                              */
    long   warmup, steps;                /* rises over `warmup` steps, falls along a cosine to `steps`  */
    long   until;                        /* training ends at this step of the schedule; 0: at its last  */
    double beta1, beta2, eps;
    double decay;                        /* of the weights that the table marks                         */
    double clip;                         /* largest norm of the gradient; 0: no clipping                */
    bool   keras;                        /* eps is added before the bias of v is corrected              */
} optim_config;
const char *optim_config_check(const optim_config *c);         /* NULL, or what is wrong                */

/* Rate of step 0, 1, ...:  peak (t + 1) / (warmup + 1), then least + (peak - least) (1 + cos) / 2. */
double optim_rate(const optim_config *c, long step);
long   optim_end (const optim_config *c);                      /* steps that are made                   */

typedef struct {
    void   *m, *v;                       /* means of the gradient and of its square, as the table       */
    long    step;                        /* updates made                                                */
    size_t *edge;                        /* edge[edges], where decay changes in the table: see adamw_step */
    long    edges;
} optim;
optim optim_create(const param_table *t, const ops *o);
void  optim_free  (optim *s, const ops *o);
/* One update with gradient g; returns the norm of g before clipping.  NaN or infinity: nothing changes. */
double optim_update(optim *s, const optim_config *c, const param_table *t, const ops *o, void *w, const void *g);
#endif
