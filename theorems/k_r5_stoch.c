/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_stoch.c - K-R5-stoch, how close to linear LayerNorm's conjugate of a Gaussian matrix is.
 *
 * Statement.  f_M = L^-1 M L (src/methods/measure/radial.h) is alpha(y) M y.  For M with independent N(0, 1/d) entries
 * |1 - alpha| = O(|y|^2/(d^(3/2) eps)).
 *
 * Why.  alpha = (1 + Delta/(d eps))^(-1/2) with the metric defect Delta = |y|^2 - |M y|^2.  For y independent of M
 * the vector M y is Gaussian, |M y|^2 = |y|^2 chi^2_n/n, so Delta has mean 0 and standard deviation |y|^2 sqrt(2/n),
 * and |1 - alpha| is about |Delta|/(2 d eps): exponent -3/2 in d, 1 in |y|^2, and the constant is known.
 *
 * Its limits.  y must not depend on M: along the largest singular value, which tends to 2, Delta is -3 |y|^2 and the
 * exponent is -1; for |y|^2 >= d eps/3 or so there are y where f_M(y) is not defined.  Clamping the singular values
 * moves the mean of Delta away from 0 (K-R5-clamp), again exponent -1.                                     */
#include <math.h>
#include "src/claim/check_figures.h"
#include "src/claim/shapes.h"
#include "src/methods/measure/radial.h"

static const char EXPONENT[] = "exponent of mean abs(1 - alpha) in d", MEAN[] = "mean abs(1 - alpha)";

static void exponent_in_d(trial *t)
{
    const estimate is = radial_exponent(t, AS_DRAWN, t->sh.d, MEAN, radial_mean_as_drawn);
    claim_measured(t, EXPONENT, NAN, is, -1.5);
}

static void clamped(trial *t)
{
    claim_measured(t, EXPONENT, NAN, radial_exponent(t, CLAMPED, t->sh.d, MEAN, NULL), -1.5);
}

static void aligned(trial *t)
{
    claim_measured(t, EXPONENT, NAN, radial_exponent(t, ALIGNED, t->sh.d, MEAN, NULL), -1.5);
}

/* |y|^2/eps over seven powers of two, up to `most`. */
static void exponent_in_norm(trial *t, family F, double most)
{
    enum { BATCHES = 32, NORMS = 7, DRAWS = 200 };
    radial w = radial_open(&t->s, "norms", t->sh.d);
    double y2[NORMS], away[NORMS], exponent[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
        for (int k = 0; k < NORMS; k++) {
            y2[k] = ldexp(most, k - NORMS + 1);
            away[k] = radial_mean_away(&w, F, (double)t->sh.d, y2[k], DRAWS);
        }
        exponent[b] = measure_power(NORMS, y2, away);
    }
    claim_measured(t, "exponent of mean abs(1 - alpha) in norm^2", NAN, measure_mean(BATCHES, exponent), 1);
}

static void small_inputs(trial *t) { exponent_in_norm(t, AS_DRAWN, 1); }
static void large_inputs(trial *t) { exponent_in_norm(t, CLAMPED, 64 * (double)t->sh.d); }

static const control families[] = {
    { "clamped", clamped, "singular values above 1 are replaced by 1: exponent $-1$" },
    { "aligned", aligned, "$y$ is close to the largest singular vector of $M$: exponent $-1$" },
};
static const control sizes[] = {
    { "large-inputs", large_inputs, "$\\|y\\|^2$ up to $64\\,d\\varepsilon$ (clamped, so that $f_M$ is defined)" },
};
static const shape_case dimensions[] = {
    { .sh = ATTENTION_SHAPE(1, 256, 1, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(1, 1024, 1, 1, MASK_CAUSAL), .large = ONLY_AT_LARGE },
};
static const shape_case fixed[] = { { .sh = ATTENTION_SHAPE(1, 64, 1, 1, MASK_CAUSAL) } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_MEASURED, .run = exponent_in_d, .no_minimal = true, .widest = 0.1,
      .statement = "$\\mathrm{E}|1-\\alpha(y)| \\sim d^{-3/2}$ for $\\|y\\|^2 = \\varepsilon$, $d = 32, \\ldots, "
                   "256$, with $\\|y\\|^2\\,\\mathrm{E}|1-\\chi^2_{d-1}/(d-1)|/(2d\\varepsilon)$ at each $d$",
      .basis = "measurement: an exponent fitted in each of 32 batches",
      .shapes = dimensions, .nshapes = COUNT(dimensions), CONTROLS(families) },
    { .name = "as-stated-norm", .kind = PART_MEASURED, .run = small_inputs, .no_minimal = true, .widest = 0.05,
      .statement = "$\\mathrm{E}|1-\\alpha(y)| \\sim \\|y\\|^2$ at $d = 64$, $\\|y\\|^2 \\le \\varepsilon$",
      .basis = "measurement: an exponent fitted in each of 32 batches",
      .shapes = fixed, .nshapes = COUNT(fixed), CONTROLS(sizes) },
};
static const quotation quotes[] = {
    { TEXT_001, "Remark 3", "For random matrices with i.i.d. entries and typical unit vectors , concentration "
      "of measure [Ver18] yields with high probability, making the coefficient approximately constant across "
      "typical inputs." },
    { TEXT_003, "Remark 5", "By standard concentration on the sphere, $|1 - \\alpha(y)| = "
      "\\mathcal{O}(\\|y\\|^2/(d^{3/2}\\varepsilon))$, extending the linearization well beyond the "
      "deterministic small-input regime." },
    { TEXT_000, "Section 8.3.1", "By standard concentration on the sphere [Vershynin_2018], deviates from this "
      "mean by at most with high probability, giving Concentration thus extends the linearization well beyond "
      "the ball guaranteed by the deterministic small-input analysis" },
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
};
static const claim K_R5_STOCH = {
    .id = "K-R5-stoch", .title = "the conjugate of a Gaussian matrix is nearly linear",
    .where = "001 Remark 3; 003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$M$ on the zero-mean subspace, in an orthonormal basis, with independent $N(0, 1/(d-1))$ entries; "
                  "$y$ independent of $M$, $\\|y\\|^2 \\ll d\\varepsilon$",
    .construction = "$f_M(y) = L_\\varepsilon^{-1}(M L_\\varepsilon(y)) = \\alpha(y) M y$, $\\alpha = (1 + \\Delta/(d"
                    "\\varepsilon))^{-1/2}$, $\\Delta = \\|y\\|^2 - \\|My\\|^2$",
    .why = "$\\|My\\|^2/\\|y\\|^2$ is $\\chi^2_n/n$ with $n = d-1$, so $\\Delta$ has mean 0 and standard deviation "
           "$\\|y\\|^2\\sqrt{2/n}$, and $|1-\\alpha| \\approx |\\Delta|/(2d\\varepsilon)$.  This is for $y$ "
           "independent of $M$: along the largest singular value $\\Delta \\approx -3\\|y\\|^2$, the exponent is "
           "$-1$, and beyond $\\|y\\|^2 \\approx d\\varepsilon/3$ the map is not defined there.",
    .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-alpha",
};
THEOREM_PROGRAM(K_R5_STOCH)
