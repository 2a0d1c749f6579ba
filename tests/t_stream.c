/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_stream.c - two models a layer at a time are the whole models, in every arithmetic; what is broken is caught; memory
 * is that of one layer; and --scale=gpt2-small of a program, at small sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/arith_arb.h"
#include "numerics/flint_compat.h"
#include "numerics/random.h"
#include "src/claim/reduce.h"
#include "src/claim/runner/runner.h"
#include "src/claim/stream.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const uint64_t KEY[2] = { 3, 4 };
static const uint64_t PRIME = 1152921504606847009;       /* the first beyond 2^60 */

static shape small(reduction which, long L)
{
    shape sh = { .n = 5, .d = 12, .h = 3, .m = 18, .V = 11 };
    reduce_switches(&sh, which);
    sh.m = 18;
    sh.L = L;
    sh.act = ACT_GELU;
    sh.shared = which == SHARED_BLOCK;
    ck_assert_ptr_null(shape_complete(&sh));
    return sh;
}

static trial trial_over(const arith *R, const shape *sh, const induction *how, const stream_plan *plan)
{
    trial t = { .s = scope_open(R, 5, 1), .sh = *sh, .id = "T", .part = "as-stated", .induction = how, .stream = plan,
                .record = { .log2logit = NAN } };
    t.s.fp32 = true;
    t.s.frugal = plan != NULL;
    return t;
}

static void trial_end(trial *t)
{
    scope_close(&t->s);
    free(t->record.checks);
}

/* ---- the same logits as of whole models --------------------------------------------------------------------- */

typedef struct {
    scope *s;
    const mat *original, *reduced;       /* the logits of whole models                           */
    double of_original, of_reduced;      /* the widest gaps                                      */
    long blocks;
    bool last;
} wanted;

/* Block for block: the original has the same entries, the reduced one equal ones, or balls that meet. */
static void compare(void *to, long col, const mat *original, const mat *reduced)
{
    wanted *w = to;
    const long at = w->last ? w->original->rows - 1 : 0, n = w->original->rows - at;
    ck_assert_int_eq(original->rows, n);
    const mat *Y = mat_cols(w->s, mat_rows(w->s, w->original, at, n), col, original->cols);
    const mat *Z = mat_cols(w->s, mat_rows(w->s, w->reduced, at, n), col, reduced->cols);
    const comparison y = mat_compare(original, Y, INFINITY), z = mat_compare(reduced, Z, INFINITY);
    ck_assert_int_eq(y.is, HOLDS);
    ck_assert_int_eq(z.is, HOLDS);
    w->of_original = fmax(w->of_original, y.log2gap);
    w->of_reduced = fmax(w->of_reduced, z.log2gap);
    w->blocks++;
}

static wanted agree(const arith *R, const shape *sh, const induction *how, bool all)
{
    trial whole = trial_over(R, sh, how, NULL);
    const model drawn = model_random(&whole.s, *sh);
    const model_pair r = induction_build(&whole.s, &drawn, how, 0);
    wanted w = { .s = &whole.s, .original = model_forward(&whole.s, &r.M), .reduced = model_forward(&whole.s, &r.R),
                 .of_original = -INFINITY, .of_reduced = -INFINITY, .last = !all };
    const stream_plan plan = { .all_positions = all, .logits = compare, .to = &w };
    trial t = trial_over(R, sh, how, &plan);
    claim_by_induction(&t);
    ck_assert_int_eq(w.blocks, (sh->V + STREAM_BLOCK - 1) / STREAM_BLOCK);
    ck_assert_int_eq(t.s.status, HOLDS);
    long logits = 0, facts = 0;
    for (long k = 0; k < t.record.nchecks; k++) {
        ck_assert_int_eq(t.record.checks[k].is.is, HOLDS);
        logits += t.record.checks[k].whole;
        facts += strcmp(t.record.checks[k].what, "W_Q = I") == 0;
    }
    ck_assert_int_eq(logits, w.blocks);
    ck_assert_int_eq(facts, how == &reduction_one_layer ? 1 : sh->L);
    trial_end(&t);
    trial_end(&whole);
    return w;
}

static const struct { reduction which; const induction *how; bool tied; } tables[] = {
    { ATTENTION_SKIP, &reduction_attention_skip, false }, { ATTENTION_SKIP, &reduction_attention_skip, true },
    { ONE_LAYER, &reduction_one_layer, false }, { SHARED_BLOCK, &reduction_shared_block, false },
};

START_TEST(is_the_whole_model)
{
    shape sh = small(tables[_i].which, 3);
    sh.tied = tables[_i].tied;
    for (int all = 0; all < 2; all++) {
        arith f64 = arith_f64(), arb = arith_arb(192), bounded = arith_f64_bounded(), fp = arith_fp(PRIME, KEY);
        wanted w = agree(&f64, &sh, tables[_i].how, all);
        ck_assert_double_lt(w.of_original, -50);
        if (all && !sh.tied) ck_assert(w.of_original == -INFINITY);              /* the same bits */
        ck_assert_double_lt(w.of_reduced, -30);
        w = agree(&fp, &sh, tables[_i].how, all);
        ck_assert(w.of_original == -INFINITY && w.of_reduced == -INFINITY);
        w = agree(&arb, &sh, tables[_i].how, all);
        ck_assert_double_lt(w.of_original, -120);
        ck_assert_double_lt(w.of_reduced, -90);
        sh.L = 1;                                        /* where the bounds of doubles are narrow enough */
        agree(&bounded, &sh, tables[_i].how, all);
        sh.L = 3;
        arith_close(&fp);
    }
}
END_TEST
START_TEST(head_in_blocks)
{
    shape sh = small(ATTENTION_SKIP, 1);
    sh.V = STREAM_BLOCK + 37;
    arith f64 = arith_f64(), fp = arith_fp(PRIME, KEY);
    ck_assert_int_eq(agree(&fp, &sh, &reduction_attention_skip, true).blocks, 2);
    agree(&f64, &sh, &reduction_attention_skip, false);
    sh.tied = true;
    agree(&fp, &sh, &reduction_attention_skip, true);
    arith_close(&fp);
}
END_TEST

/* The logits of balls of few bits hold those of the whole models at many. */
typedef struct { const mat *original, *reduced; } precise;
static void hold(void *to, long col, const mat *original, const mat *reduced)
{
    const precise *p = to;
    for (long i = 0; i < original->rows; i++)
        for (long j = 0; j < original->cols; j++) {
            mpq_t x;
            mpq_init(x);
            ck_assert(mat_get_exact(x, p->original, i, col + j));
            ck_assert(arith_arb_contains(original, i, j, x));
            ck_assert(mat_get_exact(x, p->reduced, i, col + j));
            ck_assert(arith_arb_contains(reduced, i, j, x));
            mpq_clear(x);
        }
}
static const mat *centres(scope *s, const mat *A)        /* 2^-900 away at most: no more than the balls are wide */
{
    mat *C = mat_blank(s, A->rows, A->cols);
    arb_mat_get_mid(arith_arb_balls(C), arith_arb_balls(A));
    return C;
}
START_TEST(few_bits_hold_many)
{
    shape sh = small(tables[_i].which, 3);
    sh.tied = tables[_i].tied;
    arith many = arith_arb(1000), few = arith_arb(100);
    trial whole = trial_over(&many, &sh, tables[_i].how, NULL);
    const model drawn = model_random(&whole.s, sh);
    const model_pair r = induction_build(&whole.s, &drawn, tables[_i].how, 0);
    precise p = { centres(&whole.s, model_forward(&whole.s, &r.M)), centres(&whole.s, model_forward(&whole.s, &r.R)) };
    for (int boxes = 0; boxes < 2; boxes++) {
        const stream_plan plan = { .all_positions = true, .boxes = boxes, .logits = hold, .to = &p };
        trial t = trial_over(&few, &sh, tables[_i].how, &plan);
        claim_by_induction(&t);
        trial_end(&t);
    }
    trial_end(&whole);
}
END_TEST

/* ---- widths --------------------------------------------------------------------------------------------------- */

static double widths[2][8];                             /* of the original and of the reduced model, by step */
static void take_widths(const trial *t, const shape *sh, const stream_step *step)
{
    (void)t;
    (void)sh;
    widths[0][step->layer] = step->original;
    widths[1][step->layer] = step->reduced;
}
static void widths_over(const arith *R, bool boxes)
{
    const shape sh = small(ATTENTION_SKIP, 3);
    const stream_plan plan = { .after = take_widths, .boxes = boxes };
    trial t = trial_over(R, &sh, &reduction_attention_skip, &plan);
    claim_by_induction(&t);
    trial_end(&t);
}
/* They grow with each layer, faster in the reduced model, and 64 more bits make them 64 bits narrower; boxes are
 * wider. */
START_TEST(widths_of_balls)
{
    double narrow[2][8];
    arith fewer = arith_arb(128), more = arith_arb(192), f64 = arith_f64(), fp = arith_fp(PRIME, KEY);
    widths_over(&more, false);
    memcpy(narrow, widths, sizeof narrow);
    widths_over(&fewer, false);
    ck_assert(widths[0][0] == -INFINITY);                /* the rows of E and P are exact */
    for (int k = 1; k <= 4; k++) {
        ck_assert_double_lt(widths[0][k], widths[1][k]);
        for (int m = 0; m < 2; m++) {
            ck_assert(k == 4 || widths[m][k] > (k > 1 ? widths[m][k - 1] : -128));
            ck_assert_double_lt(fabs(widths[m][k] - narrow[m][k] - 64), 2);
        }
    }
    for (int m = 0; m < 2; m++) narrow[m][3] = widths[m][3];
    widths_over(&fewer, true);
    ck_assert_double_gt(widths[0][3], narrow[0][3]);
    ck_assert_double_gt(widths[1][3], narrow[1][3] + 4);
    widths_over(&f64, false);
    ck_assert(isnan(widths[0][2]) && isnan(widths[1][4]));
    widths_over(&fp, false);
    ck_assert(isnan(widths[0][2]) && isnan(widths[1][4]));
    arith_close(&fp);
}
END_TEST

/* ---- draws --------------------------------------------------------------------------------------------------- */

START_TEST(part_of_a_draw)
{
    arith over[] = { arith_f64(), arith_arb(64), arith_fp(PRIME, KEY) };
    for (size_t k = 0; k < COUNT(over); k++)
        for (int fp32 = 0; fp32 < 2; fp32++) {
            scope s = scope_open(&over[k], 1, 2);
            s.fp32 = fp32;
            const mat *A = mat_draw(&s, "A", 7, 9, -3), *some = mat_draw_part(&s, "A", 9, 2, 3, 4, 5, -3);
            const comparison is = mat_compare(some, mat_cols(&s, mat_rows(&s, A, 2, 4), 3, 5), -INFINITY);
            ck_assert_int_eq(is.is, HOLDS);
            ck_assert(is.log2gap == -INFINITY);
            s.fp32 = !fp32;                              /* other numbers, but where all residues are drawn anyway */
            const truth same = mat_compare(A, mat_draw(&s, "A", 7, 9, -3), -INFINITY).is;
            ck_assert_int_eq(same, over[k].kind == A_FP ? HOLDS : REFUTED);
            scope_close(&s);
        }
    arith_close(&over[2]);
}
END_TEST
/* 24 significant bits, and no fewer; about normal: mean, variance, both tails. */
START_TEST(numbers_of_24_bits)
{
    enum { N = 40000 };
    double sum = 0, squares = 0;
    long full = 0, small_ones = 0, beyond_2 = 0;
    for (uint64_t k = 0; k < N; k++) {
        const int64_t x = random_gauss24(KEY, k);
        const double y = (double)x * 0x1p-35;
        ck_assert(x && (double)(float)x == (double)x && llabs(x) < (int64_t)1 << 37);
        full += (uint64_t)llabs(x) >> 23 << 23 != (uint64_t)llabs(x) && __builtin_ctzll((uint64_t)llabs(x)) <
                64 - __builtin_clzll((uint64_t)llabs(x)) - 22;
        sum += y;
        squares += y * y;
        small_ones += fabs(y) < 0x1p-8;
        beyond_2 += fabs(y) > 2;
    }
    ck_assert_double_lt(fabs(sum / N), 0.02);
    ck_assert_double_lt(fabs(squares / N - 1), 0.03);
    ck_assert_int_gt(full, N / 2);                      /* about 3 of 4 need all of their last two bits */
    ck_assert_int_gt(small_ones, 60);                   /* 40000 * 2^-7 * 0.39 = 122 */
    ck_assert_int_lt(small_ones, 200);
    ck_assert_int_gt(beyond_2, 1200);                   /* 4.5 % of a normal distribution: 1800 */
    ck_assert_int_lt(beyond_2, 2400);
}
END_TEST

/* Several at a time, the same numbers as one by one: all lengths, bounds that refuse nothing and nearly half. */
START_TEST(runs_of_draws)
{
    static const uint64_t bounds[] = { 1, 2, 3, 256, 1152921504606847009u, ((uint64_t)1 << 62) + 1, UINT64_MAX },
                          firsts[] = { 0, 77, UINT64_MAX - 20 };
    for (long n = 0; n < 600; n += n < 40 ? 1 : 93)
        for (size_t f = 0; f < COUNT(firsts); f++) {
            uint64_t x[600] = { 0 };
            int64_t y[600] = { 0 };
            for (size_t b = 0; b < COUNT(bounds); b++) {
                x[n] = 12345;
                random_below_run(x, KEY, firsts[f], n, bounds[b]);
                for (long k = 0; k < n; k++) ck_assert(x[k] == random_below(KEY, firsts[f] + (uint64_t)k, bounds[b]));
                ck_assert(x[n] == 12345);
            }
            y[n] = 54321;
            random_gauss8_run(y, KEY, firsts[f], n);
            for (long k = 0; k < n; k++) ck_assert(y[k] == random_gauss8(KEY, firsts[f] + (uint64_t)k));
            random_gauss24_run(y, KEY, firsts[f], n);
            for (long k = 0; k < n; k++) ck_assert(y[k] == random_gauss24(KEY, firsts[f] + (uint64_t)k));
            ck_assert(y[n] == 54321);
        }
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static long most_held(long L)
{
    const shape sh = small(ATTENTION_SKIP, L);
    const stream_plan plan = { .all_positions = true };
    arith R = arith_f64();
    trial t = trial_over(&R, &sh, &reduction_attention_skip, &plan);
    claim_by_induction(&t);
    const long held = t.s.most_held;
    trial_end(&t);
    return held;
}
START_TEST(memory_of_one_layer)
{
    const shape sh = small(ATTENTION_SKIP, 1);
    const long one = sh.d * (4 * sh.d + 2 * sh.m), streams = 2 * sh.n * sh.d;
    const long bases = 6 * sh.d * sh.d, work = sh.n * (8 * sh.d + 2 * sh.m) + 4 * sh.d * sh.d;
    ck_assert_int_eq(most_held(3), most_held(9));
    ck_assert_int_le(most_held(9), 2 * one + bases + streams + work);
}
END_TEST
/* Sweeping frees what is newer and not kept, and only where the scope is frugal. */
START_TEST(sweeping)
{
    arith R = arith_f64();
    for (int frugal = 0; frugal < 2; frugal++) {
        scope s = scope_open(&R, 1, 1);
        s.frugal = frugal;
        const mat *A = mat_identity(&s, 2), *since = s.first, *B = mat_identity(&s, 3), *C = mat_add(&s, B, B);
        mat_add(&s, C, C);
        ck_assert_int_eq(s.held, 4 + 27);
        scope_sweep(&s, since, 2, (const mat *[]){ C, NULL });
        ck_assert_int_eq(s.held, frugal ? 4 + 9 : 4 + 27);
        ck_assert_int_eq(s.most_held, 4 + 27);
        ck_assert(mat_get_d(C, 2, 2) == 2 && mat_get_d(A, 1, 1) == 1);
        scope_sweep(&s, NULL, 0, NULL);
        ck_assert(!frugal || (s.held == 0 && !s.first));
        scope_close(&s);
    }
}
END_TEST

/* ---- what must not pass ------------------------------------------------------------------------------------------ */

static bool lean;                        /* a stream draws weights of 24 bits and frees what it needs no more */
static void is_lean(const trial *t, const shape *sh, const stream_step *step)
{
    (void)sh;
    (void)step;
    lean = t->s.fp32 && t->s.frugal;
}

static row run_case(const induction *how, int kind, const control *broken, bool minimal)
{
    static const stream_plan plan = { .after = is_lean };
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = how };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    const job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = kind, .bits = kind == A_FP ? 0 : 256 },
                    .sh = small(ATTENTION_SKIP, 2), .control = broken, .minimal = minimal, .stream = &plan };
    return runner_run(&j, NULL, NULL);
}
static const int kinds[] = { A_ARB, A_FP, A_F64 };
START_TEST(breaks_are_caught)
{
    const int kind = kinds[_i];
    const row claim_row = run_case(&reduction_attention_skip, kind, NULL, false);
    ck_assert_int_eq(claim_row.verdict, HOLDS);
    ck_assert(lean);
    ck_assert_ptr_nonnull(
        strstr(claim_row.note, "a layer at a time; weights of 24 bits; logits of the last token; at most "));
    const row broken = run_case(&reduction_attention_skip, kind, &stream_control, false);
    ck_assert_int_eq(broken.verdict, REFUTED);
    ck_assert(broken.whole);
    if (kind != A_F64) ck_assert_int_eq(run_case(&reduction_attention_skip, kind, NULL, true).verdict, REFUTED);
}
END_TEST
/* Nothing is rewritten; the basis is chosen and K left in it by name alone. */
static const layer_kind untouched[] = { { .name = "untouched" } };
static const induction nothing = { .kinds = untouched, .nkinds = 1, .bases = BASIS_NONE };
START_TEST(nothing_reduced)
{
    const row r = run_case(&nothing, A_ARB, NULL, false);
    ck_assert_int_eq(r.verdict, UNDECIDED);
    ck_assert_str_eq(r.note, "the reduced model is the original");
}
END_TEST
static void plants(const layer_site *at, layer *W) { W->Q = W->K; (void)at; }
static const layer_kind planting[] = { { .name = "planted", .plant = plants } };
START_TEST(refused)
{
    const induction planted = { .kinds = planting, .nkinds = 1 }, attention = { .attention_only = true };
    shape sh = small(ATTENTION_SKIP, 2);
    ck_assert_ptr_null(stream_refuses(&sh, &reduction_attention_skip));
    ck_assert_ptr_nonnull(stream_refuses(&sh, &planted));
    ck_assert_ptr_nonnull(stream_refuses(&sh, &attention));
    sh.norm = NORM_RMS;
    ck_assert_ptr_nonnull(stream_refuses(&sh, &reduction_attention_skip));
}
END_TEST

/* ---- the program ------------------------------------------------------------------------------------------------ */

enum { ROOM = 1 << 16 };
static char said[ROOM];
#define SCALE "--scale=gpt2-small --shape=d=48,m=192,V=2100,L=4,n=4"
static void says(const char *what)
{
    ck_assert_msg(strstr(said, what) != NULL, "missing: %s\nin: %.3000s", what, said);
}

/* The main of a program with two parts of K-T4.4; or that of another claim, as it was built. */
static void attention_skip_only(shape *sh) { sh->attn_skip = true; sh->mlp_skip = false; sh->norm = NORM_NONE; }
static void no_control(trial *t) { claim_decided(t, "logits", true); }
static const control untried[] = { { "a", no_control, "" }, { "b", no_control, "" } };
static const part own_parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &reduction_attention_skip,
      CONTROLS(untried) },
    { .name = "as-stated-elsewhere", .kind = PART_IDENTITY, .run = no_control, CONTROLS(untried) },
};
static const claim own = { .id = "K-T4.4", .title = "t", .where = "", .prepare = attention_skip_only,
                           .parts = own_parts, .nparts = COUNT(own_parts) };
static void run_own(void *options)
{
    static char name[] = "k_t4_4";
    char *argv[16] = { name }, *save = NULL;
    int argc = 1;
    unsetenv("CK_RUN_CASE");                             /* the program has a suite of its own */
    for (char *one = strtok_r(options, " ", &save); one; one = strtok_r(NULL, " ", &save)) argv[argc++] = one;
    const int status = theorem_main(&own, argc, argv);
    fflush(NULL);
    _exit(status);
}
static void run_program(const char *name, const char *options, int status)
{
    char *text = temp_format("%s", options);
    const int was = strcmp(name, "k_t4_4") == 0 ? run_child(run_own, text, said, sizeof said)
                  : run_command(said, sizeof said, "%s/theorems/%s %s 2>&1", build_folder(), name, options);
    ck_assert_msg(was == status, "%s %s: %d, not %d: %.2000s", name, options, was, status, said);
}
/* One line of the table: the widths predicted are about those measured. */
START_TEST(scale_of_a_program)
{
    char *out = temp_path(temp_folder(), "rows.csv");
    run_program("k_t4_4", temp_format(SCALE " --out=%s", out), 0);
    says("Predicted for K-T4.4 as-stated: logits in balls of ");
    double predicted[2], measured[2];
    const char *line = strstr(said, "\n  logits ");
    ck_assert_ptr_nonnull(line);
    ck_assert_int_eq(sscanf(line, " logits %lf %lf %lf %lf", predicted, predicted + 1, measured, measured + 1), 4);
    for (int k = 0; k < 2; k++) ck_assert_double_lt(fabs(predicted[k] - measured[k]), 12);
    ck_assert_double_lt(measured[1], -64);
    says("K-T4.4         as-stated        SUPPORTED         enclosed 2^-");
    says("  arb 4/4 ");
    says("  controls refuted 2/2\n");
    says("of the sizes and the weights that were drawn, and of no others; at most ");
    const char *written = temp_read(NULL, out, NULL);
    const char *full = strstr(written, "V=2100 L=4");
    ck_assert(full && !strstr(full + 1, "V=2100 L=4"));  /* once, and the controls are small */
    long broken = 0;
    for (const char *at = written; (at = strstr(at, ",key-left-alone,arb,")) != NULL; at++) broken++;
    ck_assert_int_eq(broken, 3);
    ck_assert(!strstr(said, "\r") && !strstr(said, "a pilot says"));                 /* no progress where nobody looks */
    ck_assert_ptr_null(strstr(said, "as-stated-elsewhere"));
    char *program = temp_format("env -u CI script -qec '%s/theorems/k_t4_4 " SCALE "' /dev/null", build_folder());
    ck_assert_int_eq(run_shell(program, said, sizeof said), 0);
    says("\rK-T4.4  a pilot says how fast the widths grow\033[K");
    says(" % of the work  ");
    says(" s left\033[K");
}
END_TEST
START_TEST(scale_over_others)
{
    run_program("k_t4_2", SCALE " --arith=fp,f64 --logits=all", 0);
    says("K-T4.2         as-stated        SUPPORTED         verified 2^-");
    says("  f64 4/4 ");
    run_program("k_t4_3", SCALE " --case=minimal", 0);   /* at full width and depth, too: by name */
    says("minimal was refuted in 4 of 4 trials at this shape.  One shape is no verdict.\n");
    run_program("k_t4_4", SCALE " --arith=arb:64", 1);
    says("too wide to decide; ");
    says("UNDECIDED");
}
END_TEST
#define TINY "--scale=gpt2-small --shape=d=12,m=12,V=11,L=1,n=2"
#define NOT_STREAMED "cannot be run a layer at a time; K-T4.2, K-T4.3 and K-T4.4 can"
static const struct { const char *program, *options, *says; } bad[] = {
    { "k_t4_4", TINY " --arith=q", "=q: --scale=gpt2-small runs over arb[:bits], fp[:prime] and f64" },
    { "k_t4_4", TINY " --arith=mpfr", "--arith=mpfr: --scale=gpt2-small runs over" },
    { "k_t4_4", TINY " --corner=sparse", "--corner: the weights of --scale=gpt2-small" },
    { "k_t4_4", "--scale=gpt2-small --shape=h=5", "--shape: h does not divide d" },
    { "k_t4_4", "--scale=gpt2-small --logits=some", "--logits takes one of last, all, not `some`" },
    { "k_t4_4", "--logits=all", "--logits=all belongs to --scale=gpt2-small" },
    { "k_t4_2", "--scale=gpt2-small --part=as-stated-nosuch", "K-T4.2 has no such part; it has as-stated, " },
    { "k_e2", "--scale=gpt2-small", "K-E2 " NOT_STREAMED },
    { "k_t4_4", "--scale=gpt2", "takes one of quick, default, large, gpt2-small" },
};
START_TEST(bad_options)
{
    run_program(bad[_i].program, bad[_i].options, 2);
    says(bad[_i].says);
    ck_assert_int_eq(strcspn(said, "\n") + 1, strlen(said));             /* one line */
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("stream");
    TCase *models = tcase_create("models"), *programs = tcase_create("programs");
    tcase_set_timeout(programs, 300);
    tcase_set_timeout(models, 300);
    tcase_add_loop_test(models, is_the_whole_model, 0, COUNT(tables));
    tcase_add_test(models, head_in_blocks);
    tcase_add_loop_test(models, few_bits_hold_many, 0, COUNT(tables));
    tcase_add_test(models, widths_of_balls);
    tcase_add_test(models, part_of_a_draw);
    tcase_add_test(models, numbers_of_24_bits);
    tcase_add_test(models, runs_of_draws);
    tcase_add_test(models, memory_of_one_layer);
    tcase_add_test(models, sweeping);
    tcase_add_loop_test(models, breaks_are_caught, 0, COUNT(kinds));
    tcase_add_test(models, nothing_reduced);
    tcase_add_test(models, refused);
    tcase_add_test(programs, scale_of_a_program);
    tcase_add_test(programs, scale_over_others);
    tcase_add_loop_test(programs, bad_options, 0, COUNT(bad));
    suite_add_tcase(suite, models);
    suite_add_tcase(suite, programs);
    return run_suite(suite, argc, argv);
}
