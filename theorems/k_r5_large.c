/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_large.c - K-R5-large, large inputs saturate.
 *
 * Statement.  For a unit vector u in H with |Sigma u| < 1, f_Sigma(t u) -> sqrt(d eps) Sigma u / sqrt(1 - |Sigma u|^2)
 * for t -> infinity: f_Sigma saturates in norm, and is far from linear unless Sigma is close to an isometry.
 *
 * Why.  f_Sigma(t u) = t alpha(t u) Sigma u and Delta(t u) = t^2 Delta(u), Delta(u) = |u|^2 - |Sigma u|^2, so
 *     (t alpha)^2 = t^2/(1 + t^2 Delta/(d eps)) = 1/(1/t^2 + Delta/(d eps)) -> d eps/Delta.
 *
 * How it is decided.  That law exactly, u of any length; and the distance to the limit: with x = d eps/(t^2 Delta),
 * limit/sqrt(1 + x) lies between limit (1 - x/2) and limit.                                               */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

typedef struct { const mat *Y, *SY, *Sigma, *y2, *Sy2; } instance;
typedef enum { DEFECT, SUM, LINEAR } limit;

static instance draw(trial *t)                           /* |Sigma y| < |y| */
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *P = mat_centering(s, d), *Sigma = norm_contraction(s, "Sigma", d);
    const mat *Y = mat_mul(s, mat_draw(s, "Y", 3, d, mat_log2_fan_in(d)), P), *SY = norm_apply(s, Sigma, Y);
    return (instance){ Y, SY, Sigma, mat_row_squares(s, Y), mat_row_squares(s, SY) };
}

/* Delta/(d eps), 3 x 1: the inverse square of the limit's factor. */
static const mat *rate(trial *t, const instance *at, limit how)
{
    scope *s = &t->s;
    const mat *Delta = how == SUM ? mat_add(s, at->y2, at->Sy2) : mat_sub(s, at->y2, at->Sy2);
    return mat_scale_by(s, mat_reciprocal(s, norm_d_eps(s, t->sh.d)), Delta);
}

static void law(trial *t, limit how)
{
    scope *s = &t->s;
    const instance at = draw(t);
    const mat *step = norm_near_one(s, "t", 1), *t2 = mat_scale_by(s, step, step);
    const mat *alpha2 = norm_factor_square(s, t->sh.d, mat_scale_by(s, t2, at.y2), mat_scale_by(s, t2, at.Sy2));
    const mat *one = mat_ones(s, 3, 1), *fading = mat_scale_by(s, mat_reciprocal(s, how == LINEAR ? step : t2), one);
    const mat *sum = mat_add(s, fading, rate(t, &at, how));
    claim_reduced(t, 1, (const mat **[]){ &sum });
    claim_equal(t, "(t alpha)^2 (1/t^2 + Delta/(d eps)) = 1", mat_hadamard(s, mat_scale_by(s, t2, alpha2), sum), one);
}

/* With t = 2^20, 2^40: the squared ratio of the factors of f(t u) and of the limit, 1/(1 + x), is between 1 - x and
 * 1 - x/2; the square of |f(t u) - limit|, about x^2/4 |limit|^2, is between a fifth and a third of x^2 |limit|^2. */
static void saturates(trial *t, limit how)
{
    scope *s = &t->s;
    const instance at = draw(t);
    const mat *one = mat_ones(s, 3, 1), *per_limit2 = rate(t, &at, how), *limit2 = mat_reciprocal(s, per_limit2);
    for (int k = 20; k <= 40; k += 20) {
        const mat *t2 = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, 2 * k), *far = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, k);
        const mat *alpha2 = norm_factor_square(s, t->sh.d, mat_scale_by(s, t2, at.y2), mat_scale_by(s, t2, at.Sy2));
        const mat *ratio = mat_hadamard(s, mat_scale_by(s, t2, alpha2), per_limit2);
        const mat *x = mat_scale_by(s, mat_reciprocal(s, t2), limit2);
        claim_less(t, "ratio^2 > 1 - x", mat_sub(s, one, x), ratio);
        claim_less(t, "ratio^2 < 1 - x/2", ratio, mat_sub(s, one, mat_scale_by(s, mat_ratio(s, 1, 2), x)));
        if (!claim_over(t, OVER_REALS)) continue;
        const mat *f = norm_back(t, norm_apply(s, at.Sigma, norm_layer(s, mat_scale_by(s, far, at.Y))));
        const mat *off = mat_row_squares(s, mat_sub(s, f, mat_scale_rows(s, mat_rsqrt(s, per_limit2), at.SY)));
        const mat *bound = mat_hadamard(s, mat_hadamard(s, x, x), mat_hadamard(s, limit2, at.Sy2));
        claim_less(t, "|f(tu) - limit|^2 < x^2/3 |limit|^2", off, mat_scale_by(s, mat_ratio(s, 1, 3), bound));
        claim_less(t, "|f(tu) - limit|^2 > x^2/5 |limit|^2", mat_scale_by(s, mat_ratio(s, 1, 5), bound), off);
    }
}

/* f(t u) stays below sqrt(d eps) |Sigma u|/sqrt(Delta), so it is not t Sigma u: at t = 2^20 not even 1 % of it. */
static void not_linear(trial *t, bool rotated)
{
    scope *s = &t->s;
    const instance at = draw(t);
    const mat *image2 = rotated ? mat_row_squares(s, norm_apply(s, norm_rotation(s, "U", t->sh.d), at.Y)) : at.Sy2;
    const mat *t2 = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, 40), *most = mat_ratio(s, 1, 10000);
    const mat *alpha2 = norm_factor_square(s, t->sh.d, mat_scale_by(s, t2, at.y2), mat_scale_by(s, t2, image2));
    claim_less(t, "|f(tu)| < 1 % of |t Sigma u|", alpha2, mat_scale_by(s, most, mat_ones(s, 3, 1)));
}

static void small(shape *sh)          { if (sh->d > 5) sh->d = sh->dk = 5; }
static void printed_law(trial *t)     { law(t, DEFECT); }
static void law_plus(trial *t)        { law(t, SUM); }
static void law_linear(trial *t)      { law(t, LINEAR); }
static void to_the_limit(trial *t)    { saturates(t, DEFECT); }
static void other_limit(trial *t)     { saturates(t, SUM); }
static void breaks_down(trial *t)     { not_linear(t, false); }
static void isometry(trial *t)        { not_linear(t, true); }

static const control law_controls[]   = { { "plus", law_plus, "$|u|^2 + |\\Sigma u|^2$ for $\\Delta$" },
                                          { "linear", law_linear, "$1/t$ for $1/t^2$" } };
static const control limit_controls[] = { { "plus", other_limit, "$\\sqrt{1 + |\\Sigma u|^2}$ in the limit" } };
static const control break_controls[] = { { "isometry", isometry, "$\\Sigma$ an isometry" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = printed_law, .without = "sym",
      .why_without = "sym has no projector to $H$", .basis = "the law of alpha exactly; then t -> infinity",
      .statement = "$(t\\alpha(tu))^2 = 1/(t^{-2} + \\Delta(u)/(d\\varepsilon))$, so $f_\\Sigma(tu) \\to "
                   "\\sqrt{d\\varepsilon}\\,\\Sigma u/\\sqrt{1 - |\\Sigma u|^2}$ for $|u| = 1$",
      CONTROLS(law_controls) },
    { .name = "as-stated-limit", .kind = PART_IDENTITY, .run = to_the_limit, .no_minimal = true, .no_large = true,
      .prepare = small, .basis = "exactly: squares of two positive numbers; balls: the functions themselves",
      .without = "f64 mpfr fp sym",
      .why_without = "the difference is below the rounding of 64 bits; fp and sym have no order",
      .statement = "the distance to the limit is below $x$ of it, $x = d\\varepsilon/(t^2\\Delta)$, for $t = 2^{20}, "
                   "2^{40}$", CONTROLS(limit_controls) },
    { .name = "as-stated-break", .kind = PART_IDENTITY, .run = breaks_down, .no_minimal = true, .no_large = true,
      .prepare = small, .without = "fp sym", .why_without = "there is no order",
      .basis = "an illustration for almost all u: none of length near 0",
      .statement = "at $t = 2^{20}$, $|f_\\Sigma(tu)|$ is below 1 \\% of $|t\\Sigma u|$",
      CONTROLS(break_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5), NORM_SIZE(16), NORM_LARGE(64) };
static const quotation quotes[] = {
    { TEXT_003, "Remark 5", "For large inputs, the linearization breaks down unless Σ is close to an isometry." },
    { TEXT_000, "Section 8.3.1", "The output saturates in norm and approaches , where and is a "
      "direction-dependent constant. The linearization breaks down: preserves the directional action of but "
      "compresses all inputs to a bounded shell of radius ." },
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
};
static const claim K_R5_LARGE = {
    .id = "K-R5-large", .title = "large inputs saturate",
    .where = "003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$\\Sigma H \\subset H$, $|\\Sigma u| < |u| = 1$; $\\varepsilon = 2^{-17}$", .construction = NULL,
    .why = "$f_\\Sigma(tu) = t\\alpha(tu)\\Sigma u$ with $(t\\alpha)^2 = t^2/(1 + t^2\\Delta/(d\\varepsilon))$, "
           "which increases to $d\\varepsilon/\\Delta$, $\\Delta = 1 - |\\Sigma u|^2$.  The output stays bounded "
           "while $t\\Sigma u$ grows.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-alpha",
};
THEOREM_PROGRAM(K_R5_LARGE)
