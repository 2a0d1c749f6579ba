/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s5_saturate.c - K-S5-saturate, does halving the attention scale prevent early saturation of the softmax?
 *
 * Statement.  With W_Q = I the scores spread about 1.8 times as much at initialization, and the factor 1/2 is there "to
 * prevent early softmax saturation".  The factor 1.8 is right (K-AppB).  What it does depends on the length of x, and
 * Appendix B sets |x| = 1 for simplicity; the experiments have LayerNorm, behind which |x|^2 = d.  With weights of
 * variance s^2 = 1/2500, d = 768, dk = 64 the logits, that is scores over sqrt dk, then have the standard deviations
 *     standard   s^2 |x|^2             = d s^2          = 0.307
 *     reduced    s |x^a| |x|/sqrt dk   = s sqrt d       = 0.554       (|x^a|^2 = d/h on average over heads)
 *     halved     half of that                           = 0.277
 * in closed form: the square of the second is the first, for d s^2 = 0.3072.
 *
 * What saturates.  For logits of standard deviation v over many tokens the softmax attends to exp(-v^2) of them, as
 * 1/sum p^2 counts: 91, 74 and 93 per cent, and no weight comes near 1/2.  Neither scale saturates at the start, so the
 * factor prevents nothing there; what it does is the paper's other reason, to begin with the spread of a standard
 * model.  What happens early in training, when gains and weights grow, is not in the text: the word has no measure, so
 * there is nothing to decide.                                                                                      */
#include <math.h>
#include "src/claim/claim.h"
#include "src/claim/check_figures.h"
#include "src/methods/norm/norm.h"

/* ---- closed form: s = 1/per_unit, |x|^2 = length, squares of standard deviations ---------------------------- */

static void spreads(trial *t, long per_unit, long d, long length)
{
    const long p2 = per_unit * per_unit;
    /* standard (length/p2)^2, reduced length^2/(d p2), halved length^2/(4 d p2) */
    claim_less(t, "standard 0.307", mat_from_si(&t->s, 1, 2, (long[]){ 3065 * p2, 10000 * length }),
               mat_from_si(&t->s, 1, 2, (long[]){ 10000 * length, 3075 * p2 }));
    const long square = 25000000 * length * length;
    claim_decided(t, "reduced 0.554", 5535 * 5535 * p2 * d <= 4 * square && 4 * square < 5545 * 5545 * p2 * d);
    claim_decided(t, "halved 0.277",  2765 * 2765 * p2 * d <= square && square < 2775 * 2775 * p2 * d);
    claim_decided(t, "halved is the nearest to the standard one by a power of 2",
                  4 * p2 > d && d < p2);
}
static void behind_layer_norm(trial *t) { spreads(t, 50, 768, 768); }
static void of_unit_length(trial *t)    { spreads(t, 50, 768, 1); }

/* ---- measured: Gaussian weights, rows behind LayerNorm ------------------------------------------------------- */

enum { WIDTH = 768, HEADS = 12, DK = WIDTH / HEADS, TOKENS = 128, DRAWS = 2, SAMPLES = DRAWS * HEADS };
typedef struct { double square[SAMPLES], largest, attended; long saturated, rows, samples; } spread_of;

/* Adds one head: S = scale A B', its mean square and its softmax, row by row. */
static void add_head(scope *s, spread_of *f, const mat *A, const mat *B, double scale)
{
    const mat *S = mat_mul(s, A, mat_t(s, B));
    double sum = 0;
    for (long i = 0; i < TOKENS; i++) {
        double total = 0, squares = 0, most = 0;
        for (long j = 0; j < TOKENS; j++) {
            const double l = scale * mat_get_d(S, i, j), p = exp(l);
            sum += l * l;
            total += p;
            squares += p * p;
            most = fmax(most, p);
        }
        f->largest += most / total;
        f->attended += total * total / squares / TOKENS;
        f->saturated += most / total > 0.5;
        f->rows++;
    }
    f->square[f->samples++] = sum / TOKENS / TOKENS;
}

/* logits of the standard model, the reduced one, and that with half the scale; `length`: of the rows, over sqrt d */
static void measure_all(scope *s, spread_of out[3], double length, double scale)
{
    gsl_rng r = measure_stream(s, "weights");
    for (long k = 0; k < DRAWS; k++) {
        const mat *X = norm_layer(s, measure_gauss(s, &r, TOKENS, WIDTH, 1));
        const mat *Q = mat_mul(s, X, measure_gauss(s, &r, WIDTH, WIDTH, 0.02));
        const mat *K = mat_mul(s, X, measure_gauss(s, &r, WIDTH, WIDTH, 0.02));
        for (long a = 0; a < HEADS; a++) {
            const mat *key = mat_cols(s, K, a * DK, DK), *slice = mat_cols(s, X, a * DK, DK);
            add_head(s, &out[0], mat_cols(s, Q, a * DK, DK), key, scale * length * length);
            add_head(s, &out[1], slice, key, scale * length * length);
            add_head(s, &out[2], slice, key, scale * length * length / 2);
        }
    }
}

static const char *const variance[] = { "variance of a logit, standard", "variance of a logit, reduced",
                                        "variance of a logit, halved" };
static const char *const half[] = { "rows with a weight above 1/2, standard", "rows with a weight above 1/2, reduced",
                                    "rows with a weight above 1/2, halved" };
static const char *const tokens[] = { "share of tokens attended to, standard", "share of tokens attended to, reduced",
                                      "share of tokens attended to, halved" };

static void measured(trial *t, double length, double scale, bool with_variance)
{
    const double d_s2 = WIDTH * 0.02 * 0.02, predicted[] = { d_s2 * d_s2, d_s2, d_s2 / 4 };
    spread_of *of = scope_alloc(&t->s, 3 * sizeof *of);
    measure_all(&t->s, of, length, scale);
    for (int k = 0; k < 3; k++) {
        const estimate mean = measure_mean(SAMPLES, of[k].square), share = measure_share(of[k].saturated, of[k].rows);
        if (with_variance) claim_measured(t, variance[k], NAN, mean, predicted[k]);
        claim_measured(t, half[k], NAN, share, 0);
        claim_shown(t, tokens[k], NAN, measure_known(of[k].attended / (double)of[k].rows), exp(-predicted[k]));
    }
}
static void at_first(trial *t)   { measured(t, 1, 1 / sqrt(DK), true); }
static void unit_rows(trial *t)  { measured(t, 1 / sqrt(WIDTH), 1 / sqrt(DK), true); }
static void no_scale(trial *t)   { measured(t, 1, 1, false); }

static const control of_spreads[] = { { "unit-rows", of_unit_length, "$|x| = 1$, as in Appendix B" } };
static const control of_measured[] = {
    { "unit-rows", unit_rows, "$|x| = 1$, as in Appendix B" },
    { "no-scale",  no_scale,  "logits that are not divided by $\\sqrt{d_k}$: these do saturate" },
};
static const shape_case three[] = {
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 2 } },
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 2, .L = 1 } },
}, size[] = { { .sh = { .n = 1, .d = WIDTH, .h = HEADS, .m = 1, .V = 1, .L = 1 } } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = behind_layer_norm, .no_minimal = true, .no_large = true,
      .quantity = "standard deviations", .shown_by = "standard 0.307",
      .shapes = three, .nshapes = COUNT(three), CONTROLS(of_spreads),
      .statement = "behind LayerNorm the logits have the standard deviations $ds^2 = 0.307$, reduced $s\\sqrt d = "
                   "0.554$, halved $0.277$",
      .basis = "whole numbers; saturation has no measure", .without = "f64 mpfr arb fp sym",
      .why_without = "whole numbers need no rounding" },
    { .name = "as-stated-monte-carlo", .kind = PART_MEASURED, .widest = 0.05, .run = at_first,
      .no_minimal = true, .no_large = true,
      .shapes = size, .nshapes = COUNT(size), CONTROLS(of_measured),
      .statement = "Gaussian weights, $d = 768$, $h = 12$, 128 tokens: these variances, and no row with a weight above "
                   "$1/2$, at either scale",
      .basis = "measurement: heads of drawn weights" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 5.1", "The factor of $\\frac{1}{2}$ compensates for this to prevent early softmax "
                               "saturation." },
    { TEXT_003, "Appendix B", "To prevent early softmax saturation and maintain a starting variance consistent with "
                              "standard transformers, we introduce a corrective factor to the scaling." },
    { TEXT_000, "Section 8.2", "To prevent early softmax saturation and maintain a starting variance consistent with "
                               "standard transformers, we introduce a corrective factor to the scaling." },
};
static const claim K_S5_SATURATE = {
    .id = "K-S5-saturate", .title = "a factor to prevent early softmax saturation",
    .where = "003 Section 5.1 and Appendix B; 000 Sections 5.1 and 8.2", .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "initialization: weights with variance $s^2 = 1/2500$, $d = 768$, $d_k = 64$, rows behind LayerNorm "
                  "with gain 1, so $|x|^2 = d$",
    .why = "A logit has the variance $s^4|x|^4$ in the standard model and $s^2|x^a|^2|x|^2/d_k$ in the reduced one "
           "(K-AppB over $d_k$), with $|x|^2 = d$ that is $0.3072^2$ and $0.3072$. A softmax over many tokens then "
           "attends to $e^{-0.094} = 91\\%$ and $e^{-0.307} = 74\\%$ of them, with the factor $1/2$ to $93\\%$: "
           "nothing is saturated with or without it. The second reason that Appendix B gives, a starting variance "
           "like the standard one, is what the factor achieves.",
    .parts = parts, .nparts = COUNT(parts), .depends = "K-AppB",
};
THEOREM_PROGRAM(K_S5_SATURATE)
