/* SPDX-License-Identifier: GPL-3.0-or-later
 * train_options.h - the options that all commands that train have in common: the run, the backend and the recipe.
 *
 * They are argp children: a command lists training_children in its parser and, at ARGP_KEY_INIT, gives both of them its
 * training_options as input.  Values go straight to the command's configuration, whose defaults stay where they are
 * when an option is not given.  In --help they stand in group 1, "The run", and in group 3, "The recipe". */
#ifndef CLI_TRAIN_OPTIONS_H
#define CLI_TRAIN_OPTIONS_H
#include <argp.h>
#include "src/train/estimate.h"
#include "src/train/optim.h"

enum { TRAINING_RUN, TRAINING_RECIPE, TRAINING_CHILDREN };
extern const struct argp_child training_children[TRAINING_CHILDREN + 1];

typedef enum {
    TRAINING_OUT, TRAINING_SEED, TRAINING_DATA_SEED, TRAINING_EVAL, TRAINING_SAVE, TRAINING_QUIET, TRAINING_BACKEND,
    TRAINING_ESTIMATE, TRAINING_GPU, TRAINING_BATCH, TRAINING_RATE, TRAINING_LEAST_RATE, TRAINING_WARMUP,
    TRAINING_DECAY, TRAINING_CLIP,
    TRAINING_KEYS
} training_key;

/* What --help says about an option in this command.  text: NULL for the common one; usual: the default in words. */
typedef struct { const char *text, *usual; } training_help;

typedef struct {
    const char *command;
    const training_help *help;           /* [TRAINING_KEYS]                                             */
    long most_every, most_batch;         /* limits of --eval-every and --save-every, and of --batch     */
    const char **out, **backend;
    bool *quiet;
    uint64_t *seed, *data_seed;
    long *eval_every, *save_every, *batch;
    optim_config *optim;
    estimate_options estimate;
} training_options;

/* For the command's parser, at ARGP_KEY_INIT. */
void training_options_init(struct argp_state *state, training_options *shared);
#endif
