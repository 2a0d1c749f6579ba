/* n3.c - N3, any d independent read columns of one segment become unit vectors.
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
#include "src/reduce.h"

static void all_skips(shape *sh) { reduction_switches(sh, ONE_LAYER); }

static basis random_basis(scope *s, long d) { return basis_of(s, mat_draw(s, "Theta", d, d, log2_fan_in(d))); }

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

static void compare(trial *t, const model *M, const model *R, basis Theta)
{
    claim_same_function(t, M, R);
    for (long i = 0; i < 2; i++) claim_step(t, M, R, i, Theta, Theta);
}

/* Head a of layer a mod L.  `extra`: one more head of layer 1 is said to become unit vectors. */
static void heads(trial *t, bool extra)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long d = M.s.d, dk = M.s.dk, L = M.s.L;
    const basis Theta = random_basis(s, d);
    const mat *I = mat_identity(s, d);
    for (long a = 0; a < M.s.h; a++) {
        const mat **Q = &M.at[a % L].Q;
        *Q = put(s, *Q, a * dk, mat_cols(s, Theta.to, a * dk, dk));
    }
    model R = gauge_uniform(s, &M, Theta);
    for (long a = 0; a < M.s.h; a++) {
        const mat **Q = &R.at[a % L].Q;
        *Q = put(s, *Q, a * dk, mat_cols(s, I, a * dk, dk));
    }
    if (extra) R.at[1].Q = put(s, R.at[1].Q, 0, mat_cols(s, I, 0, dk));
    compare(t, &M, &R, Theta);
}

/* The first k columns of W_u in layer 0, k < d and k < m; or shifted by one column, which was not chosen. */
static void up_columns(trial *t, long shift)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long d = M.s.d, k = d < M.s.m ? d - 1 : M.s.m - 1;
    const basis Theta = random_basis(s, d);
    const mat **up = &M.at[0].expert[0].up;
    *up = put(s, *up, 0, mat_cols(s, Theta.to, 0, k));
    model R = gauge_uniform(s, &M, Theta);
    const mat **reduced_up = &R.at[0].expert[0].up;
    *reduced_up = put(s, *reduced_up, shift, mat_cols(s, mat_identity(s, d), 0, k));
    compare(t, &M, &R, Theta);
}

/* W_O of layer 1, from its inverse; or, wrongly, from itself. */
static void output(trial *t, bool inverse)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *O = M.at[1].O;
    const basis Theta = basis_of(s, inverse ? mat_inv(s, O) : O);
    model R = gauge_uniform(s, &M, Theta);
    R.at[1].O = mat_identity(s, M.s.d);
    compare(t, &M, &R, Theta);
}

static void spread(trial *t)        { heads(t, false); }
static void one_more(trial *t)      { heads(t, true); }
static void up(trial *t)            { up_columns(t, 0); }
static void up_shifted(trial *t)    { up_columns(t, 1); }
static void output_one(trial *t)    { output(t, true); }
static void not_inverted(trial *t)  { output(t, false); }

static const control of_heads[] = { { "one-head-more", one_more, "$d + d_k$ columns with one $\\Theta$" } };
static const control of_up[]    = { { "other-columns", up_shifted, "a column that was not chosen becomes $e_k$" } };
static const control of_out[]   = { { "not-inverted", not_inverted, "$\\Theta = W_O$ instead of $W_O^{-1}$" } };
static const part parts[] = {
    REDUCED_PART("as-stated", spread, all_skips, .assumes = "invertible Theta",
                 .controls = of_heads, .ncontrols = COUNT(of_heads),
                 .statement = "$\\tilde W_Q^{a} = E_a$ for head $a$ of layer $a$ modulo $L$, $a = 1..h$"),
    REDUCED_PART("as-stated-up", up, all_skips, .assumes = "invertible Theta",
                 .controls = of_up, .ncontrols = COUNT(of_up),
                 .statement = "the first $\\min(d, m) - 1$ columns of $W_u$ become unit vectors", .without = "q",
                 .why_without = "with one unit vector for each ReLU most neurons are dead"),
    REDUCED_PART("as-stated-WO", output_one, all_skips, .assumes = "invertible W_O",
                 .controls = of_out, .ncontrols = COUNT(of_out),
                 .statement = "$W_O^j \\in \\mathrm{GL}(d)$: $\\tilde W_O^j = I$ by $\\Theta = (W_O^j)^{-1}$"),
};
static const claim N3 = {
    .id = "N3", .title = "any d independent read columns become unit vectors", .where = "new; extends 003 Theorem 4.2",
    .hypotheses = "no normalization; all skips; untied head; the chosen columns are linearly independent",
    .construction = "$\\Theta = (c_1|\\dots|c_d)$, or $\\Theta = (W_O^j)^{-1}$",
    .why = "What reads the stream becomes $\\Theta^{-1}W$, and $\\Theta^{-1}c_k = e_k$, in whatever layer and matrix "
           "$c_k$ stands.  What writes becomes $W_O\\Theta$.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2",
};
THEOREM_PROGRAM(N3)
