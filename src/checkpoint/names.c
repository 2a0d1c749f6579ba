/* names.c - see names.h.  One table for all: no name means two things in it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/names.h"

/* #: the layer. */
static const struct { const char *name; tensor_role role; } table[] = {
    /* GPT-2 and nanoGPT */
    { "wte.weight", ROLE_EMBED }, { "wpe.weight", ROLE_POSITION }, { "lm_head.weight", ROLE_HEAD },
    { "lm_head.bias", ROLE_HEAD_BIAS }, { "ln_f.weight", ROLE_FINAL_GAIN }, { "ln_f.bias", ROLE_FINAL_BIAS },
    { "h.#.ln_1.weight", ROLE_GAIN1 }, { "h.#.ln_1.bias", ROLE_BIAS1 },
    { "h.#.ln_2.weight", ROLE_GAIN2 }, { "h.#.ln_2.bias", ROLE_BIAS2 },
    { "h.#.attn.c_attn.weight", ROLE_QKV }, { "h.#.attn.c_attn.bias", ROLE_QKV_BIAS },
    { "h.#.attn.c_attn_v_from_k.weight", ROLE_QKV }, { "h.#.attn.c_attn_v_from_k.bias", ROLE_QKV_BIAS },
    { "h.#.attn.c_proj.weight", ROLE_O }, { "h.#.attn.c_proj.bias", ROLE_O_BIAS },
    { "h.#.mlp.c_fc.weight", ROLE_UP }, { "h.#.mlp.c_fc.bias", ROLE_UP_BIAS },
    { "h.#.mlp.c_proj.weight", ROLE_DOWN }, { "h.#.mlp.c_proj.bias", ROLE_DOWN_BIAS },
    { "h.#.attn.bias", ROLE_BUFFER }, { "h.#.attn.masked_bias", ROLE_BUFFER }, { "wte.padding", ROLE_BUFFER },
    /* Llama, Mistral, Qwen */
    { "embed_tokens.weight", ROLE_EMBED }, { "norm.weight", ROLE_FINAL_GAIN },
    { "norm.bias", ROLE_FINAL_BIAS },
    { "layers.#.input_layernorm.weight", ROLE_GAIN1 }, { "layers.#.input_layernorm.bias", ROLE_BIAS1 },
    { "layers.#.post_attention_layernorm.weight", ROLE_GAIN2 },
    { "layers.#.post_attention_layernorm.bias", ROLE_BIAS2 },
    { "layers.#.self_attn.q_proj.weight", ROLE_Q }, { "layers.#.self_attn.q_proj.bias", ROLE_Q_BIAS },
    { "layers.#.self_attn.k_proj.weight", ROLE_K }, { "layers.#.self_attn.k_proj.bias", ROLE_K_BIAS },
    { "layers.#.self_attn.v_proj.weight", ROLE_V }, { "layers.#.self_attn.v_proj.bias", ROLE_V_BIAS },
    { "layers.#.self_attn.v_from_k_proj.weight", ROLE_V }, { "layers.#.self_attn.v_from_k_proj.bias", ROLE_V_BIAS },
    { "layers.#.self_attn.o_proj.weight", ROLE_O }, { "layers.#.self_attn.o_proj.bias", ROLE_O_BIAS },
    { "layers.#.self_attn.q_norm.weight", ROLE_Q_GAIN }, { "layers.#.self_attn.k_norm.weight", ROLE_K_GAIN },
    { "layers.#.mlp.gate_proj.weight", ROLE_GATE }, { "layers.#.mlp.gate_proj.bias", ROLE_GATE_BIAS },
    { "layers.#.mlp.up_proj.weight", ROLE_UP }, { "layers.#.mlp.up_proj.bias", ROLE_UP_BIAS },
    { "layers.#.mlp.down_proj.weight", ROLE_DOWN }, { "layers.#.mlp.down_proj.bias", ROLE_DOWN_BIAS },
    { "layers.#.self_attn.rotary_emb.inv_freq", ROLE_BUFFER },
    /* Phi, StarCoder2, Phi-3; Gemma 2, 3 and OLMo 2, whose post_attention_layernorm is behind attention */
    { "layers.#.self_attn.dense.weight", ROLE_O }, { "layers.#.self_attn.dense.bias", ROLE_O_BIAS },
    { "layers.#.mlp.fc1.weight", ROLE_UP }, { "layers.#.mlp.fc1.bias", ROLE_UP_BIAS },
    { "layers.#.mlp.fc2.weight", ROLE_DOWN }, { "layers.#.mlp.fc2.bias", ROLE_DOWN_BIAS },
    { "layers.#.mlp.c_fc.weight", ROLE_UP }, { "layers.#.mlp.c_fc.bias", ROLE_UP_BIAS },
    { "layers.#.mlp.c_proj.weight", ROLE_DOWN }, { "layers.#.mlp.c_proj.bias", ROLE_DOWN_BIAS },
    { "final_layernorm.weight", ROLE_FINAL_GAIN }, { "final_layernorm.bias", ROLE_FINAL_BIAS },
    { "layers.#.self_attn.qkv_proj.weight", ROLE_QKV }, { "layers.#.mlp.gate_up_proj.weight", ROLE_GATE_UP },
    { "layers.#.pre_feedforward_layernorm.weight", ROLE_GAIN2 },
    { "layers.#.post_feedforward_layernorm.weight", ROLE_POST_GAIN2 },
    /* GPT-NeoX */
    { "embed_in.weight", ROLE_EMBED }, { "embed_out.weight", ROLE_HEAD },
    { "final_layer_norm.weight", ROLE_FINAL_GAIN }, { "final_layer_norm.bias", ROLE_FINAL_BIAS },
    { "layers.#.attention.query_key_value.weight", ROLE_QKV },
    { "layers.#.attention.query_key_value.bias", ROLE_QKV_BIAS },
    { "layers.#.attention.query_key_value_v_from_k.weight", ROLE_QKV },
    { "layers.#.attention.query_key_value_v_from_k.bias", ROLE_QKV_BIAS },
    { "layers.#.attention.dense.weight", ROLE_O }, { "layers.#.attention.dense.bias", ROLE_O_BIAS },
    { "layers.#.mlp.dense_h_to_4h.weight", ROLE_UP }, { "layers.#.mlp.dense_h_to_4h.bias", ROLE_UP_BIAS },
    { "layers.#.mlp.dense_4h_to_h.weight", ROLE_DOWN }, { "layers.#.mlp.dense_4h_to_h.bias", ROLE_DOWN_BIAS },
    { "layers.#.attention.bias", ROLE_BUFFER }, { "layers.#.attention.masked_bias", ROLE_BUFFER },
    { "layers.#.attention.rotary_emb.inv_freq", ROLE_BUFFER },
    /* Meta's Llama and llama2.c */
    { "tok_embeddings.weight", ROLE_EMBED }, { "output.weight", ROLE_HEAD },
    { "layers.#.attention_norm.weight", ROLE_GAIN1 }, { "layers.#.ffn_norm.weight", ROLE_GAIN2 },
    { "layers.#.attention.wq.weight", ROLE_Q }, { "layers.#.attention.wk.weight", ROLE_K },
    { "layers.#.attention.wv.weight", ROLE_V }, { "layers.#.attention.wo.weight", ROLE_O },
    { "layers.#.feed_forward.w1.weight", ROLE_GATE }, { "layers.#.feed_forward.w2.weight", ROLE_DOWN },
    { "layers.#.feed_forward.w3.weight", ROLE_UP },
    { "freqs_cos", ROLE_BUFFER }, { "freqs_sin", ROLE_BUFFER }, { "rope.freqs", ROLE_BUFFER },
    /* GGUF */
    { "token_embd.weight", ROLE_EMBED }, { "position_embd.weight", ROLE_POSITION },
    { "output_norm.weight", ROLE_FINAL_GAIN }, { "output_norm.bias", ROLE_FINAL_BIAS },
    { "rope_freqs.weight", ROLE_BUFFER },
    { "blk.#.attn_norm.weight", ROLE_GAIN1 }, { "blk.#.attn_norm.bias", ROLE_BIAS1 },
    { "blk.#.ffn_norm.weight", ROLE_GAIN2 }, { "blk.#.ffn_norm.bias", ROLE_BIAS2 },
    { "blk.#.attn_qkv.weight", ROLE_QKV }, { "blk.#.attn_qkv.bias", ROLE_QKV_BIAS },
    { "blk.#.attn_q.weight", ROLE_Q }, { "blk.#.attn_q.bias", ROLE_Q_BIAS },
    { "blk.#.attn_k.weight", ROLE_K }, { "blk.#.attn_k.bias", ROLE_K_BIAS },
    { "blk.#.attn_v.weight", ROLE_V }, { "blk.#.attn_v.bias", ROLE_V_BIAS },
    { "blk.#.attn_output.weight", ROLE_O }, { "blk.#.attn_output.bias", ROLE_O_BIAS },
    { "blk.#.attn_q_norm.weight", ROLE_Q_GAIN }, { "blk.#.attn_k_norm.weight", ROLE_K_GAIN },
    { "blk.#.ffn_gate.weight", ROLE_GATE }, { "blk.#.ffn_gate.bias", ROLE_GATE_BIAS },
    { "blk.#.ffn_up.weight", ROLE_UP }, { "blk.#.ffn_up.bias", ROLE_UP_BIAS },
    { "blk.#.ffn_down.weight", ROLE_DOWN }, { "blk.#.ffn_down.bias", ROLE_DOWN_BIAS },
    /* provably train */
    { "wte", ROLE_EMBED }, { "wpe", ROLE_POSITION }, { "head", ROLE_HEAD }, { "normf", ROLE_FINAL_GAIN },
    { "h.#.norm1", ROLE_GAIN1 }, { "h.#.norm2", ROLE_GAIN2 }, { "h.#.attn.q", ROLE_Q }, { "h.#.attn.k", ROLE_K },
    { "h.#.attn.v", ROLE_V }, { "h.#.attn.v_from_k", ROLE_V }, { "h.#.attn.o", ROLE_O },
    { "h.#.mlp.fc", ROLE_UP }, { "h.#.mlp.proj", ROLE_DOWN },
};

/* Whether `name` is `pattern` with a whole number of at most four digits at #. */
static bool matches(const char *pattern, const char *name, long *layer)
{
    *layer = -1;
    for (; *pattern; pattern++) {
        if (*pattern != '#') {
            if (*name++ != *pattern) return false;
            continue;
        }
        const char *end = name;
        while (isdigit((unsigned char)*end)) end++;
        if (end == name || end - name > 4 || (*name == '0' && end - name > 1)) return false;
        *layer = strtol(name, NULL, 10);
        name = end;
    }
    return !*name;
}

/* What other programs apply to the stream; under another name they miss it. */
static const struct { const char *stock, *slim; } slim_names[] = {
    { ".v_proj.", ".v_from_k_proj." }, { ".c_attn.", ".c_attn_v_from_k." },
    { ".query_key_value.", ".query_key_value_v_from_k." } };
static const char own_values[] = ".attn.v", own_slim[] = ".attn.v_from_k";      /* of provably train: their end  */

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

bool name_is_slim(const char *name)
{
    for (size_t k = 0; k < COUNT(slim_names); k++) if (strstr(name, slim_names[k].slim)) return true;
    return ends_with(name, own_slim);
}

char *name_slim(const char *name)
{
    for (size_t k = 0; k < COUNT(slim_names); k++) {
        const char *at = strstr(name, slim_names[k].stock);
        if (!at) continue;
        return must_format("%.*s%s%s", (int)(at - name), name, slim_names[k].slim, at + strlen(slim_names[k].stock));
    }
    return ends_with(name, own_values) ? must_format("%s%s", name, own_slim + strlen(own_values)) : NULL;
}

tensor_role role_of_name(const char *name, long *layer)
{
    static const char *const before[] = { "_orig_mod.", "transformer.", "model.", "gpt_neox." };
    for (size_t k = 0; k < COUNT(before); k++)
        if (strncmp(name, before[k], strlen(before[k])) == 0) name += strlen(before[k]);
    for (size_t k = 0; k < COUNT(table); k++) if (matches(table[k].name, name, layer)) return table[k].role;
    *layer = -1;
    return ROLE_UNKNOWN;
}
