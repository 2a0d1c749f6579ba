/* train.h - training of a language model: a run (run.h) on windows of a text.  evals.csv has the loss on the
 * whole validation part, or on windows drawn from it. */
#ifndef TRAIN_TRAIN_H
#define TRAIN_TRAIN_H
#include "src/train/gpt.h"
#include "src/train/run.h"
#include "src/data/tokens.h"

typedef struct {
    gpt_config   model;
    optim_config optim;
    long         batch, micro;           /* sequences per step, and at a time; micro divides batch      */
    long         eval_every, save_every; /* steps                                                       */
    uint64_t     seed, data_seed;        /* initial values; windows                                     */
    bool         torch_order;            /* windows in PyTorch's order of this data_seed (tokens.h)     */
    const char  *out;                    /* the folder; made when missing                               */
    bool         quiet;                  /* no progress on the terminal                                 */
    long         eval_windows;           /* 0: validations see the whole part; else this many drawn windows of it */
    bool         losses;                 /* when finished: losses.csv, the loss of each window of the whole part */
    bool         spectra;                /* spectra.csv: singular values of the weights at each evaluation (spectra.h),
                                            and the metric cond_q */
} train_config;
const char *train_config_check(const train_config *c);        /* NULL, or what is wrong                 */

/* Trains on `train`, validates on `val`; the result's first metric is the validation loss. */
run_result train_gpt(const train_config *c, const ops *o, const tokens *train, const tokens *val);

/* Whole windows of t, one after the other. */
long   gpt_windows (const tokens *t, long T);
/* Mean cross-entropy over all of them; per window into loss when not NULL. */
double gpt_evaluate(gpt *M, const tokens *t, long T, long B, double *loss);
/* The model of a folder's last.ckpt; dies when there is none. */
gpt *train_load(const char *folder, const ops *o, long B, gpt_config *config);
#endif
