/* config.c - see config.h: which architecture it is, and what its configuration says. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/compact.h"
#include "src/checkpoint/config.h"
#include "src/checkpoint/names.h"
#include "src/train/gpt.h"

void config_not_known(transformer *D, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!D->unknown) D->unknown = must_strdup(text);
}

typedef struct { const weights *w; const char *before; } config;       /* before: of GGUF's keys, "llama."      */

static const json_t *value_of(const config *c, const char *name)
{
    char *full = must_format("%s%s", c->before, name);
    const json_t *x = json_object_get(c->w->config, full);
    free(full);
    return json_is_null(x) ? NULL : x;
}

/* The first of the two names that is there; 0: none. */
static long whole(const config *c, const char *name, const char *other, long most)
{
    const json_t *x = value_of(c, name);
    if (!x && other) x = value_of(c, name = other);
    if (!x) return 0;
    const json_int_t i = json_integer_value(x);
    if (!json_is_integer(x) || i < 1 || i > most)
        die("%s: %s%s is not a whole number from 1 to %ld; correct it", c->w->config_path, c->before, name, most);
    return (long)i;
}

static double number(const config *c, const char *name)
{
    const json_t *x = value_of(c, name);
    const double v = json_number_value(x);
    if (x && (!json_is_number(x) || !(v > 0)))
        die("%s: %s%s is not a positive number; correct it", c->w->config_path, c->before, name);
    return v;
}

/* Since transformers 5 it is said inside of another object; where that leaves it out, as before, beside it. */
static double rope_number(const config *c, const char *inside, const char *beside)
{
    const config inner = { &(weights){ .config = beyond_rope(c->w->config), .config_path = c->w->config_path }, "" };
    const double x = number(&inner, inside);
    return x != 0 ? x : number(c, beside);
}

static bool truth(const config *c, const char *name, bool usual)
{
    const json_t *x = value_of(c, name);
    if (x && !json_is_boolean(x)) die("%s: %s is neither true nor false; correct it", c->w->config_path, name);
    return x ? json_is_true(x) : usual;
}

static void text_of(const config *c, const char *name, char *text, size_t size)
{
    const char *x = json_string_value(value_of(c, name));
    if (!x) return;
    size_t n = 0;
    for (; *x && n + 1 < size; x++) text[n++] = *x < 33 || *x > 126 ? '?' : *x;
    text[n] = '\0';
}

typedef struct {
    const char *name;                    /* model_type, or GGUF's architecture after `gguf:`            */
    norm_of_model norm;
    position_kind positions;
    rotary_pairs pairs;
    fused_qkv fused;
    bool gated, tied, parallel;
    const char *activation;
} family;
/* GGUF has no key for the activation: it is the one that llama.cpp computes.  For GPT-NeoX that is gelu by tanh, while
 * the models from which such files are converted have gelu by erf: the two are not the same function. */
static const family families[] = {
    { "gpt2",         NORM_OF_LAYER, POSITIONS_LEARNED, PAIRS_NONE,     FUSED_BLOCKS, false, true,  false, "gelu_new" },
    { "nanogpt",      NORM_OF_LAYER, POSITIONS_LEARNED, PAIRS_NONE,     FUSED_BLOCKS, false, true,  false, "gelu" },
    { "llama",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT,    true,  false, false, "silu" },
    { "mistral",      NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT,    true,  false, false, "silu" },
    { "qwen2",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT,    true,  false, false, "silu" },
    { "qwen3",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT,    true,  false, false, "silu" },
    { "gpt_neox",     NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_HEADS,  false, false, true,  "gelu" },
    { "llama2.c",     NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_ADJACENT, FUSED_NOT,    true,  true,  false, "silu" },
    { "gguf:gpt2",    NORM_OF_LAYER, POSITIONS_LEARNED, PAIRS_NONE,     FUSED_BLOCKS, false, true,  false, "gelu_new" },
    { "gguf:llama",   NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_ADJACENT, FUSED_NOT,    true,  true,  false, "silu" },
    { "gguf:qwen2",   NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT,    true,  true,  false, "silu" },
    { "gguf:qwen3",   NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT,    true,  true,  false, "silu" },
    { "gguf:gptneox", NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_BLOCKS, false, true,  true,  "gelu_new" },
};

static void take_family(transformer *D, const family *f)
{
    D->norm = f->norm;
    D->positions = f->positions;
    D->pairs = f->pairs;
    D->fused = f->fused;
    D->gated = f->gated;
    D->parallel = f->parallel;
    D->attn_skip = D->mlp_skip = true;
    D->factor = 1;
    snprintf(D->activation, sizeof D->activation, "%s", f->activation);
}

static void sizes_of(transformer *D, const config *c)
{
    const bool gguf = *c->before;
    D->d = whole(c, gguf ? "embedding_length" : "hidden_size", "n_embd", 1 << 20);
    D->L = whole(c, gguf ? "block_count" : "num_hidden_layers", "n_layer", 1000);
    D->h = whole(c, gguf ? "attention.head_count" : "num_attention_heads", "n_head", 1 << 16);
    D->h_kv = whole(c, gguf ? "attention.head_count_kv" : "num_key_value_heads", NULL, 1 << 16);
    D->dk = whole(c, gguf ? "attention.key_length" : "head_dim", NULL, 1 << 16);
    D->m = whole(c, gguf ? "feed_forward_length" : "intermediate_size", "n_inner", 1 << 22);
    D->T = whole(c, gguf ? "context_length" : "max_position_embeddings", "n_positions", 1 << 28);
    D->V = gguf ? 0 : whole(c, "vocab_size", NULL, 1 << 26);
    const char *path = c->w->config_path;
    if (!D->d || !D->L || !D->h) die("%s does not say the width, the layers and the heads; fetch the whole file", path);
    if (!D->dk && D->d % D->h) die("%s: %ld heads do not divide the width %ld; correct it", path, D->h, D->d);
    if (!D->dk) D->dk = D->d / D->h;
    if (!D->h_kv) D->h_kv = D->h;
    if (D->h % D->h_kv || (D->fused == FUSED_HEADS && D->h != D->h_kv))
        die("%s: %ld key heads do not go with %ld heads; correct it", path, D->h_kv, D->h);
    if (!D->m) D->m = 4 * D->d;
    const bool neox = strcmp(D->family, "gpt_neox") == 0;
    D->eps = number(c, gguf ? D->norm == NORM_OF_RMS ? "attention.layer_norm_rms_epsilon"
                    : "attention.layer_norm_epsilon"
                            : D->norm == NORM_OF_RMS ? "rms_norm_eps" : neox ? "layer_norm_eps" : "layer_norm_epsilon");
    if (D->eps == 0) D->eps = D->norm == NORM_OF_RMS ? 1e-6 : 1e-5;                   /* the libraries' */
    if (D->positions != POSITIONS_ROTARY) return;
    D->theta = gguf ? number(c, "rope.freq_base")
                    : rope_number(c, "rope_theta", neox ? "rotary_emb_base" : "rope_theta");
    if (D->theta == 0) D->theta = 10000;
    double part = neox ? rope_number(c, "partial_rotary_factor", "rotary_pct") : 0;
    if (part == 0 && neox) part = 0.25;
    if (part > 1 || (part > 0 && part * (double)D->dk < 2))            /* before it becomes a whole number */
        die("%s: %g times the %ld coordinates of a head would turn; correct rotary_pct or partial_rotary_factor", path,
            part, D->dk);
    D->rotary = gguf ? whole(c, "rope.dimension_count", NULL, 1 << 16) : (long)(part * (double)D->dk);
    if (!D->rotary) D->rotary = D->dk;
    if (D->rotary > D->dk || D->rotary % 2)
        die("%s: %ld rotary coordinates in heads of %ld; correct it", path, D->rotary, D->dk);
}

/* A run of ours. */
static void own_config(transformer *D, const char *text)
{
    gpt_config g;
    char *wrong = gpt_config_parse(&g, text);
    if (wrong) config_not_known(D, "the run does not describe a language model; a vision transformer is not read here");
    free(wrong);
    if (D->unknown) return;
    D->L = g.L, D->d = g.d, D->h = D->h_kv = g.h, D->dk = g.d / g.h, D->m = g.m, D->V = g.V, D->T = g.T;
    D->norm = g.norm ? NORM_OF_LAYER : NORM_OF_NONE;
    D->eps = g.norm ? GPT_NORM_EPS : 0;
    D->positions = POSITIONS_LEARNED;
    D->factor = g.factor;
    D->attn_skip = g.attn_skip, D->mlp_skip = g.mlp_skip, D->tied = g.tied;
    for (int k = 0; k < 3; k++) D->identity[k] = g.identity[k];
    snprintf(D->activation, sizeof D->activation, "gelu");
}

/* The configuration as far as it is one that is known here; the reason in D->unknown otherwise. */
void config_of(transformer *D, const weights *w)
{
    config c = { w, "" };
    long known = 0, layer;
    for (long k = 0; k < w->tensors; k++) known += role_of_name(w->tensor[k].name, &layer) != ROLE_UNKNOWN;
    if (!known) {
        config_not_known(D, "no tensor has a name of an architecture that is known here: who reads and who "
                         "writes a residual stream, and what stands between, is not known");
        return;
    }
    if (!w->config) {
        config_not_known(D, "there is no config.json beside the file, so its heads, norms and positions are not "
                         "known: put it there");
        return;
    }
    char type[40] = "", before[48];
    text_of(&c, "model_type", D->family, sizeof D->family);
    if (strcmp(D->family, "provably") == 0) {
        own_config(D, json_string_value(value_of(&c, "model")));
        if (!D->unknown) compact_read(D, value_of(&c, "provably"), w->config_path);
        return;
    }
    if (strcmp(w->format, "GGUF") == 0) {
        text_of(&c, "general.architecture", D->family, sizeof D->family);
        snprintf(before, sizeof before, "%s.", D->family);
        snprintf(type, sizeof type, "gguf:%s", D->family);
        c.before = before;
    } else if (!*D->family && value_of(&c, "n_embd") && value_of(&c, "n_head")) {
        snprintf(D->family, sizeof D->family, "gpt2");                 /* nanoGPT's model_args          */
        snprintf(type, sizeof type, "nanogpt");
    } else {
        if (strncmp(D->family, compact_family, strlen(compact_family)) == 0)
            memmove(D->family, D->family + strlen(compact_family), strlen(D->family + strlen(compact_family)) + 1);
        snprintf(type, sizeof type, "%s", D->family);
    }
    const family *f = NULL;
    for (size_t k = 0; k < COUNT(families) && !f; k++) if (strcmp(families[k].name, type) == 0) f = &families[k];
    if (!f) {
        D->offset_gain = strncmp(D->family, "gemma", 5) == 0;
        if (!*D->family) config_not_known(D, "%s does not say what kind of model it is (model_type)", w->config_path);
        else if (D->offset_gain)
            config_not_known(D, "%s: its gains multiply by 1 + w and its embeddings are scaled, which no "
                             "theorem here covers", D->family);
        else config_not_known(D, "%s is not an architecture that is known here", D->family);
        return;
    }
    take_family(D, f);
    text_of(&c, f->norm == NORM_OF_LAYER && f->positions == POSITIONS_LEARNED ? "activation_function" : "hidden_act",
            D->activation, sizeof D->activation);
    bool theorems;
    D->beyond = beyond_description(w->config, c.before, D->family, &theorems);
    if (!theorems) config_not_known(D, "%s, which no theorem here covers", D->beyond);
    if (D->unknown) return;
    D->parallel = truth(&c, "use_parallel_residual", f->parallel);
    D->tied = truth(&c, "tie_word_embeddings", f->tied);
    const char *norm = json_string_value(json_object_get(value_of(&c, "provably"), "norm"));
    if (norm && strcmp(norm, "none") == 0) D->norm = NORM_OF_NONE;     /* `provably reduce` left them out */
    sizes_of(D, &c);
    D->window = beyond_window(w->config, c.before, D->family, D->L);
    if (D->window < 0) {
        D->window = 0;
        if (!D->beyond) D->beyond = must_strdup("not all of its layers have full attention (max_window_layers)");
    }
    compact_read(D, value_of(&c, "provably"), w->config_path);
}

bool config_lets_load(const transformer *D, const weights *w, tensor_role role, const char **key)
{
    const config c = { w, "" };
    const char *f = D->family;
    const bool llama = strcmp(f, "llama") == 0, qwen3 = strcmp(f, "qwen3") == 0, layer = D->norm == NORM_OF_LAYER;
    const bool neox = strcmp(f, "gpt_neox") == 0;
    *key = NULL;
    switch (role) {
    case ROLE_HEAD_BIAS: return false;
    case ROLE_Q_GAIN: case ROLE_K_GAIN: return qwen3;
    case ROLE_BIAS1: case ROLE_BIAS2: case ROLE_FINAL_BIAS: return layer;
    case ROLE_UP_BIAS: case ROLE_GATE_BIAS: case ROLE_DOWN_BIAS:
        if (llama) *key = "mlp_bias";
        return llama ? truth(&c, *key, false) : layer;
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS: case ROLE_O_BIAS: case ROLE_QKV_BIAS:
        if (llama || qwen3 || neox) *key = "attention_bias";
        return *key ? truth(&c, *key, neox) : layer || (role != ROLE_O_BIAS && strcmp(f, "qwen2") == 0);
    default: return true;
    }
}
