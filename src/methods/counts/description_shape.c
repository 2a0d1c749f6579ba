/* SPDX-License-Identifier: GPL-3.0-or-later
 * description_shape.c - see description_shape.h. */
#include "src/methods/counts/description_shape.h"

bool description_full_matrices(const description *m)
{
    return m->query == PROJECTION_OWN && m->key == PROJECTION_OWN && m->value == PROJECTION_OWN
        && m->output == PROJECTION_OWN;
}

bool description_square(const description *m) { return m->heads * m->head_width == m->width; }

long description_biases(const description *m)
{
    return m->query_bias + m->key_bias + m->value_bias + m->output_bias + m->mlp_bias;
}

static const char *no_shape(const description *m)
{
    if (!description_full_matrices(m)) return "a projection has no matrix of its own";
    if (m->patch || m->extra || m->head_bias) return "patches, further vectors and biases of the head are not covered";
    if (!m->mlp) return "models without an MLP are not covered";
    if (m->active < m->experts) return "a mixture of experts that are not all active is not covered";
    if (m->positions == POSITIONS_FIXED) return "fixed positions are no weights: the stream keeps its basis";
    if (!description_square(m)) return "h d_k = d is assumed";
    if (description_biases(m) % 5) return "biases everywhere or nowhere are covered";
    if (m->norm == DESCRIBED_NONE) return NULL;
    if (m->norms != (m->parallel ? 1 : 2) || !m->final_norm)
        return "norms are covered before each sublayer and the head";
    const bool biased = m->norm == DESCRIBED_LAYER && description_biases(m);
    return m->norm_bias != biased ? "LayerNorm is covered with biases where the rest has them" : NULL;
}

const char *description_shape(const description *m, shape *sh)
{
    static const activation functions[] = { ACT_GELU, ACT_RELU, ACT_SILU, ACT_TANH };
    static const norm_kind norms[] = { NORM_NONE, NORM_LAYER, NORM_RMS };
    *sh = (shape){ .n = m->context, .d = m->width, .h = m->heads, .dk = m->head_width, .h_kv = m->kv_heads, .m = m->mlp,
                   .V = m->vocabulary, .L = m->layers, .scale_num = 1, .scale_den = m->head_width,
                   .attn_skip = m->attention_skip, .mlp_skip = m->mlp_skip && !m->parallel, .parallel = m->parallel,
                   .norm = norms[m->norm], .act = functions[m->activation], .gated = m->gated, .experts = m->experts,
                   .tied = m->tied, .biases = description_biases(m) > 0, .rope = m->positions == POSITIONS_ROPE,
                   .no_positions = m->positions != POSITIONS_LEARNED, .qk_norm = m->qk_norm, .shared = m->shared };
    return no_shape(m);
}
