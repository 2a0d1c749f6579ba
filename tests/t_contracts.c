/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_contracts.c - every REQUIRE that a caller can break fires, once, with its message. */
#include <math.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "numerics/f64_error.h"
#include "numerics/random.h"
#include "src/model/balanced.h"
#include "src/model/denorm.h"
#include "src/model/dual.h"
#include "src/methods/relu/relu.h"
#include "src/methods/order/hull.h"
#include "src/methods/order/ldl.h"
#include "src/methods/measure/rounding.h"
#include "src/checkpoint/settings.h"
#include "src/checkpoint/sheet.h"
#include "src/checkpoint/weight_matrix.h"
#include "src/claim/program/program.h"
#include "src/methods/order/spectrum.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 0, 0 };

typedef struct { scope s, other; const mat *A, *P; model M; } world;       /* A 2x2, P 2x3 */
typedef struct { const char *name; void (*breaks)(world *w); const char *says; } contract;

static void undecided_for_nothing(world *w) { scope_undecided(&w->s, REASON_NONE, NULL); }
static void undecided_skip(world *w)    { scope_undecided(&w->s, REASON_NO_ORDER, NULL); }
static void skip_of_a_failure(world *w) { scope_not_here(&w->s, REASON_SINGULAR, NULL); }
static void empty_matrix(world *w)      { mat_zero(&w->s, 0, 1); }
static void empty_identity(world *w)    { mat_identity(&w->s, 0); }
static void empty_ones(world *w)        { mat_ones(&w->s, 1, 0); }
static void no_fan_in(world *w)         { (void)w; mat_log2_fan_in(0); }
static void unequal_sum(world *w)       { mat_add(&w->s, w->A, w->P); }
static void unequal_difference(world *w){ mat_sub(&w->s, w->A, w->P); }
static void unequal_hadamard(world *w)  { mat_hadamard(&w->s, w->A, w->P); }
static void wrong_product(world *w)     { mat_mul(&w->s, w->P, w->A); }
static void null_operand(world *w)      { mat_mul(&w->s, NULL, w->A); }
static void wrong_diagonal(world *w)    { mat_scale_rows(&w->s, w->P, w->A); }
static void foreign_matrix(world *w)    { mat_t(&w->other, w->A); }
static void inverse_of_oblong(world *w) { mat_inv(&w->s, w->P); }
static void columns_beyond(world *w)    { mat_cols(&w->s, w->P, 2, 2); }
static void rows_beyond(world *w)       { mat_rows(&w->s, w->P, -1, 1); }
static void no_blocks(world *w)         { mat_hcat(&w->s, 0, NULL); }
static void uneven_blocks(world *w)     { mat_vcat(&w->s, 2, (const mat *[]){ w->A, w->P }); }
static void error_of_plain_doubles(world *w)
{
    arith R = arith_f64();
    scope s = scope_open(&R, 0, 0);
    (void)w;
    f64_error(mat_identity(&s, 1), 0, 0);
}
static void error_of_long_sums(world *w)
{
    arith R = arith_f64_bounded();
    scope s = scope_open(&R, 0, 0);
    (void)w;
    mat_mul(&s, mat_zero(&s, 1, 1 << 20), mat_zero(&s, 1 << 20, 1));
}
static void doubles_with_bounds(world *w)
{
    arith R = arith_f64_bounded();
    scope s = scope_open(&R, 0, 0);
    (void)w;
    arith_f64_set(mat_blank(&s, 1, 1), (double[]){ 1 });
}
static void head_too_wide(world *w)     { balanced_planted(&w->s, 0, 2, 3); }
static void normless_tied(world *w)
{
    shape sh = w->M.s;
    sh.biases = sh.tied = true;
    denorm_random(&w->s, sh);
}
static void round_of_width(scope *s, long d)
{
    shape sh = { .n = 1, .d = d, .h = 1, .m = 1, .V = 1, .L = 1 };
    if (!shape_complete(&sh)) rounding_exponent(s, sh, ROUNDING_QUERY);
}
static void rounding_elsewhere(world *w) { round_of_width(&w->other, 2); }
static void rounding_of_width_1(world *w)
{
    arith R = arith_f64();
    scope s = scope_open(&R, 0, 0);
    (void)w;
    round_of_width(&s, 1);
}
static void entry_beyond(world *w)      { mat_entry(&w->s, w->A, 0, 2); }
static void value_beyond(world *w)      { mat_get_d(w->A, 0, -1); }
static void exact_value_beyond(world *w)
{
    mpq_t x;
    mpq_init(x);
    (void)mat_get_exact(x, w->A, 2, 1);
    mpq_clear(x);
}
static void unit_beyond(world *w)       { mat_unit(&w->s, 2, 2, 2, 0); }
static void no_diagonal(world *w)       { mat_diag_dyadic(&w->s, 0, NULL, 0); }
static void wide_factor(world *w)       { mat_scale_by(&w->s, w->A, w->A); }
static void no_denominator(world *w)    { mat_ratio(&w->s, 1, 0); }
static void block_beyond(world *w)      { mat_put(mat_blank(&w->s, 2, 2), 1, 0, w->A, 0, 0, 2, 2); }
static void foreign_block(world *w)     { mat_put(mat_blank(&w->other, 2, 2), 0, 0, w->A, 0, 0, 2, 2); }
static void long_name(world *w)         { mat_draw_at(&w->s, "a name of more than forty-eight characters in all", 1, 2, 1, 1, 0); }
static void nudge_beyond(world *w)      { mat_nudge(&w->s, w->A, 2, 0); }
static void no_neurons(world *w)        { (void)w; relu_net f; relu_net_init(&f, 2, 0, 2); }
static void unfit_neurons(world *w)     { relu_net f = relu_net_of(w->P, w->P, NULL); relu_net_clear(&f); }
static void unfit_skip(world *w)        { relu_net f = relu_net_of(w->A, w->A, w->P); relu_net_clear(&f); }
static void draws_of_nothing(world *w)  { relu_draw(&w->other, "W", 2, 2, 0); }
static void large_J(world *w)           { relu_planted(&w->other, 2, 3, 4, NULL); }
static void small_J(world *w)           { relu_planted(&w->other, 2, 3, 1, mat_identity(&w->other, 2)); }
static void many_subsets(world *w)
{
    const mat *W1 = mat_zero(&w->other, 25, 1), *W2 = mat_zero(&w->other, 1, 25);
    relu_count_subsets(W1, W2, mat_identity(&w->other, 1));
}
static void many_sums(world *w)         { relu_count_sums(mat_zero(&w->other, 25, 1), mat_zero(&w->other, 1, 25)); }
static void sums_of_fractions(world *w) { relu_count_sums(mat_dyadic(&w->other, 1, 1, (int64_t[]){ 1 }, -1), mat_identity(&w->other, 1)); }
static void odd_rotation(world *w)      { mat_rotate(&w->s, w->P); }
static void no_scale(world *w)          { mat_rowmap(&w->s, w->A, &(rowmap){ ROWMAP_SOFTMAX, NULL, 0, 1 }, (place){ 0, 0, 0 }); }
static void compared_with_itself(world *w)
{
    comparison c = mat_compare(w->A, w->A, 0);
    (void)c;
}
static void compared_across(world *w)
{
    comparison c = mat_compare(w->A, mat_zero(&w->other, 2, 2), 0);
    (void)c;
}
static void incomplete_shape(world *w)  { model_random(&w->s, (shape){ .n = 1 }); }
static void composite_modulus(world *w) { (void)w; arith_fp(9, key); }
static void empty_range(world *w)       { (void)w; random_below(key, 0, 0); }
static void small_buffer(world *w)      { char b[8]; shape_print(b, sizeof b, &w->M.s); }
static void nothing_reduced(world *w)
{
    trial t = { .s = w->s, .record = { .mode = TRIAL_MINIMAL } };
    claim_reduced(&t, 0, NULL);
}
static void sign_beyond(world *w)       { order_sign(&w->s, w->A, 0, 2); }
static void pivots_of_oblong(world *w)  { ldl_of(&w->s, w->P); }
static void spectrum_of_oblong(world *w){ claim_real_spectrum(&(trial){ .s = w->s }, w->P); }
static void balls_of_oblong(world *w)
{
    eigenvalue e[2];
    if (arith_arb_eigenvalues(w->P, e)) return;
}
static void hull_elsewhere(world *w)
{
    arith exact = arith_q(key);
    trial t = { .s = scope_open(&exact, 1, 1) };
    (void)w;
    claim_outside_hull(&t, mat_zero(&t.s, 3, 2), mat_zero(&t.s, 1, 3));
}
static void wrong_rationals(world *w)
{
    fmpq_mat_t to;
    fmpq_mat_init(to, 3, 2);
    order_rationals(to, w->P);
}
static void wrong_point(world *w)
{
    (void)w;
    fmpq_mat_t X, z;
    fmpq_mat_init(X, 3, 2);
    fmpq_mat_init(z, 1, 3);
    hull h = hull_decide(X, z);
    (void)h;
}

static void derive(world *w, norm_kind norm, activation act)
{
    const shape sh = { .n = 2, .d = 2, .h = 1, .m = 2, .V = 2, .L = 1, .norm = norm, .act = act };
    const model M = model_random(&w->s, sh), along = dual_no_direction(&M);
    dual_derivative(&w->s, &M, &along);
}
static void derivative_of_norm(world *w) { derive(w, NORM_RMS, ACT_TANH); }
static void derivative_of_gelu(world *w) { derive(w, NORM_NONE, ACT_GELU); }

/* 3 x 2 balls, or their transpose, from (i, j) of a tensor of 4 x 3 on */
static void put_on_sheet(bool turned, long i, long j)
{
    arith R = arith_arb(64);
    scope s = scope_open(&R, 0, 0);
    sheet to = sheet_of("W_V", "F32", 4, 3);
    sheet_put(&to, mat_zero(&s, 3, 2), turned, i, j);
}
static void rows_off_the_sheet(world *w)    { (void)w; put_on_sheet(false, 2, 1); }
static void columns_off_the_sheet(world *w) { (void)w; put_on_sheet(false, 1, 2); }
static void turned_off_the_sheet(world *w)  { (void)w; put_on_sheet(true, 2, 1); }
static void setting_without_a_row(world *w)
{
    (void)w;
    key_value(&(settings){ .before = "", .path = "x", .of = architecture_called("llama") }, "no_such_key");
}
static void sheet_of_integers(world *w)     { (void)w; sheet_of("W_V", "I8", 4, 3); }

static void line_that_is_not_there(world *w)
{
    (void)w;
    double x[6] = { 0 };
    weight_matrix m = weight_matrix_whole(2, 3, x, NUMBERS_F64);
    weight_matrix_at(&m, 2, 0);
}
static void matrix_that_is_not_there(world *w)
{
    (void)w;
    const weight_tensor *at[ROLES] = { NULL };
    weight_matrix_of(&(transformer){ .at = at }, ROLE_HEAD, -1, false, 0);
}

/* ---- names of parts and controls */

static void nothing(trial *t) { (void)t; }
static void declares(const part *parts, size_t n)
{
    const claim C = { .id = "K-TEST", .title = "t", .where = "", .parts = parts, .nparts = n };
    program_require_declarations(&C);
}
static void part_is_called(const char *name) { declares(&(part){ .name = name, .run = nothing }, 1); }
static void control_is_called(const char *name)
{
    const control one = { name, nothing, "why" };
    declares(&(part){ .name = "as-stated", .run = nothing, .controls = &one, .ncontrols = 1 }, 1);
}
static void two_parts_of_a_name(world *w)
{
    (void)w;
    declares((part[]){ { .name = "as-stated", .run = nothing }, { .name = "corrected", .run = nothing },
                       { .name = "as-stated", .run = nothing } }, 3);
}
static void two_controls_of_a_name(world *w)
{
    static const control same[] = { { "broken", nothing, "why" }, { "other", nothing, "why" }, { "broken", nothing, "why" } };
    (void)w;
    declares(&(part){ .name = "as-stated", .run = nothing, CONTROLS(same) }, 1);
}
static void two_parts_but_for_case(world *w)
{
    (void)w;
    declares((part[]){ { .name = "as-stated", .run = nothing }, { .name = "As-stated", .run = nothing } }, 2);
}
static void two_controls_but_for_case(world *w)
{
    static const control same[] = { { "broken", nothing, "why" }, { "BROKEN", nothing, "why" } };
    (void)w;
    declares(&(part){ .name = "as-stated", .run = nothing, CONTROLS(same) }, 1);
}
static void registers(const char *id, const char *file)
{
    static const claim one = { .id = "K-ONE" };
    const claim other = { .id = id };
    claim_register(&one, "theorems/k_one.c");
    claim_register(&other, file);
}
static void two_claims_of_a_file(world *w)   { (void)w; registers("K-TWO", "theorems/k_one.c"); }
static void two_claims_of_an_id(world *w)    { (void)w; registers("K-ONE", "theorems/k_two.c"); }
static void part_called_Claim(world *w)      { (void)w; part_is_called("Claim"); }
static void control_called_Minimal(world *w) { (void)w; control_is_called("Minimal"); }
static void part_called_claim(world *w)      { (void)w; part_is_called("claim"); }
static void part_called_minimal(world *w)    { (void)w; part_is_called("minimal"); }
static void part_of_two_lines(world *w)      { (void)w; part_is_called("as-stated\nx"); }
static void part_without_name(world *w)      { (void)w; part_is_called(""); }
static void part_that_is_a_path(world *w)    { (void)w; part_is_called("as/stated"); }
static void part_of_two_words(world *w)      { (void)w; part_is_called("as stated"); }
static void part_like_an_option(world *w)    { (void)w; part_is_called("-as-stated"); }
static void control_called_claim(world *w)   { (void)w; control_is_called("claim"); }
static void control_called_minimal(world *w) { (void)w; control_is_called("minimal"); }
static void control_of_two_lines(world *w)   { (void)w; control_is_called("broken\n"); }
static void control_with_a_comma(world *w)   { (void)w; control_is_called("a,b"); }
static void control_with_escape(world *w)    { (void)w; control_is_called("a\033[2J"); }
static void control_with_quote(world *w)     { (void)w; control_is_called("a\"b"); }

static const contract contracts[] = {
    { "a setting has a row", setting_without_a_row, "no architecture has a key no_such_key" },
    { "rows lie on the sheet", rows_off_the_sheet, "W_V: 3 x 2 at 2, 1" },
    { "columns lie on the sheet", columns_off_the_sheet, "W_V: 3 x 2 at 1, 2" },
    { "turned matrices lie on the sheet", turned_off_the_sheet, "W_V: 3 x 2 at 2, 1" },
    { "types of tensors are known", sheet_of_integers, "type I8" },
    { "lines of weights are there", line_that_is_not_there, "line 2 of 2" },
    { "parts of a model are there", matrix_that_is_not_there, "head of layer -1" },
    { "derivatives are of plain models", derivative_of_norm, "switches" },
    { "derivatives are of tanh", derivative_of_gelu, "activation 0" },
    { "a failure has a reason", undecided_for_nothing, "undecided without a failure" },
    { "a skip is no failure", undecided_skip, "undecided without a failure: this arithmetic does not decide signs" },
    { "a failure is no skip", skip_of_a_failure, "skipped although something failed: no inverse found" },
    { "a matrix has entries", empty_matrix, "0 x 1" },
    { "an identity has entries", empty_identity, "size 0" },
    { "ones have entries", empty_ones, "1 x 0" },
    { "fan-in is positive", no_fan_in, "fan-in 0" },
    { "sums have equal shapes", unequal_sum, "2x2 and 2x3" },
    { "differences have equal shapes", unequal_difference, "2x2 and 2x3" },
    { "entrywise products have equal shapes", unequal_hadamard, "2x2 and 2x3" },
    { "products fit", wrong_product, "2x3 times 2x2" },
    { "operands exist", null_operand, "0x0 times 2x2" },
    { "diagonals are columns", wrong_diagonal, "diag(2x3)" },
    { "one arithmetic a scope", foreign_matrix, "a matrix over f64 in a scope over q" },
    { "inverses are of square matrices", inverse_of_oblong, "inverse of 2x3" },
    { "columns exist", columns_beyond, "columns 2..3 of 3" },
    { "rows exist", rows_beyond, "rows -1..-1 of 2" },
    { "blocks exist", no_blocks, "0 blocks" },
    { "blocks fit", uneven_blocks, "block 1 is 2x3" },
    { "entries exist", nudge_beyond, "entry (2, 0) of 2x2" },
    { "entries are inside", entry_beyond, "columns 2..2 of 2" },
    { "values are of entries", value_beyond, "entry (0, -1) of 2x2" },
    { "exact values are of entries", exact_value_beyond, "entry (2, 1) of 2x2" },
    { "units are inside", unit_beyond, "entry (2, 0) of 2x2" },
    { "diagonals have entries", no_diagonal, "a diagonal matrix of size 0" },
    { "factors are numbers", wide_factor, "a factor of 2x2" },
    { "denominators are positive", no_denominator, "the number 1/0" },
    { "blocks lie inside", block_beyond, "2x2 from (0, 0) of 2x2 to (1, 0) of 2x2" },
    { "blocks are of one arithmetic", foreign_block, "a block over f64 into a matrix over q" },
    { "names are short", long_name, "is too long" },
    { "doubles without bounds are filled", doubles_with_bounds, "over f64" },
    { "errors are asked for", error_of_plain_doubles, "errors are bounded over arith_f64_bounded, not over f64" },
    { "sums have fewer than 2^20 terms", error_of_long_sums, "the error of a sum of 1048576 products" },
    { "RoPE turns pairs", odd_rotation, "rotation of 3 columns" },
    { "scales are positive", no_scale, "sqrt(0/1)" },
    { "comparisons are of two objects", compared_with_itself, "compared with itself" },
    { "comparisons are in one arithmetic", compared_across, "over f64 against one over q" },
    { "models have complete shapes", incomplete_shape, "h must be" },
    { "moduli are prime", composite_modulus, "9" },
    { "ranges are not empty", empty_range, "empty range" },
    { "buffers hold a shape", small_buffer, "buffer of 8" },
    { "networks have neurons", no_neurons, "from 2 over 0 to 2" },
    { "W1 and W2 fit", unfit_neurons, "W1 is 2x3, W2 is 2x3" },
    { "the skip fits", unfit_skip, "Z is 2x3" },
    { "draws have a bound", draws_of_nothing, "2x2 up to 0" },
    { "J is a set of neurons", large_J, "J of size 4 among 3" },
    { "J is not too small", small_J, "J of size 1 among 3" },
    { "subsets can be tried", many_subsets, "25 neurons" },
    { "sums can be counted", many_sums, "25 neurons" },
    { "sums are of integers", sums_of_fractions, "not an integer of 18 bits" },
    { "the minimal control has a matrix", nothing_reduced, "0 reduced matrices" },
    { "signs are of entries", sign_beyond, "sign of entry (0, 2) of 2x2" },
    { "L D L' is of square matrices", pivots_of_oblong, "L D L' of 2x3" },
    { "spectra are of square matrices", spectrum_of_oblong, "spectrum of 2x3" },
    { "eigenvalues are of square matrices", balls_of_oblong, "eigenvalues of 2x3" },
    { "norms are removed from untied models", normless_tied, "a head of its own" },
    { "rounding is measured in doubles", rounding_elsewhere, "norm 0" },
    { "condition numbers need two singular values", rounding_of_width_1, "d = 1" },
    { "a planted head is no wider than the stream", head_too_wide, "width 3 in a stream of width 2" },
    { "a hull and a point have one dimension", wrong_point, "a point of 1x3 among points of 3x2" },
    { "a hull and points have one dimension", hull_elsewhere, "points of 3x2 and of 1x3" },
    { "rational copies have the same shape", wrong_rationals, "2x3 into 3x2" },
    { "a file has one claim", two_claims_of_a_file, "theorems/k_one.c registers K-TWO, where K-ONE is the claim of theorems/k_one.c" },
    { "an id is of one file", two_claims_of_an_id, "theorems/k_two.c registers K-ONE, where K-ONE is the claim of theorems/k_one.c" },
    { "parts have names of their own", two_parts_of_a_name, "K-TEST has two parts called as-stated" },
    { "controls have names of their own", two_controls_of_a_name, "as-stated has two controls called broken" },
    { "parts differ in more than case", two_parts_but_for_case, "K-TEST has two parts called As-stated" },
    { "controls differ in more than case", two_controls_but_for_case, "as-stated has two controls called BROKEN" },
    { "no part is called Claim", part_called_Claim, "claim and minimal are cases of every part" },
    { "no control is called Minimal", control_called_Minimal, "claim and minimal are cases of every part" },
    { "no part is called claim", part_called_claim, "claim and minimal are cases of every part" },
    { "no part is called minimal", part_called_minimal, "claim and minimal are cases of every part" },
    { "a part's name is one line", part_of_two_lines, "part: a name of letters, digits and ._=- has the character 10" },
    { "a part has a name", part_without_name, "a name begins with a letter or a digit" },
    { "a part's name is no path", part_that_is_a_path, "has the character 47" },
    { "a part's name is one word", part_of_two_words, "has the character 32" },
    { "a part's name is no option", part_like_an_option, "a name begins with a letter or a digit" },
    { "no control is called claim", control_called_claim, "claim and minimal are cases of every part" },
    { "no control is called minimal", control_called_minimal, "claim and minimal are cases of every part" },
    { "a control's name is one line", control_of_two_lines, "control: a name of letters" },
    { "a control's name is one cell", control_with_a_comma, "has the character 44" },
    { "a control's name shows nothing else", control_with_escape, "has the character 27" },
    { "a control's name needs no quotes", control_with_quote, "has the character 34" },
};

static int fired;
static char message[512];
static _Noreturn void count_and_leave(const char *text)
{
    fired++;
    snprintf(message, sizeof message, "%d %s", fired, text);
    contract_exits(message);
}

static void provoke(void *which)
{
    const contract *c = which;
    arith doubles = arith_f64(), rationals = arith_q(key);
    world w = { .s = scope_open(&doubles, 1, 1), .other = scope_open(&rationals, 1, 1) };
    w.A = mat_draw(&w.s, "A", 2, 2, 0);
    w.P = mat_draw(&w.s, "P", 2, 3, 0);
    contract_set_handler(count_and_leave);
    c->breaks(&w);
}

START_TEST(fires_once)
{
    char output[1024];
    const int status = run_child(provoke, (void *)(uintptr_t)&contracts[_i], output, sizeof output);
    ck_assert_msg(status == CONTRACT_STATUS, "%s: status %d, output: %s", contracts[_i].name, status, output);
    ck_assert_msg(strstr(output, contracts[_i].says) != NULL, "%s: output: %s", contracts[_i].name, output);
    ck_assert_msg(strncmp(output, "contract: 1 ", 12) == 0, "%s: output: %s", contracts[_i].name, output);
}
END_TEST

/* Without a handler of the test's own, a broken contract aborts. */
static void abort_by_default(void *unused) { (void)unused; mat_identity(NULL, 0); }
START_TEST(aborts)
{
    char output[512];
    ck_assert_int_eq(run_child(abort_by_default, NULL, output, sizeof output), 128 + 6);
    ck_assert_ptr_nonnull(strstr(output, "internal error"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("contracts");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, fires_once, 0, COUNT(contracts));
    tcase_add_test(all, aborts);
    return run_suite(suite, argc, argv);
}
