/* n4.c - N4, key and value weights together under grouped queries.
 *
 * Statement.  Where heads share keys and values, W_K and W_V are d x h_kv dk.  If (W_K | W_V) has rank 2 h_kv dk <=
 * d, both
 * become stacked identities at once, W_K~ = (I; 0; 0), W_V~ = (0; I; 0), in one layer of a model with all skips, or in
 * every layer of one with skips around attention only: 2 h_kv dk d weights of a layer.
 *
 * Construction.  Theta = (W_K | W_V | C) with any C that makes it invertible; the rest as in Theorems 4.2 and 4.4.
 *
 * Why it works.  Theta^-1 W_K are the first columns of Theta^-1 Theta = I, Theta^-1 W_V the next ones.  For plain
 * multi-head attention 2 h dk = 2 d > d, so one of the two must stay: that is Remark 1.                     */
#include "src/reduce.h"

static void groups(shape *sh, reduction which)
{
    reduction_switches(sh, which);
    sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;                  /* 2 h_kv dk <= h dk = d */
}
static void one_layer(shape *sh)      { groups(sh, ONE_LAYER); }
static void attention_skip(shape *sh) { groups(sh, ATTENTION_SKIP); }
static void mqa(shape *sh)            { attention_skip(sh); sh->h_kv = 1; }

typedef enum { NOTHING, EXCHANGED, QUERY_KEPT, TOO_WIDE } slip;

static void together(trial *t, slip how)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (how == TOO_WIDE) sh.h_kv = sh.h;
    reduced r = { .M = model_random(s, sh) };
    const long d = sh.d, k = sh.h_kv * sh.dk, L = r.M.s.L, layers = sh.mlp_skip ? 1 : L;
    const mat *I = mat_identity(s, d);
    for (long i = 0; i < layers; i++) {
        char name[32];
        snprintf(name, sizeof name, "Theta.%ld", i);
        const mat *Theta = mat_draw(s, name, d, d, log2_fan_in(d));       /* its columns are W_K, W_V and C */
        r.M.at[i].K = mat_cols(s, Theta, 0, k);
        if (how != TOO_WIDE) r.M.at[i].V = mat_cols(s, Theta, k, k);
        r.at[2 * i] = r.at[2 * i + 1] = basis_of(s, Theta);
    }
    for (long i = 2 * layers; i <= 2 * L; i++) r.at[i] = layers == 1 ? r.at[0] : basis_identity(s, d);
    r.R = gauge_stream(s, &r.M, r.at);
    for (long i = 0; i < layers; i++) {
        const mat *first = mat_cols(s, I, 0, k), *next = how == TOO_WIDE ? first : mat_cols(s, I, k, k);
        r.R.at[i].K = how == EXCHANGED ? next : first;
        r.R.at[i].V = how == EXCHANGED ? first : next;
        if (how == QUERY_KEPT) r.R.at[i].Q = r.M.at[i].Q;
    }
    if (how == NOTHING) claim_reduction(t, &r);
    else                claim_same_function(t, &r.M, &r.R);
}
static void both(trial *t)       { together(t, NOTHING); }
static void exchanged(trial *t)  { together(t, EXCHANGED); }
static void query_kept(trial *t) { together(t, QUERY_KEPT); }
static void too_wide(trial *t)   { together(t, TOO_WIDE); }

static const control slips[] = {
    { "exchanged",  exchanged,  "$\\tilde W_K = (0; I; 0)$, $\\tilde W_V = (I; 0; 0)$" },
    { "query-kept", query_kept, "$W_Q$ is not transformed" },
    { "too-wide",   too_wide,   "$2h_{kv}d_k > d$: $W_K$ and $W_V$ both to $I$ by $\\Theta = W_K$" },
};
static const shape_case shapes[] = {
    { { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 5, .d = 6, .h = 3, .m = 9, .V = 7, .L = 2, .mask = MASK_FULL }, false },
    { { .n = 5, .d = 8, .h = 4, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY }, false },
};
static const part parts[] = {
    REDUCED_PART("as-stated", both, one_layer, .controls = slips, .ncontrols = COUNT(slips),
                 .statement = "all skips, two query heads (or three) for each key head: $W_K$ and $W_V$ of one layer"),
    REDUCED_PART("as-stated-skip", both, attention_skip, .controls = slips, .ncontrols = COUNT(slips),
                 .statement = "skips around attention only: $W_K$ and $W_V$ of every layer"),
    REDUCED_PART("as-stated-mqa", both, mqa, .statement = "the same with one key-value head"),
};
static const claim N4 = {
    .id = "N4", .title = "key and value weights together under grouped queries", .where = "new; completes 003 Remark 1",
    .hypotheses = "no normalization; untied head; $\\mathrm{rank}\\,(W_K\\,|\\,W_V) = 2h_{kv}d_k \\le d$",
    .assumes = "invertible Theta",
    .construction = "$\\Theta = (W_K\\,|\\,W_V\\,|\\,C)$: $\\tilde W_K = (I; 0; 0)$, $\\tilde W_V = (0; I; 0)$",
    .why = "$\\Theta^{-1}W_K$ and $\\Theta^{-1}W_V$ are columns of $\\Theta^{-1}\\Theta = I$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.4 K-R1",
};
THEOREM_PROGRAM(N4)
