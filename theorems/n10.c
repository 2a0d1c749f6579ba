/* n10.c - N10, Graef's elimination of W_Q and W_O together.
 *
 * Statement.  In skipless transformers without normalization W_Q and W_O can both be made the identity in all
 * layers (the papers cite this from Graef); W_O need not be invertible.
 *
 * Construction.  h dk = d.  Theta_i = W_Q^i in front of block i, Theta_{L+1} = I, and
 *     Q~ = I,  K~ = Theta_i^-1 K,  V~ = Theta_i^-1 V,  O~ = I,  up~ = O up,  down~ = down Theta_{i+1}.
 * Routers and gates read what W_u reads, so they become O W_r, O W_g.  Tied: Theta_{L+1} = Theta_1'^-1.
 *
 * Why it works.  Without a skip nothing but the MLP sees S W_O, so W_O moves into it: (S W_O) W_u = S (W_O W_u).  The
 * bases of the stream change in front of each block as in Theorem 4.4.  A skip around attention would add X to S W_O
 * and
 * still need W_O; a norm would stand between W_O and W_u.                                                    */
#include "src/reduce.h"

static void skipless(shape *sh)
{
    reduction_switches(sh, ATTENTION_SKIP);
    sh->attn_skip = sh->mlp_skip = false;
}
static void tied_head(shape *sh) { skipless(sh); sh->tied = true; }
static void experts(shape *sh)   { skipless(sh); sh->experts = 2; sh->gated = true; }

static const mat *after(scope *s, const mat *O, const mat *W) { return W ? mat_mul(s, O, W) : NULL; }

typedef enum { NOTHING, ATTENTION_SKIPPED, MLP_SKIPPED, NORMED, WRONG_SIDE } slip;

static void graef(trial *t, slip how, bool singular)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (how == ATTENTION_SKIPPED) sh.attn_skip = true;
    if (how == MLP_SKIPPED) sh.mlp_skip = true;
    if (how == NORMED) sh.norm = NORM_RMS;
    reduced r = { .M = model_random(s, sh) };
    const long L = r.M.s.L, d = r.M.s.d;
    for (long i = 0; i < L; i++) {
        char name[2][40];
        for (int k = 0; k < 2; k++) snprintf(name[k], sizeof name[k], "O%d.%ld", k, i);
        if (singular)
            r.M.at[i].O = mat_mul(s, mat_draw(s, name[0], d, d - 1, 0), mat_draw(s, name[1], d - 1, d, -2));
        r.at[2 * i] = basis_of(s, r.M.at[i].Q);
        r.at[2 * i + 1] = basis_identity(s, d);
    }
    r.at[2 * L] = sh.tied ? basis_of(s, mat_t(s, r.at[0].from)) : basis_identity(s, d);
    r.R = gauge_stream(s, &r.M, r.at);
    for (long i = 0; i < L; i++) {
        layer *W = &r.R.at[i];
        const mat *O = W->O;
        W->router = after(s, O, W->router);
        for (long e = 0; e < MAX_EXPERTS; e++) {
            mlp *F = &W->expert[e];
            F->up = how == WRONG_SIDE && F->up ? mat_mul(s, mat_t(s, O), F->up) : after(s, O, F->up);
            F->gate = after(s, O, F->gate);
        }
        W->Q = W->O = mat_identity(s, d);
    }
    if (how == NOTHING) claim_reduction(t, &r);
    else                claim_same_function(t, &r.M, &r.R);
}
static void both(trial *t)           { graef(t, NOTHING, false); }
static void singular(trial *t)       { graef(t, NOTHING, true); }
static void attention_skip(trial *t) { graef(t, ATTENTION_SKIPPED, false); }
static void mlp_skip(trial *t)       { graef(t, MLP_SKIPPED, false); }
static void normed(trial *t)         { graef(t, NORMED, false); }
static void wrong_side(trial *t)     { graef(t, WRONG_SIDE, false); }

static const control hypotheses[] = {
    { "attn-skip",    attention_skip, "a skip around the attention adds $X$ to $SW_O$" },
    { "mlp-skip",     mlp_skip,       "a skip around the MLP carries $SW_O$ past $W_u$" },
    { "norm-present", normed,         "a norm stands between $W_O$ and $W_u$" },
    { "transposed",   wrong_side,     "$\\tilde W_u = W_O^\\top W_u$" },
};
static const part parts[] = {
    REDUCED_PART("as-stated", both, skipless, .controls = hypotheses, .ncontrols = COUNT(hypotheses),
                 .statement = "all $\\tilde W_Q^i = \\tilde W_O^i = I$, untied"),
    REDUCED_PART("as-stated-sing", singular, skipless, .statement = "the same where every $W_O^i$ has rank at most $d "
                                                                    "- 1$"),
    REDUCED_PART("as-stated-tied", both, tied_head, .statement = "the same with a tied head, which stays tied"),
    REDUCED_PART("as-stated-moe", both, experts, .statement = "the same with a mixture of gated experts"),
};
static const claim N10 = {
    .id = "N10", .title = "query and output weights together in skipless models",
    .where = "Graef, cited in 003 Section 2; 000 Section 2; 001 Section 2",
    .hypotheses = "no normalization; no skips; $hd_k = d$; all $W_Q^i \\in \\mathrm{GL}(d)$",
    .assumes = "invertible W_Q",
    .construction = "$\\Theta_i = W_Q^i$: $\\tilde W_{K,V}^i = \\Theta_i^{-1}W_{K,V}^i$, $\\tilde W_u^i = W_O^iW_u^i$, "
                    "$\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "Nothing but the MLP sees $SW_O$, so $(SW_O)W_u = S(W_OW_u)$; the bases in front of the blocks telescope "
           "as in Theorem 4.4.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.4",
};
THEOREM_PROGRAM(N10)
