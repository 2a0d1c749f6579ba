/* SPDX-License-Identifier: GPL-3.0-or-later
 * n19.c - N19, every query matrix block-triangular under RMSNorm: skips around attention only, and shared blocks.
 *
 * Statement.  N7 gives one layer's W_Q the form of a block upper triangular matrix with d_k x d_k identity blocks on
 * its diagonal.  In a model with RMSNorm, untied or without a gain before the head,
 *   - whose skips are around attention only, all W_Q^i take it at once;
 *   - in which one block is shared by all layers (ALBERT), with all skips, its W_Q takes it;
 *   - in which two layers are shared in turn, one of the two does.
 * A finer form is free as well: the first block beside the diagonal becomes diagonal, the next ones upper triangular.
 * It has h(h-1)/2 dk^2 - h dk(dk-1)/2 free entries, and no form has fewer: fixing all of W_Q loses so many dimensions
 * of functions per matrix.  With W_Q = I even h(h-1)/2 dk^2 are lost.
 *
 * Construction.  Gains folded (N7).  W_Q^i = Omega_i U_i by QR, Theta_i = Omega_i in front of layer i, I in front of
 * the head (tied: Omega_1), D_a = (U_aa)^-1 in Proposition 3.2.  Finer: what is left is Theta = D = diag(O_1, .., O_h),
 * O_a orthogonal, which turns block (a, b) into O_a' U_ab O_b: O_1, O_2 from the singular value decomposition of U_12,
 * then O_3 from U_23 and so on, each by a QR decomposition.
 *
 * Why it works.  N(x) = rho(|x|^2) x commutes with every Omega_i; the MLP, which has no skip, stands between two of
 * them: W_u^i takes Omega_i' (the skip around attention carries Omega_i to it), W_d^i takes Omega_{i+1}.  A shared
 * block has one basis in front and behind.  QR needs nothing of W_Q, but D needs the U_aa invertible.
 *
 * Instances are planted as Omega U: every W_Q is of that form, and of the finer one if its U_aa are invertible.
 *
 * Why no fewer entries.  A family whose matrices W_Q have f free entries has at most f dimensions more than one with
 * these matrices fixed, at the best place; and at none the gauge does more than at random ones, where both bounds of
 * the rank meet (N8).  N7's count h(h-1)/2 dk^2 is that of its form, and what W_Q = I loses; it is not the least. */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"
#include "src/claim/reduce.h"

/* ---- forms of W_Q -------------------------------------------------------------------------------------- */

static void around_attention(shape *sh) { reduce_switches(sh, ATTENTION_SKIP); sh->norm = NORM_RADIAL; }
static void tied_head(shape *sh)        { around_attention(sh); sh->tied = true; }
static void one_block(shape *sh)        { reduce_switches(sh, SHARED_BLOCK);   sh->norm = NORM_RADIAL; sh->L = 3; }
static void two_in_turn(shape *sh)      { one_block(sh); sh->shared = 2; sh->L = 4; }

static const mat *drawn(const layer_site *at, const char *what, long a, long b, long rows, long cols)
{
    return induction_layer_draw(at, what, a * MAX_HEADS + b, rows, cols);
}
static const mat *diagonal_block(const layer_site *at, long a) { return drawn(at, "U", a, a, at->sh.dk, at->sh.dk); }

/* The block beside the diagonal of the finer form: diagonal in row 0, else upper triangular. */
static const mat *fine_block(const layer_site *at, long a, const mat *A)
{
    const long dk = at->sh.dk;
    long *keep = scope_alloc(at->s, (size_t)(dk * dk) * sizeof *keep);
    for (long i = 0; i < dk; i++)
        for (long j = i; j < (a ? dk : i + 1); j++) keep[i * dk + j] = 1;
    return mat_hadamard(at->s, A, mat_from_si(at->s, dk, dk, keep));
}

/* Block (a, b) of F: drawn above the diagonal, I on it, 0 below; with U: column b times U_bb. */
static const mat *block_triangle(const layer_site *at, bool fine, bool with_U)
{
    scope *s = at->s;
    const long h = at->sh.h, dk = at->sh.dk;
    const mat *row[MAX_HEADS], *piece[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        for (long b = 0; b < h; b++) {
            const mat *F = b < a ? mat_zero(s, dk, dk) : b > a ? drawn(at, "F", a, b, dk, dk) : mat_identity(s, dk);
            if (fine && b == a + 1) F = fine_block(at, a, F);
            piece[b] = !with_U || b < a ? F : b == a ? diagonal_block(at, a) : mat_mul(s, F, diagonal_block(at, b));
        }
        row[a] = mat_hcat(s, h, piece);
    }
    return mat_vcat(s, h, row);
}

static void unit_gains(const layer_site *at, layer *W) { W->gain1 = W->gain2 = mat_identity(at->s, at->sh.d); }
static void unit_final_gain(scope *s, model *M)        { M->gain_f = mat_identity(s, M->s.d); }

static void plant_in(const layer_site *at, layer *W, bool fine)               /* W_Q = Omega F diag(U_aa) */
{
    unit_gains(at, W);
    W->Q = mat_mul(at->s, at->in.to, block_triangle(at, fine, true));
}
static void plant(const layer_site *at, layer *W)      { plant_in(at, W, false); }
static void plant_fine(const layer_site *at, layer *W) { plant_in(at, W, true); }

static void become(const layer_site *at, layer *R, bool fine, bool keys)
{
    const mat *D[MAX_HEADS];
    for (long a = 0; a < at->sh.h; a++) D[a] = mat_inv(at->s, diagonal_block(at, a));
    if (keys) gauge_query_key(at->s, &at->sh, R, D);
    R->Q = block_triangle(at, fine, false);
}
static void to_blocks(const layer_site *at, const layer *W, layer *R)    { (void)W; become(at, R, false, true); }
static void to_fine(const layer_site *at, const layer *W, layer *R)      { (void)W; become(at, R, true, true); }
static void without_keys(const layer_site *at, const layer *W, layer *R) { (void)W; become(at, R, false, false); }
static void fine_without_keys(const layer_site *at, const layer *W, layer *R) { (void)W; become(at, R, true, false); }

static void is_block_triangle(trial *t, const layer_site *at, const layer *R)
{
    scope *s = &t->s;
    const long h = at->sh.h, dk = at->sh.dk;
    for (long a = 0; a < h; a++) {
        const mat *column = mat_cols(s, R->Q, a * dk, dk);
        claim_equal(t, "identity blocks", mat_rows(s, column, a * dk, dk), mat_identity(s, dk));
        if (a + 1 == h) continue;
        const mat *below = mat_rows(s, column, (a + 1) * dk, (h - a - 1) * dk);
        claim_equal(t, "0 below the diagonal", below, mat_zero(s, (h - a - 1) * dk, dk));
    }
}

static void is_fine(trial *t, const layer_site *at, const layer *R)
{
    scope *s = &t->s;
    const long dk = at->sh.dk;
    is_block_triangle(t, at, R);
    if (!claim_over(t, OVER_ENTRIES)) return;                /* sym sees no entries */
    for (long a = 0; a + 1 < at->sh.h; a++) {
        const mat *beside = mat_rows(s, mat_cols(s, R->Q, (a + 1) * dk, dk), a * dk, dk);
        for (long i = 0; i < dk; i++)
            for (long j = 0; j < dk; j++)
                if (j < i || (a == 0 && j > i))
                    claim_equal(t, "0 beside it", mat_rows(s, mat_cols(s, beside, j, 1), i, 1), mat_zero(s, 1, 1));
    }
}

#define TABLE(plan, basis, many, ...) \
    { .kinds = (const layer_kind[]){ { .name = "layer with W_Q = Omega U", __VA_ARGS__ }, \
      { .name = "layer that follows Omega", .plant = unit_gains } }, .nkinds = many, .bases = plan, \
      .free = basis, .plant_ends = unit_final_gain }
static const induction each = TABLE(BASIS_EACH, FREE_ORTHOGONAL, 1, .plant = plant, .reduce = to_blocks,
                                    .facts = is_block_triangle);
static const induction each_fine = TABLE(BASIS_EACH, FREE_ORTHOGONAL, 1, .plant = plant_fine,
                                         .reduce = to_fine, .facts = is_fine);
static const induction shared = TABLE(BASIS_ONE, FREE_ORTHOGONAL, 1, .plant = plant, .reduce = to_blocks,
                                      .facts = is_block_triangle);
static const induction in_turn = TABLE(BASIS_ONE, FREE_ORTHOGONAL, 2, .plant = plant, .reduce = to_blocks,
                                       .facts = is_block_triangle);
static const induction oblique = TABLE(BASIS_EACH, FREE_ANY, 1, .plant = plant, .reduce = to_blocks);
static const induction keys_left = TABLE(BASIS_EACH, FREE_ORTHOGONAL, 1, .plant = plant,
                                         .reduce = without_keys);
static const induction fine_left = TABLE(BASIS_EACH, FREE_ORTHOGONAL, 1, .plant = plant_fine,
                                         .reduce = fine_without_keys);
static const induction askew = TABLE(BASIS_ONE, FREE_ANY, 1, .plant = plant, .reduce = to_blocks);
static const induction keys_stay = TABLE(BASIS_ONE, FREE_ORTHOGONAL, 1, .plant = plant, .reduce = without_keys);

static void layer_norm(trial *t) { shape sh = t->sh; sh.norm = NORM_LAYER; claim_built(t, sh, &each); }
static void mlp_skip(trial *t)   { shape sh = t->sh; sh.mlp_skip = true;   claim_built(t, sh, &each); }
static void generic(trial *t)    { claim_built(t, t->sh, &oblique); }
static void no_D(trial *t)       { claim_built(t, t->sh, &keys_left); }
static void no_D_fine(trial *t)  { claim_built(t, t->sh, &fine_left); }
static void generic_one(trial *t) { claim_built(t, t->sh, &askew); }
static void no_D_one(trial *t)   { claim_built(t, t->sh, &keys_stay); }

/* The second layer of the pair loses what is below its diagonal blocks, too. */
static void second_too(trial *t)
{
    scope *s = &t->s;
    const model drawn = model_random(s, t->sh);
    model_pair r = induction_build(s, &drawn, &in_turn, 0);
    const long h = r.M.s.h, dk = r.M.s.dk;
    const mat *row[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        const mat *own = mat_rows(s, r.R.at[1].Q, a * dk, dk), *kept = mat_cols(s, own, a * dk, (h - a) * dk);
        row[a] = a ? mat_hcat(s, 2, (const mat *const[]){ mat_zero(s, dk, a * dk), kept }) : kept;
    }
    const mat *cut = mat_vcat(s, h, row);
    for (long i = 1; i < r.R.s.L; i += 2) r.R.at[i].Q = cut;
    claim_same_function(t, &r.M, &r.R);
}

/* ---- how much is lost ---------------------------------------------------------------------------------- */

typedef struct { const char *architecture; long d, h, L, shared; } configuration;
static const configuration models[] = {
    { "attn-skip+rms", 4, 2, 1, 0 }, { "attn-skip+rms", 4, 2, 2, 0 }, { "attn-skip+rms", 6, 3, 1, 0 },
    { "attn-skip+rms", 6, 2, 1, 0 }, { "attn-skip+rms", 4, 4, 2, 0 }, { "attn-skip+rms", 4, 2, 3, 0 },
    { "all-skip+rms", 4, 2, 3, 1 },  { "all-skip+rms", 6, 3, 2, 1 },  { "all-skip+rms", 6, 2, 2, 1 },
    { "all-skip+rms", 4, 2, 4, 2 },  { "all-skip+rms", 4, 4, 2, 2 },  { "all-skip+rms", 6, 2, 2, 2 },
};

/* Entries above the diagonal blocks; the directions of diag(O_1, .., O_h); entries beside those blocks. */
static long above(const configuration *c)  { return c->h * (c->h - 1) / 2 * (c->d / c->h) * (c->d / c->h); }
static long turns(const configuration *c)  { return c->d * (c->d / c->h - 1) / 2; }
static long beside(const configuration *c) { return c->d * c->d - c->d * c->d / c->h; }

/* All W_Q fixed, at I or at random ones behind folded gains; of two that are shared in turn the second keeps all. */
static void loses(trial *t, const configuration *c, bool random, long error)
{
    shape sizes = { .n = 3, .d = c->d, .h = c->h, .m = c->d + 1, .V = c->d + 2, .L = c->L, .shared = c->shared };
    dimension_of full = dimension_family_named(sizes, c->architecture);
    full.frozen_query = full.folded_gains = random;
    const long each_layer = above(c) - (random ? turns(c) : 0);
    const long expected = c->shared == 2 ? each_layer + beside(c) : c->shared ? each_layer : c->L * each_layer;
    claim_deficit(t, c->architecture, &full, ((uint64_t)1 << c->L) - 1, expected + error);
}

static void all_of(trial *t, bool random)                                /* three trials share the list */
{
    for (size_t k = 0; k < COUNT(models); k++)
        if ((long)k % 3 == t->number % 3) loses(t, &models[k], random, 0);
}
static void at_identity(trial *t) { all_of(t, false); }
static void at_random(trial *t)   { all_of(t, true); }

static void one_less(trial *t)    { loses(t, &models[1], false, -1); }
static void not_one(trial *t)     { loses(t, &models[6], false, 8); }
static void above_all(trial *t)   { loses(t, &models[1], true, 2 * turns(&models[1])); }
static void two_as_one(trial *t)  { loses(t, &models[9], true, -beside(&models[9])); }

/* h = 12, d = 768: free entries of W_Q, of 589,824 */
static void count(trial *t, long h, long d)
{
    const configuration c = { "", d, h, 1, 0 };
    const long coarse = d * d - above(&c), fine = coarse + turns(&c);
    claim_decided(t, "270,336 entries", above(&c) == 270336);
    claim_decided(t, "246,144 entries", above(&c) - turns(&c) == 246144);
    claim_decided(t, "54.2 %", 10000 * coarse >= 5415 * d * d && 10000 * coarse < 5425 * d * d);
    claim_decided(t, "58.3 %", 10000 * fine >= 5825 * d * d && 10000 * fine < 5835 * d * d);
}
static void small(trial *t)       { count(t, 12, 768); }
static void eight_heads(trial *t) { count(t, 8, 768); }

static const control of_each[]   = { { "generic-theta", generic,    "the $\\Theta_i$ not orthogonal" },
                                     { "layer-norm",    layer_norm, "LayerNorm: $\\Omega_i$ moves the mean" },
                                     { "mlp-skip",      mlp_skip,   "a skip around the MLP joins $\\Omega_i$ and "
                                                                    "$\\Omega_{i+1}$" },
                                     { "keys-left",     no_D,       "$D$ is not moved into the keys" } };
static const control of_fine[]   = { { "fine-keys-left", no_D_fine, "$D$ is not moved into the keys" } };
static const control of_shared[] = { { "shared-theta",  generic_one, "$\\Theta$ not orthogonal" },
                                     { "shared-keys",   no_D_one,    "$D$ is not moved into the keys" } };
static const control of_turn[]   = { { "second-too",    second_too, "the second layer of the pair loses its lower "
                                                                    "blocks" } };
static const control of_lost[]   = { { "one-less",      one_less,   "the formula minus 1" },
                                     { "not-shared",    not_one,    "$d^2-hd_k^2$ more, as for one more layer" } };
static const control of_least[]  = { { "coarse",        above_all,  "$h(h-1)/2\\,d_k^2$ per matrix" },
                                     { "two-as-one",    two_as_one, "two layers in turn counted as one" } };
static const control of_count[]  = { { "eight-heads",   eight_heads, "eight heads" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", each, around_attention, .assumes = "invertible U; orthogonal Theta" REDUCE_OF_A_FORM,
                   CONTROLS(of_each), NO_ROOTS,
                   .statement = "skips around attention only: every $\\tilde W_Q^i$ is block upper triangular with "
                                "identity blocks"),
    INDUCTIVE_PART("as-stated-tied", each, tied_head, NO_ROOTS,
                   .assumes = "invertible U; orthogonal Theta" REDUCE_OF_A_FORM,
                   .statement = "with a tied head and unit final gain the same, and it stays tied: $\\Theta_{L+1} = "
                                "\\Theta_1$", .controls = of_each, .ncontrols = 1),
    INDUCTIVE_PART("as-stated-finer-form", each_fine, around_attention,
                   .assumes = "invertible U; orthogonal Theta" REDUCE_OF_A_FORM,
                   CONTROLS(of_fine), NO_ROOTS,
                   .statement = "the finer form: the first block beside the diagonal is diagonal, the next are upper "
                                "triangular"),
    INDUCTIVE_PART("as-stated-one", shared, one_block,
                   .models = "d = h d_k; norm = rms; h_kv = h; rope = 0; qk_norm = 0",
                   .assumes = "invertible U; orthogonal Omega" REDUCE_OF_A_FORM,
                   CONTROLS(of_shared), NO_ROOTS,
                   .statement = "all skips, one block for all layers: its $\\tilde W_Q$ has that form"),
    INDUCTIVE_PART("as-stated-two", in_turn, two_in_turn,
                   .models = "d = h d_k; norm = rms; h_kv = h; rope = 0; qk_norm = 0",
                   .assumes = "invertible U; orthogonal Omega" REDUCE_OF_A_FORM,
                   CONTROLS(of_turn), NO_ROOTS,
                   .statement = "all skips, two layers shared in turn: the first of the two has that form"),
    { .name = "as-stated-lost", .kind = PART_IDENTITY, .run = at_identity, RANKS_AT_ONE_SHAPE,
      .statement = "$W_Q = I$ loses $h(h-1)/2\\,d_k^2$ dimensions of functions per layer, the same for a shared block, "
                   "and $d^2-hd_k^2$ more where two are shared in turn",
      CONTROLS(of_lost) },
    { .name = "as-stated-least", .kind = PART_IDENTITY, .run = at_random, RANKS_AT_ONE_SHAPE,
      .statement = "gains folded, $W_Q$ fixed at matrices in general position: $h(h-1)/2\\,d_k^2 - h d_k(d_k-1)/2$ in "
                   "their place, so that no form has fewer free entries than the finer one",
      CONTROLS(of_least) },
    REDUCED_PART("as-stated-size", small, around_attention, CONTROLS(of_count),
                 .no_minimal = true, .about = ABOUT_FINITE, .without = "f64 mpfr arb sym",
                 .why_without = "whole numbers",
                 .statement = "$h = 12$, $d = 768$: by the formulas $270336$ free entries in $W_Q$, $246144$ in the "
                              "finer form; 54.2 and 58.3 \\% are removed"),
};
static const claim N19 = {
    .id = "N19", .title = "normal forms of all query matrices under RMSNorm",
    .where = "new; beside 003 Theorems 4.3 and 4.4, Remarks 6 and 7",
    .hypotheses = "RMSNorm, gains folded; untied, or $g_f = 1$; skips around attention only, or all skips and shared "
                  "layers; $\\Omega_i$ orthogonal, the $U_{aa}$ invertible",
    .construction = "$W_Q^i = \\Omega_iU_i$ (QR), $\\Theta_i = \\Omega_i$, $\\Theta_{L+1} = I$, $D_a = U_{aa}^{-1}$; "
                    "then $O_a^\\top U_{ab}O_b$",
    .why = "RMSNorm commutes with every $\\Omega_i$, and an MLP without skip stands between two of them, as in "
           "Theorem 4.4; of a basis only the orthogonal part is free, so that the triangle remains.  The rotation of "
           "a stream behind RMSNorm is known (SliceGPT uses it); that it makes one factor of a product triangular is "
           "the QR decomposition.  It is what holds for models with one shared block, and for a pair of shared "
           "layers, behind RMSNorm and without RoPE, where Theorem 4.3 does not apply (K-TRM).  Tiny Recursion Models "
           "have RoPE, and norms behind their sublayers: with RoPE only a triangle remains (N20).",
    .models = "d = h d_k; norm = rms; h_kv = h; mlp_skip = 0; parallel = 0; rope = 0; qk_norm = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "N7 N9 K-P3.2 K-T4.3 K-T4.4 K-TRM",
};
THEOREM_PROGRAM(N19)
