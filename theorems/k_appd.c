/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_appd.c - K-AppD, the basis transfer of Appendix D: a trained MLP against the best linear map.
 *
 * Statement.  After 20,000 steps of 65,536 samples at widths 256, 512 and 768 the student W2' GELU(W1' x) + x misses
 * the target by 4 to 6 %, the best linear map by 11 to 14 % (003, 000), or by 4 to 5 % against 9 to 10 % (001).
 *
 * Which target?  003 prints W2 GELU(W1 x) + Z x - x; the formulas of 001 and 000 are lost in our copies.  With the
 * weights of N14, in closed form, the best linear map misses 10.0 % of that target and 13.9 % of W2 GELU(W1 x) + Z x:
 * 003's formula goes with 001's figures, and its own figures with the other.  Both targets are measured.
 *
 * What is measured here.  The same training at width 32: 3000 steps of 128 samples, then 64 batches of 64 held-out
 * samples.  On each of them the student must miss less than half of what the linear map misses, which is fitted
 * by ridge regression and must have the error that N14 gives in closed form for the drawn weights.  `provably
 * basis-transfer --width=256 --out=DIR` runs the papers' size.
 *
 * Beside it, shown and not decided: the error of the untrained closed form of the same width (K-AppD-new), for large
 * h half of the linear map's.                                                                                */
#include <math.h>
#include "src/claim/check_figures.h"
#include "src/claim/shapes.h"
#include "src/methods/measure/transfer.h"
#include "src/train/basis.h"
#include "src/train/optim.h"

enum { STEPS = 3000, BATCH = 128, FITS = 20000, TESTS = 64, EACH = 64 };
static const optim_config recipe = { .peak = 5e-2, .steps = STEPS, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8,
                                     .clip = 3 };

/* N14's weights, which act on rows, as the student's teacher. */
static void teach(scope *s, basis_task *M, const transfer *T, bool less_x)
{
    const long h = T->h;
    double *W1 = scope_alloc(s, (size_t)(9 * h * h) * sizeof *W1), *W2 = W1 + 4 * h * h, *L = W2 + 4 * h * h;
    for (long i = 0; i < 4 * h; i++)
        for (long j = 0; j < h; j++) {
            W1[i * h + j] = mat_get_d(T->W1, i, j);
            W2[j * 4 * h + i] = mat_get_d(T->W2, i, j);
            if (i < h) L[j * h + i] = mat_get_d(T->Z, i, j) - (less_x && i == j);
        }
    basis_set_target(M, &(basis_target){ W1, W2, L });
}

static void train(basis_task *M, long steps)
{
    const ops *o = basis_net(M)->o;
    const param_table *t = &basis_net(M)->table;
    optim s = optim_create(t, o);
    while (s.step < steps) {
        o->zero(basis_net(M)->g, t->size);
        basis_loss(M, SAMPLES_TRAIN, (uint64_t)(s.step * BATCH), BATCH, 1);
        optim_update(&s, &recipe, t, o, basis_net(M)->w, basis_net(M)->g);
        net_refresh(basis_net(M));
    }
    optim_free(&s, o);
}

static void measure(trial *t, bool less_x, bool shuffled, long steps)
{
    const long h = t->sh.d;
    gsl_rng r = measure_stream(&t->s, "transfer");
    const transfer T = transfer_draw(&t->s, &r, h);
    distance closed[2][TRANSFER_MODELS];
    transfer_closed(&t->s, &T, closed);
    const basis_shape student = { .d = h, .m = 4 * h, .shuffled = shuffled };
    uint64_t seed[2];
    claim_seeds(t, seed);
    basis_task *M = basis_create(&student, ops_cpu_f32(), BATCH, seed[0], seed[1]);
    teach(&t->s, M, &T, less_x);
    train(M, steps);
    basis_fit_linear(M, FITS, 1e-3);
    double line[TESTS], trained[TESTS], cosine[TESTS], ratio[TESTS];
    long less = 0;
    for (int b = 0; b < TESTS; b++) {
        const basis_distance is = basis_measure(M, MODEL_STUDENT, (uint64_t)(b * EACH), EACH);
        line[b] = basis_measure(M, MODEL_LINEAR, (uint64_t)(b * EACH), EACH).error;
        trained[b] = is.error;
        cosine[b] = is.cosine;
        ratio[b] = is.error / line[b];
        less += ratio[b] < 0.5;
    }
    basis_free(M);
    const double x = (double)h;
    const estimate linear = measure_mean(TESTS, line);
    if (!shuffled)
        claim_measured(t, "linear map: error", x, linear, closed[less_x][LINEAR_MAP].error);
    claim_measured(t, "share of batches: trained/linear below 1/2", x, measure_share(less, TESTS), 1);
    claim_shown(t, "trained: error", x, measure_mean(TESTS, trained), NAN);
    claim_shown(t, "trained: cosine distance", x, measure_mean(TESTS, cosine), NAN);
    claim_shown(t, "trained/linear", x, measure_mean(TESTS, ratio), NAN);
    claim_shown(t, "untrained closed form: error", x, measure_known(closed[less_x][UNTRAINED].error), NAN);
}

static void zx(trial *t)        { measure(t, false, false, STEPS); }
static void less_x(trial *t)    { measure(t, true, false, STEPS); }
static void no_steps(trial *t)  { measure(t, false, false, 0); }
static void shuffled(trial *t)  { measure(t, false, true, STEPS / 2); }
static void no_steps_less_x(trial *t) { measure(t, true, false, 0); }

static const control at_zx[] = {
    { "no-steps", no_steps, "the student keeps its initial weights" },
    { "shuffled", shuffled, "targets of other inputs, so that nothing can be learned, in half of the steps" },
};
static const control at_less_x[] = { { "no-steps", no_steps_less_x, "the student keeps its initial weights" } };
static const shape_case sizes[] = { { .sh = MLP_SHAPE(1, 32, 128, 1) } };
#define BY_TRAINING .kind = PART_MEASURED, .widest = 0.1, .no_minimal = true, \
    .shapes = sizes, .nshapes = COUNT(sizes), \
    .basis = "measurement: 64 batches of held-out samples after training, at a width of 32"
static const part parts[] = {
    { .name = "as-stated", BY_TRAINING, .run = zx, CONTROLS(at_zx),
      .statement = "target $W_2\\,\\mathrm{GELU}(W_1x) + Zx$, at $h = 32$ with 3,000 steps of 128 samples: the trained "
                   "student misses less than half of what the best linear map misses, on every batch" },
    { .name = "as-stated-less", BY_TRAINING, .run = less_x, CONTROLS(at_less_x),
      .statement = "the same for $W_2\\,\\mathrm{GELU}(W_1x) + Zx - x$" },
};
#define NONLINEAR "confirming that the composition of basis changes with skip connections cannot be adequately " \
                  "approximated by linear transformations alone."
#define ANY_WIDTH "suggests the approximation quality does not degrade with dimension, supporting viability at " \
                  "larger scales."
static const quotation quotes[] = {
    { TEXT_001, "Section 5.1", "The trained GELU MLP achieves mean relative errors of 4.0-5.0% across all "
      "dimensions tested, substantially outperforming the linear baseline (9.0-10.0%)." },
    { TEXT_003, "Appendix D", "Figure 2 shows the trained MLP achieves 4 to 6% relative L2 error across all "
      "dimensions, substantially outperforming the optimal linear baseline (11 to 14%)." },
    { TEXT_000, "Section 8.4", "Figure 2 shows the trained MLP achieves 4 to 6% relative L2 error across all "
      "dimensions, substantially outperforming the optimal linear baseline (11 to 14%)." },
    { TEXT_001, "Section 5.1", NONLINEAR }, { TEXT_001, "Section 5.1", ANY_WIDTH },
    { TEXT_000, "Section 8.4", NONLINEAR }, { TEXT_000, "Section 8.4", ANY_WIDTH },
};
static const quotation standing[] = {
    { TEXT_001, "Section 5.1", "We generate synthetic target functions that mirror the structure arising from "
      "basis transformations through skip-connected blocks:" },
    { TEXT_003, "Appendix D", "We generate synthetic targets $Y_{\\text{target}}(X) = W_2 \\cdot "
      "\\text{GELU}(W_1 X) + ZX - X$ with random Gaussian weights, and train a GELU MLP with skip connection "
      "$Y_{\\text{model}}(X) = W_2' \\cdot \\text{GELU}(W_1' X) + X$ to approximate it. We use AdamW for 20,000 "
      "steps with batch size 65,536, testing dimensions $h \\in \\{256, 512, 768\\}$." },
    { TEXT_000, "Section 8.4", "We generate synthetic target functions that mirror the structure arising from "
      "basis transformations through skip-connected blocks:" },
};
static const claim K_APPD = {
    .id = "K-AppD", .title = "basis transfer: a trained MLP against the best linear map",
    .where = "001 Section 5.1; 003 Appendix D; 000 Section 8.4",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "weights and inputs as in N14; the student has $4h$ neurons and a skip; AdamW at $0.05$ with a "
                  "cosine to 0, no decay, clipping at 3 (the papers' rate and decay are lost in their texts)",
    .why = "003 prints the target with $-x$; with the weights of N14 the best linear map misses 10.0 % of it, as "
           "001 reports, and 13.9 % of the target without, as 003 does: formula and figures of 003 belong to two "
           "targets, or to weights of another size.  Either way the finding stands.  A linear map misses all of "
           "$W_2\\,g(W_1x)$, $g$ the even part of GELU; a student of the same shape can have most of its neurons "
           "(K-AppD-new), and AdamW finds such weights.  That the quality does not depend on the width is not what "
           "runs "
           "of the papers' size show: 6.4 % at 256 (three seeds), 7.5 % at 512 and 8.0 % at 768 (one seed each), after "
           "as many steps.  The width is a twenty-fourth to an eighth of the papers' "
           "and the samples are 384,000, not 1.3 billion: the papers' size is `provably basis-transfer --width=256 "
           "--out=DIR`.",
    .parts = parts, .nparts = COUNT(parts), .depends = "K-AppD-new N14",
};
THEOREM_PROGRAM(K_APPD)
