/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_bias.c - K-X-bias, query weight elimination in models with biases.
 *
 * Statement.  Theorems 4.2, 4.3 and 4.4 hold verbatim for models with biases in every affine map.
 *
 * Construction.  The weights as in the theorems, and
 *     b_O~ = b_O Theta,   b_d~ = b_d Theta'       (they write to the stream, in the basis of its place)
 *     b_Q, b_K, b_V, b_u stay                     (they come after the maps that read the stream).
 *
 * Why it works.  (X Theta)(Theta^-1 W) + b = X W + b for a matrix that reads; (S W_O + b_O) Theta =
 * S (W_O Theta) + b_O Theta for one that writes.  Note that b_Q stays: the reduced layer computes X~ + b_Q, so
 * d parameters of the query remain.  (b_K may go, too, but for another reason: N16.)                      */
#include "src/claim/reduce.h"

static void one_layer(shape *sh)      { reduce_switches(sh, ONE_LAYER);      sh->biases = true; }
static void shared_block(shape *sh)   { reduce_switches(sh, SHARED_BLOCK);   sh->biases = true; }
static void attention_skip(shape *sh) { reduce_switches(sh, ATTENTION_SKIP); sh->biases = true; }
static void gated(shape *sh)          { one_layer(sh); sh->gated = true; }

/* The part's theorem with one bias of layer 0 that is wrong. */
typedef enum { OUTPUT, DOWN, QUERY, DROPPED, NO_GATE } slip;
static void broken(trial *t, slip which)
{
    scope *s = &t->s;
    model_pair r = reduce_by_table(t);
    const layer *good = &r.M.at[0];
    layer *bad = &r.R.at[0];
    if (which == OUTPUT)  bad->bO = good->bO;
    if (which == DOWN)    bad->expert[0].b_down = good->expert[0].b_down;
    if (which == QUERY)   bad->bQ = mat_mul(s, good->bQ, r.at[0].to);
    if (which == DROPPED) bad->bQ = NULL;
    if (which == NO_GATE) bad->expert[0].b_gate = NULL;
    claim_same_function(t, &r.M, &r.R);
}
static void output_bias(trial *t) { broken(t, OUTPUT); }
static void down_bias(trial *t)   { broken(t, DOWN); }
static void query_bias(trial *t)  { broken(t, QUERY); }
static void no_bias(trial *t)     { broken(t, DROPPED); }
static void no_gate_bias(trial *t) { broken(t, NO_GATE); }

static const control one[] = {
    { "bO-left-alone", output_bias, "$\\tilde b_O = b_O$" },
    { "bd-left-alone", down_bias,   "$\\tilde b_d = b_d$" },
    { "bQ-changed",    query_bias,  "$\\tilde b_Q = b_Q\\Theta$: it does not live in the stream" },
    { "bQ-dropped",    no_bias,     "with $\\tilde W_Q = I$ the bias of the query must still be added" },
};
static const control skip[] = {
    { "bO-left-alone", output_bias, "$\\tilde b_O = b_O$" },
    { "bd-left-alone", down_bias,   "$\\tilde b_d = b_d$" },
};
static const control with_gate[] = {
    { "bO-left-alone", output_bias,  "$\\tilde b_O = b_O$" },
    { "bd-left-alone", down_bias,    "$\\tilde b_d = b_d$" },
    { "bg-dropped",    no_gate_bias, "the bias of the gate must still be added" },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_one_layer, one_layer,
        .statement = "Theorem 4.2 with biases: $\\tilde b_O = b_O\\Theta$, $\\tilde b_d = b_d\\Theta$, the others stay",
        CONTROLS(one)),
    INDUCTIVE_PART("as-stated-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
        .statement = "Theorem 4.3 with biases, shared like the weights",
        CONTROLS(one)),
    INDUCTIVE_PART("as-stated-theorem-4.4", reduction_attention_skip, attention_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
        .statement = "Theorem 4.4 with biases: $\\tilde b_O^i = b_O^i\\Theta_i$, $\\tilde b_d^i = b_d^i\\Theta_{i+1}$",
        CONTROLS(skip)),
    INDUCTIVE_PART("as-stated-with-gated-mlp", reduction_one_layer, gated,
        .statement = "Theorem 4.2 with biases and gated MLPs: $b_u$ and $b_g$ stay",
        CONTROLS(with_gate)),
};
static const claim K_X_BIAS = {
    .id = "K-X-bias", .title = "biases",
    .where = "not in the papers, which leave biases out",
    .hypotheses = "as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$; a bias in every "
                  "affine map",
    .assumes = "invertible W_Q",
    .construction = "$\\tilde b_O = b_O\\Theta$, $\\tilde b_d = b_d\\Theta'$; $b_Q$, $b_K$, $b_V$, $b_u$ stay",
    .why = "$(X\\Theta)(\\Theta^{-1}W) + b = XW + b$ where the stream is read, and $(SW_O + b_O)\\Theta = "
           "S(W_O\\Theta) + b_O\\Theta$ where it is written: biases in front of the stream follow it, those behind it "
           "do not see it.",
    .models = "norm = none; tied = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4",
};
THEOREM_PROGRAM(K_X_BIAS)
