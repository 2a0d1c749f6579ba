/* SPDX-License-Identifier: GPL-3.0-or-later
 * train.h - training of a language model: a run (run.h) on windows of a text.  evals.csv has the loss on the
 * whole validation part, or on some windows of it: the recipe in its header says on which. */
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
    long         eval_windows;           /* a validation sees this many windows of the part, drawn anew each time as in
                                            the papers; 0: all of them                                  */
    bool         eval_even;              /* instead they are spread evenly over the part and always the same; all of
                                            them where there are no more                                */
    bool         whole_at_end;           /* the last validation sees all windows                        */
    bool         losses;                 /* when finished: losses.csv, the loss of each window of the last validation */
    bool         spectra;                /* spectra.csv: singular values of the weights at each evaluation (spectra.h),
                                            and the metric cond_q */
} train_config;
const char *train_config_check(const train_config *c);        /* NULL, or what is wrong                 */
/* How many sequences are usual at a time: the largest divisor of the batch with at most 16,384 tokens, on a GPU 65,536
 * and what fits into its memory. */
long train_micro(const train_config *c, const ops *o);

/* Trains on `train`, validates on `val`; the result's first metric is the validation loss. */
run_result train_gpt(const train_config *c, const ops *o, const tokens *train, const tokens *val);
/* What one of its steps costs, on tally_ops. */
tally train_gpt_tally(const train_config *c, const ops *o);

/* Whole windows of t, one after the other. */
long   gpt_windows (const tokens *t, long T);
/* Mean cross-entropy over all of them; per window into loss when not NULL. */
double gpt_evaluate(gpt *M, const tokens *t, long T, long B, double *loss);
/* The model of a folder's last.ckpt; dies when there is none.  What the optimizer knows is neither read nor checked. */
gpt *train_load(const char *folder_or_file, const ops *o, long B, gpt_config *config);
/* Its weights alone, for a decoder (decode.h). */
net  train_load_weights(const char *folder_or_file, const ops *o, gpt_config *config);
#endif
