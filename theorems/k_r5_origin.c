/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_origin.c - K-R5-origin, the linearization of f_Sigma at the origin.
 *
 * Statement.  D f_Sigma(0) = Sigma.
 *
 * Why.  f_Sigma(y) = alpha(y) Sigma y with alpha(y)^-2 = 1 + Delta(y)/(d eps), and Delta(t y) = t^2 Delta(y).  So
 * alpha(t y) = (1 + t^2 Delta(y)/(d eps))^(-1/2) -> 1 for t -> 0, uniformly on |y| = 1: f_Sigma(h) = Sigma h + o(|h|).
 *
 * How it is decided.  The law of alpha(t y), with t and y free, exactly; and |f(t y)/t - Sigma y| <
 * t^2 Delta(y)/(d eps) |Sigma y| for t = 2^-10, 2^-20, from 1 > (1 + x)^(-1/2) > 1 - x for x > 0.         */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

typedef struct { const mat *Y, *SY, *Sigma; } instance;

static instance draw(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *P = mat_centering(s, d), *Sigma = norm_contraction(s, "Sigma", d);
    const mat *Y = mat_mul(s, mat_draw(s, "Y", 3, d, mat_log2_fan_in(d)), P);
    return (instance){ Y, norm_apply(s, Sigma, Y), Sigma };
}

/* 1/alpha(t y)^2 from the definitions; t^power beside it. */
static void law(trial *t, int power)
{
    scope *s = &t->s;
    const instance at = draw(t);
    const mat *step = norm_near_one(s, "t", 1);
    const mat *scale = power == 2 ? mat_scale_by(s, step, step) : step;
    const mat *tY = mat_scale_by(s, step, at.Y), *tSY = norm_apply(s, at.Sigma, tY), *one = mat_ones(s, 3, 1);
    const mat *Delta = mat_sub(s, mat_row_squares(s, at.Y), mat_row_squares(s, at.SY));
    claim_reduced(t, 1, (const mat **[]){ &Delta });
    const mat *x = mat_scale_by(s, mat_reciprocal(s, norm_d_eps(s, t->sh.d)), mat_scale_by(s, scale, Delta));
    const mat *square = norm_factor_square(s, t->sh.d, mat_row_squares(s, tY), mat_row_squares(s, tSY));
    claim_equal(t, "alpha(ty)^-2 = 1 + t^2 Delta/(d eps)", mat_hadamard(s, square, mat_add(s, one, x)), one);
}

/* c - x < alpha(t y) < c - x/4 for c = tenths/10 and x = t^2 Delta/(d eps), squared; in balls that the square of
 * |f(t y)/t - c Sigma y|, about x^2/4 |Sigma y|^2, is between a fifth and a third of x^2 |Sigma y|^2. */
static void derivative(trial *t, long tenths)
{
    scope *s = &t->s;
    const instance at = draw(t);
    const mat *y2 = mat_row_squares(s, at.Y), *Sy2 = mat_row_squares(s, at.SY), *c = mat_ratio(s, tenths, 10);
    const mat *per_d_eps = mat_reciprocal(s, norm_d_eps(s, t->sh.d)), *cs = mat_scale_by(s, c, mat_ones(s, 3, 1));
    for (int k = 10; k <= 20; k += 10) {
        const mat *small = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -k), *large = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, k);
        const mat *t2 = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -2 * k), *Delta = mat_sub(s, y2, Sy2);
        const mat *x = mat_scale_by(s, per_d_eps, mat_scale_by(s, t2, Delta));
        const mat *alpha2 = norm_factor_square(s, t->sh.d, mat_scale_by(s, t2, y2), mat_scale_by(s, t2, Sy2));
        const mat *low = mat_sub(s, cs, x), *high = mat_sub(s, cs, mat_scale_by(s, mat_ratio(s, 1, 4), x));
        claim_less(t, "c - x < alpha", mat_hadamard(s, low, low), alpha2);
        claim_less(t, "alpha < c - x/4", alpha2, mat_hadamard(s, high, high));
        if (!claim_over(t, OVER_REALS)) continue;
        const mat *f = norm_back(t, norm_apply(s, at.Sigma, norm_layer(s, mat_scale_by(s, small, at.Y))));
        const mat *off = mat_row_squares(s, mat_sub(s, mat_scale_by(s, large, f), mat_scale_by(s, c, at.SY)));
        const mat *bound = mat_hadamard(s, mat_hadamard(s, x, x), Sy2);
        claim_less(t, "|f(ty)/t - c Sigma y|^2 < x^2/3 |Sigma y|^2", off, mat_scale_by(s, mat_ratio(s, 1, 3), bound));
        claim_less(t, "... > x^2/5 |Sigma y|^2", mat_scale_by(s, mat_ratio(s, 1, 5), bound), off);
    }
}

static void small(shape *sh)          { if (sh->d > 5) sh->d = sh->dk = 5; }
static void quadratic(trial *t)       { law(t, 2); }
static void linear_law(trial *t)      { law(t, 1); }
static void is_Sigma(trial *t)        { derivative(t, 10); }
static void is_not(trial *t)          { derivative(t, 11); }

static const control law_controls[] = { { "linear", linear_law, "$\\alpha(ty)^{-2} - 1$ of order $t$" } };
static const control controls[]     = { { "not-Sigma", is_not, "$Df_\\Sigma(0) = 1.1\\,\\Sigma$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = quadratic, .without = "sym",
      .why_without = "sym has no projector to $H$", .basis = "the law of alpha exactly; then t -> 0",
      .statement = "$\\alpha(ty)^{-2} = 1 + t^2\\Delta(y)/(d\\varepsilon)$, so $f_\\Sigma(ty)/t \\to \\Sigma y$: "
                   "$Df_\\Sigma(0) = \\Sigma$", CONTROLS(law_controls) },
    { .name = "as-stated-bound", .kind = PART_IDENTITY, .run = is_Sigma, .no_minimal = true, .no_large = true,
      .prepare = small,
      .without = "f64 fp sym", .why_without = "f64: the difference is below its rounding; the others have no order",
      .basis = "almost all y, as it is strict; exactly: squares of positive numbers; balls: the functions",
      .statement = "$|f_\\Sigma(ty)/t - \\Sigma y| < t^2\\Delta(y)/(d\\varepsilon)\\,|\\Sigma y|$ for $t = 2^{-10}, "
                   "2^{-20}$", CONTROLS(controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5), NORM_SIZE(16), NORM_LARGE(64) };
static const quotation quotes[] = {
    { TEXT_003, "Remark 5", "At the origin, $Df_\\Sigma(0) = \\Sigma$, so the linearization is exact and the "
      "quality of the approximation is controlled by $|1 - \\alpha(y)|$." },
    { TEXT_000, "Section 8.3.1", "so near the origin. The reciprocal scalings of and cancel exactly." },
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
};
static const claim K_R5_ORIGIN = {
    .id = "K-R5-origin", .title = "linearization of f_Sigma at the origin",
    .where = "003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$\\Sigma H \\subset H$; $\\varepsilon = 2^{-17}$", .construction = NULL,
    .why = "$\\Delta$ is quadratic, so $\\alpha(ty) = (1 + t^2\\Delta(y)/(d\\varepsilon))^{-1/2}$ tends to 1 with "
           "$t$, uniformly for $|y| = 1$, and $f_\\Sigma(ty)/t = \\alpha(ty)\\Sigma y$ to $\\Sigma y$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-alpha",
};
THEOREM_PROGRAM(K_R5_ORIGIN)
