/* SPDX-License-Identifier: GPL-3.0-or-later
 * train_options.c - see train_options.h. */
#include "src/base/option.h"
#include "src/cli/train_options.h"

enum { FIRST_KEY = 512 };                /* no character, so that no option is a single letter          */
#define KEY(name) (FIRST_KEY + (name))

static const struct argp_option run_flags[] = {
    { "out", KEY(TRAINING_OUT), "DIR", 0, "folder of the run; an interrupted run resumes from its checkpoint", 1 },
    { "seed", KEY(TRAINING_SEED), "N", 0, "seed of the initial values", 1 },
    { "data-seed", KEY(TRAINING_DATA_SEED), "N", 0, "seed of the order of the data", 1 },
    { "eval-every", KEY(TRAINING_EVAL), "N", 0, "steps between validations", 1 },
    { "save-every", KEY(TRAINING_SAVE), "N", 0, "steps between checkpoints", 1 },
    { "quiet", KEY(TRAINING_QUIET), NULL, 0, "no progress line", 1 },
    { "backend", KEY(TRAINING_BACKEND), "NAME", 0, "cpu, cpu-bf16, cpu-f64, cuda, cuda-tf32 or cuda-bf16 (cpu; where "
      "the program was built with CUDA and finds a GPU, cuda-bf16, of train-vision cuda); a GPU backend that is named "
      "but cannot be used is an error", 1 },
    { "estimate", KEY(TRAINING_ESTIMATE), "csv", OPTION_ARG_OPTIONAL, "train nothing: print what a step would cost on "
      "the GPU of --gpu, from the operations it would make and the vendor's figures; =csv: for programs", 1 },
    { "gpu", KEY(TRAINING_GPU), "NAME", 0, "for --estimate: h100, h200, a100, 4090, b200 or all", 1 },
    { 0 } };

static const struct argp_option recipe_flags[] = {
    { "batch", KEY(TRAINING_BATCH), "N", 0, "samples per update", 3 },
    { "rate", KEY(TRAINING_RATE), "X", 0, "peak learning rate", 3 },
    { "least-rate", KEY(TRAINING_LEAST_RATE), "X", 0, "final learning rate of the cosine schedule", 3 },
    { "warmup", KEY(TRAINING_WARMUP), "N", 0, "warm-up steps", 3 },
    { "decay", KEY(TRAINING_DECAY), "X", 0, "weight decay of matrices", 3 },
    { "clip", KEY(TRAINING_CLIP), "X", 0, "clip the gradient to this norm; 0: no clipping", 3 },
    { 0 } };

static error_t parse_run(int key, char *arg, struct argp_state *state)
{
    static const char *const formats[] = { "csv" };
    training_options *o = state->input;
    switch (key) {
    case KEY(TRAINING_OUT):       *o->out = arg; return 0;
    case KEY(TRAINING_SEED):      *o->seed = option_seed(arg, "--seed"); return 0;
    case KEY(TRAINING_DATA_SEED): *o->data_seed = option_seed(arg, "--data-seed"); return 0;
    case KEY(TRAINING_EVAL):      *o->eval_every = option_whole(arg, "--eval-every", 1, o->most_every); return 0;
    case KEY(TRAINING_SAVE):      *o->save_every = option_whole(arg, "--save-every", 1, o->most_every); return 0;
    case KEY(TRAINING_QUIET):     *o->quiet = true; return 0;
    case KEY(TRAINING_BACKEND):   *o->backend = arg; return 0;
    case KEY(TRAINING_ESTIMATE):
        o->estimate.asked = true;
        if (arg) o->estimate.csv = option_word(arg, "--estimate", formats, COUNT(formats)) == 0;
        return 0;
    case KEY(TRAINING_GPU):       o->estimate.gpu = arg; return 0;
    case ARGP_KEY_END:            estimate_check(&o->estimate); return 0;
    case ARGP_KEY_ARG:
        die("%s takes options only, not `%s`; see `provably %s --help`", o->command, arg, o->command);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_recipe(int key, char *arg, struct argp_state *state)
{
    const training_options *o = state->input;
    switch (key) {
    case KEY(TRAINING_BATCH):      *o->batch = option_whole(arg, "--batch", 1, o->most_batch); return 0;
    case KEY(TRAINING_RATE):       o->optim->peak = option_number(arg, "--rate", 1e-12, 1e3); return 0;
    case KEY(TRAINING_LEAST_RATE): o->optim->least = option_number(arg, "--least-rate", 0, 1e3); return 0;
    case KEY(TRAINING_WARMUP):     o->optim->warmup = option_whole(arg, "--warmup", 0, 1L << 40); return 0;
    case KEY(TRAINING_DECAY):      o->optim->decay = option_number(arg, "--decay", 0, 1e3); return 0;
    case KEY(TRAINING_CLIP):       o->optim->clip = option_number(arg, "--clip", 0, 1e12); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The text of an option with this command's words and its default in parentheses; argp frees it. */
static char *help_filter(int key, const char *text, void *input)
{
    const training_options *o = input;
    if (!o || key < FIRST_KEY || key >= KEY(TRAINING_KEYS)) return (char *)(uintptr_t)text;
    const training_help *h = &o->help[key - FIRST_KEY];
    const char *shown = h->text ? h->text : text;
    return h->usual ? must_format("%s (%s)", shown, h->usual) : must_strdup(shown);
}

static const struct argp run_parser = { .options = run_flags, .parser = parse_run, .help_filter = help_filter };
static const struct argp recipe_parser = { .options = recipe_flags, .parser = parse_recipe,
                                           .help_filter = help_filter };

const struct argp_child training_children[TRAINING_CHILDREN + 1] = {
    [TRAINING_RUN] = { &run_parser, 0, NULL, 0 }, [TRAINING_RECIPE] = { &recipe_parser, 0, NULL, 0 } };

void training_options_init(struct argp_state *state, training_options *shared)
{
    state->child_inputs[TRAINING_RUN] = state->child_inputs[TRAINING_RECIPE] = shared;
}
