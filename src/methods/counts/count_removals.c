/* SPDX-License-Identifier: GPL-3.0-or-later
 * count_removals.c - what each theorem could remove from a described model, or why it does not apply. */
#include "src/methods/counts/count.h"
#include "src/methods/counts/description_shape.h"

static const char *plain_scores(const description *m)
{
    return m->positions == POSITIONS_ROPE ? "RoPE acts between W_Q and W_K"
         : m->qk_norm ? "QK-norm acts between W_Q and W_K" : NULL;
}

/* What every change of the stream's basis needs. */
static const char *free_stream(const description *m)
{
    return m->norm != DESCRIBED_NONE ? "a norm does not let the basis through"
         : m->positions == POSITIONS_FIXED ? "fixed positions are no weights" : NULL;
}

static const char *first(const char *a, const char *b) { return a ? a : b; }
static const char *unless(bool fine, const char *why) { return fine ? NULL : why; }

void count_removals(const description *m, removal out[COUNT_REMOVALS])
{
    const long d = m->width, L = m->layers, layers = m->shared ? 1 : L, h = m->heads, dk = m->head_width;
    const long kv = m->kv_heads * dk, W_Q = d * d;
    const char *all = unless(description_full_matrices(m), "a projection has no matrix of its own");
    const char *invertible = first(all, unless(description_square(m), "W_Q is not square"));
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
    const removal list[COUNT_REMOVALS] = {
        { "K-P4.1", "one head: W_Q and W_O of every layer", layers * 2 * W_Q,
          first(invertible, first(unless(h == 1, "more than one head"), first(plain_scores(m),
                unless(!description_biases(m), "biases need vectors in their place")))) },
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
          first(rms, first(untied, first(unless(!m->qk_norm, "QK-norm acts between W_Q and W_K"),
                first(unless(one_basis && !m->shared, "layers are shared, or a skip is missing: see N19"),
                      unless(m->kv_heads != h || m->positions == POSITIONS_ROPE, "plain heads: see N7"))))) },
    };
    for (long k = 0; k < COUNT_REMOVALS; k++) {
        out[k] = list[k];
        if (out[k].why_not) out[k].removed = 0;
    }
}
