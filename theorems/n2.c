/* n2.c - N2, elimination in all layers with skips around MLPs only.
 *
 * Statement.  Without normalization and with skips around the MLPs only, all W_Q^i (or all W_O^i) can be made the
 * identity, untied or tied.  So it is an uninterrupted residual stream that hinders elimination, not the MLP skip
 * as such: the number of free bases is 1 + the number of sublayers without a skip, and each segment
 * between two of them can lose one matrix.
 *
 * Construction.  The basis changes across the attention: Theta_i in front of it, Theta_{i+1} behind it and behind
 * the MLP,
 *     Q~, K~, V~ = Theta_i^-1 (Q, K, V),   O~ = O Theta_{i+1},   up~ = Theta_{i+1}^-1 up,   down~ = down Theta_{i+1}.
 * Theta_i = W_Q^i makes all W_Q^i = I; Theta_{i+1} = (W_O^i)^-1 makes all W_O^i = I.  Tied: Theta_{L+1} = Theta_1'^-1.
 *
 * Why it works.  No skip goes around the attention, so W_O may write in another basis than W_Q reads.  The MLP
 * reads and writes the basis in which its skip carries the stream.                                        */
#include "src/reduce.h"

static void mlp_skip_only(shape *sh)
{
    reduction_switches(sh, ATTENTION_SKIP);
    sh->attn_skip = false;
    sh->mlp_skip = true;
}
static void tied_head(shape *sh) { mlp_skip_only(sh); sh->tied = true; }
static void switches(shape *sh)  { mlp_skip_only(sh); sh->biases = sh->gated = sh->rope = true; }

typedef enum { QUERIES, OUTPUTS } chosen;
typedef enum { NOTHING, ATTENTION_SKIPPED, NORMED, LATE, UNTRANSPOSED } slip;

static void eliminate(trial *t, chosen which, slip how)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (how == ATTENTION_SKIPPED) sh.attn_skip = true;
    if (how == NORMED) sh.norm = NORM_RMS;
    reduced r = { .M = model_random(s, sh) };
    const long L = r.M.s.L, d = r.M.s.d;
    basis Theta[MAX_LAYERS + 1] = { basis_identity(s, d) };
    for (long i = 0; i <= L; i++) {
        if (which == QUERIES && i < L) Theta[i] = basis_of(s, r.M.at[i].Q);
        else if (which == OUTPUTS && i) Theta[i] = basis_of(s, mat_inv(s, r.M.at[i - 1].O));
        else Theta[i] = basis_identity(s, d);
    }
    if (sh.tied) Theta[L] = basis_of(s, how == UNTRANSPOSED ? Theta[0].from : mat_t(s, Theta[0].from));
    for (long i = 0; i < L; i++) {
        r.at[2 * i] = Theta[i];
        r.at[2 * i + 1] = how == LATE ? Theta[i] : Theta[i + 1];
    }
    r.at[2 * L] = Theta[L];
    r.R = gauge_stream(s, &r.M, r.at);
    for (long i = 0; i < L; i++) *(which == QUERIES ? &r.R.at[i].Q : &r.R.at[i].O) = mat_identity(s, d);
    if (how == NOTHING) claim_reduction(t, &r);
    else                claim_same_function(t, &r.M, &r.R);
}
static void queries(trial *t)         { eliminate(t, QUERIES, NOTHING); }
static void outputs(trial *t)         { eliminate(t, OUTPUTS, NOTHING); }
static void attention_skip(trial *t)  { eliminate(t, QUERIES, ATTENTION_SKIPPED); }
static void normed(trial *t)          { eliminate(t, QUERIES, NORMED); }
static void late(trial *t)            { eliminate(t, QUERIES, LATE); }
static void untransposed(trial *t)    { eliminate(t, QUERIES, UNTRANSPOSED); }
static void attention_skip_o(trial *t) { eliminate(t, OUTPUTS, ATTENTION_SKIPPED); }

static const control of_queries[] = {
    { "attn-skip-kept", attention_skip, "a skip around the attention forces equal bases on its two sides" },
    { "norm-present",   normed,         "a norm does not commute with $\\Theta$" },
    { "mlp-changes",    late,           "the basis changes across the MLP, as in Theorem 4.4, although its skip is "
                                        "there" },
};
static const control of_outputs[] = {
    { "attn-skip-kept", attention_skip_o, "a skip around the attention forces equal bases on its two sides" },
};
static const control of_tied[] = { { "tied-untransposed", untransposed, "$\\Theta_{L+1} = \\Theta_1^{-1}$" } };
static const part parts[] = {
    REDUCED_PART("as-stated", queries, mlp_skip_only, .assumes = "invertible W_Q",
                 .controls = of_queries, .ncontrols = COUNT(of_queries),
                 .statement = "all $\\tilde W_Q^i = I$, untied"),
    REDUCED_PART("as-stated-WO", outputs, mlp_skip_only, .assumes = "invertible W_O",
                 .controls = of_outputs, .ncontrols = COUNT(of_outputs),
                 .statement = "all $\\tilde W_O^i = I$, untied: $\\Theta_{i+1} = (W_O^i)^{-1}$"),
    REDUCED_PART("as-stated-tied", queries, tied_head, .assumes = "invertible W_Q",
                 .controls = of_tied, .ncontrols = COUNT(of_tied),
                 .statement = "all $\\tilde W_Q^i = I$, and a tied head stays tied"),
    REDUCED_PART("as-stated-all", queries, switches, .assumes = "invertible W_Q",
                 .statement = "all $\\tilde W_Q^i = I$ with biases, gated MLPs and rotary positions"),
};
static const claim N2 = {
    .id = "N2", .title = "MLP-skip-only elimination in all layers",
    .where = "new; the counterpart of 003 Theorem 4.4, and a third way out of 003 Remark 3",
    .hypotheses = "no normalization; skips around MLPs only; all $W_Q^i$ (or $W_O^i$) in $\\mathrm{GL}(d)$",
    .construction = "$\\tilde W_{Q,K,V}^i = \\Theta_i^{-1}W_{Q,K,V}^i$, $\\tilde W_O^i = W_O^i\\Theta_{i+1}$, "
                    "$\\tilde W_u^i = \\Theta_{i+1}^{-1}W_u^i$, $\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "No skip goes around the attention, so $W_O^i$ may write in another basis than $W_Q^i$ reads; the MLP stays "
           "in the basis in which its skip carries the stream.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-L3.1",
};
THEOREM_PROGRAM(N2)
