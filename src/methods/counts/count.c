/* SPDX-License-Identifier: GPL-3.0-or-later
 * count.c - parameters and operations of a described model: see count.h. */
#include "src/methods/counts/count.h"
#include <string.h>

counts count_parameters(const description *m)
{
    const long d = m->width, q = m->heads * m->head_width, kv = m->kv_heads * m->head_width;
    const long L = m->shared ? 1 : m->layers, E = m->experts ? m->experts : m->mlp > 0;
    const long gate = E * m->mlp * m->gated, one_norm = d * (1 + m->norm_bias);
    const bool has_norm = m->norm != DESCRIBED_NONE;
    counts c = {
        .query  = m->query  == PROJECTION_OWN ? L * d * q  : 0, .key    = m->key    == PROJECTION_OWN ? L * d * kv : 0,
        .value  = m->value  == PROJECTION_OWN ? L * d * kv : 0, .output = m->output == PROJECTION_OWN ? L * q * d  : 0,
        .up = L * E * d * m->mlp, .down = L * E * d * m->mlp, .gate = L * d * gate, .router = L * d * m->experts,
        .attention_bias = L * (m->query_bias * q + (m->key_bias + m->value_bias) * kv + m->output_bias * d),
        .mlp_bias = m->mlp_bias * L * (E * (m->mlp + (m->mlp > 0) * d) + gate),
        .norm = has_norm ? (L * m->norms + m->final_norm) * one_norm : 0,
        .tokens = m->vocabulary * d, .extra = m->extra * d,
        .patch = m->patch ? m->patch * d + m->patch_bias * d : 0,
        .positions = m->positions == POSITIONS_LEARNED ? m->context * d : 0 };
    if (m->qk_norm) c.norm += L * 2 * m->head_width;
    const long outputs = m->vocabulary ? m->vocabulary : m->classes;
    c.head = (m->tied ? 0 : d * outputs) + m->head_bias * outputs;
    return c;
}

long count_attention(const counts *c) { return c->query + c->key + c->value + c->output; }
long count_mlp      (const counts *c) { return c->up + c->gate + c->down + c->router; }
long count_embedding(const counts *c) { return c->tokens + c->patch + c->positions + c->extra + c->head; }
long count_total    (const counts *c)
{
    return count_attention(c) + count_mlp(c) + c->attention_bias + c->mlp_bias + c->norm + count_embedding(c);
}

bool count_named(const description *m, const char *name, long *out)
{
    const counts c = count_parameters(m);
    const operations op = count_operations(m);
    const struct { const char *name; long count; } known[] = {
        { "total", count_total(&c) }, { "embedding", count_embedding(&c) },
        { "nonembedding", count_total(&c) - count_embedding(&c) }, { "attention", count_attention(&c) },
        { "mlp", count_mlp(&c) }, { "matrices", count_attention(&c) + count_mlp(&c) }, { "norm", c.norm },
        { "attention_bias", c.attention_bias }, { "mlp_bias", c.mlp_bias }, { "tokens", c.tokens },
        { "patch", c.patch }, { "positions", c.positions }, { "extra", c.extra }, { "head", c.head },
        { "query", c.query }, { "key", c.key }, { "value", c.value }, { "output", c.output },
        { "products", (op.matrices + op.context) / 2 } };
    for (size_t k = 0; k < COUNT(known); k++)
        if (strcmp(known[k].name, name) == 0) return *out = known[k].count, true;
    return false;
}

/* Weights that are identities cost nothing, nor does W_K = W_Q; shared layers run once per layer all the same.
 * A classifier's head works once per sequence and is left out. */
operations count_operations(const description *m)
{
    const counts c = count_parameters(m);
    const long runs = m->shared ? m->layers : 1;
    const long experts = m->experts ? m->experts : 1, active = m->experts ? m->active : 1;
    const long mlp = (c.up + c.gate + c.down) / experts * active + c.router;
    const long embed = m->patch * m->width;                    /* a token is looked up, a patch is multiplied */
    return (operations){ .matrices = 2 * (runs * (count_attention(&c) + mlp) + embed + m->vocabulary * m->width),
                         .context = 4 * m->layers * m->context * m->heads * m->head_width };
}
