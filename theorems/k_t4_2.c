/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_t4_2.c - K-T4.2, the single-layer free lunch.
 *
 * Statement.  Without normalization, with all skips and an untied head, the query matrix of any one
 * layer j with W_Q^j in GL(d) can be made the identity without changing the function.
 *
 * Construction.  Theta = W_Q^j everywhere:
 *     E~ = E Theta          P~ = P Theta           head~ = Theta^-1 head
 *     Q~, K~, V~, up~ = Theta^-1 (Q, K, V, up)     O~, down~ = (O, down) Theta      in every layer,
 * so that Q~^j = I.  Gates and routers read the stream like up; b_O and b_down write to it like down.
 * Rectangular heads (h dk < d): Theta = (W_Q^j | C) for any C that makes it invertible; Q~^j = (I; 0).
 *
 * Why it works.  X~ = X Theta is the stream in another basis.  Whatever reads it undoes the change,
 * whatever writes to it follows, and a skip carries it along.  Masks, RoPE, QK-norm and the grouping of
 * heads act after the projections and never see it.  One Theta serves one W_Q; P~ must be free to
 * take any value, so a fixed sinusoidal P becomes a learned one.                                     */
#include "src/claim/reduce.h"

static void all_skips(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
}

/* Every layer j; of a deep model the middle one. */
static const layer_kind square[] = { QUERY_LAYER, OTHER_LAYER };
static const induction each_layer = { .kinds = square, .nkinds = 2, .bases = BASIS_ONE, .which = LAYER_ANY };

/* h dk < d: every W_Q of full column rank is the beginning of some Theta in GL(d). */
static const mat *first_columns(const layer_site *at, const mat *A)
{
    return mat_cols(at->s, A, 0, at->sh.h * at->sh.dk);
}
static void begins_theta(const layer_site *at, layer *W) { W->Q = first_columns(at, at->in.to); }

static void unit_columns(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->Q = first_columns(at, mat_identity(at->s, at->sh.d));
}
static const layer_kind narrow_layers[] = {
    { .name = "layer whose W_Q begins Theta", .plant = begins_theta, .reduce = unit_columns }, OTHER_LAYER };
static const induction rectangular = { .kinds = narrow_layers, .nkinds = 2, .bases = BASIS_ONE };
static const layer_kind any_layers[] = {
    { .name = "layer with any W_Q", .reduce = unit_columns }, OTHER_LAYER };
static const induction not_beginning = { .kinds = any_layers, .nkinds = 2, .bases = BASIS_ONE };

/* ---- controls: the first layer is eliminated, something in the last is wrong ---------------------- */

/* The reduced model R and the last layer of it, where the damage is done, beside those of the original. */
typedef struct { scope *s; model *R; const model *M; layer *bad; const layer *good; } damaged;
typedef void damage_fn(const damaged *at);

static void broken(trial *t, shape sh, damage_fn *damage)
{
    model_pair r = reduce_queries(&t->s, &sh, ONE_LAYER);
    const long last = sh.L - 1;
    if (damage) damage(&(damaged){ &t->s, &r.R, &r.M, &r.R.at[last], &r.M.at[last] });
    claim_same_function(t, &r.M, &r.R);
}

static void leave_embedding(const damaged *at)            { at->R->E = at->M->E; }
static void leave_positions(const damaged *at)            { at->R->P = at->M->P; }
static void leave_head(const damaged *at)                 { at->R->head = at->M->head; }
static void leave_query(const damaged *at)                { at->bad->Q = at->good->Q; }
static void leave_key(const damaged *at)                  { at->bad->K = at->good->K; }
static void leave_value(const damaged *at)                { at->bad->V = at->good->V; }
static void leave_output(const damaged *at)               { at->bad->O = at->good->O; }
static void leave_up(const damaged *at)                   { at->bad->expert[0].up = at->good->expert[0].up; }
static void leave_down(const damaged *at)                 { at->bad->expert[0].down = at->good->expert[0].down; }
static void identity_in_two(const damaged *at)                  { at->bad->Q = mat_identity(at->s, at->M->s.d); }
static void leave_bias(const damaged *at)                 { at->bad->bO = at->good->bO; }
static void leave_gate(const damaged *at)                 { at->bad->expert[0].gate = at->good->expert[0].gate; }
static void leave_router(const damaged *at)               { at->bad->router = at->good->router; }
static void leave_expert(const damaged *at)               { at->bad->expert[2] = at->good->expert[2]; }
static void turn_heads(const damaged *at)               { reduce_turn_queries_and_keys(at->s, &at->R->s, at->bad); }

static void embedding(trial *t) { broken(t, t->sh, leave_embedding); }
static void positions(trial *t) { broken(t, t->sh, leave_positions); }
static void head(trial *t)      { broken(t, t->sh, leave_head); }
static void query(trial *t)     { broken(t, t->sh, leave_query); }
static void key(trial *t)       { broken(t, t->sh, leave_key); }
static void value(trial *t)     { broken(t, t->sh, leave_value); }
static void output(trial *t)    { broken(t, t->sh, leave_output); }
static void up(trial *t)        { broken(t, t->sh, leave_up); }
static void down(trial *t)      { broken(t, t->sh, leave_down); }
static void two(trial *t)       { broken(t, t->sh, identity_in_two); }
static void bias(trial *t)      { broken(t, t->sh, leave_bias); }
static void gate(trial *t)      { broken(t, t->sh, leave_gate); }
static void router(trial *t)    { broken(t, t->sh, leave_router); }
static void expert(trial *t)    { broken(t, t->sh, leave_expert); }
static void turned(trial *t)    { broken(t, t->sh, turn_heads); }

static void with_norm(trial *t, norm_kind norm) { shape sh = t->sh; sh.norm = norm; broken(t, sh, NULL); }
static void layer_norm(trial *t)  { with_norm(t, NORM_LAYER); }
static void rms_norm(trial *t)    { with_norm(t, NORM_RMS); }
static void opaque_norm(trial *t) { with_norm(t, NORM_OPAQUE); }

static void own_blocks(const damaged *at) { reduce_turn_query_heads(at->s, &at->R->s, at->bad); }

static void regrouped(trial *t)                          /* groups of two heads at least */
{
    shape sh = t->sh;
    if (sh.h == sh.h_kv) sh.d = (sh.h *= 2) * sh.dk;
    broken(t, sh, own_blocks);
}
static void any_query(trial *t)   { claim_built(t, t->sh, &not_beginning); }
static void tied(trial *t)        { shape sh = t->sh; sh.tied = true; broken(t, sh, NULL); }

static const control hypotheses[] = {
    { "E-left-alone",    embedding,   "$\\tilde E = E$" },
    { "P-left-alone",    positions,   "$\\tilde E_P = E_P$" },
    { "head-left-alone", head,        "$\\tilde W_{LM} = W_{LM}$" },
    { "Q-left-alone",    query,       "$\\tilde W_Q^i = W_Q^i$ in another layer" },
    { "K-left-alone",    key,         "$\\tilde W_K^i = W_K^i$ in another layer" },
    { "V-left-alone",    value,       "$\\tilde W_V^i = W_V^i$ in another layer" },
    { "O-left-alone",    output,      "$\\tilde W_O^i = W_O^i$ in another layer" },
    { "up-left-alone",   up,          "$\\tilde W_u^i = W_u^i$ in another layer" },
    { "down-left-alone", down,        "$\\tilde W_d^i = W_d^i$ in another layer" },
    { "two-layers",      two,         "one $\\Theta$ cannot make two $W_Q$ the identity" },
    { "layer-norm",      layer_norm,  "LayerNorm does not commute with $\\Theta$" },
    { "rms-norm",        rms_norm,    "RMSNorm does not commute with $\\Theta$" },
    { "opaque-norm",     opaque_norm, "nor does a norm of which nothing is known" },
    { "tied",            tied,        "a tied head stays tied: $\\Theta\\Theta^\\top$ is left over" },
};
static const control bias_left[] = { { "bO-left-alone", bias, "$\\tilde b_O^i = b_O^i$ in another layer" } };
static const control gate_left[] = { { "gate-left-alone", gate, "$\\tilde W_g^i = W_g^i$ in another layer" } };
static const control not_commuting[] = {
    { "D-not-commuting", turned, "$W_Q^iD$ and $W_K^iD^{-\\top}$ in another layer: rotations stand between them" } };
static const control not_orthogonal[] = {
    { "D-not-orthogonal", turned, "$W_Q^iD$ and $W_K^iD^{-\\top}$ in another layer: norms stand between them" } };
static const control wrong_heads[] = {
    { "K-left-alone",     key,       "$\\tilde W_K^i = W_K^i$ in another layer" },
    { "D-per-query-head", regrouped, "query heads that share a key head take different $D_a$ in another layer" } };
static const control beside[] = {
    { "up-left-alone", up,  "$\\tilde W_u^i = W_u^i$ in another layer, beside an attention that is rewritten" },
    { "two-layers",    two, "one $\\Theta$ cannot make two $W_Q$ the identity" } };
static const control rectangular_controls[] = {
    { "any-query", any_query, "$\\tilde W_Q^j = (I;0)$ where $W_Q^j$ is not the beginning of $\\Theta$" } };
static const control moe_left[]  = {
    { "router-left-alone", router, "$\\tilde W_r^i = W_r^i$ in another layer: the router reads the stream as well" },
    { "one-expert-left-alone", expert, "one expert of another layer is not transformed: one $\\Theta$ serves all" } };

/* ---- variants: small, and with another activation than the statement itself ------------------------ */

static void small(shape *sh)
{
    all_skips(sh);
    sh->act = ACT_SILU;
    sh->L = 2;
    if (sh->m > 9) sh->m = 9;
}

static void heads(shape *sh, long h, long dk, long d)
{
    small(sh);
    sh->h = sh->h_kv = h;
    sh->dk = sh->scale_den = dk;
    sh->d = d;
}

static void biases(shape *sh)   { small(sh); sh->biases = true; }
static void gated(shape *sh)    { small(sh); sh->gated = true; }
static void experts(shape *sh)  { small(sh); sh->experts = 3; }
static void qk_norm(shape *sh)  { small(sh); sh->qk_norm = true; }
static void mqa(shape *sh)      { small(sh); sh->h_kv = 1; }
static void parallel(shape *sh) { small(sh); sh->parallel = true; }
static void gqa(shape *sh)      { heads(sh, 4, sh->h == 4 ? sh->dk : 1, sh->h == 4 ? sh->d : 4); sh->h_kv = 2; }
static void rope(shape *sh)     { heads(sh, sh->h, 2, 2 * sh->h); sh->rope = true; }
static void narrow(shape *sh)   { heads(sh, sh->h, sh->dk > 2 ? 2 : 1, sh->d); }

#define VARIANT(title, setting, text, ...) \
    { .name = title, .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &each_layer, \
      .prepare = setting, .no_large = true, .statement = text, __VA_ARGS__ }
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &each_layer,
      CONTROLS(hypotheses),
      .assumes = "invertible W_Q",
      .statement = "for every layer $j$ with $W_Q^j \\in \\mathrm{GL}(d)$ the model with $\\tilde W_Q^j = I$ "
                   "is the same function (any mask, any width, any depth)" },
    VARIANT("as-stated-bias",  biases,   "with biases: $\\tilde b_O = b_O\\Theta$, $\\tilde b_d = b_d\\Theta$, the "
                               "others stay", CONTROLS(bias_left)),
    VARIANT("as-stated-gated", gated,    "with a gated MLP: $\\tilde W_g = \\Theta^{-1}W_g$", CONTROLS(gate_left)),
    VARIANT("as-stated-experts", experts, "with a mixture of experts: $\\tilde W_r = \\Theta^{-1}W_r$ for the router",
            CONTROLS(moe_left)),
    VARIANT("as-stated-rope",  rope,     "with rotary positions", CONTROLS(not_commuting)),
    VARIANT("as-stated-with-qk-norm", qk_norm, "with QK-norm", .without = "q", .why_without = "q has no square roots",
            CONTROLS(not_orthogonal)),
    VARIANT("as-stated-grouped-queries", gqa, "with grouped queries: two key-value heads", CONTROLS(wrong_heads)),
    VARIANT("as-stated-multi-query", mqa, "with multi-query attention: one key-value head", CONTROLS(wrong_heads)),
    VARIANT("as-stated-parallel",   parallel, "with parallel blocks", CONTROLS(beside)),
    { .name = "as-stated-rectangular", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &rectangular,
      .prepare = narrow, .no_large = true,
      .assumes = "invertible Theta; constrained W_Q", CONTROLS(rectangular_controls),
      .statement = "with $h d_k < d$ and $\\Theta = (W_Q^j\\,|\\,C) \\in \\mathrm{GL}(d)$: $\\tilde W_Q^j = "
                   "(I;0)$" },
};
static const quotation quotes[] = {
    { TEXT_003, "Theorem 4.2", "Consider an L -layer encoder-only or decoder-only transformer without "
      "normalization, with all skip connections, and with untied weights." },
    { TEXT_003, "Theorem 4.2", "For any $j \\in \\{1, \\dots, L\\}$ with $W_Q^j \\in \\text{GL}(d)$, there "
      "exist modified weights $(\\tilde{E}, \\tilde{E}_P, \\tilde{W}_{head}, \\tilde{W}_{\\text{MLP}_u}^i, "
      "\\tilde{W}_{\\text{MLP}_d}^i, \\tilde{W}_Q^i, \\tilde{W}_K^i, \\tilde{W}_V^i, \\tilde{W}_O^i)_{i=1}^L$ "
      "such that $\\tilde{W}_Q^j = \\text{Id}$ and the transformer with weights $(\\tilde{E}, \\tilde{E}_P, "
      "\\tilde{W}_{head}, (\\tilde{W}_{\\text{MLP}_u}^i, \\tilde{W}_{\\text{MLP}_d}^i, \\tilde{W}_Q^i, "
      "\\tilde{W}_K^i, \\tilde{W}_V^i, \\tilde{W}_O^i)_{i=1}^L)$ produces identical outputs to the original." },
    { TEXT_000, "Theorem 4.1", "Consider an -layer encoder-only or decoder-only transformer without "
      "normalization, with standard skip connections around both attention and MLP in each block, and with "
      "untied weights." },
    { TEXT_000, "Theorem 4.1", "For any with , there exist modified weights such that and the transformer with "
      "these modified weights produces identical outputs to the original." },
    { TEXT_000, "Section 4.2", "Query weight can always be eliminated, regardless of skip connection configuration." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_T4_2 = {
    .id = "K-T4.2", .title = "single-layer free lunch",
    .where = "003 Theorem 4.2; 000 Section 4.2 and Theorem 4.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; all skips; untied head; $W_Q^j \\in \\mathrm{GL}(d)$; learned positions",
    .construction = "$\\Theta = W_Q^j$: $\\tilde E = E\\Theta$, $\\tilde E_P = E_P\\Theta$, "
                    "$\\tilde W_{Q,K,V,u}^i = \\Theta^{-1}W_{Q,K,V,u}^i$, $\\tilde W_{O,d}^i = "
                    "W_{O,d}^i\\Theta$, $\\tilde W_{LM} = \\Theta^{-1}W_{LM}$",
    .why = "The whole stream is written in the basis $\\Theta$: what reads it undoes the change, what writes "
           "to it follows, the skips carry it along.  One basis asks nothing of the skips: theorem `one_layer` of "
           "k_t4_2.v is for any, as 000 says.",
    .assumes = "invertible W_Q",
    .models = "norm = none; tied = 0",
    .prepare = all_skips, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1",
};
THEOREM_PROGRAM(K_T4_2)
