/* layout.c - see layout.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/layout.h"
#include "src/train/gpt.h"

static bool is_norm(tensor_role role)
{
    return role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_BIAS1 || role == ROLE_BIAS2
           || role == ROLE_FINAL_GAIN || role == ROLE_FINAL_BIAS;
}

/* Others are written with Hugging Face's names and layout. */
static bool own_names(const weights *w)
{
    return strcmp(w->format, "GGUF") != 0 && strcmp(w->format, "llama2.c") != 0 && strcmp(w->format, "llm.c") != 0;
}

static bool is_family(const transformer *D, const char *name) { return strcmp(D->family, name) == 0; }

const char *layout_refuses(const weights *w, const transformer *D)
{
    if (own_names(w)) return NULL;
    if (is_family(D, "gptneox"))
        return "GGUF files of GPT-NeoX are read and not written: convert it to safetensors first";
    if (D->beyond || D->window)
        return "its angles, scores or window have settings that would be lost: convert it to safetensors first";
    return NULL;
}

const char *layout_refuses_compact(const rewrite *r)
{
    const stream_change c = r->plan.stream;
    if (c != STREAM_EVERY_QUERY && c != STREAM_SHARED_QUERY) return "no matrix becomes the identity in every layer";
    return is_family(r->D, "provably") ? NULL : "only runs of provably train have a configuration that can say so";
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static const char *const llama_name[ROLES] = {
    [ROLE_EMBED] = "model.embed_tokens.weight", [ROLE_FINAL_GAIN] = "model.norm.weight", [ROLE_HEAD] = "lm_head.weight",
    [ROLE_GAIN1] = "model.layers.#.input_layernorm.weight",
    [ROLE_GAIN2] = "model.layers.#.post_attention_layernorm.weight",
    [ROLE_Q] = "model.layers.#.self_attn.q_proj.weight", [ROLE_K] = "model.layers.#.self_attn.k_proj.weight",
    [ROLE_V] = "model.layers.#.self_attn.v_proj.weight", [ROLE_O] = "model.layers.#.self_attn.o_proj.weight",
    [ROLE_Q_BIAS] = "model.layers.#.self_attn.q_proj.bias", [ROLE_K_BIAS] = "model.layers.#.self_attn.k_proj.bias",
    [ROLE_V_BIAS] = "model.layers.#.self_attn.v_proj.bias", [ROLE_O_BIAS] = "model.layers.#.self_attn.o_proj.bias",
    [ROLE_Q_GAIN] = "model.layers.#.self_attn.q_norm.weight", [ROLE_K_GAIN] = "model.layers.#.self_attn.k_norm.weight",
    [ROLE_GATE] = "model.layers.#.mlp.gate_proj.weight", [ROLE_UP] = "model.layers.#.mlp.up_proj.weight",
    [ROLE_DOWN] = "model.layers.#.mlp.down_proj.weight" };
static const char *const gpt2_name[ROLES] = {
    [ROLE_EMBED] = "transformer.wte.weight", [ROLE_POSITION] = "transformer.wpe.weight", [ROLE_HEAD] = "lm_head.weight",
    [ROLE_FINAL_GAIN] = "transformer.ln_f.weight", [ROLE_FINAL_BIAS] = "transformer.ln_f.bias",
    [ROLE_GAIN1] = "transformer.h.#.ln_1.weight", [ROLE_BIAS1] = "transformer.h.#.ln_1.bias",
    [ROLE_GAIN2] = "transformer.h.#.ln_2.weight", [ROLE_BIAS2] = "transformer.h.#.ln_2.bias",
    [ROLE_QKV] = "transformer.h.#.attn.c_attn.weight", [ROLE_QKV_BIAS] = "transformer.h.#.attn.c_attn.bias",
    [ROLE_O] = "transformer.h.#.attn.c_proj.weight", [ROLE_O_BIAS] = "transformer.h.#.attn.c_proj.bias",
    [ROLE_UP] = "transformer.h.#.mlp.c_fc.weight", [ROLE_UP_BIAS] = "transformer.h.#.mlp.c_fc.bias",
    [ROLE_DOWN] = "transformer.h.#.mlp.c_proj.weight", [ROLE_DOWN_BIAS] = "transformer.h.#.mlp.c_proj.bias" };

static char *name_in_layer(const char *pattern, long layer)
{
    const char *at = strchr(pattern, '#');
    return at ? must_format("%.*s%ld%s", (int)(at - pattern), pattern, layer, at + 1) : must_strdup(pattern);
}

/* Of a head, or its bias, that the file does not have. */
static char *head_name(const transformer *D, bool bias)
{
    const char *embed = tensor_of(D, ROLE_EMBED, -1)->name;
    const char *compiled = strncmp(embed, "_orig_mod.", 10) == 0 ? "_orig_mod." : "";
    if (strcmp(D->family, "provably") == 0) return must_strdup("head");
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

static void add_of_file(file_layout *l, const weights *w, const rewrite *r, const weight_tensor *t, const char *type)
{
    const tensor_role role = (tensor_role)t->role;
    if (r->model.norm == NORM_OF_NONE && r->D->norm != NORM_OF_NONE && is_norm(role)) return;
    const bool own = own_names(w), gpt2 = !own && is_family(r->D, "gpt2");
    if (!own && role == ROLE_BUFFER) return;
    const char *const pattern = gpt2 ? gpt2_name[role] : llama_name[role];
    if (!own && !pattern)
        die("%s: tensor %s has no name in Hugging Face's layout; convert the file to safetensors first", w->path,
            t->name);
    const bool copied = role == ROLE_BUFFER || (own && !rewrite_changes(r, role) && !type);
    char *name = own ? must_strdup(t->name) : name_in_layer(pattern, t->layer);
    new_tensor *to = add(l, name, copied || !type ? t->type : type, role, t->layer);
    const bool turned = gpt2 && (role == ROLE_QKV || role == ROLE_O || role == ROLE_UP || role == ROLE_DOWN);
    shape_as(to, t->rank, t->shape, turned);
    if (copied) to->copy = t;
}

static void add_head(file_layout *l, const rewrite *r, bool bias, const char *type)
{
    const weight_tensor *like = tensor_of(r->D, ROLE_EMBED, -1);
    new_tensor *t = add(l, head_name(r->D, bias), type ? type : like->type, bias ? ROLE_HEAD_BIAS : ROLE_HEAD, -1);
    shape_as(t, bias ? 1 : 2, (long[]){ r->D->V, r->D->d }, false);
}

static bool has_head_bias(const rewrite *r)
{
    const stream_basis *b = &r->in[r->D->L];
    return !r->model.tied && (b->read_shift || (r->fold && tensor_of(r->D, ROLE_FINAL_BIAS, -1)));
}

/* ---- configurations --------------------------------------------------------------------------------------------- */

static void set(json_t *o, const char *name, json_t *value)
{
    if (!value || json_object_set_new(o, name, value)) die("a text of the configuration is not UTF-8; correct it");
}

/* Of GGUF, from what was read of it. */
static json_t *llama_config(const transformer *D)
{
    json_t *c = json_object();
    const bool gpt2 = is_family(D, "gpt2");
    set(c, "model_type", json_string(D->family));        /* gpt2, llama, qwen2, qwen3: the same words */
    const struct { const char *name, *gpt2; long value; } whole[] = {
        { "hidden_size", "n_embd", D->d }, { "num_hidden_layers", "n_layer", D->L },
        { "num_attention_heads", "n_head", D->h }, { "num_key_value_heads", NULL, D->h_kv },
        { "head_dim", NULL, D->dk }, { "intermediate_size", "n_inner", D->m },
        { "max_position_embeddings", "n_positions", D->T }, { "vocab_size", "vocab_size", D->V } };
    for (size_t k = 0; k < COUNT(whole); k++)
        if ((!gpt2 || whole[k].gpt2) && whole[k].value)
            set(c, gpt2 ? whole[k].gpt2 : whole[k].name, json_integer(whole[k].value));
    if (D->eps > 0) set(c, gpt2 ? "layer_norm_epsilon" : "rms_norm_eps", json_real(D->eps));
    if (D->theta > 0) set(c, "rope_theta", json_real(D->theta));
    set(c, gpt2 ? "activation_function" : "hidden_act", json_string(D->activation));
    return c;
}

static json_t *config_of(const weights *w, const rewrite *r)
{
    json_t *c;
    if (strcmp(w->format, "GGUF") == 0) c = llama_config(r->D);
    else c = json_deep_copy(w->config);
    if (strcmp(w->format, "llama2.c") == 0) set(c, "model_type", json_string("llama"));
    if (!own_names(w) || r->model.tied != r->D->tied) set(c, "tie_word_embeddings", json_boolean(r->model.tied));
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
    if (compact) g.identity[GPT_QUERY] = true;
    return gpt_config_print(&g);
}

file_layout layout_of(const weights *w, const rewrite *r, const char *type, bool compact)
{
    const transformer *D = r->D;
    const bool own = own_names(w), gpt2 = !own && is_family(D, "gpt2");
    file_layout l = { .in_out = own ? D->in_out : gpt2, .fused = D->fused,
                      .to_halves = !own && D->pairs == PAIRS_ADJACENT };
    bool head = false, bias = false;
    for (long k = 0; k < w->tensors; k++) {
        if (!compact || w->tensor[k].role != ROLE_Q) add_of_file(&l, w, r, &w->tensor[k], type);
        head = head || w->tensor[k].role == ROLE_HEAD;
        bias = bias || w->tensor[k].role == ROLE_HEAD_BIAS;
    }
    if (!r->model.tied && !head) add_head(&l, r, false, type);
    if (has_head_bias(r) && !bias) add_head(&l, r, true, type);
    if (is_family(D, "provably")) l.model = run_of(w, r, compact);
    else l.config = config_of(w, r);
    return l;
}

void layout_free(file_layout *l)
{
    for (long k = 0; k < l->tensors; k++) free(l->tensor[k].name);
    free(l->tensor);
    free(l->model);
    json_decref(l->config);
    *l = (file_layout){ .tensor = NULL };
}
