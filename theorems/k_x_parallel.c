/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_parallel.c - K-X-parallel, query weight elimination in parallel blocks.
 *
 * Statement.  The framework covers parallel attention-MLP blocks X' = X + Attn(X) + MLP(X).  (001 says that it may
 * explain them and leaves the connection to future work.)
 *
 * Construction.  With the skip: one Theta = W_Q^j, as in Theorem 4.2; with shared blocks Theta = W_Q, as in Theorem
 * 4.3.
 * Without the skip, X' = Attn(X) + MLP(X): Theta_i = W_Q^i in front of block i, and
 *     Q~^i = I,  K~, V~, up~ = Theta_i^-1 (K, V, up),  O~, down~ = (O, down) Theta_{i+1}:
 * every W_Q becomes I, tied or not (tied: Theta_{L+1} = Theta_1'^-1).
 *
 * Why it works.  Attention and MLP of a block read one basis and write one basis.  A skip around both makes these
 * two the same, so a whole stack with skips has one Theta; without it they are free, and the bases
 * telescope as in Theorem 4.4.  There is no case between: the single skip goes around both.               */
#include "src/claim/reduce.h"

static void parallel(shape *sh, reduction which, bool skip)
{
    reduce_switches(sh, which);
    sh->parallel = true;
    sh->attn_skip = sh->mlp_skip = skip;
}

static void one_layer(shape *sh)    { parallel(sh, ONE_LAYER, true); }
static void shared_block(shape *sh) { parallel(sh, SHARED_BLOCK, true); }
static void skipless(shape *sh)     { parallel(sh, ATTENTION_SKIP, false); }
static void tied(shape *sh)         { skipless(sh); sh->tied = true; }
static void with_bias(shape *sh)    { one_layer(sh); sh->gated = sh->biases = true; }

typedef enum { MLP_READS_OUT, MLP_LEFT, SKIP } slip;

/* Bases that change from block to block; with `SKIP` the model has the skip that forbids it. */
static void broken(trial *t, slip which)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (which == SKIP) sh.attn_skip = sh.mlp_skip = true;
    model_pair r = which == SKIP ? reduce_queries(s, &sh, ATTENTION_SKIP) : reduce_by_table(t);
    mlp *F = &r.R.at[0].expert[0];
    const mlp *G = &r.M.at[0].expert[0];
    if (which == MLP_READS_OUT) F->up = mat_mul(s, r.at[1].from, G->up);
    if (which == MLP_LEFT)      *F = *G;
    claim_same_function(t, &r.M, &r.R);
}
static void reads_out(trial *t) { broken(t, MLP_READS_OUT); }
static void mlp_left(trial *t)  { broken(t, MLP_LEFT); }
static void with_skip(trial *t) { broken(t, SKIP); }

static void two_queries(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[1].Q = mat_identity(&t->s, r.M.s.d);
    claim_same_function(t, &r.M, &r.R);
}

static void unshared(trial *t)
{
    shape sh = t->sh;
    sh.shared = 0;
    claim_built(t, sh, t->induction);
}

static const control sharing[] = {
    { "unshared",       unshared, "blocks that are not shared have different $W_Q$, and one $\\Theta$" },
    { "mlp-left-alone", mlp_left, "the MLP beside the attention is not rewritten" },
};
static const control skip[] = {
    { "two-layers",     two_queries, "one $\\Theta$ cannot make two $W_Q$ the identity" },
    { "mlp-left-alone", mlp_left,    "the MLP beside the attention is not rewritten" },
    { "changing-bases", with_skip,   "$\\Theta_i = W_Q^i$ although the skip carries $X$ from block to block" },
};
static const control no_skip[] = {
    { "mlp-reads-out",  reads_out, "the MLP reads in the basis of the block's output, as in a sequential block" },
    { "mlp-left-alone", mlp_left,  "the MLP beside the attention is not rewritten" },
    { "skip-present",   with_skip, "the skip makes $\\Theta_i = \\Theta_{i+1}$" },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_one_layer, one_layer, CONTROLS(skip),
                 .statement = "parallel blocks with their skip: one $\\tilde W_Q^j = I$, as Theorem 4.2"),
    INDUCTIVE_PART("as-stated-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
                 CONTROLS(sharing),
                 .statement = "shared parallel blocks with their skip: all $\\tilde W_Q = I$, as Theorem 4.3"),
    INDUCTIVE_PART("as-stated-free", reduction_attention_skip, skipless, .models = "norm = none; attn_skip = 0",
                   CONTROLS(no_skip),
                 .statement = "parallel blocks without the skip: $\\tilde W_Q^i = I$ in all layers"),
    INDUCTIVE_PART("as-stated-tied", reduction_attention_skip, tied, .models = "norm = none; attn_skip = 0",
                 CONTROLS(no_skip),
                 .statement = "the same with a tied head, which stays tied: $\\Theta_{L+1} = (\\Theta_1^\\top)^{-1}$"),
    INDUCTIVE_PART("as-stated-with-gated-mlp", reduction_one_layer, with_bias,
                 CONTROLS(skip),
                 .statement = "as-stated with biases and gated MLPs"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 6", "Our framework (Sections 3.2 and 4) and MLP composition results (Section 5.1) may "
      "explain the effectiveness of recent architectural simplifications by He and Hofmann [HH24] to the work "
      "of Zhao et al. [ZXZ+19] in the parallel attention variant. This connection merits formal investigation "
      "as future work." },
};
static const claim K_X_PARALLEL = {
    .id = "K-X-parallel", .title = "parallel attention and MLP", .where = "001 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "no normalization; $X' = [X +] \\mathrm{Attn}(X) + \\mathrm{MLP}(X)$; the $W_Q$ that become $I$ "
                  "in $\\mathrm{GL}(d)$",
    .assumes = "invertible W_Q",
    .construction = "with the skip one $\\Theta$; without it $\\Theta_i = W_Q^i$, $\\tilde W_{K,V,u}^i = "
                    "\\Theta_i^{-1}W_{K,V,u}^i$, $\\tilde W_{O,d}^i = W_{O,d}^i\\Theta_{i+1}$",
    .why = "Attention and MLP of a parallel block read one basis and write one basis.  Its skip makes the two the "
           "same; without it they are free, and the changes of basis telescope.",
    .models = "norm = none; tied = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4",
};
THEOREM_PROGRAM(K_X_PARALLEL)
