/* n7.c - N7, what RMSNorm leaves: one query matrix block-triangular with identity blocks, triangular, or symmetric.
 *
 * Statement.  With RMSNorm and all skips W_Q cannot become I in general (K-R7), but much of it can go in one layer: in
 * an untied model W_Q^j can be made block upper triangular with d_k x d_k identity blocks on its diagonal, h(h-1)/2
 * d_k^2
 * free entries instead of d^2 (GPT-2 small's size: 54.2 % of W_Q removed); or upper triangular; or symmetric
 * positive semidefinite.
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
 * Instances are planted as Omega U and Omega S: every W_Q is of both forms.  That nothing more can go is a rank
 * certificate (N8, N9), not shown here.                                                                       */
#include "src/reduce.h"

static void rms(shape *sh)
{
    reduction_switches(sh, ONE_LAYER);
    sh->norm = NORM_RADIAL;                               /* rho(|x|^2) x, RMSNorm where functions are known */
}
static void any_norm(shape *sh)  { rms(sh); sh->norm = NORM_RMS; }
static void tied_head(shape *sh) { rms(sh); sh->tied = true; }

/* Step (1): all gains into the matrices that they stand in front of. */
static model folded(scope *s, const model *M)
{
    model F = *M;
    const mat *I = mat_identity(s, M->s.d);
    for (long i = 0; i < M->s.L; i++) {
        layer *W = &F.at[i];
        W->Q = mat_mul(s, W->gain1, W->Q);
        W->K = mat_mul(s, W->gain1, W->K);
        W->V = mat_mul(s, W->gain1, W->V);
        W->expert[0].up = mat_mul(s, W->gain2, W->expert[0].up);
        W->gain1 = W->gain2 = I;
    }
    F.head = mat_mul(s, F.gain_f, M->head);
    F.gain_f = I;
    return F;
}

static void fold(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    const model F = folded(&t->s, &M);
    const basis I = basis_identity(&t->s, M.s.d);
    claim_same_function(t, &M, &F);
    for (long i = 0; i < M.s.L; i++) claim_step(t, &M, &F, i, I, I);
}

static void fold_wrong(trial *t)                          /* the gain of the MLP into the queries */
{
    model M = model_random(&t->s, t->sh);
    const model F = folded(&t->s, &M);
    model R = F;
    R.at[0].Q = mat_mul(&t->s, M.at[0].gain2, M.at[0].Q);
    claim_same_function(t, &M, &R);
}

/* ---- steps (2) and (3) ------------------------------------------------------------------------------------- */

typedef enum { BLOCKS, TRIANGLE, SYMMETRIC } form;
typedef enum { NOTHING, GENERIC, LAYER, GAINS, NO_D } slip;

static const mat *drawn(scope *s, const char *what, long a, long b, long rows, long cols)
{
    char name[48];
    snprintf(name, sizeof name, "%s.%ld.%ld", what, a, b);
    return mat_draw(s, name, rows, cols, log2_fan_in(cols));
}

/* Block (a, b) of U: drawn above the diagonal, U_aa on it (or I), 0 below; times D_b = D[b] where there is one. */
static const mat *block_triangle(scope *s, long h, long dk, const mat *const diagonal[], const mat *const D[])
{
    const mat *row[MAX_HEADS], *at[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        for (long b = 0; b < h; b++) {
            const mat *above = b > a ? drawn(s, "U", a, b, dk, dk) : NULL;
            at[b] = b < a ? mat_zero(s, dk, dk) : b == a ? diagonal[a] : D ? mat_mul(s, above, D[b]) : above;
        }
        row[a] = mat_hcat(s, h, at);
    }
    return mat_vcat(s, h, row);
}

static const mat *triangle(scope *s, long d)              /* entry by entry */
{
    long *m = scope_alloc(s, (size_t)(d * d) * sizeof *m);
    for (long i = 0; i < d; i++)
        for (long j = i; j < d; j++) m[i * d + j] = 1;
    return mat_hadamard(s, drawn(s, "U", 0, 0, d, d), mat_from_si(s, d, d, m));
}

/* Nothing below the diagonal blocks, `size` rows each; entry by entry sym cannot see it. */
static void claim_upper(trial *t, const mat *Q, long size)
{
    scope *s = &t->s;
    for (long i = size; i < Q->rows && (size > 1 || !(s->R->traits & SYMBOLIC)); i += size) {
        const mat *below = mat_cols(s, mat_rows(s, Q, i, size), 0, i);
        claim_equal(t, "0 below the diagonal", below, mat_zero(s, size, i));
    }
}

/* Layer 0 of a folded model with W_Q = Omega U; reduced to U, or to U D with identity blocks. */
static void reduce_form(trial *t, form which, slip how)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (how == LAYER) sh.norm = NORM_LAYER;
    model M = model_random(s, sh);
    const long d = M.s.d, h = M.s.h, dk = M.s.dk;
    const mat *D[MAX_HEADS], *U_aa[MAX_HEADS], *I[MAX_HEADS];
    for (long i = 0; i < M.s.L && how != GAINS; i++) M.at[i].gain1 = M.at[i].gain2 = mat_identity(s, d);
    if (how != GAINS) M.gain_f = mat_identity(s, d);
    for (long a = 0; a < h && which == BLOCKS; a++) {
        U_aa[a] = drawn(s, "U", a, a, dk, dk);
        D[a] = mat_inv(s, U_aa[a]);
        I[a] = mat_identity(s, dk);
    }
    const mat *Omega = how == GENERIC ? drawn(s, "Theta", 0, 0, d, d) : mat_draw_orthogonal(s, "Omega", d);
    const mat *B = drawn(s, "B", 0, 0, d, d);
    const mat *U = which == BLOCKS ? block_triangle(s, h, dk, U_aa, NULL)
                 : which == TRIANGLE ? triangle(s, d) : mat_mul(s, mat_t(s, B), B);
    M.at[0].Q = mat_mul(s, Omega, U);
    const basis Theta = basis_of(s, Omega);
    model R = gauge_uniform(s, &M, Theta);
    if (which == BLOCKS) {
        if (how != NO_D) gauge_query_key(s, &R, 0, D);
        R.at[0].Q = block_triangle(s, h, dk, I, D);
    } else {
        R.at[0].Q = which == TRIANGLE ? triangle(s, d) : mat_mul(s, mat_t(s, B), B);
    }
    if (which == SYMMETRIC) claim_equal(t, "symmetric", R.at[0].Q, mat_t(s, R.at[0].Q));
    else                    claim_upper(t, R.at[0].Q, which == BLOCKS ? dk : 1);
    claim_same_function(t, &M, &R);
    if (how == NOTHING) for (long i = 0; i < M.s.L; i++) claim_step(t, &M, &R, i, Theta, Theta);
}

/* h(h-1)/2 dk^2 of d^2 entries are free: 54.2 % are gone at h = 12 */
static void count(trial *t, long h, long d)
{
    const long dk = d / h, left = h * (h - 1) / 2 * dk * dk, gone = d * d - left;
    claim_decided(t, "54.2 % of W_Q", 10000 * gone >= 5415 * d * d && 10000 * gone < 5425 * d * d);
}

static void blocks(trial *t)     { reduce_form(t, BLOCKS, NOTHING); }
static void triangular(trial *t) { reduce_form(t, TRIANGLE, NOTHING); }
static void symmetric(trial *t)  { reduce_form(t, SYMMETRIC, NOTHING); }
static void generic(trial *t)    { reduce_form(t, BLOCKS, GENERIC); }
static void layer_norm(trial *t) { reduce_form(t, BLOCKS, LAYER); }
static void gains(trial *t)      { reduce_form(t, TRIANGLE, GAINS); }
static void no_D(trial *t)       { reduce_form(t, BLOCKS, NO_D); }
static void small(trial *t)      { count(t, 12, 768); }
static void eight(trial *t)      { count(t, 8, 768); }

static const control of_fold[]   = { { "other-gain", fold_wrong, "the gain of the MLP is folded into the queries" } };
static const control of_blocks[] = { { "generic-theta", generic,    "$\\Theta$ not orthogonal" },
                                     { "layer-norm",    layer_norm, "LayerNorm: $\\Omega$ moves the mean" },
                                     { "keys-left",     no_D,       "$D$ is not moved into the keys" } };
static const control of_form[]   = { { "gains-left", gains, "gains stand between the norm and $\\Omega$" } };
static const control of_count[]  = { { "eight-heads", eight, "eight heads" } };
#define NO_ROOTS .without = "q", .why_without = "q has no square roots"
static const part parts[] = {
    REDUCED_PART("as-stated-fold", fold, any_norm, .controls = of_fold, .ncontrols = COUNT(of_fold), NO_ROOTS,
                 .statement = "gains fold into the matrices behind them, in front of an untied head, too"),
    REDUCED_PART("as-stated", blocks, rms, .assumes = "invertible U; orthogonal Omega",
                 .controls = of_blocks, .ncontrols = COUNT(of_blocks), NO_ROOTS,
                 .statement = "$W_Q^j = \\Omega U$: $\\tilde W_Q^j$ is block upper triangular with identity blocks"),
    REDUCED_PART("as-stated-tri", triangular, rms, .assumes = "orthogonal Omega",
                 .controls = of_form, .ncontrols = COUNT(of_form), NO_ROOTS,
                 .statement = "$\\tilde W_Q^j = U$ is upper triangular"),
    REDUCED_PART("as-stated-sym", symmetric, rms, .assumes = "orthogonal Omega",
                 NO_ROOTS,
                 .statement = "$W_Q^j = \\Omega S$: $\\tilde W_Q^j = S$ is symmetric positive semidefinite"),
    REDUCED_PART("as-stated-tied", blocks, tied_head, .assumes = "invertible U; orthogonal Omega",
                 NO_ROOTS,
                 .statement = "with a tied head and unit final gain the same, and it stays tied"),
    REDUCED_PART("as-stated-size", small, rms, .controls = of_count, .ncontrols = COUNT(of_count), .no_minimal = true,
                 .statement = "$h = 12$, $d = 768$: $h(h-1)/2\\,d_k^2$ free entries, 54.2 \\% of $W_Q$ removed",
                 .without = "f64 mpfr arb sym", .why_without = "whole numbers"),
};
static const claim N7 = {
    .id = "N7", .title = "normal forms of one query matrix under RMSNorm", .where = "new; beside 003 Remarks 6 and 7",
    .hypotheses = "RMSNorm, all skips; untied, or $g_f = 1$; $\\Omega$ orthogonal, the $U_{aa}$ invertible",
    .construction = "gains folded; $W_Q^j = \\Omega U$ (QR), $\\Theta = \\Omega$, $D_a = U_{aa}^{-1}$; or $W_Q^j = "
                    "\\Omega S$ (polar)",
    .why = "$N(x) = \\rho(|x|^2)x$ and $|x\\Omega| = |x|$, so the norm commutes with $\\Omega$ once no gain stands "
           "behind it.  Of a basis only an orthogonal part is free, and Proposition 3.2 gives the blocks on the "
           "diagonal.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P3.2 K-R7",
};
THEOREM_PROGRAM(N7)
