/* train.c - `provably train`. */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/cli/cli.h"
#include "src/train/backend.h"
#include "src/train/train.h"
#include "src/train/world.h"
#include "src/base/option.h"

enum {
    OPT_OUT = 256, OPT_DATA, OPT_LAYERS, OPT_WIDTH, OPT_HEADS, OPT_MLP, OPT_WINDOW, OPT_VOCABULARY, OPT_NO_QUERY,
    OPT_FACTOR, OPT_UNTIED, OPT_NO_NORM, OPT_NO_ATTN_SKIP, OPT_NO_MLP_SKIP, OPT_STD, OPT_STEPS, OPT_BATCH, OPT_MICRO,
    OPT_RATE, OPT_LEAST, OPT_WARMUP, OPT_DECAY, OPT_CLIP, OPT_BETA2, OPT_SEED, OPT_DATA_SEED, OPT_EVAL, OPT_SAVE,
    OPT_QUIET, OPT_EVAL_WINDOWS, OPT_LOSSES, OPT_ORDER, OPT_VALIDATE, OPT_UNTIL, OPT_BACKEND, OPT_ATTN, OPT_PAD
};

/* ---- train ------------------------------------------------------------------------------------------------ */

static const struct argp_option train_flags[] = {
    { NULL, 0, NULL, 0, "The run", 1 },
    { "out", OPT_OUT, "DIR", 0, "the run's folder; a run that was stopped goes on from its checkpoint", 1 },
    { "data", OPT_DATA, "WHAT", 0, "bytes:FILE, chars:FILE, nanogpt:FILE, llmc:FILE or synthetic[:SEED] (default)", 1 },
    { "validate", OPT_VALIDATE, "WHAT", 0, "text to validate on (the last tenth of --data, not trained on then)", 1 },
    { "seed", OPT_SEED, "N", 0, "of the initial values (1337)", 1 },
    { "data-seed", OPT_DATA_SEED, "N", 0, "of the order of the windows (42)", 1 },
    { "order", OPT_ORDER, "HOW", 0, "of the windows: counter (default), a hash of seed, step and row; or torch, the "
      "papers': torch.randint with that seed", 1 },
    { "eval-every", OPT_EVAL, "N", 0, "steps between validations (250)", 1 },
    { "eval-windows", OPT_EVAL_WINDOWS, "N", 0, "validate on N windows, drawn anew each time, as the papers do", 1 },
    { "losses", OPT_LOSSES, NULL, 0, "when finished, write each validation window's loss to losses.csv", 1 },
    { "save-every", OPT_SAVE, "N", 0, "steps between checkpoints (250)", 1 },
    { "quiet", OPT_QUIET, NULL, 0, "no progress line", 1 },
    { "backend", OPT_BACKEND, "NAME", 0, "cpu, cpu-f64, cuda, cuda-tf32 or cuda-bf16 (the GPU in float where the "
      "program has CUDA and finds one, else the CPU); a GPU that is asked for must be there", 1 },
    { "attn", OPT_ATTN, "HOW", 0, "on the GPU: simple, flash, cudnn or best (best)", 1 },
    { "pad", OPT_PAD, "N", 0, "room for each head's coordinates, a multiple of N; the model is the same (8 with "
      "cuda-bf16, else 1)", 1 },
    { NULL, 0, NULL, 0, "The model", 2 },
    { "layers", OPT_LAYERS, "N", 0, "blocks (4)", 2 },
    { "width", OPT_WIDTH, "N", 0, "d (128)", 2 },
    { "heads", OPT_HEADS, "N", 0, "h (4)", 2 },
    { "mlp", OPT_MLP, "N", 0, "width of the MLP (4 d)", 2 },
    { "window", OPT_WINDOW, "N", 0, "positions (64)", 2 },
    { "vocabulary", OPT_VOCABULARY, "N", 0, "of nanogpt: and llmc: files, and of the model (50304)", 2 },
    { "no-query", OPT_NO_QUERY, NULL, 0, "W_Q = I: the papers' reduced model", 2 },
    { "factor", OPT_FACTOR, "X", 0, "on the attention's scale (1; the reduced models of the papers: 0.5)", 2 },
    { "untied", OPT_UNTIED, NULL, 0, "the head has weights of its own", 2 },
    { "no-norm", OPT_NO_NORM, NULL, 0, "no LayerNorm", 2 },
    { "no-attn-skip", OPT_NO_ATTN_SKIP, NULL, 0, "no skip around attention", 2 },
    { "no-mlp-skip", OPT_NO_MLP_SKIP, NULL, 0, "no skip around the MLP", 2 },
    { "init-std", OPT_STD, "X", 0, "of the initial weights (0.554 / sqrt(d))", 2 },
    { NULL, 0, NULL, 0, "The recipe", 3 },
    { "steps", OPT_STEPS, "N", 0, "updates (1000)", 3 },
    { "until", OPT_UNTIL, "N", 0, "stop at this update of the schedule (its last)", 3 },
    { "batch", OPT_BATCH, "N", 0, "sequences per update (12)", 3 },
    { "micro", OPT_MICRO, "N", 0, "sequences at a time; divides the batch (the batch)", 3 },
    { "rate", OPT_RATE, "X", 0, "peak learning rate (4e-3)", 3 },
    { "least-rate", OPT_LEAST, "X", 0, "at the end of the cosine (a tenth of the peak)", 3 },
    { "warmup", OPT_WARMUP, "N", 0, "steps of warm-up (a twentieth)", 3 },
    { "decay", OPT_DECAY, "X", 0, "weight decay of matrices (0.1)", 3 },
    { "clip", OPT_CLIP, "X", 0, "largest norm of the gradient, 0: none (1)", 3 },
    { "beta2", OPT_BETA2, "X", 0, "of AdamW (0.99)", 3 },
    { 0 } };

typedef struct { train_config c; const char *data, *validate, *backend; long vocabulary; } train_options;

static const char *const orders[] = { "counter", "torch" };

static error_t parse_train(int key, char *arg, struct argp_state *state)
{
    train_options *o = state->input;
    gpt_config *m = &o->c.model;
    optim_config *p = &o->c.optim;
    switch (key) {
    case OPT_OUT:          o->c.out = arg; return 0;
    case OPT_DATA:         o->data = arg; return 0;
    case OPT_VALIDATE:     o->validate = arg; return 0;
    case OPT_ORDER:        o->c.torch_order = option_word(arg, "--order", orders, COUNT(orders)) == 1; return 0;
    case OPT_SEED:         o->c.seed = option_seed(arg, "--seed"); return 0;
    case OPT_DATA_SEED:    o->c.data_seed = option_seed(arg, "--data-seed"); return 0;
    case OPT_EVAL:         o->c.eval_every = option_whole(arg, "--eval-every", 1, 1L << 40); return 0;
    case OPT_EVAL_WINDOWS: o->c.eval_windows = option_whole(arg, "--eval-windows", 1, 1L << 30); return 0;
    case OPT_LOSSES:       o->c.losses = true; return 0;
    case OPT_SAVE:         o->c.save_every = option_whole(arg, "--save-every", 1, 1L << 40); return 0;
    case OPT_QUIET:        o->c.quiet = true; return 0;
    case OPT_BACKEND:      o->backend = arg; return 0;
    case OPT_ATTN:         backend_attention(arg); return 0;
    case OPT_PAD:          m->pad = option_whole(arg, "--pad", 1, 1024); return 0;
    case OPT_LAYERS:       m->L = option_whole(arg, "--layers", 1, 1000); return 0;
    case OPT_WIDTH:        m->d = option_whole(arg, "--width", 1, 1 << 20); return 0;
    case OPT_HEADS:        m->h = option_whole(arg, "--heads", 1, 1 << 10); return 0;
    case OPT_MLP:          m->m = option_whole(arg, "--mlp", 1, 1 << 22); return 0;
    case OPT_WINDOW:       m->T = option_whole(arg, "--window", 1, 1 << 20); return 0;
    case OPT_VOCABULARY:   o->vocabulary = option_whole(arg, "--vocabulary", 2, 65536); return 0;
    case OPT_NO_QUERY:     m->query = false; return 0;
    case OPT_FACTOR:       m->factor = option_number(arg, "--factor", 1e-6, 1e6); return 0;
    case OPT_UNTIED:       m->tied = false; return 0;
    case OPT_NO_NORM:      m->norm = false; return 0;
    case OPT_NO_ATTN_SKIP: m->attn_skip = false; return 0;
    case OPT_NO_MLP_SKIP:  m->mlp_skip = false; return 0;
    case OPT_STD:          m->init_std = option_number(arg, "--init-std", 1e-6, 1e3); return 0;
    case OPT_STEPS:        p->steps = option_whole(arg, "--steps", 1, 1L << 40); return 0;
    case OPT_UNTIL:        p->until = option_whole(arg, "--until", 1, 1L << 40); return 0;
    case OPT_BATCH:        o->c.batch = option_whole(arg, "--batch", 1, 1 << 20); return 0;
    case OPT_MICRO:        o->c.micro = option_whole(arg, "--micro", 1, 1 << 20); return 0;
    case OPT_RATE:         p->peak = option_number(arg, "--rate", 1e-12, 1e3); return 0;
    case OPT_LEAST:        p->least = option_number(arg, "--least-rate", 0, 1e3); return 0;
    case OPT_WARMUP:       p->warmup = option_whole(arg, "--warmup", 0, 1L << 40); return 0;
    case OPT_DECAY:        p->decay = option_number(arg, "--decay", 0, 1e3); return 0;
    case OPT_CLIP:         p->clip = option_number(arg, "--clip", 0, 1e12); return 0;
    case OPT_BETA2:        p->beta2 = option_number(arg, "--beta2", 0, 0.999999); return 0;
    case ARGP_KEY_ARG:     die("train takes options only, not `%s`; see `provably train --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static tokens text_of(const char *data, long vocabulary)
{
    enum { SYNTHETIC = 1 << 20 };
    if (strcmp(data, "synthetic") == 0)             return tokens_synthetic(1, SYNTHETIC);
    if (strncmp(data, "synthetic:", 10) == 0)
        return tokens_synthetic(option_seed(data + 10, "--data=synthetic:"), SYNTHETIC);
    if (strncmp(data, "bytes:", 6) == 0)            return tokens_bytes(data + 6);
    if (strncmp(data, "chars:", 6) == 0)            return tokens_chars(data + 6);
    if (strncmp(data, "nanogpt:", 8) == 0)          return tokens_nanogpt(data + 8, vocabulary);
    if (strncmp(data, "llmc:", 5) == 0)             return tokens_llmc(data + 5, vocabulary);
    die("--data and --validate take bytes:FILE, chars:FILE, nanogpt:FILE, llmc:FILE or synthetic[:SEED], not `%s`",
        data);
}

static const struct argp train_parser = { train_flags, parse_train, NULL,
    "Trains a language model, in several processes when built with `make MPI=1` and started by mpirun.  Exit status: "
    "0 finished, 1 stopped by Ctrl-C or SIGTERM after a checkpoint, 2 bad input.", NULL, NULL, NULL };

/* What the options say, and what they leave open; the vocabulary is not known before the text is. */
static train_options read_options(int argc, char **argv, unsigned flags)
{
    train_options o = { .data = "synthetic", .vocabulary = 50304,
        .c = { .model = { .L = 4, .d = 128, .h = 4, .T = 64, .query = true, .factor = 1, .tied = true, .norm = true,
                          .attn_skip = true, .mlp_skip = true },
               .optim = { .peak = 4e-3, .least = -1, .warmup = -1, .steps = 1000, .beta1 = 0.9, .beta2 = 0.99,
                          .eps = 1e-8, .decay = 0.1, .clip = 1 },
               .batch = 12, .eval_every = 250, .save_every = 250, .seed = 1337, .data_seed = 42 } };
    argp_parse(&train_parser, argc, argv, flags, NULL, &o);
    train_config *c = &o.c;
    if (!c->model.m) c->model.m = 4 * c->model.d;
    if (c->model.init_std == 0) c->model.init_std = 0.554 / sqrt((double)c->model.d);
    if (!c->micro) c->micro = c->batch;
    if (c->optim.least < 0) c->optim.least = c->optim.peak / 10;
    if (c->optim.warmup < 0) c->optim.warmup = c->optim.steps / 20;
    return o;
}

/* Of a list of work: bytes have 256 values, token files their vocabulary; characters at most 256. */
run_cost train_cost(int argc, char **argv)
{
    train_options o = read_options(argc, argv, ARGP_NO_HELP);
    train_config *c = &o.c;
    const bool files = strncmp(o.data, "nanogpt:", 8) == 0 || strncmp(o.data, "llmc:", 5) == 0;
    unsigned char letter[256];
    const bool chars = strncmp(o.data, "chars:", 6) == 0 && access(o.data + 6, R_OK) == 0;
    c->model.V = files ? o.vocabulary : chars ? tokens_alphabet(o.data + 6, letter) : 256;
    c->out = "-";
    const char *wrong = train_config_check(c);
    if (wrong) die("%s", wrong);
    param_table t = gpt_params(&c->model);
    const long steps = optim_end(&c->optim);
    const double units = (double)steps * (double)(c->batch * c->model.T);
    const run_cost cost = { .parameters = (double)params_count(&t), .flops = units * gpt_flops(&c->model),
                            .units = units, .steps = steps, .unit = "tokens" };
    params_free(&t);
    return cost;
}

int train_main(int argc, char **argv)
{
    train_options o = read_options(argc, argv, 0);
    train_config *c = &o.c;
    if (!c->out) die("train needs --out=DIR, the folder of the run");
    const ops *backend = backend_find(o.backend);
    if (!c->model.pad) c->model.pad = backend->act < sizeof(float) && c->model.query ? 8 : 1;
    tokens all = text_of(o.data, o.vocabulary);
    c->model.V = all.V;
    const char *wrong = train_config_check(c);
    if (wrong) die("%s", wrong);
    if (o.validate && strncmp(o.data, "chars:", 6) == 0)
        die("--validate: two texts at char level have two vocabularies; use bytes:FILE, or one text");
    tokens train = tokens_part(&all, 0, o.validate ? 1 : 0.9);
    tokens val = o.validate ? text_of(o.validate, o.vocabulary) : tokens_part(&all, 0.9, 1);
    if (val.V != train.V) die("--validate: its vocabulary is %ld, that of --data is %ld", val.V, train.V);
    param_table t = gpt_params(&c->model);
    if (world_rank() == 0)
        printf("%zu parameters, %zu tokens to train on, %zu to validate\n", params_count(&t), train.n, val.n);
    params_free(&t);
    const run_result r = train_gpt(c, backend, &train, &val);
    if (world_rank() == 0)
        printf("%s after %ld steps, validation loss %.4f\n", r.finished ? "finished" : "stopped", r.steps, r.metric[0]);
    tokens_free(&all);
    tokens_free(&train);
    tokens_free(&val);
    return r.finished ? 0 : 1;
}
