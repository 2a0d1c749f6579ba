/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_appb.c - K-AppB, the spread of attention scores at initialization and the factor 1.8.
 *
 * Statement.  Rows x, y of unit length, weights N(0, s^2), d = h dk, unscaled scores of one head.
 *     standard:  S = (x W_Q^a)(y W_K^a)'     standard deviation  s^2 sqrt(dk)           (0.0032 at d = 768, h = 12, s
 * = 0.02)
 *     reduced:   S = x^a (y W_K^a)'          standard deviation  s / sqrt(h)            (0.0058)
 * so the reduced scores spread 1/(s sqrt d) = 1.804 times as much ("1.8").
 *
 * Why it holds.  S is a sum of products of independent entries with mean 0 and variance s^2, each to the first power,
 * so
 *     E S = 0,   E S^2 = dk s^4 |x|^2 |y|^2   and   E S^2 = s^2 |x^a|^2 |y|^2
 * whatever their distribution; and sum_a |x^a|^2 = |x|^2, so the mean of the second over heads is s^2 |x|^2 |y|^2 / h.
 * For one head s / sqrt h is the value for |x^a|^2 = 1/h, in expectation over isotropic x; the mean over heads has it
 * exactly.  The ratio depends on s and d alone: not on h, dk, |x|, |y|, nor on whether x = y.
 *
 * Parts: the moments, by enumerating all signs of entries +-s (the same first two moments as the Gaussian), exactly;
 * the printed numbers, in whole numbers; and a measurement with Gaussian weights at the paper's size. */
#include <math.h>
#include "src/claim/claim.h"

/* ---- exact moments -------------------------------------------------------------------------------------------- */

/* The bits of `pattern` from `from` on, as rows x cols entries +-1/4. */
static const mat *signs(scope *s, long pattern, long from, long rows, long cols)
{
    int64_t m[16];
    for (long k = 0; k < rows * cols; k++) m[k] = pattern >> (from + k) & 1 ? 1 : -1;
    return mat_dyadic(s, rows, cols, m, -2);
}

static const mat *square(scope *s, const mat *x) { return mat_mul(s, x, mat_t(s, x)); }      /* |x|^2 */

/* E S^2 and E (1 + S)^2 over all 2^(2 d dk) signs; without W_Q the query is the slice x^a. */
typedef struct { const mat *second, *shifted; } moments;
static moments enumerate(scope *s, const mat *x, const mat *y, long a, long dk, bool with_query)
{
    const long d = x->cols, bits = d * dk * (with_query ? 2 : 1);
    moments sum = { mat_zero(s, 1, 1), mat_zero(s, 1, 1) };
    if (d * dk > 8) scope_undecided(s, REASON_TOO_MANY, "too many signs to enumerate");
    for (long p = 0; d * dk <= 8 && p < 1L << bits; p++) {
        const mat *k = mat_mul(s, y, signs(s, p, 0, d, dk));
        const mat *q = with_query ? mat_mul(s, x, signs(s, p, d * dk, d, dk)) : mat_cols(s, x, a * dk, dk);
        const mat *S = mat_mul(s, q, mat_t(s, k));
        const mat *more = mat_add(s, mat_identity(s, 1), S);
        sum.second = mat_add(s, sum.second, mat_mul(s, S, S));
        sum.shifted = mat_add(s, sum.shifted, mat_mul(s, more, more));
    }
    return (moments){ mat_scale(s, 1, -bits, sum.second), mat_scale(s, 1, -bits, sum.shifted) };
}

/* s = 1/4: E S^2 = dk s^4 |x|^2 |y|^2; the sum over heads of the reduced one is s^2 |x|^2 |y|^2 */
static void exact_moments(trial *t, bool same_row, bool forget_dk)
{
    scope *s = &t->s;
    const long d = t->sh.d, h = t->sh.h, dk = t->sh.dk;
    const mat *x = mat_draw(s, "x", 1, d, 0), *y = same_row ? x : mat_draw(s, "y", 1, d, 0), *sum = NULL;
    const mat *lengths = mat_mul(s, square(s, x), square(s, y));
    const moments standard = enumerate(s, x, y, 0, dk, true);
    claim_equal(t, "E (1 + S)^2 = 1 + E S^2: E S = 0", standard.shifted,
                mat_add(s, mat_identity(s, 1), standard.second));
    claim_equal(t, "standard: E S^2", standard.second, mat_scale(s, forget_dk ? 1 : dk, -8, lengths));
    for (long a = 0; a < h; a++) {
        const moments reduced = enumerate(s, x, y, a, dk, false);
        const mat *slice = mat_cols(s, x, a * dk, dk);
        claim_equal(t, "reduced: E S^2 of a head", reduced.second,
                    mat_scale(s, 1, -4, mat_mul(s, square(s, slice), square(s, y))));
        sum = sum ? mat_add(s, sum, reduced.second) : reduced.second;
    }
    claim_equal(t, "reduced: sum over heads", sum, mat_scale(s, 1, forget_dk ? -8 : -4, lengths));
}

/* ---- the printed numbers, s = 1/per_unit ------------------------------------------------------------------- */

static void numbers(trial *t, long per_unit, long d, long h)
{
    const long dk = d / h, p2 = per_unit * per_unit;
    /* standard: (s^2 sqrt dk)^2 = dk / p^4;  reduced: s^2 / h = 1 / (p^2 h), between 0.00575^2 and 0.00585^2 */
    claim_decided(t, "0.0032", dk * 10000 * 10000 == 32 * 32 * p2 * p2);
    claim_decided(t, "0.0058", 575 * 575 * p2 * h <= 10000000000 && 585 * 585 * p2 * h > 10000000000);
    claim_decided(t, "1.8",    175 * 175 * d <= 10000 * p2 && 185 * 185 * d > 10000 * p2);       /* ratio^2 = p^2/d */
    claim_decided(t, "1.804",  18035 * 18035 * d <= 100000000 * p2 && 18045 * 18045 * d > 100000000 * p2);
    claim_decided(t, "0.55",   545 * 545 * p2 <= 1000000 * d && 555 * 555 * p2 > 1000000 * d);
}

/* ---- measured: d = 768, h = 12, Gaussian weights --------------------------------------------------------------- */

enum { DRAWS = 1 };                                      /* of both matrices; each head is a sample */

static void paper_size(shape *sh)                        /* and 192 and 384 with as many heads */
{
    sh->n = 6;
    sh->d = sh->d > 2 ? 192 : sh->h == 2 ? 768 : 384;
    sh->h = sh->h_kv = 12;
    sh->dk = sh->scale_den = sh->d / sh->h;
}

/* Mean over i, j of (S_ij / its standard deviation)^2; `left` are the lengths of the left factors. */
static double mean_ratio(const mat *S, const mat *left, const mat *right, double variance)
{
    double sum = 0;
    for (long i = 0; i < S->rows; i++)
        for (long j = 0; j < S->cols; j++) {
            const double x = mat_get_d(S, i, j);
            sum += x * x / (variance * mat_get_d(left, i, i) * mat_get_d(right, j, j));
        }
    return sum / (double)(S->rows * S->cols);
}

/* Are the batch means compatible with mean 1?  Student's statistic, within 9. */
static bool compatible(const double *x, long n)
{
    double mean = 0, spread = 0;
    for (long k = 0; k < n; k++) mean += x[k] / (double)n;
    for (long k = 0; k < n; k++) spread += (x[k] - mean) * (x[k] - mean) / (double)(n - 1);
    return fabs(mean - 1) <= 9 * sqrt(spread / (double)n);
}

static void measure(trial *t, bool forget_h)
{
    scope *s = &t->s;
    const long d = t->sh.d, h = t->sh.h, dk = t->sh.dk;
    const int log2s = -6;
    const double s2 = ldexp(1, 2 * log2s);
    double standard[DRAWS * MAX_HEADS], reduced[DRAWS * MAX_HEADS];
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0), *lengths = mat_mul(s, X, mat_t(s, X));
    for (long k = 0; k < DRAWS; k++) {
        const mat *Q = mat_mul(s, X, mat_draw_at(s, "W_Q", k, -1, d, d, log2s));
        const mat *K = mat_mul(s, X, mat_draw_at(s, "W_K", k, -1, d, d, log2s));
        for (long a = 0; a < h; a++) {
            const mat *key = mat_t(s, mat_cols(s, K, a * dk, dk)), *slice = mat_cols(s, X, a * dk, dk);
            const mat *of_slice = forget_h ? lengths : mat_mul(s, slice, mat_t(s, slice));
            const mat *S = mat_mul(s, mat_cols(s, Q, a * dk, dk), key);
            standard[k * h + a] = mean_ratio(S, lengths, lengths, (double)dk * s2 * s2);
            reduced[k * h + a] = mean_ratio(mat_mul(s, slice, key), of_slice, lengths, s2);
        }
    }
    claim_decided(t, "standard: variance dk s^4 |x|^2 |y|^2", compatible(standard, DRAWS * h));
    claim_decided(t, "reduced: variance s^2 |x^a|^2 |y|^2", compatible(reduced, DRAWS * h));
}

static void two_rows(trial *t)   { exact_moments(t, false, false); }
static void one_row(trial *t)    { exact_moments(t, true, false); }
static void forget_dk(trial *t)  { exact_moments(t, false, true); }
static void forget_diag(trial *t) { exact_moments(t, true, true); }
static void paper(trial *t)      { numbers(t, 50, 768, 12); }
static void twice_s(trial *t)    { numbers(t, 25, 768, 12); }
static void gaussian(trial *t)   { measure(t, false); }
static void forget_h(trial *t)   { measure(t, true); }

static const control of_moments[] = { { "s-to-the-4", forget_dk, "without $d_k$, and $s^4$ for the reduced scores" } };
static const control of_diag[]    = { { "s-to-the-4", forget_diag, "the same for $x = y$" } };
static const control of_numbers[] = { { "s-doubled", twice_s, "$s = 0.04$" } };
static const control of_gauss[]   = { { "whole-row", forget_h, "$|x|^2$ in place of $|x^a|^2$" } };
static const shape_case shapes[] = {
    { .sh = { .n = 1, .d = 2, .h = 2, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 2, .h = 1, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 3, .h = 3, .m = 1, .V = 1, .L = 1 } },
};
#define MOMENTS(title, body, text, ...) { .name = title, .kind = PART_IDENTITY, .run = body, .statement = text, \
    .no_large = true, .no_minimal = true, .without = "sym", .why_without = "signs are enumerated", __VA_ARGS__ }
static const part parts[] = {
    MOMENTS("as-stated", two_rows, "$E S = 0$; standard $E S^2 = d_ks^4|x|^2|y|^2$; reduced $s^2|x^a|^2|y|^2$, which "
            "over heads sums to $s^2|x|^2|y|^2$", CONTROLS(of_moments),
            .basis = "all signs; other distributions by multilinearity"),
    MOMENTS("as-stated-diagonal", one_row, "the same for $x = y$, the scores of a token with itself",
            CONTROLS(of_diag)),
    { .name = "as-stated-numbers", .kind = PART_IDENTITY, .run = paper, .about = ABOUT_FINITE, .no_large = true,
      .no_minimal = true,
      .statement = "$d = 768$, $h = 12$, $s = 0.02$: 0.0032, 0.0058, ratio $1/(s\\sqrt d) = 1.804$, inverse 0.55",
      CONTROLS(of_numbers), .without = "f64 mpfr arb sym",
      .why_without = "whole numbers" },
    { .name = "as-stated-monte-carlo", .kind = PART_MEASURED_BESIDE, .widest = 0.25, .run = gaussian, .no_large = true,
      .no_minimal = true, .prepare = paper_size,
      .statement = "Gaussian weights at $d = 768$, $h = 12$ and two smaller sizes: the variances agree with both "
                   "formulas within nine standard errors",
      .basis = "Monte Carlo", CONTROLS(of_gauss) },
};
static const quotation quotes[] = {
    { TEXT_003, "Appendix B", "The attention score $S_{\\text{std}} = q_i \\cdot (xW_K^i)^\\top$ is the dot "
      "product of two d_k -dimensional vectors with component variance σ^2 , yielding an initial standard "
      "deviation of: $$\\text{StdDev}(S_{\\text{std}}) = \\sigma^2 \\sqrt{d_k} = (0.02)^2 \\sqrt{64} = 0.0032.$$" },
    { TEXT_003, "Appendix B", "The attention score $S_{\\text{red}} = q_i \\cdot (xW_K^i)^\\top$ has a variance "
      "that depends only on the key weight variance: $$\\text{Var}(S_{\\text{red}}) = \\|q_i\\|^2 \\sigma^2 = "
      "\\frac{\\sigma^2}{h} \\implies \\text{StdDev}(S_{\\text{red}}) = \\frac{\\sigma}{\\sqrt{h}} = "
      "\\frac{0.02}{\\sqrt{12}} \\approx 0.0058.$$" },
    { TEXT_003, "Appendix B", "Comparing the two regimes, the initial scores in the reduced architecture are "
      "approximately $1.8 \\times$ larger than the baseline ($\\frac{0.0058}{0.0032} \\approx 1.8$)." },
    { TEXT_000, "Section 8.2", "Comparing the two regimes, the initial scores in the reduced architecture are "
      "approximately larger than the baseline ()." },
};
static const quotation standing[] = {
    { TEXT_003, "Appendix B", "For the simplicity of the derivation, we may assume that the input rows have "
      "unit norm, $\\|x\\|^2 = 1$. Weights are initialized from $\\mathcal{N}(0, \\sigma^2)$ with $\\sigma = "
      "0.02$." },
    { TEXT_000, "Section 8.2", "For the simplicity of the derivation, we may assume that the input rows have "
      "unit norm, . Weights are initialized from with ." },
};
static const claim K_APPB = {
    .id = "K-AppB", .title = "spread of the scores at initialization and the factor 1.8",
    .where = "003 Appendix B; 000 Section 8.2",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "independent entries with mean 0 and variance $s^2$; $|x| = |y| = 1$; one head, before the factor "
                  "$1/\\sqrt{d_k}$",
    .construction = "standard $S = (xW_Q^a)(yW_K^a)^\\top$, reduced $S = x^a(yW_K^a)^\\top$",
    .why = "$S$ is multilinear in independent entries, so only their first two moments count: $E S^2$ is "
           "$d_ks^4|x|^2|y|^2$ and $s^2|x^a|^2|y|^2$.  The slices of $x$ have $|x^a|^2 = 1/h$ on average, so the "
           "ratio of the standard deviations is $(s/\\sqrt h)/(s^2\\sqrt{d_k}) = 1/(s\\sqrt d)$, which depends on $s$ "
           "and $d$ alone: $50/\\sqrt{768} = 1.804$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_APPB)
