/* transformer.c - see transformer.h: the configuration first, then every tensor against it. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/compact.h"
#include "src/checkpoint/names.h"
#include "src/train/gpt.h"

const char *const role_name[ROLES] = {
    [ROLE_UNKNOWN] = "unknown", [ROLE_BUFFER] = "buffer", [ROLE_EMBED] = "embedding", [ROLE_POSITION] = "positions",
    [ROLE_HEAD] = "head", [ROLE_HEAD_BIAS] = "head bias", [ROLE_FINAL_GAIN] = "final gain",
    [ROLE_FINAL_BIAS] = "final bias",
    [ROLE_GAIN1] = "gain 1", [ROLE_BIAS1] = "norm bias 1", [ROLE_Q] = "W_Q", [ROLE_K] = "W_K", [ROLE_V] = "W_V",
    [ROLE_QKV] = "W_Q W_K W_V", [ROLE_O] = "W_O", [ROLE_Q_BIAS] = "b_Q", [ROLE_K_BIAS] = "b_K", [ROLE_V_BIAS] = "b_V",
    [ROLE_QKV_BIAS] = "b_Q b_K b_V", [ROLE_O_BIAS] = "b_O", [ROLE_Q_GAIN] = "Q gain", [ROLE_K_GAIN] = "K gain",
    [ROLE_GAIN2] = "gain 2", [ROLE_BIAS2] = "norm bias 2", [ROLE_UP] = "up", [ROLE_GATE] = "gate", [ROLE_DOWN] = "down",
    [ROLE_UP_BIAS] = "b_up", [ROLE_GATE_BIAS] = "b_gate", [ROLE_DOWN_BIAS] = "b_down" };

const weight_tensor *tensor_of(const transformer *D, tensor_role role, long layer)
{
    return D->at[(layer + 1) * ROLES + (long)role];
}

static void not_known(transformer *D, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void not_known(transformer *D, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!D->unknown) D->unknown = must_strdup(text);
}

/* ---- the configuration ---------------------------------------------------------------------------------------- */

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

static double number(const config *c, const char *name, const char *other)
{
    const json_t *x = value_of(c, name);
    if (!x && other) x = value_of(c, other);
    const double v = json_number_value(x);
    if (x && (!json_is_number(x) || !(v > 0)))
        die("%s: %s%s is not a positive number; correct it", c->w->config_path, c->before, name);
    return v;
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
    D->eps = number(c, gguf ? D->norm == NORM_OF_RMS ? "attention.layer_norm_rms_epsilon"
                    : "attention.layer_norm_epsilon"
                            : D->norm == NORM_OF_RMS ? "rms_norm_eps" : "layer_norm_epsilon", "layer_norm_eps");
    if (D->eps == 0) D->eps = D->norm == NORM_OF_RMS ? 1e-6 : 1e-5;                   /* the libraries' */
    if (D->positions != POSITIONS_ROTARY) return;
    config inner = { &(weights){ .config = json_object_get(c->w->config, "rope_parameters"),
                                 .config_path = c->w->config_path }, "" };                 /* since transformers 5 */
    const config *rope = json_is_object(inner.w->config) ? &inner : c;
    D->theta = number(rope, gguf ? "rope.freq_base" : "rope_theta", "rotary_emb_base");
    if (D->theta == 0) D->theta = 10000;
    double part = number(rope, "partial_rotary_factor", "rotary_pct");
    if (part == 0 && strcmp(D->family, "gpt_neox") == 0) part = 0.25;
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
    if (wrong) not_known(D, "the run does not describe a language model; a vision transformer is not read here");
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
static void config_of(transformer *D, const weights *w)
{
    config c = { w, "" };
    long known = 0, layer;
    for (long k = 0; k < w->tensors; k++) known += role_of_name(w->tensor[k].name, &layer) != ROLE_UNKNOWN;
    if (!known) {
        not_known(D, "no tensor has a name of an architecture that is known here: who reads and who writes a "
                  "residual stream, and what stands between, is not known");
        return;
    }
    if (!w->config) {
        not_known(D, "there is no config.json beside the file, so its heads, norms and positions are not known: put "
                  "it there");
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
        if (!*D->family) not_known(D, "%s does not say what kind of model it is (model_type)", w->config_path);
        else if (D->offset_gain)
            not_known(D, "%s: its gains multiply by 1 + w and its embeddings are scaled, which no theorem here covers",
                      D->family);
        else not_known(D, "%s is not an architecture that is known here", D->family);
        return;
    }
    take_family(D, f);
    text_of(&c, f->norm == NORM_OF_LAYER && f->positions == POSITIONS_LEARNED ? "activation_function" : "hidden_act",
            D->activation, sizeof D->activation);
    bool theorems;
    D->beyond = beyond_description(w->config, c.before, &theorems);
    D->window = beyond_window(w->config, c.before);
    if (!theorems) not_known(D, "%s, which no theorem here covers", D->beyond);
    if (D->unknown) return;
    D->parallel = truth(&c, "use_parallel_residual", f->parallel);
    D->tied = truth(&c, "tie_word_embeddings", f->tied);
    const char *norm = json_string_value(json_object_get(value_of(&c, "provably"), "norm"));
    if (norm && strcmp(norm, "none") == 0) D->norm = NORM_OF_NONE;     /* `provably reduce` left them out */
    sizes_of(D, &c);
    compact_read(D, value_of(&c, "provably"), w->config_path);
}

/* ---- the tensors ------------------------------------------------------------------------------------------------ */

/* rows x cols as Linear stores it (out x in), rows 1: a vector.  0 x 0: any shape. */
static void shape_of(const transformer *D, tensor_role role, long *rows, long *cols)
{
    const long d = D->d, q = D->h * D->dk, kv = D->h_kv * D->dk;
    *rows = 1, *cols = d;
    switch (role) {
    case ROLE_EMBED: case ROLE_HEAD: *rows = D->V; break;
    case ROLE_POSITION: *rows = D->T; break;
    case ROLE_HEAD_BIAS: *cols = D->V; break;
    case ROLE_Q: *rows = q; break;
    case ROLE_K: *rows = kv; break;
    case ROLE_V: *rows = kv, *cols = D->value_rows ? d - D->dk : d; break;
    case ROLE_QKV: *rows = q + 2 * kv; break;
    case ROLE_O: *rows = d, *cols = q; break;
    case ROLE_Q_BIAS: *cols = q; break;
    case ROLE_K_BIAS: case ROLE_V_BIAS: *cols = kv; break;
    case ROLE_QKV_BIAS: *cols = q + 2 * kv; break;
    case ROLE_Q_GAIN: case ROLE_K_GAIN: *cols = D->dk; break;
    case ROLE_UP: case ROLE_GATE: *rows = D->m; break;
    case ROLE_DOWN: *rows = d, *cols = D->m; break;
    case ROLE_UP_BIAS: case ROLE_GATE_BIAS: *cols = D->m; break;
    case ROLE_UNKNOWN: case ROLE_BUFFER: *rows = *cols = 0; break;
    default: break;
    }
}

static bool turns(tensor_role role)                      /* Conv1D stores these in x out */
{
    return role == ROLE_QKV || role == ROLE_O || role == ROLE_UP || role == ROLE_DOWN;
}

static void check_shape(const transformer *D, const weights *w, const weight_tensor *t)
{
    long rows, cols;
    shape_of(D, (tensor_role)t->role, &rows, &cols);
    if (!rows) return;
    if (D->in_out && turns((tensor_role)t->role)) {
        const long swap = rows;
        rows = cols;
        cols = swap;
    }
    const bool vector = rows == 1 && !(t->rank == 2 && t->shape[0] == 1);
    const bool fits = vector ? t->rank == 1 && t->shape[0] == cols
                             : t->rank == 2 && t->shape[0] == rows && t->shape[1] == cols;
    if (fits) return;
    char is[64] = "", should[64];
    for (int k = 0, n = 0; k < t->rank && n < 40; k++)
        n += snprintf(is + n, sizeof is - (size_t)n, "%s%ld", k ? ", " : "", t->shape[k]);
    if (vector) snprintf(should, sizeof should, "%ld", cols);
    else snprintf(should, sizeof should, "%ld, %ld", rows, cols);
    die("%s: tensor %s is [%s], but [%s] by the sizes in %s: width %ld, %ld heads, %ld key heads, MLP %ld; one of "
        "the two is another model's", w->file[t->file].path, t->name, is, should, w->config_path, D->d, D->h,
        D->h_kv, D->m);
}

static const weight_tensor *need(const transformer *D, const weights *w, tensor_role role, long layer)
{
    const weight_tensor *t = tensor_of(D, role, layer);
    if (t) return t;
    if (layer < 0) die("%s: the %s is missing; the file is not whole, or %s is another model's", w->path,
                       role_name[role], w->config_path);
    die("%s: layer %ld: %s is missing; the file is not whole, or %s is another model's", w->path, layer,
        role_name[role], w->config_path);
}

static void require_all(const transformer *D, const weights *w)
{
    const bool norm = D->norm != NORM_OF_NONE;
    static const tensor_role of[] = { ROLE_Q, ROLE_K, ROLE_V };
    need(D, w, ROLE_EMBED, -1);
    if (D->positions == POSITIONS_LEARNED) need(D, w, ROLE_POSITION, -1);
    if (norm) need(D, w, ROLE_FINAL_GAIN, -1);
    if (!D->tied) need(D, w, ROLE_HEAD, -1);
    for (long i = 0; i < D->L; i++) {
        if (norm) need(D, w, ROLE_GAIN1, i);
        if (norm) need(D, w, ROLE_GAIN2, i);
        if (D->fused) need(D, w, ROLE_QKV, i);
        for (int p = 0; p < 3 && !D->fused; p++) if (!D->identity[p]) need(D, w, of[p], i);
        need(D, w, ROLE_O, i);
        need(D, w, ROLE_UP, i);
        need(D, w, ROLE_DOWN, i);
        if (D->gated) need(D, w, ROLE_GATE, i);
        for (int r = 1; r < ROLES && i > 0; r++)                       /* biases in all layers or in none */
            if (r != ROLE_BUFFER && !tensor_of(D, (tensor_role)r, i) != !tensor_of(D, (tensor_role)r, 0))
                need(D, w, (tensor_role)r, tensor_of(D, (tensor_role)r, i) ? 0 : i);
    }
}

static void place(transformer *D, const weights *w, weight_tensor *t)
{
    t->role = (int)role_of_name(t->name, &t->layer);
    if (t->role == ROLE_UNKNOWN) {
        if (!D->unknown_tensors++) D->first_unknown = t;
        return;
    }
    if (t->role == ROLE_BUFFER) return;
    if (t->layer >= D->L) die("%s: tensor %s is of a layer that %s does not have: %ld layers; one of the two is "
                              "another "
                              "model's", w->file[t->file].path, t->name, w->config_path, D->L);
    const weight_tensor **at = &D->at[(t->layer + 1) * ROLES + t->role];
    if (*at) die("%s: tensors %s and %s are both %s; remove one", w->path, (*at)->name, t->name, role_name[t->role]);
    *at = t;
}

/* What only the tensors say. */
static void settle(transformer *D, const weights *w)
{
    const weight_tensor *E = tensor_of(D, ROLE_EMBED, -1), *P = tensor_of(D, ROLE_POSITION, -1);
    const weight_tensor *head = tensor_of(D, ROLE_HEAD, -1), *qkv = tensor_of(D, ROLE_QKV, 0);
    if (!D->V && E && E->rank == 2) D->V = E->shape[0];
    if (!D->T && P && P->rank == 2) D->T = P->shape[0];
    if (D->T && D->window >= D->T) D->window = 0;
    const bool gguf = strcmp(w->format, "GGUF") == 0;
    D->in_out = D->fused == FUSED_BLOCKS && !gguf && qkv && qkv->rank == 2 && qkv->shape[0] == D->d
                && qkv->shape[1] != D->d;
    if (gguf) D->tied = !head;
    else if (D->tied && head && E && (head->bytes != E->bytes || memcmp(head->at, E->at, E->bytes) != 0))
        not_known(D, "%s says that the head is tied to the embedding, but %s differs from it", w->config_path,
                  head->name);
    if (!D->beyond && weights_find(w, "rope_freqs.weight"))
        D->beyond = must_strdup("its rotary angles are scaled (rope_freqs.weight)");
    D->norm_bias = tensor_of(D, ROLE_BIAS1, 0);
    D->biases = tensor_of(D, ROLE_QKV_BIAS, 0) || tensor_of(D, ROLE_Q_BIAS, 0) || tensor_of(D, ROLE_UP_BIAS, 0);
    D->qk_norm = tensor_of(D, ROLE_Q_GAIN, 0) || tensor_of(D, ROLE_K_GAIN, 0);
}

transformer transformer_of(weights *w)
{
    transformer D = { .at = NULL };
    for (long k = 0; k < w->tensors; k++) {
        D.parameters += w->tensor[k].n;
        D.bytes += w->tensor[k].bytes;
    }
    config_of(&D, w);
    D.at = must_calloc((size_t)((D.unknown ? 1 : D.L + 1) * ROLES), sizeof(const weight_tensor *));
    if (D.unknown) return D;
    for (long k = 0; k < w->tensors; k++) place(&D, w, &w->tensor[k]);
    settle(&D, w);
    compact_check(&D, w);
    require_all(&D, w);
    for (long k = 0; k < w->tensors; k++) {
        const weight_tensor *t = &w->tensor[k];
        check_shape(&D, w, t);
        D.unreadable += t->role != ROLE_UNKNOWN && t->role != ROLE_BUFFER && t->numbers == NUMBERS_OTHER;
    }
    if (D.unknown_tensors)
        not_known(&D, "%ld tensor%s, %.200s first, %s no name that is known here: who reads and writes the stream is "
                  "not known",
                  D.unknown_tensors, D.unknown_tensors == 1 ? "" : "s", D.first_unknown->name,
                  D.unknown_tensors == 1 ? "has" : "have");
    return D;
}

void transformer_free(transformer *D)
{
    free(D->at);
    free(D->value_rows);
    free(D->unknown);
    free(D->beyond);
    *D = (transformer){ .at = NULL };
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

long projection_heads(const transformer *D, projection p) { return p == PROJECT_Q ? D->h : D->h_kv; }

void projection_columns(const transformer *D, projection p, long layer, long first, long count, double *x)
{
    static const tensor_role role[] = { ROLE_Q, ROLE_K, ROLE_V };
    const weight_tensor *t = tensor_of(D, D->fused ? ROLE_QKV : role[p], layer);
    REQUIRE(t && first >= 0 && count > 0 && first + count <= projection_heads(D, p), "heads %ld + %ld", first, count);
    const long d = D->d, dk = D->dk, cols = count * dk;
    const long before = p == PROJECT_Q ? 0 : p == PROJECT_K ? D->h * dk : (D->h + D->h_kv) * dk;
    double *row = must_calloc((size_t)(d > cols ? d : cols), sizeof *row);
    if (D->in_out) {                                                   /* Q|K|V beside each other */
        for (long r = 0; r < d; r++)
            weight_numbers(t, (size_t)(r * t->shape[1] + before + first * dk), (size_t)cols, x + r * cols);
    } else {
        for (long c = 0; c < cols; c++) {
            const long a = first + c / dk, i = c % dk;
            const long from = D->fused == FUSED_HEADS ? (3 * a + (long)p) * dk + i
                            : (D->fused == FUSED_BLOCKS ? before : 0) + a * dk + i;
            const long *unit = p == PROJECT_V && D->value_rows ? D->value_rows + (layer * D->h_kv + a) * dk : NULL;
            const long stored = unit ? d - dk : d;
            weight_numbers(t, (size_t)(from * stored), (size_t)stored, row);
            if (unit) compact_put_identity(row, d, dk, unit, i);
            for (long r = 0; r < d; r++) x[r * cols + c] = row[r];
        }
    }
    free(row);
}
