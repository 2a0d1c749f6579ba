/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r5_practice.c - K-R5-practice, is f_M close to linear at the size of GPT-2?
 *
 * Statement.  Provided eps >> |y|^2 d^(-3/2), f_M(y) is close to M y, the better the larger d is (K-R5-stoch).  No
 * number is attached to >>, so there is nothing to decide; what can be given is how large the two sides are.
 *
 * At GPT-2's size.  d = 768, eps = 10^-5, embeddings and positions drawn with standard deviation 1/50:
 *     d^(3/2) eps = 0.2128,    |y|^2 = E |E + E_P|^2 = 2 d/2500 = 0.6144,    |y|^4/(d^3 eps^2) = 25/3 exactly,
 * so already at initialization the left side is 2.9 times smaller than the right one, and streams only grow.  With
 * |y|^2/(d eps) = 80 the defect Delta/(d eps) has standard deviation 4: where it is below -1, f_M(y) is not defined at
 * all.  That is P(chi^2_n/n > 1 + d eps/|y|^2) = 40 % of the inputs; within 10 % of linear are 4 %.            */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include "src/claim/claim.h"
#include "src/claim/check_figures.h"
#include "src/methods/measure/radial.h"

enum { GPT2 = 768, MATRICES = 10 };

/* In units of 10^-5 and 10^-10: |y|^2 = 2 d/per_variance, d^3 eps^2 = d^3. */
static void ratio(trial *t, long per_variance)
{
    const long d = GPT2, y2 = 2 * d * 100000 / per_variance;
    claim_decided(t, "3 |y|^4 = 25 d^3 eps^2", 3 * y2 * y2 == 25 * d * d * d);
    claim_less(t, "|y|^2 > d^(3/2) eps", mat_given(&t->s, mat_from_si(&t->s, 1, 1, (long[]){ d * d * d })),
               mat_given(&t->s, mat_from_si(&t->s, 1, 1, (long[]){ y2 * y2 })));
}
static void at_initialization(trial *t) { ratio(t, 2500); }
static void smaller_draws(trial *t)     { ratio(t, 10000); }

static double share_below(double stretch) { return gsl_cdf_chisq_P((GPT2 - 1) * stretch, GPT2 - 1); }

/* f_M is not defined for stretch >= 1 + d/y2; alpha = a for stretch = 1 + (1 - 1/a^2) d/y2. */
static void shares(trial *t, double y2, double claimed)
{
    enum { DRAWS = MATRICES * (GPT2 - 1) };
    radial w = radial_open(&t->s, "inputs", GPT2);
    double *stretch = scope_alloc(&t->s, DRAWS * sizeof *stretch);
    long undefined = 0, linear = 0;
    radial_stretches(&w, AS_DRAWN, GPT2, DRAWS, stretch);
    for (long k = 0; k < DRAWS; k++) {
        const double alpha = radial_alpha(GPT2, y2, stretch[k]);
        undefined += isnan(alpha);
        linear += fabs(1 - alpha) <= 0.1;
    }
    const double d = GPT2 / claimed, slow = 1 + (1 - 1 / (0.9 * 0.9)) * d, fast = 1 + (1 - 1 / (1.1 * 1.1)) * d;
    claim_measured(t, "share where f_M is not defined", NAN, measure_share(undefined, DRAWS),
                   1 - share_below(1 + d));
    claim_measured(t, "share within 10 % of linear", NAN, measure_share(linear, DRAWS),
                   share_below(fast) - share_below(slow));
}

static void gpt2(trial *t)
{
    const double eps = 1e-5, y2 = 2 * GPT2 / 2500.0;
    claim_shown(t, "d^(3/2) eps", NAN, measure_known(pow(GPT2, 1.5) * eps), NAN);
    claim_shown(t, "norm^2 of E + E_P", NAN, measure_known(y2), NAN);
    shares(t, y2 / eps, y2 / eps);
}
static void large_eps(trial *t) { shares(t, 0.6144, 61440); }

static const control draws[] = { { "smaller-draws", smaller_draws, "standard deviation $1/100$" } };
static const control scales[] = { { "large-eps", large_eps,
                                    "$\\varepsilon = 1$, where the remark's condition holds" } };
static const shape_case size[] = { { .sh = { .n = 1, .d = GPT2, .h = 1, .m = 1, .V = 1, .L = 1 } } },
                        small[] = {
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 2 } },
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 2, .L = 1 } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = at_initialization, .no_minimal = true,
      .quantity = "\\varepsilon \\gg \\|y\\|^2 d^{-3/2}", .shown_by = "|y|^2 > d^(3/2) eps",
      .shapes = small, .nshapes = COUNT(small), CONTROLS(draws),
      .statement = "at GPT-2's size $d^{3/2}\\varepsilon = 0.213$ and $\\|E + E_P\\|^2 = 0.614$: $3\\|y\\|^4 = 25\\,"
                   "d^3\\varepsilon^2$, so $\\varepsilon \\gg \\|y\\|^2 d^{-3/2}$ fails",
      .basis = "whole numbers; the sign $\\gg$ has no bound to decide by",
      .without = "f64 mpfr fp sym", .why_without = "whole numbers need no rounding, and an order" },
    { .name = "as-stated-gpt2", .kind = PART_MEASURED, .widest = 0.25, .run = gpt2, .no_minimal = true,
      .shapes = size, .nshapes = COUNT(size), CONTROLS(scales),
      .statement = "there $f_M$ is not defined for 40 % of independent inputs, and within 10 % of linear for 4 %",
      .basis = "measurement: shares of drawn pairs" },
};
static const quotation quotes[] = {
    { TEXT_003, "Remark 5", "Provided $\\varepsilon \\gg \\|y\\|^2 d^{-3/2}$, $f_M(x) \\approx Mx$ with quality "
      "improving as d grows." },
    { TEXT_000, "Section 8.3.1", "Provided , the scalar remains close to , and with the approximation improving "
      "as grows." },
};
static const quotation standing[] = {
    REMARK_5_IS_INFORMAL,
};
static const claim K_R5_PRACTICE = {
    .id = "K-R5-practice", .title = "near-linearity at the size of GPT-2", .where = "003 Remark 5; 000 Section 8.3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$d = 768$, $\\varepsilon = 10^{-5}$, $E$ and $E_P$ with independent $N(0, 1/2500)$ entries",
    .why = "The remark's condition $\\varepsilon \\gg \\|y\\|^2 d^{-3/2}$ has no number in it and cannot be refuted.  "
           "At GPT-2's size it is not met: $768^{3/2}\\cdot 10^{-5} = 0.213$, while $\\|E+E_P\\|^2 = 2\\cdot 768/2500 "
           "= 0.614$ at initialization, before training makes it larger.  The defect over $d\\varepsilon$ then has "
           "standard deviation $80\\sqrt{2/767} = 4.1$, and $\\alpha = (1+\\Delta/(d\\varepsilon))^{-1/2}$ has no "
           "value below $-1$.",
    .parts = parts, .nparts = COUNT(parts), .depends = "K-R5-stoch",
};
THEOREM_PROGRAM(K_R5_PRACTICE)
