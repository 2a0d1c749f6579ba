/* basis.c - `provably basis-transfer`. */
#include <argp.h>
#include <stdlib.h>
#include "src/cli/cli.h"
#include "src/train/backend.h"
#include "src/train/train_basis.h"
#include "src/base/option.h"

enum {
    OPT_OUT = 256, OPT_SEED, OPT_DATA_SEED, OPT_EVAL, OPT_SAVE, OPT_QUIET, OPT_BACKEND, OPT_WIDTH, OPT_NEURONS,
    OPT_LESS_X, OPT_SHUFFLED,
    OPT_STEPS, OPT_BATCH, OPT_CHUNK, OPT_RATE, OPT_LEAST, OPT_WARMUP, OPT_DECAY, OPT_CLIP, OPT_BETA2,
    OPT_TESTS, OPT_FITS, OPT_LAMBDA
};

static const struct argp_option flags[] = {
    { NULL, 0, NULL, 0, "The run", 1 },
    { "out", OPT_OUT, "DIR", 0, "the run's folder; a run that was stopped goes on from its checkpoint", 1 },
    { "seed", OPT_SEED, "N", 0, "of the target and of the initial values (1)", 1 },
    { "data-seed", OPT_DATA_SEED, "N", 0, "of the samples (42)", 1 },
    { "eval-every", OPT_EVAL, "N", 0, "steps between tests (a tenth)", 1 },
    { "save-every", OPT_SAVE, "N", 0, "steps between checkpoints (a tenth)", 1 },
    { "quiet", OPT_QUIET, NULL, 0, "no progress line", 1 },
    { "backend", OPT_BACKEND, "NAME", 0, "cpu, cpu-f64, cuda, cuda-tf32 or cuda-bf16 (the GPU in float where the "
      "program has CUDA and finds one, else the CPU); a GPU that is asked for must be there", 1 },
    { NULL, 0, NULL, 0, "Target and student", 2 },
    { "width", OPT_WIDTH, "N", 0, "d, a multiple of 4 (64)", 2 },
    { "neurons", OPT_NEURONS, "N", 0, "of the student (4 d; from 5 d on the target can be met exactly)", 2 },
    { "less-x", OPT_LESS_X, NULL, 0, "the target W2 GELU(W1 x) + Z x - x, as printed in 003 (without - x)", 2 },
    { "shuffled", OPT_SHUFFLED, NULL, 0, "control: targets of other inputs, so that nothing can be learned", 2 },
    { NULL, 0, NULL, 0, "The recipe; defaults for the width in parentheses below 256 | from 256 on", 3 },
    { "steps", OPT_STEPS, "N", 0, "updates (6000 | 20000)", 3 },
    { "batch", OPT_BATCH, "N", 0, "samples per update (1024 | 65536)", 3 },
    { "chunk", OPT_CHUNK, "N", 0, "samples at a time, for memory and cache (512)", 3 },
    { "rate", OPT_RATE, "X", 0, "peak learning rate (about 3.2 / width)", 3 },
    { "least-rate", OPT_LEAST, "X", 0, "at the end of the cosine (0)", 3 },
    { "warmup", OPT_WARMUP, "N", 0, "steps of warm-up (0)", 3 },
    { "decay", OPT_DECAY, "X", 0, "weight decay (0)", 3 },
    { "clip", OPT_CLIP, "X", 0, "largest norm of the gradient, 0: none (3)", 3 },
    { "beta2", OPT_BETA2, "X", 0, "of AdamW (0.999)", 3 },
    { NULL, 0, NULL, 0, "The comparison", 4 },
    { "tests", OPT_TESTS, "N", 0, "held-out samples (32768)", 4 },
    { "fits", OPT_FITS, "N", 0, "samples of the ridge regression (500000)", 4 },
    { "lambda", OPT_LAMBDA, "X", 0, "its weight (1e-3)", 4 },
    { 0 } };

static const char *backend;              /* NULL: the best there is                                     */

static error_t parse(int key, char *arg, struct argp_state *state)
{
    basis_config *c = state->input;
    optim_config *p = &c->optim;
    switch (key) {
    case OPT_WIDTH:     c->model.d = option_whole(arg, "--width", 4, 1 << 14); return 0;
    case OPT_OUT:       c->out = arg; return 0;
    case OPT_SEED:      c->seed = option_seed(arg, "--seed"); return 0;
    case OPT_DATA_SEED: c->data_seed = option_seed(arg, "--data-seed"); return 0;
    case OPT_EVAL:      c->eval_every = option_whole(arg, "--eval-every", 1, 1L << 40); return 0;
    case OPT_SAVE:      c->save_every = option_whole(arg, "--save-every", 1, 1L << 40); return 0;
    case OPT_QUIET:     c->quiet = true; return 0;
    case OPT_BACKEND:   backend = arg; return 0;
    case OPT_NEURONS:   c->model.m = option_whole(arg, "--neurons", 1, 1 << 18); return 0;
    case OPT_LESS_X:    c->model.less_x = true; return 0;
    case OPT_SHUFFLED:  c->model.shuffled = true; return 0;
    case OPT_STEPS:     p->steps = option_whole(arg, "--steps", 1, 1L << 40); return 0;
    case OPT_BATCH:     c->batch = option_whole(arg, "--batch", 1, 1 << 24); return 0;
    case OPT_CHUNK:     c->chunk = option_whole(arg, "--chunk", 1, 1 << 24); return 0;
    case OPT_RATE:      p->peak = option_number(arg, "--rate", 1e-12, 1e3); return 0;
    case OPT_LEAST:     p->least = option_number(arg, "--least-rate", 0, 1e3); return 0;
    case OPT_WARMUP:    p->warmup = option_whole(arg, "--warmup", 0, 1L << 40); return 0;
    case OPT_DECAY:     p->decay = option_number(arg, "--decay", 0, 1e3); return 0;
    case OPT_CLIP:      p->clip = option_number(arg, "--clip", 0, 1e12); return 0;
    case OPT_BETA2:     p->beta2 = option_number(arg, "--beta2", 0, 0.999999); return 0;
    case OPT_TESTS:     c->tests = option_whole(arg, "--tests", 1, 1L << 40); return 0;
    case OPT_FITS:      c->fits = option_whole(arg, "--fits", 1, 1L << 40); return 0;
    case OPT_LAMBDA:    c->lambda = option_number(arg, "--lambda", 1e-300, 1e300); return 0;
    case ARGP_KEY_ARG:  die("basis-transfer takes options only, not `%s`; see `provably basis-transfer --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What was not given (-1) is as the width wants it. */
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

static const struct argp parser = { flags, parse, NULL,
    "Trains an MLP with a skip to be another one in a changed basis (Appendix D), and compares it with the best "
    "linear map and with an untrained closed form.  Exit status: 0 finished, 1 stopped by Ctrl-C after a "
    "checkpoint, 2 bad input.", NULL, NULL, NULL };

static basis_config read_options(int argc, char **argv, unsigned how)
{
    basis_config c = basis_default(64);
    c.model.m = c.optim.steps = c.optim.warmup = c.batch = c.fits = c.eval_every = c.save_every = -1;
    c.optim.peak = c.optim.decay = -1;
    argp_parse(&parser, argc, argv, how, NULL, &c);
    complete(&c);
    return c;
}

run_cost basis_cost(int argc, char **argv)
{
    basis_config c = read_options(argc, argv, ARGP_NO_HELP);
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
    const basis_config c = read_options(argc, argv, 0);
    if (!c.out) die("basis-transfer needs --out=DIR, the folder of the run");
    const char *wrong = basis_config_check(&c);
    if (wrong) die("%s", wrong);
    const basis_result is = train_basis(&c, backend_find(backend));
    if (!is.run.finished) return 1;
    printf("W2 GELU(W1 x) + Z x%s, width %ld; a student of %ld neurons after %ld steps of %ld samples\n",
           c.model.less_x ? " - x" : "", c.model.d, c.model.m, c.optim.steps, c.batch);
    printf("%-10s %10s %18s %16s\n", "model", "error", "mean of samples", "cosine distance");
    for (int k = 0; k < BASIS_MODELS; k++)
        printf("%-10s %8.3f %% %16.3f %% %16.6f\n", basis_model_name[k], 100 * is.of[k].error,
               100 * is.of[k].sample_error, is.of[k].cosine);
    printf("trained / linear: %.3f\n", is.of[BASIS_TRAINED].error / is.of[BASIS_LINEAR].error);
    return 0;
}
