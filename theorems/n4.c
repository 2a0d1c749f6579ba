/* SPDX-License-Identifier: GPL-3.0-or-later
 * n4.c - N4, key and value weights together under grouped queries.
 *
 * Statement.  Where heads share keys and values, W_K and W_V are d x h_kv dk.  If (W_K | W_V) has rank 2 h_kv dk <= d,
 * both become stacked identities at once, W_K~ = (I; 0; 0), W_V~ = (0; I; 0), in one layer of a model with all
 * skips, or in every layer of one with skips around attention only: 2 h_kv dk d weights of a layer.
 *
 * Construction.  Theta = (W_K | W_V | C) with any C that makes it invertible; the rest as in Theorems 4.2 and 4.4.
 *
 * Why it works.  Theta^-1 W_K are the first columns of Theta^-1 Theta = I, Theta^-1 W_V the next ones.  For plain
 * multi-head attention 2 h dk = 2 d > d, so one of the two must stay: that is Remark 1.                     */
#include "src/claim/reduce.h"

static void groups(shape *sh, reduction which)
{
    reduce_switches(sh, which);
    if (sh->h == 1) {                                     /* W_K alone has d columns then */
        sh->h = 2;
        sh->dk = sh->scale_den = sh->d / 2;
    }
    sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;                  /* 2 h_kv dk <= h dk = d */
}
static void one_layer(shape *sh)      { groups(sh, ONE_LAYER); }
static void attention_skip(shape *sh) { groups(sh, ATTENTION_SKIP); }
static void mqa(shape *sh)            { attention_skip(sh); sh->h_kv = 1; }

/* k columns of A, from column k on where `next` */
static const mat *columns(const layer_site *at, const mat *A, bool next)
{
    const long k = at->sh.h_kv * at->sh.dk;
    return mat_cols(at->s, A, next ? k : 0, k);
}

static void columns_of_theta(const layer_site *at, layer *W)
{
    W->K = columns(at, at->in.to, false);
    W->V = columns(at, at->in.to, true);
}
static void key_alone(const layer_site *at, layer *W) { W->K = columns(at, at->in.to, false); }

static void become(const layer_site *at, layer *R, bool key, bool value)
{
    const mat *I = mat_identity(at->s, at->sh.d);
    R->K = columns(at, I, key);
    R->V = columns(at, I, value);
}
static void stacked(const layer_site *at, const layer *W, layer *R)   { (void)W; become(at, R, false, true); }
static void exchange(const layer_site *at, const layer *W, layer *R)  { (void)W; become(at, R, true, false); }
static void both_first(const layer_site *at, const layer *W, layer *R) { (void)W; become(at, R, false, false); }

static void keep_query(const layer_site *at, const layer *W, layer *R)
{
    stacked(at, W, R);
    R->Q = W->Q;
}

#define STREAM_LAYERS(planting, rewriting) \
    (const layer_kind[]){ { .name = "layer with W_K and W_V in Theta", .plant = planting, .reduce = rewriting }, \
                          OTHER_LAYER }
#define IN_ONE_BASIS(planting, rewriting) \
    { .kinds = STREAM_LAYERS(planting, rewriting), .nkinds = 2, .bases = BASIS_ONE }
#define IN_EACH_BASIS(planting, rewriting) \
    { .kinds = STREAM_LAYERS(planting, rewriting), .nkinds = 1, .bases = BASIS_EACH }
static const induction both_one  = IN_ONE_BASIS(columns_of_theta, stacked);
static const induction both_each = IN_EACH_BASIS(columns_of_theta, stacked);
static const induction exchanged_one  = IN_ONE_BASIS(columns_of_theta, exchange);
static const induction exchanged_each = IN_EACH_BASIS(columns_of_theta, exchange);
static const induction kept_one  = IN_ONE_BASIS(columns_of_theta, keep_query);
static const induction kept_each = IN_EACH_BASIS(columns_of_theta, keep_query);
static const induction wide_one  = IN_ONE_BASIS(key_alone, both_first);
static const induction wide_each = IN_EACH_BASIS(key_alone, both_first);

static void exchanged(trial *t)  { claim_built(t, t->sh, t->sh.mlp_skip ? &exchanged_one : &exchanged_each); }
static void query_kept(trial *t) { claim_built(t, t->sh, t->sh.mlp_skip ? &kept_one : &kept_each); }

static void too_wide(trial *t)
{
    shape sh = t->sh;
    sh.h_kv = sh.h;
    claim_built(t, sh, sh.mlp_skip ? &wide_one : &wide_each);
}

static const control slips[] = {
    { "exchanged",  exchanged,  "$\\tilde W_K = (0; I; 0)$, $\\tilde W_V = (I; 0; 0)$" },
    { "query-kept", query_kept, "$W_Q$ is not transformed" },
    { "too-wide",   too_wide,   "$2h_{kv}d_k > d$: $W_K$ and $W_V$ both to $I$ by $\\Theta = W_K$" },
};
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 5, .d = 6, .h = 3, .m = 9, .V = 7, .L = 2, .mask = MASK_FULL } },
    { .sh = { .n = 5, .d = 8, .h = 4, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY } },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", both_one, one_layer, .models = "d = h d_k; h >= 2; norm = none; h_kv < h; tied = 0",
                   CONTROLS(slips),
                 .statement = "all skips, two query heads (or three) for each key head: $W_K$ and $W_V$ of one layer"),
    INDUCTIVE_PART("as-stated-skip", both_each, attention_skip, CONTROLS(slips),
                 .statement = "skips around attention only: $W_K$ and $W_V$ of every layer"),
    INDUCTIVE_PART("as-stated-multi-query", both_each, mqa, CONTROLS(slips),
                 .statement = "the same with one key-value head"),
};
static const claim N4 = {
    .id = "N4", .title = "key and value weights together under grouped queries", .where = "new; completes 003 Remark 1",
    .hypotheses = "no normalization; untied head; $\\mathrm{rank}\\,(W_K\\,|\\,W_V) = 2h_{kv}d_k \\le d$",
    .assumes = "invertible Theta; constrained W_K; constrained W_V",
    .construction = "$\\Theta = (W_K\\,|\\,W_V\\,|\\,C)$: $\\tilde W_K = (I; 0; 0)$, $\\tilde W_V = (0; I; 0)$",
    .why = "$\\Theta^{-1}W_K$ and $\\Theta^{-1}W_V$ are columns of $\\Theta^{-1}\\Theta = I$.",
    .models = "d = h d_k; h >= 2; norm = none; h_kv < h; mlp_skip = 0; parallel = 0",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.4 K-R1",
};
THEOREM_PROGRAM(N4)
