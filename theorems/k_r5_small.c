/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_small.c - K-R5-small, small inputs.
 *
 * Statement (003).  For |y|^2 << d eps, alpha is near 1 whatever the spectrum of M: the linearization extends to a
 * ball of radius O(sqrt(d eps)).  000 says the same for contractions, a word that 003 does not have: K-R5-small-000.
 *
 * What is wrong.  Let sigma_max > 1: alpha^-2 = 1 + (|y|^2 - |Sigma y|^2)/(d eps) reaches 0 at
 * |y|^2 = d eps/(sigma_max^2 - 1) in the top direction, and beyond f_M is not defined: the radius depends on the
 * spectrum.  Let d = 2, Sigma = s on H, y = (1,-1)/2^10: |y|^2 = d eps/8, small indeed; but with s = 4,
 * alpha^-2 = 1 - 15/8 < 0 and |Sigma L(y)| > sqrt d.
 *
 * Corrected.  For contractions 0 <= Delta <= |y|^2, so 0 <= 1 - alpha <= |y|^2/(2 d eps), for (1 + x)^(-1/2) is
 * between 1 - x/2 and 1.  In general f_M is defined on |y|^2 < d eps/(sigma_max^2 - 1).                    */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

/* y = (1,-1)/2^10 and Sigma = s on H. */
static void stretched(trial *t, long times)
{
    scope *s = &t->s;
    const mat *Y = mat_dyadic(s, 1, 2, (int64_t[]){ 1, -1 }, -10), *y2 = mat_row_squares(s, Y);
    const mat *Sy2 = mat_row_squares(s, mat_scale_by(s, mat_ratio(s, times, 1), Y)), *d_eps = norm_d_eps(s, 2);
    claim_equal(t, "|y|^2 = d eps/8", y2, mat_scale_by(s, mat_ratio(s, 1, 8), d_eps));
    const mat *sum = mat_add(s, d_eps, mat_sub(s, y2, Sy2)), *half = mat_ratio(s, 1, 2);
    claim_equal(t, "1 + Delta/(d eps) = -7/8", sum, mat_scale_by(s, mat_ratio(s, -7, 8), d_eps));
    const mat *eps = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, NORM_LOG2_EPS);
    const mat *z2 = mat_scale_by(s, Sy2, mat_reciprocal(s, mat_add(s, mat_scale_by(s, half, y2), eps)));
    claim_equal(t, "|Sigma L(y)|^2 = 32/9 > d", z2, mat_ratio(s, 32, 9));
}
static void four_times(trial *t)      { stretched(t, 4); }
static void twice(trial *t)           { stretched(t, 2); }

static void contraction(trial *t)     { norm_claim_small(t, norm_contraction(&t->s, "Sigma", t->sh.d), 2); }

static void expansion(trial *t)
{
    const mat *twice_U = mat_scale_by(&t->s, mat_ratio(&t->s, 2, 1), norm_rotation(&t->s, "U", t->sh.d));
    norm_claim_small(t, twice_U, 2);
}
static void too_sharp(trial *t)       { norm_claim_small(t, norm_contraction(&t->s, "Sigma", t->sh.d), 8); }

static void radius(trial *t, long per_mille)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *e = mat_sub(s, mat_cols(s, mat_identity(s, d), 0, 1), mat_cols(s, mat_identity(s, d), 1, 1));
    const mat *d_eps = norm_d_eps(s, d), *sigma2 = mat_ratio(s, 9, 4), *y2 = mat_row_squares(s, mat_t(s, e));
    const mat *to = mat_scale_by(s, mat_ratio(s, 4, 5), d_eps);            /* d eps/(sigma^2 - 1), sigma = 3/2     */
    const mat *square = mat_scale_by(s, mat_ratio(s, per_mille, 2000), mat_scale_by(s, to, y2));    /* of y = c e */
    claim_less(t, "1 + Delta/(d eps) > 0", mat_scale_by(s, sigma2, square), mat_add(s, square, d_eps));
}
static void inside(trial *t)          { radius(t, 999); }
static void outside(trial *t)         { radius(t, 1001); }

static void small(shape *sh)          { if (sh->d > 5) sh->d = sh->dk = 5; }

static const control witness_controls[] = { { "twice", twice, "$\\Sigma = 2$: $|y|$ is inside the radius" } };
static const control controls[] = {
    { "expansion", expansion, "$\\Sigma = 2U$" },
    { "too-sharp", too_sharp, "$|y|^2/(8d\\varepsilon)$" },
};
static const control radius_controls[] = { { "outside", outside, "$|y|^2$ one per mille beyond" } };
#define EXACTLY .no_large = true, .no_minimal = true, .without = "fp sym", .why_without = "there is no order"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = four_times, EXACTLY, .basis = "witness: rational numbers",
      .quantity = "1 + \\Delta/(d\\varepsilon)", .shown_by = "1 + Delta/(d eps) = -7/8",
      .statement = "$d = 2$, $\\Sigma = 4$ on $H$, $|y|^2 = d\\varepsilon/8$: $1 + \\Delta/(d\\varepsilon) = "
                   "-\\frac78$",
      CONTROLS(witness_controls) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = contraction, EXACTLY, .prepare = small,
      .statement = "$0 < 1 - \\alpha(y) < |y|^2/(2d\\varepsilon)$ for $|\\Sigma y| < |y|$, $|y|^2 < 2d\\varepsilon$",
      .by_proof = "$1-x/2 < (1+x)^{-1/2} < 1$", .basis = "almost all instances (strict) in exact squares",
      CONTROLS(controls) },
    { .name = "corrected-radius", .kind = PART_IDENTITY, .run = inside, EXACTLY, .prepare = small,
      .statement = "in the top direction $f_\\Sigma$ is defined up to $|y|^2 = d\\varepsilon/(\\sigma_{\\max}^2 - 1)$",
      .basis = "exact: 1 + Delta/(d eps) is linear in |y|^2",
      CONTROLS(radius_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5) };
static const quotation quotes[] = {
    { TEXT_003, "Remark 5", "For small inputs ($\\|y\\|^2 \\ll d\\varepsilon$), the ε -smoothing forces* "
      "$\\alpha \\approx 1$ regardless of M 's spectrum, extending the linearization to a ball of radius "
      "$\\mathcal{O}(\\sqrt{d\\varepsilon})$." },
};
static const quotation standing[] = {
    { TEXT_003, "Remark 5", "An informal discussion on the approximate linearity of f_M in high dimensions" },
};
static const claim K_R5_SMALL = {
    .id = "K-R5-small", .title = "small inputs: alpha near 1 regardless of the spectrum",
    .where = "003 Remark 5",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$\\Sigma$ a contraction of $H$; $\\varepsilon = 2^{-17}$", .construction = NULL,
    .why = "With singular values above 1 the radius depends on the spectrum.  Let $d = 2$, $\\Sigma z = 4z$ on $H$ "
           "and $y = 2^{-10}(1,-1)$, so that $|y|^2 = 2^{-19} = d\\varepsilon/8$ for $\\varepsilon = 2^{-17}$.  Then "
           "$\\Delta = |y|^2 - 16|y|^2 = -\\frac{15}8 d\\varepsilon$ and $1 + \\Delta/(d\\varepsilon) = -\\frac78$: "
           "$\\alpha$ is the root of a negative number, and indeed $\\Sigma L_\\varepsilon(y)$ lies outside the ball "
           "on which $L_\\varepsilon^{-1}$ is defined.  For contractions, which 000 assumes and 003 does "
           "not (K-R5-small-000), $0 \\le \\Delta \\le |y|^2$ gives $0 \\le 1 - \\alpha \\le |y|^2/(2d\\varepsilon)$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-alpha",
};
THEOREM_PROGRAM(K_R5_SMALL)
