/* SPDX-License-Identifier: GPL-3.0-or-later
 * layout.c - see layout.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/compact.h"
#include "src/checkpoint/formats.h"
#include "src/checkpoint/rope.h"
#include "src/checkpoint/names.h"
#include "src/train/gpt.h"

const char *const format_word[FORMATS] = { "safetensors", "gguf", "llama2c" };
const char *const format_file[FORMATS] = { "model.safetensors", "model.gguf", "model.bin" };

static bool is_norm(tensor_role role)
{
    return role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_BIAS1 || role == ROLE_BIAS2
           || role == ROLE_FINAL_GAIN || role == ROLE_FINAL_BIAS;
}

file_format layout_format(const weights *w)
{
    return strcmp(w->format, "GGUF") == 0 ? FORMAT_GGUF : strcmp(w->format, "llama2.c") == 0 ? FORMAT_LLAMA2C
         : FORMAT_SAFETENSORS;
}

/* Whether the file keeps its names: not those of llm.c, which are ours, and not Meta's, which transformers does not
 * load. */
static bool own_names(const weights *w, const transformer *D, file_format to)
{
    const char *other = to == FORMAT_SAFETENSORS ? D->arch->as_safetensors : NULL;
    if (weights_of_class(w) && other && strcmp(other, D->arch->name) != 0) return false;
    return to == layout_format(w) && strcmp(w->format, "llm.c") != 0;
}

/* As which architecture that format holds it; NULL: as none. */
static const architecture *written_as(const transformer *D, file_format to)
{
    const char *name = to == FORMAT_GGUF ? D->arch->as_gguf : to == FORMAT_LLAMA2C ? "llama2.c"
                     : D->arch->as_safetensors;
    return name ? architecture_called(name) : NULL;
}

static const architecture *target_of(const transformer *D, file_format to)      /* layout_refuses has said nothing */
{
    const architecture *A = written_as(D, to);
    REQUIRE(A, "%s has no architecture in that format", D->family);
    return A;
}

static bool may_have(const architecture *A, setting_name bias)
{
    return A->setting[bias].key[0] || json_is_true(A->setting[bias].unsaid);
}

const char *layout_refuses(const weights *w, const transformer *D, file_format to)
{
    if (to == FORMAT_GGUF && w->split)
        return "a model in several files is not written again as one: merge them (llama-gguf-split --merge), or take "
               "--format=safetensors";
    if (own_names(w, D, to)) return NULL;
    if (D->arch->run) return "runs of provably train are written as safetensors";
    if (to == FORMAT_GGUF) return gguf_refuses(D);
    if (to == FORMAT_LLAMA2C) return llama2c_refuses(D);
    const architecture *target = written_as(D, to);
    if (!target) return "no architecture of Hugging Face's is the one of this file: convert it to safetensors first";
    if (D->positions == POSITIONS_ROTARY && D->rotary < D->dk)
        return "its heads turn in part, and those of Hugging Face's Llama and Qwen turn whole";
    const bool mlp_bias = tensor_of(D, ROLE_GATE_BIAS, 0) || tensor_of(D, ROLE_UP_BIAS, 0)
                          || tensor_of(D, ROLE_DOWN_BIAS, 0);
    if (mlp_bias && !may_have(target, SETTING_MLP_BIAS)) return "its class in transformers has no biases in its MLP";
    if (tensor_of(D, ROLE_O_BIAS, 0) && !may_have(target, SETTING_O_BIAS))
        return "its class in transformers has no bias at W_O";
    if (D->beyond || rope_scales(D) || has_own_settings(D) || D->window || D->factor != 1)
        return "its angles, scores or window have settings that would be lost: convert it to safetensors first";
    return NULL;
}

/* Whether W_Q or W_K is the identity in every layer. */
static bool is_dropped(const rewrite *r, tensor_role role)
{
    const stream_change c = r->plan.stream;
    if (!r->D->arch->run) return false;
    if (role == ROLE_Q) return c == STREAM_EVERY_QUERY || c == STREAM_SHARED_QUERY;
    return role == ROLE_K && r->plan.collapse && c == STREAM_KEPT;
}

static bool drops_blocks(const rewrite *r)
{
    return r->plan.values && !r->D->fused && r->D->dk < r->D->d && !r->D->arch->run;
}

const char *layout_refuses_compact(const rewrite *r)
{
    if (r->plan.slim || drops_blocks(r)) return NULL;
    if (r->D->arch->run)
        return is_dropped(r, ROLE_Q) || is_dropped(r, ROLE_K) ? NULL : "no matrix becomes the identity in every layer";
    return r->D->fused ? "W_Q, W_K and W_V are one tensor" : "W_V has no identity blocks: apply `values`";
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* Of a head, or its bias, that the file does not have. */
static char *head_name(const transformer *D, file_format to, bool bias)
{
    const char *embed = tensor_of(D, ROLE_EMBED, -1)->name;
    const char *compiled = strncmp(embed, "_orig_mod.", 10) == 0 ? "_orig_mod." : "";
    if (to != FORMAT_SAFETENSORS) return must_strdup("output.weight");
    if (D->arch->run) return must_strdup("head");
    if (strstr(embed, "embed_in") && !bias) return must_format("%sembed_out.weight", compiled);
    return must_format("%slm_head.%s", compiled, bias ? "bias" : "weight");
}

/* ---- tensors ---------------------------------------------------------------------------------------------------- */

static new_tensor *add(file_layout *l, char *name, const char *type, tensor_role role, long layer)
{
    l->tensor = must_realloc(l->tensor, (size_t)l->tensors + 1, sizeof *l->tensor);
    new_tensor *t = &l->tensor[l->tensors++];
    *t = (new_tensor){ .name = name, .type = type, .role = role, .layer = layer, .n = 1 };
    return t;
}

static void shape_as(new_tensor *t, int rank, const long *shape, bool turned)
{
    t->rank = rank;
    for (int k = 0; k < rank; k++) t->n *= (size_t)(t->shape[k] = shape[turned ? rank - 1 - k : k]);
}

/* The type of a tensor that was of type `was`. */
static const char *type_in(const layout_choice *c, bool own, int rank, const char *was)
{
    if (c->format == FORMAT_LLAMA2C) return "F32";
    if (c->format == FORMAT_GGUF && rank == 1 && (c->type || !own)) return "F32";     /* its programs want that */
    return c->type ? c->type : was;
}

static char *slim_name(char *name)
{
    char *full = name_slim(name);
    if (!full)
        die("tensor %s: values that are computed from keys take Hugging Face's names (v_proj, c_attn, "
            "query_key_value); rename it", name);
    free(name);
    return full;
}

static bool holds_values(tensor_role role)
{
    return role == ROLE_V || role == ROLE_V_BIAS || role == ROLE_QKV || role == ROLE_QKV_BIAS;
}

static bool stored_in_out(tensor_role role)
{
    return role == ROLE_QKV || role == ROLE_O || role == ROLE_UP || role == ROLE_DOWN;
}

static void add_of_file(file_layout *l, const weights *w, const rewrite *r, const weight_tensor *t,
                        const layout_choice *c)
{
    const tensor_role role = (tensor_role)t->role;
    if (r->model.norm == NORM_OF_NONE && r->D->norm != NORM_OF_NONE && is_norm(role)) return;
    const bool own = own_names(w, r->D, c->format);
    if (!own && (role == ROLE_BUFFER || (role == ROLE_HEAD && r->model.tied))) return;
    char *name = own ? must_strdup(t->name) : name_of_role(target_of(r->D, c->format), role, t->layer);
    if (r->plan.slim && name && holds_values(role)) name = slim_name(name);
    if (!name)
        die("%s: tensor %s has no name in %s; choose another format with --format", w->path, t->name,
            c->format == FORMAT_GGUF ? "GGUF" : "Hugging Face's layout");
    const bool copied = role == ROLE_BUFFER || (own && !rewrite_changes(r, role) && !c->type);
    new_tensor *to = add(l, name, copied ? t->type : type_in(c, own, t->rank, t->type), role, t->layer);
    shape_as(to, t->rank, t->shape, l->in_out != r->D->in_out && stored_in_out(role));
    if (copied) to->copy = t;
    if (role == ROLE_V && l->compact_values) {
        to->shape[1] = r->D->d - r->D->dk;
        to->n = (size_t)(to->shape[0] * to->shape[1]);
    }
}

static void add_head(file_layout *l, const rewrite *r, bool bias, const layout_choice *c)
{
    const char *type = type_in(c, true, bias ? 1 : 2, tensor_of(r->D, ROLE_EMBED, -1)->type);
    new_tensor *t = add(l, head_name(r->D, c->format, bias), type, bias ? ROLE_HEAD_BIAS : ROLE_HEAD, -1);
    shape_as(t, bias ? 1 : 2, (long[]){ r->D->V, r->D->d }, false);
}

static bool has_head_bias(const rewrite *r)
{
    const stream_basis *b = &r->in[r->D->L];
    return !r->model.tied && (b->read_shift || (r->fold && tensor_of(r->D, ROLE_FINAL_BIAS, -1)));
}

const char *layout_refuses_result(const weights *w, const rewrite *r, const layout_choice *c)
{
    const char *type = c->type ? c->type : "";
    if (r->plan.slim && !c->compact)
        return "no other program computes values from keys (slim): --compact writes a file that says so";
    if (c->compact && c->format != FORMAT_SAFETENSORS)
        return "what is left out can be said in safetensors only: --format=safetensors";
    if (c->format == FORMAT_SAFETENSORS) return NULL;
    if (c->format == FORMAT_LLAMA2C)
        return *type && strcmp(type, "F32") != 0 ? "llama2.c's format holds float32 only" : NULL;
    if (r->model.norm != r->D->norm) return "GGUF cannot say that a model has no norms";
    if (has_head_bias(r)) return "GGUF has no name for the bias of a head";
    bool wide = strcmp(type, "F64") == 0;
    for (long k = 0; k < w->tensors && !own_names(w, r->D, FORMAT_GGUF) && !c->type; k++)
        wide = wide || w->tensor[k].numbers == NUMBERS_F64;
    return wide ? "programs for GGUF read no F64: take another --type" : NULL;
}

/* ---- configurations --------------------------------------------------------------------------------------------- */

static void set(json_t *o, const char *name, json_t *value)
{
    if (!value || json_object_set_new(o, name, value)) die("a text of the configuration is not UTF-8; correct it");
}

/* The last of its keys, which is the one that its class writes; NULL: it has none. */
static const char *written_key(const architecture *A, setting_name what)
{
    const char *last = NULL;
    for (int k = 0; A->setting[what].key[k]; k++) last = A->setting[what].key[k];
    return last;
}

/* Of a file whose keys are others, from what was read of it, as that architecture says it. */
static json_t *config_as(const transformer *D, const architecture *A)
{
    json_t *c = json_object();
    set(c, "model_type", json_string(A->name));
    const struct { setting_name what; long value; } whole[] = {
        { SETTING_WIDTH, D->d }, { SETTING_LAYERS, D->L }, { SETTING_HEADS, D->h }, { SETTING_KEY_HEADS, D->h_kv },
        { SETTING_HEAD_WIDTH, D->dk }, { SETTING_MLP_WIDTH, D->m }, { SETTING_POSITIONS, D->T },
        { SETTING_VOCABULARY, D->V } };
    for (size_t k = 0; k < COUNT(whole); k++) {
        const char *key = written_key(A, whole[k].what);
        if (key && whole[k].value) set(c, key, json_integer(whole[k].value));
    }
    if (D->eps > 0) set(c, written_key(A, SETTING_EPS), json_real(D->eps));
    if (D->theta > 0) set(c, written_key(A, SETTING_THETA), json_real(D->theta));
    set(c, written_key(A, SETTING_ACTIVATION), json_string(D->activation));
    static const struct { tensor_role role; setting_name what; } bias[] = {
        { ROLE_Q_BIAS, SETTING_QKV_BIAS }, { ROLE_K_BIAS, SETTING_QKV_BIAS }, { ROLE_V_BIAS, SETTING_QKV_BIAS },
        { ROLE_O_BIAS, SETTING_O_BIAS }, { ROLE_GATE_BIAS, SETTING_MLP_BIAS }, { ROLE_UP_BIAS, SETTING_MLP_BIAS },
        { ROLE_DOWN_BIAS, SETTING_MLP_BIAS } };
    for (size_t k = 0; k < COUNT(bias); k++) {
        const char *key = written_key(A, bias[k].what);                /* NULL: its class has them always */
        if (key && tensor_of(D, bias[k].role, 0)) set(c, key, json_true());
    }
    return c;
}

/* Programs load the weights in the type that the configuration says, under its old name or its new one. */
static void set_type(json_t *c, const char *type)
{
    static const char *const name[] = { "dtype", "torch_dtype" };
    static const struct { const char *type, *word; } word[] = {
        { "F32", "float32" }, { "F64", "float64" }, { "F16", "float16" }, { "BF16", "bfloat16" } };
    for (size_t k = 0; k < COUNT(name); k++)
        for (size_t i = 0; i < COUNT(word) && json_object_get(c, name[k]); i++)
            if (strcmp(word[i].type, type) == 0) set(c, name[k], json_string(word[i].word));
}

static json_t *config_of(const weights *w, const rewrite *r, const layout_choice *choice)
{
    const bool compact = choice->compact;
    json_t *c;
    const bool own = own_names(w, r->D, FORMAT_SAFETENSORS);
    const architecture *A = own ? r->D->arch : target_of(r->D, FORMAT_SAFETENSORS);
    if (strcmp(w->format, "GGUF") == 0 || (!own && weights_of_class(w))) c = config_as(r->D, A);
    else c = json_deep_copy(w->config);
    if (!own) set(c, "model_type", json_string(A->name));
    if (compact) {
        const char *was = json_string_value(json_object_get(c, "model_type"));       /* nanoGPT's do not say it */
        char *type = must_format("%s%s", compact_family, was ? was : r->D->arch->name);
        set(c, "model_type", json_string(type));
        free(type);
    }
    if (!own || r->model.tied != r->D->tied)
        set(c, "tie_word_embeddings", json_boolean(r->model.tied));
    if (choice->type) set_type(c, choice->type);
    return c;
}

/* The text of a run, with what changed in it. */
static char *run_of(const weights *w, const rewrite *r, bool compact)
{
    const char *text = json_string_value(json_object_get(w->config, "model"));
    gpt_config g;
    char *wrong = gpt_config_parse(&g, text);
    REQUIRE(!wrong, "%s", wrong);
    g.tied = r->model.tied;
    if (r->model.norm == NORM_OF_NONE) g.norm = false;
    if (compact && is_dropped(r, ROLE_Q)) g.identity[GPT_QUERY] = true;
    if (compact && is_dropped(r, ROLE_K)) g.identity[GPT_KEY] = true;
    return gpt_config_print(&g);
}

static void take_keys(file_layout *l, const weights *w, const transformer *D)
{
    l->version = 3;
    l->alignment = 32;
    if (layout_format(w) != FORMAT_GGUF) {
        l->keys = gguf_keys(D, &l->key_count);
        return;
    }
    if (json_object_get(w->config, "provably.source"))
        die("%s has a key provably.source already and no provably.reduced; remove it", w->path);
    text_bytes(&l->keys, (const char *)w->file[0].at + w->keys.at, w->keys.bytes);
    l->key_count = w->keys.n;
    l->version = (int)w->keys.version;
    l->alignment = w->keys.alignment;
}

/* The pairs that the format's programs turn. */
static rotary_pairs pairs_in(const transformer *D, file_format to)
{
    if (D->positions != POSITIONS_ROTARY) return D->pairs;
    return target_of(D, to)->pairs;
}

file_layout layout_of(const weights *w, const rewrite *r, const layout_choice *c)
{
    const transformer *D = r->D;
    const bool own = own_names(w, D, c->format), in_out = own ? D->in_out : target_of(D, c->format)->in_out;
    file_layout l = { .format = c->format, .in_out = in_out, .fused = D->fused,
                      .pairs = own ? D->pairs : pairs_in(D, c->format),
                      .compact_values = c->compact && drops_blocks(r) };
    bool head = false, bias = false;
    if (c->format == FORMAT_GGUF) take_keys(&l, w, D);
    if (c->format == FORMAT_LLAMA2C && own) l.version = weights_llama2c_version(&w->file[0]);
    for (long k = 0; k < w->tensors; k++) {
        if (!c->compact || !is_dropped(r, (tensor_role)w->tensor[k].role)) add_of_file(&l, w, r, &w->tensor[k], c);
        head = head || w->tensor[k].role == ROLE_HEAD;
        bias = bias || w->tensor[k].role == ROLE_HEAD_BIAS;
    }
    if (!r->model.tied && !head && !D->headless) add_head(&l, r, false, c);
    if (has_head_bias(r) && !bias) add_head(&l, r, true, c);
    if (c->format == FORMAT_LLAMA2C) llama2c_arrange(&l, D);
    if (D->arch->run) l.model = run_of(w, r, c->compact);
    else if (c->format == FORMAT_SAFETENSORS) l.config = config_of(w, r, c);
    return l;
}

void layout_free(file_layout *l)
{
    for (long k = 0; k < l->tensors; k++) free(l->tensor[k].name);
    free(l->tensor);
    free(l->model);
    text_clear(&l->keys);
    json_decref(l->config);
    *l = (file_layout){ .tensor = NULL };
}
