/* train.h - one training run of a language model: a folder that can be killed and resumed at any moment.
 *
 * The folder holds last.ckpt (weights, the optimizer's means, configuration, seeds, hash of the data),
 * steps.csv (step, rate, loss of the batch, norm of the gradient) and evals.csv (step, loss on the whole
 * validation part).  A run that goes on after kill -9 ends with the same bits as one that was left alone,
 * with the same number of threads on the same kind of BLAS core; both are recorded and a change is announced. */
#ifndef NN_TRAIN_H
#define NN_TRAIN_H
#include "src/nn/gpt.h"
#include "src/nn/optim.h"
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

typedef struct {
    bool   finished;                     /* false: stopped by Ctrl-C after a checkpoint                 */
    long   steps;
    double loss;                         /* of the last validation                                      */
    double tokens_per_second;            /* of this process                                             */
} train_result;
/* Trains on `train`, validates on `val`; resumes what the folder holds, and returns at once when that run is
 * finished.  Dies when the folder holds another run, on a full disk, and when the loss is not finite (the
 * last checkpoint stays). */
train_result train_gpt(const train_config *c, const ops *o, const tokens *train, const tokens *val);

/* Mean cross-entropy over all whole windows of t, one after the other; per window into loss when not NULL. */
double gpt_evaluate(gpt *M, const tokens *t, long T, long B, double *loss);
/* The model of a folder's last.ckpt; dies when there is none. */
gpt *train_load(const char *folder, const ops *o, long B, gpt_config *config);
#endif
