/* SPDX-License-Identifier: GPL-3.0-or-later
 * train_vision.c - `provably train-vision`. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/cli/train_options.h"
#include "src/train/backend.h"
#include "src/train/train_vit.h"
#include "src/base/option.h"

enum {
    OPT_DATA = 256, OPT_HOLD_OUT, OPT_PERMUTE, OPT_TRAIN_EVAL, OPT_ROW, OPT_ENCODERS, OPT_WIDTH, OPT_HEADS, OPT_MLP,
    OPT_PATCH, OPT_VARIANT, OPT_TOKEN, OPT_POSITIONS, OPT_NORM, OPT_NO_SKIP, OPT_EPOCHS, OPT_MICRO
};

static const struct argp_option flags[] = {
    { NULL, 0, NULL, 0, "The run", 1 },
    { "data", OPT_DATA, "WHAT", 0, "mnist:DIR, cifar10:DIR or digits[:SEED], synthetic digits (default)", 1 },
    { "hold-out", OPT_HOLD_OUT, NULL, 0, "with CIFAR-10: validate on data_batch_5 and train without it", 1 },
    { "permute-labels", OPT_PERMUTE, NULL, 0, "control: labels are permuted at random, so that there is nothing to "
      "learn", 1 },
    { "train-eval-every", OPT_TRAIN_EVAL, "N", 0, "epochs between evaluations on the training set (only at the end)",
      1 },
    { NULL, 0, NULL, 0, "The model", 2 },
    { "row", OPT_ROW, "NAME", 0, "a row of the second paper's tables, such as mnist_6_4_no_sym: data, encoders, heads, "
      "MLP (mlp, no), variant (full, wqk, min, sym); later options modify it", 2 },
    { "encoders", OPT_ENCODERS, "N", 0, "number of encoder blocks (6)", 2 },
    { "width", OPT_WIDTH, "N", 0, "width of the model (60)", 2 },
    { "heads", OPT_HEADS, "N", 0, "number of attention heads (1)", 2 },
    { "mlp", OPT_MLP, "N", 0, "width of the MLP, 0: none (256)", 2 },
    { "patch", OPT_PATCH, "N", 0, "side of a patch in pixels (a quarter of the image's)", 2 },
    { "variant", OPT_VARIANT, "NAME", 0, "unchanged (default), wqk, wqk-biases, minimum, symmetric, symmetric-biases, "
      "collapsed, collapsed-biases", 2 },
    { "token", OPT_TOKEN, "cls|mean", 0, "classify a class token, or the mean of the patches (mean)", 2 },
    { "positions", OPT_POSITIONS, "sines|none", 0, "position encoding (sines)", 2 },
    { "norm", OPT_NORM, "pre|post|none", 0, "place of LayerNorm (pre)", 2 },
    { "no-skip", OPT_NO_SKIP, NULL, 0, "no skip connections", 2 },
    { NULL, 0, NULL, 0, "The recipe", 3 },
    { "epochs", OPT_EPOCHS, "N", 0, "passes over the training set (10; the paper: 500)", 3 },
    { "micro", OPT_MICRO, "N", 0, "images per forward pass (64; on a GPU the batch, up to 4096; a run that resumes "
      "keeps its own)", 3 },
    { 0 } };

static const training_help vision_help[TRAINING_KEYS] = {
    [TRAINING_SEED] = { NULL, "1" }, [TRAINING_DATA_SEED] = { "seed of the order of the images", "42" },
    [TRAINING_EVAL] = { "epochs between validations", "1" }, [TRAINING_SAVE] = { "epochs between checkpoints", "1" },
    [TRAINING_BATCH] = { "images per update", "256" }, [TRAINING_RATE] = { "peak learning rate of Adam", "1e-3" },
    [TRAINING_LEAST_RATE] = { NULL, "the peak: constant" }, [TRAINING_WARMUP] = { NULL, "0" },
    [TRAINING_DECAY] = { NULL, "0" }, [TRAINING_CLIP] = { NULL, "0" } };

typedef struct {
    vit_training c;
    const char *data, *backend;
    bool hold_out, permute;
    training_options shared;
} options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const tokens[] = { "mean", "cls" }, *const positions[] = { "none", "sines" };
    static const char *const norms[] = { "pre", "post", "none" };
    options *o = state->input;
    vit_config *m = &o->c.model;
    switch (key) {
    case OPT_DATA:       o->data = arg; return 0;
    case OPT_HOLD_OUT:   o->hold_out = true; return 0;
    case OPT_PERMUTE:    o->permute = true; return 0;
    case OPT_TRAIN_EVAL: o->c.train_eval_every = option_whole(arg, "--train-eval-every", 1, 1 << 20); return 0;
    case OPT_ROW:
        if (!vit_row(m, arg)) die("--row: no row is called `%s`; they are named as mnist_6_1_mlp_full", arg);
        return 0;
    case OPT_ENCODERS:   m->S = option_whole(arg, "--encoders", 1, 1000); return 0;
    case OPT_WIDTH:      m->d = option_whole(arg, "--width", 1, 1 << 16); return 0;
    case OPT_HEADS:      m->h = option_whole(arg, "--heads", 1, 1 << 10); return 0;
    case OPT_MLP:        m->m = option_whole(arg, "--mlp", 0, 1 << 20); return 0;
    case OPT_PATCH:      m->patch = option_whole(arg, "--patch", 1, 4096); return 0;
    case OPT_VARIANT:
        if (!vit_variant(m, arg)) die("--variant: none is called `%s`; see `provably train-vision --help`", arg);
        return 0;
    case OPT_TOKEN:      m->token = option_word(arg, "--token", tokens, COUNT(tokens)); return 0;
    case OPT_POSITIONS:  m->positions = option_word(arg, "--positions", positions, COUNT(positions)); return 0;
    case OPT_NORM:       m->norm = (vit_norm)option_word(arg, "--norm", norms, COUNT(norms)); return 0;
    case OPT_NO_SKIP:    m->skip = false; return 0;
    case OPT_EPOCHS:     o->c.epochs = option_whole(arg, "--epochs", 1, 1 << 20); return 0;
    case OPT_MICRO:      o->c.micro = option_whole(arg, "--micro", 1, 1 << 20); return 0;
    case ARGP_KEY_INIT:  training_options_init(state, &o->shared); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = { .options = flags, .parser = parse, .children = training_children,
    .doc = "Trains a vision transformer.  Exit status: 0 finished, 1 stopped by Ctrl-C, SIGTERM or SIGHUP after a "
           "checkpoint, 2 bad input, 3 diverged: a loss was not finite." };

/* The options, with their defaults; the size of the images is not known before they are read. */
static options read_options(int argc, char **argv, unsigned how)
{
    options o = { .c = vit_training_default(), .data = "digits" };
    vit_training *c = &o.c;
    if (!vit_row(&c->model, "mnist_6_1_mlp_full")) die("the default model is missing");
    c->model.patch = c->micro = 0;
    c->optim.least = -1;
    o.shared = (training_options){ .command = "train-vision", .help = vision_help, .most_every = 1 << 20,
        .most_batch = 1 << 20, .out = &c->out, .backend = &o.backend, .quiet = &c->quiet, .seed = &c->seed,
        .data_seed = &c->data_seed, .eval_every = &c->eval_every, .save_every = &c->save_every, .batch = &c->batch,
        .optim = &c->optim };
    command_parse(&parser, argc, argv, how, &o, NULL);
    if (c->optim.least < 0) c->optim.least = c->optim.peak;
    return o;
}

/* The sets as published; the synthetic digits as images.h makes them. */
typedef struct { const char *name; long images, held_out, side, channels; } published;
static const published *published_set(const char *data)
{
    static const published set[] = {
        { "mnist:", 60000, 0, 28, 1 }, { "cifar10:", 50000, 10000, 32, 3 }, { "digits", 10000, 0, 28, 1 } };
    for (size_t k = 0; k < COUNT(set); k++) if (strncmp(data, set[k].name, strlen(set[k].name)) == 0) return &set[k];
    die("--data takes mnist:DIR, cifar10:DIR or digits[:SEED], not `%s`", data);
}

/* The model's sizes that follow from the data's; *n: how many images it trains on. */
static void take_published(options *o, long *n)
{
    vit_training *c = &o->c;
    const published *set = published_set(o->data);
    *n = set->images - (o->hold_out ? set->held_out : 0);
    c->model.side = set->side;
    c->model.channels = set->channels;
    c->model.classes = 10;
    if (!c->model.patch) c->model.patch = set->side / 4;
    c->out = "-";
}

static void check_config(const vit_training *c)
{
    const char *wrong = vit_training_check(c);
    if (wrong) die("%s", wrong);
}

static estimate estimate_one(const void *self, const ops *o)
{
    vit_training c = *(const vit_training *)self;
    if (!c.micro) c.micro = vit_micro(&c, o);
    check_config(&c);
    const double units = (double)c.batch;
    return (estimate){ .t = train_vit_tally(&c, o), .units = units, .flops = 3 * units * vit_operations(&c.model),
                       .unit = "images", .at_once = must_format("%ld of %ld images at a time", c.micro, c.batch) };
}

run_cost train_vision_cost(int argc, char **argv)
{
    options o = read_options(argc, argv, ARGP_NO_HELP);
    vit_training *c = &o.c;
    long n;
    take_published(&o, &n);
    if (!c->micro) c->micro = 1;
    check_config(c);
    param_table t = vit_params(&c->model);
    const double units = (double)c->epochs * (double)n;
    const run_cost cost = { .parameters = (double)t.size, .units = units, .unit = "images",
                            .flops = 3 * units * vit_operations(&c->model), .steps = vit_steps(c, n) };
    params_free(&t);
    return cost;
}

int train_vision_main(int argc, char **argv)
{
    memory_advice("a smaller --micro (images at a time), --width or --encoders");
    options o = read_options(argc, argv, 0);
    vit_training *c = &o.c;
    if (o.shared.estimate.asked) {
        long n;
        take_published(&o, &n);
        return estimate_run(&o.shared.estimate, o.backend, backend_usual("train-vision"), estimate_one, c);
    }
    if (!c->out) die("train-vision needs --out=DIR, the folder of the run");
    const ops *backend = backend_find(o.backend, backend_usual("train-vision"));
    if (!c->micro) c->micro = run_micro(c->out, c->batch);
    if (!c->micro) c->micro = vit_micro(c, backend);
    image_sets s = image_sets_open(o.data, o.hold_out);
    if (o.permute) {
        images_permute_labels(&s.train, c->data_seed);
        strncat(s.name, ", labels permuted", sizeof s.name - strlen(s.name) - 1);
    }
    c->model.side = s.train.side;
    c->model.channels = s.train.channels;
    c->model.classes = s.train.classes;
    if (!c->model.patch) c->model.patch = s.train.side / 4;
    check_config(c);
    param_table t = vit_params(&c->model);
    shown_print(stdout, "%zu parameters, %ld images of %s to train on, %ld to validate (%s), %ld steps\n", t.size,
                s.train.n,
           s.name, s.val.n, s.val_name, vit_steps(c, s.train.n));
    params_free(&t);
    const run_result r = train_vit(c, backend, &s);
    printf("%s after %ld steps: validation loss %.4f, accuracy %.2f %% on %ld images\n",
           run_ended(&r), r.steps, r.metric[VIT_VAL_LOSS], 100 * r.metric[VIT_VAL_ACCURACY],
           s.val.n);
    image_sets_free(&s);
    return run_status(&r);
}
