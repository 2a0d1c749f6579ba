/* gains.c - what of a described model is redundant, by the theorems that are decided elsewhere in the suite.
 *
 * Gauge dimension (N8), with S the bases of the stream, per layer the pairs (W_Q, W_K) and (W_V, W_O):
 *   no norm, all skips, untied          d^2 + G + d         one of the skips only    (L + 1) d^2 + G + d
 *   no skips                            (2L + 1) d^2 + G + d
 *   tied: all skips d(d-1)/2 + G, attention skips only L d^2 + G
 *   RMSNorm, all skips, untied          d(d-1)/2 + G + (2L + 1) d + d
 *   LayerNorm, the same                 V + T + L(d + m) + L(3d + m) + V + (2L + 1) d + (d-1)(d-2)/2 + G + (d-1)
 * where G = 2 L h_kv d_k^2; RoPE leaves h_kv d_k of a layer's first pair, QK-norm h_kv d_k (d_k - 1)/2.  ReLU adds
 * L m, biases 4 L d.  The d at the end shifts positions against tokens: it needs learned positions. */
#include "src/audit/count.h"

static bool unnormed(const description *m) { return m->norm == DESCRIBED_NONE; }
static bool all_skips(const description *m) { return m->attention_skip && m->mlp_skip && !m->parallel; }
static bool full_matrices(const description *m)
{
    return m->query == OWN && m->key == OWN && m->value == OWN && m->output == OWN;
}
static bool square(const description *m) { return m->heads * m->head_width == m->width; }
static long bias_lines(const description *m)
{
    return m->query_bias + m->key_bias + m->value_bias + m->output_bias + m->mlp_bias;
}

/* ---- gauge ---------------------------------------------------------------------------------------- */

static long pairs(const description *m)                    /* G of one layer                             */
{
    const long dk = m->head_width;
    const long first = m->positions == POSITIONS_ROPE ? dk : m->qk_norm ? dk * (dk - 1) / 2 : dk * dk;
    return m->kv_heads * (first + dk * dk);
}

static const char *not_covered(const description *m)
{
    if (!full_matrices(m)) return "a projection is no matrix of its own";
    if (m->patch || m->extra || m->head_bias) return "patches, further vectors and biases of the head are not covered";
    if (!m->mlp || m->gated || m->experts) return "one MLP without a gate is covered, no other";
    if (m->parallel) return "parallel blocks are not covered";
    if (m->positions == POSITIONS_FIXED) return "fixed positions are no weights: the stream keeps its basis";
    if (m->qk_norm && m->positions == POSITIONS_ROPE) return "RoPE together with QK-norm is not covered";
    if (!square(m)) return "h d_k = d is assumed";
    if (bias_lines(m) % 5) return "biases everywhere or nowhere are covered";
    if (bias_lines(m) && (m->positions == POSITIONS_ROPE || m->qk_norm || m->kv_heads != m->heads))
        return "biases are covered with plain scores and a key per head: else b_K is not free";
    if (m->shared && !(unnormed(m) && all_skips(m) && !m->tied))
        return "shared layers are covered untied, without norm and with all skips";
    if (unnormed(m)) return m->tied && !m->attention_skip ? "tied without attention skips is not covered" : NULL;
    if (m->norms != 2 || !m->final_norm || m->norm_bias) return "norms with gains before both sublayers and the head";
    if (m->tied) return "a tied head behind a norm is not covered";
    if (!all_skips(m)) return "norms with all skips are covered, no others";
    if (bias_lines(m) || m->qk_norm || m->activation == DESCRIBED_RELU)
        return "norms together with biases, QK-norm or ReLU are not covered";
    if (m->norm == DESCRIBED_LAYER && m->positions != POSITIONS_LEARNED) return "LayerNorm: with learned positions";
    return NULL;
}

/* The bases of the stream, without the pairs. */
static long stream(const description *m)
{
    const long d = m->width, L = m->layers, shift = m->positions == POSITIONS_LEARNED ? d : 0;
    if (m->norm == DESCRIBED_RMS) return d * (d - 1) / 2 + (2 * L + 1) * d + shift;
    if (m->norm == DESCRIBED_LAYER)
        return 2 * m->vocabulary + m->context + L * (4 * d + 2 * m->mlp) + (2 * L + 1) * d + (d - 1) * (d - 2) / 2
               + (d - 1);
    if (m->tied) return m->mlp_skip ? d * (d - 1) / 2 : L * d * d;
    return (1 + L * (!m->attention_skip + !m->mlp_skip)) * d * d + shift;
}

gauge_count count_gauge(const description *m)
{
    const long layers = m->shared ? 1 : m->layers, least = full_matrices(m) ? layers * pairs(m) : 0;
    gauge_count g = { .dimension = -1, .least = least, .why = not_covered(m) };
    if (g.why) return g;
    g.dimension = least + stream(m) + (m->activation == DESCRIBED_RELU ? layers * m->mlp : 0)
                + (bias_lines(m) ? 4 * layers * m->width : 0);
    return g;
}

/* ---- what could be removed ------------------------------------------------------------------------ */

static const char *plain_scores(const description *m)
{
    return m->positions == POSITIONS_ROPE ? "RoPE stands between W_Q and W_K"
         : m->qk_norm ? "QK-norm stands between W_Q and W_K" : NULL;
}

/* What every change of the stream's basis needs. */
static const char *free_stream(const description *m)
{
    return !unnormed(m) ? "a norm does not let the basis through"
         : m->positions == POSITIONS_FIXED ? "fixed positions are no weights" : NULL;
}

static const char *first(const char *a, const char *b) { return a ? a : b; }
static const char *unless(bool fine, const char *why) { return fine ? NULL : why; }

void count_removals(const description *m, removal out[REMOVALS])
{
    const long d = m->width, L = m->layers, layers = m->shared ? 1 : L, h = m->heads, dk = m->head_width;
    const long kv = m->kv_heads * dk, W_Q = d * d;
    const char *all = unless(full_matrices(m), "a projection is no matrix of its own");
    const char *invertible = first(all, unless(square(m), "W_Q is not square"));
    const char *untied = unless(!m->tied, "the head is tied");
    const char *one_by_one = unless(!m->shared, "layers are shared: see K-T4.3");
    const char *pair = first(all, unless(kv <= d, "heads wider than the stream"));
    const char *rotated = first(plain_scores(m), untied);
    const removal list[REMOVALS] = {
        { "K-P4.1", "one head: W_Q and W_O of every layer", layers * 2 * W_Q,
          first(invertible, first(unless(h == 1, "more than one head"), first(plain_scores(m),
                unless(!bias_lines(m), "biases need vectors in their place")))) },
        { "K-T4.2", "W_Q (or W_K, W_V, if square) of one layer", W_Q,
          first(invertible, first(free_stream(m), first(untied, one_by_one))) },
        { "K-T4.3", "W_Q that all layers share", W_Q,
          first(invertible, first(unless(m->shared, "layers are not shared"), first(free_stream(m), untied))) },
        { "K-T4.4", "W_Q of every layer, skips around attention only", L * W_Q,
          first(invertible, first(free_stream(m), first(one_by_one, unless(m->attention_skip && !m->mlp_skip
                && !m->parallel, "the MLP has a skip")))) },
        { "N2", "W_Q of every layer, skips around the MLP only", L * W_Q,
          first(invertible, first(free_stream(m), first(one_by_one, unless(m->mlp_skip && !m->attention_skip
                && !m->parallel, "attention has a skip")))) },
        { "N1b", "a d_k x d_k block per key head of W_Q or W_K", layers * m->kv_heads * dk * dk,
          first(pair, plain_scores(m)) },
        { "N1b", "a d_k x d_k block per key head of W_V or W_O", layers * m->kv_heads * dk * dk, pair },
        { "N4", "W_K and W_V of one layer, as stacked identities", 2 * d * kv,
          first(all, first(free_stream(m), first(untied, first(one_by_one,
                unless(2 * kv <= d, "2 h_kv d_k is more than d"))))) },
        { "N7", "W_Q of one layer but for blocks above the diagonal", W_Q - h * (h - 1) / 2 * dk * dk,
          first(invertible, first(unless(m->norm == DESCRIBED_RMS, "for RMSNorm only"), first(rotated,
                unless(m->kv_heads == h && m->positions != POSITIONS_FIXED && !m->shared,
                       "query heads share keys, or the stream is not free")))) },
    };
    for (long k = 0; k < REMOVALS; k++) {
        out[k] = list[k];
        if (out[k].why_not) out[k].removed = 0;
    }
}
