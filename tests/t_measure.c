/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_measure.c - measured figures: fits recover what was planted, intervals cover, wrong data fails.
 *
 * The statistics are checked against independent computation (exact binomial sums, long double fits), the draws against
 * moments, the closed forms against integrals in balls; then the whole way from a body to evidence and verdict. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/methods/measure/integral.h"
#include "src/methods/measure/radial.h"
#include "src/methods/measure/transfer.h"
#include "src/claim/check_figures.h"
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/runner/runner.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static arith doubles;
static scope open_scope(uint64_t stream) { return scope_open(&doubles, 20261121, stream); }

/* ---- fits -------------------------------------------------------------------------------------------- */

START_TEST(fits_recover_planted_laws)
{
    const double x[] = { 32, 45, 64, 91, 128, 181, 256 };
    enum { N = COUNT(x) };
    double power[N], corrected[N], limit[N];
    for (int k = 0; k < N; k++) {
        power[k] = 0.3 * pow(x[k], -1.5);
        corrected[k] = power[k] * exp(-2.5 / x[k]);
        limit[k] = 0.4135 + 0.7 / x[k];
    }
    ck_assert_double_eq_tol(measure_power(N, x, power), -1.5, 1e-12);
    ck_assert_double_eq_tol(measure_exponent(N, x, power), -1.5, 1e-11);
    ck_assert_double_eq_tol(measure_exponent(N, x, corrected), -1.5, 1e-11);
    ck_assert_double_gt(fabs(measure_power(N, x, corrected) + 1.5), 0.01);     /* the correction is needed */
    ck_assert_double_eq_tol(measure_limit(N, x, limit), 0.4135, 1e-12);
    power[3] = 0;
    ck_assert(isnan(measure_exponent(N, x, power)));                          /* log 0: no exponent */
}
END_TEST

/* ---- intervals --------------------------------------------------------------------------------------- */

START_TEST(student)
{
    const double x[] = { 1, 2, 4, 5 };                   /* mean 3, sd sqrt(10/3), t_3(0.975) = 3.182446 */
    const estimate is = measure_mean(4, x);
    ck_assert_double_eq_tol(is.value, 3, 1e-15);
    ck_assert_double_eq_tol(is.high - is.value, 3.182446305284263 * sqrt(10.0 / 12), 1e-9);
    ck_assert_double_eq_tol(is.value - is.low, is.high - is.value, 1e-12);
    ck_assert_double_eq_tol(is.most - is.value, gsl_cdf_tdist_Qinv(0.5e-6, 3) * sqrt(10.0 / 12), 1e-9);
    const double y[] = { 0.5, NAN, 1 };
    ck_assert(isnan(measure_mean(3, y).value));
}
END_TEST

/* P(at least k of n) at share p, summed term by term. */
static double at_least(long k, long n, double p)
{
    double sum = 0;
    for (long i = k; i <= n; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1)
                   + (double)i * log(p) + (double)(n - i) * log1p(-p));
    return sum;
}

START_TEST(clopper_and_pearson)
{
    const struct { long k, n; } seen[] = { { 0, 10 }, { 10, 10 }, { 3, 10 }, { 1, 300 }, { 299, 300 }, { 1228, 3068 } };
    for (size_t i = 0; i < COUNT(seen); i++) {
        const long k = seen[i].k, n = seen[i].n;
        const estimate is = measure_share(k, n);
        ck_assert_double_eq_tol(is.value, (double)k / (double)n, 1e-15);
        if (k == 0) ck_assert_double_eq(is.low, 0);
        else ck_assert_double_eq_tol(at_least(k, n, is.low), 0.025, 1e-9);
        if (k == n) ck_assert_double_eq(is.high, 1);
        else ck_assert_double_eq_tol(1 - at_least(k + 1, n, is.high), 0.025, 1e-9);
        if (k > 0) ck_assert_double_eq_tol(at_least(k, n, is.least), 0.5e-6, 1e-12);
        if (k < n) ck_assert_double_eq_tol(at_least(n - k, n, 1 - is.most), 0.5e-6, 1e-12);
        ck_assert(is.least <= is.low && is.low <= is.value && is.value <= is.high && is.high <= is.most);
    }
}
END_TEST

START_TEST(tables_of_intervals)                          /* tables of Clopper and Pearson, 95 % */
{
    static const struct { long k, n; double low, high; } known[] = {
        { 0, 10, 0, 0.30850 }, { 10, 10, 0.69150, 1 }, { 5, 10, 0.18709, 0.81291 }, { 1, 100, 0.00025, 0.05446 },
        { 50, 100, 0.39832, 0.60168 },
    };
    for (size_t k = 0; k < COUNT(known); k++) {
        const estimate at = measure_share(known[k].k, known[k].n);
        const double off = fmax(fabs(at.low - known[k].low), fabs(at.high - known[k].high));
        ck_assert_msg(off < 1e-5, "%ld of %ld: %.5f %.5f", known[k].k, known[k].n, at.low, at.high);
    }
    const estimate wide = measure_share(50000, 100000);
    ck_assert(wide.least > 0.4915 && wide.least < 0.4925 && wide.most > 0.5075 && wide.most < 0.5085);
}
END_TEST

/* Of 2,000 intervals of each kind at 95 %, binomially about 100 miss; at 1 - 10^-6, none. */
START_TEST(intervals_cover)
{
    scope s = open_scope(1);
    gsl_rng r = measure_stream(&s, "coverage");
    enum { ROUNDS = 2000, N = 12 };
    long missed[2] = { 0, 0 }, decided_wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double x[N];
        long hits = 0;
        measure_normals(&r, N, 2, x);
        for (int k = 0; k < N; k++) x[k] += 7;
        for (int k = 0; k < 100; k++) hits += gsl_rng_uniform(&r) < 0.25;
        const estimate of[] = { measure_mean(N, x), measure_share(hits, 100) };
        const double truth_is[] = { 7, 0.25 };
        for (int k = 0; k < 2; k++) {
            missed[k] += !(of[k].low <= truth_is[k] && truth_is[k] <= of[k].high);
            decided_wrong += !(of[k].least <= truth_is[k] && truth_is[k] <= of[k].most);
        }
    }
    ck_assert_msg(60 <= missed[0] && missed[0] <= 145, "Student misses %ld of 2000", missed[0]);
    ck_assert_msg(20 <= missed[1] && missed[1] <= 120, "Clopper and Pearson miss %ld of 2000", missed[1]);
    ck_assert_int_eq(decided_wrong, 0);
    scope_close(&s);
}
END_TEST

/* ---- draws ------------------------------------------------------------------------------------------- */

START_TEST(streams_replay_and_differ)
{
    scope s = open_scope(3), other = open_scope(4);
    double x[3][64];
    gsl_rng a = measure_stream(&s, "one"), again = measure_stream(&s, "one"), b = measure_stream(&s, "two");
    gsl_rng c = measure_stream(&other, "one");
    measure_normals(&a, 64, 1, x[0]);
    measure_normals(&again, 64, 1, x[1]);
    ck_assert_int_eq(memcmp(x[0], x[1], sizeof x[0]), 0);
    measure_normals(&b, 64, 1, x[1]);
    measure_normals(&c, 64, 1, x[2]);
    ck_assert_double_ne(x[0][0], x[1][0]);
    ck_assert_double_ne(x[0][0], x[2][0]);
    scope_close(&s);
    scope_close(&other);
}
END_TEST

/* The bidiagonal matrix has the spectrum of a full one: E sum s^2 = n and E sum s^4 = 2n + 1 for n x n
 * independent N(0, 1/n). */
START_TEST(spectra_have_their_moments)
{
    enum { N = 24, ROUNDS = 4000 };
    scope s = open_scope(5);
    radial w = radial_open(&s, "spectra", N);
    double second[ROUNDS], fourth[ROUNDS], sigma[N];
    for (int k = 0; k < ROUNDS; k++) {
        second[k] = fourth[k] = 0;
        ck_assert(radial_spectrum(&w, N, sigma));
        for (int i = 0; i < N; i++) {
            second[k] += sigma[i] * sigma[i];
            fourth[k] += pow(sigma[i], 4);
        }
    }
    const estimate two = measure_mean(ROUNDS, second), four = measure_mean(ROUNDS, fourth);
    ck_assert(two.least <= N && N <= two.most && two.most - two.least < 0.5);
    ck_assert(four.least <= 2 * N + 1 && 2 * N + 1 <= four.most && four.most - four.least < 2);
    scope_close(&s);
}
END_TEST

/* As drawn, n |M y|^2/|y|^2 is chi^2_n: mean 1 and variance 2/n, also within one matrix. */
START_TEST(stretches_are_chi_squared)
{
    enum { D = 17, DRAWS = 16 * 400 };
    scope s = open_scope(6);
    radial w = radial_open(&s, "stretches", D);
    double *x = scope_alloc(&s, 2 * DRAWS * sizeof *x), *pair = x + DRAWS;
    radial_stretches(&w, AS_DRAWN, D, DRAWS, x);
    const estimate mean = measure_mean(DRAWS, x);
    ck_assert(mean.least <= 1 && 1 <= mean.most && mean.most - mean.least < 0.06);
    for (int k = 0; k < DRAWS; k++) pair[k] = (x[k] - 1) * (x[k] - 1);
    const estimate variance = measure_mean(DRAWS, pair);
    ck_assert(variance.least <= 2.0 / 16 && 2.0 / 16 <= variance.most && variance.most - variance.least < 0.04);
    for (int k = 0; k < DRAWS; k++) pair[k] = (x[k] - 1) * (x[k ^ 1] - 1);      /* neighbours of one matrix */
    const estimate covariance_is = measure_mean(DRAWS, pair);
    ck_assert(covariance_is.least <= 0 && 0 <= covariance_is.most && covariance_is.most - covariance_is.least < 0.03);
    scope_close(&s);
}
END_TEST

START_TEST(means_are_predicted)
{
    enum { BATCHES = 24 };
    scope s = open_scope(7);
    radial w = radial_open(&s, "means", 65);
    double away[2][BATCHES];
    for (int k = 0; k < BATCHES; k++) {
        away[0][k] = radial_mean_away(&w, AS_DRAWN, 33, 0.01, 640);
        away[1][k] = radial_mean_away(&w, CLAMPED, 65, 0.01, 640);
    }
    const estimate drawn = measure_mean(BATCHES, away[0]), clamped = measure_mean(BATCHES, away[1]);
    const double theory[] = { radial_mean_as_drawn(33, 0.01), radial_mean_clamped(65, 0.01) };
    ck_assert(drawn.least <= theory[0] && theory[0] <= drawn.most && drawn.most - drawn.least < 0.1 * theory[0]);
    ck_assert_double_eq_tol(clamped.value / theory[1], 1, 0.03);       /* the prediction is the limit of large d */
    scope_close(&s);
}
END_TEST

START_TEST(alpha_is_its_formula)
{
    for (double stretch = 0; stretch < 3; stretch += 0.37)
        for (double y2 = 0.01; y2 < 300; y2 *= 3.7) {
            const double delta = y2 * (1 - stretch) / 20, alpha = radial_alpha(20, y2, stretch);
            if (1 + delta > 0) ck_assert_double_eq_tol(alpha * sqrt(1 + delta), 1, 1e-12);
            else ck_assert(isnan(alpha));
        }
}
END_TEST

/* ---- closed forms ------------------------------------------------------------------------------------ */

START_TEST(closed_forms_in_balls)
{
    const double printed[] = { [Q_ABOVE] = 0.39100, [Q_EXCESS] = 0.09284, [Q_CLAMPED] = 0.58650, [Q_DEFECT] = 0.41350 };
    for (int k = Q_ABOVE; k <= Q_SQUARE; k++)
        for (int i = Q_ABOVE; i <= Q_SQUARE; i++)
            ck_assert_int_eq(quarter_compare((quarter)k, (quarter)i, 256).is, i == k ? HOLDS : REFUTED);
    for (int k = Q_ABOVE; k <= Q_DEFECT; k++) {
        ck_assert_double_le(quarter_compare((quarter)k, (quarter)k, 256).log2gap, -128);
        ck_assert_double_eq_tol(quarter_value((quarter)k), printed[k], 0.5e-5);
    }
    ck_assert_int_eq(quarter_exceeds(Q_DEFECT, 41, 100, 256).is, HOLDS);
    ck_assert_int_eq(quarter_exceeds(Q_DEFECT, 42, 100, 256).is, REFUTED);
    ck_assert_int_eq(quarter_exceeds(Q_SQUARE, 1, 1, 256).is, UNDECIDED);      /* equal: balls cannot tell */
    for (int k = 0; k < 2; k++) {
        const clamping which = k ? C_DEFECT : C_LOST;
        const long at_2 = k ? 296 : 474, at_half = k ? 568 : 120;          /* by the closed forms, in thousandths */
        ck_assert_int_eq(clamping_between(which, 2, 1, at_2, at_2 + 1, 256).is, HOLDS);
        ck_assert_int_eq(clamping_between(which, 1, 2, at_half, at_half + 1, 256).is, HOLDS);
        ck_assert_int_eq(clamping_between(which, 2, 1, at_2 - 1, at_2, 256).is, REFUTED);
        ck_assert_int_eq(clamping_between(which, 2, 1, at_2 + 1, at_2 + 2, 256).is, REFUTED);
        ck_assert_int_eq(clamping_between(which, 1, 4, k ? 749 : -1, k ? 751 : 1, 256).is, HOLDS);
    }
    ck_assert_int_eq(clamping_between(C_DEFECT, 1, 4, 750, 751, 256).is, UNDECIDED);       /* it is 3/4 */
    ck_assert_int_eq(clamping_never_small(36, 100).is, HOLDS);               /* the two meet at 0.36791 */
    ck_assert_int_eq(clamping_never_small(38, 100).is, REFUTED);
    ck_assert_int_eq(clamping_never_small(362, 1000).is, UNDECIDED);         /* true, and the intervals are too wide */
    const covariance s = { 9, 4, -5, 8 }, t = { 9, 4, -4, 8 };
    ck_assert_int_eq(gaussian_compare(G_PAIR, G_PAIR, s, 256).is, HOLDS);
    ck_assert_double_le(gaussian_compare(G_PAIR, G_PAIR, s, 256).log2gap, -64);
    ck_assert_int_eq(gaussian_compare(G_SQUARE, G_PAIR, s, 256).is, REFUTED);
    ck_assert_int_eq(gaussian_compare(G_STEIN, G_SQUARE, s, 256).is, REFUTED);
    ck_assert_double_ne(gaussian_even(9 / 8.0, 0.5, -5 / 8.0), gaussian_even(9 / 8.0, 0.5, -4 / 8.0));
    ck_assert_int_eq(gaussian_compare(G_PAIR, G_PAIR, t, 64).is, UNDECIDED);   /* too few bits to be thin */
    ck_assert_double_eq_tol(gaussian_even(0.25, 0.25, 0.25), 0.0210067, 1e-7);
}
END_TEST

/* sum over neurons i >= from, all j, of (w2_i . w2_j) E g(s_i) g(s_j), and E |T|^2, the slow way. */
static double overlap_of(const transfer *T, bool less_x, long from)
{
    double sum = 0, all = 0, linear = 0;
    for (long i = 0; i < 4 * T->h; i++)
        for (long j = 0; j < 4 * T->h; j++) {
            double out = 0, a = 0, b = 0, c = 0;
            for (long k = 0; k < T->h; k++) {
                out += mat_get_d(T->W2, i, k) * mat_get_d(T->W2, j, k);
                a += mat_get_d(T->W1, i, k) * mat_get_d(T->W1, i, k);
                b += mat_get_d(T->W1, j, k) * mat_get_d(T->W1, j, k);
                c += mat_get_d(T->W1, i, k) * mat_get_d(T->W1, j, k);
            }
            all += out * gaussian_even(a, b, c);
            if (i >= from) sum += out * gaussian_even(a, b, c);
        }
    for (long i = 0; i < T->h; i++)
        for (long j = 0; j < T->h; j++) {
            double x = mat_get_d(T->Z, i, j) - (less_x && i == j ? 1 : 0);
            for (long k = 0; k < 4 * T->h; k++) x += mat_get_d(T->W1, k, i) * mat_get_d(T->W2, k, j) / 2;
            linear += x * x;
        }
    return sum / (all + linear);
}

/* Closed errors of a transfer against the mean over many inputs, for small h. */
START_TEST(transfer_errors)
{
    scope s = open_scope(8);
    gsl_rng r = measure_stream(&s, "transfer");
    const transfer T = transfer_draw(&s, &r, 6);
    distance closed[2][TRANSFER_MODELS];
    transfer_closed(&s, &T, closed);
    for (int less_x = 0; less_x < 2; less_x++)
        for (int which = 0; which < TRANSFER_MODELS; which++) {
            const transfer_sample is = transfer_run(&s, &r, &T, less_x, (transfer_model)which, 0.5, 16 * 1024);
            const estimate error = measure_mean(TRANSFER_BATCHES, is.error);
            const estimate cosine = measure_mean(TRANSFER_BATCHES, is.cosine);
            const distance *as = &closed[less_x][which];
            ck_assert(error.least <= as->error && as->error <= error.most);
            ck_assert_double_lt(error.most - error.least, 0.1 * as->error);
            ck_assert(cosine.least <= as->cosine && as->cosine <= cosine.most);
            ck_assert_double_lt(cosine.most - cosine.least, 0.3 * as->cosine);
            ck_assert_double_eq_tol(as->overlap / overlap_of(&T, less_x, which == UNTRAINED ? 3 * T.h : 0), 1, 1e-9);
        }
    ck_assert_double_lt(closed[0][UNTRAINED].error, closed[0][LINEAR_MAP].error);
    ck_assert_double_eq_tol(transfer_limit(LINEAR_MAP, false), 0.13924, 1e-5);
    ck_assert_double_eq_tol(transfer_limit(UNTRAINED, true), 0.0502, 1e-4);
    scope_close(&s);
}
END_TEST

/* ---- from a body to a verdict ------------------------------------------------------------------------ */

static double claimed;
static void ten_values(trial *t)
{
    double x[10];
    gsl_rng r = measure_stream(&t->s, "ten");
    measure_normals(&r, 10, 0.1, x);
    for (int k = 0; k < 10; k++) x[k] += 5;
    claim_measured(t, "mean", NAN, measure_mean(10, x), claimed);
}

static row run_one(double prediction, double widest)
{
    const part P = { .name = "as-stated", .kind = PART_MEASURED, .run = ten_values, .widest = widest };
    const claim C = { .id = "K-TEST", .title = "t", .where = "", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .over = { .kind = A_F64 }, .seed = 1,
              .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 1 } };
    claimed = prediction;
    const char *wrong = shape_complete(&j.sh);
    ck_assert_ptr_null(wrong);
    return runner_run(&j, NULL, NULL);
}

START_TEST(predictions_are_judged)
{
    const row good = run_one(5, 0.1), wrong = run_one(6, 0.1), wide = run_one(5, 0.002), none = run_one(NAN, 0.1);
    ck_assert_int_eq(good.verdict, HOLDS);
    ck_assert_double_le(good.log2gap, good.log2bound);
    ck_assert_int_eq(wrong.verdict, REFUTED);
    ck_assert_double_gt(wrong.log2gap, wrong.log2bound);
    ck_assert_int_eq(wide.verdict, UNDECIDED);              /* nothing is met by knowing little */
    ck_assert_int_eq(none.verdict, UNDECIDED);
    ck_assert_int_eq(good.kind, PART_MEASURED);
    const row again = run_one(5, 0.1);
    ck_assert(memcmp(&again.log2gap, &good.log2gap, sizeof again.log2gap) == 0);
}
END_TEST

/* Every row of a measuring program replays bit for bit, and so do its figures. */
START_TEST(rows_and_figures_replay)
{
    char output[4096], *folder = temp_folder();
    measures all[2] = { { 0 }, { 0 } };
    for (int k = 0; k < 2; k++) {
        char *figures = temp_format("%s/%d.figures.csv", folder, k);
        ck_assert_int_eq(run_command(output, sizeof output, "%s/theorems/k_r5_clamp --part=corrected-constants --case=claim --trial=1 "
            "--out=%s/%d.csv",
            build_folder(), folder, k), 0);
        evidence_figures_read(&all[k], figures);
    }
    ck_assert_int_eq(all[0].n, 4);
    ck_assert_int_eq(all[1].n, 4);
    for (long k = 0; k < all[0].n; k++) {
        ck_assert_double_eq(all[0].at[k].value, all[1].at[k].value);
        ck_assert_double_eq(all[0].at[k].high, all[1].at[k].high);
        ck_assert_str_eq(all[0].at[k].name, all[1].at[k].name);
        ck_assert(all[0].at[k].trial == 1 && isnan(all[0].at[k].x));
        ck_assert_double_lt(fabs(all[0].at[k].value - all[0].at[k].predicted), 0.01);
    }
    for (int k = 0; k < 2; k++) free(all[k].at);
}
END_TEST

/* ---- contracts --------------------------------------------------------------------------------------- */

static trial a_trial;
static void of_two(void)        { measure_mean(2, (double[]){ 1, 2 }); }
static void hits_beyond(void)   { measure_share(3, 2); }
static void short_power(void)   { measure_power(2, (double[]){ 1, 2 }, (double[]){ 1, 2 }); }
static void short_fit(void)     { measure_exponent(3, (double[]){ 1, 2, 3 }, (double[]){ 1, 2, 3 }); }
static void short_limit(void)   { measure_limit(2, (double[]){ 1, 2 }, (double[]){ 1, 2 }); }
static void not_measuring(void) { claim_shown(&a_trial, "x", NAN, measure_known(1), NAN); }
static void in_doubles(void)    { claim_enclosed(&a_trial, "x", (comparison){ HOLDS, 0, 0 }); }
static void matrices(void)
{
    a_trial.record.mode = TRIAL_MEASURES;
    claim_equal(&a_trial, "I = 1", mat_identity(&a_trial.s, 2), mat_ones(&a_trial.s, 2, 2));
}
static void beyond_top(void)
{
    radial w = radial_open(&a_trial.s, "w", 4);
    double x[9];
    radial_stretches(&w, AS_DRAWN, 5, 9, x);
}
static void no_height(void)
{
    gsl_rng r = measure_stream(&a_trial.s, "x");
    transfer_draw(&a_trial.s, &r, 0);
}
static void few_inputs(void)
{
    gsl_rng r = measure_stream(&a_trial.s, "x");
    const transfer T = transfer_draw(&a_trial.s, &r, 2);
    transfer_run(&a_trial.s, &r, &T, false, LINEAR_MAP, 0.5, 15);
}
static void too_correlated(void) { (void)!gaussian_compare(G_PAIR, G_PAIR, (covariance){ 1, 1, 1, 2 }, 64).is; }
static const struct { void (*breaks)(void); const char *says; } contracts[] = {
    { of_two, "mean of 2 values" }, { hits_beyond, "3 hits of 2" }, { short_power, "through 2 points" },
    { short_fit, "through 3 points" }, { short_limit, "from 2 points" }, { not_measuring, "part of another kind" },
    { in_doubles, "enclosed over f64" }, { matrices, "figures, not matrices" }, { beyond_top, "9 draws at d = 5 of 4" },
    { no_height, "h = 0" }, { few_inputs, "15 inputs in 16 batches" }, { too_correlated, "covariance (1 1; 1)/2" },
};

static void provoke(void *which)
{
    contract_set_handler(contract_exits);
    a_trial = (trial){ .s = open_scope(9) };
    contracts[*(const int *)which].breaks();
}

START_TEST(contracts_fire)
{
    char output[1024];
    const int status = run_child(provoke, (void *)(uintptr_t)&_i, output, sizeof output);
    ck_assert_msg(status == CONTRACT_STATUS && strstr(output, contracts[_i].says), "contract %d: status %d, output: %s", _i,
                  status, output);
}
END_TEST

int main(int argc, char **argv)
{
    doubles = arith_f64();
    Suite *suite = suite_create("measure");
    TCase *all = tcase_create("figures");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, fits_recover_planted_laws);
    tcase_add_test(all, student);
    tcase_add_test(all, clopper_and_pearson);
    tcase_add_test(all, tables_of_intervals);
    tcase_add_test(all, intervals_cover);
    tcase_add_test(all, streams_replay_and_differ);
    tcase_add_test(all, spectra_have_their_moments);
    tcase_add_test(all, stretches_are_chi_squared);
    tcase_add_test(all, means_are_predicted);
    tcase_add_test(all, alpha_is_its_formula);
    tcase_add_test(all, closed_forms_in_balls);
    tcase_add_test(all, transfer_errors);
    tcase_add_test(all, predictions_are_judged);
    tcase_add_test(all, rows_and_figures_replay);
    tcase_add_loop_test(all, contracts_fire, 0, COUNT(contracts));
    return run_suite(suite, argc, argv);
}
