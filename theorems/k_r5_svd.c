/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_svd.c - K-R5-svd, orthogonal factors pass through the normalization.
 *
 * Statement.  f_M(x) = back(M L(x)).  If M = U Sigma V' is the singular value decomposition, then
 * f_M(x) = U f_Sigma(V' x).
 *
 * Why.  L and back are radial on H = {1'z = 0} and commute with orthogonal maps that keep H (k_r5_radial.c):
 *     back(U Sigma V' L(x)) = back(U Sigma L(V' x)) = U back(Sigma L(V' x)).
 *
 * What is missing.  M must map H into H, and the decomposition must be that of M on H, of dimension d - 1; the
 * remark speaks of a generic M.  A generic M does not keep H: for M = [[2,0],[0,1]] and z = (1,-1) in H,
 * M z = (2,-1) has mean 1/2.  Then back, an inverse of L on H, is not defined at M L(x).                */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

static void leaves_plane(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d < 5 ? 5 : t->sh.d;            /* for d = 2 equal column sums are too frequent */
    const mat *M = mat_from_si(s, 2, 2, (long[]){ 2, 0, 0, 1 }), *z = mat_from_si(s, 2, 1, (long[]){ 1, -1 });
    claim_equal(t, "z is in H", mat_mul(s, mat_ones(s, 1, 2), z), mat_zero(s, 1, 1));
    claim_equal(t, "M z has sum 1", mat_mul3(s, mat_ones(s, 1, 2), M, z), mat_ones(s, 1, 1));
    const mat *image = mat_mul3(s, mat_ones(s, 1, d), mat_draw(s, "M", d, d, 0), norm_plane(s, d));
    claim_differs(t, "nor does a drawn M keep H", image, mat_zero(s, 1, d - 1));
}

static const mat *f(trial *t, const mat *M, const mat *X)
{
    return norm_back(t, norm_apply(&t->s, M, norm_layer(&t->s, X)));
}

/* V2 is V, but where a control breaks it. */
static void factors(trial *t, const mat *U, const mat *V, const mat *V2)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *Sigma = norm_map(s, "Sigma", d), *X = norm_inputs(s, "X", d);
    const mat *M = mat_mul3(s, U, Sigma, mat_t(s, V));
    claim_reduced(t, 3, (const mat **[]){ &U, &Sigma, &V2 });
    claim_equal(t, "f_M(x) = U f_Sigma(V'x)", f(t, M, X),
                norm_apply(s, U, f(t, Sigma, norm_apply(s, mat_t(s, V2), X))));
}

static const mat *rotation(trial *t, const char *name) { return norm_rotation(&t->s, name, t->sh.d); }
static const mat *orthogonal(trial *t, const char *name) { return mat_draw_orthogonal(&t->s, name, t->sh.d); }
static void larger(trial *t)          { if (t->sh.d < 5) t->sh.d = 5; }

static void reduction(trial *t)
{
    const mat *V = rotation(t, "V");
    factors(t, rotation(t, "U"), V, V);
}
static void on_whole_space(trial *t)  { reduction(t); }

static void untransposed(trial *t)
{
    larger(t);
    const mat *V = rotation(t, "V");
    factors(t, rotation(t, "U"), V, mat_t(&t->s, V));
}

static void not_orthogonal(trial *t)
{
    larger(t);
    const mat *V = rotation(t, "V");
    factors(t, norm_contraction(&t->s, "U", t->sh.d), V, V);
}

static void any_orthogonal(trial *t)
{
    larger(t);
    const mat *V = orthogonal(t, "V");
    factors(t, orthogonal(t, "U"), V, V);
}

static const control controls[] = {
    { "untransposed",   untransposed,   "$f_\\Sigma(Vx)$ in place of $f_\\Sigma(V^\\top x)$" },
    { "not-orthogonal", not_orthogonal, "$U$ keeps $H$, but is not orthogonal" },
};
static const control whole_controls[] = { { "any-orthogonal", any_orthogonal, "$U$ and $V$ do not keep $H$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = leaves_plane, .no_large = true, .no_minimal = true,
      .quantity = "L_\\varepsilon^{-1}", .shown_by = "M z has sum 1",
      .statement = "$M = \\mathrm{diag}(2,1)$ maps $(1,-1) \\in H$ to $(2,-1) \\notin H$, where "
                   "$L_\\varepsilon^{-1}$ is not defined",
      .basis = "witness: integers", .without = "f64 mpfr arb fp sym",
      .why_without = "the witness is exact" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = reduction,
      .assumes = "orthogonal U; orthogonal V",
      .statement = "$f_M(x) = Uf_\\Sigma(V^\\top x)$ for $M = U\\Sigma V^\\top$ on $H$, $U$, $V$ orthogonal on $H$",
      .basis = "sym: in orthonormal coordinates of H, for any two radial maps", .without = "q",
      .why_without = "q has no roots and no opaque functions", CONTROLS(controls) },
    { .name = "corrected-all", .kind = PART_IDENTITY, .run = on_whole_space, .no_large = true,
      .statement = "the same for all $x \\in \\mathbf R^d$, $U\\mathbf 1 = V\\mathbf 1 = \\mathbf 1$",
      .without = "q sym",
      .why_without = "q has no roots; sym has no projector to $H$",
      CONTROLS(whole_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5), NORM_SIZE(16), NORM_LARGE(64) };
static const quotation quotes[] = {
    { TEXT_003, "Remark 5", "If $M = U\\Sigma V^\\top$ is the SVD, the orthogonal factors pass through the "
      "nonlinearity exactly: $f_M(x) = U \\cdot f_\\Sigma(V^\\top x)$." },
    { TEXT_000, "Section 8.3.1", "This means that if is the SVD, the orthogonal factors pass through the "
      "nonlinearity exactly:" },
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
    NORMALIZATION_IS_RADIAL,
};
static const claim K_R5_SVD = {
    .id = "K-R5-svd", .title = "singular value reduction of f_M",
    .where = "003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$MH \\subset H$, $|M|_H| < 1$; $M|_H = U\\Sigma V^\\top$",
    .construction = "$f_M(x) = L_\\varepsilon^{-1}(ML_\\varepsilon(x)) = U f_\\Sigma(V^\\top x)$",
    .why = "The remark speaks of the vectors of mean 0, $H$: there the factors $U$, $V$ of $M|_H$ are orthogonal maps "
           "of $H$, and LayerNorm and its inverse only rescale vectors of $H$ by a function of their length, so $U$ "
           "and $V$ pass through both.  A singular value decomposition on $\\mathbf R^d$ will not do, for $M$ must "
           "keep $H$: $\\mathrm{diag}(2,1)$ maps $(1,-1)$ to $(2,-1)$, of mean $1/2$, which LayerNorm never produces, "
           "so that $f_M$ is not defined.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-radial",
};
THEOREM_PROGRAM(K_R5_SVD)
