/* SPDX-License-Identifier: GPL-3.0-or-later
 * config.c - see config.h: which architecture it is, and what its configuration says. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/compact.h"
#include "src/checkpoint/config.h"
#include "src/checkpoint/experts.h"
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
static double rope_number(const settings *s, const char *inside, setting_name beside)
{
    const settings inner = settings_within(s, beyond_rope(s));
    const double x = key_number(&inner, inside);
    return x != 0 ? x : setting_number(s, beside);
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

bool activation_same(const char *a, const char *b)
{
    return strcmp(activation_name(a), activation_name(b)) == 0;
}

static void take_architecture(transformer *D, const architecture *A)
{
    D->arch = A;
    D->norm = A->norm;
    D->positions = A->positions;
    D->pairs = A->pairs;
    D->fused = A->fused;
    D->embed_norm = A->embed_norm;
    D->gate_over_up = A->gate_over_up;
    D->gated = A->gated;
    D->norms = A->norms;
    D->qk = A->qk;
    D->encoder = A->encoder;
    D->buckets = A->buckets;
    D->offset_gain = A->offset_gain;
    D->attn_skip = D->mlp_skip = true;
}

static void sizes_of(transformer *D, const settings *s)
{
    const struct { long *to; setting_name what; long most; } of[] = {
        { &D->d, SETTING_WIDTH, 1 << 20 }, { &D->L, SETTING_LAYERS, 1000 }, { &D->h, SETTING_HEADS, 1 << 16 },
        { &D->h_kv, SETTING_KEY_HEADS, 1 << 16 }, { &D->dk, SETTING_HEAD_WIDTH, 1 << 16 },
        { &D->m, SETTING_MLP_WIDTH, 1 << 22 }, { &D->T, SETTING_POSITIONS, 1 << 28 },
        { &D->V, SETTING_VOCABULARY, 1 << 26 }, { &D->types, SETTING_TOKEN_TYPES, 1 << 20 },
        { &D->skipped, SETTING_SKIPPED, 1 << 28 } };
    for (size_t k = 0; k < COUNT(of); k++) *of[k].to = setting_whole_or_usual(s, of[k].what, of[k].most);
    const char *path = s->path;
    if (D->pad >= 0) {                                   /* rows up to the one of that token stand in front    */
        if (D->T && D->T <= D->pad + 1) die("%s: no position is behind that of token %ld; correct it", path, D->pad);
        D->skipped = D->pad + 1;
        D->T -= D->T ? D->skipped : 0;
    }
    const long wide = setting_whole_or_usual(s, SETTING_EMBED_WIDTH, 1 << 20);
    if (wide && wide != D->d)
        config_not_known(D, "its embeddings have %ld coordinates and its stream %ld (%s), which no theorem here covers",
                         wide, D->d, setting_key(s, SETTING_EMBED_WIDTH));
    if (!D->d || !D->L || !D->h) die("%s does not say the width, the layers and the heads; fetch the whole file", path);
    if (!D->dk && D->d % D->h) die("%s: %ld heads do not divide the width %ld; correct it", path, D->h, D->d);
    if (!D->dk) D->dk = D->d / D->h;
    if (!D->h_kv) D->h_kv = D->h;
    if (D->h % D->h_kv)
        die("%s: %ld key heads do not go with %ld heads; correct it", path, D->h_kv, D->h);
    if (!D->m) D->m = 4 * D->d;
}

/* A token that pads: 0 is one, too. */
static void pad_of(transformer *D, const settings *s)
{
    const json_t *x = setting_value(s, SETTING_PAD);
    D->pad = -1;
    if (!setting_is_known(s, SETTING_PAD)) return;
    D->pad = x ? (long)json_integer_value(x) : (long)setting_usual(s, SETTING_PAD);
    if (x && (!json_is_integer(x) || D->pad < 0 || D->pad > 1 << 26))
        die("%s: %s is not the number of a token; correct it", s->path, setting_key(s, SETTING_PAD));
}

/* theta of layers within a window, where it is another; 0: there are none. */
static double local_theta_of(const settings *s)
{
    if (!setting_is_known(s, SETTING_LOCAL_THETA)) return 0;
    const json_t *all = key_value(s, "rope_parameters");
    const settings inner = settings_within(s, json_object_get(all, "sliding_attention"));
    const double x = key_number(&inner, "rope_theta");
    return x != 0 ? x : setting_number_or_usual(s, SETTING_LOCAL_THETA);
}

static void numbers_of(transformer *D, const settings *s)
{
    const bool gguf = s->of->gguf;
    const char *path = s->path;
    D->eps = setting_number_or_usual(s, SETTING_EPS);
    if (D->positions != POSITIONS_ROTARY) return;
    D->theta = gguf ? setting_number(s, SETTING_THETA) : rope_number(s, "rope_theta", SETTING_THETA);
    if (D->theta == 0) D->theta = setting_usual(s, SETTING_THETA);
    if (D->theta == 0) config_not_known(D, "%s does not say rope_theta: put it there", path);
    D->local_theta = local_theta_of(s);
    double part = 0;
    if (setting_is_known(s, SETTING_ROTARY_PART)) {
        part = rope_number(s, "partial_rotary_factor", SETTING_ROTARY_PART);
        if (part == 0) part = setting_usual(s, SETTING_ROTARY_PART);
        if (part == 0)
            config_not_known(D, "%s does not say partial_rotary_factor: put it there", path);
    }
    if (part > 1 || (part > 0 && part * (double)D->dk < 2))            /* before it becomes a whole number */
        die("%s: %g times the %ld coordinates of a head would turn; correct rotary_pct or partial_rotary_factor", path,
            part, D->dk);
    D->rotary = setting_whole_or_usual(s, SETTING_ROTARY_WIDTH, 1 << 16);
    if (!D->rotary) D->rotary = (long)(part * (double)D->dk);
    if (!D->rotary) D->rotary = D->dk;
    if (D->rotary > D->dk || D->rotary % 2)
        die("%s: %ld rotary coordinates in heads of %ld; correct it", path, D->rotary, D->dk);
}

/* Scores that are not divided by sqrt(dk) have that factor; it is exact where it is a whole number. */
static void scores_of(transformer *D, const settings *s)
{
    if (!setting_is_known(s, SETTING_DIVIDED_SCORES) || setting_truth(s, SETTING_DIVIDED_SCORES)) return;
    D->factor = sqrt((double)D->dk);
    if (D->factor != rint(D->factor) && !D->beyond)
        D->beyond = must_format("its scores are not divided by sqrt(dk), which is no whole number (%s)",
                                setting_key(s, SETTING_DIVIDED_SCORES));
}

static double factor_of(const settings *s, setting_name what)
{
    const double x = setting_number_or_usual(s, what);
    return x != 0 ? x : 1;
}

/* What an architecture multiplies by, and caps.  Programs take sqrt(width) in the type in which they compute: here
 * it is the nearest double, in bfloat16 for a width of 3072 it is 55.5. */
static void factors_of(transformer *D, const settings *s)
{
    D->embed_factor = s->of->root_of_width ? sqrt((double)D->d) : factor_of(s, SETTING_EMBED_FACTOR);
    D->added_factor = factor_of(s, SETTING_ADDED_FACTOR);
    D->logit_factor = factor_of(s, SETTING_LOGIT_FACTOR);
    D->logit_divisor = factor_of(s, SETTING_LOGIT_DIVISOR);
    D->score_cap = setting_number_or_usual(s, SETTING_SCORE_CAP);
    D->logit_cap = setting_number_or_usual(s, SETTING_LOGIT_CAP);
    if (setting_is_known(s, SETTING_SCORE_FACTOR)) D->scale = factor_of(s, SETTING_SCORE_FACTOR);
    if (setting_is_known(s, SETTING_SCORE_ROOT)) D->scale = pow(setting_number_or_usual(s, SETTING_SCORE_ROOT), -0.5);
}

/* Windows and rotations, which layers may have or not. */
static void layers_of(transformer *D, const settings *s)
{
    unsigned char *layer = must_calloc((size_t)D->L, sizeof *layer);
    bool some = false, slides = beyond_slides(s)
                                || (setting_is_known(s, SETTING_FULL_EVERY) && !key_value(s, "layer_types"));
    beyond_turns(s, D->L, layer);
    D->window = beyond_window(s, D->L, layer);
    experts_read(D, s, layer);
    for (long i = 0; i < D->L; i++) some = some || layer[i];
    if (slides && !D->window && !D->beyond)
        D->beyond = must_strdup("its layers have a window whose length is not said (sliding_window)");
    if (some) D->layer = layer;
    else free(layer);
}

/* Settings for which the class has defaults that differ from version to version.  Those of angles may stand inside of
 * rope_parameters: numbers_of asks for them. */
static void require_said(transformer *D, const settings *s)
{
    for (int k = 0; k < SETTINGS; k++) {
        const setting_name what = s->of->in_order[k];
        const setting_rule *r = &s->of->setting[what];
        bool said = !r->required || what == SETTING_THETA || what == SETTING_ROTARY_PART;
        for (int i = 0; r->key[i]; i++) said = said || json_object_get(s->keys, r->key[i]);
        if (!said) config_not_known(D, "%s does not say %s: put it there", s->path, r->key[0]);
    }
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

/* Code that the file brings along is not this architecture's, whatever its tensors are called. */
static void own_code_of(transformer *D, const settings *s)
{
    const json_t *map = key_value(s, "auto_map");
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

/* What the file says that it is must be what is computed here: a stream with a head that predicts tokens, or of an
 * encoder the stream itself. */
static void class_of(transformer *D, const settings *s)
{
    const json_t *named = key_value(s, "architectures");
    const char *class_name = s->of->class_name;
    size_t k;
    json_t *x;
    if (named && !json_is_array(named)) die("%s: architectures is not a list; correct it", s->path);
    json_array_foreach(named, k, x) {
        const char *name = json_string_value(x);
        char text[80] = "?";
        copy_shown(name, text, sizeof text);
        if (name && class_name && strcmp(name, class_name) == 0) continue;
        if (name && s->of->headless_name && strcmp(name, s->of->headless_name) == 0 && json_array_size(named) == 1) {
            D->headless = true;
            continue;
        }
        const size_t n = strlen(text);
        const bool headless = n > 5 && strcmp(text + n - 5, "Model") == 0 && !strstr(text, "LMHead");
        const bool own = headless && class_name && (strncmp(class_name, text, n - 5) == 0);
        if (own)
            config_not_known(D, "%s says that it is %s, the stream without a head: it has no logits", s->path, text);
        else if (strstr(text, "For") && !strstr(text, "ForCausalLM"))
            config_not_known(D, "%s says that it is %s, whose head %s", s->path, text, s->of->encoder
                             ? "is not computed here" : "predicts something else than the next token");
        else config_not_known(D, "%s says that it is %s (architectures), which is not known here%s%s", s->path, text,
                              class_name ? ": of this kind it is " : "", class_name ? class_name : "");
        return;
    }
}

/* "provably": {"norm": "none", "values": "from keys", ...}, which `provably reduce` wrote. */
static const json_t *own_notes(const settings *s)
{
    static const struct { const char *key, *value; } known[] = { { "norm", "none" }, { "values", "from keys" } };
    const json_t *own = key_value(s, "provably");
    if (own && !json_is_object(own)) die("%s: provably is not an object; correct it", s->path);
    for (size_t k = 0; k < COUNT(known); k++) {
        const json_t *x = json_object_get(own, known[k].key);
        const char *text = json_string_value(x);
        if (x && !(text && strcmp(text, known[k].value) == 0))
            die("%s: %s in provably is not \"%s\"; correct it, or remove it", s->path, known[k].key, known[k].value);
    }
    return own;
}

/* What the file says that it is, by which its architecture is called, of which *before is what GGUF's keys begin
 * with. */
static const architecture *said_architecture(transformer *D, const weights *w, char before[48])
{
    word_of(w, "model_type", D->family, sizeof D->family);
    if (strcmp(w->format, "GGUF") == 0) {
        *D->family = '\0';
        word_of(w, "general.architecture", D->family, sizeof D->family);
        if (!*D->family)
            die("%s: the key general.architecture is missing, which programs for GGUF require; fetch the whole file",
                w->config_path);
        snprintf(before, 48, "%s.", D->family);
        char type[48];
        snprintf(type, sizeof type, "gguf:%s", D->family);
        return architecture_called(type);
    }
    if (!*D->family) return architecture_without_type(w->config);
    if (strncmp(D->family, compact_family, strlen(compact_family)) == 0)
        memmove(D->family, D->family + strlen(compact_family), strlen(D->family + strlen(compact_family)) + 1);
    return architecture_called(D->family);
}

static void architecture_not_known(transformer *D, const weights *w)
{
    if (!*D->family) config_not_known(D, "%s does not say what kind of model it is (model_type)", w->config_path);
    else config_not_known(D, "%s is not an architecture that is known here", D->family);
}

static void read_architecture(transformer *D, const settings *s)
{
    const bool gguf = s->of->gguf;
    settings_require(s);
    take_architecture(D, s->of);
    copy_shown(activation_name(setting_text(s, SETTING_ACTIVATION)), D->activation, sizeof D->activation);
    if (!gguf) {
        own_code_of(D, s);
        if (!D->own_code) class_of(D, s);
    }
    D->unknown_key = settings_unknown(s, &D->unknown_keys);
    bool theorems;
    D->beyond = beyond_description(s, &theorems);
    if (!theorems) config_not_known(D, "%s, which no theorem here covers", D->beyond);
    if (D->unknown) return;
    if (!gguf) require_said(D, s);
    if (D->unknown) return;
    D->parallel = setting_truth(s, SETTING_PARALLEL);
    D->tied = setting_truth(s, SETTING_TIED);
    const json_t *own = gguf ? NULL : own_notes(s);
    if (json_object_get(own, "norm")) D->norm = NORM_OF_NONE;          /* `provably reduce` left them out */
    pad_of(D, s);
    sizes_of(D, s);
    const char *of_head = activation_name(setting_text(s, SETTING_HEAD_ACTIVATION));
    copy_shown(of_head ? of_head : D->activation, D->head_activation, sizeof D->head_activation);
    if (!D->unknown) numbers_of(D, s);
    if (D->unknown) return;
    factors_of(D, s);
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
    D->pad = -1;
    D->factor = D->embed_factor = D->added_factor = D->logit_factor = D->logit_divisor = 1;
    bool known = false;
    for (long k = 0; k < w->tensors && !known; k++) known = name_is_known(w->tensor[k].name);
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
    char before[48] = "";
    const architecture *A = said_architecture(D, w, before);
    if (!A || !A->described) {
        architecture_not_known(D, w);
        return;
    }
    const char *key;
    json_t *usual;
    settings s = settings_of(w, before, A);
    json_object_foreach((json_t *)(uintptr_t)A->switches, key, usual) {        /* each is what it should be */
        if (json_is_boolean(usual)) key_truth(&s, key, false);
        else key_whole(&s, key, 1 << 20);
    }
    s.of = A = architecture_variant(A, w->config);
    snprintf(D->family, sizeof D->family, "%s", A->family);
    if (!A->run) {
        read_architecture(D, &s);
        return;
    }
    D->arch = A;
    own_config(D, json_string_value(json_object_get(w->config, "model")));
    if (!D->unknown) compact_read(D, own_notes(&s), w->config_path);
}

bool config_lets_load(const transformer *D, const weights *w, tensor_role role, const char **key)
{
    const settings s = settings_of(w, "", D->arch);
    setting_name by;
    *key = NULL;
    switch (role) {
    case ROLE_HEAD: case ROLE_DENSE: case ROLE_DENSE_BIAS: case ROLE_DENSE_GAIN: case ROLE_DENSE_SHIFT:
        return !D->headless;
    case ROLE_GAIN1: return norms_in_front(D);
    case ROLE_GAIN2: return D->norms == NORMS_BEFORE || D->norms == NORMS_AROUND;
    case ROLE_POST_GAIN1: case ROLE_POST_GAIN2: return D->norms >= NORMS_BEHIND;
    case ROLE_GATE: return D->gated;
    case ROLE_EMBED_GAIN: return D->embed_norm;
    case ROLE_HEAD_BIAS:
        if (D->headless) return false;
        by = SETTING_HEAD_BIAS;
        break;
    case ROLE_Q_GAIN: case ROLE_K_GAIN:
        if (D->qk != QK_PLAIN) return true;
        by = SETTING_QK_GAINS;
        break;
    case ROLE_POST_BIAS1: case ROLE_POST_BIAS2:
    case ROLE_EMBED_BIAS: case ROLE_BIAS1: case ROLE_BIAS2: case ROLE_FINAL_BIAS:
        if (role == ROLE_EMBED_BIAS && !D->embed_norm) return false;
        if ((role == ROLE_POST_BIAS1 || role == ROLE_POST_BIAS2) && D->norms < NORMS_BEHIND) return false;
        if (!setting_is_known(&s, SETTING_NORM_BIAS)) return D->norm == NORM_OF_LAYER;
        by = SETTING_NORM_BIAS;
        break;
    case ROLE_UP_BIAS: case ROLE_GATE_BIAS: case ROLE_DOWN_BIAS: by = SETTING_MLP_BIAS; break;
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS: case ROLE_QKV_BIAS: by = SETTING_QKV_BIAS; break;
    case ROLE_O_BIAS: by = SETTING_O_BIAS; break;
    default: return true;
    }
    *key = setting_key(&s, by);
    return setting_truth(&s, by);
}
