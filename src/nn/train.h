/* train.h - training of a language model: a run (run.h) on windows of a text.  evals.csv has the loss on the whole
 * validation part. */
#ifndef NN_TRAIN_H
#define NN_TRAIN_H
#include "src/nn/gpt.h"
#include "src/nn/run.h"
#include "src/nn/tokens.h"

typedef struct {
    gpt_config   model;
    optim_config optim;
    long         batch, micro;           /* sequences per step, and at a time; micro divides batch      */
    long         eval_every, save_every; /* steps                                                       */
    uint64_t     seed, data_seed;        /* initial values; windows                                     */
    const char  *out;                    /* the folder; made when missing                               */
    bool         quiet;                  /* no progress on the terminal                                 */
} train_config;
const char *train_config_check(const train_config *c);        /* NULL, or what is wrong                 */

/* Trains on `train`, validates on `val`; the result's first metric is the validation loss. */
run_result train_gpt(const train_config *c, const ops *o, const tokens *train, const tokens *val);

/* Mean cross-entropy over all whole windows of t, one after the other; per window into loss when not NULL. */
double gpt_evaluate(gpt *M, const tokens *t, long T, long B, double *loss);
/* The model of a folder's last.ckpt; dies when there is none. */
gpt *train_load(const char *folder, const ops *o, long B, gpt_config *config);
#endif
