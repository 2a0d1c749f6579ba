/* n1.c - N1, block-diagonal invariance of values and outputs.
 *
 * Statement.  S(X, W_Q, W_K, W_V D) D^-1 W_O = S(X, W_Q, W_K, W_V) W_O for D = diag(D_1, .., D_h), D_a in GL(dk): the
 * redundancy that 003 suspects between W_V and W_O.  It holds in every model: any norm, skips, tied head, RoPE,
 * QK-norm, biases; grouped heads share the D of their value head.
 *
 * Construction.  W_V~ = W_V D,  b_V~ = b_V D,  W_O~ = D^-1 W_O  (rows of W_O grouped by head).
 *
 * Why it works.  The weights A of head a act from the left: A (X W_V^a D_a) D_a^-1 W_O^a.  Nothing stands between
 * W_V^a and W_O^a but A, so unlike Proposition 3.2 no rotation and no norm can be in the way.  It is D^-1
 * and not D^-T here, for W_O is not transposed.                                                            */
#include "src/reduce.h"

static void plain(shape *sh)   { reduction_switches(sh, ONE_LAYER); }
static void all_on(shape *sh)
{
    plain(sh);
    sh->norm = NORM_LAYER;
    sh->tied = sh->biases = sh->gated = true;
}
static void rotary(shape *sh)  { plain(sh); sh->rope = sh->qk_norm = true; sh->norm = NORM_RMS; }
static void grouped(shape *sh) { plain(sh); sh->h_kv = sh->h % 2 ? 1 : sh->h / 2; sh->biases = true; }

static const mat *draw_D(scope *s, long i, long a, long dk)
{
    char name[48];
    snprintf(name, sizeof name, "D.%ld.%ld", i, a);
    return mat_draw(s, name, dk, dk, log2_fan_in(dk));
}

static void whole_model(trial *t)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const basis I = basis_identity(s, M.s.d);
    model R = M;
    for (long i = 0; i < M.s.L; i++) {
        const mat *D[MAX_HEADS];
        for (long g = 0; g < M.s.h_kv; g++) D[g] = draw_D(s, i, g, M.s.dk);
        gauge_value_output(s, &R, i, D);
    }
    claim_same_function(t, &M, &R);
    for (long i = 0; i < M.s.L; i++) claim_step(t, &M, &R, i, I, I);
}

typedef enum { INVERSE_TRANSPOSED, INVERSE_LEFT, FULL, PER_QUERY_HEAD } slip;
static void broken(trial *t, slip how)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const shape *sh = &M.s;
    const long width = sh->h * sh->dk;
    const mat *D[MAX_HEADS];
    for (long a = 0; a < sh->h; a++) D[a] = draw_D(s, 0, a, sh->dk);
    const mat *of_value = mat_blockdiag(s, sh->h_kv, D), *of_output = mat_blockdiag(s, sh->h, D);
    if (how == FULL) of_value = of_output = mat_draw(s, "D full", width, width, log2_fan_in(width));
    const mat *back = mat_inv(s, of_output);
    model R = M;
    R.at[0].V = mat_mul(s, M.at[0].V, of_value);
    if (M.at[0].bV) R.at[0].bV = mat_mul(s, M.at[0].bV, of_value);
    const mat *left = how == INVERSE_TRANSPOSED ? mat_t(s, back) : how == INVERSE_LEFT ? of_output : back;
    R.at[0].O = mat_mul(s, left, M.at[0].O);
    claim_same_function(t, &M, &R);
}
static void transposed(trial *t)     { broken(t, INVERSE_TRANSPOSED); }
static void not_inverted(trial *t)   { broken(t, INVERSE_LEFT); }
static void full(trial *t)           { broken(t, FULL); }
static void per_query_head(trial *t) { broken(t, PER_QUERY_HEAD); }

static const control slips[] = {
    { "inverse-transposed", transposed,   "$D^{-\\top}W_O$, as for keys" },
    { "not-inverted",       not_inverted, "$DW_O$" },
    { "full-D",             full,         "$D$ mixes heads" },
};
static const control groups[] = { { "D-per-query-head", per_query_head, "query heads of one group take different "
                                                                        "$D_a$" } };
static const part parts[] = {
    REDUCED_PART("as-stated", whole_model, plain, .controls = slips, .ncontrols = COUNT(slips),
                 .statement = "a $D$ of its own in every layer, all skips, no norm"),
    REDUCED_PART("as-stated-all", whole_model, all_on, .without = "q", .why_without = "q has no square roots",
                 .statement = "the same with LayerNorm, biases, gated MLPs and a tied head"),
    REDUCED_PART("as-stated-rope", whole_model, rotary, .without = "q", .why_without = "q has no square roots",
                 .statement = "the same with RMSNorm, rotary positions and QK-norm, and any $D_a$"),
    REDUCED_PART("as-stated-gqa", whole_model, grouped, .controls = groups, .ncontrols = COUNT(groups),
                 .statement = "the same with grouped heads, one $D_g$ for each value head"),
};
static const claim N1 = {
    .id = "N1", .title = "block-diagonal invariance of values and outputs", .where = "new; answers 003 Section 3",
    .hypotheses = "$D = \\mathrm{diag}(D_1, \\ldots, D_h)$, $D_a \\in \\mathrm{GL}(d_k)$; nothing else",
    .assumes = "invertible D",
    .construction = "$\\tilde W_V = W_VD$, $\\tilde b_V = b_VD$, $\\tilde W_O = D^{-1}W_O$",
    .why = "The attention weights act from the left, so nothing stands between $W_V^aD_a$ and $D_a^{-1}W_O^a$: neither "
           "rotations nor norms.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(N1)
