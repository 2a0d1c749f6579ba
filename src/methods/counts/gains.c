/* gains.c - what of a described model is redundant, by the theorems that are decided elsewhere in the suite.
 *
 * A description becomes a shape, if it says no more than a shape can; then the closed formulas of src/methods/rank/ speak: the
 * dimension of the weights with the same function (N8), and what is lost with W_Q = I (N9, N18, N19, N20).
 * tests/t_audit.c holds both against ranks.                                                                    */
#include "src/methods/counts/count.h"
#include "src/methods/counts/described_shape.h"
#include "src/methods/rank/dimension.h"

static bool unnormed(const description *m) { return m->norm == DESCRIBED_NONE; }
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
    const bool turned = m->positions == POSITIONS_ROPE;
    const long first = m->qk_norm ? (turned ? dk / 2 : dk) : m->kv_heads * (turned ? dk : dk * dk);    /* N8 */
    return first + m->kv_heads * dk * dk;
}

static const char *no_shape(const description *m)
{
    if (!full_matrices(m)) return "a projection is no matrix of its own";
    if (m->patch || m->extra || m->head_bias) return "patches, further vectors and biases of the head are not covered";
    if (!m->mlp) return "models without an MLP are not covered";
    if (m->active < m->experts) return "a mixture of experts that are not all active is not covered";
    if (m->positions == POSITIONS_FIXED) return "fixed positions are no weights: the stream keeps its basis";
    if (!square(m)) return "h d_k = d is assumed";
    if (bias_lines(m) % 5) return "biases everywhere or nowhere are covered";
    if (unnormed(m)) return NULL;
    if (m->norms != (m->parallel ? 1 : 2) || !m->final_norm)
        return "norms are covered before each sublayer and the head";
    const bool biased = m->norm == DESCRIBED_LAYER && bias_lines(m);
    return m->norm_bias != biased ? "LayerNorm is covered with biases where the rest has them" : NULL;
}

const char *described_shape(const description *m, shape *sh)
{
    static const activation functions[] = { ACT_GELU, ACT_RELU, ACT_SILU, ACT_TANH };
    static const norm_kind norms[] = { NORM_NONE, NORM_LAYER, NORM_RMS };
    *sh = (shape){ .n = m->context, .d = m->width, .h = m->heads, .dk = m->head_width, .h_kv = m->kv_heads, .m = m->mlp,
                   .V = m->vocabulary, .L = m->layers, .scale_num = 1, .scale_den = m->head_width,
                   .attn_skip = m->attention_skip, .mlp_skip = m->mlp_skip && !m->parallel, .parallel = m->parallel,
                   .norm = norms[m->norm], .act = functions[m->activation], .gated = m->gated, .experts = m->experts,
                   .tied = m->tied, .biases = bias_lines(m) > 0, .rope = m->positions == POSITIONS_ROPE,
                   .no_positions = m->positions != POSITIONS_LEARNED, .qk_norm = m->qk_norm, .shared = m->shared };
    return no_shape(m);
}

/* Why the formulas, which answered -1, do not cover the shape. */
static const char *no_formula(const shape *sh)
{
    const bool normed = sh->norm != NORM_NONE;
    if (sh->n < 2 || sh->V <= sh->d || sh->m <= sh->d) return "V > d, m > d and two tokens are assumed";
    if (sh->rope && sh->dk % 2) return "RoPE needs an even d_k";
    if (normed && sh->experts) return "norms together with experts are not covered";
    if (sh->biases && sh->experts) return "biases together with experts are not covered";
    if (sh->shared) return "shared layers are covered untied, norms or biases (not both) with attention skips";
    if (normed && sh->no_positions) return "norms without learned positions are covered with a skip around attention";
    if (sh->biases && sh->no_positions) return "a tied head with biases is covered with learned positions";
    return "a tied head behind a norm is covered with all skips";
}

gauge_count count_gauge(const description *m)
{
    const long layers = m->shared ? 1 : m->layers, least = full_matrices(m) ? layers * pairs(m) : 0;
    shape sh;
    gauge_count g = { .dimension = -1, .least = least, .why = described_shape(m, &sh) };
    if (g.why) return g;
    if (!(sh.rope && sh.dk % 2)) g.dimension = nullity_predicted(&sh, false);
    if (g.dimension < 0) g.why = no_formula(&sh);
    return g;
}

query_count count_query(const description *m)
{
    shape sh;
    query_count q = { .weights = count_parameters(m).query, .lost = -1, .why = described_shape(m, &sh) };
    if (q.why) return q;
    if (!(sh.rope && sh.dk % 2)) q.lost = deficit_predicted(&sh, false, m->layers);
    if (q.lost < 0) q.why = no_formula(&sh);
    return q;
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
    const long above = h * (h - 1) / 2 * dk * dk, turns = h * dk * (dk - 1) / 2;
    const long group_heads = m->kv_heads * (m->positions == POSITIONS_ROPE ? dk : dk * (dk + 1) / 2);
    const char *rms = first(invertible, first(unless(m->norm == DESCRIBED_RMS, "for RMSNorm only"),
                            unless(m->positions != POSITIONS_FIXED, "fixed positions are no weights")));
    const bool one_basis = m->attention_skip && (m->mlp_skip || m->parallel);
    const bool around_attention = m->attention_skip && !m->mlp_skip && !m->parallel;
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
        { "N7", "W_Q of one layer but for blocks above the diagonal", W_Q - above,
          first(rms, first(rotated, first(unless(m->kv_heads == h, "query heads share keys: see N20"),
                unless(!m->shared && one_basis, "layers are shared, or a skip is missing: see N19")))) },
        { "N19", "W_Q but for blocks above the diagonal, finer form", (m->shared ? 1 : L) * (W_Q - above + turns),
          first(rms, first(rotated, first(unless(m->kv_heads == h, "query heads share keys: see N20"),
                unless(m->shared ? one_basis : around_attention, "all layers, if shared or without MLP skip")))) },
        { "N20", "W_Q of one layer, below the diagonal and in first heads", d * (d - 1) / 2 + group_heads,
          first(rms, first(untied, first(unless(!m->qk_norm, "QK-norm stands between W_Q and W_K"),
                first(unless(one_basis && !m->shared, "layers are shared, or a skip is missing: see N19"),
                      unless(m->kv_heads != h || m->positions == POSITIONS_ROPE, "plain heads: see N7"))))) },
    };
    for (long k = 0; k < REMOVALS; k++) {
        out[k] = list[k];
        if (out[k].why_not) out[k].removed = 0;
    }
}
