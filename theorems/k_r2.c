/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r2.c - K-R2, query elimination in models that are trained already.
 *
 * Statement (003 and 000 Remark 2).  LayerNorm can be removed from pretrained transformers, up to GPT-2 XL.  "For such
 * models, our theorem applies directly": one W_Q is eliminated, which saves 25 % of that layer's attention.
 *
 * What is missing.  The theorem (K-T4.2) asks for an untied head and for W_Q in GL(d).
 *   tying      GPT-2 reads its logits with E'.  E Theta and (E Theta)' make Theta Theta' of it; a head of its own costs
 *              V d parameters where W_Q has d^2, 65 times as many at d = 768.
 *   centring   LayerNorm without its division is x -> x C g + b, C = I - 11'/d, g the gains over a fixed deviation: the
 *              query matrix is C g W_Q, of rank d - 1.
 *   biases     b W_Q + b_Q is left: W_Q is d^2 of the 4 d^2 + 4 d parameters of attention, less than 25 %.
 *
 * What is true.  C C = C, so C may be moved from all that read the stream to all that write to it (E, E_P, W_O, W_d and
 * their biases); then Theta = g W_Q is invertible.  The constant row b_f W_LM of the logits stays.  A tied model keeps
 * E~ with the head S E~', S = (Theta'Theta)^-1: symmetric, d(d+1)/2 numbers for d^2, so d(d-1)/2 are saved.
 * In doubles the reduced model is off by about kappa(W_Q) 2^-53: exponent 1 in kappa.                          */
#include <math.h>
#include "src/claim/shapes.h"
#include <stdlib.h>
#include "src/methods/counts/recount.h"
#include "src/model/denorm.h"
#include "src/methods/norm/norm.h"
#include "src/claim/check_figures.h"
#include "src/claim/reduce.h"
#include "src/methods/measure/rounding.h"

static void untied(shape *sh)  { reduce_switches(sh, ONE_LAYER); }
static void tied(shape *sh)    { untied(sh); sh->tied = true; }
static void biased(shape *sh)  { untied(sh); sh->biases = true; }

static model eliminate(scope *s, const model *M, const mat *Theta)              /* Theta everywhere, W_Q^1 = I */
{
    model R = gauge_uniform(s, M, gauge_basis(s, Theta));
    R.at[0].Q = mat_identity(s, M->s.d);
    return R;
}

/* ---- tying ------------------------------------------------------------------------------------------------ */

static counts gpt2(long layers, long width, bool is_tied)
{
    description m = description_of("layers=12\nwidth=768\nheads=12\nmlp=3072\nvocabulary=50257\ncontext=1024\n"
                                   "positions=learned\nbiases=yes\nnorm=layer\n");
    m.layers = layers;
    m.width = width;
    m.heads = m.kv_heads = width / m.head_width;
    m.mlp = 4 * width;
    m.tied = is_tied;
    return count_parameters(&m);
}

static void price(trial *t, bool was_tied)
{
    static const long size[][2] = { { 12, 768 }, { 24, 1024 }, { 36, 1280 }, { 48, 1600 } };
    for (size_t k = 0; k < COUNT(size); k++) {
        const counts before = gpt2(size[k][0], size[k][1], was_tied), after = gpt2(size[k][0], size[k][1], false);
        const long added = count_total(&after) - count_total(&before), saved = before.query / size[k][0];
        claim_decided(t, "d^2 are saved", saved == size[k][1] * size[k][1]);
        claim_decided(t, "more than 31 times as many are added", added > 31 * saved);
        if (k) continue;
        claim_equal(t, "38,597,376 for 589,824", mat_from_si(&t->s, 1, 2, (long[]){ added, saved }),
                    mat_from_si(&t->s, 1, 2, (long[]){ 38597376, 589824 }));
    }
}
static void tied_price(trial *t)   { price(t, true); }
static void untied_price(trial *t) { price(t, false); }

static void keeps_tie(trial *t, bool orthogonal)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    if (orthogonal) M.at[0].Q = mat_draw_orthogonal(s, "W_Q", M.s.d);
    const model R = eliminate(s, &M, M.at[0].Q);
    claim_differs(t, "logits", model_forward(s, &M), model_forward(s, &R));
}
static void tie_kept(trial *t)   { keeps_tie(t, false); }
static void orthogonal(trial *t) { keeps_tie(t, true); }

/* S = (Theta'Theta)^-1, or the inverse of Theta Theta' */
static const mat *middle(scope *s, const mat *Theta, bool transposed)
{
    const mat *turned = mat_t(s, Theta);
    return mat_inv(s, transposed ? mat_mul(s, Theta, turned) : mat_mul(s, turned, Theta));
}
static void untie(shape *sh) { sh->tied = false; }

static void head_of(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)M; (void)last;
    R->head = mat_mul(s, middle(s, first.to, false), mat_t(s, R->E));
}

static void wrong_head(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)M; (void)last;
    R->head = mat_mul(s, middle(s, first.to, true), mat_t(s, R->E));
}
static const layer_kind layers[] = { QUERY_LAYER, OTHER_LAYER };
static const induction own_head = { .kinds = layers, .nkinds = 2, .bases = BASIS_ONE, .reshape = untie,
    .ends = head_of };
static const induction mixed_up = {
    .kinds = layers, .nkinds = 2, .bases = BASIS_ONE, .reshape = untie, .ends = wrong_head };
static void symmetric_head(trial *t)
{
    const mat *Theta = mat_draw_weight(&t->s, "Theta", t->sh.d, t->sh.d);
    const mat *S = middle(&t->s, Theta, false);
    claim_equal(t, "S = S'", S, mat_t(&t->s, S));
    claim_by_induction(t);
}
static void other_head(trial *t) { claim_built(t, t->sh, &mixed_up); }

/* ---- LayerNorm without its division ------------------------------------------------------------------------ */

/* gauge_uniform reads through .from and writes through .to: C at the readers, or at the writers. */
static model centring_readers(scope *s, const model *M)
{
    return gauge_uniform(s, M, (basis){ .to = mat_identity(s, M->s.d), .from = mat_centering(s, M->s.d) });
}

static void without_norm(trial *t, denorm_slip how)
{
    scope *s = &t->s;
    const basis to_writers = { .to = mat_centering(s, t->sh.d), .from = mat_identity(s, t->sh.d) };
    const model M = denorm_random(s, t->sh), all = denorm_folded(s, &M, FOLDED), some = denorm_folded(s, &M, how);
    const model given = centring_readers(s, &all);
    const model moved = how == WRITERS_KEPT ? some : gauge_uniform(s, &some, to_writers);
    const model R = eliminate(s, &moved, how == GAIN_LEFT ? M.at[0].Q : moved.at[0].Q);
    const mat *row = mat_mul(s, mat_mul(s, mat_ones(s, t->sh.n, 1), M.bias_f), M.head);
    claim_same_function(t, &given, &R);
    claim_equal(t, "gains and biases are folded", denorm_forward(s, &M), mat_add(s, model_forward(s, &given), row));
}
static void centred(trial *t)      { without_norm(t, FOLDED); }
static void writers_kept(trial *t) { without_norm(t, WRITERS_KEPT); }
static void gain_left(trial *t)    { without_norm(t, GAIN_LEFT); }
static void bias_left(trial *t)    { without_norm(t, BIAS_LEFT); }

static void lost_rank(trial *t, bool centres)
{
    scope *s = &t->s;
    const model M = denorm_random(s, t->sh);
    const model all = denorm_folded(s, &M, FOLDED), given = centring_readers(s, &all);
    claim_rank(t, "rank g W_Q = d", all.at[0].Q, t->sh.d);
    claim_rank(t, "rank C g W_Q = d - 1", centres ? given.at[0].Q : all.at[0].Q, t->sh.d - 1);
}
static void centring(trial *t)   { lost_rank(t, true); }
static void no_centring(trial *t) { lost_rank(t, false); }

/* The query's bias is dropped; the share of W_Q in attention. */
static void query_bias(trial *t, bool zero)
{
    scope *s = &t->s;
    const model raw = denorm_random(s, t->sh), M = denorm_folded(s, &raw, FOLDED);
    const layer *W = &M.at[0];
    model R = eliminate(s, &M, W->Q);
    const mat *const own[] = { W->Q, W->K, W->V, W->O, W->bQ, W->bK, W->bV, W->bO };
    long all = 0;
    for (size_t k = 0; k < COUNT(own); k++) all += own[k]->rows * own[k]->cols;
    if (!zero) R.at[0].bQ = NULL;
    claim_decided(t, "W_Q is less than 25 % of attention", 4 * W->Q->rows * W->Q->cols < all);
    claim_differs(t, "logits without b_Q", model_forward(s, &M), model_forward(s, &R));
}
static void bias_dropped(trial *t) { query_bias(t, false); }
static void bias_kept(trial *t)    { query_bias(t, true); }

/* ---- rounding ---------------------------------------------------------------------------------------------- */

static void slope(trial *t, rounding_basis which)
{
    claim_measured(t, "exponent of the error in kappa", NAN, rounding_exponent(&t->s, t->sh, which), 1);
}
static void of_query(trial *t)    { slope(t, ROUNDING_QUERY); }
static void other_basis(trial *t) { slope(t, ROUNDING_OTHER); }

static const control of_price[]    = { { "untied", untied_price, "a model whose head is its own already" } };
static const control of_tie[]      = { { "orthogonal", orthogonal, "$W_Q$ orthogonal: $\\Theta\\Theta^\\top = I$" } };
static const control of_centring[] = { { "no-centring", no_centring, "RMSNorm, which does not centre: rank $d$" } };
static const control of_biases[]   = { { "bias-kept", bias_kept, "the bias stays: nothing is missing" } };
static const control of_folding[] = {
    { "writers-kept", writers_kept, "$C$ is dropped from the readers only" },
    { "gain-left",    gain_left,    "$\\Theta = W_Q$, without the gains" },
    { "bias-left",    bias_left,    "$b_1W_Q$ is not added to $b_Q$" },
};
static const control of_head[]  = { { "other-side", other_head, "$S = (\\Theta\\Theta^\\top)^{-1}$" } };
static const control of_slope[] = { { "other-theta", other_basis, "$\\Theta$ of one condition number for all $W_Q$" } };
static const shape_case planted[] = { { .sh = { .n = 6, .d = 16, .h = 2, .m = 9, .V = 11, .L = 2 } } };
#define GAP .kind = PART_GAP, .no_minimal = true, .no_large = true, .ncontrols = 1
#define RANKS EXACT_ONLY("ranks and counts are decided exactly")
#define REAL NOT_SYMBOLIC("sym never refutes"), .basis = "witness"
static const part parts[] = {
    { .name = "as-stated", GAP, .run = tied_price, .controls = of_price, .basis = "recount", RANKS,
      .quantity = "50257\\,d", .shown_by = "38,597,376 for 589,824",
      .statement = "the four GPT-2 tie their heads: to untie adds $50257\\,d$ parameters, $31$ to $65$ times $d^2$" },
    { .name = "as-stated-tied", GAP, .run = tie_kept, .controls = of_tie, .prepare = tied, REAL,
      .quantity = "the tie", .shown_by = "logits",
      .statement = "with the tie kept the same construction is another function" },
    { .name = "as-stated-centring", GAP, .run = centring, .controls = of_centring, .prepare = biased,
      .quantity = "CgW_Q", .shown_by = "rank C g W_Q = d - 1",
      .basis = "rank", RANKS,
      .statement = "LayerNorm without division leaves $CgW_Q$, of rank $d-1$" },
    { .name = "as-stated-bias", GAP, .run = bias_dropped, .controls = of_biases, .prepare = biased, REAL,
      .quantity = "b_1W_Q + b_Q", .shown_by = "logits without b_Q",
      .statement = "with biases $b_1W_Q + b_Q$ stays, and $W_Q$ is less than 25 \\% of attention" },
    { .name = "as-stated-condition-number", .kind = PART_MEASURED, .run = of_query, .prepare = untied,
      .no_minimal = true, .widest = 0.1,
      .statement = "the error in doubles grows like $\\kappa(W_Q)$, planted from $2^{8}$ to $2^{32}$",
      .basis = "measurement: an exponent fitted in each of 32 models", .shapes = planted, .nshapes = COUNT(planted),
      .controls = of_slope, .ncontrols = 1 },
    { .name = "corrected", .kind = PART_IDENTITY, .run = centred, .prepare = biased, .no_large = true,
      .statement = "untied, LayerNorm without division, biases: $C$ moved to the writers, $\\Theta = gW_Q^1 \\in "
                   "\\mathrm{GL}(d)$, is the same function", CONTROLS(of_folding),
      .without = "sym", .why_without = "$C$ is no word in the weights" },
    { .name = "corrected-tied", .kind = PART_IDENTITY, .run = symmetric_head, .prepare = tied, .no_large = true,
      .induction = &own_head,
      .assumes = "invertible W_Q; invertible Theta",
      .statement = "tied: $\\tilde E = E\\Theta$ with the head $S\\tilde E^\\top$, $S = (\\Theta^\\top\\Theta)^{-1} = "
                   "S^\\top$, is the same function", .controls = of_head, .ncontrols = 1 },
};
static const quotation quotes[] = {
    { TEXT_003, "Remark 2", "For such models, our theorem applies directly post-training: a single layer's W_Q "
      "can be eliminated through weight reparametrization alone, saving 25% of that layer's attention "
      "parameters." },
    { TEXT_000, "Remark 2", "For such models, our theorem applies directly post-training" },
    { TEXT_000, "Remark 2", "can be eliminated through weight reparametrization alone, saving 25% of" },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
    { TEXT_003, "Remark 2", "LayerNorm can be removed from pretrained transformers (up to GPT-2 XL) with "
      "minimal degradation." },
    { TEXT_003, "Theorem 4.2", "without normalization, with all skip connections, and with untied weights" },
    { TEXT_000, "Remark 2", "LayerNorm can be removed from pretrained transformers (up to GPT-2 XL) with "
      "minimal degradation." },
    { TEXT_000, "Theorem 4.1", "with standard skip connections around both attention and MLP in each block, and "
      "with untied weights" },
};
static const claim K_R2 = {
    .id = "K-R2", .title = "post-training application to pretrained models", .where = "003 Remark 2; 000 Remark 2",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "all skips; $gW_Q \\in \\mathrm{GL}(d)$ for one layer",
    .construction = "$X \\mapsto XCg + b$ for LayerNorm; writers times $C$, readers $gW$, biases $bW + (\\cdot)$; "
                    "then Theorem 4.2 with $\\Theta = gW_Q$",
    .why = "GPT-2's head is $E^\\top$: with $\\tilde E = E\\Theta$ it would be $\\Theta^\\top E^\\top$; another has "
           "$50257\\cdot 768 = 38{,}597{,}376$ parameters where $W_Q$ has $768^2 = 589{,}824$.  What removal of "
           "LayerNorm leaves still centres, and $\\mathbf{1}^\\top C = 0$, so the query matrix $CgW_Q$ is singular. "
           "Both can be repaired: $C^2 = C$ can stand at the writers, and a symmetric $S$ at the head.",
    .models = "norm = none; tied = 1",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-X-bias",
};
THEOREM_PROGRAM(K_R2)
