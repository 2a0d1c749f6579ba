/* SPDX-License-Identifier: GPL-3.0-or-later
 * n20.c - N20, normal forms and counts for query weights of Llama's kind: RMSNorm, RoPE, grouped heads.
 *
 * Statement.  RMSNorm, all skips, untied head, gated MLPs, rotary positions, query heads that share keys.  One layer's
 * W_Q can be made upper triangular, and in the first query head of each group all 2 x 2 blocks on the diagonal, one for
 * each frequency, diag(1, c).  The d_k x d_k identity blocks of N7 do not survive RoPE; without RoPE the first head of
 * each group has them.  With W_Q = I in n layers the model loses
 *     n (d^2 - d - h_kv dk/2) - d(d-1)/2             dimensions of functions (RoPE; any number of heads)
 *     n (d^2 - d - h_kv dk(dk-1)) - d(d-1)/2         without RoPE, where heads share keys
 * Llama-3-8B (d = 4096, L = h = 32, h_kv = 8): 528,336,896 of 536,870,912, so that 1.59 % of its query weights are
 * redundant; RMSNorm's rotation and RoPE's D remove half of one layer's W_Q and no more.
 *
 * Construction.  Gains folded.  W_Q = Omega U by QR, Theta = Omega everywhere, as in N7: RoPE comes after the
 * projections.  What is left of Proposition 3.2 commutes with the rotations: D_g of blocks (a, b; -b, a), one for all
 * query heads of group g (K-X-rope, K-X-gqa).  B a 2 x 2 block of U on the diagonal of the group's first head, B = O
 * diag(s, s') R its singular value decomposition with R a rotation: D_g = R' / s there, Theta takes O, and the blocks
 * of the other heads become triangular again by 2 x 2 QR.
 *
 * Why it works.  N(X Omega) = N(X) Omega; D_g meets its inverse in the scores, on both sides of rotations with which it
 * commutes.
 *
 * Why no less.  Fixed matrices W_Q in general position, gains folded, lose n (d^2 - h_kv dk) - d(d-1)/2 dimensions: for
 * n = 1 the d(d+1)/2 - h_kv dk free entries of the form (the argument is in n19.c).  With W_Q = I the gains, if they
 * are free, count as well: d - h_kv dk/2 per layer that no D_g has.                                            */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"
#include "src/claim/reduce.h"

/* ---- forms of W_Q --------------------------------------------------------------------------------------- */

static void grouped(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->norm = NORM_RADIAL;                               /* rho(|x|^2) x, RMSNorm where functions are known */
    sh->h_kv = sh->h / 2;
    sh->gated = sh->no_positions = true;
}
static void llama(shape *sh) { grouped(sh); sh->rope = true; }

typedef enum { TRIANGLE, PAIRS, BLOCKS } form;            /* first heads: diag(1, c) in PAIRS, I in BLOCKS */

static bool leads(const shape *sh, long a) { return a % (sh->h / sh->h_kv) == 0; }

/* Entry (i, j) of the form: -1 free, else its value. */
static long entry_of(const shape *sh, form f, long i, long j)
{
    const long a = i / sh->dk, b = j / sh->dk;
    if (f == BLOCKS && a == b && leads(sh, a)) return i == j;
    if (f == PAIRS && i / 2 == j / 2 && leads(sh, a)) return i != j ? 0 : i % 2 ? -1 : 1;
    return j < i ? 0 : -1;
}

/* F: drawn where it is free. */
static const mat *draw_form(const layer_site *at, form f)
{
    scope *s = at->s;
    const long d = at->sh.d;
    long *keep = scope_alloc(s, (size_t)(d * d) * sizeof *keep);
    long *given = scope_alloc(s, (size_t)(d * d) * sizeof *given);
    for (long i = 0; i < d; i++)
        for (long j = 0; j < d; j++) {
            const long e = entry_of(&at->sh, f, i, j);
            keep[i * d + j] = e < 0;
            given[i * d + j] = e > 0;
        }
    const mat *F = mat_hadamard(s, induction_layer_draw(at, "F", 0, d, d), mat_from_si(s, d, d, keep));
    return mat_add(s, F, mat_from_si(s, d, d, given));
}

/* T_g, one for each group: I, blocks (a, b; -b, a), or any. */
static const mat *of_group(const layer_site *at, form f, long g)
{
    scope *s = at->s;
    const long dk = at->sh.dk;
    if (f == TRIANGLE) return mat_identity(s, dk);
    if (f == BLOCKS)   return induction_layer_draw(at, "T", g, dk, dk);
    const mat *J = mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, 0 });
    const mat **pair = scope_alloc(s, (size_t)dk * sizeof *pair);
    for (long k = 0; k < dk / 2; k++) {
        const mat *top = induction_layer_draw(at, "T", g * dk + k, 1, 2);
        pair[k] = mat_vcat(s, 2, (const mat *const[]){ top, mat_mul(s, top, J) });
    }
    return mat_blockdiag(s, dk / 2, pair);
}

static void unit_gains(const layer_site *at, layer *W) { W->gain1 = W->gain2 = mat_identity(at->s, at->sh.d); }
static void unit_final_gain(scope *s, model *M)        { M->gain_f = mat_identity(s, M->s.d); }

/* W_Q = Omega F diag(T_g) */
static void plant_form(const layer_site *at, layer *W, form f)
{
    const mat *T[MAX_HEADS];
    unit_gains(at, W);
    for (long a = 0; a < at->sh.h; a++) T[a] = of_group(at, f, a / (at->sh.h / at->sh.h_kv));
    W->Q = mat_mul3(at->s, at->in.to, draw_form(at, f), mat_blockdiag(at->s, at->sh.h, T));
}

static void become(const layer_site *at, layer *R, form f, bool keys)
{
    const mat *D[MAX_HEADS];
    for (long g = 0; g < at->sh.h_kv; g++) D[g] = mat_inv(at->s, of_group(at, f, g));
    if (keys && f != TRIANGLE) gauge_query_key(at->s, &at->sh, R, D);
    R->Q = draw_form(at, f);
}
static void plant_triangle(const layer_site *at, layer *W) { plant_form(at, W, TRIANGLE); }
static void plant_pairs(const layer_site *at, layer *W)    { plant_form(at, W, PAIRS); }
static void plant_blocks(const layer_site *at, layer *W)   { plant_form(at, W, BLOCKS); }

static void plant_under_gains(const layer_site *at, layer *W)
{
    W->Q = mat_mul(at->s, at->in.to, draw_form(at, TRIANGLE));
}
static void to_triangle(const layer_site *at, const layer *W, layer *R) { (void)W; become(at, R, TRIANGLE, true); }
static void to_pairs(const layer_site *at, const layer *W, layer *R)    { (void)W; become(at, R, PAIRS, true); }
static void to_blocks(const layer_site *at, const layer *W, layer *R)   { (void)W; become(at, R, BLOCKS, true); }
static void pairs_alone(const layer_site *at, const layer *W, layer *R) { (void)W; become(at, R, PAIRS, false); }
static void blocks_alone(const layer_site *at, const layer *W, layer *R) { (void)W; become(at, R, BLOCKS, false); }

static void has_form(trial *t, const layer_site *at, const mat *Q, form f)
{
    scope *s = &t->s;
    if (!claim_over(t, OVER_ENTRIES)) return;                                          /* sym sees no entries */
    for (long i = 0; i < at->sh.d; i++)
        for (long j = 0; j < at->sh.d; j++) {
            const long e = entry_of(&at->sh, f, i, j);
            const mat *own = mat_cols(s, mat_rows(s, Q, i, 1), j, 1);
            if (e >= 0) claim_equal(t, "entries that are gone", own, mat_from_si(s, 1, 1, &e));
        }
}
static void is_triangle(trial *t, const layer_site *at, const layer *R) { has_form(t, at, R->Q, TRIANGLE); }
static void has_pairs(trial *t, const layer_site *at, const layer *R)   { has_form(t, at, R->Q, PAIRS); }
static void has_blocks(trial *t, const layer_site *at, const layer *R)  { has_form(t, at, R->Q, BLOCKS); }

#define TABLE(basis, ...) \
    { .kinds = (const layer_kind[]){ { .name = "layer with W_Q = Omega F T", __VA_ARGS__ }, \
      { .name = "layer that follows Omega", .plant = unit_gains } }, .nkinds = 2, .bases = BASIS_ONE, \
      .free = basis, .plant_ends = unit_final_gain }
static const induction triangle = TABLE(FREE_ORTHOGONAL, .plant = plant_triangle, .reduce = to_triangle,
                                        .facts = is_triangle);
static const induction pairs = TABLE(FREE_ORTHOGONAL, .plant = plant_pairs, .reduce = to_pairs,
                                     .facts = has_pairs);
static const induction blocks = TABLE(FREE_ORTHOGONAL, .plant = plant_blocks, .reduce = to_blocks,
                                      .facts = has_blocks);
static const induction oblique = TABLE(FREE_ANY, .plant = plant_triangle, .reduce = to_triangle);
static const induction gains_left = TABLE(FREE_ORTHOGONAL, .plant = plant_under_gains, .reduce = to_triangle);
static const induction keys_left = TABLE(FREE_ORTHOGONAL, .plant = plant_pairs, .reduce = pairs_alone);
static const induction keys_stay = TABLE(FREE_ORTHOGONAL, .plant = plant_blocks, .reduce = blocks_alone);

static void generic(trial *t)    { claim_built(t, t->sh, &oblique); }
static void gains(trial *t)      { claim_built(t, t->sh, &gains_left); }
static void layer_norm(trial *t) { shape sh = t->sh; sh.norm = NORM_LAYER; claim_built(t, sh, &triangle); }

static void rotated(trial *t)
{
    shape sh = t->sh;
    sh.rope = true;
    sh.dk += sh.dk % 2;
    sh.d = sh.h * sh.dk;
    claim_built(t, sh, &blocks);
}
static void no_D(trial *t)       { claim_built(t, t->sh, &keys_left); }
static void no_T(trial *t)       { claim_built(t, t->sh, &keys_stay); }

/* ---- what is lost ----------------------------------------------------------------------------------------- */

typedef struct { const char *architecture; long d, h, L, layers; } configuration;
#define LLAMA "all-skip+rms+rope+gqa+gated+no-positions"
static const configuration rotary[] = {
    { LLAMA, 4, 2, 1, 1 }, { LLAMA, 4, 2, 2, 2 }, { LLAMA, 8, 4, 1, 1 }, { LLAMA, 8, 2, 1, 1 },
    { "all-skip+rms+rope", 4, 2, 1, 1 }, { "all-skip+rms+rope", 4, 2, 2, 2 }, { "all-skip+rms+rope", 4, 1, 2, 2 },
    { "all-skip+rms+rope+mqa", 6, 3, 1, 1 }, { "all-skip+rms+rope+gqa", 4, 2, 3, 2 },
};
static const configuration unrotated[] = {
    { "all-skip+rms+gqa", 4, 2, 1, 1 }, { "all-skip+rms+gqa", 4, 2, 2, 2 }, { "all-skip+rms+gqa+gated", 8, 4, 1, 1 },
    { "all-skip+rms+mqa", 4, 4, 2, 2 }, { "all-skip+rms+mqa", 6, 3, 1, 1 }, { "all-skip+rms+gqa", 8, 2, 1, 1 },
};

static dimension_of family_at(const configuration *c, bool fixed_at_random)
{
    const shape sizes = { .n = 3, .d = c->d, .h = c->h, .m = c->d + 1, .V = c->d + 2, .L = c->L };
    dimension_of full = dimension_family_named(sizes, c->architecture);
    full.frozen_query = full.folded_gains = fixed_at_random;
    return full;
}

static void loses(trial *t, const configuration *c, bool fixed_at_random, long error)
{
    const dimension_of full = family_at(c, fixed_at_random);
    const long d = c->d, n = c->layers, g = full.sh.h_kv, dk = full.sh.dk;
    const long of_heads = fixed_at_random ? g * dk : full.sh.rope ? d + g * dk / 2 : d + g * dk * (dk - 1);
    const long expected = n * (d * d - of_heads) - d * (d - 1) / 2;
    claim_deficit(t, c->architecture, &full, ((uint64_t)1 << n) - 1, expected + error);
}

/* Three trials share a list. */
static void all_of(trial *t, const configuration list[], size_t n, bool fixed_at_random)
{
    for (size_t k = 0; k < n; k++) if ((long)k % 3 == t->number % 3) loses(t, &list[k], fixed_at_random, 0);
}
static void with_rope(trial *t)    { all_of(t, rotary, COUNT(rotary), false); }
static void without_rope(trial *t) { all_of(t, unrotated, COUNT(unrotated), false); }
static void at_random(trial *t)    { all_of(t, rotary, COUNT(rotary), true); }

static void one_less(trial *t)     { loses(t, &rotary[1], false, -1); }
static void unturned(trial *t)     { loses(t, &rotary[3], false, 2 - 12); }             /* dk/2 - dk(dk-1)       */
static void each_head(trial *t)    { loses(t, &rotary[1], false, -2); }                 /* h in place of h_kv   */
static void no_gains(trial *t)     { loses(t, &unrotated[1], false, 2 * 2); }
static void no_D_left(trial *t)    { loses(t, &rotary[1], true, 2 * 2); }

/* L = h = 32, h_kv = 8 */
static void count(trial *t, long L, long d, long h, long g)
{
    const long dk = d / h, all = L * d * d, lost = L * (d * d - d - g * dk / 2) - d * (d - 1) / 2;
    const long one = d * (d + 1) / 2 - g * dk;
    claim_decided(t, "536,870,912 weights of W_Q", all == 536870912);
    claim_decided(t, "528,336,896 dimensions", lost == 528336896);
    claim_decided(t, "1.59 %", 100000 * (all - lost) >= 1585 * all && 100000 * (all - lost) < 1595 * all);
    claim_decided(t, "8,389,632 of 16,777,216 entries", one == 8389632 && d * d == 16777216);
}
static void llama_8b(trial *t)     { count(t, 32, 4096, 32, 8); }
static void own_keys(trial *t)     { count(t, 32, 4096, 32, 32); }

static const control of_triangle[] = {
    { "generic-theta", generic,    "$\\Theta$ not orthogonal" },
    { "layer-norm",    layer_norm, "LayerNorm: $\\Omega$ moves the mean" },
    { "gains-left",    gains,      "gains stand between the norm and $\\Omega$" },
};
static const control of_pairs[]  = { { "keys-left", no_D, "$D_g$ is not moved into the keys" } };
static const control of_blocks[] = {
    { "rope",      rotated, "rotations do not commute with $T_g$: identity blocks do not survive RoPE" },
    { "keys-stay", no_T,    "$T_g$ is not moved into the keys" },
};
static const control of_lost[]   = {
    { "one-less",   one_less,  "the formula minus 1" },
    { "unturned",   unturned,  "the formula without RoPE" },
    { "each-head",  each_head, "$h$ in place of $h_{kv}$" },
};
static const control of_groups[] = { { "no-gains", no_gains, "as many as with gains folded" } };
static const control of_least[]  = { { "no-D", no_D_left, "$D_g$ is forgotten: $nd^2 - d(d-1)/2$ for $n$ layers" } };
static const control of_count[]  = { { "own-keys", own_keys, "a key head for each query head" } };
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 4, .d = 8, .h = 4, .m = 8, .V = 7, .L = 2, .mask = MASK_FULL } },
    { .sh = { .n = 5, .d = 8, .h = 2, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY } },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", triangle, llama, .models = "d = h d_k; norm = rms",
                   .assumes = "orthogonal Omega" REDUCE_OF_A_FORM,
                   CONTROLS(of_triangle), NO_ROOTS,
                   .statement = "with RoPE and grouped heads $\\tilde W_Q^j = U$ is upper triangular"),
    INDUCTIVE_PART("as-stated-pairs", pairs, llama, .models = "norm = rms",
                   .assumes = "invertible T; orthogonal Omega" REDUCE_OF_A_FORM, CONTROLS(of_pairs), .without = "q sym",
                   .why_without = "q has no square roots; to sym rotations are any functions",
                   .statement = "and in the first head of each group its $2 \\times 2$ diagonal blocks are "
                                "$\\mathrm{diag}(1, c)$"),
    INDUCTIVE_PART("as-stated-grouped-queries", blocks, grouped,
                   .models = "d = h d_k; norm = rms; rope = 0; qk_norm = 0",
                   .assumes = "invertible T; orthogonal Omega" REDUCE_OF_A_FORM,
                   CONTROLS(of_blocks), NO_ROOTS,
                   .statement = "without RoPE: upper triangular, an identity block in the first head of each group"),
    { .name = "as-stated-lost", .kind = PART_IDENTITY, .run = with_rope, RANKS_AT_ONE_SHAPE,
      .statement = "RMSNorm, RoPE, all skips, untied: $W_Q = I$ in $n$ layers loses $n(d^2-d-h_{kv}d_k/2)-d(d-1)/2$ "
                   "dimensions of functions",
      CONTROLS(of_lost) },
    { .name = "as-stated-group", .kind = PART_IDENTITY, .run = without_rope, RANKS_AT_ONE_SHAPE,
      .statement = "without RoPE, $h_{kv} < h$: $n(d^2-d-h_{kv}d_k(d_k-1))-d(d-1)/2$",
      CONTROLS(of_groups) },
    { .name = "as-stated-least", .kind = PART_IDENTITY, .run = at_random, RANKS_AT_ONE_SHAPE,
      .statement = "RoPE, gains folded, $W_Q$ fixed at matrices in general position: $n(d^2-h_{kv}d_k)-d(d-1)/2$; for "
                   "$n = 1$ the free entries of the form with $\\mathrm{diag}(1, c)$",
      CONTROLS(of_least) },
    REDUCED_PART("as-stated-8B", llama_8b, llama, CONTROLS(of_count),
                 .no_minimal = true, .about = ABOUT_FINITE, .without = "f64 mpfr arb sym",
                 .why_without = "whole numbers",
                 .statement = "$L = h = 32$, $h_{kv} = 8$, $d = 4096$: by the formulas $528336896$ of $536870912$ "
                              "query weights carry dimensions, 1.59 \\% are redundant; "
                              "one layer's form has $8389632$ of $16777216$ entries"),
};
static const claim N20 = {
    .id = "N20", .title = "query weights under RMSNorm, RoPE and grouped heads",
    .where = "new; beside 003 Section 6 and Remarks 6 and 7",
    .hypotheses = "RMSNorm, $\\varepsilon > 0$; all skips; untied head; gains folded (as-stated-lost, -group: free); "
                  "$\\Omega$ orthogonal; weights in general position",
    .construction = "$W_Q^j = \\Omega U$ (QR), $\\Theta = \\Omega$; $D_g$ of blocks $(a, b; -b, a)$ from $2 \\times 2$ "
                    "singular value decompositions",
    .why = "Rotations act behind the projections, so the basis of the stream does not see them, and of $D_g$ they "
           "leave $d_k$ dimensions of $d_k^2$: the triangle of N7 survives and its identity blocks do not.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "N7 N9 N19 K-X-rope K-X-gqa K-P3.2",
};
THEOREM_PROGRAM(N20)
