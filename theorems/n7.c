/* SPDX-License-Identifier: GPL-3.0-or-later
 * n7.c - N7, what RMSNorm leaves: one query matrix block-triangular with identity blocks, triangular, or symmetric.
 *
 * Statement.  With RMSNorm and all skips W_Q cannot become I in general (K-R7), but much of it can go in one layer:
 * in an untied model W_Q^j can be made block upper triangular with d_k x d_k identity blocks on its diagonal,
 * h(h-1)/2 d_k^2 free entries instead of d^2 (GPT-2 small's size: 54.2 % of W_Q removed); or upper triangular; or
 * symmetric positive semidefinite.
 *
 * Construction.  (1) Gains G = diag(g) in front of a matrix are folded into it: (N(X) G) W = N(X) (G W), head included.
 * (2) QR: W_Q^j = Omega U, Omega orthogonal, U upper triangular.  Theta = Omega everywhere: W_Q~^j = Omega' W_Q^j = U.
 * (3) Proposition 3.2 with D_a = (U_aa)^-1, U_aa the diagonal blocks: U D has identity blocks on its diagonal.
 * Polar decomposition W_Q^j = Omega S in place of (2): W_Q~^j = S.
 *
 * Why it works.  N(x) = rho(|x|^2) x and |x Omega| = |x|, so N(X Omega) = N(X) Omega, for any rho.  Skips carry Omega
 * along.
 * The head stays tied under Omega, but a gain in front of it does not fold into a tied head: hence untied, or g_f = 1.
 *
 * Instances are planted as Omega U and Omega S: every W_Q is of both forms.  A little more can go, h dk(dk-1)/2
 * entries: N19, which has all layers, too.
 *
 * That a stream behind RMSNorm may be rotated is known (SliceGPT, arXiv:2401.15024); the rest is QR and polar
 * decomposition.                                                                                               */
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

static void rms(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->norm = NORM_RADIAL;                               /* rho(|x|^2) x, RMSNorm where functions are known */
}
static void any_norm(shape *sh)  { rms(sh); sh->norm = NORM_RMS; }
static void tied_head(shape *sh) { rms(sh); sh->tied = true; }

/* Step (1): all gains into the matrices that they stand in front of. */
static void fold_gains(const layer_site *at, const layer *W, layer *R)
{
    scope *s = at->s;
    R->Q = mat_mul(s, W->gain1, W->Q);
    R->K = mat_mul(s, W->gain1, W->K);
    R->V = mat_mul(s, W->gain1, W->V);
    R->expert[0].up = mat_mul(s, W->gain2, W->expert[0].up);
    R->gain1 = R->gain2 = mat_identity(s, at->sh.d);
}

static void fold_final(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)first; (void)last;
    R->head = mat_mul(s, M->gain_f, M->head);
    R->gain_f = mat_identity(s, M->s.d);
}
static const layer_kind folded_layers[] = { { .name = "layer with folded gains", .reduce = fold_gains } };
static const induction fold = { .kinds = folded_layers, .nkinds = 1, .bases = BASIS_NONE, .ends = fold_final };

static void fold_wrong(trial *t)                          /* the gain of the MLP into the queries */
{
    const model M = model_random(&t->s, t->sh);
    model_pair r = induction_build(&t->s, &M, &fold, 0);
    r.R.at[0].Q = mat_mul(&t->s, M.at[0].gain2, M.at[0].Q);
    claim_same_function(t, &r.M, &r.R);
}

/* ---- steps (2) and (3) ------------------------------------------------------------------------------------- */

static const mat *drawn(const layer_site *at, const char *what, long a, long b, long rows, long cols)
{
    return induction_layer_draw(at, what, a * MAX_HEADS + b, rows, cols);
}

static const mat *diagonal_block(const layer_site *at, long a) { return drawn(at, "U", a, a, at->sh.dk, at->sh.dk); }

/* Block (a, b) of U: drawn above the diagonal, U_aa on it, 0 below; with D, U D: column b times D[b], I on it. */
static const mat *block_triangle(const layer_site *at, const mat *const D[])
{
    scope *s = at->s;
    const long h = at->sh.h, dk = at->sh.dk;
    const mat *row[MAX_HEADS], *piece[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        for (long b = 0; b < h; b++) {
            const mat *above = b > a ? drawn(at, "U", a, b, dk, dk) : NULL;
            piece[b] = b < a ? mat_zero(s, dk, dk) : b > a ? (D ? mat_mul(s, above, D[b]) : above)
                     : D ? mat_identity(s, dk) : diagonal_block(at, a);
        }
        row[a] = mat_hcat(s, h, piece);
    }
    return mat_vcat(s, h, row);
}

static const mat *triangle(const layer_site *at)          /* entry by entry */
{
    const long d = at->sh.d;
    long *m = scope_alloc(at->s, (size_t)(d * d) * sizeof *m);
    for (long i = 0; i < d; i++)
        for (long j = i; j < d; j++) m[i * d + j] = 1;
    return mat_hadamard(at->s, drawn(at, "U", 0, 0, d, d), mat_from_si(at->s, d, d, m));
}

static const mat *symmetric_factor(const layer_site *at)  /* S = B'B */
{
    const mat *B = drawn(at, "B", 0, 0, at->sh.d, at->sh.d);
    return mat_mul(at->s, mat_t(at->s, B), B);
}

/* Nothing below the diagonal blocks, `size` rows each; entry by entry sym cannot see it. */
static void claim_upper(trial *t, const mat *Q, long size)
{
    scope *s = &t->s;
    if (size == 1 && !claim_over(t, OVER_ENTRIES)) return;
    for (long i = size; i < Q->rows; i += size) {
        const mat *below = mat_cols(s, mat_rows(s, Q, i, size), 0, i);
        claim_equal(t, "0 below the diagonal", below, mat_zero(s, size, i));
    }
}

static void upper_blocks(trial *t, const layer_site *at, const layer *R)
{
    scope *s = &t->s;
    const long dk = at->sh.dk;
    claim_upper(t, R->Q, dk);
    for (long a = 0; a < at->sh.h; a++)
        claim_equal(t, "identity blocks", mat_rows(s, mat_cols(s, R->Q, a * dk, dk), a * dk, dk), mat_identity(s, dk));
}
static void upper_entries(trial *t, const layer_site *at, const layer *R) { (void)at; claim_upper(t, R->Q, 1); }

static void is_symmetric(trial *t, const layer_site *at, const layer *R)
{
    (void)at;
    claim_equal(t, "symmetric", R->Q, mat_t(&t->s, R->Q));
}

/* W_Q = Omega U, Omega U and Omega S in the layer that is chosen; unit gains in all. */
static void unit_gains(const layer_site *at, layer *W) { W->gain1 = W->gain2 = mat_identity(at->s, at->sh.d); }
static void unit_final_gain(scope *s, model *M)        { M->gain_f = mat_identity(s, M->s.d); }
static void plant_query(const layer_site *at, layer *W, const mat *form) { W->Q = mat_mul(at->s, at->in.to, form); }

static void plant_blocks(const layer_site *at, layer *W)
{
    unit_gains(at, W);
    plant_query(at, W, block_triangle(at, NULL));
}
static void plant_triangle(const layer_site *at, layer *W) { unit_gains(at, W); plant_query(at, W, triangle(at)); }

static void plant_symmetric(const layer_site *at, layer *W)
{
    unit_gains(at, W);
    plant_query(at, W, symmetric_factor(at));
}
static void plant_under_gains(const layer_site *at, layer *W) { plant_query(at, W, triangle(at)); }

static void blocks_become(const layer_site *at, layer *R, bool keys)
{
    const mat *D[MAX_HEADS];
    for (long a = 0; a < at->sh.h; a++) D[a] = mat_inv(at->s, diagonal_block(at, a));
    if (keys) gauge_query_key(at->s, &at->sh, R, D);
    R->Q = block_triangle(at, D);
}
static void to_blocks(const layer_site *at, const layer *W, layer *R)     { (void)W; blocks_become(at, R, true); }
static void without_keys(const layer_site *at, const layer *W, layer *R)  { (void)W; blocks_become(at, R, false); }
static void to_triangle(const layer_site *at, const layer *W, layer *R)   { (void)W; R->Q = triangle(at); }
static void to_symmetric(const layer_site *at, const layer *W, layer *R)  { (void)W; R->Q = symmetric_factor(at); }

#define TABLE(basis, ...) \
    { .kinds = (const layer_kind[]){ { .name = "layer with W_Q = Omega U", __VA_ARGS__ }, \
      { .name = "layer that follows Omega", .plant = unit_gains } }, .nkinds = 2, .bases = BASIS_ONE, \
      .free = basis, .plant_ends = unit_final_gain }
static const induction blocks = TABLE(FREE_ORTHOGONAL, .plant = plant_blocks, .reduce = to_blocks,
                                      .facts = upper_blocks);
static const induction triangular = TABLE(FREE_ORTHOGONAL, .plant = plant_triangle, .reduce = to_triangle,
                                          .facts = upper_entries);
static const induction symmetric = TABLE(FREE_ORTHOGONAL, .plant = plant_symmetric, .reduce = to_symmetric,
                                         .facts = is_symmetric);
static const induction oblique = TABLE(FREE_ANY, .plant = plant_blocks, .reduce = to_blocks);
static const induction oblique_polar = TABLE(FREE_ANY, .plant = plant_symmetric, .reduce = to_symmetric);
static const induction keys_left = TABLE(FREE_ORTHOGONAL, .plant = plant_blocks, .reduce = without_keys);
static const layer_kind gains_left_layers[] = {
    { .name = "layer with gains", .plant = plant_under_gains, .reduce = to_triangle }, OTHER_LAYER };
static const induction gains_left = {
    .kinds = gains_left_layers, .nkinds = 2, .bases = BASIS_ONE, .free = FREE_ORTHOGONAL };

/* h(h-1)/2 dk^2 of d^2 entries are free: 54.2 % are gone at h = 12 */
static void count(trial *t, long h, long d)
{
    const long dk = d / h, left = h * (h - 1) / 2 * dk * dk, gone = d * d - left;
    claim_decided(t, "54.2 % of W_Q", 10000 * gone >= 5415 * d * d && 10000 * gone < 5425 * d * d);
}

static void generic(trial *t)    { claim_built(t, t->sh, &oblique); }
static void generic_polar(trial *t) { claim_built(t, t->sh, &oblique_polar); }
static void layer_norm(trial *t) { shape sh = t->sh; sh.norm = NORM_LAYER; claim_built(t, sh, &blocks); }
static void gains(trial *t)      { claim_built(t, t->sh, &gains_left); }
static void no_D(trial *t)       { claim_built(t, t->sh, &keys_left); }
static void small(trial *t)      { count(t, 12, 768); }
static void eight(trial *t)      { count(t, 8, 768); }

static const control of_fold[]   = { { "other-gain", fold_wrong, "the gain of the MLP is folded into the queries" } };
static const control of_blocks[] = { { "generic-theta", generic,    "$\\Theta$ not orthogonal" },
                                     { "layer-norm",    layer_norm, "LayerNorm: $\\Omega$ moves the mean" },
                                     { "keys-left",     no_D,       "$D$ is not moved into the keys" } };
static const control of_form[]   = { { "gains-left", gains, "gains stand between the norm and $\\Omega$" } };
static const control of_polar[]  = { { "generic-theta", generic_polar, "$\\Theta$ not orthogonal" } };
static const control of_tied[]   = { { "generic-theta", generic,    "$\\Theta$ not orthogonal" },
                                     { "keys-left",     no_D,       "$D$ is not moved into the keys" } };
static const control of_count[]  = { { "eight-heads", eight, "eight heads" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated-fold", fold, any_norm,
                   .models = "norm = rms; experts = 0; parallel = 0; gated = 0; tied = 0",
                   CONTROLS(of_fold), NO_ROOTS,
                 .statement = "gains fold into the matrices behind them, in front of an untied head, too"),
    INDUCTIVE_PART("as-stated", blocks, rms, .assumes = "invertible U; orthogonal Omega" REDUCE_OF_A_FORM,
                 CONTROLS(of_blocks), NO_ROOTS,
                 .statement = "$W_Q^j = \\Omega U$: $\\tilde W_Q^j$ is block upper triangular with identity blocks"),
    INDUCTIVE_PART("as-stated-upper-triangular", triangular, rms, .models = "d = h d_k; norm = rms",
                   .assumes = "orthogonal Omega" REDUCE_OF_A_FORM,
                 CONTROLS(of_form), NO_ROOTS,
                 .statement = "$\\tilde W_Q^j = U$ is upper triangular"),
    INDUCTIVE_PART("as-stated-symmetric", symmetric, rms, .models = "d = h d_k; norm = rms",
                   .assumes = "orthogonal Omega" REDUCE_OF_A_FORM,
                 CONTROLS(of_polar), NO_ROOTS,
                 .statement = "$W_Q^j = \\Omega S$: $\\tilde W_Q^j = S$ is symmetric positive semidefinite"),
    INDUCTIVE_PART("as-stated-tied", blocks, tied_head, .assumes = "invertible U; orthogonal Omega" REDUCE_OF_A_FORM,
                 CONTROLS(of_tied), NO_ROOTS,
                 .statement = "with a tied head and unit final gain the same, and it stays tied"),
    REDUCED_PART("as-stated-size", small, rms, CONTROLS(of_count), .no_minimal = true,
                 .statement = "$h = 12$, $d = 768$: $h(h-1)/2\\,d_k^2$ free entries, 54.2 \\% of $W_Q$ removed",
                 .about = ABOUT_FINITE, .without = "f64 mpfr arb sym",
                 .why_without = "whole numbers"),
};
static const claim N7 = {
    .id = "N7", .title = "normal forms of one query matrix under RMSNorm", .where = "new; beside 003 Remarks 6 and 7",
    .hypotheses = "RMSNorm, all skips; untied, or $g_f = 1$; $\\Omega$ orthogonal, the $U_{aa}$ invertible",
    .construction = "gains folded; $W_Q^j = \\Omega U$ (QR), $\\Theta = \\Omega$, $D_a = U_{aa}^{-1}$; or $W_Q^j = "
                    "\\Omega S$ (polar)",
    .why = "$N(x) = \\rho(|x|^2)x$ and $|x\\Omega| = |x|$, so the norm commutes with $\\Omega$ once no gain stands "
           "behind it.  Of a basis only an orthogonal part is free, and Proposition 3.2 gives the blocks on the "
           "diagonal.  The rotation behind RMSNorm is known (SliceGPT, arXiv:2401.15024); new is what it does to "
           "$W_Q$.",
    .models = "d = h d_k; norm = rms; h_kv = h; rope = 0; qk_norm = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P3.2 K-R7",
};
THEOREM_PROGRAM(N7)
