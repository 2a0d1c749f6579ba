/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_radial.c - K-R5-radial, LayerNorm is radial on H = {1'z = 0}.
 *
 * Statement.  On H, L(x) = rho(|x|) x; so L commutes with every orthogonal U that maps H into itself.
 *
 * Why it works.  L(x) = P x / sqrt(|P x|^2/d + eps), P the projector to H.  An orthogonal U with U H = H has
 * U 1 = 1 or U 1 = -1, so U P = P U and |P U x| = |P x|.  Hence L(U x) = U L(x) for every x in R^d, not only in H.
 *
 * Drawn U with U 1 = 1 are rotations of H; U - (2/d) 11' does the same to H and has U 1 = -1.  Where L is opaque
 * (F_p, sym) it is rho(|P x|^2) P x with an unknown rho.                                                  */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

/* L(x) = P x / sqrt(|P x|^2/n + eps) with n = d, where there are roots. */
static void radial(trial *t, long n)
{
    scope *s = &t->s;
    const mat *X = norm_inputs(s, "X", t->sh.d), *PX = mat_mul(s, X, mat_centering(s, t->sh.d));
    const mat *eps = mat_scale_by(s, mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, NORM_LOG2_EPS), mat_ones(s, 5, 1));
    const mat *variance = mat_scale_by(s, mat_ratio(s, 1, n), mat_row_squares(s, PX));
    const mat *rho = mat_rsqrt(s, mat_add(s, variance, eps));
    claim_equal(t, "L(x) = rho(|P x|) P x", norm_layer(s, X), mat_scale_rows(s, rho, PX));
}

static void commutes(trial *t, const mat *U)
{
    scope *s = &t->s;
    const mat *X = norm_inputs(s, "X", t->sh.d), *L = norm_apply(s, U, norm_layer(s, X));
    claim_reduced(t, 1, (const mat **[]){ &U });
    claim_equal(t, "L(U x) = U L(x)", norm_layer(s, norm_apply(s, U, X)), L);
    if (claim_over(t, OVER_REALS)) radial(t, t->sh.d);
}

static const mat *turned_over(scope *s, const mat *U)     /* U - (2/d) 11' */
{
    return mat_sub(s, U, mat_scale_by(s, mat_ratio(s, 2, U->rows), mat_ones(s, U->rows, U->rows)));
}

static void larger(trial *t)          { if (t->sh.d < 5) t->sh.d = 5; }
static const mat *drawn(trial *t)     { return mat_draw_weight(&t->s, "M", t->sh.d, t->sh.d); }
static void on_plane(trial *t)        { commutes(t, norm_rotation(&t->s, "U", t->sh.d)); }
static void fixing_ones(trial *t)     { on_plane(t); }

static void turns_ones(trial *t, const mat *V)            /* V 1 = 1, so that U 1 = -1 */
{
    scope *s = &t->s;
    const mat *U = turned_over(s, V), *one = mat_ones(s, t->sh.d, 1);
    claim_equal(t, "U 1 = -1", mat_mul(s, U, one), mat_neg(s, one));
    commutes(t, U);
}
static void turning_ones(trial *t)    { turns_ones(t, norm_rotation(&t->s, "U", t->sh.d)); }
static void any_turned_over(trial *t) { larger(t); turns_ones(t, mat_draw_orthogonal(&t->s, "U", t->sh.d)); }

static void mean_of_two(trial *t)                         /* V = (U + W)/2 of two rotations of H: V 1 = 1 */
{
    larger(t);
    turns_ones(t, mat_scale_by(&t->s, mat_ratio(&t->s, 4, 3), norm_contraction(&t->s, "U", t->sh.d)));
}
static void any_orthogonal(trial *t)  { larger(t); commutes(t, mat_draw_orthogonal(&t->s, "U", t->sh.d)); }
static void not_orthogonal(trial *t)  { larger(t); commutes(t, drawn(t)); }
static void contraction(trial *t)     { larger(t); commutes(t, norm_contraction(&t->s, "U", t->sh.d)); }

static void bessel(trial *t)          { larger(t); radial(t, t->sh.d - 1); }

static const control plane_controls[] = {
    { "not-orthogonal", not_orthogonal, "$U$ any matrix" },
    { "bessel",         bessel,         "the variance divided by $d - 1$" },
};
static const control controls[] = {
    { "any-orthogonal", any_orthogonal, "$U$ orthogonal, but not $UH = H$" },
    { "contraction",    contraction,    "$UH \\subset H$, but $U$ not orthogonal" },
};
static const control turning_controls[] = {
    { "any-orthogonal", any_turned_over, "$U + \\frac2d\\mathbf{11}^\\top$ orthogonal, but not $UH = H$" },
    { "not-orthogonal", mean_of_two,     "$U\\mathbf 1 = -\\mathbf 1$ and $UH \\subset H$, but $U$ not orthogonal" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = on_plane,
      .assumes = "orthogonal U",
      .statement = "$L_\\varepsilon(Ux) = UL_\\varepsilon(x)$ for $x \\in H$ and $U$ orthogonal with $UH = H$",
      .basis = "sym: in orthonormal coordinates of H, any radial map; balls: L is one",
      .without = "q", .why_without = "q has no roots and no opaque functions",
      CONTROLS(plane_controls) },
    { .name = "as-stated-all", .kind = PART_IDENTITY, .run = fixing_ones, .no_large = true,
      .statement = "the same for all $x \\in \\mathbf R^d$, $U\\mathbf 1 = \\mathbf 1$", .without = "q sym",
      .why_without = "q has no roots; sym has no projector to $H$",
      CONTROLS(controls) },
    { .name = "as-stated-negative-ones", .kind = PART_IDENTITY, .run = turning_ones, .no_large = true,
      .statement = "the same for $U\\mathbf 1 = -\\mathbf 1$", .without = "q sym",
      .why_without = "q has no roots; sym has no projector to $H$",
      CONTROLS(turning_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5), NORM_SIZE(16), NORM_LARGE(64) };
static const quotation quotes[] = {
    NORMALIZATION_IS_RADIAL,
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
};
static const claim K_R5_RADIAL = {
    .id = "K-R5-radial", .title = "LayerNorm is radial on H and commutes with orthogonal maps that preserve H",
    .where = "003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$U$ orthogonal, $UH = H$; $\\varepsilon > 0$ (here $2^{-17}$)", .construction = NULL,
    .why = "$U$ maps $H$ and its normal $\\mathbf 1$ to themselves, so it commutes with the projector $P$ and keeps "
           "$|Px|$; what LayerNorm divides by depends on $|Px|$ alone.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_R5_RADIAL)
