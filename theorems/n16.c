/* SPDX-License-Identifier: GPL-3.0-or-later
 * n16.c - N16, which axioms of the softmax each result needs.
 *
 * Statement.  Let attention use any map from the visible scores of a row to weights.
 *   Level 0, no axiom: Observation 3.1, Lemma 3.1, Propositions 3.2 and 4.1, Theorems 4.2, 4.3, 4.4, N1.
 *   Level 1, invariance under adding a constant to the row: the key bias is redundant, b_K~ = 0.
 *   Level 2, and weights that sum to 1: the value bias moves to the output, b_V~ = 0, b_O~ = b_O + b_V W_O.
 * Each level is needed: with an axiom less the statement fails.
 *
 * Why it works.  Level 0: the two models have equal scores, entry by entry.  Level 1: q (k_j + b_K)' = q k_j' + q
 * b_K', and the last term is the same for all j.  Level 2: A (V + 1 b_V) = A V + (A 1) b_V = A V + 1 b_V. The query
 * bias is not redundant: (q + b_Q) k_j' = q k_j' + b_Q k_j' depends on j.
 *
 * A row map without the axiom is opaque where functions are opaque (fp, sym), and linear attention, which has
 * neither axiom, where they are known.                                                                    */
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

static void free_map(shape *sh, reduction which)
{
    reduce_switches(sh, which);
    sh->attention = ROWMAP_OPAQUE;
}
static void one_layer(shape *sh)      { free_map(sh, ONE_LAYER); }
static void shared_block(shape *sh)   { free_map(sh, SHARED_BLOCK); }
static void attention_skip(shape *sh) { free_map(sh, ATTENTION_SKIP); }
static void one_head(shape *sh)       { one_layer(sh); sh->h = sh->h_kv = 1; sh->dk = sh->scale_den = sh->d; }
static void shift(shape *sh)          { one_layer(sh); sh->attention = ROWMAP_SHIFT;      sh->biases = true; }
static void stochastic(shape *sh)     { one_layer(sh); sh->attention = ROWMAP_STOCHASTIC; sh->biases = true; }

/* ---- level 0 --------------------------------------------------------------------------------------------- */

/* Proposition 3.2 and N1 in every layer; `transposed`: D^-1 in place of D^-T for the keys */
static void turn_pairs(const layer_site *at, const layer *W, layer *R, bool transposed)
{
    scope *s = at->s;
    const mat *D[2][MAX_HEADS];
    for (long a = 0; a < 2 * at->sh.h; a++) D[a % 2][a / 2] = induction_layer_draw(at, "D", a, at->sh.dk, at->sh.dk);
    gauge_query_key(s, &at->sh, R, D[0]);
    gauge_value_output(s, &at->sh, R, D[1]);
    if (transposed) R->K = mat_mul(s, W->K, mat_inv(s, mat_blockdiag(s, at->sh.h, D[0])));
}
static void turned(const layer_site *at, const layer *W, layer *R)        { turn_pairs(at, W, R, false); }
static void turned_wrongly(const layer_site *at, const layer *W, layer *R) { turn_pairs(at, W, R, true); }

/* ---- tables: every layer is rewritten by one function, the stream keeps its basis ------------------------ */

#define IN_PLACE(rewritten) \
    { .kinds = (const layer_kind[]){ { .name = "layer rewritten in place", .reduce = rewritten } }, \
      .nkinds = 1, .bases = BASIS_NONE }
static const induction both_pairs = IN_PLACE(turned);
static const induction pairs_untransposed = IN_PLACE(turned_wrongly);

/* Theorems 4.2 to 4.4 and Proposition 4.1 with one factor of the construction left out. */
static void keys_stay(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->K = W->K;
}

static void values_last(const layer_site *at, const layer *W, layer *R)
{
    R->K = mat_mul(at->s, W->K, mat_t(at->s, W->Q));
    R->V = mat_mul(at->s, W->O, W->V);
    R->Q = R->O = mat_identity(at->s, at->sh.d);
}
static const layer_kind keys_stay_layers[] = {
    { .name = "layer whose W_K stays", .chooses = reduce_query_basis, .reduce = keys_stay }, OTHER_LAYER };
static const induction keys_stay_one  = { .kinds = keys_stay_layers, .nkinds = 2, .bases = BASIS_ONE };
static const induction keys_stay_all  = { .kinds = keys_stay_layers, .nkinds = 1, .bases = BASIS_ONE };
static const induction keys_stay_each = { .kinds = keys_stay_layers, .nkinds = 1, .bases = BASIS_EACH };
static const induction values_turned = IN_PLACE(values_last);

/* ---- levels 1 and 2 ------------------------------------------------------------------------------------------- */

static void drop_key(const layer_site *at, const layer *W, layer *R)   { (void)at; (void)W; R->bK = NULL; }
static void drop_query(const layer_site *at, const layer *W, layer *R) { (void)at; (void)W; R->bQ = NULL; }

static void move_value(const layer_site *at, const layer *W, layer *R)
{
    R->bO = mat_add(at->s, W->bO, mat_mul(at->s, W->bV, W->O));
    R->bV = NULL;
}
static const induction key_bias = IN_PLACE(drop_key);
static const induction no_query_bias = IN_PLACE(drop_query);
static const induction value_bias = IN_PLACE(move_value);

/* An axiom less than the level has. */
static void less(trial *t, rowmap_kind opaque)
{
    shape sh = t->sh;
    sh.attention = claim_over(t, OVER_FORMAL) ? opaque : ROWMAP_LINEAR;
    claim_built(t, sh, t->induction);
}

static void key_kept_one(trial *t)    { claim_built(t, t->sh, &keys_stay_one); }
static void key_kept_all(trial *t)    { claim_built(t, t->sh, &keys_stay_all); }
static void key_kept_each(trial *t)   { claim_built(t, t->sh, &keys_stay_each); }
static void value_last(trial *t)      { claim_built(t, t->sh, &values_turned); }
static void mlp_skip(trial *t)        { shape sh = t->sh; sh.mlp_skip = true; claim_built(t, sh, t->induction); }
static void unshared(trial *t)        { shape sh = t->sh; sh.shared = 0;      claim_built(t, sh, t->induction); }

static void two_heads(trial *t)
{
    shape sh = t->sh;
    sh.h = sh.h_kv = sh.d % 2 ? sh.d : 2;
    sh.dk = sh.scale_den = sh.d / sh.h;
    claim_built(t, sh, t->induction);
}
static void untransposed(trial *t)    { claim_built(t, t->sh, &pairs_untransposed); }
static void query_bias(trial *t)      { claim_built(t, t->sh, &no_query_bias); }
static void key_bias_free(trial *t)   { less(t, ROWMAP_OPAQUE); }
static void value_bias_less(trial *t) { less(t, ROWMAP_SHIFT); }

static const control of_4_2[] = { { "key-kept", key_kept_one, "$W_K$ of the chosen layer is not transformed" } };
static const control of_4_3[] = {
    { "key-kept", key_kept_all, "$W_K$ is not transformed" },
    { "unshared", unshared,     "layers of their own: $\\Theta = W_Q$ of the first is not that of the others" },
};
static const control of_4_4[] = {
    { "key-kept", key_kept_each, "$W_K$ is not transformed" },
    { "mlp-skip", mlp_skip,      "a skip around the MLP forces equal bases on its two sides" },
};
static const control of_4_1[] = {
    { "value-last", value_last, "$W_OW_V$ in place of $W_VW_O$" },
    { "two-heads",  two_heads,  "two heads collapsed as if they were one" },
};
static const control of_pairs[] = { { "untransposed", untransposed, "$D^{-1}$ in place of $D^{-\\top}$" } };
static const control level_1[] = {
    { "no-axiom",   key_bias_free, "a row map that is not invariant under shifts" },
    { "query-bias", query_bias,    "$b_Q$ is dropped instead" },
};
static const control level_2[] = { { "no-sum", value_bias_less, "weights that do not sum to 1" } };
#define NOT_LINEAR NOT_RATIONALS("q has linear attention only, which has neither axiom")
static const part parts[] = {
    INDUCTIVE_PART("as-stated-theorem-4.2", reduction_one_layer, one_layer, .models = "norm = none; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_4_2),
                 .statement = "level 0: Theorem 4.2 for any row map"),
    INDUCTIVE_PART("as-stated-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_4_3),
                 .statement = "level 0: Theorem 4.3 for any row map"),
    INDUCTIVE_PART("as-stated-theorem-4.4", reduction_attention_skip, attention_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_4_4),
                 .statement = "level 0: Theorem 4.4 likewise"),
    INDUCTIVE_PART("as-stated-pair", both_pairs, one_layer, .models = "rope = 0; qk_norm = 0",
                   .assumes = "invertible D",
                 CONTROLS(of_pairs),
                 .statement = "level 0: Proposition 3.2 and N1 for any row map"),
    INDUCTIVE_PART("as-stated-proposition-4.1", reduction_single_head, one_head,
                   .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
                   .assumes = "h = 1",
                 CONTROLS(of_4_1),
                 .statement = "level 0: Proposition 4.1 for any row map"),
    INDUCTIVE_PART("as-stated-key-bias", key_bias, shift, .models = "biases = 1; rope = 0; qk_norm = 0",
                   .assumes = "shift-invariant row map",
                 CONTROLS(level_1), NOT_LINEAR,
                 .statement = "level 1: $b_K$ can be dropped if the row map is invariant under shifts"),
    INDUCTIVE_PART("as-stated-value-bias", value_bias, stochastic, .models = "h_kv = h; biases = 1",
      .assumes = "rows sum to 1; shift-invariant row map",
                 CONTROLS(level_2), NOT_LINEAR,
                 .statement = "level 2: $\\tilde b_V = 0$, $\\tilde b_O = b_O + b_VW_O$ if the map is invariant "
                              "under shifts and the weights sum to 1"),
};
static const claim N16 = {
    .id = "N16", .title = "which axioms of the softmax each result needs", .where = "new",
    .hypotheses = "any map from the visible scores of a row to weights, with no axiom, shift invariance, or that and "
                  "sum 1; the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$, all $D_a \\in \\mathrm{GL}(d_k)$",
    .construction = "$\\tilde b_K = 0$; $\\tilde b_V = 0$, $\\tilde b_O = b_O + b_VW_O$; the others as in their "
                    "programs",
    .why = "Reduced models have the scores of the originals entry by entry, so any row map may follow.  A key bias "
           "adds $qb_K^\\top$ to a whole row of scores; a value bias comes out of $A(V + 1b_V)$ as $(A1)b_V$.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-O3.1 K-L3.1 K-P3.2 K-P4.1 K-T4.2 K-T4.3 K-T4.4 N1",
};
THEOREM_PROGRAM(N16)
