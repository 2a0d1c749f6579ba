/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_l_conjugate.c - K-L-conjugate, a block with all skips is conjugate to one with W_Q = I.
 *
 * Statement.  For a block B without normalization, with both skips and W_Q in GL(d), there are Theta in
 * GL(d) and a block B~ of the same form with W~_Q = I such that B = Theta^-1 o B~ o Theta, where Theta
 * acts by X -> X Theta.  (W_Q is invertible for almost all weights.)
 *
 * Construction.  Theta = W_Q,   K~, V~, up~ = Theta^-1 (K, V, up),   O~, down~ = (O, down) Theta.
 *
 * Why it works.  Both halves X + Attn(X) and Y + MLP(Y) read through Theta^-1 and write through Theta,
 * and the skips add X Theta to what is written in the basis Theta.  Unlike the block of K-L-intertwine
 * this one has a skip around the MLP, which forces the basis after the block to be the one before it:
 * what is left is a conjugacy, and conjugacies can be iterated.                                      */
#include "src/claim/claim.h"

static void all_skips(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->L = 1;
}

typedef struct { basis in, mid, out; } bases;

/* B(X) = B~(X in) out^-1, and the same twice over. */
static void conjugate(trial *t, const model *M, model R, bases b)
{
    scope *s = &t->s;
    layer *W = &R.at[0];
    R.at[0].Q = mat_identity(s, M->s.d);
    const bool dead = t->sh.act == ACT_RELU && claim_over(t, OVER_ORDERED);    /* neurons over q may be */
    claim_reduced(t, dead ? 4 : 6, (const mat **const[]){ &W->Q, &W->K, &W->V, &W->O, &W->expert[0].up,
                                                          &W->expert[0].down });
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    const mat *once = model_block(s, M, 0, X), *reduced = model_block(s, &R, 0, mat_mul(s, X, b.in.to));
    claim_equal(t, "one block", once, mat_mul(s, reduced, b.out.from));
    claim_equal(t, "two blocks", model_block(s, M, 0, once), mat_mul(s, model_block(s, &R, 0, reduced), b.out.from));
}

static void by_query(trial *t, shape sh, void (*choose)(scope *, basis Theta, bases *b))
{
    model M = model_random(&t->s, sh);
    const basis Theta = gauge_basis(&t->s, M.at[0].Q);
    bases b = { Theta, Theta, Theta };
    if (choose) choose(&t->s, Theta, &b);
    conjugate(t, &M, gauge_stream(&t->s, &M, (basis[]){ b.in, b.mid, b.out }), b);
}

static void stated(trial *t) { by_query(t, t->sh, NULL); }

static void other_out(scope *s, basis Theta, bases *b)
{
    const long d = Theta.to->rows;
    b->out = gauge_basis(s, mat_draw_weight(s, "Theta'", d, d));
}

static void two_bases(trial *t)  { by_query(t, t->sh, other_out); }
static void rms_norm(trial *t)   { shape sh = t->sh; sh.norm = NORM_RMS;   by_query(t, sh, NULL); }
static void layer_norm(trial *t) { shape sh = t->sh; sh.norm = NORM_LAYER; by_query(t, sh, NULL); }

/* B = Theta o B~ o Theta^-1 */
static void wrong_way(trial *t)
{
    model M = model_random(&t->s, t->sh);
    const basis Theta = gauge_basis(&t->s, M.at[0].Q), back = { Theta.from, Theta.to };
    conjugate(t, &M, gauge_uniform(&t->s, &M, Theta), (bases){ back, back, back });
}

static void output_left(trial *t)
{
    model M = model_random(&t->s, t->sh);
    const basis Theta = gauge_basis(&t->s, M.at[0].Q);
    model R = gauge_uniform(&t->s, &M, Theta);
    R.at[0].O = M.at[0].O;
    conjugate(t, &M, R, (bases){ Theta, Theta, Theta });
}

static const control hypotheses[] = {
    { "two-bases",    two_bases,   "the MLP skip forces equal bases on the two sides of the block" },
    { "wrong-way",    wrong_way,   "$B = \\Theta \\circ \\tilde B \\circ \\Theta^{-1}$" },
    { "O-left-alone", output_left, "$\\tilde W_O = W_O$" },
    { "rms-norm",     rms_norm,    "RMSNorm does not commute with $\\Theta$" },
    { "layer-norm",   layer_norm,  "LayerNorm does not commute with $\\Theta$" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = stated, .no_large = true,
      .statement = "$B = \\Theta^{-1} \\circ \\tilde B \\circ \\Theta$ with $\\tilde W_Q = I$ if $W_Q \\in "
                   "\\mathrm{GL}(d)$; hence $B^2 = \\Theta^{-1} \\circ \\tilde B^2 \\circ \\Theta$, and so on",
      CONTROLS(hypotheses) },
};
static const quotation quotes[] = {
    { TEXT_001, "Lemma 8.4", "Then there exists and a reduced block using weights such that In other words, for "
      "almost every choice of weights (in the Lebesgue sense), a transformer block without normalization is "
      "conjugate to a reduced block." },
    { TEXT_003, "Appendix F", "be a transformer block without normalization given by $B(X) = (\\text{Id} + "
      "\\text{MLP}) \\circ (\\text{Id} + \\text{Attn})(X)$ where Attn uses weights (W_Q, W_K, W_V, W_O) with "
      "$W_Q \\in \\text{GL}(d)$, and $\\text{MLP}(Y) = \\phi(YW_{\\text{up}})W_{\\text{down}}$ for an "
      "element-wise activation ϕ . Then there exists $\\Theta \\in \\text{GL}(d)$ and a reduced block "
      "\\tilde{B} using weights $(\\text{Id}, \\tilde{W}_K, \\tilde{W}_V, \\tilde{W}_O, "
      "\\tilde{W}_{\\text{up}}, \\tilde{W}_{\\text{down}})$ such that $$B = \\Theta^{-1} \\circ \\tilde{B} "
      "\\circ \\Theta.$$" },
    { TEXT_000, "Lemma 8.6", "Then there exists and a reduced block using weights such that In other words, for "
      "almost every choice of weights (in the Lebesgue sense), a transformer block without normalization is "
      "conjugate to a reduced block." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_L_CONJUGATE = {
    .id = "K-L-conjugate", .title = "blocks are conjugate to reduced blocks",
    .where = "001 Lemma 8.4; 003 Appendix F; 000 Lemma 8.6",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; both skips; $W_Q \\in \\mathrm{GL}(d)$",
    .assumes = "invertible W_Q",
    .construction = "$\\Theta = W_Q$: $\\tilde W_{K,V,u} = \\Theta^{-1}W_{K,V,u}$, $\\tilde W_{O,d} = "
                    "W_{O,d}\\Theta$",
    .why = "Both halves of the block read through $\\Theta^{-1}$ and write through $\\Theta$, and both skips carry "
           "$X\\Theta$.  For ``almost every choice of weights'', as the first version has it, reads $W_Q \\in "
           "\\mathrm{GL}(d)$: the exceptions are the zeros of a polynomial; that these have measure 0 no program here "
           "shows.",
    .models = "norm = none; given layers in one place",
    .prepare = all_skips, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1",
};
THEOREM_PROGRAM(K_L_CONJUGATE)
