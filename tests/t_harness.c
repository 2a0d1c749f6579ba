/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_harness.c - the runner fails when it must: a claim program made to go wrong in each known way. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/claim/check_figures.h"
#include "src/claim/runner/runner.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- bodies ------------------------------------------------------------------------------------- */

static const mat *named(trial *t, const char *name) { return mat_draw(&t->s, name, t->sh.d, t->sh.d, -1); }

static void associative(trial *t)
{
    const mat *A = named(t, "A"), *B = named(t, "B"), *C = named(t, "C");
    const mat *left = mat_mul3(&t->s, A, B, C);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "(AB)C = A(BC)", left, mat_mul(&t->s, A, mat_mul(&t->s, B, C)));
}
static void without_minimal(trial *t)
{
    const mat *A = named(t, "A"), *B = named(t, "B");
    claim_equal(t, "A + B = B + A", mat_add(&t->s, A, B), mat_add(&t->s, B, A));
}
static void commutes(trial *t)
{
    const mat *A = named(t, "A"), *B = named(t, "B");
    claim_equal(t, "AB = BA", mat_mul(&t->s, A, B), mat_mul(&t->s, B, A));
}
static void says_nothing(trial *t)    { (void)named(t, "A"); }
static void not_a_number(trial *t)
{
    const mat *huge = mat_dyadic(&t->s, 1, 1, (int64_t[]){ 1 }, 1 << 30), *NaN = mat_sub(&t->s, huge, huge);
    claim_equal(t, "inf - inf", mat_mul(&t->s, NaN, huge), mat_mul(&t->s, huge, NaN));
}
static void inverse_of_zero(trial *t)
{
    const mat *O = mat_inv(&t->s, mat_zero(&t->s, 2, 2));
    claim_equal(t, "0^-1", O, mat_zero(&t->s, 2, 2));
}
static void only_over_fp(trial *t)    { t->s.R->kind == A_FP || t->s.R->kind == A_DEG ? without_minimal(t) : commutes(t); }
static void shows_a_false_fact(trial *t) { claim_decided(t, "d is negative", named(t, "A")->rows < 0); }
static void of_literals(trial *t)                        /* A is drawn, and the fact is not of it */
{
    claim_less(t, "1 < 2", mat_identity(&t->s, 1), mat_from_si(&t->s, 1, 1, (long[]){ 2 }));
    claim_equal(t, "A = A I", named(t, "A"), mat_mul(&t->s, named(t, "A"), mat_identity(&t->s, t->sh.d)));
}
static void literal_fact(trial *t) { claim_decided(t, "1 < 2", t->sh.d > 0); }
static void given_fact(trial *t)
{
    const mat *one = mat_given(&t->s, mat_identity(&t->s, 1));
    claim_less(t, "1 < 2", mat_entry(&t->s, one, 0, 0), mat_from_si(&t->s, 1, 1, (long[]){ 2 }));
}
static void rank_too_small(trial *t)     { claim_rank(t, "rank I = d + 1", mat_identity(&t->s, t->sh.d), t->sh.d + 1); }
static void rank_too_large(trial *t)     { claim_rank(t, "rank I = d - 1", mat_identity(&t->s, t->sh.d), t->sh.d - 1); }
static void differs_from_itself(trial *t) { claim_differs(t, "A = A", named(t, "A"), named(t, "A")); }
static void true_then_false(trial *t)    { without_minimal(t); commutes(t); }
static void false_then_true(trial *t)    { commutes(t); without_minimal(t); }
static void nearly_one(trial *t, long bits)                                      /* a gap of 2^-bits, or none */
{
    const mat *one = mat_identity(&t->s, 1), *more = mat_dyadic(&t->s, 1, 1, (int64_t[]){ bits != 0 }, -bits);
    claim_equal(t, "nearly 1", one, mat_add(&t->s, one, more));
}
static void at_half_precision(trial *t)   { nearly_one(t, t->s.R->bits / 2); }
static void sometimes_exact(trial *t)     { nearly_one(t, t->s.R->bits == 256 ? 0 : t->s.R->bits - 2); }
static void ill_conditioned(trial *t)                                       /* kappa about 2^42 */
{
    const mat *A = mat_dyadic(&t->s, 2, 2, (int64_t[]){ 1LL << 40, 1LL << 40, 1LL << 40, (1LL << 40) + 1 }, -40);
    claim_equal(t, "A^-1 = A^-1", mat_inv(&t->s, A), mat_inv(&t->s, A));
}
/* det A = 2^-53: doubles get a pivot of 2^-54 for 2^-53/3, and no digit of the inverse. */
static void hopeless(trial *t)
{
    const int64_t one = 1LL << 53;
    const mat *A = mat_dyadic(&t->s, 2, 2, (int64_t[]){ 3 * one, one, one, 3002399751580331 }, -53);
    claim_equal(t, "A^-1 = A^-1", mat_inv(&t->s, A), mat_inv(&t->s, A));
}
static void typed_figure(trial *t)                      /* the same numbers in every trial: typed, not drawn */
{
    const double x[] = { 0.9, 1.0, 1.1, 1.05, 0.95, 0.99, 1.01, 1.0 };
    claim_measured(t, "mean", NAN, measure_mean(COUNT(x), x), 1);
}
static void figure(trial *t, double predicted)
{
    double x[64];
    gsl_rng r = measure_stream(&t->s, "x");
    measure_normals(&r, COUNT(x), 0.1, x);
    for (size_t k = 0; k < COUNT(x); k++) x[k] += 1;
    claim_measured(t, "mean", NAN, measure_mean(COUNT(x), x), predicted);
}
static void right_figure(trial *t)    { figure(t, 1); }
static void wrong_figure(trial *t)    { figure(t, 2); }
static void breaks_associativity(trial *t)
{
    const mat *A = named(t, "A"), *B = named(t, "B");
    claim_equal(t, "(AB)C = A(BC)", mat_mul(&t->s, A, B), mat_mul(&t->s, B, A));
}
static void skips_some(trial *t)
{
    if (t->number == 1) scope_not_here(&t->s, REASON_NO_QUESTION, NULL);
    without_minimal(t);
}
static void nothing_reduced(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].V = mat_mul(&t->s, M.at[0].V, mat_identity(&t->s, M.at[0].V->cols));
    claim_same_function(t, &M, &R);
}
static void not_eliminated(trial *t)
{
    claim_eliminated(t, "W_Q = I", mat_scale(&t->s, 2, 0, mat_identity(&t->s, t->sh.d)));
}
static void eliminated(trial *t) { claim_eliminated(t, "W_Q = I", mat_inv(&t->s, mat_identity(&t->s, t->sh.d))); }
static void reads_past_the_world(trial *t)
{
    (void)t;
    raise(SIGSEGV);
}

/* ---- claims --------------------------------------------------------------------------------------- */

static const control broken[]   = { { "not-associative", breaks_associativity, "AB is not BA" } };
static const control other_check[] = { { "another-check", commutes, "AB is not BA" } };
static const control own_check[] = { { "own-check", breaks_associativity, "AB is not BA" } };
static const control two_lines[] = { { "own-check", breaks_associativity, "AB is not\nBA" } };
static const control unbroken[] = { { "still-true", associative, "nothing is broken" } };
static const control figures[]  = { { "wrong-figure", wrong_figure, "another prediction" } };
static const control same_figure[] = { { "right-figure", right_figure, "nothing is broken" } };
static const control mute[]     = { { "mute", says_nothing, "nothing is compared" } };
static const shape_case tiny[] = { { { .n = 2, .d = 3, .h = 1, .m = 2, .V = 2, .L = 1 }, false } };

#define MEASURED(body, most) .kind = PART_MEASURED, .run = body, .widest = most, .no_minimal = true
#define ABOUT(check) .statement = "$AB = BA$", .quantity = "AB", .shown_by = check
typedef struct { const char *name; part P; int status; const char *says, *arith; } expectation;
static const expectation expected[] = {
    { "a true claim passes", { .run = associative, .controls = broken, .ncontrols = 1 }, 0, "SUPPORTED", NULL },
    { "zero checks", { .run = says_nothing, .no_minimal = true }, 1, "no trial was decided", NULL },
    { "NaN", { .run = not_a_number, .no_minimal = true }, 1, "no trial was decided", "f64,mpfr" },
    { "undecided", { .run = inverse_of_zero, .no_minimal = true }, 1, "no trial was decided", "f64,arb,fp,q" },
    { "a false claim", { .run = commutes, .no_minimal = true }, 1, "is refuted; replay: ", NULL },
    { "a control that holds", { .run = associative, .controls = unbroken, .ncontrols = 1 }, 1, "holds although it is broken", NULL },
    { "a control that says nothing", { .run = associative, .controls = mute, .ncontrols = 1 }, 1, "UNCONTROLLED", NULL },
    { "no minimal control", { .run = without_minimal }, 1, "UNCONTROLLED", NULL },
    { "contradiction between arithmetics", { .run = only_over_fp, .no_minimal = true }, 1, "INCONSISTENT", NULL },
    { "a counterexample that is none", { .kind = PART_COUNTEREXAMPLE, .run = shows_a_false_fact, ABOUT("d is negative"),
                                        .no_minimal = true }, 1, "FAILED", NULL },
    { "a fact that names nothing", { .kind = PART_GAP, .run = without_minimal, .no_minimal = true }, 134,
      "name in .quantity", NULL },
    { "a fact about another sentence", { .kind = PART_SLIP, .run = without_minimal, .statement = "$x = y$",
                                         .quantity = "AB", .shown_by = "A + B = B + A", .no_minimal = true }, 134,
      "does not contain `AB`", NULL },
    { "a fact about a part of a word", { .kind = PART_SLIP, .run = without_minimal, .statement = "$CAB = ABC$",
                                         .quantity = "AB", .shown_by = "A + B = B + A", .no_minimal = true }, 134,
      "does not contain `AB`", NULL },
    { "a fact about a sign", { .kind = PART_SLIP, .run = without_minimal, .statement = "$AB$", .quantity = "$",
                               .shown_by = "A + B = B + A", .no_minimal = true }, 134, "does not contain `$`", NULL },
    { "a statement of two lines", { .run = associative, .statement = "$A$\nkind: gap", .no_minimal = true }, 134,
      "has an end of line", NULL },
    { "a reason of two lines", { .run = associative, .controls = two_lines, .ncontrols = 1 }, 134, "has an end of line", NULL },
    { "a fact that is not shown", { .kind = PART_INFORMAL, .run = without_minimal, ABOUT("AB"), .no_minimal = true }, 1,
      "no check has the name", NULL },
    { "a fact of literals", { .kind = PART_INFORMAL, .run = of_literals, ABOUT("1 < 2"), .no_minimal = true }, 1,
      "of literals alone", "q" },
    { "a decided fact of nothing", { .kind = PART_COUNTEREXAMPLE, .run = literal_fact, ABOUT("1 < 2"),
                                     .no_minimal = true }, 1, "of literals alone", "q" },
    { "a fact of what is given", { .kind = PART_INFORMAL, .run = given_fact, ABOUT("1 < 2"), .no_minimal = true }, 0,
      "of AB, by `1 < 2`", "q" },
    { "a false fact", { .run = shows_a_false_fact, .no_minimal = true }, 1, "is refuted; replay: ", "fp,q" },
    { "a rank below", { .run = rank_too_small, .no_minimal = true }, 1, "is refuted; replay: ", "fp,q" },
    { "a rank above", { .run = rank_too_large, .no_minimal = true }, 1, "is refuted; replay: ", "fp,q" },
    { "a difference that is none", { .run = differs_from_itself, .no_minimal = true }, 1, "is refuted; replay: ", "fp,q" },
    { "the second of two checks", { .run = true_then_false, .no_minimal = true }, 1, "is refuted; replay: ", "f64" },
    { "the first of two checks", { .run = false_then_true, .no_minimal = true }, 1, "is refuted; replay: ", "f64" },
    { "symbols refute nothing", { .run = shows_a_false_fact, .no_minimal = true }, 0, "sym 0/4", "sym" },
    { "a slope between", { .run = at_half_precision, .no_minimal = true }, 1, "no trial was decided", "mpfr" },
    { "exact at one precision", { .run = sometimes_exact, .no_minimal = true }, 0, "mpfr 3/3", "mpfr" },
    { "a wide bound is found in balls", { .run = ill_conditioned, .no_minimal = true }, 0, "f64 3/3", "f64" },
    { "a bound that bounds nothing", { .run = hopeless, .no_minimal = true }, 1, "no trial was decided", "f64" },
    { "minimal changes nothing", { .kind = PART_HYPOTHESIS, .run = commutes, ABOUT("AB = BA") },
      1, "UNCONTROLLED", NULL },
    { "a figure that is met", { MEASURED(right_figure, 0.2), .controls = figures, .ncontrols = 1 }, 0,
      "MEASURED", NULL },
    { "a figure that is missed", { MEASURED(wrong_figure, 0.2) }, 1,
      "misses its prediction", NULL },
    { "a figure of a wide interval", { MEASURED(right_figure, 0.001) }, 1,
      "too wide", NULL },
    { "a figure that is typed", { MEASURED(typed_figure, 0.2) }, 1,
      "the same in every trial", NULL },
    { "any width is accepted", { MEASURED(right_figure, INFINITY) }, 134,
      ".widest is inf", NULL },
    { "no width is declared", { .kind = PART_MEASURED, .run = right_figure, .no_minimal = true }, 134,
      ".widest is 0", NULL },
    { "a measurement whose control holds", { MEASURED(right_figure, 0.2),
                                             .controls = same_figure, .ncontrols = 1 }, 1, "UNCONTROLLED", NULL },
    { "informal facts", { .kind = PART_INFORMAL, .run = without_minimal, ABOUT("A + B = B + A"),
                          .no_minimal = true }, 0, "INFORMAL", NULL },
    { "informal facts that are false", { .kind = PART_INFORMAL, .run = shows_a_false_fact, ABOUT("d is negative"),
                                         .no_minimal = true }, 1,
      "facts shown do not hold", NULL },
    { "no arithmetic is left", { .run = associative, .no_minimal = true, .without = "f64 mpfr arb fp q sym",
                                 .why_without = "none" }, 134, "excludes every arithmetic", NULL },
    { "hypotheses that do not fail", { .kind = PART_HYPOTHESIS, .run = associative, ABOUT("(AB)C = A(BC)"),
                                       .no_minimal = true }, 1, "INCONSISTENT", NULL },
};

typedef struct { const part *P; const char *argument[4]; bool small_disk; } invocation;

static void invoke(void *with)
{
    const invocation *v = with;
    part P = *v->P;
    P.name = "as-stated";
    const claim C = { .id = "K-TEST", .title = "t", .where = "", .shapes = tiny, .nshapes = 1, .parts = &P, .nparts = 1 };
    char *argv[6] = { (char *)(uintptr_t)"k_test" };
    int argc = 1;
    for (size_t k = 0; k < COUNT(v->argument) && v->argument[k]; k++) argv[argc++] = (char *)(uintptr_t)v->argument[k];
    if (v->small_disk) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 600, 600 });
    }
    const int status = theorem_main(&C, argc, argv);
    fflush(NULL);
    _exit(status);
}

static void expect(const expectation *e, const char *extra)
{
    char output[8192], over[64] = "";
    invocation v = { .P = &e->P };
    int k = 0;
    if (e->arith) {
        snprintf(over, sizeof over, "--arith=%s", e->arith);
        v.argument[k++] = over;
    }
    v.argument[k] = extra;
    const int status = run_child(invoke, &v, output, sizeof output);
    ck_assert_msg(status == e->status, "%s: status %d, output: %s", e->name, status, output);
    ck_assert_msg(strstr(output, e->says) != NULL, "%s: output: %s", e->name, output);
}

START_TEST(fails_when_it_must)           { expect(&expected[_i], NULL); } END_TEST
START_TEST(fails_when_it_must_in_forks)  { expect(&expected[_i], "--fork"); } END_TEST

/* Rules of all claims. */
static const expectation rules[] = {
    { "a skip in one trial alone", { .run = skips_some, .no_minimal = true }, 1, "trial 1 is skipped and another", NULL },
    { "the original as its reduction", { .run = nothing_reduced }, 1, "the reduced model is the original", NULL },
    { "finitely many cases, drawn", { .run = without_minimal, .no_minimal = true, .about = ABOUT_FINITE }, 1,
      "speaks of finitely many cases", NULL },
    { "not eliminated", { .run = not_eliminated, .no_minimal = true }, 1, "is refuted; replay: ", "fp,q" },
    { "eliminated", { .run = eliminated, .no_minimal = true }, 0, "PARTIAL", "fp,q" },
    { "a proof in the basis", { .run = associative, .controls = own_check, .ncontrols = 1, .basis = "by proof: easy" }, 134,
      "by_proof", NULL },
    { "a theorem in the basis", { .run = associative, .controls = own_check, .ncontrols = 1,
                                  .basis = "Fubini is cited" }, 134, "by_proof", NULL },
    { "no control", { .run = associative }, 1, "names no control", NULL },
    { "another check", { .run = associative, .controls = other_check, .ncontrols = 1 }, 1,
      "breaks `AB = BA`, which is none of the claim's checks", NULL },
    { "its own check", { .run = associative, .controls = own_check, .ncontrols = 1 }, 0, "SUPPORTED", NULL },
};
START_TEST(rules_of_all_claims)   { expect(&rules[_i], NULL); } END_TEST

/* What a row says of its checks: a claim names them, each once; a control says whether a whole function failed. */
static void both_checks(trial *t)
{
    associative(t);
    without_minimal(t);
    without_minimal(t);
}
static void whole_fails(trial *t)
{
    without_minimal(t);
    claim_whole(t, "AB = BA", mat_mul(&t->s, named(t, "A"), named(t, "B")), mat_mul(&t->s, named(t, "B"), named(t, "A")));
}
static void whole_holds(trial *t)
{
    breaks_associativity(t);
    claim_whole(t, "A + B = B + A", mat_add(&t->s, named(t, "A"), named(t, "B")), mat_add(&t->s, named(t, "B"), named(t, "A")));
}
static row row_over_q(body *f, bool as_control)
{
    const control other = { "control", f, "" };
    const part P = { .name = "as-stated", .run = f, .no_minimal = true };
    const claim C = { .id = "T", .title = "test", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .sh = tiny[0].sh, .seed = 1, .over = { .kind = A_Q },
              .control = as_control ? &other : NULL };
    ck_assert_ptr_null(shape_complete(&j.sh));
    return runner_run(&j, NULL, NULL);
}

START_TEST(rows_name_their_checks)
{
    const row is = row_over_q(both_checks, false), whole = row_over_q(whole_fails, true);
    ck_assert_str_eq(is.truths->text, "holds (AB)C = A(BC); holds*2 A + B = B + A");
    ck_assert(is.verdict == HOLDS && !is.whole);
    ck_assert(whole.verdict == REFUTED && whole.whole);
    ck_assert(!row_over_q(breaks_associativity, true).whole && !row_over_q(whole_holds, true).whole);
}
END_TEST

/* ---- what the runner asks of an arithmetic before it believes it ------------------------------------------- */

/* Checks of A B = (B'A')' and (B'A') = (AB)', with what a control makes of them. */
static void sides_claimed(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *B = mat_draw(s, "B", 2, 2, 0), *AB = mat_mul(s, A, B);
    claim_equal(t, "AB", AB, mat_t(s, mat_mul(s, mat_t(s, B), mat_t(s, A))));
    claim_equal(t, "other", A, mat_neg(s, mat_neg(s, A)));
    claim_eliminated(t, "I", mat_identity(s, 2));
    claim_decided(t, "fact", true);
    claim_equal(t, "0", mat_sub(s, A, A), mat_sub(s, B, B));
    claim_equal(t, "twice", A, mat_neg(s, mat_neg(s, A)));
    claim_equal(t, "twice", B, mat_neg(s, mat_neg(s, B)));
}
static void breaks_right(trial *t)               /* AB is the claim's */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *B = mat_draw(s, "B", 2, 2, 0), *AB = mat_mul(s, A, B);
    claim_equal(t, "AB", AB, mat_mul(s, mat_t(s, B), mat_t(s, A)));
}
static void breaks_left(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *B = mat_draw(s, "B", 2, 2, 0);
    claim_equal(t, "AB", A, mat_mul(s, A, B));
}
static void breaks_another(trial *t)             /* with the claim's draws, and none of its products */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0);
    claim_equal(t, "AB", A, mat_add(s, A, A));
}
static void breaks_by_name(trial *t)             /* A is a side of another check */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0);
    claim_equal(t, "AB", A, mat_mul(s, A, A));
}
static void breaks_a_literal(trial *t)           /* I is no side */
{
    scope *s = &t->s;
    claim_equal(t, "I", mat_draw(s, "A", 2, 2, 0), mat_identity(s, 2));
}
static void breaks_a_fact(trial *t)
{
    mat_draw(&t->s, "A", 2, 2, 0);
    claim_decided(t, "fact", false);
}
static void breaks_nothing_drawn(trial *t)       /* A - A is a side, and is 0 whatever is drawn */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0);
    claim_equal(t, "0", mat_sub(s, A, A), A);
}
static void breaks_the_negative(trial *t)        /* -A is not A */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0);
    claim_equal(t, "other", mat_neg(s, A), mat_scale(s, 2, 0, A));
}
static void breaks_one_of_two(trial *t)          /* the claim has two checks of this name */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *B = mat_draw(s, "B", 2, 2, 0);
    claim_equal(t, "twice", A, mat_neg(s, mat_neg(s, A)));
    claim_equal(t, "twice", B, mat_neg(s, B));
}
static void breaks_both(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *B = mat_draw(s, "B", 2, 2, 0);
    claim_equal(t, "twice", A, mat_neg(s, A));
    claim_equal(t, "twice", B, mat_neg(s, B));
}
static void breaks_both_as_one(trial *t)         /* each is the first one, once more */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0);
    claim_equal(t, "twice", A, mat_neg(s, A));
    claim_equal(t, "twice", A, mat_scale(s, 2, 0, A));
}
static void breaks_what_is_near(trial *t)        /* (1 + 2^-120) A is A in doubles alone */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *near = mat_add(s, A, mat_scale(s, 1, -120, A));
    claim_equal(t, "other", near, mat_scale(s, 2, 0, A));
}
static void holds_there_breaks_here(trial *t)    /* what shares a side holds, what fails shares none */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 2, 2, 0), *B = mat_draw(s, "B", 2, 2, 0), *AB = mat_mul(s, A, B);
    claim_equal(t, "AB", AB, mat_mul(s, A, B));
    claim_equal(t, "AB", B, mat_add(s, B, B));
}

START_TEST(controls_share_a_side)
{
    static const struct { body *run; bool shares; } of[] = {
        { breaks_right, true }, { breaks_left, true }, { breaks_another, false }, { breaks_by_name, false },
        { breaks_a_literal, false }, { breaks_a_fact, false }, { holds_there_breaks_here, false },
        { breaks_nothing_drawn, false }, { breaks_the_negative, false }, { breaks_one_of_two, false }, { breaks_both, true }, { breaks_both_as_one, false } };
    static const int over[] = { A_FP, A_Q, A_F64, A_ARB, A_MPFR };
    for (size_t k = 0; k < COUNT(of); k++)
        for (size_t a = 0; a < COUNT(over); a++) {
            const control breaks = { "broken", of[k].run, "" };
            const part P = { .name = "as-stated", .run = sides_claimed, .no_minimal = true };
            const claim C = { .id = "T", .title = "test", .parts = &P, .nparts = 1 };
            job j = { .claim = &C, .part = &P, .sh = tiny[0].sh, .seed = 1, .over = { .kind = over[a] }, .control = &breaks };
            ck_assert_ptr_null(shape_complete(&j.sh));
            const row first = runner_run(&j, NULL, NULL);
            ck_assert_int_eq(first.verdict, REFUTED);
            const shared_side side = over[a] == A_MPFR ? SIDE_UNASKED : of[k].shares ? SIDE_SHARED : SIDE_OTHER;
            ck_assert_msg(first.shares_side == side, "control %zu over %s: %d", k, arith_names[over[a]], first.shares_side);
            j.trial = 1;                                             /* the first trial alone is compared */
            ck_assert(!runner_run(&j, NULL, NULL).shares_side);
            j.trial = 0;
            j.control = NULL;
            ck_assert(!runner_run(&j, NULL, NULL).shares_side);
        }
}
END_TEST

START_TEST(sides_are_compared_exactly)
{
    const control breaks = { "broken", breaks_what_is_near, "" };
    const part P = { .name = "as-stated", .run = sides_claimed, .no_minimal = true };
    const claim C = { .id = "T", .title = "test", .parts = &P, .nparts = 1 };
    for (int over = A_FP; over <= A_Q; over++) {
        job j = { .claim = &C, .part = &P, .sh = tiny[0].sh, .seed = 1, .over = { .kind = over }, .control = &breaks };
        ck_assert_ptr_null(shape_complete(&j.sh));
        ck_assert_msg(runner_run(&j, NULL, NULL).shares_side == SIDE_OTHER, "%s", arith_names[over]);
    }
}
END_TEST

static row row_over(body *f, arith_spec over, uint64_t seed, long number)
{
    const part P = { .name = "as-stated", .run = f, .no_minimal = true };
    const claim C = { .id = "T", .title = "test", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .sh = tiny[0].sh, .seed = seed, .trial = number, .over = over };
    ck_assert_ptr_null(shape_complete(&j.sh));
    return runner_run(&j, NULL, NULL);
}

enum { DRAWN, VALUE, THINGS };
static double seen[THINGS];
static void notes_what_it_draws(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 1, 1, 0);
    seen[DRAWN] = mat_get_d(A, 0, 0);
    if (s->R->kind == A_FP) seen[VALUE] = mat_get_d(mat_phi(s, mat_identity(s, 1), ACT_GELU, (place){ 0, 0, 0 }), 0, 0);
    if (s->R->kind != A_Q) return;
    const mat *X = mat_rotate(s, mat_ones(s, 2, 32));           /* the second row, turned by 16 random angles */
    seen[VALUE] = 0;
    for (long j = 0; j < 32; j += 2) seen[VALUE] += mat_get_d(X, 1, j) * ldexp(1, (int)-j / 2);
}

/* Each trial of each seed draws matrices and functions of its own, and the same ones when it is run again. */
START_TEST(trials_are_different_experiments)
{
    const arith_spec over[] = { { .kind = A_F64 }, { .kind = A_MPFR }, { .kind = A_ARB }, { .kind = A_Q },
                                { .kind = A_FP, .prime = 2305843009213693951u } };
    for (size_t k = 0; k < COUNT(over); k++) {
        const bool functions = over[k].kind == A_Q || over[k].kind == A_FP;
        double of[4][THINGS];
        for (int i = 0; i < 4; i++) {
            /* the last is the first */
            (void)row_over(notes_what_it_draws, over[k], i == 2 ? 8 : 7, i == 1 ? 5 : 4);
            memcpy(of[i], seen, sizeof seen);
        }
        for (int what = 0; what < (functions ? THINGS : VALUE); what++) {
            ck_assert_double_eq(of[0][what], of[3][what]);
            ck_assert_msg(of[0][what] != of[1][what] && of[0][what] != of[2][what] && of[1][what] != of[2][what],
                          "%s: %s depends on the trial and on the seed", arith_names[over[k].kind], what
                              ? "a function" : "a draw");
        }
    }
}
END_TEST

/* A ladder of precisions: one rung that fails, or makes other checks, fails it; only the slopes -1 and 0 decide. */
static void undecided_at_256(trial *t)
{
    if (t->s.R->bits == 256) scope_undecided(&t->s, REASON_SINGULAR, NULL);
    nearly_one(t, t->s.R->bits - 2);
}
static void one_more_at_1024(trial *t)
{
    nearly_one(t, t->s.R->bits - 2);
    if (t->s.R->bits == 1024) nearly_one(t, 0);
}
static void exact_at_last(trial *t)         { nearly_one(t, t->s.R->bits == 1024 ? 0 : 8); }
static void slope_of_four_fifths(trial *t)  { nearly_one(t, t->s.R->bits * 4 / 5); }
static void slope_of_a_fifth(trial *t)      { nearly_one(t, t->s.R->bits / 5); }
static void differs(trial *t, long bits)
{
    const mat *one = mat_identity(&t->s, 1), *more = mat_dyadic(&t->s, 1, 1, (int64_t[]){ 1 }, -bits);
    claim_differs(t, "not 1", one, mat_add(&t->s, one, more));
}
static void differs_less_and_less(trial *t) { differs(t, t->s.R->bits / 2); }
static void differs_by_rounding(trial *t)   { differs(t, t->s.R->bits - 2); }
static void differs_by_an_eighth(trial *t)  { differs(t, 3); }
static void last_rung(trial *t)             { nearly_one(t, t->s.R->bits - 2); }

START_TEST(a_ladder_of_precisions)
{
    static const struct { body *run; truth is; const char *note; } table[] = {
        { last_rung, HOLDS, "" }, { undecided_at_256, UNDECIDED, "no inverse found" },
        { one_more_at_1024, UNDECIDED, "not the same checks at every precision" }, { exact_at_last, UNDECIDED, "" },
        { slope_of_four_fifths, UNDECIDED, "" }, { slope_of_a_fifth, UNDECIDED, "" }, { at_half_precision, UNDECIDED,
          "" },
        { not_a_number, UNDECIDED, "" }, { differs_by_an_eighth, HOLDS, "" }, { differs_by_rounding, REFUTED, "" },
        { differs_less_and_less, UNDECIDED, "" } };
    for (size_t k = 0; k < COUNT(table); k++) {
        const row r = row_over(table[k].run, (arith_spec){ .kind = A_MPFR }, 1, 0);
        ck_assert_msg(r.verdict == table[k].is, "%zu: %s, slope %g", k, truth_word(r.verdict), r.slope);
        ck_assert_str_eq(r.note, table[k].note);
        ck_assert_str_eq(r.param, "64-1024");
    }
}
END_TEST

/* More bits where the answer is open, and no more than that; what failed before leaves nothing in the row. */
static void open_below(trial *t, long bits)
{
    if (t->s.R->bits < bits) scope_undecided(&t->s, REASON_TOO_WIDE, NULL);
    nearly_one(t, 0);
}
static void open_below_1024(trial *t) { open_below(t, 1024); }
static void always_open(trial *t)     { open_below(t, 1L << 30); }
static void open_in_doubles(trial *t)
{
    if (!t->s.R->state) scope_undecided(&t->s, REASON_TOO_WIDE, NULL);
    nearly_one(t, 0);
}
static void gap_and_difference(trial *t)
{
    const mat *three = mat_from_si(&t->s, 1, 1, (long[]){ 3 });
    claim_equal(t, "3/3 = 1", mat_mul(&t->s, three, mat_inv(&t->s, three)), mat_identity(&t->s, 1));
    differs(t, 1);
}

START_TEST(more_bits_where_it_is_open)
{
    static const struct { body *run; int over; truth is; const char *param, *note; } table[] = {
        { associative, A_ARB, HOLDS, "256 bits", "" }, { open_below_1024, A_ARB, HOLDS, "1024 bits", "" },
        { always_open, A_ARB, UNDECIDED, "4096 bits", "not separated from zero" }, { associative, A_F64, HOLDS,
          "53 bits", "" },
        { open_in_doubles, A_F64, HOLDS, "53 bits in arb:256", "" } };
    for (size_t k = 0; k < COUNT(table); k++) {
        const row r = row_over(table[k].run, (arith_spec){ .kind = table[k].over }, 1, 0);
        ck_assert_msg(r.verdict == table[k].is, "%zu: %s", k, truth_word(r.verdict));
        ck_assert_str_eq(r.param, table[k].param);
        ck_assert_msg((*r.note != '\0') == (*table[k].note != '\0'), "%zu: %s", k, r.note);
        ck_assert_int_eq(r.depth, DEPTH_NONE);                  /* nothing whole was compared */
    }
    const row r = row_over(gap_and_difference, (arith_spec){ .kind = A_ARB }, 1, 0);
    ck_assert_int_eq(r.verdict, HOLDS);
    ck_assert_msg(r.log2gap > -INFINITY && r.log2gap < -200, "%g: the size of a difference is no error", r.log2gap);
}
END_TEST

/* A derivation is worth what it is worth at the weakest of the sizes. */
static void induction_at_first_sizes(trial *t)
{
    without_minimal(t);
    t->record.stacks = 1;
    t->record.inductions = t->sh.n == 11;
}
static void induction_at_all_sizes(trial *t)
{
    without_minimal(t);
    t->record.stacks = t->record.inductions = 1;
}

START_TEST(sizes_of_derivations)
{
    const arith_spec sym = { .kind = A_SYM };
    ck_assert_int_eq(row_over(induction_at_all_sizes, sym, 1, 0).depth, DEPTH_EVERY);
    ck_assert_int_eq(row_over(induction_at_first_sizes, sym, 1, 0).depth, DEPTH_RUN);
    for (int which = 0; which < SIZE_VECTORS; which++)
        for (int rope = 0; rope < 2; rope++)
            for (long h = 1; h <= 8; h++) {
                shape sh = { .h = h, .dk = 2, .d = 2 * h, .rope = rope };
                runner_sym_sizes(&sh, which);
                ck_assert_int_eq(sh.d, h * sh.dk);
                ck_assert_int_eq(sh.scale_den, sh.dk);
                ck_assert(sh.scale_num == 1 && (!rope || sh.dk % 2 == 0));
                const long size[] = { sh.n, sh.dk, sh.m, sh.V, sh.d };
                for (size_t i = 0; i < COUNT(size); i++)
                    for (size_t k = 0; k < i; k++) ck_assert(size[i] != size[k] || (k == 1 && i == 4 && h == 1));
            }
}
END_TEST

START_TEST(sizes_of_exact_trials)
{
    shape sh = { .n = 9, .d = 6, .h = 2, .dk = 3, .m = 7, .V = 9, .L = 9, .act = ACT_GELU, .scale_den = 3 };
    ck_assert(runner_adapt_shape(&(part){ .kind = PART_IDENTITY }, A_Q, &sh));
    ck_assert(sh.n == 3 && sh.V == 5 && sh.L == 2 && sh.act == ACT_RELU && sh.attention == ROWMAP_LINEAR);
    ck_assert(sh.scale_num == 1 && sh.scale_den == 1);
    sh.d = 7;
    ck_assert(!runner_adapt_shape(&(part){ .kind = PART_IDENTITY }, A_Q, &sh));
    ck_assert(runner_adapt_shape(&(part){ .kind = PART_IDENTITY }, A_FP, &sh) && sh.d == 7);
}
END_TEST

START_TEST(a_crash_fails)
{
    const part P = { .run = reads_past_the_world, .no_minimal = true };
    char output[4096];
    invocation v = { .P = &P, .argument = { "--arith=f64", "--fork" } };
    ck_assert_int_eq(run_child(invoke, &v, output, sizeof output), 1);
    ck_assert_msg(strstr(output, "ended by signal"), "%s", output);
}
END_TEST

/* A test that had to end, with a process of its own or without, is none that failed: its one line, and status 2. */
static void finds_no_memory(trial *t)
{
    (void)t;
    die("out of memory");
}
START_TEST(a_test_that_ends_ends_the_suite)
{
    const part P = { .run = finds_no_memory, .no_minimal = true };
    char output[4096];
    invocation v = { .P = &P, .argument = { "--arith=f64", _i ? "--fork" : NULL } };
    const int status = run_child(invoke, &v, output, sizeof output);
    ck_assert_msg(status == 2, "status %d: %s", status, output);
    const char *line = strstr(output, "out of memory");
    ck_assert_msg(line && !strstr(line + 1, "out of memory") && !strstr(output, "Checks:"), "%s", output);
}
END_TEST

/* ---- bad input: one clear line, status 2 ------------------------------------------------------------ */

static const struct { const char *argument, *says; } bad[] = {
    { "--trials=0", "from 1 to" }, { "--trials=many", "whole number" }, { "--arith=float", "no such arithmetic" },
    { "--arith=", "choose among" }, { "--arith=mpfr:23", "between 24 and 65536" }, { "--arith=arb:65537", "between 24 and 65536" },
    { "--arith=fp:15", "prime" }, { "--arith=q:7", "only mpfr, arb and fp" }, { "--arith=arb:x", "whole number" },
    { "--shape=d=7 h=2", "h does not divide d" }, { "--shape=d", "name=value" }, { "--shape=width=3", "no such name" },
    { "--shape=mask=half", "no such word" }, { "--shape=n=-1", "not negative" }, { "--shape=rope=1 d=3", "even" },
    { "--shape=h=65", "between 1 and 64" }, { "--shape=attn_skip=2", "0 or 1" }, { "--seed=x", "whole number" },
    { "--scale=huge", "quick, default, large" }, { "--corner=round", "sparse" }, { "--gain=99", "from -40 to 40" },
    { "--trial=-1", "from 0" }, { "--out=/no/such/folder/x.csv", "cannot write" }, { "positional", "no arguments" },
    { "--nonsense", "unrecognized option" }, { "--arith=fp:2", "odd prime" }, { "--arith=fp:1", "odd prime" },
    { "--arith=fp:4611686018427388039", "below 2^62" }, { "--arith=arb:", "one whole number" },
};

START_TEST(bad_input)
{
    const part P = { .run = associative };
    char output[4096];
    invocation v = { .P = &P, .argument = { bad[_i].argument } };
    const int status = run_child(invoke, &v, output, sizeof output);
    ck_assert_msg(status == 2, "%s: status %d, output: %s", bad[_i].argument, status, output);
    ck_assert_msg(strstr(output, bad[_i].says) != NULL, "%s: output: %s", bad[_i].argument, output);
}
END_TEST

START_TEST(a_filter_that_matches_nothing)
{
    const part P = { .run = associative };
    const char *const filter[] = { "--part=corrected", "--case=no-such-control" };
    for (size_t k = 0; k < COUNT(filter); k++) {
        char output[4096];
        invocation v = { .P = &P, .argument = { filter[k] } };
        ck_assert_int_eq(run_child(invoke, &v, output, sizeof output), 2);
        ck_assert_ptr_nonnull(strstr(output, k ? "has no such case; it has claim, minimal" : "has no such part; it has as-stated"));
    }
}
END_TEST

START_TEST(a_full_disk_loses_nothing)
{
    const part P = { .run = associative };
    char output[4096], *folder = temp_folder(), *out = temp_path(folder, "x.csv");
    char *option = temp_format("--out=%s", out);
    temp_text(folder, "x.csv", "old\n");
    invocation v = { .P = &P, .argument = { option }, .small_disk = true };
    const int status = run_child(invoke, &v, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, "free some space"), "status %d, output: %s", status, output);
    ck_assert_str_eq(temp_read(folder, "x.csv", NULL), "old\n");
    temp_only(folder, "x.csv");
}
END_TEST

START_TEST(rows_through_a_pipe)            /* and none of the files beside it; a figure's file that cannot be written */
{
    const part P = { .run = associative };
    char output[4096], bytes[8192] = "", *folder = temp_folder(), *out = temp_path(folder, "x.csv");
    char *option = temp_format("--out=%s", out), *ladder = temp_path(folder, "x.ladder.csv");
    ck_assert_int_eq(mkfifo(out, 0600), 0);
    const int reader = open(out, O_RDONLY | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    invocation v = { .P = &P, .argument = { option, "--arith=f64", "--trials=1" } };
    ck_assert_int_eq(run_child(invoke, &v, output, sizeof output), 0);
    ck_assert_int_gt(read(reader, bytes, sizeof bytes - 1), 0);
    ck_assert_msg(strncmp(bytes, "id,part,", 8) == 0 && strstr(bytes, "\nK-TEST,as-stated,"), "%s", bytes);
    close(reader);
    ck_assert_int_eq(unlink(out), 0);
    ck_assert_int_eq(mkdir(ladder, 0700), 0);
    ck_assert_int_eq(run_child(invoke, &v, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "x.ladder.csv: it is a folder"));
    ck_assert_int_eq(rmdir(ladder), 0);
    ck_assert_int_eq(run_child(invoke, &v, output, sizeof output), 0);
    ck_assert(unlink(out) == 0 && unlink(ladder) == 0);             /* both are there, and nothing else */
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* 3 (1/3) - 1 is a ball around 0: nudging it breaks nothing, so `minimal` must look further; 1/3 will do. */
START_TEST(minimal_leaves_zero_alone)
{
    arith R = arith_arb(128);
    trial t = { .s = scope_open(&R, 1, 0), .record = { .mode = TRIAL_MINIMAL } };
    const mat *three = mat_from_si(&t.s, 1, 1, (long[]){ 3 }), *third = mat_inv(&t.s, three);
    const mat *zero = mat_sub(&t.s, mat_mul(&t.s, three, third), mat_identity(&t.s, 1)), *before = third;
    claim_reduced(&t, 1, (const mat **[]){ &zero });
    ck_assert(!t.record.nudged);
    claim_reduced(&t, 1, (const mat **[]){ &third });
    ck_assert(t.record.nudged && third != before);
    scope_close(&t.s);
    arith_close(&R);
}
END_TEST

START_TEST(a_filtered_run_is_partial)
{
    const part P = { .run = associative, .controls = broken, .ncontrols = 1 };
    char output[4096];
    invocation v = { .P = &P, .argument = { "--arith=f64" } };
    ck_assert_int_eq(run_child(invoke, &v, output, sizeof output), 0);
    ck_assert_ptr_nonnull(strstr(output, "PARTIAL"));
    ck_assert_ptr_null(strstr(output, "PROVED"));
    ck_assert_ptr_null(strstr(output, "MEASURED"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("harness");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, fails_when_it_must, 0, COUNT(expected));
    tcase_add_loop_test(all, fails_when_it_must_in_forks, 0, COUNT(expected));
    tcase_add_loop_test(all, rules_of_all_claims, 0, COUNT(rules));
    tcase_add_test(all, rows_name_their_checks);
    tcase_add_test(all, controls_share_a_side);
    tcase_add_test(all, sides_are_compared_exactly);
    tcase_add_test(all, trials_are_different_experiments);
    tcase_add_test(all, a_ladder_of_precisions);
    tcase_add_test(all, more_bits_where_it_is_open);
    tcase_add_test(all, sizes_of_derivations);
    tcase_add_test(all, sizes_of_exact_trials);
    tcase_add_test(all, a_crash_fails);
    tcase_add_loop_test(all, a_test_that_ends_ends_the_suite, 0, 2);
    tcase_add_loop_test(all, bad_input, 0, COUNT(bad));
    tcase_add_test(all, a_filter_that_matches_nothing);
    tcase_add_test(all, a_full_disk_loses_nothing);
    tcase_add_test(all, rows_through_a_pipe);
    tcase_add_test(all, a_filtered_run_is_partial);
    tcase_add_test(all, minimal_leaves_zero_alone);
    return run_suite(suite, argc, argv);
}
