/* names_written.c - see names.h: the names in files that are written in another format than they were read in. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/names.h"

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
    [ROLE_DOWN] = "model.layers.#.mlp.down_proj.weight", [ROLE_GATE_BIAS] = "model.layers.#.mlp.gate_proj.bias",
    [ROLE_UP_BIAS] = "model.layers.#.mlp.up_proj.bias", [ROLE_DOWN_BIAS] = "model.layers.#.mlp.down_proj.bias" };
static const char *const gpt2_name[ROLES] = {
    [ROLE_EMBED] = "transformer.wte.weight", [ROLE_POSITION] = "transformer.wpe.weight", [ROLE_HEAD] = "lm_head.weight",
    [ROLE_FINAL_GAIN] = "transformer.ln_f.weight", [ROLE_FINAL_BIAS] = "transformer.ln_f.bias",
    [ROLE_GAIN1] = "transformer.h.#.ln_1.weight", [ROLE_BIAS1] = "transformer.h.#.ln_1.bias",
    [ROLE_GAIN2] = "transformer.h.#.ln_2.weight", [ROLE_BIAS2] = "transformer.h.#.ln_2.bias",
    [ROLE_QKV] = "transformer.h.#.attn.c_attn.weight", [ROLE_QKV_BIAS] = "transformer.h.#.attn.c_attn.bias",
    [ROLE_O] = "transformer.h.#.attn.c_proj.weight", [ROLE_O_BIAS] = "transformer.h.#.attn.c_proj.bias",
    [ROLE_UP] = "transformer.h.#.mlp.c_fc.weight", [ROLE_UP_BIAS] = "transformer.h.#.mlp.c_fc.bias",
    [ROLE_DOWN] = "transformer.h.#.mlp.c_proj.weight", [ROLE_DOWN_BIAS] = "transformer.h.#.mlp.c_proj.bias" };

static const char *const meta_name[ROLES] = {
    [ROLE_EMBED] = "tok_embeddings.weight", [ROLE_FINAL_GAIN] = "norm.weight", [ROLE_HEAD] = "output.weight",
    [ROLE_GAIN1] = "layers.#.attention_norm.weight", [ROLE_GAIN2] = "layers.#.ffn_norm.weight",
    [ROLE_Q] = "layers.#.attention.wq.weight", [ROLE_K] = "layers.#.attention.wk.weight",
    [ROLE_V] = "layers.#.attention.wv.weight", [ROLE_O] = "layers.#.attention.wo.weight",
    [ROLE_GATE] = "layers.#.feed_forward.w1.weight", [ROLE_DOWN] = "layers.#.feed_forward.w2.weight",
    [ROLE_UP] = "layers.#.feed_forward.w3.weight" };
static const char *const gguf_name[ROLES] = {
    [ROLE_EMBED] = "token_embd.weight", [ROLE_POSITION] = "position_embd.weight", [ROLE_HEAD] = "output.weight",
    [ROLE_FINAL_GAIN] = "output_norm.weight", [ROLE_FINAL_BIAS] = "output_norm.bias",
    [ROLE_GAIN1] = "blk.#.attn_norm.weight", [ROLE_BIAS1] = "blk.#.attn_norm.bias",
    [ROLE_GAIN2] = "blk.#.ffn_norm.weight", [ROLE_BIAS2] = "blk.#.ffn_norm.bias",
    [ROLE_QKV] = "blk.#.attn_qkv.weight", [ROLE_QKV_BIAS] = "blk.#.attn_qkv.bias",
    [ROLE_Q] = "blk.#.attn_q.weight", [ROLE_K] = "blk.#.attn_k.weight", [ROLE_V] = "blk.#.attn_v.weight",
    [ROLE_Q_BIAS] = "blk.#.attn_q.bias", [ROLE_K_BIAS] = "blk.#.attn_k.bias", [ROLE_V_BIAS] = "blk.#.attn_v.bias",
    [ROLE_O] = "blk.#.attn_output.weight", [ROLE_O_BIAS] = "blk.#.attn_output.bias",
    [ROLE_Q_GAIN] = "blk.#.attn_q_norm.weight", [ROLE_K_GAIN] = "blk.#.attn_k_norm.weight",
    [ROLE_GATE] = "blk.#.ffn_gate.weight", [ROLE_GATE_BIAS] = "blk.#.ffn_gate.bias",
    [ROLE_UP] = "blk.#.ffn_up.weight", [ROLE_UP_BIAS] = "blk.#.ffn_up.bias",
    [ROLE_DOWN] = "blk.#.ffn_down.weight", [ROLE_DOWN_BIAS] = "blk.#.ffn_down.bias" };

char *name_of_role(naming where, tensor_role role, long layer)
{
    static const char *const *const tables[] = { [NAMES_GPT2] = gpt2_name, [NAMES_LLAMA] = llama_name,
                                                 [NAMES_META] = meta_name, [NAMES_GGUF] = gguf_name };
    const char *pattern = tables[where][role], *at = pattern ? strchr(pattern, '#') : NULL;
    if (!pattern) return NULL;
    return at ? must_format("%.*s%ld%s", (int)(at - pattern), pattern, layer, at + 1) : must_strdup(pattern);
}
