/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r6_rms.c - K-R6-rms, extension to RMSNorm.
 *
 * Statement.  The argument about LayerNorm (Lemma C.1, Theorem C.2) extends to RMSNorm, N(x) = x/sqrt(|x|^2/d + eps).
 *
 * What must change.  The image of N is the open ball of radius sqrt d of the whole R^d, not of H.  So
 *   - lambda_0 must be taken on R^d: d = 2, A = [[-1,3],[1,-1]], v = A^-T 1 = (1,2), M_0 = diag(v) A/4 has
 *     M_0 (1,-1) = (-1,1), norm 1 on H as the lemma wants, but M_0 (3,-4) = (-15,14)/4 is longer than 5;
 *   - no gain is needed: every D with |D A| <= 1 has its f, D = lambda I, too;
 *   - f is unique; f + h 1 is no solution.
 *
 * Corrected.  If |D A| <= 1, f(x) = back(D A N(x)) is the one map with N(f(x)) = D A N(x).  If M = D'^-1 Theta D has
 * |M| <= 1, MLP'(x) = back(M N(x + MLP(x))) - x is the one with D' N(x + MLP'(x)) = Theta D N(x + MLP(x)).  f is
 * linear iff M is orthogonal: some D' does that iff the rows of Theta D are mutually orthogonal.
 *
 * Why.  back inverts N on the ball.  f(x) = alpha M x as in k_r5_alpha.c, and alpha^-2 = 1 +
 * (|x|^2 - |M x|^2)/(d eps) is constant on rays iff |M x| = |x|.                                             */
#include "src/claim/shapes.h"
#include "src/methods/norm/norm.h"

static void leaves_ball(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_from_si(s, 2, 2, (long[]){ -1, 3, 1, -1 }), *v = norm_gain(s, A);
    const mat *quarter = mat_ratio(s, 1, 4);
    const mat *M = mat_scale_by(s, quarter, mat_scale_rows(s, v, A)), *z = mat_from_si(s, 1, 2, (long[]){ 3, -4 });
    const mat *Mh = norm_apply(s, M, mat_from_si(s, 1, 2, (long[]){ 1, -1 })), *z2 = mat_row_squares(s, z);
    claim_equal(t, "v = (1,2)", v, mat_from_si(s, 2, 1, (long[]){ 1, 2 }));
    claim_equal(t, "M_0 is an isometry of H", Mh, mat_from_si(s, 1, 2, (long[]){ -1, 1 }));
    claim_equal(t, "4 M_0 z = (-15,14)", norm_apply(s, M, mat_scale_by(s, mat_ratio(s, 4, 1), z)),
                mat_from_si(s, 1, 2, (long[]){ -15, 14 }));
    claim_equal(t, "|z|^2 = 25", z2, mat_ratio(s, 25, 1));
    claim_less(t, "|M_0 z|^2 > 26, so |M_0 N(z)|^2 > d", mat_ratio(s, 26, 1), mat_row_squares(s, norm_apply(s, M, z)));
}

static const mat *gain_matrix(scope *s, const char *name, long d)        /* diagonal, entries near 1 */
{
    return mat_diag(s, norm_near_one(s, name, d));
}

/* lambda A with lambda |A| = tenths/10 at most, and inputs, the last one along the top direction of A. */
typedef struct { const mat *M, *X, *lambda; } instance;
static instance scaled(trial *t, const mat *A, long tenths)
{
    scope *s = &t->s;
    const norm_top top = norm_largest(s, A);
    const mat *lambda = mat_scale_by(s, mat_ratio(s, tenths, 10), mat_rsqrt(s, top.square));
    norm_claim_top(t, A, top);
    const mat *far = mat_scale_by(s, mat_ratio(s, 64, 1), top.along);
    const mat *X = mat_vcat(s, 2, (const mat *[]){ norm_inputs(s, "X", A->cols), far });
    return (instance){ mat_scale_by(s, lambda, A), X, lambda };
}

static const mat *drawn(trial *t)     { return mat_draw_weight(&t->s, "A", t->sh.d, t->sh.d); }

static void conjugate(trial *t, const mat *A, long tenths, long h)
{
    scope *s = &t->s;
    const instance at = scaled(t, A, tenths);
    const mat *by = at.M, *MN = norm_apply(s, at.M, norm_rms(s, at.X));
    claim_reduced(t, 1, (const mat **[]){ &by });
    const mat *f = norm_back(t, norm_apply(s, by, norm_rms(s, at.X)));
    f = mat_add(s, f, mat_scale_by(s, mat_ratio(s, h, 1), mat_ones(s, f->rows, f->cols)));
    claim_equal(t, "N(f(x)) = D A N(x)", norm_rms(s, f), MN);
}

static void any_gain(trial *t)
{
    const mat *A = drawn(t);
    conjugate(t, A, 10, 0);                                              /* D = lambda I */
    conjugate(t, A, -3, 0);
    conjugate(t, mat_mul(&t->s, gain_matrix(&t->s, "D", t->sh.d), A), 10, 0);
}
static void too_long(trial *t)        { conjugate(t, drawn(t), 15, 0); }
static void with_field(trial *t)      { conjugate(t, drawn(t), 10, 1); }

static void left_inverse_of(trial *t, const mat *norm(scope *s, const mat *X))
{
    const mat *X = norm_inputs(&t->s, "X", t->sh.d);
    claim_equal(t, "back(N(x)) = x", norm_back(t, norm(&t->s, X)), X);
}
static void left_inverse(trial *t)    { left_inverse_of(t, norm_rms); }
static void centred(trial *t)         { left_inverse_of(t, norm_layer); }

/* D' has |D'^-1 Theta D| = tenths/10 at most. */
static void theorem(trial *t, long tenths)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = 2 * d;
    const mat *D = gain_matrix(s, "D", d), *to = gain_matrix(s, "D'", d), *TD = mat_mul(s, drawn(t), D);
    const mat *W1 = mat_draw(s, "W1", m, d, mat_log2_fan_in(d)), *W2 = mat_draw(s, "W2", d, m, mat_log2_fan_in(m));
    const instance at = scaled(t, mat_mul(s, mat_inv(s, to), TD), tenths);          /* M = lambda to^-1 Theta D   */
    const mat *N = norm_rms(s, mat_add(s, at.X, norm_mlp(s, W1, W2, ACT_SILU, at.X))), *by = at.M;
    const mat *D2N = norm_apply(s, mat_scale_by(s, at.lambda, TD), N);    /* D' = to/lambda */
    claim_reduced(t, 1, (const mat **[]){ &by });
    const mat *moved = mat_sub(s, norm_back(t, norm_apply(s, by, N)), at.X);
    claim_equal(t, "D' N(x + MLP'(x)) = Theta D N(x + MLP(x))",
                norm_apply(s, to, norm_rms(s, mat_add(s, at.X, moved))), D2N);
}
static void printed_theorem(trial *t) { theorem(t, 10); }
static void all_too_long(trial *t)    { theorem(t, 80); }

/* f(x) = M back(N(x)) = M x for orthogonal M. */
static void linear(trial *t, const mat *M)
{
    scope *s = &t->s;
    const mat *X = norm_inputs(s, "X", t->sh.d), *N = norm_rms(s, X);
    claim_reduced(t, 1, (const mat **[]){ &M });
    claim_equal(t, "back(M N(x)) = M back(N(x))", norm_back(t, norm_apply(s, M, N)), norm_apply(s, M, norm_back(t, N)));
}
static void orthogonal(trial *t)      { linear(t, mat_draw_orthogonal(&t->s, "U", t->sh.d)); }

static void contraction(trial *t)
{
    if (t->sh.d < 5) t->sh.d = 5;
    linear(t, mat_draw(&t->s, "U", t->sh.d, t->sh.d, mat_log2_fan_in(t->sh.d) - 3));
}

static const control controls[] = {
    { "too-long",   too_long,   "$\\|DA\\| = \\frac32$" },
    { "with-field", with_field, "$f + \\mathbf 1$, a solution for LayerNorm" },
};
static const control theorem_controls[] = {
    { "too-long", all_too_long, "$\\|D'^{-1}\\Theta D\\| = 8$: draws leave the ball, not only the longest ones" },
};
static const control unique_controls[] = { { "centred", centred, "LayerNorm forgets the mean" } };
static const control linear_controls[] = { { "not-orthogonal", contraction, "$M$ a generic contraction" } };
#define ROOTS .no_large = true, REALS_ONLY("there are no roots")
#define BITS .no_large = true, .without = "f64 fp q sym", \
    .why_without = "f64: $10^4$ cancels more than half of its digits; the others have no roots"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = leaves_ball, .no_large = true, .no_minimal = true,
      .quantity = "M_0", .shown_by = "|M_0 z|^2 > 26, so |M_0 N(z)|^2 > d",
      .without = "f64 mpfr fp sym", .why_without = "the witness is exact",
      .statement = "$A$ with rows $(-1,3)$, $(1,-1)$: the $M_0$ of Lemma C.1 leaves the ball of "
                   "$\\mathbf R^2$", .basis = "witness: integers" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = any_gain, ROOTS,
      .statement = "$N_\\varepsilon(f(x)) = DA N_\\varepsilon(x)$ for $\\|DA\\| \\le 1$: $D = \\lambda I$ and others",
      .basis = "in balls; almost all draws come near the largest norm",
      CONTROLS(controls) },
    { .name = "corrected-unique", .kind = PART_IDENTITY, .run = left_inverse, BITS, .no_minimal = true,
      .statement = "$f$ is unique: $N_\\varepsilon^{-1}(N_\\varepsilon(x)) = x$",
      CONTROLS(unique_controls) },
    { .name = "corrected-contraction", .kind = PART_IDENTITY, .run = printed_theorem, BITS,
      .statement = "$D'N_\\varepsilon(x + \\mathrm{MLP}'(x)) = \\Theta DN_\\varepsilon(x + \\mathrm{MLP}(x))$ for "
                   "$\\|D'^{-1}\\Theta D\\| \\le 1$",
      .basis = "in balls; almost all draws come near the largest norm",
      CONTROLS(theorem_controls) },
    { .name = "corrected-linear", .kind = PART_IDENTITY, .run = orthogonal, .no_large = true, .without = "f64 q",
      .why_without = "f64: $d - |z|^2$ cancels 45 bits; q has no roots and no opaque functions",
      .assumes = "orthogonal U",
      .statement = "$f(x) = Mx$ for orthogonal $M$", .basis = "sym: for any two radial maps",
      CONTROLS(linear_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(1), NORM_SIZE(2), NORM_SIZE(5), NORM_SIZE(16) };
static const quotation quotes[] = {
    { TEXT_001, "Remark 4", "The argument above can be distilled down to the case of RMSNorm [ZS19], which has "
      "become the normalization of choice in many modern LLMs [LT24, Dee24, Tea25]." },
    { TEXT_001, "Remark 4", "Hence, the structural result established above extends beyond LayerNorm to both "
      "RMSNorm and Dynamic Tanh." },
    { TEXT_003, "Remark 6", "The argument above extends to RMSNorm (Zhang & Sennrich, 2019), which has become "
      "the normalization of choice in many modern LLMs (Touvron et al., 2023)." },
    { TEXT_003, "Remark 6", "Hence, the structural result established above extends beyond LayerNorm to both "
      "RMSNorm and Dynamic Tanh." },
    { TEXT_000, "Remark 5", "The argument above can be distilled down to the case of RMSNorm [zhang2019root], "
      "which has become the normalization of choice in many modern LLMs [Dubey2024TheL3, DA24, qwen2025]." },
    { TEXT_000, "Remark 5", "Hence, the structural result established above extends beyond LayerNorm to both "
      "RMSNorm and Dynamic Tanh." },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_R6_RMS = {
    .id = "K-R6-rms", .title = "extension to RMSNorm",
    .where = "001 Remark 4; 003 Remark 6; 000 Remark 5",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$\\|DA\\|_2 \\le 1$, respectively $\\|D'^{-1}\\Theta D\\|_2 \\le 1$, on all of $\\mathbf R^d$; "
                  "$\\varepsilon = 2^{-17}$",
    .construction = "$f(x) = N_\\varepsilon^{-1}(DAN_\\varepsilon(x))$, $\\mathrm{MLP}'(x) = N_\\varepsilon^{-1}"
                    "(D'^{-1}\\Theta D N_\\varepsilon(x + \\mathrm{MLP}(x))) - x$",
    .why = "The argument extends: RMSNorm's image is a ball of $\\mathbf R^d$, and every $D$ with $\\|DA\\|_2 \\le 1$ "
           "has its $f$; $D = \\lambda I$ will do, for nothing forces $D$ here.  The gain that Lemma C.1 constructs "
           "cannot be copied, because RMSNorm does not remove the mean, so that the norm of $M_0$ must be taken on "
           "the whole ball, not on the vectors of mean 0.  Take $A$ with rows $(-1,3)$, $(1,-1)$: $A^\\top(1,2)^\\top "
           "= \\mathbf 1$, so $4M_0$ has rows $(-1,3)$, $(2,-2)$, and $M_0$ maps $(1,-1)$ to $(-1,1)$ as Lemma C.1 "
           "wants, but $(3,-4)$, of length 5, to $(-15,14)/4$, of length $\\sqrt{421}/4 > 5.1$: "
           "$M_0N_\\varepsilon(3,-4)$ is longer than any value of $N_\\varepsilon$, so with that gain no $f$ exists.  "
           "And $f + h\\mathbf 1$ is no longer a solution.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-C1 K-R5-alpha",
};
THEOREM_PROGRAM(K_R6_RMS)
