/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r6_dyt.c - K-R6-dyt, extension to Dynamic Tanh.
 *
 * Statement.  The argument about LayerNorm extends to T(x) = gamma o tanh(alpha o x) + beta (entrywise products),
 * which is a bijection onto its image where no gamma_i and no alpha_i is 0.
 *
 * What is missing.  The image of T is an open box, and Theta must map it into that of T': for T = T' = tanh and
 * Theta = [[1,1],[0,1]], the first entry of Theta T(1,1) is 2 tanh 1 > 1, a value that T' never takes.
 *
 * Corrected.  T'(f(x)) = Theta T(x) has a solution f iff for all i (box condition)
 *     |beta'_i - (Theta beta)_i| + sum_j |Theta_ij| |gamma_j| <= |gamma'_i|,
 * and then f_i(x) = artanh((Theta T(x) - beta')_i/gamma'_i)/alpha'_i.  Why: entry i of Theta T(x) fills the open
 * interval of half-width sum_j |Theta_ij| |gamma_j| about (Theta beta)_i.  The smallest gamma' is sharp: at some
 * corner of the box entry i reaches its limit, so for a smaller gamma' that corner, and x near it, leaves; for
 * monomial Theta (one nonzero entry a row and column) every corner does.
 *
 * f is affine iff Theta is monomial, beta' = Theta beta and equality holds, that is iff Theta maps box onto box.  For:
 * artanh(c tanh x + o) is affine in x only for c = 0, or c = +-1 and o = 0; the condition allows one such c a row. */
#include "src/claim/shapes.h"
#include "src/methods/norm/dyt.h"

static void leaves(trial *t)                             /* T = tanh, x = (1,1) */
{
    scope *s = &t->s;
    const mat *one = mat_ones(s, 2, 1), *Theta = mat_from_si(s, 2, 2, (long[]){ 1, 1, 0, 1 });
    const dyt T = { one, one, mat_zero(s, 2, 1) };
    const mat *image = norm_apply(s, Theta, dyt_apply(s, &T, mat_ones(s, 1, 2)));
    claim_less(t, "1 < (Theta T(1,1))_1 = 2 tanh 1", mat_ones(s, 1, 1), mat_cols(s, image, 0, 1));
}

static const mat *drawn(trial *t)     { return mat_draw_weight(&t->s, "Theta", t->sh.d, t->sh.d); }
static const mat *shifted(trial *t)   { return mat_draw(&t->s, "o", t->sh.d, 1, -2); }

static void conjugate(trial *t, long tenths, bool other_alpha)
{
    scope *s = &t->s;
    const mat *Theta = drawn(t), *X = dyt_inputs(s, Theta);
    const dyt T = dyt_random(s, "T", t->sh.d), to = dyt_target(s, Theta, &T, shifted(t), tenths);
    dyt by = to;
    if (other_alpha) by.alpha = T.alpha;
    claim_reduced(t, 2, (const mat **[]){ &by.gamma, &by.alpha });
    const mat *f = dyt_solve(t, Theta, &T, &by, X);
    claim_equal(t, "T'(f(x)) = Theta T(x)", dyt_apply(s, &to, f), norm_apply(s, Theta, dyt_apply(s, &T, X)));
}

static void affine(trial *t, long tenths, const mat *o)
{
    scope *s = &t->s;
    const mat *Theta = dyt_monomial(s, t->sh.d), *X = mat_rows(s, dyt_inputs(s, drawn(t)), 0, 3);
    const dyt T = dyt_random(s, "T", t->sh.d), to = dyt_target(s, Theta, &T, o, tenths);
    dyt by = to;
    claim_reduced(t, 2, (const mat **[]){ &by.gamma, &by.alpha });
    const mat *A = dyt_slopes(s, Theta, &T, &by);
    claim_equal(t, "f(x) = A x", dyt_solve(t, Theta, &T, &to, X), norm_apply(s, A, X));
}

/* f(x + y) + f(0) differs from f(x) + f(y). */
static void bent(trial *t, const mat *Theta, long tenths, const mat *o)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const dyt T = dyt_random(s, "T", d), to = dyt_target(s, Theta, &T, o, tenths);
    const mat *x = mat_draw(s, "x", 2, d, -1), *y = mat_draw(s, "y", 2, d, -1), *f[4];
    const mat *at[] = { mat_add(s, x, y), mat_zero(s, 2, d), x, y };
    for (int k = 0; k < 4; k++) f[k] = dyt_solve(t, Theta, &T, &to, at[k]);
    claim_differs(t, "f(x + y) + f(0), f(x) + f(y)", mat_add(s, f[0], f[1]), mat_add(s, f[2], f[3]));
}

static const mat *none(trial *t)      { return mat_zero(&t->s, t->sh.d, 1); }

static void not_affine(trial *t)
{
    bent(t, drawn(t), 10, none(t));                                     /* Theta is not monomial     */
    bent(t, dyt_monomial(&t->s, t->sh.d), 20, none(t));                  /* the box of T' is too wide */
    bent(t, dyt_monomial(&t->s, t->sh.d), 10, shifted(t));               /* beta' is not Theta beta   */
}

/* How many of the 2^d corners Theta maps out of the box of T', how many rows reach its side. */
static void corners(trial *t, const mat *Theta, long tenths, long rows, bool every)
{
    scope *s = &t->s;
    const dyt T = dyt_random(s, "T", t->sh.d), to = dyt_target(s, Theta, &T, every ? none(t) : shifted(t), tenths);
    const dyt_corners n = dyt_count(s, Theta, &T, &to);
    claim_decided(t, "corners beyond the box", every ? n.outside == n.all : n.outside == 0);
    claim_decided(t, "rows that reach a side of it", n.rows == rows);
}

static void in_the_box(trial *t)      { conjugate(t, 10, false); }
static void box_too_small(trial *t)   { conjugate(t, 8, false); }
static void other_alpha(trial *t)     { conjugate(t, 10, true); }
static void onto(trial *t)            { affine(t, 10, none(t)); }
static void wider(trial *t)           { affine(t, 20, none(t)); }
static void moved(trial *t)           { affine(t, 10, shifted(t)); }
static void onto_is_bent(trial *t)    { bent(t, dyt_monomial(&t->s, t->sh.d), 10, none(t)); }
static void sharp(trial *t)           { corners(t, drawn(t), 10, t->sh.d, false); }
static void smaller(trial *t)         { corners(t, drawn(t), 8, t->sh.d, false); }
static void all_leave(trial *t)       { corners(t, dyt_monomial(&t->s, t->sh.d), 8, t->sh.d, true); }
static void none_leaves(trial *t)     { corners(t, dyt_monomial(&t->s, t->sh.d), 10, t->sh.d, true); }

static const control controls[] = {
    { "box-too-small", box_too_small, "$\\gamma'$ 20 \\% smaller" },
    { "other-alpha",   other_alpha,   "$f$ divides by $\\alpha$ in place of $\\alpha'$" },
};
static const control affine_controls[] = {
    { "wider",      wider, "$\\gamma'$ twice as large: into the box, but not onto" },
    { "other-beta", moved, "$\\beta' \\ne \\Theta\\beta$, and $\\gamma'$ as much larger as the box "
                           "condition then asks" },
};
static const control bent_controls[]  = { { "onto", onto_is_bent, "box onto box: $f$ is affine" } };
static const control sharp_controls[] = { { "smaller", smaller, "$\\gamma'$ 20 \\% smaller" } };
static const control leave_controls[] = { { "full-size", none_leaves, "$\\gamma'$ as the condition wants it" } };
#define ROOTS .no_large = true, REALS_ONLY("there is no tanh")
#define EXACTLY .no_large = true, .no_minimal = true, RATIONALS_ONLY("corners are compared exactly")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = leaves, ROOTS, .no_minimal = true,
      .quantity = "(\\Theta T(1,1))_1", .shown_by = "1 < (Theta T(1,1))_1 = 2 tanh 1",
      .statement = "$\\Theta$ with rows $(1,1)$, $(0,1)$, $T = T' = \\tanh$: $(\\Theta T(1,1))_1 = "
                   "2\\tanh 1 > 1$ is no value of $T'$", .basis = "witness: balls" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = in_the_box, ROOTS,
      .statement = "$T'(f(x)) = \\Theta T(x)$ with the smallest $\\gamma'$ of the box condition, $\\beta' \\ne "
                   "\\Theta\\beta$", CONTROLS(controls) },
    { .name = "corrected-sharp-box", .kind = PART_IDENTITY, .run = sharp, EXACTLY,
      .statement = "that $\\gamma'$ is sharp: no corner of the box leaves, every row reaches its limit",
      .by_proof = "the step from instances to all matrices", .basis = "all 2^d corners of instances, exactly",
      CONTROLS(sharp_controls) },
    { .name = "corrected-leave", .kind = PART_IDENTITY, .run = all_leave, EXACTLY,
      .statement = "for $\\gamma'$ 20 \\% smaller, monomial $\\Theta$ and $\\beta' = \\Theta\\beta$ all $2^d$ corners "
                   "leave",
      .by_proof = "the step from instances to all matrices", .basis = "all 2^d corners of instances, exactly",
      CONTROLS(leave_controls) },
    { .name = "corrected-onto", .kind = PART_IDENTITY, .run = onto, ROOTS,
      .statement = "$f$ is affine if $\\Theta$ is monomial, $\\beta' = \\Theta\\beta$, $|\\gamma'_i| = "
                   "|\\Theta_{i\\pi(i)}\\gamma_{\\pi(i)}|$",
      CONTROLS(affine_controls) },
    { .name = "corrected-conditions-needed", .kind = PART_IDENTITY, .run = not_affine, ROOTS, .no_minimal = true,
      .statement = "and not if one of the three fails",
      .by_proof = "the step from instances to all matrices", .basis = "f(x+y) + f(0) and f(x) + f(y) of instances",
      CONTROLS(bent_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(4), NORM_SIZE(2), NORM_SIZE(3), NORM_SIZE(5), NORM_SIZE(16) };
static const quotation quotes[] = {
    { TEXT_001, "Remark 4", "Furthermore, a similar reasoning applies to the recently proposed the Dynamic Tanh "
      "alternative to normalization [ZCH+25]." },
    { TEXT_001, "Remark 4", "This transformation is bijective onto its image whenever and for all , a condition "
      "that is reasonable due to the stochasticity of the optimization. Hence, the structural result "
      "established above extends beyond LayerNorm to both RMSNorm and Dynamic Tanh." },
    { TEXT_003, "Remark 6", "Furthermore, a similar reasoning applies to the recently proposed Dynamic Tanh "
      "(DyT) alternative to normalization (Zhu et al., 2025)." },
    { TEXT_003, "Remark 6", "This transformation is bijective onto its image whenever $\\gamma_i \\neq 0$ and "
      "$\\alpha_i \\neq 0$ for all i , a condition that is reasonable due to the stochasticity of optimization. "
      "Hence, the structural result established above extends beyond LayerNorm to both RMSNorm and Dynamic Tanh." },
    { TEXT_000, "Remark 5", "Furthermore, a similar reasoning applies to the recently proposed the Dynamic Tanh "
      "alternative to normalization [zhu2025transformersDyT]." },
    { TEXT_000, "Remark 5", "This transformation is bijective onto its image whenever and for all , a condition "
      "that is reasonable due to the stochasticity of the optimization. Hence, the structural result "
      "established above extends beyond LayerNorm to both RMSNorm and Dynamic Tanh." },
};
/* That T is one-to-one is not what these parts say: lemma `unique` of k_r6_dyt.v is. */
static const char *const judged[] = {
    "a similar reasoning applies to the recently proposed",
    "Hence, the structural result established above extends beyond LayerNorm to both RMSNorm and Dynamic Tanh.",
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_R6_DYT = {
    .id = "K-R6-dyt", .title = "extension to Dynamic Tanh",
    .where = "001 Remark 4; 003 Remark 6; 000 Remark 5",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no $\\gamma_i$, $\\alpha_i$, $\\gamma'_i$, $\\alpha'_i$ is 0; $|\\beta'_i - (\\Theta\\beta)_i| + "
                  "\\sum_j|\\Theta_{ij}||\\gamma_j| \\le |\\gamma'_i|$",
    .construction = "$f_i(x) = \\mathrm{artanh}((\\Theta T(x) - \\beta')_i/\\gamma'_i)/\\alpha'_i$",
    .why = "True if the gains of the new $T'$ may be chosen, as $D$ is in the lemma: the image of $T$ is an open box "
           "with sides parallel to the axes, $\\Theta$ must map it into that of $T'$, and this holds if and only if "
           "the gains of $T'$ are at least what the box condition says.  With the old gains it can fail, bijective as "
           "$T$ is: take $T = T' = \\tanh$ in two dimensions, image $(-1,1)^2$, and $\\Theta$ with rows $(1,1)$, "
           "$(0,1)$: at $x = (1,1)$ the first entry of $\\Theta T(x)$ is $2\\tanh 1 = 1.52...$, which $\\tanh$ never "
           "reaches, so there is no $f(x)$.  That $T$ is one-to-one is lemma `unique` of k_r6_dyt.v.  So $f$ is the "
           "only one, and the theorem about LayerNorm extends, too: $\\mathrm{MLP}'(x) = f(x + \\mathrm{MLP}(x)) - x$, "
           "without the free $h(x)\\mathbf 1$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_R6_DYT)
