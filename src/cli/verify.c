/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify.c - `provably verify`: whether two files of weights are the same function, and where they part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/option.h"
#include "src/base/progress.h"
#include "src/base/shown.h"
#include "src/checkpoint/adapter.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/expert_order.h"
#include "src/checkpoint/nearest_order.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/cli/verify.h"

enum { OPT_UP_TO = 256, OPT_TOKENS, OPT_POSITIONS, OPT_LENGTH, OPT_CERTIFIED, OPT_BITS, OPT_SEED, OPT_BASE,
       OPT_TOLERANCE, OPT_CERTIFICATE, OPT_GRADIENTS, OPT_WIDTH, OPT_TEXT, OPT_BPE, OPT_CHARS, OPT_JSON, OPT_ALL,
       OPT_LOGITS, OPT_GAUGES, OPT_ARCHITECTURES, OPT_ADAPTER };
static const struct argp_option flags[] = {
    { "up-to", OPT_UP_TO, "WHAT", 0, "ask for less than the same function, on the token sequences: softmax (the logits "
      "up to one constant per token), argmax (the most likely token); logits: the default", 0 },
    { "tokens", OPT_TOKENS, "LIST", 0, "compare on these tokens, 1,5,7,...; @FILE: the numbers in FILE", 0 },
    { "positions", OPT_POSITIONS, "LIST", 0, "their positions, increasing (0,1,2,...)", 0 },
    { "text", OPT_TEXT, "FILE", 0, "compare on the beginning of this text, in sequences as long as both models allow, "
      "or of --length; its bytes are the tokens", 0 },
    { "bpe", OPT_BPE, "FILE", 0, "with --text: GPT-2's merges, if the tokens are byte pairs", 0 },
    { "chars", OPT_CHARS, "FILE", 0, "with --text: the training text, if the tokens are its characters", 0 },
    { "length", OPT_LENGTH, "N", 0, "length of drawn token sequences (16), or of those of the text", 0 },
    { "seed", OPT_SEED, "N", 0, "of drawn tokens (1)", 0 },
    { "tolerance", OPT_TOLERANCE, "X", 0, "ask for a gap of logits of at most X on the token sequences, instead of for "
      "the same function", 0 },
    { "logits", OPT_LOGITS, NULL, 0, "figures on token sequences also where the tensors prove the same function", 0 },
    { "certified", OPT_CERTIFIED, NULL, 0, "enclose the gap in balls, for those tokens", 0 },
    { "bits", OPT_BITS, "N", 0, "of the balls (256); twice as many, up to 4096, where they become infinitely wide", 0 },
    { "gradients", OPT_GRADIENTS, NULL, 0, "where B is an image of A, in another basis of the residual stream, too: "
      "whether the gradients of all tensors correspond as the chain rule says; not compared where B comes from A by "
      "scalings or by what reduce left out", 0 },
    { "base", OPT_BASE, "FILE", 0, "the model that B was made from: name tensors that are still its own", 0 },
    { "adapter", OPT_ADAPTER, "FOLDER", 0, "add this LoRA adapter (of PEFT) to A: is B A with the adapter merged?", 0 },
    { "gauges", OPT_GAUGES, "FILE", 0, "the gauges.safetensors that reduce wrote with B, if it is not beside B: check "
      "these changes of basis instead of searching", 0 },
    { "output", 'o', "FILE", 0, "write a certificate: of the same numbers, or with --certified of the gap", 0 },
    { "certificate", OPT_CERTIFICATE, "FILE", 0, "check a certificate again instead", 0 },
    { "json", OPT_JSON, NULL, 0, "print one JSON object instead of the table", 0 },
    { "all", OPT_ALL, NULL, 0, "list all tensors that differ, not just five of each kind", 0 },
    { "architectures", OPT_ARCHITECTURES, "FOLDER", 0, "also know the architectures that the files in FOLDER describe "
      "(those of PROVABLY_ARCHITECTURES)", 0 },
    { "width", OPT_WIDTH, "N", 0, "columns of the output (those of the terminal)", 0 },
    { 0 } };
static const char doc[] =
    "Tells whether two files of weights are the same function, whatever their formats and number types.\v"
    "The answer follows from tensors and settings. verify lists what is missing, extra, transposed, scaled, "
    "permuted, rotated or rounded.\n\n"
    "The same function for all inputs: numbers and settings are equal, or B is an exact image of A, number by "
    "number.\n"
    "The same up to rounding, for all inputs: every number b of B is within r units of its type of an exact image "
    "of A (see below).\n"
    "B is A rounded to Q4_K (or another type of GGUF's blocks: Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K to Q6_K): settings "
    "agree, A has plain numbers, and every number of B is a nearest one that its block can hold (see below); the other "
    "tensors are A's, exactly or up to rounding. It is another function than A's, and how far it is the logits show. "
    "If A's numbers lie in blocks, too, both are compared by what they decode to.\n"
    "The same numbers and settings, exactly or up to rounding: verify does not know the architecture and compares "
    "tensors by name, less what all names of a file begin with (model., module.). qkv_proj, gate_up_proj and experts "
    "may be one tensor in one file and several in the other, if it is known in which order that type reads them; if "
    "not, the answer is `undecided`. Settings without effect on any architecture are not compared, and an absent one "
    "of the classes that verify knows (Llama, Mixtral, Qwen2-MoE, Phi-3, OLMo, ...) is that class's default.\n"
    "Different: a setting differs, or parts differ by more than rounding; they are named in the order in which a "
    "token meets them.\n"
    "Undecided: verify found no relation and could not exclude one.\n\n"
    "Images of A that verify recognises: a change of basis inside a head (a gauge); another order of heads and "
    "neurons, or of experts with the rows of their router; another basis of the residual stream (any basis without "
    "norms, a rotation behind RMSNorms); "
    "scalings of gains, neurons and values, and of queries against keys; gains and biases of norms folded into "
    "the matrices that read them, and b_V into b_O; means that LayerNorm removes, and that of the rows of a router, "
    "which softmax removes. If they come together with another order of heads, neurons or experts, verify puts A's "
    "into the order of B's that are nearest first, in which A is the same function.\n"
    "reduce writes the changes of basis that it used to gauges.safetensors, beside the model, with the SHA-256 of "
    "both. verify finds it there, or by --gauges, and has nothing to search: it computes the image of A under these, "
    "taken as they are, and measures how far B is from it. The file itself proves nothing. Beside B it is passed over "
    "if it is about other files; --gauges refuses that. If it does not make B of A, verify says how far B is, and "
    "searches. A certificate (--output) is of what the search finds, unless --gauges is given, which --certificate "
    "then needs, too.\n\n"
    "Encoders (BERT, RoBERTa, XLM-RoBERTa, CamemBERT, DistilBERT, ELECTRA, MPNet): the function is the logits of the "
    "head that predicts tokens (ELECTRA's: one for each token), or without a head the last stream, of sequences in "
    "which each token sees all. The tokens that are tried have the first type: rows of other types, and what reads "
    "the first token (pooler, next sentence), are compared as numbers, and where they alone differ the answer is "
    "`undecided`. Their norms stand in the stream, so that images of A are those inside heads and MLPs, b_V in b_O, "
    "and means that these norms remove. Other heads (BertForSequenceClassification) are compared by name.\n\n"
    "If sizes differ or nothing else relates the files, verify first removes parts that do nothing or repeat "
    "others: heads and neurons that add 0 to the residual stream or equal another one (it adds their rows of W_O "
    "and down where every sum is exact), key heads that equal another one, and layers that add 0. If one file has "
    "more tokens or learned positions, verify compares those that both have, and the answer is about their logits "
    "only.\n\n"
    "Rounding: |b - a| <= r u s, where u is the unit roundoff of the coarser type. For copies, permutations and "
    "powers of 2, s is the number itself and r is 1.1; every other factor adds 1.1 (up to 5.1 in double "
    "precision, where factors are computed in the type itself). For sums of products, in columns of a gauge or "
    "basis that have several numbers, s is the norm of the row times the norm of the column, and r follows from "
    "their condition and is at most 16. For rows of down or W_O that were added up, s is the sum of the absolute "
    "values of the numbers added; where those of a row are more than 16 times (in BF16 4 times) as large as its sums,"
    " they decide nothing. For biases that were added up, s is |b| + min(L1, 3 L2) + min(1, 2^-24 / u) L1, where L1 "
    "is the sum of the absolute values of the terms and L2 the root of the sum of their squares. "
    "verify prints r and what it allows.\n\n"
    "--adapter=FOLDER: W + s B A in place of the weights W that its adapter_config.json and adapter_model.safetensors "
    "name, s = alpha / r (rslora: alpha / sqrt(r)), in doubles. Programs that merge round the product, its multiple by "
    "s and the sum, so that above s is |w| + c |s| (|B| |A|), c = 1 + (2 v + r f) / u: v the larger unit of the types "
    "of W and of the adapter, f that of sums in float32. DoRA, biases, whole modules, ranks by pattern, and weights "
    "that are no matrix of their own in the model (tables, fused queries, keys and values) are refused. The matrices "
    "that it changes are in memory, twice, in doubles.\n\n"
    "Rounding to blocks: with the step and the offset that a block of B stores, |b - a| <= step / 2 and a margin, as "
    "encoders may round scales to half floats after they have chosen the codes: 2^-11 of the number (0.07 steps of "
    "Q8_0, 0.02 of others) and of the offset. Which step an encoder chooses is free: with another one to which all "
    "numbers are rounded so, B is still A rounded, unless a block loses more than half of the squares of its numbers, "
    "as where the step is so large that it holds zeros: `undecided`. Numbers beyond the last code of a block are cut "
    "off, by up to two steps and what rounding of the scale to a whole number explains; verify prints how many and how "
    "far. Up to four "
    "times as far, and if scales are below the least normal half float, the answer is `undecided`, and so it is up to "
    "a whole step in Q4_0 to Q5_1, whose steps encoders with an importance matrix choose after the codes.\n\n"
    "The logits, and the residual stream after every stage, are computed on token sequences: one at the first "
    "positions, one at positions up to the last (both drawn with --seed), and tokens whose rows differ; or those "
    "of --tokens or --text (at most 4096 tokens and 2^26 logits). "
    "With --up-to or --tolerance they decide the answer, which is about those sequences only; if verify finds no "
    "relation, a gap that rounding does not explain makes the answer `different`. A different most likely "
    "token is a tie only if rounding explains the gap. If the tensors prove the same function, verify computes logits "
    "only with --logits or with tokens given.\n\n"
    "verify maps the files. At any time it holds in memory one layer's matrices of both, some rows of the "
    "embeddings and some columns of the heads, the matrices from which it removed parts or whose order it changed, "
    "and the residual stream of one token sequence, which grows with --length and with the sequences of --text.\n\n"
    "Two models that are the same function have the same loss and, by the chain rule, corresponding gradients: "
    "--gradients checks that where B comes from A by changes of basis and orders; where you ask for it and it does not "
    "cover how B comes from A, verify reports this, and the status is 3. "
    "Trained further they stay the same function only where the optimizer commutes with the gauge, or with the change "
    "of basis. Gradient descent and clipping by the norm need orthogonal ones. AdamW divides each coordinate by its "
    "own root mean square, which commutes with permutations and changes of sign alone: for any other gauge the two "
    "runs diverge at the first step. Decoupled weight decay multiplies by a number, which commutes with every linear "
    "gauge, but only of what both runs decay: a matrix that has become the identity is not decayed any more, and "
    "neither are biases that took up a shift.\n\n"
    "Exit status: 0 the same, or as asked; 1 different; 2 bad input; 3 undecided.";

typedef struct {
    const char *file[2], *base, *tokens, *positions, *text, *bpe, *chars, *output, *certificate, *gauges, *adapter;
    up_to relation;
    bool certified, gradients, json, all, logits, up_to;
    long length, bits;
    uint64_t seed;
    double tolerance;                    /* negative: derived                                           */
    int width;
} options;

enum { DRAWN_LENGTH = 16, MOST_BITS = 4096 };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case OPT_ARCHITECTURES: architectures_also(arg); return 0;
    case OPT_UP_TO:
        o->relation = (up_to)option_word(arg, "--up-to", up_to_name, UP_TOS);
        o->up_to = true;
        return 0;
    case OPT_TOKENS:      o->tokens = arg; return 0;
    case OPT_POSITIONS:   o->positions = arg; return 0;
    case OPT_TEXT:        o->text = arg; return 0;
    case OPT_BPE:         o->bpe = arg; return 0;
    case OPT_CHARS:       o->chars = arg; return 0;
    case OPT_JSON:        o->json = true; return 0;
    case OPT_ALL:         o->all = true; return 0;
    case OPT_LOGITS:      o->logits = true; return 0;
    case OPT_LENGTH:      o->length = option_whole(arg, "--length", 1, 4096); return 0;
    case OPT_CERTIFIED:   o->certified = true; return 0;
    case OPT_BITS:        o->bits = option_whole(arg, "--bits", 53, 65536); return 0;
    case OPT_SEED:        o->seed = (uint64_t)option_whole(arg, "--seed", 0, INT32_MAX); return 0;
    case OPT_GRADIENTS:   o->gradients = true; return 0;
    case OPT_BASE:        o->base = arg; return 0;
    case OPT_ADAPTER:     o->adapter = arg; return 0;
    case OPT_TOLERANCE:   o->tolerance = option_number(arg, "--tolerance", 0, 1e300); return 0;
    case OPT_GAUGES:      o->gauges = arg; return 0;
    case 'o':             o->output = arg; return 0;
    case OPT_CERTIFICATE: o->certificate = arg; return 0;
    case OPT_WIDTH:       o->width = (int)option_whole(arg, "--width", SCREEN_LEAST, SCREEN_MOST); return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num < 2) o->file[state->arg_num] = arg;
        else die("verify takes two files or folders, not `%s` as well; see --help", arg);
        return 0;
    case ARGP_KEY_END:
        if (!o->file[1]) die("verify takes two files or folders; see `provably verify --help`");
        if (o->positions && !o->tokens) die("--positions go with --tokens: give the tokens too");
        if (o->text && o->tokens) die("--text and --tokens exclude each other");
        if ((o->bpe || o->chars) && !o->text) die("--bpe and --chars go with --text: give the text too");
        if (o->adapter && (o->output || o->certificate || o->gauges))
            die("--adapter makes A of two files, of which certificates and gauges know one: leave the other option "
                "out");
        if (o->json && o->certificate) die("--json is about two files; checking a --certificate says `holds` or not");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static opened open_model(const char *path)
{
    opened m = { .w = weights_open(path) };
    m.D = transformer_of(&m.w);
    m.why = forward_refuses(&m.D);
    return m;
}

static void require_function(const opened *m, const char *what)
{
    if (m->why)
        die("%s: its function is not computed here: %s; without %s its tensors are compared", m->w.path, m->why, what);
}

static void close_model(opened *m)
{
    transformer_free(&m->D);
    weights_close(&m->w);
    free(m->why);
}

/* The gauges that came with B: --gauges, or beside it.  *passed: a file that is not used, and why; to be freed. */
static gauge_file gauges_of(const options *o, const opened m[2], char **passed)
{
    char *path = o->gauges ? must_strdup(o->gauges) : gauge_file_beside(&m[1].w);
    gauge_file g = { .path = NULL };
    const char *others = NULL;
    *passed = NULL;
    if (path && o->output && !o->gauges) others = "a certificate is checked without it; --gauges takes it";
    else if (path) g = gauge_file_read(path, &m[0].w, &m[0].D, &m[1].w, &others);
    if (others && o->gauges) die("--gauges: %s does not fit: %s", path, others);
    if (others) *passed = must_format("%s is not used: %s", path, others);
    free(path);
    return g;
}

static void require_regular(const gauge_file *g, const gauge_found *found)
{
    if (found->singular) die("%s: tensor %s, so that it is no change of basis", g->path, found->why);
}

/* ---- the question ------------------------------------------------------------------------------------------------ */

static bool report(const char *path, bool holds, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool report(const char *path, bool holds, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    shown_print(stdout, "%s: %s: ", path, holds ? "holds" : "not confirmed");
    shown_vprint(stdout, fmt, ap);
    va_end(ap);
    return holds;
}

/* Why no symmetry is looked for between the two; NULL: it is, where own_symmetries() is not silent in the basis of the
 * files alone. */
static const char *symmetries_not_known(const transformer *A, const transformer *B)
{
    const char *a = own_symmetries(A), *b = own_symmetries(B);
    return symmetric_within(A) && symmetric_within(B) ? NULL : a ? a : b;
}

static gauge_found image_again(const options *o, const opened m[2], const structure *t, long bits)
{
    const char *own = symmetries_not_known(&m[0].D, &m[1].D);
    if (own) return (gauge_found){ .why = must_strdup(own) };
    if (!o->gauges) return gauge_between(&m[0].D, &m[1].D, t, bits);
    char *passed;
    gauge_file gauges = gauges_of(o, m, &passed);
    gauge_found g = gauge_check(&m[0].D, &m[1].D, t, bits, &gauges);
    require_regular(&gauges, &g);
    g.given = NULL;
    gauge_file_free(&gauges);
    free(passed);
    return g;
}

static const char *outputs_words(const transformer *D)
{
    return D->headless ? "the last stream, without a head"
         : has_token_logits(D) ? "logits" : "one logit for each token";
}

/* Both have outputs of one kind, and logits of tokens where a softmax is compared. */
static void require_outputs(const options *o, const opened m[2])
{
    const transformer *A = &m[0].D, *B = &m[1].D;
    const bool tokens = has_token_logits(A) && has_token_logits(B);
    if (!tokens && (A->headless != B->headless || has_token_logits(A) != has_token_logits(B)
                    || (A->headless && A->d != B->d)))
        die("%s computes %s and %s %s: give files of one class (architectures in config.json)", m[0].w.path,
            outputs_words(A), m[1].w.path, outputs_words(B));
    if (!tokens && o->relation != UP_TO_LOGITS)
        die("--up-to=%s asks about probabilities of tokens, and the models compute %s; leave it out",
            up_to_name[o->relation], outputs_words(A));
    if (o->gradients && (A->encoder || B->encoder))
        die("--gradients: encoders are not differentiated here; leave the option out");
}

static int check_certificate(const options *o, const opened m[2])
{
    const char *path = o->certificate;
    for (int k = 0; k < 2; k++) require_function(&m[k], "--certificate");
    const statement s = verify_read(path, &m[0], &m[1]);
    const transformer *A = &m[0].D, *B = &m[1].D;
    bool holds = true;
    if (o->gauges && !s.image)
        die("%s states nothing about an image of A, so that --gauges has no use: leave it out", path);
    require_outputs(o, m);
    if (A->V != B->V || ((s.numbers || s.image) && (A->L != B->L || A->d != B->d)))
        die("%s: the two models have other sizes", path);
    if (s.numbers || s.image) {
        structure t = structure_of(A, B, NULL);
        if (s.numbers) holds = report(path, structure_same(&t), "all parts of the two models hold the same numbers\n");
        gauge_found g = { .why = NULL };
        if (s.image) {
            g = image_again(o, m, &t, s.bits);
            const bool near = g.found && g.distance <= s.distance && g.units <= s.units;
            holds = report(path, near, "each number of B is at most %.17g of the largest of its tensor, and %.17g "
                           "roundings to its type, away from an image of A, %s\n", g.distance, g.units, g.why ? g.why
                           : "which is the same function for all inputs") && holds;
        }
        gauge_found_free(&g);
        structure_free(&t);
    }
    if (s.n) {
        verify_require(path, m, s.n, s.lists);
        progress line = progress_begin(PROGRESS_TERMINAL, "enclosing the gap");
        const certified_gaps c = compare_certified(A, B, s.bits, s.n, s.lists,
                                                   (compare_watch){ progress_share, &line, 0 });
        progress_clear(&line);
        const double high = c.why ? INFINITY : s.relation == UP_TO_SOFTMAX ? c.shift_high : c.high;
        holds = report(path, high <= s.high, "on its %ld token sequences, and for no others, the gap of the %s is at "
                       "most %.17g; it states %.17g\n", s.n, up_to_name[s.relation], high, s.high) && holds;
        verify_free_lists(s.n, s.lists);
        free((void *)(uintptr_t)s.lists);
    }
    return holds ? 0 : 1;
}

static long choose_tokens(const options *o, const opened m[2], token_list **lists)
{
    verify_length(m, o->length);
    if (o->text) return verify_text(m, o->text, o->bpe, o->chars, o->length, lists);
    *lists = must_calloc(VERIFY_LISTS, sizeof **lists);
    if (!o->tokens) {
        verify_draw(m, o->length ? o->length : DRAWN_LENGTH, o->seed, *lists);
        return VERIFY_LISTS;
    }
    verify_given(m, o->tokens, o->positions, *lists);
    return 1;
}

/* With twice as many bits as long as nothing can be enclosed for want of them; *bits: those of the answer. */
static certified_gaps enclosed(const verified *v, long *bits)
{
    for (;; *bits *= 2) {
        progress line = progress_begin(PROGRESS_TERMINAL, "enclosing the gap");
        const certified_gaps c = compare_certified(v->on[0], v->on[1], *bits, v->n, v->lists,
                                                   (compare_watch){ progress_share, &line, 0 });
        progress_clear(&line);
        if (!c.why || !c.wide || 2 * *bits > MOST_BITS) return c;
    }
}

static bool of_sizes(const transformer *A, const transformer *B) { return A->L == B->L && A->d == B->d; }

static const char *barrier(const verified *v) { return symmetries_not_known(v->of[0], v->of[1]); }

/* The same, with what does nothing, or is there twice, left out of both. */
static bool leave_out(verified *v)
{
    for (int k = 0; k < 2; k++) if (own_symmetries(v->of[k]) || v->of[k]->layer) return false;
    progress line = progress_begin(PROGRESS_TERMINAL, "looking for parts that do nothing");
    v->undone = expansions_undo(v->of[0], v->of[1], v->left);
    progress_clear(&line);
    if (!v->undone) return false;
    for (int k = 0; k < 2; k++) v->of[k] = &v->left[k].D;
    v->sizes = of_sizes(v->of[0], v->of[1]);
    return true;
}

static bool is_quantised(const verified *v)
{
    bool may;
    return v->sizes && structure_quantised(&v->t, &may);
}

/* With the gauges that came with B; else, or where they do not make B of A, with those that are found. */
static void look_for_image(verified *v, const options *o)
{
    if (v->gauges.path && !v->undone && !v->in_order) {
        v->image = gauge_check(v->of[0], v->of[1], &v->t, o->bits, &v->gauges);
        require_regular(&v->gauges, &v->image);
        if (v->image.found) return;
        v->gauges_why = must_strdup(v->image.why);
        gauge_found_free(&v->image);
    }
    v->image = gauge_between(v->of[0], v->of[1], &v->t, o->bits);
}

static void look_for_symmetries(verified *v, const options *o)
{
    const char *why = barrier(v);
    if (why) {
        v->image = (gauge_found){ .why = must_format("%s, for which no symmetries are looked for", why) };
        return;
    }
    progress line = progress_begin(PROGRESS_TERMINAL, "looking for symmetries");
    look_for_image(v, o);
    if (!v->image.found || v->image.distance > 0) v->scaled = symmetry_between(v->of[0], v->of[1], &v->t);
    progress_clear(&line);
}

static bool is_related(const verified *v)
{
    double units;
    return v->alike || v->image.found || v->scaled.found || v->replay.found || structure_rounded(&v->t, &units)
           || is_quantised(v);
}

/* A relation between w's models, which are not those of the tensors that are in it; of the logits or of softmax. */
static bool compare_again(verified *w, const options *o)
{
    w->image = (gauge_found){ .why = NULL };
    w->scaled = (symmetry_found){ .found = false };
    if (w->sizes) w->t = structure_of(w->of[0], w->of[1], NULL);
    w->alike = w->sizes && structure_same(&w->t);
    if (w->sizes && !w->alike && !is_quantised(w)) look_for_symmetries(w, o);
    return w->sizes && (is_related(w) || w->scaled.up_to_a_constant);
}

static void forget_found(verified *v)
{
    if (v->sizes) structure_free(&v->t);
    gauge_found_free(&v->image);
}

/* v becomes what was found of other models. */
static void replace(verified *v, const verified *w)
{
    forget_found(v);
    *v = *w;
    for (int k = 0; k < 2 && v->undone; k++) v->of[k] = &v->left[k].D;
    if (v->in_order) v->of[0] = &v->ordered.D;
}

static void print_again(const screen *s, const verified *v, const options *o)
{
    if (v->in_order) verify_print_order(s, v);
    verify_print_structure(s, v, o->all);
    if (!v->alike && !is_quantised(v)) verify_print_image(s, v);
    if (v->scaled.found || v->scaled.up_to_a_constant) verify_print_scaled(s, v);
}

/* No relation was found: is there one with A's heads and neurons, or its experts, in the order of B's? */
static bool compare_in_order(verified *v, const options *o)
{
    verified w = *v;
    const bool experts = v->of[0]->experts || v->of[1]->experts;
    if ((barrier(v) || v->of[0]->buckets) && !experts) return false;
    progress line = progress_begin(PROGRESS_TERMINAL, experts ? "matching experts" : "matching heads and neurons");
    w.in_order = (experts ? expert_order : nearest_order)(v->of[0], v->of[1], &w.ordered);
    progress_clear(&line);
    if (!w.in_order) return false;
    w.of[0] = &w.ordered.D;
    if (compare_again(&w, o)) {
        replace(v, &w);
        return true;
    }
    forget_found(&w);
    contracted_free(&w.ordered);
    return false;
}

/* No relation was found between models of the same sizes: is there one between what is left of them? */
static void compare_left(verified *v, const options *o, const screen *s)
{
    verified w = *v;
    if (!leave_out(&w)) return;
    if (compare_again(&w, o) || (w.sizes && compare_in_order(&w, o))) {
        replace(v, &w);
        if (s) verify_print_undone(s, v);
        if (s) print_again(s, v, o);
        return;
    }
    forget_found(&w);
    for (int k = 0; k < 2; k++) contracted_free(&w.left[k]);
}

/* The tensors, and whether B is an image of A. */
static void compare_tensors(verified *v, const options *o, const screen *s)
{
    const transformer *A = v->of[0], *B = v->of[1];
    const bool other = !of_sizes(A, B) || A->h != B->h || A->h_kv != B->h_kv || A->m != B->m;
    if (other && !o->base) leave_out(v);
    if (s && (v->undone || v->in_common)) verify_print_undone(s, v);
    A = v->of[0], B = v->of[1];
    opened base = { .D.at = NULL };
    if (o->base) {
        base = open_model(o->base);
        require_function(&base, "--base");
        if (base.D.L != A->L || base.D.d != A->d)
            die("%s has other sizes than %s; name the base of B", o->base, v->m[0].w.path);
    }
    progress line = progress_begin(PROGRESS_TERMINAL, "comparing tensors");
    if (v->identical && !o->base) v->t = structure_of_copies(A);
    else if (v->sizes) v->t = structure_of(A, B, o->base ? &base.D : NULL);
    progress_clear(&line);
    v->alike = v->sizes && structure_same(&v->t);
    if (s) verify_print_structure(s, v, o->all);
    if (o->base) close_model(&base);
    const bool known = v->alike || is_quantised(v);
    if (v->sizes && !known) look_for_symmetries(v, o);
    if (s) verify_print_gauges(s, v);
    if (!v->sizes || known) return;
    if (s) verify_print_image(s, v);
    if (s && (v->scaled.found || v->scaled.up_to_a_constant)) verify_print_scaled(s, v);
    if (v->image.found || v->scaled.found) return;
    line = progress_begin(PROGRESS_TERMINAL, "applying what reduce applied");
    v->replay = replay_between(&v->m[0].w, &v->m[0].D, &v->m[1].w, &v->m[1].D);
    progress_clear(&line);
    if (s) verify_print_replay(s, v);
    if (o->base || is_related(v) || v->scaled.up_to_a_constant) return;
    const bool in_order = compare_in_order(v, o);
    if (in_order && s) print_again(s, v, o);
    if (!in_order && !v->undone) compare_left(v, o, s);
}

static void compare_gaps(verified *v, const options *o, const screen *s)
{
    progress line = progress_begin(PROGRESS_TERMINAL, "comparing on tokens");
    const bool as_stored = v->sizes && !v->undone && !v->in_order;
    v->g = compare_on_tokens(v->on[0], v->on[1], as_stored ? &v->t : NULL, v->n, v->lists, o->seed,
                             (compare_watch){ progress_share, &line, 0 });
    progress_clear(&line);
    v->figures = true;
    if (s) verify_print_gaps(s, v);
    const bool shift = o->relation == UP_TO_SOFTMAX;
    v->gap = shift ? v->g.shift : v->g.logits;
    v->tolerance = o->tolerance >= 0 ? o->tolerance : shift ? v->g.shift_tolerance : v->g.logits_tolerance;
    if (!o->certified) return;
    v->c = enclosed(v, &v->bits);
    if (s) verify_print_certified(s, v);
}

static void compare_gradients(verified *v, const options *o, const screen *s)
{
    progress line = progress_begin(PROGRESS_TERMINAL, "comparing gradients");
    if (v->alike || (v->image.found && !v->image.zero_rows))
        v->gradients = gradients_between(v->in_order ? v->of[0] : v->on[0], v->on[1], &v->image, v->alike, o->bits,
                                         &v->lists[0], o->seed, v->gradient);
    progress_clear(&line);
    v->corresponds = v->gradients > 0;
    for (long k = 0; k < v->gradients; k++) v->corresponds = v->corresponds && verify_same_gradient(&v->gradient[k]);
    if (s) verify_print_gradients(s, v);
}

static void write_certificate(const verified *v, const char *path)
{
    const bool shift = v->relation == UP_TO_SOFTMAX;
    const statement it = { .numbers = v->alike && !v->undone && !v->in_order,
                           .image = v->image.found && !v->undone && !v->in_order,
                           .distance = v->image.distance,
                           .units = v->image.units, .unit = v->image.unit,
                           .bits = v->bits, .relation = v->relation,
                           .n = v->c.why || v->relation == UP_TO_ARGMAX ? 0 : v->n, .lists = v->lists,
                           .low = shift ? v->c.shift_low : v->c.low, .high = shift ? v->c.shift_high : v->c.high };
    const bool same = v->is == ANSWER_SAME || v->is == ANSWER_ROUNDED;
    if (!it.numbers && !it.image && !it.n)
        die("nothing is certified, so %s is not written: %s%s", path, same ? "a certificate does not state how B comes "
            "from A where parts were scaled, left out or put in another order before they were compared; of the gap on "
            "tokens: " : "", v->c.why ? v->c.why : "certificates state gaps: take --up-to=logits or softmax");
    verify_write(path, &v->m[0], &v->m[1], &it);
}

/* Of files whose function is not computed here. */
static int compare_by_name(const options *o, const opened m[2])
{
    const bool figures = o->tokens || o->text || o->up_to || o->tolerance >= 0 || o->certified || o->gradients
                         || o->output || o->base || o->logits || o->gauges;
    for (int k = 0; k < 2 && figures; k++) require_function(&m[k], "options that need it");
    const screen printed = screen_of(stdout, o->width, COLOUR_AUTO);
    verified v = { .m = m, .bits = o->bits, .seed = o->seed, .by_name = true, .asked_tolerance = -1,
                   .identical = weights_identical(&m[0].w, &m[1].w) };
    progress line = progress_begin(PROGRESS_TERMINAL, "comparing tensors");
    v.listed = listing_of(&m[0].w, &m[1].w);
    progress_clear(&line);
    v.around = surroundings_differ(&m[0].w, &m[1].w, &v.arounds);
    verify_answer(&v);
    if (o->json) verify_print_json(stdout, &v);
    else {
        verify_print_listing(&printed, &v, o->all);
        verify_print_answer(&printed, &v);
    }
    listing_free(&v.listed);
    free(v.because);
    for (long k = 0; k < v.arounds; k++) free(v.around[k]);
    free(v.around);
    return v.status;
}

/* Tokens whose rows differ are among those that are drawn. */
static void add_changed_rows(verified *v, token_list **lists)
{
    token_list more;
    if (!v->sizes || v->alike || !verify_changed_rows(v->m, &v->t, &more)) return;
    *lists = must_realloc(*lists, (size_t)v->n + 1, sizeof **lists);
    (*lists)[v->n++] = more;
    v->lists = *lists;
}

/* The tokens that both have, and the positions of learned tables. */
static void take_in_common(verified *v, const options *o)
{
    const transformer *A = &v->m[0].D, *B = &v->m[1].D;
    const bool tables = A->positions == POSITIONS_LEARNED && B->positions == POSITIONS_LEARNED;
    const long V = A->V < B->V ? A->V : B->V, T = tables ? A->T < B->T ? A->T : B->T : 0;
    v->in_common = A->V != B->V || (tables && A->T != B->T);
    for (int k = 0; k < 2; k++) {
        v->of[k] = &v->m[k].D;
        if (v->in_common) v->common[k] = contracted_tokens(v->of[k], V, T), v->of[k] = &v->common[k].D;
        v->on[k] = v->of[k];
    }
    if (A->V != B->V && o->relation != UP_TO_LOGITS)
        die("%s has a vocabulary of %ld and %s one of %ld, and --up-to=%s asks about all tokens; leave it out: then "
            "the logits of the tokens that both have are compared", v->m[0].w.path, A->V, v->m[1].w.path, B->V,
            up_to_name[o->relation]);
    if (v->in_common && o->output)
        die("%s has %ld tokens and %ld positions, %s %ld and %ld: certificates are about models that have the same",
            v->m[0].w.path, A->V, A->T, v->m[1].w.path, B->V, B->T);
}

static int compare(const options *o, const opened m[2])
{
    const screen printed = screen_of(stdout, o->width, COLOUR_AUTO), *s = o->json ? NULL : &printed;
    token_list *lists;
    verified v = { .m = m, .base = o->base, .adapter = o->adapter, .relation = o->relation, .seed = o->seed,
                   .bits = o->bits,
                   .tokens = o->text ? "of the text" : o->tokens ? "given" : "drawn", .certified = o->certified,
                   .c.why = "it was not asked for: add --certified", .differentiated = o->gradients,
                   .asked_tolerance = o->tolerance, .identical = weights_identical(&m[0].w, &m[1].w) };
    if (o->gradients && (m[0].D.experts || m[1].D.experts))
        die("--gradients: layers with experts are not differentiated here; leave the option out");
    require_outputs(o, m);
    take_in_common(&v, o);
    v.gauges = gauges_of(o, m, &v.passed);
    v.sizes = of_sizes(v.of[0], v.of[1]);
    v.n = choose_tokens(o, m, &lists);
    v.lists = lists;
    if (s) verify_print_models(s, &v);
    compare_tensors(&v, o, s);
    if (o->gradients && v.undone)
        die("--gradients: parts that do nothing, or are there twice, were left out, and their gradients correspond to "
            "none; leave the option out");
    if (!o->tokens && !o->text) add_changed_rows(&v, &lists);
    if (o->logits || o->tokens || o->text || o->length || o->up_to || o->tolerance >= 0 || o->certified
        || !verify_proved(&v))
        compare_gaps(&v, o, s);
    if (o->gradients) compare_gradients(&v, o, s);
    v.around = surroundings_differ(&m[0].w, &m[1].w, &v.arounds);
    verify_answer(&v);
    if (s) verify_print_answer(s, &v);
    else verify_print_json(stdout, &v);
    if (o->output) write_certificate(&v, o->output);
    gauge_found_free(&v.image);
    gauge_file_free(&v.gauges);
    free(v.passed);
    free(v.gauges_why);
    replay_free(&v.replay);
    token_gaps_free(&v.g);
    structure_free(&v.t);
    for (int k = 0; k < 2; k++) contracted_free(&v.left[k]), contracted_free(&v.common[k]);
    contracted_free(&v.ordered);
    verify_free_lists(v.n, v.lists);
    free(lists);
    free(v.because);
    for (long k = 0; k < v.arounds; k++) free(v.around[k]);
    free(v.around);
    return v.status;
}

int verify_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "A B", doc, NULL, NULL, NULL };
    options o = { .bits = 256, .seed = 1, .tolerance = -1 };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    memory_keep();
    opened m[2] = { open_model(o.file[0]), open_model(o.file[1]) };
    for (int k = 0; k < 2 && o.adapter; k++) require_function(&m[k], "--adapter");
    if (o.adapter) adapter_add(&m[0].w, &m[0].D, o.adapter);
    if (o.adapter && !o.base) o.base = o.file[0];
    const int status = o.certificate ? check_certificate(&o, m)
                     : m[0].why || m[1].why ? compare_by_name(&o, m) : compare(&o, m);
    close_model(&m[0]);
    close_model(&m[1]);
    return status;
}
