/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r7.c - K-R7, the obstruction: "exact Query weight elimination with LayerNorm is not achievable using standard
 * architectural components".
 *
 * Statement.  MLP' of Theorem C.2 is a nonlinear function that no W2 phi(W1 x) represents, so W_Q cannot be
 * eliminated exactly in a standard transformer with LayerNorm.
 *
 * What is true.  For h >= 2, blocks of the same width and weights in general position it is so: what W_Q = I in n
 * layers costs is counted below, in dimensions of functions, and it is not 0.
 *
 * What the sentence leaves out.  Three cases in which W_Q is eliminated exactly, the first of which Proposition 4.1 and
 * Table 1 state themselves:
 *   - one head: W_K W_Q' and W_V W_O take the place of W_K and W_V (K-P4.1), with LayerNorm, all skips, a tied head,
 *     in every layer.  The stream keeps its basis, so nothing has to pass through the norm.
 *   - orthogonal heads, RMSNorm with its gains folded into the weights that read it: one layer's W_Q = U diag(R_a), U
 *     orthogonal, R_a (dk x dk) invertible.  The basis U passes through the norm, R_a goes into W_K^a.
 *   - Theta D = U orthogonal, U 1 = 1: M = U is an isometry of H (as M_0 always is for d = 2), alpha = 1, and MLP'(x)
 *     = U (x + MLP(x)) - x is a standard MLP, for phi(y) - phi(-y) = y writes (U - I) x:
 *     W1' = (W1; I; -I), W2' = (U W2 | U - I | I - U).  Then D' = I, and no compensation is needed.
 *
 * Corrected.  For h >= 2 and weights in general position the functions with W_Q = I in n layers are
 * fewer by  n (d(d-1) - h dk^2) - (d-1)(d-2)/2 + h (dk-1)(dk-2)/2  dimensions under LayerNorm, by n (d(d-1) - h dk^2)
 * with a tied head, and n (d^2 - h dk^2) - d(d-1)/2 + h dk(dk-1)/2 under RMSNorm.  See n9.c, which has all cases. */
#include "src/methods/norm/norm.h"
#include "src/methods/rank/dimension_claim.h"
#include "src/claim/reduce.h"

/* ---- one head ------------------------------------------------------------------------------------------ */

static void all_skips(shape *sh)
{
    sh->act = ACT_SILU;                                  /* any will do; the error function is slow */
    sh->attn_skip = sh->mlp_skip = sh->tied = true;
    sh->norm = NORM_LAYER;
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
}

static void two_heads(trial *t)
{
    t->sh.h = t->sh.h_kv = 2;
    t->sh.d = 2 * t->sh.dk;
    claim_built(t, t->sh, &reduction_single_head);
}

/* ---- orthogonal heads ----------------------------------------------------------------------------------- */

static void several_heads(shape *sh)
{
    all_skips(sh);
    sh->tied = false;
    sh->norm = NORM_RADIAL;                              /* numbers realise it by RMSNorm */
    sh->d += sh->d % 2;
    sh->h = sh->h_kv = 2;
    sh->dk = sh->scale_den = sh->d / 2;
}

static const mat *head_block(const layer_site *at, long a)
{
    return induction_layer_draw(at, "R", a, at->sh.dk, at->sh.dk);
}

/* Gains are folded into what reads the norm. */
static void unit_gains(const layer_site *at, layer *W) { W->gain1 = W->gain2 = mat_identity(at->s, at->sh.d); }
static void unit_final_gain(scope *s, model *M)        { M->gain_f = mat_identity(s, M->s.d); }

/* W_Q = Omega diag(R_a); Omega must be orthogonal. */
static void orthogonal_heads(const layer_site *at, layer *W)
{
    const mat *R[] = { head_block(at, 0), head_block(at, 1) };
    unit_gains(at, W);
    W->Q = mat_mul(at->s, at->in.to, mat_blockdiag(at->s, 2, R));
}

static void blocks_to_keys(const layer_site *at, const layer *W, layer *R)
{
    const mat *D[] = { mat_inv(at->s, head_block(at, 0)), mat_inv(at->s, head_block(at, 1)) };
    gauge_query_key(at->s, &at->sh, R, D);
    reduce_query_to_identity(at, W, R);
}
static const layer_kind layers[] = {
    { .name = "layer with W_Q = Omega R", .plant = orthogonal_heads, .reduce = blocks_to_keys,
      .facts = reduce_claim_query_identity },
    { .name = "layer that follows the basis", .plant = unit_gains },
};
#define TURNED(basis) { .kinds = layers, .nkinds = 2, .bases = BASIS_ONE, .free = basis, .plant_ends = unit_final_gain }
static const induction turned = TURNED(FREE_ORTHOGONAL), oblique = TURNED(FREE_ANY);

static void both_layers(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model_pair r = induction_build(&t->s, &M, &turned, 0);
    r.R.at[1].Q = mat_identity(&t->s, M.s.d);
    claim_same_function(t, &r.M, &r.R);
}
static void oblique_heads(trial *t) { claim_built(t, t->sh, &oblique); }

/* ---- isometries ------------------------------------------------------------------------------------------ */

/* phi(W x), W (m x d).  An opaque activation is one function per column: mirrored neurons must share theirs. */
static const mat *neurons(trial *t, const mat *W, const mat *X, int number)
{
    return mat_phi(&t->s, norm_apply(&t->s, W, X), ACT_HALF_ODD, (place){ number, PLACE_MLP, 0 });
}

/* Theta D, and the first d - 1 vectors of an orthonormal basis whose last one is 1/sqrt d: they span H. */
typedef struct { const mat *ThetaD, *of_H; } image;

/* Sym has no such vector: what it shows with any orthonormal basis holds for this one. */
static image any_basis(scope *s, long d)
{
    const mat *B = mat_draw_orthogonal(s, "basis", d), *one = mat_identity(s, 1);
    const mat *U = mat_blockdiag(s, 2, (const mat *[]){ mat_draw_orthogonal(s, "U", d - 1), one });
    return (image){ mat_mul3(s, B, U, mat_t(s, B)), mat_cols(s, B, 0, d - 1) };
}

static const mat *layer_norm(scope *s, const image *at, const mat *Y)
{
    if (!at->of_H) return norm_layer(s, Y);
    return mat_mul(s, norm_rms(s, mat_mul(s, Y, at->of_H)), mat_t(s, at->of_H));
}

static void standard_mlp(trial *t, image at)
{
    scope *s = &t->s;
    const mat *U = at.ThetaD;
    const long d = U->rows, m = t->sh.m;
    const mat *I = mat_identity(s, d), *minus = mat_neg(s, I);
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0);
    const mat *W1 = mat_draw(s, "W1", m, d, mat_log2_fan_in(d)), *W2 = mat_draw(s, "W2", d, m, mat_log2_fan_in(m));
    const mat *V2 = mat_hcat(s, 3, (const mat *[]){ mat_mul(s, U, W2), mat_sub(s, U, I), mat_sub(s, I, U) });
    claim_reduced(t, 1, (const mat **[]){ &V2 });
    const mat *H = neurons(t, W1, X, 0), *twins[] = { H, neurons(t, I, X, 1), neurons(t, minus, X, 1) };
    const mat *Y = mat_add(s, X, norm_apply(s, W2, H)), *V = mat_add(s, X, norm_apply(s, V2, mat_hcat(s, 3, twins)));
    claim_equal(t, "L(x + MLP'(x)) = Theta D L(x + MLP(x))", layer_norm(s, &at, V),
                norm_apply(s, U, layer_norm(s, &at, Y)));
}

static void isometry(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    standard_mlp(t, claim_over(t, OVER_ENTRIES) ? (image){ norm_rotation(s, "U", d), NULL } : any_basis(s, d));
}
static void no_isometry(trial *t)     { standard_mlp(t, (image){ norm_contraction(&t->s, "U", t->sh.d), NULL }); }

/* ---- what is lost ---------------------------------------------------------------------------------------- */

/* d = 4, h = 2, dk = 2 in the three formulas above: n layers. */
static void lost_with(trial *t, long error)
{
    static const struct { const char *architecture; long per_layer, once; } norms[] = {
        { "all-skip+layer-norm", 12 - 8, -3 }, { "all-skip+layer-norm+tied", 12 - 8, 0 },
        { "all-skip+rms", 16 - 8, -6 + 2 },
    };
    const shape sizes = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2 };
    for (size_t k = 0; k < COUNT(norms); k++)
        for (long n = 1; n <= 2; n++) {
            const dimension_of full = dimension_family_named(sizes, norms[k].architecture);
            claim_deficit(t, norms[k].architecture, &full, ((uint64_t)1 << n) - 1,
                          n * norms[k].per_layer + norms[k].once + error);
        }
}
static void lost(trial *t)      { lost_with(t, 0); }
static void lost_more(trial *t) { lost_with(t, 1); }

static const control head_controls[] = { { "two-heads", two_heads, "two heads" } };
static const control rms_controls[]  = {
    { "oblique-heads", oblique_heads, "heads not orthogonal: RMSNorm does not commute with $\\Theta$" },
    { "both-layers",   both_layers,   "$\\tilde W_Q = I$ in a second layer, too" },
};
static const control iso_controls[]  = { { "contraction", no_isometry, "$\\Theta D$ a contraction of $H$" } };
static const control lost_controls[] = { { "one-more", lost_more, "the formulas plus 1" } };
static const shape_case lost_shape[] = { { .sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2 } } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = claim_by_induction, .prepare = all_skips,
      .quantity = "\\tilde W_Q^i", .shown_by = "logits",
      .induction = &reduction_single_head,
      .statement = "$h = 1$: all $\\tilde W_Q^i = I$, $\\tilde W_K = W_KW_Q^\\top$, with LayerNorm, all skips, tied "
                   "head",
      .without = "q", .why_without = "q has no roots and no softmax",
      .basis = "witness: the function is the same, at all sizes", CONTROLS(head_controls) },
    { .name = "as-stated-rmsnorm", .kind = PART_GAP, .run = claim_by_induction, .prepare = several_heads,
      .quantity = "W_Q", .shown_by = "logits",
      .induction = &turned,
      .assumes = "invertible R; orthogonal Omega",
      .statement = "$h = 2$, RMSNorm, all skips: $W_Q = \\Omega\\,\\mathrm{diag}(R_1,R_2)$ of one layer, $\\Omega$ "
                   "orthogonal, $R_1$, $R_2$ invertible, becomes $I$",
      .without = "q", .why_without = "q has no roots and no opaque functions",
      .basis = "witness: the function is the same, for any radial norm",
      CONTROLS(rms_controls) },
    { .name = "as-stated-isometry", .kind = PART_GAP, .run = isometry,
      .quantity = "MLP'", .shown_by = "L(x + MLP'(x)) = Theta D L(x + MLP(x))",
      .statement = "$\\Theta D = U$ orthogonal, $U\\mathbf 1 = \\mathbf 1$: MLP' is a standard MLP with $2d$ more "
                   "neurons",
      .assumes = "half-odd activation; orthogonal U; orthogonal basis",
      .without = "q", .why_without = "q has no roots and no opaque functions",
      .basis = "witness: for phi(y) - phi(-y) = y and any radial norm on H",
      CONTROLS(iso_controls) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = lost, .no_minimal = true, .shapes = lost_shape,
      .nshapes = COUNT(lost_shape), .without = "f64 mpfr arb q sym",
      .why_without = "ranks over F_p, where activations and exponentials are formal",
      .basis = "two ranks; each a minor not 0 modulo a prime that meets independent gauge tangents",
      .statement = "$h \\ge 2$, weights in general position: $W_Q = I$ in one or two layers loses 1 or 5 dimensions of "
                   "functions under LayerNorm, 4 or 8 with a tied head, 4 or 12 under RMSNorm ($d = 4$, $h = 2$)",
      CONTROLS(lost_controls) },
};
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 5, .d = 6, .h = 1, .m = 9, .V = 11, .L = 3, .mask = MASK_FULL } },
    { .sh = { .n = 3, .d = 16, .h = 1, .m = 7, .V = 5, .L = 2, .mask = MASK_CAUSAL } },
};
static const quotation quotes[] = {
    { TEXT_001, "Remark 5", "This corollary reveals that preserving a basis transformation through LayerNorm "
      "requires to approximate a highly nonlinear function involving the composition of normalization, the "
      "original MLP, and denormalization. Since standard MLPs of the form cannot exactly represent this "
      "composition, exact Query weight elimination with LayerNorm is not achievable using standard "
      "architectural components." },
    { TEXT_003, "Remark 7", "This theorem reveals that preserving a basis transformation through LayerNorm "
      "requires MLP' to approximate a highly nonlinear function involving the composition of normalization, the "
      "original MLP, and denormalization. Since standard MLPs of the form $W_2 \\sigma(W_1 x)$ cannot exactly "
      "represent this composition, exact Query weight elimination with LayerNorm is not achievable using "
      "standard architectural components." },
    { TEXT_000, "Remark 6", "This corollary reveals that preserving a basis transformation through LayerNorm "
      "requires to approximate a nonlinear function involving the composition of normalization, the original "
      "MLP, and denormalization. Since standard MLPs of the form cannot exactly represent this composition, "
      "exact Query weight elimination with LayerNorm is not achievable using standard architectural components." },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_R7 = {
    .id = "K-R7", .title = "exact elimination with LayerNorm not achievable",
    .where = "003 Remark 7; 000 Remark 6; 001 Remark 5",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "standard components; to be added: $h \\ge 2$, weights in general position, the same width",
    .construction = NULL,
    .why = "The words ``not achievable'' are too wide in three cases. With one head, as Proposition 4.1 and Table 1 "
           "of the same text say, no change of basis is needed: the scores contain $W_Q$ only in $W_QW_K^\\top$, so "
           "$\\tilde W_Q = I$, $\\tilde W_K = W_KW_Q^\\top$ (and $\\tilde W_V = W_VW_O$, $\\tilde W_O = I$) is the "
           "same function, whatever norm stands before it.  With several heads the change of basis may pass: if the "
           "columns of $W_Q$ that belong to different heads are orthogonal, $W_Q = U\\,\\mathrm{diag}(R_a)$, RMSNorm "
           "commutes with $U$.  And the premise fails where $\\Theta D$ is an isometry of the vectors of mean 0: "
           "there the needed MLP' is $U(x + \\mathrm{MLP}(x)) - x$, a standard MLP.  For several heads, weights in "
           "general position and blocks of the same width the conclusion is right, and quantitative: the functions "
           "with $W_Q = I$ form a set of smaller dimension.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P4.1 K-C2 K-R5-radial N9",
};
THEOREM_PROGRAM(K_R7)
