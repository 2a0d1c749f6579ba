/* config.c - see config.h: which architecture it is, and what its configuration says. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/compact.h"
#include "src/checkpoint/config.h"
#include "src/checkpoint/names.h"
#include "src/checkpoint/rope.h"
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

/* Since transformers 5 it is said inside of another object; where that leaves it out, as before, beside it. */
static double rope_number(const settings *s, const char *inside, const char *beside)
{
    const settings inner = settings_within(s, beyond_rope(s));
    const double x = setting_number(&inner, inside);
    return x != 0 ? x : setting_number(s, beside);
}

/* A whole number under the first of two names that is there; 0: none. */
static long whole(const settings *s, const char *name, const char *other, long most)
{
    return setting_value(s, name) || !other ? setting_whole(s, name, most) : setting_whole(s, other, most);
}

static void copy_shown(const char *x, char *text, size_t size)
{
    if (!x) return;
    char *shown = shown_short(x, size - 1);
    snprintf(text, size, "%s", shown);
    free(shown);
}

/* What says which family it is, before that is known. */
static void word_of(const weights *w, const char *key, char *text, size_t size)
{
    const json_t *x = json_object_get(w->config, key);
    if (json_object_get(w->twice, key))
        die("%s: %s is there twice, with different values; remove one of them", w->config_path, key);
    if (x && !json_is_null(x) && !json_is_string(x)) die("%s: %s is not a text; correct it", w->config_path, key);
    copy_shown(json_string_value(x), text, size);
}

/* Names that transformers has for one function, for D->activation. */
static const char *activation_name(const char *said)
{
    static const struct { const char *said, *name; } same[] = {
        { "gelu_pytorch_tanh", "gelu_new" }, { "gelu_fast", "gelu_new" }, { "gelu_accurate", "gelu_new" },
        { "gelu_python_tanh", "gelu_new" }, { "gelu_python", "gelu" }, { "swish", "silu" } };
    for (size_t k = 0; said && k < COUNT(same); k++) if (strcmp(same[k].said, said) == 0) return same[k].name;
    return said;
}

enum { TO_BE_SAID = -1 };                /* versions of its class have different defaults               */

typedef struct {
    const char *name;                    /* model_type, or GGUF's architecture after `gguf:`            */
    norm_of_model norm;
    position_kind positions;
    rotary_pairs pairs;
    fused_qkv fused;
    unsigned bit;                        /* of settings.h                                               */
    bool gated, tied, parallel;
    const char *activation;
    const char *class_name;              /* in `architectures`; NULL: such files have none             */
    norm_places norms;
    qk_norms qk;
    bool offset_gain, root_of_width;     /* root: embeddings are multiplied by sqrt(width)              */
    double eps, theta, part, local_theta;      /* where nothing is said; 0: the usual ones                */
    const char *needs[5];                /* what its class has defaults of its own for, to be said      */
} family;
/* GGUF has no key for the activation: it is the one that llama.cpp computes.  For GPT-NeoX that is gelu by tanh, while
 * the models from which such files are converted have gelu by erf: the two are not the same function. */
static const family families[] = {
    { "gpt2",         NORM_OF_LAYER, POSITIONS_LEARNED, PAIRS_NONE,     FUSED_BLOCKS, OF_GPT2,
      false, true,  false, "gelu_new", "GPT2LMHeadModel", .norms = NORMS_BEFORE },
    { "nanogpt",      NORM_OF_LAYER, POSITIONS_LEARNED, PAIRS_NONE,     FUSED_BLOCKS, OF_NANOGPT,
      false, true,  false, "gelu", NULL, .norms = NORMS_BEFORE },
    { "llama",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_LLAMA,
      true,  false, false, "silu", "LlamaForCausalLM", .norms = NORMS_BEFORE },
    { "mistral",      NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_MISTRAL,
      true,  false, false, "silu", "MistralForCausalLM", .norms = NORMS_BEFORE },
    { "qwen2",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_QWEN2,
      true,  false, false, "silu", "Qwen2ForCausalLM", .norms = NORMS_BEFORE },
    { "qwen3",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_QWEN3,
      true,  false, false, "silu", "Qwen3ForCausalLM", .qk = QK_BY_HEAD },
    { "gpt_neox",     NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_HEADS, OF_NEOX,
      false, false, true,  "gelu", "GPTNeoXForCausalLM", .part = 0.25 },
    { "gemma",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_GEMMA,
      true,  true,  false, "gelu_new", "GemmaForCausalLM", .offset_gain = true, .root_of_width = true,
      .needs = { "head_dim", "num_key_value_heads" } },
    { "gemma2",       NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_GEMMA2,
      true,  true,  false, "gelu_new", "Gemma2ForCausalLM", .norms = NORMS_AROUND, .offset_gain = true,
      .root_of_width = true, .needs = { "head_dim", "num_key_value_heads", "query_pre_attn_scalar",
                                        "attn_logit_softcapping", "final_logit_softcapping" } },
    { "phi3",         NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_ROWS, OF_PHI3,
      true,  false, false, "silu", "Phi3ForCausalLM", .eps = 1e-5, .part = 1 },
    { "smollm3",      NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_SMOLLM3,
      true,  true,  false, "silu", "SmolLM3ForCausalLM", .theta = 2000000, .needs = { "num_key_value_heads" } },
    { "granite",      NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_GRANITE,
      true,  false, false, "silu", "GraniteForCausalLM", .norms = NORMS_BEFORE },
    { "stablelm",     NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_STABLELM,
      true,  false, false, "silu", "StableLmForCausalLM", .part = 0.25, .needs = { "num_key_value_heads" } },
    { "gemma3_text",  NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_GEMMA3,
      true,  true,  false, "gelu_new", "Gemma3ForCausalLM", .norms = NORMS_AROUND, .qk = QK_BY_HEAD,
      .offset_gain = true, .root_of_width = true, .theta = 1000000, .local_theta = 10000,
      .needs = { "head_dim", "num_key_value_heads", "query_pre_attn_scalar", "sliding_window" } },
    { "starcoder2",   NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_STARCODER2,
      false, true,  false, "gelu_new", "Starcoder2ForCausalLM", .needs = { "num_key_value_heads" } },
    { "cohere",       NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_ADJACENT, FUSED_NOT, OF_COHERE,
      true,  true,  true,  "silu", "CohereForCausalLM", .norms = NORMS_SHARED, .theta = TO_BE_SAID },
    { "cohere2",      NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_ADJACENT, FUSED_NOT, OF_COHERE2,
      true,  true,  true,  "silu", "Cohere2ForCausalLM", .norms = NORMS_SHARED, .needs = { "sliding_window" } },
    { "olmo3",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_OLMO3,
      true,  false, false, "silu", "Olmo3ForCausalLM", .norms = NORMS_BEHIND, .qk = QK_WHOLE, .eps = 1e-5,
      .theta = OLMO3_THETA, .local_theta = OLMO3_THETA, .needs = { "sliding_window" } },
    { "phi",          NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_PHI,
      false, false, true,  "gelu_new", "PhiForCausalLM", .norms = NORMS_SHARED, .part = TO_BE_SAID },
    { "olmo2",        NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_OLMO2,
      true,  false, false, "silu", "Olmo2ForCausalLM", .norms = NORMS_BEHIND, .qk = QK_WHOLE, .eps = 1e-5 },
    { "llama2.c",     NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_ADJACENT, FUSED_NOT, OF_LLAMA2C,
      true,  true,  false, "silu", NULL, .norms = NORMS_BEFORE },
    { "gguf:gpt2",    NORM_OF_LAYER, POSITIONS_LEARNED, PAIRS_NONE,     FUSED_BLOCKS, OF_GGUF_GPT2,
      false, true,  false, "gelu_new", NULL, .norms = NORMS_BEFORE },
    { "gguf:llama",   NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_ADJACENT, FUSED_NOT, OF_GGUF_LLAMA,
      true,  true,  false, "silu", NULL, .norms = NORMS_BEFORE },
    { "gguf:qwen2",   NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_GGUF_QWEN2,
      true,  true,  false, "silu", NULL, .norms = NORMS_BEFORE },
    { "gguf:qwen3",   NORM_OF_RMS,   POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_NOT, OF_GGUF_QWEN3,
      true,  true,  false, "silu", NULL, .qk = QK_BY_HEAD },
    { "gguf:gptneox", NORM_OF_LAYER, POSITIONS_ROTARY,  PAIRS_HALVES,   FUSED_BLOCKS, OF_GGUF_NEOX,
      false, true,  true,  "gelu_new", NULL, .norms = NORMS_BEFORE },
};

static void take_family(transformer *D, const family *f)
{
    D->norm = f->norm;
    D->positions = f->positions;
    D->pairs = f->pairs;
    D->fused = f->fused;
    D->gated = f->gated;
    D->parallel = f->parallel;
    D->norms = f->norms;
    D->qk = f->qk;
    D->offset_gain = f->offset_gain;
    D->attn_skip = D->mlp_skip = true;
    snprintf(D->activation, sizeof D->activation, "%s", f->activation);
}

static void sizes_of(transformer *D, const settings *s)
{
    const bool gguf = *s->before;
    D->d = whole(s, gguf ? "embedding_length" : "hidden_size", "n_embd", 1 << 20);
    D->L = whole(s, gguf ? "block_count" : "num_hidden_layers", "n_layer", 1000);
    D->h = whole(s, gguf ? "attention.head_count" : "num_attention_heads", "n_head", 1 << 16);
    D->h_kv = whole(s, gguf ? "attention.head_count_kv" : "num_key_value_heads", NULL, 1 << 16);
    D->dk = whole(s, gguf ? "attention.key_length" : "head_dim", NULL, 1 << 16);
    D->m = whole(s, gguf ? "feed_forward_length" : "intermediate_size", "n_inner", 1 << 22);
    D->T = whole(s, gguf ? "context_length" : "max_position_embeddings", "n_positions", 1 << 28);
    if (!D->T && s->family == OF_NANOGPT) D->T = whole(s, "block_size", NULL, 1 << 28);
    D->V = gguf ? 0 : whole(s, "vocab_size", NULL, 1 << 26);
    const char *path = s->path;
    if (!D->d || !D->L || !D->h) die("%s does not say the width, the layers and the heads; fetch the whole file", path);
    if (!D->dk && D->d % D->h) die("%s: %ld heads do not divide the width %ld; correct it", path, D->h, D->d);
    if (!D->dk) D->dk = D->d / D->h;
    if (!D->h_kv) D->h_kv = D->h;
    if (D->h % D->h_kv || (D->fused == FUSED_HEADS && D->h != D->h_kv))
        die("%s: %ld key heads do not go with %ld heads; correct it", path, D->h_kv, D->h);
    if (!D->m) D->m = 4 * D->d;
}

/* theta of layers within a window, where it is another; 0: there are none. */
static double local_theta_of(const settings *s, const family *f)
{
    if (!(s->family & OF_OWN_ANGLES)) return 0;
    const json_t *all = setting_value(s, "rope_parameters");
    const settings inner = settings_within(s, json_object_get(all, "sliding_attention"));
    const double x = setting_number(&inner, "rope_theta"), beside = setting_number(s, "rope_local_base_freq");
    return x != 0 ? x : beside != 0 ? beside : f->local_theta;
}

static void numbers_of(transformer *D, const settings *s, const family *f)
{
    const bool gguf = *s->before, neox = s->family == OF_NEOX, layer = neox || (s->family & OF_CENTRED);
    const char *path = s->path;
    D->eps = setting_number(s, gguf ? D->norm == NORM_OF_RMS ? "attention.layer_norm_rms_epsilon"
                    : "attention.layer_norm_epsilon"
                            : D->norm == NORM_OF_RMS ? "rms_norm_eps" : s->family == OF_STARCODER2 ? "norm_epsilon"
                            : layer ? "layer_norm_eps"
                            : "layer_norm_epsilon");
    if (D->eps == 0) D->eps = f->eps > 0 ? f->eps : D->norm == NORM_OF_RMS ? 1e-6 : 1e-5;      /* the libraries' */
    if (D->positions != POSITIONS_ROTARY) return;
    D->theta = gguf ? setting_number(s, "rope.freq_base")
                    : rope_number(s, "rope_theta", neox ? "rotary_emb_base" : "rope_theta");
    if (D->theta == 0 && f->theta < 0) config_not_known(D, "%s does not say rope_theta: put it there", path);
    if (D->theta == 0) D->theta = f->theta > 0 ? f->theta : 10000;
    D->local_theta = local_theta_of(s, f);
    const char *beside = neox ? "rotary_pct" : "partial_rotary_factor";
    double part = s->family & OF_PARTIAL ? rope_number(s, "partial_rotary_factor", beside) : 0;
    if (part == 0 && f->part < 0) config_not_known(D, "%s does not say partial_rotary_factor: put it there", path);
    if (part == 0) part = fmax(f->part, 0);
    if (part > 1 || (part > 0 && part * (double)D->dk < 2))            /* before it becomes a whole number */
        die("%s: %g times the %ld coordinates of a head would turn; correct rotary_pct or partial_rotary_factor", path,
            part, D->dk);
    D->rotary = gguf ? whole(s, "rope.dimension_count", NULL, 1 << 16) : (long)(part * (double)D->dk);
    if (!D->rotary) D->rotary = D->dk;
    if (D->rotary > D->dk || D->rotary % 2)
        die("%s: %ld rotary coordinates in heads of %ld; correct it", path, D->rotary, D->dk);
}

/* Scores that are not divided by sqrt(dk) have that factor; it is exact where it is a whole number. */
static void scores_of(transformer *D, const settings *s)
{
    if (setting_truth(s, "scale_attn_weights", true)) return;
    D->factor = sqrt((double)D->dk);
    if (D->factor != rint(D->factor) && !D->beyond)
        D->beyond = must_strdup("its scores are not divided by sqrt(dk), which is no whole number "
                                "(scale_attn_weights)");
}

static double factor_of(const settings *s, const char *name)
{
    const double x = setting_number(s, name);
    return x != 0 ? x : 1;
}

/* What a family multiplies by, and caps.  Programs take sqrt(width) in the type in which they compute: here it is the
 * nearest double, in bfloat16 for a width of 3072 it is 55.5. */
static void factors_of(transformer *D, const settings *s, const family *f)
{
    D->embed_factor = f->root_of_width ? sqrt((double)D->d) : 1;
    if (s->family & OF_COHERES) D->logit_factor = setting_value(s, "logit_scale") ? setting_number(s, "logit_scale")
                                                                                  : 0.0625;
    if (s->family == OF_GEMMA3) D->logit_cap = setting_number(s, "final_logit_softcapping");
    if (s->family == OF_GEMMA3) D->scale = pow(setting_number(s, "query_pre_attn_scalar"), -0.5);
    if (s->family == OF_GEMMA2) {
        D->scale = pow(setting_number(s, "query_pre_attn_scalar"), -0.5);
        D->score_cap = setting_number(s, "attn_logit_softcapping");
        D->logit_cap = setting_number(s, "final_logit_softcapping");
    }
    if (s->family != OF_GRANITE) return;
    D->embed_factor = factor_of(s, "embedding_multiplier");
    D->added_factor = factor_of(s, "residual_multiplier");
    D->scale = factor_of(s, "attention_multiplier");
    D->logit_divisor = factor_of(s, "logits_scaling");
}

/* Gemma's first versions take gelu by tanh whatever hidden_act says, later ones what it says. */
static void gemma_activation(transformer *D, const settings *s)
{
    static const char *const name[] = { "hidden_act", "hidden_activation" };
    for (size_t k = 0; k < COUNT(name) && s->family == OF_GEMMA; k++) {
        const char *said = setting_text(s, name[k]);
        if (!said || strcmp(said, "gelu_pytorch_tanh") == 0 || (k == 0 && strcmp(said, "gelu") == 0)) continue;
        if (!D->beyond) D->beyond = must_format("programs differ on its activation (%s)", name[k]);
    }
    if (s->family == OF_GEMMA) snprintf(D->activation, sizeof D->activation, "gelu_new");
}

/* Windows and rotations, which layers may have or not. */
static void layers_of(transformer *D, const settings *s)
{
    unsigned char *layer = must_calloc((size_t)D->L, sizeof *layer);
    const json_t *types = setting_value(s, "layer_types");
    size_t k;
    json_t *kind;
    bool some = false, slides = (s->family & (OF_GEMMA2 | OF_GEMMA3 | OF_OLMO3 | OF_COHERE2)) && !types;
    beyond_turns(s, D->L, layer);
    D->window = beyond_window(s, D->L, layer);
    for (long i = 0; i < D->L; i++) some = some || layer[i];
    json_array_foreach(types, k, kind)
        slides = slides || (json_is_string(kind) && strcmp(json_string_value(kind), "sliding_attention") == 0);
    if (slides && !D->window && !D->beyond)
        D->beyond = must_strdup("its layers have a window whose length is not said (sliding_window)");
    if (some) D->layer = layer;
    else free(layer);
}

/* Settings for which the family's class has defaults that differ from those of other families. */
static void require_said(transformer *D, const settings *s, const family *f)
{
    for (size_t k = 0; k < COUNT(f->needs) && f->needs[k]; k++)
        if (!json_object_get(s->keys, f->needs[k]))
            config_not_known(D, "%s does not say %s: put it there", s->path, f->needs[k]);
}

/* A run of ours. */
static void own_config(transformer *D, const char *text)
{
    gpt_config g;
    char *wrong = text ? gpt_config_parse(&g, text) : NULL;
    if (!text || wrong)
        config_not_known(D, "the run does not describe a language model; a vision transformer is not read here");
    free(wrong);
    if (!text || D->unknown) return;
    D->L = g.L, D->d = g.d, D->h = D->h_kv = g.h, D->dk = g.d / g.h, D->m = g.m, D->V = g.V, D->T = g.T;
    D->norm = g.norm ? NORM_OF_LAYER : NORM_OF_NONE;
    D->eps = g.norm ? GPT_NORM_EPS : 0;
    D->positions = POSITIONS_LEARNED;
    D->factor = g.factor;
    D->attn_skip = g.attn_skip, D->mlp_skip = g.mlp_skip, D->tied = g.tied;
    for (int k = 0; k < 3; k++) D->identity[k] = g.identity[k];
    snprintf(D->activation, sizeof D->activation, "gelu");
}

/* Code that the file brings along is not this family's, whatever its tensors are called. */
static void own_code_of(transformer *D, const settings *s)
{
    const json_t *map = setting_value(s, "auto_map");
    const char *key, *code = NULL;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)map, key, value) {
        if (strcmp(key, "AutoTokenizer") == 0 || strcmp(key, "AutoProcessor") == 0) continue;
        const char *text = json_string_value(value);
        if (!code || strcmp(key, "AutoModelForCausalLM") == 0) code = text ? text : "?";
    }
    if (map && !json_is_object(map)) code = "?";
    char text[200] = "";
    copy_shown(code, text, sizeof text);
    if (code) D->own_code = must_strdup(text);
}

/* What the file says that it is must be what is computed here: a stream with a head that predicts the next token. */
static void class_of(transformer *D, const settings *s, const family *f)
{
    const json_t *named = setting_value(s, "architectures");
    size_t k;
    json_t *x;
    if (named && !json_is_array(named)) die("%s: architectures is not a list; correct it", s->path);
    json_array_foreach(named, k, x) {
        const char *name = json_string_value(x);
        char text[80] = "?";
        copy_shown(name, text, sizeof text);
        if (name && f->class_name && strcmp(name, f->class_name) == 0) continue;
        const size_t n = strlen(text);
        const bool headless = n > 5 && strcmp(text + n - 5, "Model") == 0 && !strstr(text, "LMHead");
        const bool own = headless && f->class_name && (strncmp(f->class_name, text, n - 5) == 0);
        if (own)
            config_not_known(D, "%s says that it is %s, the stream without a head: it has no logits", s->path, text);
        else if (strstr(text, "For") && !strstr(text, "ForCausalLM"))
            config_not_known(D, "%s says that it is %s, whose head predicts something else than the next token",
                             s->path, text);
        else config_not_known(D, "%s says that it is %s (architectures), which is not known here%s%s", s->path, text,
                              f->class_name ? ": of this kind it is " : "", f->class_name ? f->class_name : "");
        return;
    }
}

/* "provably": {"norm": "none", "values": "from keys", ...}, which `provably reduce` wrote. */
static const json_t *own_notes(const settings *s)
{
    static const struct { const char *key, *value; } known[] = { { "norm", "none" }, { "values", "from keys" } };
    const json_t *own = setting_value(s, "provably");
    if (own && !json_is_object(own)) die("%s: provably is not an object; correct it", s->path);
    for (size_t k = 0; k < COUNT(known); k++) {
        const json_t *x = json_object_get(own, known[k].key);
        const char *text = json_string_value(x);
        if (x && !(text && strcmp(text, known[k].value) == 0))
            die("%s: %s in provably is not \"%s\"; correct it, or remove it", s->path, known[k].key, known[k].value);
    }
    return own;
}

/* The name of the family in the table, of which *before is what GGUF's keys begin with. */
static void type_of(transformer *D, const weights *w, char type[48], char before[48])
{
    word_of(w, "model_type", D->family, sizeof D->family);
    if (strcmp(w->format, "GGUF") == 0) {
        *D->family = '\0';
        word_of(w, "general.architecture", D->family, sizeof D->family);
        if (!*D->family)
            die("%s: the key general.architecture is missing, which programs for GGUF require; fetch the whole file",
                w->config_path);
        snprintf(before, 48, "%s.", D->family);
        snprintf(type, 48, "gguf:%s", D->family);
    } else if (!*D->family && json_object_get(w->config, "n_embd") && json_object_get(w->config, "n_head")) {
        snprintf(D->family, sizeof D->family, "gpt2");                 /* nanoGPT's model_args          */
        snprintf(type, 48, "nanogpt");
    } else {
        if (strncmp(D->family, compact_family, strlen(compact_family)) == 0)
            memmove(D->family, D->family + strlen(compact_family), strlen(D->family + strlen(compact_family)) + 1);
        snprintf(type, 48, "%s", D->family);
    }
}

static void family_not_known(transformer *D, const weights *w)
{
    if (!*D->family) config_not_known(D, "%s does not say what kind of model it is (model_type)", w->config_path);
    else config_not_known(D, "%s is not an architecture that is known here", D->family);
}

static const family *family_of(const char *type)         /* NULL: not known here                        */
{
    for (size_t k = 0; k < COUNT(families); k++) if (strcmp(families[k].name, type) == 0) return &families[k];
    return NULL;
}

/* Of a family that is known. */
static void read_family(transformer *D, const settings *s, const family *f)
{
    const bool gguf = *s->before;
    settings_require(s);
    take_family(D, f);
    if (!gguf) {
        const bool gpt2 = f->positions == POSITIONS_LEARNED;
        const char *said = setting_text(s, gpt2 ? "activation_function"
                                     : f->bit & (OF_GEMMA2 | OF_GEMMA3) ? "hidden_activation" : "hidden_act");
        copy_shown(activation_name(said), D->activation, sizeof D->activation);
        own_code_of(D, s);
        if (!D->own_code) class_of(D, s, f);
    }
    D->unknown_key = settings_unknown(s, &D->unknown_keys);
    bool theorems;
    D->beyond = beyond_description(s, &theorems);
    if (!theorems) config_not_known(D, "%s, which no theorem here covers", D->beyond);
    if (D->unknown) return;
    require_said(D, s, f);
    if (D->unknown) return;
    D->parallel = setting_truth(s, "use_parallel_residual", f->parallel);
    if (s->family == OF_STABLELM && D->parallel) D->norms = NORMS_SHARED;
    D->tied = setting_truth(s, "tie_word_embeddings", f->tied);
    const json_t *own = gguf ? NULL : own_notes(s);
    if (json_object_get(own, "norm")) D->norm = NORM_OF_NONE;          /* `provably reduce` left them out */
    sizes_of(D, s);
    numbers_of(D, s, f);
    if (D->unknown) return;
    factors_of(D, s, f);
    gemma_activation(D, s);
    scores_of(D, s);
    char *angles = rope_read(D, s);
    if (!D->beyond) D->beyond = angles;
    else free(angles);
    layers_of(D, s);
    compact_read(D, own, s->path);
}

/* The configuration as far as it is one that is known here; the reason in D->unknown otherwise. */
void config_of(transformer *D, const weights *w)
{
    D->factor = D->embed_factor = D->added_factor = D->logit_factor = D->logit_divisor = 1;
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
    char type[48] = "", before[48] = "";
    type_of(D, w, type, before);
    if (strcmp(D->family, "provably") == 0 && !*before) {
        const settings s = settings_of(w, "", OF_HUB);
        own_config(D, json_string_value(json_object_get(w->config, "model")));
        if (!D->unknown) compact_read(D, own_notes(&s), w->config_path);
        return;
    }
    const family *f = family_of(type);
    if (!f) {
        family_not_known(D, w);
        return;
    }
    const settings s = settings_of(w, before, f->bit);
    read_family(D, &s, f);
}

bool config_lets_load(const transformer *D, const weights *w, tensor_role role, const char **key)
{
    const family *of = family_of(D->family);
    const settings s = settings_of(w, "", of ? of->bit : OF_NANOGPT);
    const bool layer = D->norm == NORM_OF_LAYER, neox = s.family == OF_NEOX, stable = s.family == OF_STABLELM;
    const bool star = s.family == OF_STARCODER2, phi = s.family == OF_PHI;
    const bool mlp = s.family & (OF_LLAMA | OF_SMOLLM3 | OF_GRANITE);
    const bool attention = s.family & (OF_LLAMA | OF_QWEN3 | OF_NEOX | OF_GEMMAS | OF_SMOLLM3 | OF_GRANITE | OF_OLMOS
                                       | OF_COHERES);
    *key = NULL;
    switch (role) {
    case ROLE_HEAD_BIAS: return phi;
    case ROLE_Q_GAIN: case ROLE_K_GAIN:
        if (s.family == OF_COHERE) *key = "use_qk_norm";
        return *key ? setting_truth(&s, *key, false) : D->qk != QK_PLAIN;
    case ROLE_GAIN1: return D->norms != NORMS_BEHIND;
    case ROLE_GAIN2: return D->norms == NORMS_BEFORE || D->norms == NORMS_AROUND;
    case ROLE_POST_GAIN1: case ROLE_POST_GAIN2: return D->norms >= NORMS_BEHIND;
    case ROLE_GATE: return D->gated;
    case ROLE_BIAS1: case ROLE_BIAS2: case ROLE_FINAL_BIAS: return layer && !(s.family & OF_COHERES);
    case ROLE_UP_BIAS: case ROLE_GATE_BIAS: case ROLE_DOWN_BIAS:
        if (mlp) *key = "mlp_bias";
        if (star) *key = "use_bias";
        return *key ? setting_truth(&s, *key, star) : layer && !stable && !(s.family & OF_COHERES);
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS: case ROLE_O_BIAS: case ROLE_QKV_BIAS:
        if (attention) *key = "attention_bias";
        if (star) *key = "use_bias";
        if (stable && role != ROLE_O_BIAS) *key = "use_qkv_bias";
        if (stable && role == ROLE_O_BIAS) return false;
        return *key ? setting_truth(&s, *key, neox || star) : layer || (role != ROLE_O_BIAS && s.family == OF_QWEN2);
    default: return true;
    }
}
