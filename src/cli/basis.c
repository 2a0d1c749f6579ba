/* SPDX-License-Identifier: GPL-3.0-or-later
 * basis.c - `provably basis-transfer`. */
#include <stdlib.h>
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/cli/train_options.h"
#include "src/train/backend.h"
#include "src/train/train_basis.h"
#include "src/base/option.h"

enum {
    OPT_WIDTH = 256, OPT_NEURONS, OPT_LESS_X, OPT_SHUFFLED, OPT_STEPS, OPT_CHUNK, OPT_BETA2, OPT_TESTS, OPT_FITS,
    OPT_LAMBDA
};

static const struct argp_option flags[] = {
    { NULL, 0, NULL, 0, "The run", 1 },
    { NULL, 0, NULL, 0, "Target and student", 2 },
    { "width", OPT_WIDTH, "N", 0, "width d, a multiple of 4 (64)", 2 },
    { "neurons", OPT_NEURONS, "N", 0, "neurons of the student (4 d; from 5 d on it can represent the target exactly)",
      2 },
    { "less-x", OPT_LESS_X, NULL, 0, "the target W2 GELU(W1 x) + Z x - x, as printed in 003 (without - x)", 2 },
    { "shuffled", OPT_SHUFFLED, NULL, 0, "control: targets of other inputs, so that there is nothing to learn", 2 },
    { NULL, 0, NULL, 0, "The recipe; defaults in parentheses for widths below 256 | from 256 on", 3 },
    { "steps", OPT_STEPS, "N", 0, "number of updates (6000 | 20000)", 3 },
    { "chunk", OPT_CHUNK, "N", 0, "samples per forward pass, for memory and cache (512; on a GPU the batch, up to "
      "65536; a run that resumes keeps its own)", 3 },
    { "beta2", OPT_BETA2, "X", 0, "beta2 of AdamW (0.999)", 3 },
    { NULL, 0, NULL, 0, "The comparison", 4 },
    { "tests", OPT_TESTS, "N", 0, "held-out samples (32768)", 4 },
    { "fits", OPT_FITS, "N", 0, "samples of the ridge regression (500000)", 4 },
    { "lambda", OPT_LAMBDA, "X", 0, "ridge parameter (1e-3)", 4 },
    { 0 } };

static const training_help basis_help[TRAINING_KEYS] = {
    [TRAINING_SEED] = { "seed of the target and of the initial values", "1" },
    [TRAINING_DATA_SEED] = { "seed of the samples", "42" },
    [TRAINING_EVAL] = { NULL, "a tenth of all" }, [TRAINING_SAVE] = { NULL, "a tenth of all" },
    [TRAINING_BATCH] = { NULL, "1024 | 65536" }, [TRAINING_RATE] = { NULL, "about 3.2 / width" },
    [TRAINING_LEAST_RATE] = { NULL, "0" }, [TRAINING_WARMUP] = { NULL, "0" }, [TRAINING_DECAY] = { NULL, "0" },
    [TRAINING_CLIP] = { NULL, "3" } };

typedef struct { basis_config c; const char *backend; training_options shared; } options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    basis_config *c = &o->c;
    switch (key) {
    case OPT_WIDTH:     c->model.d = option_whole(arg, "--width", 4, 1 << 14); return 0;
    case OPT_NEURONS:   c->model.m = option_whole(arg, "--neurons", 1, 1 << 18); return 0;
    case OPT_LESS_X:    c->model.less_x = true; return 0;
    case OPT_SHUFFLED:  c->model.shuffled = true; return 0;
    case OPT_STEPS:     c->optim.steps = option_whole(arg, "--steps", 1, 1L << 40); return 0;
    case OPT_CHUNK:     c->chunk = option_whole(arg, "--chunk", 1, 1 << 24); return 0;
    case OPT_BETA2:     c->optim.beta2 = option_number(arg, "--beta2", 0, 0.999999); return 0;
    case OPT_TESTS:     c->tests = option_whole(arg, "--tests", 1, 1L << 40); return 0;
    case OPT_FITS:      c->fits = option_whole(arg, "--fits", 1, 1L << 40); return 0;
    case OPT_LAMBDA:    c->lambda = option_number(arg, "--lambda", 1e-300, 1e300); return 0;
    case ARGP_KEY_INIT: training_options_init(state, &o->shared); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What was not given (-1) depends on the width. */
static void complete(basis_config *c)
{
    const basis_config usual = basis_default(c->model.d);
    optim_config *p = &c->optim;
    if (c->model.m < 0) c->model.m = usual.model.m;
    if (p->steps < 0)   p->steps = usual.optim.steps;
    if (p->peak < 0)    p->peak = usual.optim.peak;
    if (p->warmup < 0)  p->warmup = usual.optim.warmup;
    if (p->decay < 0)   p->decay = usual.optim.decay;
    if (c->batch < 0)   c->batch = usual.batch;
    if (c->fits < 0)    c->fits = usual.fits;
    if (c->eval_every < 0) c->eval_every = p->steps < 10 ? 1 : p->steps / 10;
    if (c->save_every < 0) c->save_every = c->eval_every;
}

static const struct argp parser = { .options = flags, .parser = parse, .children = training_children, .doc =
    "Trains an MLP with a skip connection to compute what another one computes in a different basis (Appendix D), and "
    "compares it with the best linear map and with an untrained closed form.  Exit status: 0 finished, 1 stopped by "
    "Ctrl-C, SIGTERM or SIGHUP after a checkpoint, 2 bad input, 3 diverged: a loss was not finite." };

static options read_options(int argc, char **argv, unsigned how)
{
    options o = { .c = basis_default(64) };
    basis_config *c = &o.c;
    c->model.m = c->optim.steps = c->optim.warmup = c->batch = c->fits = c->eval_every = c->save_every = -1;
    c->optim.peak = c->optim.decay = -1;
    o.shared = (training_options){ .command = "basis-transfer", .help = basis_help, .most_every = 1L << 40,
        .most_batch = 1 << 24, .out = &c->out, .backend = &o.backend, .quiet = &c->quiet, .seed = &c->seed,
        .data_seed = &c->data_seed, .eval_every = &c->eval_every, .save_every = &c->save_every, .batch = &c->batch,
        .optim = &c->optim };
    command_parse(&parser, argc, argv, how, &o, NULL);
    complete(c);
    return o;
}

static estimate estimate_one(const void *self, const ops *o)
{
    const basis_config *c = self;
    const double units = (double)c->batch;
    const long chunk = c->chunk ? c->chunk : basis_chunk(c, o);
    return (estimate){ .t = train_basis_tally(c, o), .units = units, .flops = units * basis_flops(&c->model),
                       .unit = "samples", .at_once = must_format("%ld of %ld samples at a time", chunk, c->batch) };
}

run_cost basis_cost(int argc, char **argv)
{
    basis_config c = read_options(argc, argv, ARGP_NO_HELP).c;
    c.out = "-";
    const char *wrong = basis_config_check(&c);
    if (wrong) die("%s", wrong);
    const long steps = optim_end(&c.optim);
    const double units = (double)steps * (double)c.batch;
    return (run_cost){ .parameters = 2.0 * (double)c.model.d * (double)c.model.m, .units = units, .unit = "samples",
                       .flops = units * basis_flops(&c.model), .steps = steps };
}

int basis_main(int argc, char **argv)
{
    memory_advice("a smaller --chunk (samples at a time), --width or --neurons");
    const options o = read_options(argc, argv, 0);
    basis_config c = o.c;
    if (o.shared.estimate.asked) c.out = "-";
    if (!c.out) die("basis-transfer needs --out=DIR, the folder of the run");
    const char *wrong = basis_config_check(&c);
    if (wrong) die("%s", wrong);
    const gpu_precision usual = backend_usual("basis-transfer");
    if (o.shared.estimate.asked) return estimate_run(&o.shared.estimate, o.backend, usual, estimate_one, &c);
    const basis_result is = train_basis(&c, backend_find(o.backend, usual));
    if (!is.run.finished) return 1;
    printf("W2 GELU(W1 x) + Z x%s, width %ld; a student of %ld neurons after %ld steps of %ld samples\n",
           c.model.less_x ? " - x" : "", c.model.d, c.model.m, c.optim.steps, c.batch);
    printf("%-10s %10s %18s %16s\n", "model", "error", "mean of samples", "cosine distance");
    for (int k = 0; k < BASIS_MODELS; k++)
        printf("%-10s %8.3f %% %16.3f %% %16.6f\n", basis_model_name[k], 100 * is.of[k].error,
               100 * is.of[k].sample_error, is.of[k].cosine);
    printf("trained / linear: %.3f\n", is.of[BASIS_TRAINED].error / is.of[BASIS_LINEAR].error);
    return run_status(&is.run);
}
