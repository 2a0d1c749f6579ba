/* SPDX-License-Identifier: GPL-3.0-or-later
 * inspect.c - `provably inspect`: what a file of weights holds, and whose hypotheses among the theorems it meets. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/base/option.h"
#include "src/base/progress.h"
#include "src/base/screen.h"
#include "src/base/shown.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/rope.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/cli/inspect.h"

enum { OPT_JSON = 256, OPT_HEADS, OPT_NO_CONDITIONS, OPT_WIDTH, OPT_ARCHITECTURES };
static const struct argp_option flags[] = {
    { "json", OPT_JSON, NULL, 0, "print JSON: everything, each head too", 0 },
    { "heads", OPT_HEADS, NULL, 0, "condition numbers of each head, not only the best and the worst", 0 },
    { "no-conditions", OPT_NO_CONDITIONS, NULL, 0, "leave out the condition numbers, which take the time", 0 },
    { "architectures", OPT_ARCHITECTURES, "FOLDER", 0, "also know the architectures that the files in FOLDER describe "
      "(those of PROVABLY_ARCHITECTURES)", 0 },
    { "width", OPT_WIDTH, "N", 0, "columns of the output (those of the terminal)", 0 },
    { 0 } };
static const char doc[] =
    "Shows what a file of weights holds: architecture, tensors, who reads and who writes the residual stream, "
    "condition numbers of W_Q, W_K, W_V, and which theorems the model meets the hypotheses of.\v"
    "FILE is safetensors or PyTorch's (or its index, or a folder with config.json or Meta's params.json beside it), "
    "GGUF (of several files the first), llama2.c, llm.c, or a run of `provably train`; its content decides, not its "
    "name. Of PyTorch's files, pytorch_model.bin, .pt, .pth, nanoGPT's ckpt.pt, nothing is executed: tensors are read, "
    "and every other object is refused by its name. A folder with weights of several models (model.safetensors beside "
    "pytorch_model.bin, another .gguf, .npz or .safetensors) is refused, naming two: give "
    "the file. GPT-2, nanoGPT, Llama, Mistral, Qwen 2 and 3, GPT-NeoX, Gemma 1 to 3, Phi-2, Phi-3, "
    "Phi-4, SmolLM3, Granite, StableLM, OLMo 2 and 3, StarCoder 1 and 2, Cohere 1 and 2, Falcon, GPT-J, GPT-Neo, OPT, "
    "BLOOM, GLM, GLM-4, Nemotron, Arcee, ERNIE 4.5, Helium, Mixtral, Qwen2-MoE, Qwen3-MoE, OLMoE, Granite-MoE, MPT "
    "and, of encoders, BERT, RoBERTa, XLM-RoBERTa, CamemBERT, DistilBERT, ELECTRA and MPNet are known, and what "
    "--architectures adds. Of others, and of numbers in blocks (GGUF's Q8_0, Q4_0 to Q5_1, Q2_K to Q6_K), the tensors "
    "are listed and nothing is said to apply, as reduce would have to round them again.\n\n"
    "Nothing is changed or written. The file is mapped, and no more than one layer's matrices are in memory.\n\n"
    EXIT_USUAL;

typedef struct { const char *file; bool json, heads, no_conditions; int width; } options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case OPT_JSON:          o->json = true; return 0;
    case OPT_HEADS:         o->heads = true; return 0;
    case OPT_NO_CONDITIONS: o->no_conditions = true; return 0;
    case OPT_WIDTH:         o->width = (int)option_whole(arg, "--width", SCREEN_LEAST, SCREEN_MOST); return 0;
    case OPT_ARCHITECTURES: architectures_also(arg); return 0;
    case ARGP_KEY_ARG:
        if (o->file) die("inspect takes one file or folder, not `%s` as well; see `provably inspect --help`", arg);
        o->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->file) die("inspect takes a file or a folder; see `provably inspect --help`");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- numbers in words -------------------------------------------------------------------------------------------- */

/* 1,234,567; -5; 1e+31.  Valid until the fourth call after it. */
static const char *digits(double x)
{
    static char text[4][40];
    static int turn;
    char plain[32], *to = text[turn = (turn + 1) % 4];
    if (!(fabs(x) < 1e15)) return snprintf(to, sizeof text[0], "%.9g", x), to;
    const int n = snprintf(plain, sizeof plain, "%.0f", fabs(x));
    if (x < 0) *to++ = '-';
    for (int k = 0; k < n; k++) {
        if (k && (n - k) % 3 == 0) *to++ = ',';
        *to++ = plain[k];
    }
    *to = '\0';
    return text[turn];
}

static const char *number(double x)      /* 9 places at most; valid until the fourth call after it      */
{
    static char text[4][24];
    static int turn;
    char *to = text[turn = (turn + 1) % 4];
    if (isnan(x)) return "-";
    if (isinf(x)) return "singular";
    snprintf(to, sizeof text[0], x < 1e4 ? "%.3g" : "%.2e", x);
    return to;
}

static void line(const screen *s, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void line(const screen *s, const char *name, const char *fmt, ...)
{
    char text[1024], first[24];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    snprintf(first, sizeof first, "%-13s", name);
    screen_wrapped(stdout, s->width, first, text, 13, "");
}

static void heading(const screen *s, const char *text)
{
    printf("\n%s%s%s\n", screen_ink(s, INK_STRONG), text, screen_plain(s));
}

/* ---- the parts --------------------------------------------------------------------------------------------------- */

static long layers_with(const transformer *D, int bit)
{
    long n = 0;
    for (long i = 0; D->layer && i < D->L; i++) n += (D->layer[i] & bit) != 0;
    return n;
}

static void print_own_settings(const screen *s, const transformer *D)
{
    static const char *const places[] = { "", "one in front of attention and MLP", "behind attention and MLP",
                                          "in front of attention and MLP, and behind them",
                                          "in the stream, behind the sums with what attention and MLP add" };
    if (D->norms != NORMS_BEFORE) line(s, "norms are", "%s", places[D->norms]);
    if (D->offset_gain) line(s, "gains", "multiply by 1 + w");
    if (D->qk == QK_WHOLE) line(s, "QK-norm", "over all heads together");
    if (D->window && layers_with(D, LAYER_SEES_ALL))
        line(s, "full", "%ld of %ld layers see all positions", layers_with(D, LAYER_SEES_ALL), D->L);
    if (layers_with(D, LAYER_DOES_NOT_TURN))
        line(s, "not turned", "%ld of %ld layers have no rotations", layers_with(D, LAYER_DOES_NOT_TURN), D->L);
    const struct { const char *what, *text; double x, none; } of[] = {
        { "embedding", "multiplied by", D->embed_factor, 1 },
        { "added", "attention and MLP times", D->added_factor, 1 },
        { "scores", "multiplied by", D->scale, 0 }, { "scores", "capped at", D->score_cap, 0 },
        { "in windows", "theta", D->local_theta, 0 }, { "logits", "multiplied by", D->logit_factor, 1 },
        { "logits", "divided by", D->logit_divisor, 1 }, { "logits", "capped at", D->logit_cap, 0 } };
    for (size_t k = 0; k < COUNT(of); k++)
        if (of[k].x != of[k].none) line(s, of[k].what, "%s %.9g", of[k].text, of[k].x);
    if (D->views) line(s, "views", "parts are read from tensors that hold several");
}

static void print_experts(const screen *s, const transformer *D)
{
    if (!D->experts) return;
    const long with = layers_with(D, LAYER_HAS_EXPERTS);
    char *some = with < D->L ? must_format(" in %ld of %ld layers", with, D->L) : must_strdup("");
    line(s, "experts", "%ld MLPs of %ld neurons%s, of which a token meets the %ld with the largest entries of the "
         "router; they are added up with the softmax of %s as weights", D->experts, D->expert_m, some, D->chosen,
         D->chosen_sum ? "those entries" : "all entries");
    if (D->shared_m)
        line(s, "", "and an MLP of %ld neurons that all tokens meet, times the sigmoid of an entry of its own",
             D->shared_m);
    free(some);
}

static void print_architecture(const screen *s, const transformer *D)
{
    heading(s, "Architecture");
    char *shared = D->h_kv < D->h ? must_format(" that share %ld key heads", D->h_kv) : must_strdup("");
    line(s, "sizes", "%s: %ld layers, width %ld, %ld heads of %ld%s, MLP %ld, vocabulary %s, %s positions", D->family,
         D->L, D->d, D->h, D->dk, shared, D->m,
         digits((double)D->V), D->T ? digits((double)D->T) : "any number of");
    free(shared);
    if (architecture_of_user(D)) line(s, "described", "by %s", architecture_of_user(D));
    line(s, "MLP", "%s, %s", D->gated ? "gated" : "plain", *D->activation ? D->activation : "activation not said");
    if (D->norm == NORM_OF_NONE) line(s, "norms", "none");
    else line(s, "norms", "%s%s, eps %s%s", inspect_norm_name[D->norm], D->norm_bias ? " with biases" : "",
              D->eps > 0 ? number(D->eps) : "not said", D->qk_norm ? "; queries and keys are normalised as well" : "");
    char *angles = rope_words(D);
    if (D->positions == POSITIONS_ROTARY)
        line(s, "positions", "rotary: %ld of %ld coordinates of a head, pairs %s, theta %s%s%s", D->rotary, D->dk,
             inspect_pairs_name[D->pairs], D->theta > 0 ? digits(D->theta) : "not said",
             rope_scales(D) ? "; frequencies " : "", rope_scales(D) ? angles : "");
    else line(s, "positions", "%s", inspect_positions_name[D->positions]);
    free(angles);
    if (D->encoder) line(s, "attention", "tokens see those behind them, too");
    if (D->buckets)
        line(s, "", "each head adds a bias to its scores for each of %d ranges of distances", DISTANCE_BUCKETS);
    if (D->pad >= 0) line(s, "", "token %ld has no position, and others are counted without it", D->pad);
    line(s, "head", "%s", D->headless ? "none: the stream behind the last layer is what it computes"
         : D->tied ? "tied to the embedding" : "a matrix of its own");
    line(s, "biases", "%s", D->biases ? "yes" : "none");
    line(s, "stored", "%s, %s", D->in_out ? "in x out (Conv1D)" : "out x in (Linear)",
         D->fused == FUSED_NOT ? "W_Q, W_K, W_V each for itself"
         : D->fused == FUSED_BLOCKS ? "W_Q | W_K | W_V in one tensor" : "W_Q, W_K, W_V in one tensor, head by head");
    for (int p = 0; p < 3; p++)
        if (D->identity[p]) line(s, "", "%s is the identity and not stored", role_name[ROLE_Q + p]);
    if (D->value_rows) line(s, "", "the identity block in W_V of each head is not stored");
    if (D->slim) line(s, "", "W_V acts on the keys: V = K W_V, K before its rotation (N11)");
    if (D->window) line(s, "window", "a token sees %ld positions%s", D->window,
                        layers_with(D, LAYER_SEES_ALL) ? " in some layers" : "");
    print_own_settings(s, D);
    print_experts(s, D);
    if (D->beyond) line(s, "beyond this", "%s: it is described here, not evaluated", D->beyond);
    if (D->own_code) line(s, "own code", "%s: its function may be any", D->own_code);
    for (long k = 0; k < D->unknown_keys; k++) line(s, k ? "" : "not known", "%s", D->unknown_key[k]);
    heading(s, "Residual stream");
    line(s, "written by", "embedding%s%s; in each layer W_O and down%s%s",
         D->types ? ", types of tokens" : "", D->positions == POSITIONS_LEARNED ? " and positions" : "",
         D->experts ? ", of each expert" : "",
         tensor_of(D, ROLE_O_BIAS, 0) ? ", with their biases" : "");
    const bool dense = tensor_of(D, ROLE_DENSE, -1);
    line(s, "read by", "in each layer W_Q, W_K, W_V and %s%s%s%s%s", D->gated ? "gate, up" : "up",
         D->experts ? ", of each expert, and routers" : "",
         D->norm && norms_in_front(D) ? ", behind its norms" : "",
         D->headless ? "" : D->tied ? "; the embedding as head" : "; the head",
         D->headless ? "" : dense ? ", behind a layer of its own" : D->norm ? ", behind the final norm" : "");
    line(s, "skips", "%s", D->parallel ? "around attention and MLP, which are parallel"
         : D->attn_skip && D->mlp_skip ? "around attention and around the MLP"
         : D->attn_skip ? "around attention only" : D->mlp_skip ? "around the MLP only" : "none");
}

/* A name with its numbers replaced by #, to be freed. */
static char *pattern_of(const char *name)
{
    char *to = must_strdup(name), *end = to;
    for (const char *c = name; *c;) {
        const bool number_begins = isdigit((unsigned char)*c) && (c == name || c[-1] == '.');
        const size_t n = number_begins ? strspn(c, "0123456789") : 0;
        if (n && (c[n] == '.' || !c[n])) {
            *end++ = '#';
            c += n;
        } else *end++ = *c++;
    }
    *end = '\0';
    return to;
}

typedef struct { char *pattern; const weight_tensor *first; long count; double bytes; } group;

static int by_place(const void *a, const void *b)
{
    const weight_tensor *x = ((const group *)a)->first, *y = ((const group *)b)->first;
    return (x > y) - (x < y);
}

/* 0: tensors of one kind, which are counted together. */
static int compare_kinds(const group *a, const group *b)
{
    const weight_tensor *x = a->first, *y = b->first;
    int order = strcmp(a->pattern, b->pattern);
    if (!order) order = strcmp(x->type, y->type);
    if (!order) order = (x->rank > y->rank) - (x->rank < y->rank);
    return order ? order : memcmp(x->shape, y->shape, sizeof x->shape);
}

static int by_kind(const void *a, const void *b)
{
    const int order = compare_kinds(a, b);
    return order ? order : by_place(a, b);
}

/* In the order of their first tensors.  The file may have as many kinds as names: they are sorted, not searched. */
static group *groups_of(const weights *w, long *groups)
{
    group *g = must_calloc((size_t)w->tensors, sizeof *g);
    for (long k = 0; k < w->tensors; k++)
        g[k] = (group){ pattern_of(w->tensor[k].name), &w->tensor[k], 1, (double)w->tensor[k].bytes };
    qsort(g, (size_t)w->tensors, sizeof *g, by_kind);
    long n = 0;
    for (long k = 0; k < w->tensors; k++) {
        if (n && compare_kinds(&g[n - 1], &g[k]) == 0) {
            g[n - 1].count++;
            g[n - 1].bytes += g[k].bytes;
            free(g[k].pattern);
        } else g[n++] = g[k];
    }
    qsort(g, (size_t)n, sizeof *g, by_place);
    *groups = n;
    return g;
}

static void print_tensors(const screen *s, const weights *w)
{
    long groups;
    group *g = groups_of(w, &groups);
    int longest = 18;
    for (long i = 0; i < groups; i++) {
        const int n = screen_length(g[i].pattern);
        longest = n > longest ? n : longest;
    }
    const int room = s->width - 50;
    longest = longest < room ? longest : room;
    heading(s, "Tensors");
    printf("%s%-*s %5s %-13s %-5s %11s  role%s\n", screen_ink(s, INK_SOFT), longest, "name (#: a number)", "count",
           "shape", "type", "bytes each", screen_plain(s));
    for (long i = 0; i < groups; i++) {
        const weight_tensor *t = g[i].first;
        char shape[80] = "";
        for (int k = 0, n = 0; k < t->rank && n < 60; k++)
            n += snprintf(shape + n, sizeof shape - (size_t)n, "%s%ld", k ? " x " : "", t->shape[k]);
        if (screen_length(g[i].pattern) > longest) printf("%s\n%*s", g[i].pattern, longest, "");
        else printf("%-*s", longest, g[i].pattern);
        printf(" %5ld %-13s %-5s %11s  %s\n", g[i].count, shape, t->type, digits(g[i].bytes / (double)g[i].count),
               role_name[t->role]);
        free(g[i].pattern);
    }
    free(g);
}

static void extremes(long n, const double *x, double *least, double *most)
{
    *least = *most = x[0];
    for (long k = 1; k < n; k++) {
        *least = fmin(*least, x[k]);
        *most = fmax(*most, x[k]);
    }
}

static void print_conditions(const screen *s, const inspection *x, bool heads)
{
    heading(s, "Condition numbers (largest over smallest singular value, in double precision)");
    printf("%s%-6s %-7s %-5s %9s  %9s .. %-9s  %s%s\n", screen_ink(s, INK_SOFT), "layer", "matrix", "head", "whole",
           "best head", "worst", "worst dk x dk block", screen_plain(s));
    for (long i = 0; i < x->D->L; i++)
        for (int p = 0; p < 3; p++) {
            const matrix_condition *c = &x->c[i].of[p];
            if (!c->heads) continue;
            double least, most, unused, block;
            extremes(c->heads, c->head, &least, &most);
            extremes(c->heads, c->block, &unused, &block);
            printf("%-6ld %-7s %-5s %9s  %9s .. %-9s  %s\n", i, role_name[ROLE_Q + p], "all", number(c->whole),
                   number(least), number(most), number(block));
            for (long a = 0; heads && a < c->heads; a++)
                printf("%-6ld %-7s %-5ld %9s  %9s    %-9s  %s\n", i, role_name[ROLE_Q + p], a, "", number(c->head[a]),
                       "", number(c->block[a]));
        }
}

static void print_theorem(const screen *s, const reduction_row *t)
{
    char *first = must_format("  %s", t->name);
    char *text = must_format("(%s): %s", t->claims, t->why);
    char *whole = must_format("%s %s", first, text);
    screen_wrapped(stdout, s->width, "  ", whole + 2, 4, "");
    free(first);
    free(text);
    free(whole);
    if (!t->applies || (t->parameters == 0 && isnan(t->bits))) return;
    char *bits = isnan(t->bits) ? must_strdup("") : must_format("; %.1f bits lost at worst", t->bits);
    char *gain = t->parameters == 0 ? must_strdup(bits + 2)
               : must_format("%s %s parameters, %s bytes, %s FLOPs per token%s", t->parameters < 0 ? "adds" : "removes",
                             digits(fabs(t->parameters)), digits(fabs(t->bytes)), digits(fabs(t->flops)), bits);
    screen_wrapped(stdout, s->width, "    ", gain, 4, "");
    free(bits);
    free(gain);
}

static void print_theorems(const screen *s, const reduction_list *r)
{
    if (r->nothing) {
        heading(s, "Theorems");
        char *text = must_format("Nothing applies because %s.", r->nothing);
        screen_wrapped(stdout, s->width, "", text, 0, "");
        free(text);
        return;
    }
    heading(s, "Theorems that apply, each alone");
    for (long k = 0; k < r->n; k++) if (r->at[k].applies) print_theorem(s, &r->at[k]);
    heading(s, "Theorems that do not");
    for (long k = 0; k < r->n; k++) if (!r->at[k].applies) print_theorem(s, &r->at[k]);
    printf("\n`provably show ID` has the words and the evidence of each.\n");
}

layer_condition *inspect_conditions(const transformer *D, bool live)
{
    layer_condition *c = must_calloc((size_t)D->L, sizeof *c);
    progress line = progress_begin(live ? PROGRESS_TERMINAL : PROGRESS_NONE, NULL);
    for (long i = 0; i < D->L; i++) {
        if (progress_due(&line, monotonic_seconds()))
            progress_show(&line, progress_left(&line, (double)i / (double)D->L), "condition numbers: layer %ld of %ld",
                          i + 1, D->L);
        c[i] = layer_conditions(D, i);
    }
    progress_clear(&line);
    return c;
}

int inspect_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "FILE", doc, NULL, NULL, NULL };
    options o = { .file = NULL };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    weights w = weights_open(o.file);
    transformer D = transformer_of(&w);
    layer_condition *c = o.no_conditions || D.unknown || D.unreadable ? NULL
        : inspect_conditions(&D, isatty(STDOUT_FILENO));
    reduction_list r = reductions_of(&D, c);
    const inspection x = { &w, &D, c, &r };
    if (o.json) inspect_print_json(stdout, &x);
    else {
        const screen s = screen_of(stdout, o.width, COLOUR_AUTO);
        shown_print(stdout, "%s: %s, %ld tensors, %s numbers, %s bytes\n", w.path, w.format, w.tensors,
                    digits((double)D.parameters),
               digits((double)D.bytes));
        for (long k = 0; k < w.notes; k++) shown_print(stdout, "  %s\n", w.note[k]);
        if (D.L) print_architecture(&s, &D);
        print_tensors(&s, &w);
        if (c) print_conditions(&s, &x, o.heads);
        print_theorems(&s, &r);
    }
    for (long i = 0; c && i < D.L; i++) layer_conditions_free(&c[i]);
    free(c);
    reductions_free(&r);
    transformer_free(&D);
    weights_close(&w);
    return 0;
}
