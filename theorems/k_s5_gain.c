/* k_s5_gain.c - K-S5-gain, weight decay where the gains of the norms are not decayed.
 *
 * Statement (000 Section 5.1).  In pre-LayerNorm transformers weight decay "is not applied to the learnable LayerNorm
 * scaling, and therefore acts as an optimization stabilizer rather than a regularizer".
 *
 * Where it is true.  W_Q, W_K, W_V, the up projection (and gate) and an untied head read the stream through a gain:
 *     (N X) (c Gamma) (W/c) = (N X) Gamma W.
 * With c in each gain the function is the same and the decay of these weights, the sum of their squares, is 1/c^2 of
 * what it was: it can be made as small as one likes, so it rules out no function and prefers none.
 *
 * What is missing.  W_O, the down projection, E and P write to the stream, and no gain stands behind them.  All of them
 * times c is a stream times c, and LayerNorm(c x) with epsilon is LayerNorm(x) with epsilon/c^2: the same function for
 * epsilon = 0 alone.  Small writers come nearer to epsilon, so their decay does prefer functions.  (A tied head is a
 * writer, whose gain may be rescaled.) */
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

enum { LOG2_C = 3, LOG2_EPS = -17 };

/* c^power W; NULL stays NULL. */
static const mat *by(scope *s, long power, const mat *W)
{
    return W ? mat_mul(s, mat_scalar(s, W->rows, 1, power * LOG2_C), W) : NULL;
}

/* c in the gains of a layer and the biases of its norms, 1/c in all that read behind them. */
static void rescale_but(const layer_site *at, const layer *W, layer *R, bool queries_left)
{
    scope *s = at->s;
    if (!W->gain1) return;
    R->gain1 = by(s, 1, W->gain1);
    R->gain2 = by(s, 1, W->gain2);
    R->bias1 = by(s, 1, W->bias1);
    R->bias2 = by(s, 1, W->bias2);
    if (!queries_left) R->Q = by(s, -1, W->Q);
    R->K = by(s, -1, W->K);
    R->V = by(s, -1, W->V);
    R->router = by(s, -1, W->router);
    for (long e = 0; e < MAX_EXPERTS; e++) {
        R->expert[e].up   = by(s, -1, W->expert[e].up);
        R->expert[e].gate = by(s, -1, W->expert[e].gate);
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

static const layer_kind scaled[]    = { { .name = "gains times c, readers over c", .reduce = rescale } };
static const layer_kind forgotten[] = { { .name = "gains times c, W_Q as it was", .reduce = query_left } };
static const induction readers = { .kinds = scaled, .nkinds = 1, .bases = BASIS_NONE, .ends = rescale_head };
static const induction but_one = { .kinds = forgotten, .nkinds = 1, .bases = BASIS_NONE, .ends = rescale_head };
static void left_out(trial *t) { claim_built(t, t->sh, &but_one); }

static void pre_norm(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->norm = NORM_LAYER;
}

/* ---- the decay of the readers ------------------------------------------------------------------------------- */

/* The sums of squares of the weights that read behind gains, one each. */
static const mat *decays(scope *s, const model *M)
{
    const mat *of[1 + 4 * MAX_LAYERS] = { mat_square_sum(s, M->head) };
    long n = 1;
    for (long i = 0; i < M->s.L; i++) {
        const layer *W = &M->at[i];
        of[n++] = mat_square_sum(s, W->Q);
        of[n++] = mat_square_sum(s, W->K);
        of[n++] = mat_square_sum(s, W->V);
        of[n++] = mat_square_sum(s, W->expert[0].up);
    }
    return mat_hcat(s, n, of);
}

static void shrinks(trial *t, const induction *how)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const model_pair r = induction_build(s, &M, how, 0);
    claim_equal(t, "c^2 times each decay is that of the original", by(s, 2, decays(s, &r.R)), decays(s, &r.M));
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

static const control of_readers[] = { { "Q-left", left_out, "$W_Q$ is not divided by $c$" } };
static const control of_decay[]   = { { "Q-stays", query_stays, "$W_Q$ is not divided by $c$" } };
static const control of_epsilon[] = { { "epsilon-kept", epsilon_kept, "the same $\\varepsilon$ for both" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = writers_too, .prepare = pre_norm, .no_large = true,
      .no_minimal = true, .quantity = "W_O", .shown_by = "other logits", BALLS_ONLY("exact roots and exponentials"),
      .basis = "witness: drawn models in balls",
      .statement = "$W_O$, the down projection, $E$ and $P$ stand behind no gain: all of them times 8 give other "
                   "logits, $\\varepsilon = 2^{-17}$" },
    INDUCTIVE_PART("corrected", readers, pre_norm, CONTROLS(of_readers), NO_ROOTS, .models = "norm = layer",
                   .statement = "gains times $c$ and all that reads behind them ($W_Q$, $W_K$, $W_V$, up, gate, "
                                "router, an untied head) over $c$: the same function; $c = 8$"),
    REDUCED_PART("corrected-decay", all_shrink, pre_norm, CONTROLS(of_decay), .no_minimal = true,
                 .without = "fp sym", .why_without = "sums of squares have signs",
                 .statement = "the squares of each of these weights sum to $1/c^2$ of what they did"),
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
static const claim K_S5_GAIN = {
    .id = "K-S5-gain", .title = "weight decay without decay of the gains", .where = "000 Section 5.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .hypotheses = "pre-norm models; gains are not decayed",
    .construction = "$(\\Gamma, W) \\mapsto (c\\Gamma, W/c)$",
    .why = "What writes to the stream has no gain behind it, and its decay is not idle: all of it may be rescaled "
           "together only as far as $\\varepsilon$ does not matter, and small weights come nearer to it. For what "
           "reads behind a gain the sentence is right: $W_Q$, $W_K$, $W_V$ and the up projections can be as small as "
           "one likes with the same function, so that their decay prefers none. What decay does to training is another "
           "question, on which the sentence cites others.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_S5_GAIN)
