/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s5_gain.c - K-S5-gain, weight decay where the gains of the norms are not decayed.
 *
 * Statement (000 Section 5.1).  In pre-LayerNorm transformers weight decay "is not applied to the learnable LayerNorm
 * scaling, and therefore acts as an optimization stabilizer rather than a regularizer".
 *
 * Where it is true.  W_Q, W_K, W_V, the up projection (and gate) and an untied head read the stream through a gain,
 * and W_O reads what W_V makes of it:
 *     (N X) (c Gamma) (W/c) = (N X) Gamma W,     (N X) (c^2 Gamma) (W_V/c) (W_O/c) = (N X) Gamma W_V W_O.
 * With c^2 in the gain before attention and c in the others the function is the same and the decay of these weights,
 * the sum of their squares, is 1/c^2 of what it was, 1/c^4 of W_Q and W_K: it can be made as small as one likes, so it
 * rules out no function and prefers none.
 *
 * What is missing.  E, P and the down projection of a plain MLP write to the stream, and no gain stands before them
 * that a nonlinear activation lets through.  The stream times c, that is these and W_O times c, is the same function
 * where epsilon is 0 alone, since LayerNorm(c x) with epsilon is LayerNorm(x) with epsilon/c^2.  Small writers come
 * nearer to epsilon, so their decay does prefer functions.  (A tied head is a writer, whose gain may be rescaled.) */
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

enum { LOG2_C = 3, LOG2_EPS = -17 };

/* c^power W; NULL stays NULL. */
static const mat *by(scope *s, long power, const mat *W)
{
    return W ? mat_mul(s, mat_scalar(s, W->rows, 1, power * LOG2_C), W) : NULL;
}

/* c^2 in the gain before attention, c in the other, as in the biases of both norms; W_Q, W_K over c^2, W_V, W_O and
 * what the MLP reads with over c, or c^2 where a parallel block has it read what attention reads; b_V times c. */
static void rescale_but(const layer_site *at, const layer *W, layer *R, bool queries_left)
{
    scope *s = at->s;
    if (!W->gain1) return;
    R->gain1 = by(s, 2, W->gain1);
    R->gain2 = by(s, 1, W->gain2);
    R->bias1 = by(s, 2, W->bias1);
    R->bias2 = by(s, 1, W->bias2);
    if (!queries_left) R->Q = by(s, -2, W->Q);
    R->K = by(s, -2, W->K);
    R->V = by(s, -1, W->V);
    R->O = by(s, -1, W->O);
    R->bV = by(s, 1, W->bV);
    const long read = at->sh.parallel ? -2 : -1;
    R->router = by(s, read, W->router);
    for (long e = 0; e < MAX_EXPERTS; e++) {
        R->expert[e].up   = by(s, read, W->expert[e].up);
        R->expert[e].gate = by(s, read, W->expert[e].gate);
    }
}
static void rescale(const layer_site *at, const layer *W, layer *R)    { rescale_but(at, W, R, false); }
static void query_left(const layer_site *at, const layer *W, layer *R) { rescale_but(at, W, R, true); }

/* A tied head is a writer, which stays. */
static void rescale_head(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)first; (void)last;
    if (!M->gain_f || !M->head) return;
    R->gain_f = by(s, 1, M->gain_f);
    R->bias_f = by(s, 1, M->bias_f);
    R->head   = by(s, -1, M->head);
}

static const layer_kind scaled[]    = { { .name = "gains times c, weights behind them over c", .reduce = rescale } };
static const layer_kind forgotten[] = { { .name = "gains times c, W_Q as it was", .reduce = query_left } };
static const induction readers = { .kinds = scaled, .nkinds = 1, .bases = BASIS_NONE, .ends = rescale_head };
static const induction but_one = { .kinds = forgotten, .nkinds = 1, .bases = BASIS_NONE, .ends = rescale_head };
static void left_out(trial *t) { claim_built(t, t->sh, &but_one); }

static void pre_norm(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->norm = NORM_LAYER;
}

/* ---- the decay of these weights ----------------------------------------------------------------------------- */

/* The sums of squares of the weights behind gains, one each, times c^(2 power), of W_Q and W_K times c^(4 power). */
static const mat *decays(scope *s, const model *M, long power)
{
    const mat *of[1 + 5 * MAX_LAYERS] = { by(s, 2 * power, mat_square_sum(s, M->head)) };
    long n = 1;
    for (long i = 0; i < M->s.L; i++) {
        const layer *W = &M->at[i];
        of[n++] = by(s, 4 * power, mat_square_sum(s, W->Q));
        of[n++] = by(s, 4 * power, mat_square_sum(s, W->K));
        of[n++] = by(s, 2 * power, mat_square_sum(s, W->V));
        of[n++] = by(s, 2 * power, mat_square_sum(s, W->O));
        of[n++] = by(s, 2 * power, mat_square_sum(s, W->expert[0].up));
    }
    return mat_hcat(s, n, of);
}

static void shrinks(trial *t, const induction *how)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const model_pair r = induction_build(s, &M, how, 0);
    claim_equal(t, "c^2 or c^4 times each decay is that of the original", decays(s, &r.R, 1), decays(s, &r.M, 0));
}
static void all_shrink(trial *t)  { shrinks(t, &readers); }
static void query_stays(trial *t) { shrinks(t, &but_one); }

/* ---- what writes to the stream -------------------------------------------------------------------------------- */

static void writers_too(trial *t)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    R.E = by(s, 1, M.E);
    R.P = by(s, 1, M.P);
    for (long i = 0; i < M.s.L; i++) {
        R.at[i].O = by(s, 1, M.at[i].O);
        R.at[i].expert[0].down = by(s, 1, M.at[i].expert[0].down);
    }
    claim_differs(t, "other logits", model_forward(s, &M), model_forward(s, &R));
}

/* LayerNorm of c X with an epsilon against that of X. */
static void epsilon(trial *t, long power)
{
    scope *s = &t->s;
    const place at = { 0, PLACE_ATTENTION, 0 };
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0), *larger = by(s, 1, X);
    claim_reduced(t, 1, (const mat **[]){ &larger });
    claim_equal(t, "LayerNorm of c X and of X", mat_norm(s, larger, NORM_LAYER, LOG2_EPS + power * LOG2_C, at),
                mat_norm(s, X, NORM_LAYER, LOG2_EPS, at));
}
static void epsilon_moved(trial *t) { epsilon(t, 2); }
static void epsilon_kept(trial *t)  { epsilon(t, 0); }

static const control of_readers[] = { { "Q-left", left_out, "$W_Q$ is not divided by $c^2$" } };
static const control of_decay[]   = { { "Q-stays", query_stays, "$W_Q$ is not divided by $c^2$" } };
static const control of_epsilon[] = { { "epsilon-kept", epsilon_kept, "the same $\\varepsilon$ for both" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = writers_too, .prepare = pre_norm, .no_large = true,
      .no_minimal = true, .quantity = "E", .shown_by = "other logits", BALLS_ONLY("exact roots and exponentials"),
      .basis = "witness: drawn models in balls",
      .statement = "$E$, $P$ and the down projection of a plain MLP stand behind no gain: these and $W_O$ times 8, "
                   "which is the stream times 8, give other logits, $\\varepsilon = 2^{-17}$" },
    INDUCTIVE_PART("corrected", readers, pre_norm, CONTROLS(of_readers), NO_ROOTS, .models = "norm = layer",
                   .statement = "the gain before attention times $c^2$, $W_Q$ and $W_K$ over $c^2$, $W_V$ and $W_O$ "
                                "over $c$; the other gains times $c$ and all that reads behind them (up, gate, router, "
                                "an untied head) over $c$: the same function; $c = 8$"),
    REDUCED_PART("corrected-decay", all_shrink, pre_norm, CONTROLS(of_decay), .no_minimal = true,
                 .without = "fp sym", .why_without = "sums of squares have signs",
                 .statement = "the squares of each of these weights sum to $1/c^2$ of what they did, those of $W_Q$ "
                              "and $W_K$ to $1/c^4$"),
    { .name = "corrected-epsilon", .kind = PART_IDENTITY, .run = epsilon_moved, .no_large = true, CONTROLS(of_epsilon),
      REALS_ONLY("norms have roots"),
      .statement = "$\\mathrm{LN}_{c^2\\varepsilon}(cX) = \\mathrm{LN}_\\varepsilon(X)$: what writes may be rescaled "
                   "as well where $\\varepsilon = 0$; $c = 8$" },
};
static const quotation quotes[] = {
    { TEXT_000, "Section 5.1", "We note that in pre-LayerNorm transformers, weight decay is not applied to the "
      "learnable LayerNorm scaling , and therefore acts as an optimization stabilizer rather than a regularizer "
      "[NEURIPS_WDRole]." },
};
static const char *const judged[] = {
    "acts as an optimization stabilizer rather than a regularizer",
};
static const claim K_S5_GAIN = {
    .id = "K-S5-gain", .title = "weight decay without decay of the gains", .where = "000 Section 5.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .hypotheses = "pre-norm models; gains are not decayed",
    .construction = "$(\\Gamma, W) \\mapsto (c\\Gamma, W/c)$",
    .why = "Embeddings, positions and the down projections of plain MLPs have no gain before them, and their decay is "
           "not idle: the whole stream may be rescaled only as far as $\\varepsilon$ does not matter, and small "
           "weights come nearer to it. For all of attention, for up projections and an untied head the sentence is "
           "right: they can be as small as one likes with the same function, so that their decay prefers none. What "
           "decay does to training is another "
           "question, on which the sentence cites others.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_S5_GAIN)
