/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_hypotheses.c - sym says which hypotheses a derivation has used, and the runner compares them with those declared. */
#include <stdlib.h>
#include <unistd.h>
#include "numerics/libraries.h"
#include "numerics/symbolic/arith_sym.h"
#include "src/claim/runner/runner.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- what sym says ------------------------------------------------------------------------------ */

static const mat *square(scope *s, const char *name) { return mat_draw(s, name, 3, 3, 0); }
static const place here = { 0, PLACE_ATTENTION, 0 };

static void nothing(scope *s) { mat_mul(s, square(s, "A"), mat_t(s, square(s, "B"))); }
static void one_inverse(scope *s) { mat_inv(s, square(s, "W_Q.0")); }
static void without_their_numbers(scope *s)
{
    for (int i = 0; i < 3; i++) mat_inv(s, square(s, (const char *[]){ "W_Q.0", "W_Q.1", "D.0.12" }[i]));
}
static void letters_stay(scope *s) { mat_inv(s, square(s, "W_up.last")); mat_inv(s, square(s, "R1")); }
static void of_a_product(scope *s) { mat_inv(s, mat_mul(s, square(s, "B"), mat_t(s, square(s, "A")))); }
static void of_blocks(scope *s)
{
    mat_inv(s, mat_blockdiag(s, 2, (const mat *const[]){ square(s, "D.1"), square(s, "C.1") }));
}
static void of_an_inverse(scope *s) { mat_inv(s, mat_inv(s, square(s, "A"))); }
static void of_a_diagonal(scope *s)
{
    mat_inv(s, mat_scale_rows(s, mat_draw(s, "g.1", 3, 1, 0), mat_identity(s, 3)));
}
static void of_the_identity(scope *s) { mat_inv(s, mat_identity(s, 3)); }
static void of_nothing_known(scope *s) { mat_inv(s, mat_add(s, square(s, "A"), square(s, "B"))); }
static void transposed_orthogonal(scope *s)
{
    const mat *U = mat_draw_orthogonal(s, "U.2", 3);
    mat_mul(s, mat_t(s, U), U);
}
static void inverted_orthogonal(scope *s) { mat_inv(s, mat_draw_orthogonal(s, "U.2", 3)); }
static void orthogonal_alone(scope *s)    { mat_mul(s, mat_draw_orthogonal(s, "U", 3), square(s, "A")); }
static void half_odd(scope *s)            { mat_phi(s, square(s, "A"), ACT_HALF_ODD, here); }
static void any_activation(scope *s)      { mat_phi(s, square(s, "A"), ACT_OPAQUE, here); }

static const mat *weights(scope *s, rowmap_kind kind, bool constant)
{
    const mat *A = square(s, "A"), *b = mat_mul(s, mat_draw(s, "b", 3, 1, 0), mat_ones(s, 1, 3));
    const rowmap how = { .kind = kind, .scale_num = 1, .scale_den = 1 };
    return mat_rowmap(s, constant ? mat_add(s, A, b) : A, &how, here);
}
static void shifted(scope *s)     { weights(s, ROWMAP_SHIFT, true); }
static void not_shifted(scope *s) { weights(s, ROWMAP_SHIFT, false); }
static void summed(scope *s)      { mat_mul(s, weights(s, ROWMAP_STOCHASTIC, false), mat_ones(s, 3, 1)); }
static void not_summed(scope *s)  { mat_mul(s, weights(s, ROWMAP_STOCHASTIC, false), square(s, "B")); }
static void summed_turned(scope *s)
{
    mat_mul(s, mat_ones(s, 1, 3), mat_t(s, weights(s, ROWMAP_STOCHASTIC, true)));
}
static void in_order(scope *s)
{
    mat_inv(s, square(s, "W_Q.3"));
    half_odd(s);
    inverted_orthogonal(s);
    mat_inv(s, square(s, "W_K.1"));
}

static const struct { void (*run)(scope *s); const char *uses; } output[] = {
    { nothing, "" }, { one_inverse, "invertible W_Q" }, { without_their_numbers, "invertible D; invertible W_Q" },
    { letters_stay, "invertible R1; invertible W_up.last" }, { of_a_product, "invertible A; invertible B" },
    { of_blocks, "invertible C; invertible D" }, { of_an_inverse, "invertible A" },
    { of_a_diagonal, "invertible diag(g)" }, { of_the_identity, "" }, { of_nothing_known, "" },
    { transposed_orthogonal, "orthogonal U" }, { inverted_orthogonal, "orthogonal U" }, { orthogonal_alone, "" },
    { half_odd, "half-odd activation" }, { any_activation, "" },
    { shifted, "shift-invariant row map" }, { not_shifted, "" }, { summed, "rows sum to 1" }, { not_summed, "" },
    { summed_turned, "rows sum to 1; shift-invariant row map" },
    { in_order, "half-odd activation; invertible W_K; invertible W_Q; orthogonal U" },
};

/* What a word is, and that of a list each is there once. */
START_TEST(kinds_of_hypotheses)
{
    static const struct { const char *text; hypothesis_kind kind; } of[] = {
        { "invertible W_Q", HYPOTHESIS_OF_NAME }, { "half-odd phi.mlp", HYPOTHESIS_OF_NAME },
        { "constrained W_V = 0", HYPOTHESIS_CONSTRAINED }, { "constrained mask", HYPOTHESIS_CONSTRAINED },
        { "h = 1", HYPOTHESIS_HEADS }, { "n >= 12", HYPOTHESIS_SIZE }, { "norm = none", HYPOTHESIS_SWITCH },
        { "h_kv < h", HYPOTHESIS_SWITCH },
        { "another d_k", HYPOTHESIS_SWITCH }, { "given attention", HYPOTHESIS_SWITCH }, { "d_k = d", HYPOTHESIS_SWITCH } };
    const hypotheses *all = hypotheses_of("");
    for (size_t k = 0; k < COUNT(of); k++) all = hypotheses_join(all, hypotheses_of(of[k].text));
    ck_assert_int_eq(all->n, COUNT(of));
    for (size_t k = 0; k < COUNT(of); k++) {
        ck_assert_int_eq(all->at[k].kind, of[k].kind);
        ck_assert(hypotheses_have(all, of[k].text));
    }
    ck_assert_str_eq(all->at[5].size, "n");
    ck_assert_int_eq(all->at[5].least, 12);
    ck_assert_str_eq(hypotheses_join(all, hypotheses_of("h = 1; invertible W_Q"))->text, all->text);
    ck_assert_str_eq(hypotheses_of("b c; a; ; b c;")->text, "b c; a");
    ck_assert(!hypotheses_have(all, "invertible W") && !hypotheses_have(all, ""));
}
END_TEST

START_TEST(sym_says_what_was_used)
{
    arith R = arith_sym();
    scope s = scope_open(&R, 1, 0);
    output[_i].run(&s);
    ck_assert_str_eq(arith_sym_uses(&R), output[_i].uses);
    ck_assert_str_eq(arith_sym_uses(&R), output[_i].uses);            /* asking changes nothing */
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* ---- what the runner makes of it ------------------------------------------------------------------ */

static void key_inverted(trial *t)                                  /* X W_K W_K^-1 W_Q W_Q^-1 = X */
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    const mat *K = mat_draw(s, "W_K", t->sh.d, t->sh.d, 0), *Q = mat_draw(s, "W_Q", t->sh.d, t->sh.d, 0);
    const mat *there = mat_mul3(s, X, K, Q), *back = mat_mul(s, mat_inv(s, Q), mat_inv(s, K));
    claim_equal(t, "there and back", X, mat_mul(s, there, back));
}

static row run_with(const char *of_claim, const char *of_part, bool as_control)
{
    static const control slip = { "slip", key_inverted, "nothing" };
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = key_inverted, .assumes = of_part };
    const claim C = { .id = "T", .assumes = of_claim, .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .control = as_control ? &slip : NULL, .seed = 1, .over = { .kind = A_SYM },
              .sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2 } };
    ck_assert_ptr_null(shape_complete(&j.sh));
    return runner_run(&j, NULL, NULL);
}

/* Over q a row map is linear, unless the part keeps its own; the row's shape says which. */
static void single_token(trial *t)                                  /* one weight, and softmax makes it 1 */
{
    const mat *S = mat_draw(&t->s, "S", 1, 1, 0);
    const rowmap how = { .kind = t->sh.attention, .scale_num = 1, .scale_den = 1 };
    claim_equal(t, "weight 1", mat_rowmap(&t->s, S, &how, here), mat_identity(&t->s, 1));
}
START_TEST(row_map_over_q)
{
    for (int own = 0; own < 2; own++) {
        const part P = { .name = "as-stated", .kind = PART_GAP, .run = single_token, .own_row_map = own };
        const claim C = { .id = "T", .parts = &P, .nparts = 1 };
        job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_Q },
                  .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = 2 } };
        ck_assert_ptr_null(shape_complete(&j.sh));
        const row r = runner_run(&j, NULL, NULL);
        ck_assert_int_eq(r.verdict, own ? HOLDS : REFUTED);
        ck_assert_int_eq(strstr(r.shape->text, "attention=linear") != NULL, !own);
        ck_assert_str_eq(r.truths->text, own ? "holds weight 1" : "refuted weight 1");
        ck_assert_str_eq(r.build, libraries_text());
    }
}
END_TEST

/* Facts that no balls show are of the functions that were asked for, or of none: q has neither softmax nor GELU. */
static void any_functions(trial *t)
{
    const rowmap how = { .kind = t->sh.attention, .scale_num = 1, .scale_den = 1 };
    const mat *S = mat_draw(&t->s, "S", 2, 2, 0);
    const mat *P = t->sh.L == 1 ? mat_phi(&t->s, S, t->sh.act, here) : mat_rowmap(&t->s, S, &how, here);
    claim_differs(t, "S", P, mat_t(&t->s, S));
}
START_TEST(facts_of_q_alone_are_of_the_real_functions)
{
    static const struct { part_kind kind; const char *without; truth is; } of[] = {
        { PART_GAP, "f64 mpfr arb fp sym", UNDECIDED }, { PART_GAP, NULL, HOLDS }, { PART_IDENTITY, "arb", HOLDS } };
    for (size_t k = 0; k < COUNT(of); k++)
        for (long L = 1; L <= 2; L++) {
            const part P = { .name = "as-stated", .kind = of[k].kind, .run = any_functions, .without = of[k].without };
            const claim C = { .id = "T", .parts = &P, .nparts = 1 };
            job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_Q },
                      .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = L } };
            ck_assert_ptr_null(shape_complete(&j.sh));
            const row r = runner_run(&j, NULL, NULL);
            ck_assert_int_eq(r.verdict, of[k].is);
            ck_assert_int_eq(r.skipped, of[k].is == UNDECIDED);
        }
}
END_TEST

static const struct { const char *of_claim, *of_part; bool good; const char *note; } declared[] = {
    { NULL, "invertible W_K; invertible W_Q", true, "" },
    { "invertible W_K; invertible W_Q", NULL, true, "" },
    { NULL, "invertible W_Q; orthogonal U; invertible W_K", true, "" },        /* any order, more than is used */
    { NULL, NULL, false, "uses a hypothesis that is not declared: invertible W_K" },
    { NULL, "invertible W_Q", false, "uses a hypothesis that is not declared: invertible W_K" },
    { NULL, "invertible W_K", false, "uses a hypothesis that is not declared: invertible W_Q" },
    { "invertible W_K; invertible W_Q", "invertible W_Q", false,               /* the part's list is its own */
      "uses a hypothesis that is not declared: invertible W_K" },
    { NULL, "invertible W_Q; invertible W_K2", false, "uses a hypothesis that is not declared: invertible W_K" },
    { NULL, "invertible W; invertible W_Q", false, "uses a hypothesis that is not declared: invertible W_K" },
};

START_TEST(used_minus_declared)
{
    const row r = run_with(declared[_i].of_claim, declared[_i].of_part, false);
    ck_assert_str_eq(r.uses->text, "invertible W_K; invertible W_Q");
    ck_assert_int_eq(r.verdict, declared[_i].good ? HOLDS : UNDECIDED);
    ck_assert(r.undeclared == !declared[_i].good);
    ck_assert_str_eq(r.note, declared[_i].note);
    ck_assert(!r.skipped);
}
END_TEST

/* A number of heads is a hypothesis where it is declared and the model has just as many: two, here. */
START_TEST(declared_heads)
{
    static const struct { const char *declared, *uses; } of[] = {
        { "h = 2; invertible W_K; invertible W_Q", "h = 2; invertible W_K; invertible W_Q" },
        { "invertible W_K; invertible W_Q; h = 2", "h = 2; invertible W_K; invertible W_Q" },
        { "h = 1; invertible W_K; invertible W_Q", "invertible W_K; invertible W_Q" },
        { "h = 22; invertible W_K; invertible W_Q", "invertible W_K; invertible W_Q" },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        const row r = run_with(of[k].declared, NULL, false);
        ck_assert_str_eq(r.uses->text, of[k].uses);
        ck_assert_int_eq(r.verdict, HOLDS);
    }
}
END_TEST

/* What a body asks of its arithmetic is a check where the answer is another than that of symbols. */
static over_what asked;
static bool answered;
static int  asked_over;                  /* not by the runner, of a derivation, over F_q                */
static void asks(trial *t)
{
    const bool is_so = claim_over(t, asked);
    if ((int)t->s.R->kind == asked_over) answered = is_so;
    key_inverted(t);
}
enum { NO, YES };
static const struct { over_what what; int f64, arb, fp, q, sym; } questions[] = {
    { OVER_ENTRIES, YES, YES, YES, YES, NO }, { OVER_REALS, YES, YES, NO, NO, NO }, { OVER_BALLS, NO, YES, NO, NO, NO },
    { OVER_RATIONALS, NO, NO, NO, YES, NO }, { OVER_EXACT, NO, NO, YES, YES, NO },
    { OVER_ORDERED, YES, YES, NO, YES, NO },
    { OVER_FORMAL, NO, NO, YES, NO, YES }, { OVER_FUNCTIONS, YES, YES, YES, NO, YES } };

START_TEST(what_a_body_asks)
{
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = asks,
                     .assumes = "invertible W_K; invertible W_Q" };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    static const int over[] = { A_F64, A_ARB, A_FP, A_Q, A_SYM };
    for (size_t k = 0; k < COUNT(over); k++) {
        job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = over[k] },
                  .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = 2 } };
        ck_assert_ptr_null(shape_complete(&j.sh));
        asked = questions[_i].what;
        asked_over = over[k];
        const row r = runner_run(&j, NULL, NULL);
        const int symbols = questions[_i].sym;
        const int answers[] = { questions[_i].f64, questions[_i].arb, questions[_i].fp, questions[_i].q, symbols };
        ck_assert_int_eq(r.verdict, HOLDS);
        ck_assert_msg(answered == answers[k], "question %d over %s", (int)asked, arith_names[over[k]]);
        ck_assert_int_eq(evidence_row_shows(&r, UNSEEN_BY_SYMBOLS), answers[k] != symbols);
    }
}
END_TEST

/* A question is no check: a body that does nothing else shows nothing. */
static void asks_alone(trial *t) { claim_over(t, OVER_RATIONALS); }
START_TEST(a_question_is_no_check)
{
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = asks_alone };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_Q },
              .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = 2 } };
    ck_assert_ptr_null(shape_complete(&j.sh));
    const row r = runner_run(&j, NULL, NULL);
    ck_assert_int_eq(r.verdict, UNDECIDED);
    ck_assert_int_eq(r.checks, 0);
}
END_TEST

START_TEST(a_control_may_use_anything)
{
    const row r = run_with(NULL, NULL, true);
    ck_assert(!r.undeclared);
    ck_assert_int_eq(r.verdict, HOLDS);
}
END_TEST

/* ---- what a derivation does not see ------------------------------------------------------------------ */

static void sum_or_product(trial *t, bool sum, const char *what)
{
    const mat *A = mat_draw(&t->s, "A", 2, 2, 0), *B = mat_draw(&t->s, "B", 2, 2, 0);
    if (sum) claim_equal(t, what, mat_add(&t->s, A, B), mat_add(&t->s, B, A));
    else claim_equal(t, what, mat_mul(&t->s, A, B), mat_mul(&t->s, B, A));
}
static void sums(trial *t)      { sum_or_product(t, true, "AB = BA"); }
static void by_seed(trial *t)   { sum_or_product(t, t->seed == 1, "AB = BA"); }
static void by_number(trial *t) { sum_or_product(t, t->number < 1000, "AB = BA"); }
static void by_relu(trial *t)   { sum_or_product(t, t->sh.act != ACT_RELU, "AB = BA"); }
static void by_silu(trial *t)   { sum_or_product(t, t->sh.act != ACT_SILU, "AB = BA"); }
static void unseen(trial *t)    { sum_or_product(t, true, UNSEEN_BY_SYMBOLS); }
static void decided(trial *t)   { sum_or_product(t, true, DECIDED_BESIDE "AB = BA"); }
START_TEST(guards_run_what_nobody_plans)
{
    static const struct { body *run; const char *note; } of[] = {
        { sums, "" }, { by_seed, "over F_q: refuted: AB = BA" }, { by_number, "over F_q: refuted: AB = BA" },
        { by_relu, "with act = relu over F_q" }, { by_silu, "with act = silu over F_q" },
        { unseen, "a check by a name of the runner's" }, { decided, "a check by a name of the runner's" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = of[k].run };
        const claim C = { .id = "T", .parts = &P, .nparts = 1 };
        job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_SYM },
                  .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = 2 } };
        ck_assert_ptr_null(shape_complete(&j.sh));
        const row r = runner_run(&j, NULL, NULL);
        ck_assert_int_eq(r.verdict, *of[k].note ? UNDECIDED : HOLDS);
        ck_assert_msg(strstr(r.note, of[k].note) != NULL, "no `%s` in `%s`", of[k].note, r.note);
    }
}
END_TEST

/* A declared setting is one of the trial's models, and joins what the row uses; else it is declared in vain. */
START_TEST(declared_settings_are_those_of_the_trial)
{
    static const struct { const char *models, *uses, *note; } of[] = {
        { "L = 2; d = h d_k; scale = 1/sqrt(d_k); norm = none", "norm = none; L = 2; d = h d_k; scale = 1/sqrt(d_k)", "" },
        { "L = 3", "", "is of other models than those declared: L = 3" },
        { "scale = 1", "", "is of other models than those declared: scale = 1" },
        { "another n", "", "is of other models than those declared: another n" },
        { "norm = layer", "", "is of other models than those declared: norm = layer" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .models = of[k].models };
        const claim C = { .id = "T", .parts = &P, .nparts = 1 };
        job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_SYM },
                  .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = 2 } };
        ck_assert_ptr_null(shape_complete(&j.sh));
        const row r = runner_run(&j, NULL, NULL);
        ck_assert_int_eq(r.verdict, *of[k].note ? UNDECIDED : HOLDS);
        ck_assert_int_eq(r.undeclared, *of[k].note != '\0');
        ck_assert_str_eq(r.note, of[k].note);
        ck_assert_str_eq(r.uses->text, of[k].uses);
    }
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .models = "d = h d_k" };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_SYM },
              .sh = { .n = 3, .d = 5, .dk = 2, .h = 2, .m = 8, .V = 5, .L = 2 } };
    ck_assert_ptr_null(shape_complete(&j.sh));
    ck_assert_str_eq(runner_run(&j, NULL, NULL).note, "is of other models than those declared: d = h d_k");
}
END_TEST

/* ---- on paper --------------------------------------------------------------------------------------- */

static const struct { bool undeclared, skipped; model_depth depth; } written[] = {
    { false, false, DEPTH_NONE }, { true, false, DEPTH_RUN }, { false, true, DEPTH_EVERY } };

START_TEST(rows_come_back_as_they_were)
{
    char *path = temp_folder(), *file = temp_path(path, "rows.csv");
    row r = run_with(NULL, "invertible W_K; invertible W_Q", false);
    r.undeclared = written[_i].undeclared;
    r.skipped = written[_i].skipped;
    r.depth = written[_i].depth;
    FILE *f = fopen(file, "w");
    evidence_row_header(f);
    evidence_row_write(f, &r);
    fclose(f);
    rows all = { 0 };
    evidence_rows_read(&all, file);
    ck_assert_int_eq(all.n, 1);
    ck_assert(all.at[0].undeclared == r.undeclared);
    ck_assert(all.at[0].skipped == r.skipped);
    ck_assert_int_eq(all.at[0].depth, r.depth);
    ck_assert_str_eq(all.at[0].uses->text, r.uses->text);
    ck_assert_str_eq(all.at[0].what, r.what);
    evidence_rows_free(&all);
}
END_TEST

/* ---- skipped: neither for nor against ---------------------------------------------------------------- */

static void not_here(trial *t)     { scope_not_here(&t->s, REASON_NO_FUNCTION, "no such function"); }
static void failed_first(trial *t) { scope_undecided(&t->s, REASON_SINGULAR, NULL); not_here(t); }

START_TEST(not_here_is_not_a_failure)
{
    static const struct { body *run; bool skipped; const char *note; } is[] = {
        { not_here, true, "no such function" }, { failed_first, false, "no inverse found" } };
    for (size_t k = 0; k < COUNT(is); k++)
        for (int kind = 0; kind < ARITHS; kind++) {
            const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = is[k].run };
            const claim C = { .id = "T", .parts = &P, .nparts = 1 };
            job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = kind },
                      .sh = { .n = 3, .d = 4, .h = 2, .m = 8, .V = 5, .L = 2 } };
            ck_assert_ptr_null(shape_complete(&j.sh));
            const row r = runner_run(&j, NULL, NULL);
            ck_assert_int_eq(r.verdict, UNDECIDED);
            ck_assert_msg(r.skipped == is[k].skipped, "%s", arith_names[kind]);
            ck_assert_str_eq(r.note, is[k].note);
        }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("hypotheses");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, kinds_of_hypotheses);
    tcase_add_test(all, row_map_over_q);
    tcase_add_test(all, declared_settings_are_those_of_the_trial);
    tcase_add_test(all, guards_run_what_nobody_plans);
    tcase_add_test(all, facts_of_q_alone_are_of_the_real_functions);
    tcase_add_loop_test(all, sym_says_what_was_used, 0, COUNT(output));
    tcase_add_loop_test(all, used_minus_declared, 0, COUNT(declared));
    tcase_add_test(all, declared_heads);
    tcase_add_loop_test(all, what_a_body_asks, 0, COUNT(questions));
    tcase_add_test(all, a_question_is_no_check);
    tcase_add_test(all, a_control_may_use_anything);
    tcase_add_loop_test(all, rows_come_back_as_they_were, 0, COUNT(written));
    tcase_add_test(all, not_here_is_not_a_failure);
    return run_suite(suite, argc, argv);
}
