/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_gap.c - theorems on trained weights: exact settings, the growth of the gap in the others, records, and what must
 * fail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/trained_gap_measure.h"
#include "src/experiments/trained_reductions.h"
#include "src/train/eliminate.h"
#include "src/train/gpt_model.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { WINDOWS = 3 };
static const struct { const char *name; bool norm, attn_skip, mlp_skip, tied; long h; bool exact; } settings[] = {
    { "attention skip",       false, true,  false, false, 2, true  },
    { "attention skip, tied", false, true,  false, true,  2, true  },
    { "MLP skip",             false, false, true,  false, 2, true  },
    { "MLP skip, tied",       false, false, true,  true,  2, true  },
    { "no skips",             false, false, false, false, 2, true  },
    { "one head, LayerNorm",  true,  true,  true,  true,  1, true  },
    { "one head, no norm",    false, true,  true,  true,  1, true  },
    { "both skips",           false, true,  true,  false, 2, false },
    { "both skips, tied",     false, true,  true,  true,  2, false },
    { "LayerNorm, one skip",  true,  true,  false, false, 2, false },
    { "LayerNorm",            true,  true,  true,  true,  2, false },
    { "LayerNorm, no skips",  true,  false, false, true,  2, false },
};
enum { SETTINGS = COUNT(settings) };

static gpt_config config(int i)
{
    return (gpt_config){ .L = 2, .d = 8, .h = settings[i].h, .m = 12, .T = 6, .V = 256, .factor = 1,
                         .tied = settings[i].tied, .norm = settings[i].norm, .attn_skip = settings[i].attn_skip,
                         .mlp_skip = settings[i].mlp_skip, .init_std = 0.3, .pad = 1 };
}

/* A model whose gains are not 1. */
static gpt *model_of_setting(const gpt_config *c)
{
    gpt *M = gpt_create(c, ops_cpu_f64(), WINDOWS, 5);
    const net *n = gpt_net(M);
    const uint64_t key[2] = { 1, 2 };
    for (long k = 0; k < n->table.n; k++) {
        const param *p = &n->table.list[k];
        for (long j = 0; p->rows == 1 && j < p->cols; j++)
            ((double *)n->w)[p->at + (size_t)j] = 0.75 + (double)random_below(key, (uint64_t)(k * 100 + j), 64) / 128;
    }
    net_refresh(gpt_net(M));
    return M;
}

static gap_curves curves_of(int i)
{
    gap_curves all = { NULL, 0 };
    const gpt_config c = config(i);
    gpt *M = model_of_setting(&c);
    tokens text = tokens_synthetic(2, 64);
    trained_gap_measure(&all, settings[i].name, 7, M, &c, &text, WINDOWS);
    tokens_free(&text);
    gpt_free(M);
    return all;
}

/* Every setting has an allowed curve that keeps the function; where no theorem applies also one that does not, and its
 * gap grows as predicted. */
START_TEST(curves_are_as_predicted)
{
    gap_curves all = curves_of(_i);
    const gpt_config c = config(_i);
    ck_assert_int_eq(all.n, settings[_i].exact ? 1 : 2);
    ck_assert_int_eq(eliminate_hypotheses(&c, GPT_QUERY) == NULL, settings[_i].exact);
    for (long k = 0; k < all.n; k++) {
        const gap_curve *g = &all.at[k];
        const gap_judgement j = trained_gap_judge(g);
        ck_assert_msg(j.is == (k ? OUTCOME_REFUTED : OUTCOME_HOLDS), "%s %s: %s; slope %.9g +- %.2g for %.9g, exponent "
                      "%.9g +- %.2g; at t = 1 %.3g of %.3g, logits %.3g of %.3g; zero %.3g", g->setting,
                      g->allowed ? "allowed" : "all", j.why ? j.why : "", j.slope, j.slope_room, g->slope, j.exponent,
                      j.exponent_room, g->at[0].largest, g->at[0].bound, g->at[0].logits,
                      g->at[0].logits_bound, g->zero);
        ck_assert(g->allowed == !k && g->step == 7 && strcmp(g->setting, settings[_i].name) == 0);
        ck_assert_double_gt(g->at[0].logits, 0);
        if (settings[_i].exact) ck_assert_double_le(g->away, 1e-15);
        else ck_assert_double_ge(g->away, 0.1);
    }
    if (all.n == 2) {
        ck_assert_double_ge(all.at[1].at[0].largest, 1e4 * all.at[0].at[0].largest);
        ck_assert_double_ge(all.at[0].at[0].query, 0.1);                   /* a part of the change ends elsewhere */
    }
    trained_gap_free(&all);
}
END_TEST

/* The theorems' own reductions: all W_Q, all W_K, all W_V. */
START_TEST(the_way_ends_at_the_theorem)
{
    const gpt_config c = config(_i);
    gpt *M = model_of_setting(&c);
    tokens text = tokens_synthetic(2, 64);
    int32_t token[6], target[6];
    double a[6], b[6];
    tokens_window(&text, 3, c.T, token, target);
    for (int k = 0; k < GPT_PROJECTIONS; k++) {
        const gpt_config reduced = eliminate_config(&c, (gpt_projection)k);
        gpt *N = gpt_create(&reduced, ops_cpu_f64(), WINDOWS, 0);
        ck_assert_ptr_null(eliminate_projection(M, &c, (gpt_projection)k, N));
        const double gap = fabs(gpt_loss(M, token, target, 1, a, 0) - gpt_loss(N, token, target, 1, b, 0));
        if (settings[_i].exact) ck_assert_double_le(gap, 1e-11);
        else ck_assert_double_ge(gap, 1e-3);
        gpt_free(N);
    }
    tokens_free(&text);
    gpt_free(M);
}
END_TEST

/* W_Q = diag(1, 2, ..., d), scaled to |W_Q| = sqrt(d), is k / r - 1 away from an orthogonal matrix, r^2 = mean k^2. */
START_TEST(distance_from_an_orthogonal_matrix)
{
    const gpt_config c = config(0);
    gap_curves all = { NULL, 0 };
    gpt *M = model_of_setting(&c);
    double squares = 0, wanted = 0;
    for (long k = 1; k <= c.d; k++) squares += (double)(k * k) / (double)c.d;
    for (long k = 1; k <= c.d; k++) wanted += pow((double)k / sqrt(squares) - 1, 2) / (double)c.d;
    for (long i = 0; i < c.L; i++) {
        const param *p = params_find(&gpt_net(M)->table, i ? "h.1.attn.q" : "h.0.attn.q");
        double *Q = (double *)gpt_net(M)->w + p->at;
        for (long k = 0; k < c.d * c.d; k++) Q[k] = k % (c.d + 1) ? 0 : (double)(k / c.d + 1);
    }
    net_refresh(gpt_net(M));
    tokens text = tokens_synthetic(2, 64);
    trained_gap_measure(&all, "diagonal", 7, M, &c, &text, WINDOWS);
    ck_assert_double_eq_tol(all.at[0].spread, sqrt(wanted), 1e-14);
    trained_gap_free(&all);
    tokens_free(&text);
    gpt_free(M);
}
END_TEST

/* Weights become matrices and weights again.  Numbers are kept as multiples of 2^-62 of their matrix' largest, so one
 * comes back within 2^-63 of that, and with the same bits where it is at least 2^-9 of it.  Folded gains: the same
 * function, gains of 1. */
START_TEST(there_and_back)
{
    const gpt_config c = config(_i);
    gpt_config folded = c;
    folded.tied = c.tied && !c.norm;
    arith f64 = arith_f64();
    scope s = scope_open(&f64, 0, 0);
    gpt *M = model_of_setting(&c), *N = gpt_create(&c, ops_cpu_f64(), WINDOWS, 6);
    gpt *F = gpt_create(&folded, ops_cpu_f64(), WINDOWS, 6);
    const model W = gpt_to_model(&s, M, &c), bare = gpt_model_fold(&s, &W);
    gpt_from_model(N, &c, &W);
    gpt_from_model(F, &folded, &bare);
    const double *w = gpt_net(M)->w, *v = gpt_net(N)->w;
    for (long k = 0; k < gpt_net(M)->table.n; k++) {
        const param *at = &gpt_net(M)->table.list[k];
        double largest = 0;
        for (size_t j = at->at; j < at->at + at->room; j++) largest = fmax(largest, fabs(w[j]));
        for (size_t j = at->at; j < at->at + at->room; j++)
            ck_assert_double_le(fabs(w[j] - v[j]), fabs(w[j]) >= 0x1p-9 * largest ? 0 : 0x1p-62 * largest);
    }
    const int32_t token[6] = { 1, 2, 3, 4, 5, 6 };
    double a[6], b[6];
    ck_assert_double_eq_tol(gpt_loss(M, token, token, 1, a, 0), gpt_loss(F, token, token, 1, b, 0), 1e-13);
    const param *p = params_find(&gpt_net(F)->table, "h.1.norm2");
    ck_assert((p != NULL) == c.norm);
    for (long k = 0; p && k < c.d; k++) ck_assert_double_eq(((double *)gpt_net(F)->w)[p->at + (size_t)k], 1);
    gpt_free(M);
    gpt_free(N);
    gpt_free(F);
    scope_close(&s);
    arith_close(&f64);
}
END_TEST

/* ---- verdicts from figures ------------------------------------------------------------------------------------ */

/* gap = 2 t + t^2 + t^3 and rounding below 1e-13 */
static gap_curve growing(void)
{
    gap_curve c = { .setting = "made", .slope = 2, .zero = 1e-9 };
    for (int k = 0; k < GAP_POINTS; k++) {
        const double t = ldexp(1, -k), gap = 2 * t + t * t + t * t * t;
        c.at[k] = (gap_point){ .rms = gap, .largest = 1.5 * gap, .logits = 9 * gap, .bound = 1e-13,
                               .logits_bound = 1e-12, .condition = 30 };
    }
    return c;
}

static gap_curve resting(void)
{
    gap_curve c = growing();
    c.allowed = true;
    c.slope = 1e-10;
    c.control = 0.1;
    for (int k = 0; k < GAP_POINTS; k++) {
        c.at[k].rms = c.at[k].largest = 1e-14;
        c.at[k].logits = 1e-13;
    }
    return c;
}

static void must_fail(const gap_curve *c, const char *says)
{
    const gap_judgement j = trained_gap_judge(c);
    ck_assert_msg(j.is == OUTCOME_FAILS && j.why && strstr(j.why, says), "%s", j.why ? j.why : "accepted");
}

START_TEST(growth_is_judged)
{
    gap_curve c = growing();
    const gap_judgement j = trained_gap_judge(&c);
    ck_assert_msg(j.is == OUTCOME_REFUTED && !j.why, "%s", j.why ? j.why : "");
    ck_assert_double_eq_tol(j.slope, 2, 1e-11);
    ck_assert_double_eq_tol(j.exponent, 1, 1e-10);
    ck_assert(j.slope_room < 1e-7 && j.exponent_room < 1e-7 && j.slope_room > 0);
    c.slope = 2.00001;
    must_fail(&c, "slope");
    c = growing();
    for (int k = 0; k < GAP_POINTS; k++) c.at[k].rms = ldexp(2, -k) * pow(ldexp(1, -k), 1e-4);
    c.slope = trained_gap_judge(&c).slope;                                 /* a slope that fits */
    must_fail(&c, "not proportional");
    c = growing();
    c.slope = c.zero;
    must_fail(&c, "no first order");
    c = growing();
    c.at[0].largest = 9e-4;
    must_fail(&c, "no loss changes");
    c = growing();
    for (int k = 0; k < GAP_POINTS; k++) c.at[k].bound = 1e-6;
    must_fail(&c, "not resolved");
    c = growing();
    c.at[GAP_POINTS - 1].rms = NAN;
    must_fail(&c, "not resolved");
    c = growing();
    for (int k = 0; k < GAP_POINTS; k++) c.at[k].rms = ldexp(2, -2 * k);   /* of second order */
    ck_assert_int_eq(trained_gap_judge(&c).is, OUTCOME_FAILS);
}
END_TEST

START_TEST(rest_is_judged)
{
    gap_curve c = resting();
    ck_assert_int_eq(trained_gap_judge(&c).is, OUTCOME_HOLDS);
    c.at[3].largest = 2e-13;
    must_fail(&c, "a loss differs");
    c = resting();
    c.at[14].logits = 2e-12;
    must_fail(&c, "a logit differs");
    c = resting();
    c.at[14].largest = NAN;
    must_fail(&c, "a loss differs");
    c = resting();
    c.slope = 2e-9;
    must_fail(&c, "not orthogonal");
    c = resting();
    c.control = 1e-13;
    must_fail(&c, "control");
    c = resting();
    c.at[0].query = 1e-13;
    must_fail(&c, "not I");
    c.away = 0.5;                                                          /* a part of the change ends elsewhere */
    ck_assert_int_eq(trained_gap_judge(&c).is, OUTCOME_HOLDS);
    c.allowed = false;
    must_fail(&c, "not I");
    c = resting();
    c.at[5].bound = 1e-5;
    must_fail(&c, "too wide");
    c = resting();
    c.at[5].logits_bound = 1e-5;
    must_fail(&c, "too wide");
}
END_TEST

/* ---- records ----------------------------------------------------------------------------------------------------- */

START_TEST(a_record_is_read_as_it_was_written)
{
    gap_curve two[] = { resting(), growing() };
    two[1].away = 0.1 + 0.2;
    two[0].spread = 1 / 3.0;
    two[1].zero = NAN;                                                     /* of a model that is out of bounds */
    const gap_curves all = { two, 2 };
    const record_note header[] = { { "date", "2026-01-01" } };
    char *folder = temp_folder(), *path = temp_path(folder, "gaps.csv");
    trained_gap_write(&all, header, 1, path);
    char *text = temp_read(folder, "gaps.csv", NULL);
    ck_assert(strncmp(text, "# record trained-gap\n# date 2026-01-01\nsetting,step,", 52) == 0);
    gap_curves back = trained_gap_read(path), none = trained_gap_read(temp_path(folder, "absent.csv"));
    ck_assert_int_eq(back.n, 2);
    ck_assert_int_eq(none.n, 0);
    for (int k = 0; k < 2; k++) {
        ck_assert(back.at[k].allowed == two[k].allowed && back.at[k].slope == two[k].slope
                  && back.at[k].away == two[k].away && back.at[k].spread == two[k].spread
                  && back.at[k].control == two[k].control
                  && memcmp(&back.at[k].zero, &two[k].zero, sizeof two[k].zero) == 0 && strcmp(back.at[k].setting, "made") == 0);
        ck_assert_mem_eq(back.at[k].at, two[k].at, sizeof two[k].at);
    }
    two[1] = growing();
    two[1].slope = NAN;
    two[0].slope = NAN;
    trained_gap_write(&all, header, 1, path);
    trained_gap_free(&back);
    back = trained_gap_read(path);
    must_fail(&back.at[0], "not orthogonal");
    must_fail(&back.at[1], "no first order");
    trained_gap_free(&back);
}
END_TEST

static void read_it(void *path) { trained_gap_read(path); }

START_TEST(a_damaged_record)
{
    static const struct { const char *from, *to, *says; } damage[] = {
        { ",all,-3,",  ",some,-3,", "no curve is called `some`" }, { ",all,-3,", ",all,-4,", "log2t from 0 down" },
        { "made,0,all,-9", "male,0,all,-9", "15 lines" }, { "setting,", "settings,", "run the preset again" } };
    gap_curve one[] = { growing() };
    const gap_curves all = { one, 1 };
    char *folder = temp_folder(), *path = temp_path(folder, "gaps.csv"), output[600];
    trained_gap_write(&all, NULL, 0, path);
    char *text = temp_read(folder, "gaps.csv", NULL), *at = strstr(text, damage[_i].from);
    ck_assert_ptr_nonnull(at);
    char *bad = temp_format("%.*s%s%s", (int)(at - text), text, damage[_i].to, at + strlen(damage[_i].from));
    temp_text(folder, "gaps.csv", bad);
    ck_assert_int_eq(run_child(read_it, path, output, sizeof output), 2);
    ck_assert_msg(strstr(output, damage[_i].says) != NULL, "%s", output);
    at = strrchr(text, '\n') - 1;
    while (*at != '\n') at--;
    at[1] = '\0';
    temp_text(folder, "gaps.csv", text);
    ck_assert_int_eq(run_child(read_it, path, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "cut off") != NULL, "%s", output);
}
END_TEST

/* ---- a part of a preset ----------------------------------------------------------------------------------------- */

static run_cost cost_of_three_steps(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return (run_cost){ .steps = 3, .unit = "tokens" };
}
static const run_kind three_steps[] = { { "train", cost_of_three_steps }, { NULL, NULL } };
static const preset_row trained_rows[] = { { "one", "", { NULL }, NULL, 0 },
                                           { "norm", "", { NULL }, NULL, 0 } };
static const experiment trained_part = {
    .name = "part", .title = "t", .command = "train", .options = "", .row = trained_rows, .rows = 2,
    .data = "--data=bytes:DATA/text --validate=bytes:DATA/text", .seeds = 1, .seed = 1, .eliminates = true,
    .follows = true };
static const preset trained_preset = { .name = "small", .about = "", .scale = "", .part = &trained_part, .parts = 1 };

typedef struct { long steps; uint64_t seed; } trained_how;
static void train_how(const char *folder, const tokens *text, bool norm, trained_how how)
{
    const train_config c = {
        .model = { .L = 2, .d = 16, .h = 2, .m = 24, .T = 8, .V = 256, .factor = 1, .attn_skip = true,
                   .norm = norm, .init_std = 0.14 },
        .optim = { .peak = 2e-3, .steps = how.steps, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .clip = 1 },
        .batch = 2, .micro = 2, .eval_every = 3, .save_every = 3, .seed = how.seed, .data_seed = 2, .out = folder,
        .quiet = true };
    ck_assert(train_gpt(&c, ops_cpu_f32(), text, text).finished);
}
static void train_one(const char *folder, const tokens *text, bool norm) { train_how(folder, text, norm, (trained_how){ 3, 1 }); }

/* As a sweep leaves it; what: what it says after the command. */
static void finish(const char *root, const char *run, const char *what)
{
    char *path = temp_format("%s/done", run);
    temp_text(root, path, temp_format("train --data=bytes:%s/text --validate=bytes:%s/text --seed=1\n%s", root, root, what));
}

/* The text of both models, and the models. */
static char *trained_folder(void)
{
    enum { LETTERS = 600 };
    char letters[LETTERS + 1] = "", *root = temp_folder();
    for (int k = 0; k < LETTERS; k++) letters[k] = (char)('a' + (k * k + k / 7) % 26);
    temp_text(root, "text", letters);
    tokens text = tokens_bytes(temp_path(root, "text"));
    train_one(temp_path(root, "part-one-1"), &text, false);
    train_one(temp_path(root, "part-norm-1"), &text, true);
    tokens_free(&text);
    return root;
}

typedef struct { char *root; const char *rows; } asked;
static void record_child(void *with)
{
    const asked *a = with;
    const reproduce_options o = { .out = a->root, .results = temp_path(a->root, "results"), .data = a->root, .more = "",
                                  .rows = a->rows, .record = true, .kinds = three_steps,
                                  .program = temp_format("%s/provably", build_folder()) };
    exit(reproduce_run(&trained_preset, &o));
}

static void follow_child(void *with)
{
    const asked *a = with;
    const reproduce_options o = { .out = a->root, .results = temp_path(a->root, "results"), .data = a->root, .more = "",
                                  .record = true, .kinds = three_steps, .program = temp_format("%s/provably", build_folder()) };
    result source;
    for (int k = 0; k < RESULT_COLUMNS; k++) source.cell[k] = temp_format("%s", "");
    exit(follow_part(&trained_preset, &trained_part, &o, &source) ? 0 : 1);
}

/* What is not finished, was not asked for, or diverged is left out, and the table is written whatever comes after it. */
START_TEST(a_part_is_followed_as_far_as_it_is_finished)
{
    asked a = { .root = trained_folder() };
    char output[4096];
    ck_assert_msg(run_child(record_child, &a, output, sizeof output) == 0, "%s", output);
    ck_assert(strstr(output, "no run of small is finished: nothing is written") && !temp_exists(a.root, "results/small.csv"));
    finish(a.root, "part-norm-1", "");
    for (int k = 0; k < 3; k++) {
        a.rows = k == 1 ? "norm" : NULL;
        if (k == 2) finish(a.root, "part-one-1", "diverged at step 2\n");
        ck_assert_msg(run_child(record_child, &a, output, sizeof output) == 0, "%s", output);
        gap_curves all = trained_gap_read(temp_path(a.root, "results/small-gaps.csv"));
        ck_assert_int_eq(all.n, 2);
        ck_assert_str_eq(all.at[0].setting, "norm");
        trained_gap_free(&all);
        char *table = temp_read(a.root, "results/small.csv", NULL);
        ck_assert_msg(strstr(table, "\"refuted, as expected\"") != NULL, "%s", table);
        ck_assert_ptr_nonnull(strstr(table, ",not run,"));
        ck_assert_int_eq(strstr(output, "part-one-1                     diverged at step 2: not followed") != NULL, k == 2);
    }
}
END_TEST

/* Weights of another step, or of another run, are not those of the figures in evals.csv: neither W_Q's elimination nor
 * the way there is measured on them, and nothing is recorded. */
START_TEST(weights_of_another_step)
{
    static const struct { trained_how how; const char *says; } other[] = {
        { { 2, 1 }, "/last.ckpt is of step 2, and the finished run ends at step 3: remove the folder" },
        { { 3, 5 }, "/last.ckpt is of another run than evals.csv (`seed=5 data_seed=2 train=" } };
    for (size_t k = 0; k < COUNT(other); k++) {
        asked a = { .root = trained_folder() };
        char output[4096];
        tokens text = tokens_bytes(temp_path(a.root, "text"));
        train_how(temp_path(a.root, "other"), &text, true, other[k].how);
        tokens_free(&text);
        finish(a.root, "part-norm-1", "");
        ck_assert_int_eq(rename(temp_path(a.root, "other/last.ckpt"), temp_path(a.root, "part-norm-1/last.ckpt")), 0);
        for (int follows = 0; follows < 2; follows++) {
            const int status = follows ? run_child(follow_child, &a, output, sizeof output)
                                       : run_child(record_child, &a, output, sizeof output);
            ck_assert_msg(status == 2 && strstr(output, other[k].says), "%d: %s", status, output);
            ck_assert(!temp_exists(a.root, "results/small.csv") && !temp_exists(a.root, "results/small-gaps.csv"));
        }
    }
}
END_TEST

static const reduction_finding *finding(const reduction_findings *all, const char *setting, const char *word)
{
    for (long k = 0; k < all->n; k++)
        if (strcmp(all->at[k].setting, setting) == 0 && strcmp(all->at[k].word, word) == 0) return &all->at[k];
    ck_abort_msg("%s of %s was not tried", word, setting);
}

/* What applies is the same function up to rounding; what is forced behind LayerNorm is told from it. */
START_TEST(trained_weights_are_reduced)
{
    static const struct { const char *setting, *word; bool applies; } expected[] = {
        { "one", "values", true }, { "one", "queries", true }, { "one", "every-query", true }, { "one", "one-query", false },
        { "norm", "values", true }, { "norm", "queries", true }, { "norm", "every-query", false } };
    asked a = { .root = trained_folder() };
    char output[16384];
    finish(a.root, "part-norm-1", "");
    finish(a.root, "part-one-1", "");
    ck_assert_msg(run_child(record_child, &a, output, sizeof output) == 0, "%s", output);
    reduction_findings all = trained_reductions_read(temp_path(a.root, "results/small-reductions.csv"));
    for (size_t k = 0; k < COUNT(expected); k++) {
        const reduction_finding *f = finding(&all, expected[k].setting, expected[k].word);
        const char *why;
        ck_assert_msg(f->applies == expected[k].applies, "%s: %s", f->word, f->why);
        if (isnan(f->gap)) { ck_assert_msg(!f->applies, "%s", f->word); continue; }
        const outcome is = trained_reduction_judge(f, &why);
        ck_assert_msg(f->applies ? is == OUTCOME_HOLDS : strcmp(f->setting, "one") == 0 || is == OUTCOME_REFUTED,
                      "%s: %g of %g", f->word, f->gap, f->rounding);
        ck_assert(f->tokens > 0 && f->of > f->parameters && f->largest > 0);
    }
    const reduction_finding *all_queries = finding(&all, "one", "every-query"), *forced = finding(&all, "norm", "every-query");
    ck_assert(all_queries->parameters == 2 * 16 * 16 && !all_queries->untied && all_queries->bits > 0);
    ck_assert(!isnan(forced->gap));
    trained_reductions_free(&all);
}
END_TEST

static reduction_finding made_finding(bool applies, double gap)
{
    return (reduction_finding){ .setting = "one, two", .step = 7, .what = "W_Q", .claims = "N1 N1b", .why = "because, \"so\"",
                                .applies = applies, .word = "values", .parameters = 3, .of = 40, .bits = 2.5, .gap = gap,
                                .rounding = 1e-6, .largest = 1, .tokens = 8, .same_first = 7 };
}

START_TEST(reductions_are_judged_and_read_back)
{
    reduction_finding made[] = { made_finding(true, 1e-7), made_finding(false, 1e-3), made_finding(true, 1e-3),
                                 made_finding(false, 1e-7), made_finding(false, NAN) };
    static const outcome is[] = { OUTCOME_HOLDS, OUTCOME_REFUTED, OUTCOME_FAILS, OUTCOME_HOLDS };
    const char *why;
    for (size_t k = 0; k < COUNT(is); k++) {
        ck_assert_int_eq(trained_reduction_judge(&made[k], &why), is[k]);
        ck_assert_int_eq(why != NULL, k >= 2);
    }
    const reduction_findings all = { made, COUNT(made) };
    char *folder = temp_folder(), *path = temp_path(folder, "r.csv");
    trained_reductions_write(&all, NULL, 0, path);
    reduction_findings back = trained_reductions_read(path), none = trained_reductions_read(temp_path(folder, "absent.csv"));
    ck_assert_int_eq(back.n, all.n);
    ck_assert_int_eq(none.n, 0);
    for (long k = 0; k < back.n; k++) {
        ck_assert_str_eq(back.at[k].setting, "one, two");
        ck_assert_str_eq(back.at[k].why, "because, \"so\"");
        ck_assert(back.at[k].applies == made[k].applies && back.at[k].step == 7 && back.at[k].same_first == 7
                  && (back.at[k].gap == made[k].gap || (isnan(back.at[k].gap) && isnan(made[k].gap))));
    }
    trained_reductions_free(&back);
}
END_TEST

START_TEST(a_part_is_followed)
{
    char *root = trained_folder();
    finish(root, "part-one-1", "");
    finish(root, "part-norm-1", "");
    const reproduce_options o = { .out = root, .results = temp_path(root, "results"), .data = root, .more = "",
                                  .kinds = three_steps, .program = temp_format("%s/provably", build_folder()) };
    result source = { .p = NULL };
    source.cell[R_DATE] = temp_format("today");
    source.cell[R_COMMIT] = source.cell[R_HARDWARE] = source.cell[R_DATA] = temp_format("known");
    ck_assert(follow_part(&trained_preset, &trained_part, &o, &source));
    gap_curves all = trained_gap_read(temp_path(root, "results/small-gaps.csv"));
    ck_assert_int_eq(all.n, 3);
    ck_assert(all.at[0].allowed && all.at[1].allowed && !all.at[2].allowed && all.at[2].step == 3);
    ck_assert_str_eq(all.at[0].setting, "one");
    ck_assert_str_eq(all.at[2].setting, "norm");
    trained_gap_free(&all);
    char *record = temp_read(root, "results/small-gaps.csv", NULL);
    ck_assert_ptr_nonnull(strstr(record, "# hardware known\n# seed 1\n# data known\n"));
    ck_assert_ptr_nonnull(strstr(record, "# date today\n# commit known\n# measured by "));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("gap");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, curves_are_as_predicted, 0, SETTINGS);
    tcase_add_loop_test(all, the_way_ends_at_the_theorem, 0, SETTINGS);
    tcase_add_loop_test(all, there_and_back, 0, SETTINGS);
    tcase_add_test(all, distance_from_an_orthogonal_matrix);
    tcase_add_test(all, growth_is_judged);
    tcase_add_test(all, rest_is_judged);
    tcase_add_test(all, a_record_is_read_as_it_was_written);
    tcase_add_loop_test(all, a_damaged_record, 0, 4);
    tcase_add_test(all, a_part_is_followed);
    tcase_add_test(all, a_part_is_followed_as_far_as_it_is_finished);
    tcase_add_test(all, weights_of_another_step);
    tcase_add_test(all, trained_weights_are_reduced);
    tcase_add_test(all, reductions_are_judged_and_read_back);
    return run_suite(suite, argc, argv);
}
