/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_alpha.c - K-R5-alpha, the factor of f_Sigma.
 *
 * Statement.  For y in H and Sigma that keeps H, f_Sigma(y) = back(Sigma L(y)) = alpha(y) Sigma y with
 * alpha = (1 + Delta/(d eps))^(-1/2), Delta = |y|^2 - |Sigma y|^2.  alpha = 1 exactly where |Sigma y| = |y|, so
 * alpha is the constant 1 exactly when Sigma is an isometry.
 *
 * Why.  L(y) = y/sqrt(r), r = |y|^2/d + eps, so Sigma L(y) = Sigma y/sqrt(r) and
 *     alpha^2 = (1/r) d eps/(d - |Sigma y|^2/r) = d eps/(d r - |Sigma y|^2) = d eps/(d eps + Delta).
 *
 * How it is decided.  alpha and the printed root are both positive, so they agree iff their squares do; the
 * squares are rational in |y|^2 and |Sigma y|^2 and are compared over Q and F_p.  Balls compare the functions. */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

typedef enum { AS_PRINTED, SUM_FOR_DEFECT, NO_D } formula;

static void factor(trial *t, formula how)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *Y = mat_mul(s, norm_inputs(s, "Y", d), mat_centering(s, d));
    const mat *Sigma = norm_map(s, "Sigma", d), *SY = norm_apply(s, Sigma, Y);
    const mat *y2 = mat_row_squares(s, Y), *Sy2 = mat_row_squares(s, SY), *one = mat_ones(s, 5, 1);
    const mat *Delta = how == SUM_FOR_DEFECT ? mat_add(s, y2, Sy2) : mat_sub(s, y2, Sy2);
    claim_reduced(t, 1, (const mat **[]){ &Delta });
    const mat *per_d_eps = mat_reciprocal(s, norm_d_eps(s, how == NO_D ? 1 : d));
    const mat *inverse_square = mat_add(s, one, mat_scale_by(s, per_d_eps, Delta));
    const mat *square = mat_reciprocal(s, inverse_square);
    claim_equal(t, "alpha^2 = 1/(1 + Delta/(d eps))", norm_factor_square(s, d, y2, Sy2), square);
    if (!claim_over(t, OVER_REALS)) return;
    claim_equal(t, "f(y) = alpha Sigma y", norm_back(t, norm_apply(s, Sigma, norm_layer(s, Y))),
                mat_scale_rows(s, mat_rsqrt(s, inverse_square), SY));
}

/* alpha = 1 for the isometry U of H; `eighths`/8 of it is none. */
static void isometry(trial *t, long eighths)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *Y = mat_mul(s, norm_inputs(s, "Y", d), mat_centering(s, d));
    const mat *U = mat_scale_by(s, mat_ratio(s, eighths, 8), norm_rotation(s, "U", d)), *UY = norm_apply(s, U, Y);
    claim_reduced(t, 1, (const mat **[]){ &UY });
    const mat *y2 = mat_row_squares(s, Y), *Uy2 = mat_row_squares(s, UY);
    claim_equal(t, "|U y| = |y|", Uy2, y2);
    claim_equal(t, "alpha^2 = 1", norm_factor_square(s, d, y2, Uy2), mat_ones(s, 5, 1));
    if (claim_over(t, OVER_REALS)) claim_equal(t, "f(y) = U y", norm_back(t, norm_apply(s, U, norm_layer(s, Y))), UY);
}

/* Sigma (1,2,-3) = (2,1,-3) and Sigma (1,-1,0) = (1,-1,0)/2: alpha is 1 on the first ray, not on the second. */
static void one_point(trial *t, bool elsewhere)
{
    scope *s = &t->s;
    const mat *Sigma = mat_dyadic(s, 3, 3, (int64_t[]){ 2, 1, 0, 0, 1, 0, -2, -2, 0 }, -1);
    const mat *Y = mat_from_si(s, 2, 3, (long[]){ 1, 2, -3, 2, 4, -6 });
    if (elsewhere) Y = mat_from_si(s, 2, 3, (long[]){ 1, -1, 0, 2, -2, 0 });
    const mat *SY = norm_apply(s, Sigma, Y), *z = mat_from_si(s, 1, 3, (long[]){ 1, -1, 0 });
    claim_differs(t, "Sigma is no isometry of H", mat_row_squares(s, norm_apply(s, Sigma, z)), mat_row_squares(s, z));
    claim_equal(t, "Sigma y is in H", mat_mul(s, SY, mat_ones(s, 3, 1)), mat_zero(s, 2, 1));
    claim_equal(t, "alpha^2 = 1", norm_factor_square(s, 3, mat_row_squares(s, Y), mat_row_squares(s, SY)),
                mat_ones(s, 2, 1));
}

static void printed(trial *t)         { factor(t, AS_PRINTED); }
static void plus(trial *t)            { factor(t, SUM_FOR_DEFECT); }
static void no_d(trial *t)            { factor(t, NO_D); }
static void isometries(trial *t)      { isometry(t, 8); }
static void shorter(trial *t)         { isometry(t, 7); }
static void pointwise(trial *t)       { one_point(t, false); }
static void other_point(trial *t)     { one_point(t, true); }

static const control controls[]       = { { "plus", plus, "$\\Delta = |y|^2 + |\\Sigma y|^2$" },
                                          { "no-d", no_d, "$\\Delta/\\varepsilon$ for $\\Delta/(d\\varepsilon)$" } };
static const control iso_controls[]   = { { "shorter", shorter, "$\\frac78 U$" } };
static const control point_controls[] = { { "other-point", other_point, "$y = (1,-1,0)$" } };
#define BASIS .basis = "exactly: squares of two positive factors; balls: the functions themselves"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = printed, .without = "sym", BASIS,
      .why_without = "sym has no projector to $H$",
      .statement = "$f_\\Sigma(y) = \\alpha(y)\\Sigma y$, $\\alpha = (1 + \\Delta/(d\\varepsilon))^{-1/2}$",
      CONTROLS(controls) },
    { .name = "as-stated-isometry", .kind = PART_IDENTITY, .run = isometries, .no_large = true,
      .without = "f64 sym", BASIS,
      .why_without = "f64: $d - |z|^2$ cancels 45 bits; sym has no projector to $H$",
      .statement = "$\\alpha = 1$ for an isometry", CONTROLS(iso_controls) },
    { .name = "as-stated-point", .kind = PART_IDENTITY, .run = pointwise, .about = ABOUT_FINITE, .no_large = true,
      .no_minimal = true,
      .without = "sym", .why_without = "sym knows no numbers",
      .statement = "$\\alpha(y) = 1$ at $y = (1,2,-3)$ for a $\\Sigma$ that is no isometry, for $|\\Sigma y| = |y|$",
      CONTROLS(point_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5), NORM_SIZE(16), NORM_LARGE(64) };
static const quotation quotes[] = {
    { TEXT_001, "Remark 3", "consider , which is exactly linear when is an isometry" },
    { TEXT_003, "Remark 5", "The entire nonlinear content of f_M reduces to the diagonal map $f_\\Sigma(y) = "
      "\\alpha(y) \\cdot \\Sigma y$, where $\\alpha(y) = (1 + \\Delta(y)/(d\\varepsilon))^{-1/2}$ and "
      "$\\Delta(y) = \\|y\\|^2 - \\|\\Sigma y\\|^2$ is the metric defect. The scalar α equals 1 exactly when "
      "Σ is an isometry." },
    { TEXT_000, "Section 8.3.1", "The scalar equals exactly when , i.e., when is an isometry." },
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
};
static const claim K_R5_ALPHA = {
    .id = "K-R5-alpha", .title = "f_Sigma(y) = alpha(y) Sigma y",
    .where = "001 Remark 3; 003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$\\Sigma H \\subset H$, $y \\in H$ with $1 + \\Delta/(d\\varepsilon) > 0$; $\\varepsilon = "
                  "2^{-17}$",
    .construction = NULL,
    .why = "With $r = |y|^2/d + \\varepsilon$, $L_\\varepsilon(y) = y/\\sqrt r$; the inverse multiplies $\\Sigma "
           "y/\\sqrt r$ by the root of $d\\varepsilon/(d - |\\Sigma y|^2/r)$.  Together the square of the factor is "
           "$d\\varepsilon/(dr - |\\Sigma y|^2) = d\\varepsilon/(d\\varepsilon + \\Delta)$.  It is 1 exactly where "
           "$\\Delta = 0$.  For all $y$ at once that says $|\\Sigma y| = |y|$, which is what an isometry is; at "
           "single points it can be 1 for others.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-svd",
};
THEOREM_PROGRAM(K_R5_ALPHA)
