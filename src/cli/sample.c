/* SPDX-License-Identifier: GPL-3.0-or-later
 * sample.c - `provably sample`: generates text from a trained model. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/cli/vocabulary.h"
#include "src/data/tokens.h"
#include "src/train/backend.h"
#include "src/train/checkpoint.h"
#include "src/train/decode.h"
#include "src/train/train.h"
#include "src/base/option.h"
#include "src/base/shown.h"

enum { OPT_FROM = 256, OPT_CHARS, OPT_BPE, OPT_PROMPT, OPT_LENGTH, OPT_TEMPERATURE, OPT_TOP, OPT_SEED, OPT_BACKEND };

static const struct argp_option sample_flags[] = {
    { "from", OPT_FROM, "DIR", 0, "folder of a run of `train`, or its checkpoint: on bytes or, with --chars or --bpe, "
      "on tokens", 0 },
    { "chars", OPT_CHARS, "FILE", 0, "the training text, if the model was trained with --data=chars:FILE", 0 },
    { "bpe", OPT_BPE, "FILE", 0, "the merges, if the training text was encoded with byte pairs", 0 },
    { "prompt", OPT_PROMPT, "TEXT", 0, "beginning of the text (a new line)", 0 },
    { "length", OPT_LENGTH, "N", 0, "number of tokens to generate: bytes, characters or byte pairs (500)", 0 },
    { "temperature", OPT_TEMPERATURE, "X", 0, "temperature of the softmax; 0: always the most likely token (0.8)", 0 },
    { "top", OPT_TOP, "N", 0, "sample from the N most likely tokens only (40)", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of the random choices (1337)", 0 },
    { "backend", OPT_BACKEND, "NAME", 0, "as of provably train (cpu)", 0 },
    { 0 } };

typedef struct {
    const char *from, *prompt, *bpe, *chars, *backend;
    long length, top;
    double temperature;
    uint64_t seed;
} sample_options;

static error_t parse_sample(int key, char *arg, struct argp_state *state)
{
    sample_options *o = state->input;
    switch (key) {
    case OPT_FROM:     o->from = arg; return 0;
    case OPT_PROMPT:   o->prompt = arg; return 0;
    case OPT_BPE:      o->bpe = arg; return 0;
    case OPT_CHARS:    o->chars = arg; return 0;
    case OPT_LENGTH:   o->length = option_whole(arg, "--length", 1, 1 << 20); return 0;
    case OPT_TEMPERATURE:     o->temperature = option_number(arg, "--temperature", 0, 100); return 0;
    case OPT_TOP:      o->top = option_whole(arg, "--top", 1, 1 << 20); return 0;
    case OPT_SEED:     o->seed = option_seed(arg, "--seed"); return 0;
    case OPT_BACKEND:  o->backend = arg; return 0;
    case ARGP_KEY_ARG: die("sample takes options only, not `%s`; see `provably sample --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A token drawn by u in [0, 1) from softmax(logits / temperature) over the `top` largest. */
static int32_t sample_token(double *logits, long V, const sample_options *o, double u)
{
    const long top = o->top < V ? o->top : V;
    long best = 0, kept = 0;
    double *sorted = must_calloc((size_t)top, sizeof *sorted), total = 0;      /* [kept], falling */
    for (long v = 0; v < V; v++) {
        if (logits[v] > logits[best]) best = v;
        if (kept == top && logits[v] <= sorted[top - 1]) continue;
        long k = kept < top ? kept++ : top - 1;
        for (; k > 0 && sorted[k - 1] < logits[v]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = logits[v];
    }
    const double least = sorted[top - 1], most = sorted[0];
    free(sorted);
    if (o->temperature == 0) return (int32_t)best;
    for (long v = 0; v < V; v++) {
        logits[v] = logits[v] < least ? 0 : exp((logits[v] - most) / o->temperature);
        total += logits[v];
    }
    double sum = 0;
    for (long v = 0; v < V; v++) {
        sum += logits[v];
        if (logits[v] > 0 && sum > u * total) return (int32_t)v;
    }
    return (int32_t)best;
}

/* After n tokens of text, of which the last T count.  Up to T tokens each costs one more row; from then on the window
 * moves, every token in it gets another position, and all of it is computed again. */
static void next_logits(decoder *D, long T, const int32_t *text, long n, double *logits)
{
    const long seen = n < T ? n : T, known = n <= T ? decoder_seen(D) : 0;
    if (!known) decoder_restart(D);
    decode(D, text + n - seen + known, seen - known, logits);
}

/* Characters have numbers in the order of those that occur: as many others are not the model's.  Checkpoints of earlier
 * versions do not say which theirs are. */
static void require_alphabet(const sample_options *o, const vocabulary *w)
{
    char *path = checkpoint_path(o->from);
    char *ours = must_format("%016jx", (uintmax_t)tokens_alphabet_hash(w->letter, w->n));
    checkpoint_file f = checkpoint_open(path);
    const char *theirs = checkpoint_value(&f.head, "alphabet");
    if (theirs && strcmp(theirs, ours) != 0)
        die("%s was trained on other characters than those of %s; give its training text with --chars=FILE", o->from,
            o->chars ? o->chars : "bytes");
    checkpoint_close(&f);
    free(path);
    free(ours);
}

int sample_main(int argc, char **argv)
{
    static const struct argp parser = { sample_flags, parse_sample, NULL,
        "Generates text from a trained model.  It reads the weights of the run, not the optimizer's state, and checks "
        "what it reads.  A token costs least until the text is as long as the model's window; then the window moves, "
        "and each token costs a pass over all of it.  A terminal gets control characters escaped, a pipe the text.\n"
        EXIT_USUAL,
        NULL, NULL, NULL };
    sample_options o = { .prompt = "\n", .length = 500, .top = 40, .temperature = 0.8, .seed = 1337,
                         .backend = "cpu" };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.from) die("sample needs --from=DIR, the folder of a run");
    if (!o.prompt[0]) die("--prompt needs at least one character");
    gpt_config c;
    net weights = train_load_weights(o.from, backend_find(o.backend, GPU_FP32), &c);
    vocabulary w = vocabulary_open(o.bpe, o.chars);
    const long V = w.n;                                 /* tokens that have a text; a model may have more */
    if (c.V < V || (!w.b && c.V != V))
        die("%s has a vocabulary of %ld, not %ld; give the training text with --chars=FILE, or the merges with "
            "--bpe=FILE, unless the model was trained on bytes", o.from, c.V, V);
    if (!w.b) require_alphabet(&o, &w);
    token_list prompt = { .at = NULL };
    vocabulary_encode(&w, "--prompt", o.prompt, strlen(o.prompt), &prompt);
    const size_t given = prompt.n, n = given + (size_t)o.length;
    decoder *D = decoder_create(&c, &weights);
    int32_t *text = must_calloc(n, sizeof *text);
    double *logits = must_calloc((size_t)c.V, sizeof *logits);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ o.seed, 0 }, "sample");
    FILE *out = shown_terminal(stdout);
    for (size_t i = 0; i < n; i++) {
        if (i < given) text[i] = prompt.at[i];
        else {
            next_logits(D, c.T, text, (long)i, logits);
            text[i] = sample_token(logits, V, &o, (double)random_below(key, i, 1 << 30) / (1 << 30));
        }
        vocabulary_write(&w, text[i], out);
    }
    putc('\n', out);
    if (fflush(out) != 0) die("cannot write the text: %s", strerror(errno));
    token_list_free(&prompt);
    vocabulary_close(&w);
    free(text);
    free(logits);
    decoder_free(D);
    net_free(&weights);
    return 0;
}
