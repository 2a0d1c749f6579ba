/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_small_000.c - K-R5-small-000, small inputs of contractions.
 *
 * Statement (000).  For contractions alpha is near 1 on small inputs, whatever else the spectrum of M: the
 * linearization at the origin extends to a ball of radius O(sqrt(d eps)).  003 leaves out "contractions": K-R5-small.
 *
 * Why.  0 <= Delta = |y|^2 - |Sigma y|^2 <= |y|^2, so 0 <= 1 - alpha <= |y|^2/(2 d eps), for (1 + x)^(-1/2) is between
 * 1 - x/2 and 1. */
#include "src/claim/claim.h"
#include "src/methods/norm/norm.h"

static void contraction(trial *t)     { norm_claim_small(t, norm_contraction(&t->s, "Sigma", t->sh.d), 2); }
static void too_sharp(trial *t)       { norm_claim_small(t, norm_contraction(&t->s, "Sigma", t->sh.d), 8); }
static void expansion(trial *t)
{
    const mat *twice_U = mat_scale_by(&t->s, mat_ratio(&t->s, 2, 1), norm_rotation(&t->s, "U", t->sh.d));
    norm_claim_small(t, twice_U, 2);
}
static void small(shape *sh)          { if (sh->d > 5) sh->d = sh->dk = 5; }

static const control controls[] = {
    { "expansion", expansion, "$\\Sigma = 2U$, no contraction" },
    { "too-sharp", too_sharp, "$|y|^2/(8d\\varepsilon)$" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = contraction, .no_large = true, .no_minimal = true,
      .without = "fp sym", .why_without = "there is no order", .prepare = small,
      .statement = "$0 < 1 - \\alpha(y) < |y|^2/(2d\\varepsilon)$ for $|\\Sigma y| < |y|$, $|y|^2 < 2d\\varepsilon$",
      .by_proof = "$1-x/2 < (1+x)^{-1/2} < 1$", .basis = "almost all instances (strict) in exact squares",
      CONTROLS(controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(5) };
static const quotation quotes[] = {
    { TEXT_000, "Section 8.3.1", "The -smoothing alone forces , extending the exact linearization at the origin "
      "to a ball of radius , with no assumptions on beyond contractiveness." },
};
static const quotation standing[] = {
    { TEXT_000, "Section 8.3.1", "An informal discussion on the approximate linearity of in high dimensions" },
    { TEXT_000, "Section 8.3.1", "In what follows, we assume all singular values satisfy , so that for all , the map "
      "is globally well-defined, and ." },
};
static const claim K_R5_SMALL_000 = {
    .id = "K-R5-small-000", .title = "small inputs of contractions: alpha near 1",
    .where = "000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$\\Sigma$ a contraction of $H$; $\\varepsilon = 2^{-17}$",
    .why = "A contraction has $0 \\le \\Delta \\le |y|^2$, so that $0 \\le 1 - \\alpha \\le |y|^2/(2d\\varepsilon)$: "
           "the radius depends on $d\\varepsilon$ alone.  The same inequality is theorem `small` of k_r5_small.v, "
           "which Coq's kernel accepts for the corrected sentence of 003 (K-R5-small).",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-R5-alpha K-R5-small",
};
THEOREM_PROGRAM(K_R5_SMALL_000)
