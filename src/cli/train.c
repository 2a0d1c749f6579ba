/* SPDX-License-Identifier: GPL-3.0-or-later
 * train.c - `provably train`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/cli/train_options.h"
#include "src/train/backend.h"
#include "src/train/train.h"
#include "src/train/world.h"
#include "src/base/option.h"

enum {
    OPT_DATA = 256, OPT_VALIDATE, OPT_ORDER, OPT_EVAL_WINDOWS, OPT_WHOLE, OPT_LOSSES, OPT_SPECTRA, OPT_ATTN,
    OPT_PAD,
    OPT_LAYERS, OPT_WIDTH, OPT_HEADS, OPT_MLP, OPT_WINDOW, OPT_VOCABULARY, OPT_NO_QUERY, OPT_NO_KEY, OPT_NO_VALUE,
    OPT_FACTOR, OPT_UNTIED, OPT_NO_NORM, OPT_NO_ATTN_SKIP, OPT_NO_MLP_SKIP, OPT_STD, OPT_STEPS, OPT_UNTIL, OPT_MICRO,
    OPT_BETA2
};

/* ---- options ------------------------------------------------------------------------------------------- */

static const struct argp_option train_flags[] = {
    { NULL, 0, NULL, 0, "The run", 1 },
    { "data", OPT_DATA, "WHAT", 0, "bytes:FILE, chars:FILE, nanogpt:FILE, llmc:FILE or synthetic[:SEED] (default)", 1 },
    { "validate", OPT_VALIDATE, "WHAT", 0, "validation text, as --data (the last tenth of --data, which is then not "
      "trained on)", 1 },
    { "order", OPT_ORDER, "HOW", 0, "order of the windows: counter (default), a hash of seed, step and row; or torch, "
      "torch.randint with that seed, as in the papers", 1 },
    { "eval-windows", OPT_EVAL_WINDOWS, "N|even:N|all", 0, "validate on N windows of the validation text, drawn anew "
      "each time, as the papers do; even:N: on N windows spread evenly over it, always the same; all: on every window "
      "(even:1024, or all where there are no more)", 1 },
    { "whole-at-end", OPT_WHOLE, NULL, 0, "the last validation is on every window", 1 },
    { "losses", OPT_LOSSES, NULL, 0, "at the end write the loss of each validation window to losses.csv", 1 },
    { "spectra", OPT_SPECTRA, NULL, 0, "at each validation write the singular values of all weights to spectra.csv, "
      "and cond_q, the geometric mean over the blocks of the condition number of W_Q, to evals.csv", 1 },
    { "attn", OPT_ATTN, "HOW", 0, "attention kernel on the GPU: simple, flash, cudnn or best (best: cudnn for "
      "windows of 1,024 and more, else flash); where one does not support the model, the one before it is used, and "
      "the run reports this; an error on the CPU", 1 },
    { "pad", OPT_PAD, "N", 0, "pad the width of each head to a multiple of N; the model stays the same (8 with "
      "cuda-bf16, else 1)", 1 },
    { NULL, 0, NULL, 0, "The model", 2 },
    { "layers", OPT_LAYERS, "N", 0, "number of blocks (4)", 2 },
    { "width", OPT_WIDTH, "N", 0, "width d of the model (128)", 2 },
    { "heads", OPT_HEADS, "N", 0, "number of attention heads (4)", 2 },
    { "mlp", OPT_MLP, "N", 0, "width of the MLP (4 d)", 2 },
    { "window", OPT_WINDOW, "N", 0, "context length (64)", 2 },
    { "vocabulary", OPT_VOCABULARY, "N", 0, "vocabulary of the model and of nanogpt: and llmc: files (50304)", 2 },
    { "no-query", OPT_NO_QUERY, NULL, 0, "W_Q = I: the papers' reduced model", 2 },
    { "no-key", OPT_NO_KEY, NULL, 0, "W_K = I; alone or with --no-query, --no-value", 2 },
    { "no-value", OPT_NO_VALUE, NULL, 0, "W_V = I; alone or with --no-query, --no-key", 2 },
    { "factor", OPT_FACTOR, "X", 0, "multiplies the attention scores (1; the papers' reduced models: 0.5)", 2 },
    { "untied", OPT_UNTIED, NULL, 0, "the output head has its own weights", 2 },
    { "no-norm", OPT_NO_NORM, NULL, 0, "no LayerNorm", 2 },
    { "no-attn-skip", OPT_NO_ATTN_SKIP, NULL, 0, "no skip connection around attention", 2 },
    { "no-mlp-skip", OPT_NO_MLP_SKIP, NULL, 0, "no skip connection around the MLP", 2 },
    { "init-std", OPT_STD, "X", 0, "standard deviation of the initial weights (0.554 / sqrt(d))", 2 },
    { NULL, 0, NULL, 0, "The recipe", 3 },
    { "steps", OPT_STEPS, "N", 0, "number of updates (1000)", 3 },
    { "until", OPT_UNTIL, "N", 0, "stop after this update of the schedule (its last)", 3 },
    { "micro", OPT_MICRO, "N", 0, "sequences per forward pass; must divide the batch (as many as have 16384 "
      "tokens, on a GPU 65536 and fit into its memory; a run that resumes keeps its own)", 3 },
    { "beta2", OPT_BETA2, "X", 0, "beta2 of AdamW (0.99)", 3 },
    { 0 } };

static const training_help train_help[TRAINING_KEYS] = {
    [TRAINING_SEED] = { NULL, "1337" }, [TRAINING_DATA_SEED] = { "seed of the order of the windows", "42" },
    [TRAINING_EVAL] = { NULL, "250" }, [TRAINING_SAVE] = { NULL, "250" },
    [TRAINING_BATCH] = { "sequences per update", "12" }, [TRAINING_RATE] = { NULL, "4e-3" },
    [TRAINING_LEAST_RATE] = { NULL, "a tenth of the peak" }, [TRAINING_WARMUP] = { NULL, "a twentieth of all" },
    [TRAINING_DECAY] = { NULL, "0.1" }, [TRAINING_CLIP] = { NULL, "1" } };

typedef struct {
    train_config c;
    const char *data, *validate, *backend, *attn;
    long vocabulary;
    training_options shared;
} train_options;

static const char *const orders[] = { "counter", "torch" };

static void read_windows(train_config *c, const char *arg)
{
    c->eval_even = strncmp(arg, "even:", 5) == 0;
    const char *number = c->eval_even ? strchr(arg, ':') + 1 : arg;
    if (*number < '0' || '9' < *number) {
        if (strcmp(arg, "all") != 0) die("--eval-windows takes N, even:N or all, N a whole number, not `%s`", arg);
        c->eval_windows = 0;
    } else {
        c->eval_windows = option_whole(number, c->eval_even ? "--eval-windows=even:" : "--eval-windows", 1, 1L << 30);
    }
}

static error_t parse_train(int key, char *arg, struct argp_state *state)
{
    train_options *o = state->input;
    gpt_config *m = &o->c.model;
    optim_config *p = &o->c.optim;
    switch (key) {
    case OPT_DATA:         o->data = arg; return 0;
    case OPT_VALIDATE:     o->validate = arg; return 0;
    case OPT_ORDER:        o->c.torch_order = option_word(arg, "--order", orders, COUNT(orders)) == 1; return 0;
    case OPT_EVAL_WINDOWS: read_windows(&o->c, arg); return 0;
    case OPT_WHOLE:        o->c.whole_at_end = true; return 0;
    case OPT_LOSSES:       o->c.losses = true; return 0;
    case OPT_SPECTRA:      o->c.spectra = true; return 0;
    case OPT_ATTN:         backend_attention(arg); o->attn = arg; return 0;
    case OPT_PAD:          m->pad = option_whole(arg, "--pad", 1, 1024); return 0;
    case OPT_LAYERS:       m->L = option_whole(arg, "--layers", 1, 1000); return 0;
    case OPT_WIDTH:        m->d = option_whole(arg, "--width", 1, 1 << 20); return 0;
    case OPT_HEADS:        m->h = option_whole(arg, "--heads", 1, 1 << 10); return 0;
    case OPT_MLP:          m->m = option_whole(arg, "--mlp", 1, 1 << 22); return 0;
    case OPT_WINDOW:       m->T = option_whole(arg, "--window", 1, 1 << 20); return 0;
    case OPT_VOCABULARY:   o->vocabulary = option_whole(arg, "--vocabulary", 2, 65536); return 0;
    case OPT_NO_QUERY:     m->identity[GPT_QUERY] = true; return 0;
    case OPT_NO_KEY:       m->identity[GPT_KEY] = true; return 0;
    case OPT_NO_VALUE:     m->identity[GPT_VALUE] = true; return 0;
    case OPT_FACTOR:       m->factor = option_number(arg, "--factor", 1e-6, 1e6); return 0;
    case OPT_UNTIED:       m->tied = false; return 0;
    case OPT_NO_NORM:      m->norm = false; return 0;
    case OPT_NO_ATTN_SKIP: m->attn_skip = false; return 0;
    case OPT_NO_MLP_SKIP:  m->mlp_skip = false; return 0;
    case OPT_STD:          m->init_std = option_number(arg, "--init-std", 1e-6, 1e3); return 0;
    case OPT_STEPS:        p->steps = option_whole(arg, "--steps", 1, 1L << 40); return 0;
    case OPT_UNTIL:        p->until = option_whole(arg, "--until", 1, 1L << 40); return 0;
    case OPT_MICRO:        o->c.micro = option_whole(arg, "--micro", 1, 1 << 20); return 0;
    case OPT_BETA2:        p->beta2 = option_number(arg, "--beta2", 0, 0.999999); return 0;
    case ARGP_KEY_INIT:    training_options_init(state, &o->shared); return 0;
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

static const struct argp train_parser = { .options = train_flags, .parser = parse_train,
    .children = training_children, .doc =
    "Trains a language model, in several processes when built with `make MPI=1` and started by mpirun.  Exit status: "
    "0 finished, 1 stopped by Ctrl-C, SIGTERM or SIGHUP after a checkpoint, 2 bad input, 3 diverged: a loss was not "
    "finite." };

/* The options, with their defaults; the vocabulary follows from the text, later. */
static train_options read_options(int argc, char **argv, unsigned flags)
{
    train_options o = { .data = "synthetic", .vocabulary = 50304,
        .c = { .model = { .L = 4, .d = 128, .h = 4, .T = 64, .factor = 1, .tied = true, .norm = true, .attn_skip = true,
                          .mlp_skip = true },
               .optim = { .peak = 4e-3, .least = -1, .warmup = -1, .steps = 1000, .beta1 = 0.9, .beta2 = 0.99,
                          .eps = 1e-8, .decay = 0.1, .clip = 1 },
               .batch = 12, .eval_every = 250, .save_every = 250, .seed = 1337, .data_seed = 42,
               .eval_even = true, .eval_windows = 1024 } };        /* a tenth of the cost of 250 steps */
    train_config *c = &o.c;
    o.shared = (training_options){ .command = "train", .help = train_help, .most_every = 1L << 40,
        .most_batch = 1 << 20, .out = &c->out, .backend = &o.backend, .quiet = &c->quiet, .seed = &c->seed,
        .data_seed = &c->data_seed, .eval_every = &c->eval_every, .save_every = &c->save_every, .batch = &c->batch,
        .optim = &c->optim };
    command_parse(&train_parser, argc, argv, flags, &o, NULL);
    if (!c->model.m) c->model.m = 4 * c->model.d;
    if (c->model.init_std == 0) c->model.init_std = 0.554 / sqrt((double)c->model.d);
    if (c->optim.least < 0) c->optim.least = c->optim.peak / 10;
    if (c->optim.warmup < 0) c->optim.warmup = c->optim.steps / 20;
    return o;
}

/* The vocabulary without reading the text: bytes have 256 values, token files say theirs, characters are counted if
 * the file is there, else at most 256. */
static long vocabulary_of(const train_options *o)
{
    const bool files = strncmp(o->data, "nanogpt:", 8) == 0 || strncmp(o->data, "llmc:", 5) == 0;
    unsigned char letter[256];
    const bool chars = strncmp(o->data, "chars:", 6) == 0 && access(o->data + 6, R_OK) == 0;
    return files ? o->vocabulary : chars ? tokens_alphabet(o->data + 6, letter) : 256;
}

static void check_config(const train_config *c)
{
    const char *wrong = train_config_check(c);
    if (wrong) die("%s", wrong);
}

/* What follows from the operations. */
static void complete(train_config *c, const ops *o)
{
    if (!c->model.pad) c->model.pad = o->act < sizeof(float) && gpt_identities(&c->model) == 0 ? 8 : 1;
    if (!c->micro) {
        c->micro = c->batch;                                            /* a number that divides it, for the check */
        check_config(c);
        c->micro = train_micro(c, o);
    }
    check_config(c);
}

static estimate estimate_one(const void *self, const ops *o)
{
    train_config c = *(const train_config *)self;
    complete(&c, o);
    const double units = (double)(c.batch * c.model.T);
    return (estimate){ .t = train_gpt_tally(&c, o), .units = units, .flops = units * gpt_flops(&c.model),
                       .unit = "tokens", .at_once = must_format("%ld of %ld sequences at a time", c.micro, c.batch) };
}

run_cost train_cost(int argc, char **argv)
{
    train_options o = read_options(argc, argv, ARGP_NO_HELP);
    train_config *c = &o.c;
    c->model.V = vocabulary_of(&o);
    c->out = "-";
    if (!c->micro) c->micro = 1;
    check_config(c);
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
    memory_advice("a smaller --micro (sequences at a time; it must divide the batch), --window, --width or --layers");
    train_options o = read_options(argc, argv, 0);
    train_config *c = &o.c;
    if (o.shared.estimate.asked) {
        c->out = "-";
        c->model.V = vocabulary_of(&o);
        return estimate_run(&o.shared.estimate, o.backend, backend_usual("train"), estimate_one, c);
    }
    if (!c->out) die("train needs --out=DIR, the folder of the run");
    const ops *backend = backend_find(o.backend, backend_usual("train"));
    if (o.attn && strncmp(backend->name, "cpu-", 4) == 0)
        die("--attn=%s chooses a GPU kernel, but this run is on the CPU; leave it out or name a GPU with --backend",
            o.attn);
    tokens all = text_of(o.data, o.vocabulary);
    c->model.V = all.V;
    if (!c->micro) c->micro = run_micro(c->out, c->batch);
    complete(c, backend);
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
        printf("%s after %ld steps, validation loss %.4f\n", run_ended(&r), r.steps, r.metric[0]);
    tokens_free(&all);
    tokens_free(&train);
    tokens_free(&val);
    return run_status(&r);
}
