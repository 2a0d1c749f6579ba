/* SPDX-License-Identifier: GPL-3.0-or-later
 * n3.c - N3, any d independent read columns of one segment become unit vectors.
 *
 * Statement.  Without normalization and with all skips the stream has one basis Theta, but Theta need not be one W_Q:
 * take any d columns of matrices that read the stream, of any layers, linearly independent.  They become the
 * d unit vectors, in the places where they stand.  For example head a of W_Q of layer a mod L, a = 1..h; or
 * columns of W_u.  Or W_O^j = I by Theta = (W_O^j)^-1, a matrix that writes.
 *
 * Construction.  Theta = (c_1 | .. | c_d) for the chosen columns; all weights as in Theorem 4.2.
 *
 * Why it works.  W~ = Theta^-1 W, and Theta^-1 c_k = e_k.  For W_O: W_O~ = W_O Theta = I.
 *
 * So d^2 weights can go in any way that fits, but not more than d columns: a column that was not chosen becomes
 * Theta^-1 c, which is what it is.  With skips around attention only (or MLPs only) this holds in each segment.  */
#include "src/claim/reduce.h"

static void all_skips(shape *sh) { reduce_switches(sh, ONE_LAYER); }

/* W with columns from .. from + n - 1 replaced by C */
static const mat *put(scope *s, const mat *W, long from, const mat *C)
{
    const mat *piece[3];
    long n = 0;
    if (from) piece[n++] = mat_cols(s, W, 0, from);
    piece[n++] = C;
    if (from + C->cols < W->cols) piece[n++] = mat_cols(s, W, from + C->cols, W->cols - from - C->cols);
    return mat_hcat(s, n, piece);
}

/* ---- heads: a layer has any set of them, bit a of its kind for head a ------------------------------------- */

static const mat *with_heads(const layer_site *at, const mat *Q, const mat *columns)
{
    const long dk = at->sh.dk;
    for (long a = 0; a < at->sh.h; a++)
        if (at->kind >> a & 1) Q = put(at->s, Q, a * dk, mat_cols(at->s, columns, a * dk, dk));
    return Q;
}
static void heads_from_theta(const layer_site *at, layer *W) { W->Q = with_heads(at, W->Q, at->in.to); }

static void heads_are_units(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->Q = with_heads(at, R->Q, mat_identity(at->s, at->sh.d));
}
#define SET  { .name = "layer with some of the heads", .plant = heads_from_theta, .reduce = heads_are_units }
#define SETS SET, SET, SET, SET, SET, SET, SET, SET
static const layer_kind sets[] = { SETS, SETS, SETS, SETS };                  /* up to five heads */
static long set_count(const shape *sh) { return 1L << sh->h; }

static long head_modulo_depth(const shape *sh, long i)
{
    long set = 0;
    for (long a = 0; a < sh->h; a++) if (a % sh->L == i) set |= 1L << a;
    return set;
}
static const induction heads = { .kinds = sets, .nkinds = COUNT(sets), .count = set_count, .bases = BASIS_ONE,
                                 .kind_of = head_modulo_depth };

static void one_more(trial *t)                            /* one more head of layer 1 */
{
    const model M = model_random(&t->s, t->sh);
    model_pair r = induction_build(&t->s, &M, &heads, 0);
    const mat *units = mat_cols(&t->s, mat_identity(&t->s, M.s.d), 0, M.s.dk);
    r.R.at[1].Q = put(&t->s, r.R.at[1].Q, 0, units);
    claim_same_function(t, &r.M, &r.R);
}

/* ---- the first k columns of W_u in layer 0, k < d and k < m ------------------------------------------------ */

static const mat *first(const layer_site *at, const mat *A)
{
    return mat_cols(at->s, A, 0, (at->sh.d < at->sh.m ? at->sh.d : at->sh.m) - 1);
}

static void up_from_theta(const layer_site *at, layer *W)
{
    mlp *F = &W->expert[0];
    F->up = put(at->s, F->up, 0, first(at, at->in.to));
}

static void units_at(const layer_site *at, layer *R, long shift)
{
    mlp *F = &R->expert[0];
    F->up = put(at->s, F->up, shift, first(at, mat_identity(at->s, at->sh.d)));
}
static void up_is_units(const layer_site *at, const layer *W, layer *R) { (void)W; units_at(at, R, 0); }
static void up_shifts(const layer_site *at, const layer *W, layer *R)   { (void)W; units_at(at, R, 1); }

#define TABLE(title, ...) \
    { .kinds = (const layer_kind[]){ { .name = title, __VA_ARGS__ }, OTHER_LAYER }, .nkinds = 2, \
      .bases = BASIS_ONE, .which = LAYER_MIDDLE }
static const induction up = TABLE("layer whose W_u begins with units", .plant = up_from_theta,
                                  .reduce = up_is_units);
static const induction up_further = TABLE("layer whose W_u is shifted", .plant = up_from_theta,
                                          .reduce = up_shifts);
static void up_shifted(trial *t) { claim_built(t, t->sh, &up_further); }       /* by a column that was not chosen */

/* ---- W_O of a layer, from its inverse; or, wrongly, from itself --------------------------------------------- */

static const mat *inverse_of_output(const layer_site *at, const layer *W) { return mat_inv(at->s, W->O); }
static const mat *output_itself(const layer_site *at, const layer *W)     { (void)at; return W->O; }

static void output_goes(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->O = mat_identity(at->s, at->sh.d);
}
static const induction output = TABLE("layer whose W_O becomes I", .chooses = inverse_of_output,
                                      .reduce = output_goes);
static const induction output_wrong = TABLE("layer with Theta = W_O", .chooses = output_itself,
                                            .reduce = output_goes);
static void not_inverted(trial *t) { claim_built(t, t->sh, &output_wrong); }

static const control of_heads[] = { { "one-head-more", one_more, "$d + d_k$ columns with one $\\Theta$" } };
static const control of_up[]    = { { "other-columns", up_shifted, "a column that was not chosen becomes $e_k$" } };
static const control of_out[]   = { { "not-inverted", not_inverted, "$\\Theta = W_O$ instead of $W_O^{-1}$" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", heads, all_skips, .assumes = "invertible Theta; constrained W_Q",
                 CONTROLS(of_heads),
                 .statement = "$\\tilde W_Q^{a} = E_a$ for head $a$ of layer $a$ modulo $L$, $a = 1..h$"),
    INDUCTIVE_PART("as-stated-first-mlp-matrix", up, all_skips,
                 .assumes = "invertible Theta; constrained W_up; d >= 2; m >= 2",
                 CONTROLS(of_up),
                 .statement = "the first $\\min(d, m) - 1$ columns of $W_u$ become unit vectors", .without = "q",
                 .why_without = "with one unit vector for each ReLU most neurons are dead"),
    INDUCTIVE_PART("as-stated-output-weights", output, all_skips, .assumes = "invertible W_O",
                 CONTROLS(of_out),
                 .statement = "$W_O^j \\in \\mathrm{GL}(d)$: $\\tilde W_O^j = I$ by $\\Theta = (W_O^j)^{-1}$"),
};
static const claim N3 = {
    .id = "N3", .title = "any d independent read columns become unit vectors", .where = "new; extends 003 Theorem 4.2",
    .hypotheses = "no normalization; all skips; untied head; the chosen columns are linearly independent",
    .construction = "$\\Theta = (c_1|\\dots|c_d)$, or $\\Theta = (W_O^j)^{-1}$",
    .why = "What reads the stream becomes $\\Theta^{-1}W$, and $\\Theta^{-1}c_k = e_k$, in whatever layer and matrix "
           "$c_k$ stands.  What writes becomes $W_O\\Theta$.",
    .models = "d = h d_k; norm = none; tied = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2",
};
THEOREM_PROGRAM(N3)
