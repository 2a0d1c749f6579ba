/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_t4_4.c - K-T4.4, attention-skip-only query weight elimination.
 *
 * Statement.  Without normalization and with skips around attention only, every W_Q^i of an L-layer
 * transformer can be made the identity without changing its function.  Section 3 of 003 and of 000 states the
 * hypothesis, for all results: "Our results rely on $W_Q \in \text{GL}(d)$. This holds for almost every square
 * matrix (in the Lebesgue sense)".
 *
 * Construction.  Theta_i = W_Q^i, Theta_{L+1} = I (tied head: (Theta_1')^-1), and
 *     E~ = E Theta_1          K~ = Theta_i^-1 K       V~ = Theta_i^-1 V       P~ = P Theta_1
 *     O~ = O Theta_i          up~ = Theta_i^-1 up     down~ = down Theta_{i+1}
 *
 * Why it works.  Block i maps X Theta_i to B_i(X) Theta_{i+1}: attention reads its input through
 * Theta_i^-1 and writes back in the same basis, so the skip around it adds like to like; the MLP has
 * no skip, so it may read in one basis and write in the next.  The changes of basis telescope.
 *
 * 001 has it in Lemma 3.1 ("for any invertible"), which the proof of its Theorem 4.1 applies with Theta_i = W_Q^i.
 * Which singular W_Q become I all the same is the subject of N12. */
#include "src/claim/reduce.h"

static void attention_skip_only(shape *sh)
{
    sh->attn_skip = true;
    sh->mlp_skip = false;
    sh->norm = NORM_NONE;
}

static void attention_skip_only_tied(shape *sh)
{
    attention_skip_only(sh);
    sh->tied = true;
}

static const mat *identity(scope *s, const shape *sh, basis first)
{
    (void)first;
    return mat_identity(s, sh->d);
}

static const mat *any_last(scope *s, const shape *sh, basis first)
{
    (void)first;
    return mat_draw_weight(s, "Theta", sh->d, sh->d);
}

static void head_kept(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)s;
    (void)first;
    (void)last;
    R->head = M->head;
}
static const mat *untransposed(scope *s, const shape *sh, basis first) { (void)s; (void)sh; return first.from; }

static const layer_kind query_layer[] = { QUERY_LAYER };
#define LAST(basis) { .kinds = query_layer, .nkinds = 1, .bases = BASIS_EACH, .last = basis }
static const induction ending_in_any = LAST(any_last), ending_in_identity = LAST(identity),
                       ending_untransposed = LAST(untransposed);
static const induction head_left = {
    .kinds = query_layer, .nkinds = 1, .bases = BASIS_EACH, .last = any_last, .ends = head_kept };

/* Each layer gives up its query, its key or its value. */
static const layer_kind mixed_layers[] = {
    QUERY_LAYER,
    { .name = "layer whose W_K becomes I", .chooses = reduce_key_basis,   .reduce = reduce_key_to_identity },
    { .name = "layer whose W_V becomes I", .chooses = reduce_value_basis, .reduce = reduce_value_to_identity },
};
static long in_turn(const shape *sh, long i) { (void)sh; return i % 3; }
static const layer_kind crossed_layers[] = {
    QUERY_LAYER,
    { .name = "layer whose W_V becomes I in the basis W_K",
      .chooses = reduce_key_basis, .reduce = reduce_value_to_identity },
    { .name = "layer whose W_K becomes I in the basis W_V",
      .chooses = reduce_value_basis, .reduce = reduce_key_to_identity },
};
static const induction crossed = { .kinds = crossed_layers, .nkinds = 3, .bases = BASIS_EACH, .kind_of = in_turn };
static const induction mixed = { .kinds = mixed_layers, .nkinds = 3, .bases = BASIS_EACH, .kind_of = in_turn };

static void mlp_skip_kept(trial *t)      { shape sh = t->sh; sh.mlp_skip = true; claim_built(t, sh, t->induction); }
static void norm_present(trial *t)       { shape sh = t->sh; sh.norm = NORM_RMS; claim_built(t, sh, t->induction); }
static void head_left_alone(trial *t)    { claim_built(t, t->sh, &head_left); }
static void another_goes(trial *t)       { claim_built(t, t->sh, &crossed); }
static void tied_untransposed(trial *t)  { claim_built(t, t->sh, &ending_untransposed); }
static void tied_last_identity(trial *t) { claim_built(t, t->sh, &ending_in_identity); }

static const control hypotheses[] = {
    { "mlp-skip-kept", mlp_skip_kept, "an MLP skip forces equal bases on its two sides" },
    { "norm-present",  norm_present,  "a norm does not commute with $\\Theta$" },
};
static const control any_end[] = {
    { "mlp-skip-kept",   mlp_skip_kept,   "an MLP skip forces equal bases on its two sides" },
    { "norm-present",    norm_present,    "a norm does not commute with $\\Theta$" },
    { "head-left-alone", head_left_alone, "$\\tilde W_{LM} = W_{LM}$ although $\\Theta_{L+1} \\ne I$" },
};
static const control mixing[] = {
    { "mlp-skip-kept", mlp_skip_kept, "an MLP skip forces equal bases on its two sides" },
    { "norm-present",  norm_present,  "a norm does not commute with $\\Theta$" },
    { "another-goes",  another_goes,  "$\\Theta_i = W_K^i$ and $\\tilde W_V^i = I$" },
};
static const control tying[] = {
    { "tied-untransposed",  tied_untransposed,  "$\\Theta_{L+1} = \\Theta_1^{-1}$, without the transpose" },
    { "tied-last-identity", tied_last_identity, "$\\Theta_{L+1} = I$ although the head is tied" },
};
#define BY(table) .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &table
static const part parts[] = {
    { .name = "as-stated", BY(reduction_attention_skip),
      .assumes = "invertible W_Q",
      .statement = "all $W_Q^i \\in \\mathrm{GL}(d)$ (Section 3 of 003 and of 000): the reduced model with "
                   "$\\tilde W_Q^i = I$ is the same function (untied head, $\\Theta_{L+1}=I$)",
      CONTROLS(hypotheses) },
    { .name = "as-stated-any",
      .models = "norm = none; mlp_skip = 0; parallel = 0; tied = 0", BY(ending_in_any), .no_large = true,
      .assumes = "invertible Theta; invertible W_Q",
      .statement = "the same, all $W_Q^i \\in \\mathrm{GL}(d)$, with any $\\Theta_{L+1} \\in \\mathrm{GL}(d)$",
      CONTROLS(any_end) },
    { .name = "as-stated-tied", BY(reduction_attention_skip), .no_large = true,
      .prepare = attention_skip_only_tied,
      .assumes = "invertible W_Q",
      .statement = "all $W_Q^i \\in \\mathrm{GL}(d)$: a tied head stays tied with $\\Theta_{L+1} = "
                   "(\\Theta_1^\\top)^{-1}$",
      CONTROLS(tying) },
    { .name = "as-stated-mixed",
      .models = "norm = none; h_kv = h; mlp_skip = 0; parallel = 0", BY(mixed), .no_large = true,
      .assumes = "invertible W_K; invertible W_Q; invertible W_V",
      .statement = "$W_Q^i$, $W_K^i$ or $W_V^i$ may be chosen layer by layer, if the chosen one is in "
                   "$\\mathrm{GL}(d)$ (untied head)",
      CONTROLS(mixing) },
};
static const quotation quotes[] = {
    { TEXT_001, "Theorem 4.1", "be the MLP and attention weights in the -th layer for in the -layer "
      "decoder-only transformer without normalization and with a skip-connection only around the attention:" },
    { TEXT_001, "Theorem 4.1", "Then there exist modified weights and such that for all token sequences of "
      "permissible length:" },
    { TEXT_003, "Theorem 4.4", "Consider an L -layer encoder-only or decoder-only transformer without "
      "normalization and with skip connections only around attention." },
    { TEXT_003, "Theorem 4.4", "Then there exist modified weights $(\\tilde{E}, \\tilde{E}_P, "
      "\\tilde{W}_{head}, \\tilde{W}_{MLP_u}^i, \\tilde{W}_{MLP_d}^i, \\tilde{W}_K^i, \\tilde{W}_V^i, "
      "\\tilde{W}_O^i)_{i=1}^L$ such that the transformer with weights $(\\tilde{E}, \\tilde{E}_P, "
      "\\tilde{W}_{head}, (\\tilde{W}_{MLP_u}^i, \\tilde{W}_{MLP_d}^i, \\text{Id}, \\tilde{W}_K^i, "
      "\\tilde{W}_V^i, \\tilde{W}_O^i)_{i=1}^L)$ produces identical outputs to the original." },
    { TEXT_000, "Theorem 4.2", "Consider an -layer encoder-only or decoder-only transformer without "
      "normalization and with skip connections only around attention." },
    { TEXT_000, "Theorem 4.2", "Then there exist modified weights such that the transformer with these weights "
      "produces identical outputs to the original." },
};
static const quotation standing[] = {
    { TEXT_001, "Lemma 3.1", "Then for any invertible and any , there exist matrices such that" },
    W_Q_IS_INVERTIBLE,
};
static const claim K_T4_4 = {
    .id = "K-T4.4", .title = "attention-skip-only elimination in all layers",
    .where = "001 Theorem 4.1; 003 Theorem 4.4; 000 Theorem 4.2",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; skips around attention only; all $W_Q^i \\in \\mathrm{GL}(d)$",
    .construction = "$\\Theta_i = W_Q^i$: $\\tilde E = E\\Theta_1$, $\\tilde E_P = E_P\\Theta_1$, "
                    "$\\tilde W_{K,V,u}^i = \\Theta_i^{-1}W_{K,V,u}^i$, $\\tilde W_O^i = W_O^i\\Theta_i$, "
                    "$\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "Block $i$ sends $X\\Theta_i$ to $B_i(X)\\Theta_{i+1}$; the changes of basis telescope, the embedding "
           "absorbs the first and the head the last.  $W_Q^i \\in \\mathrm{GL}(d)$ is what Section 3 of 003 and of 000 "
           "presupposes for all results; 001 has it in Lemma 3.1, which its proof applies with $\\Theta_i = W_Q^i$.",
    .models = "norm = none; mlp_skip = 0; parallel = 0",
    .prepare = attention_skip_only, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1 K-L-intertwine",
};
THEOREM_PROGRAM(K_T4_4)
