/* t_verdict.c - the whole table of verdict rules, on hand-made rows. */
#include <math.h>
#include <string.h>
#include "src/verdict.h"
#include "tests/support/suite.h"

static row rows_made[64];
static rows made = { rows_made, 0 };

static void begin(void) { made.n = 0; }

static row *add(const char *part, const char *kind, const char *which, const char *over, const char *shape, truth is)
{
    row *r = &rows_made[made.n++];
    *r = (row){ .verdict = is, .log2gap = is == REFUTED ? 0 : -INFINITY, .log2bound = -INFINITY, .slope = NAN,
                .log2logit = NAN, .trial = made.n };
    row_text(r->id, sizeof r->id, "K-X");
    row_text(r->part, sizeof r->part, part);
    row_text(r->kind, sizeof r->kind, kind);
    row_text(r->which, sizeof r->which, which);
    row_text(r->arith, sizeof r->arith, over);
    row_text(r->shape, sizeof r->shape, shape);
    row_text(r->scope, sizeof r->scope, strcmp(over, "sym") == 0 ? "all sizes" : strcmp(over, "fp") == 0 ? "this size" : "this instance");
    if (strcmp(over, "fp") == 0 && is == HOLDS) r->log2bound = -83;
    return r;
}

static row *claim_row(const char *over, const char *shape, truth is) { return add("as-stated", "identity", "claim", over, shape, is); }
static void control_rows(const char *part, const char *name, int n, truth is)
{
    for (int k = 0; k < n; k++) add(part, "identity", name, "fp", "a", is);
}
static verdict stated(void) { return judge_claim(&made, "K-X").as_stated; }

START_TEST(strengths)
{
    const struct { const char *over; verdict is; } table[] = {
        { "sym", V_PROVED }, { "fp", V_PROVED }, { "q", V_PROVED }, { "arb", V_CERTIFIED }, { "mpfr", V_CHECKED }, { "f64", V_MEASURED } };
    for (size_t k = 0; k < COUNT(table); k++) {
        begin();
        claim_row(table[k].over, "a", HOLDS);
        ck_assert_msg(stated() == table[k].is, "%s gives %s", table[k].over, verdict_word(stated()));
    }
    begin();
    for (size_t k = 0; k < COUNT(table); k++) claim_row(table[k].over, "a", HOLDS);
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_str_eq(judge_claim(&made, "K-X").scope, "all sizes");
}
END_TEST

START_TEST(narrower_scope_speaks)
{
    begin();
    claim_row("sym", "a", HOLDS);
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_str_eq(judge_claim(&made, "K-X").scope, "this instance");
    begin();
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS);
    claim_row("sym", "a", HOLDS);
    ck_assert_str_eq(judge_claim(&made, "K-X").scope, "this instance");
}
END_TEST

START_TEST(an_error_that_is_too_large_proves_nothing)
{
    begin();
    claim_row("fp", "a", HOLDS)->log2bound = -59;
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("fp", "a", HOLDS)->log2bound = NAN;
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_MEASURED);
}
END_TEST

START_TEST(the_weakest_shape_counts)
{
    begin();
    claim_row("fp", "a", HOLDS);
    claim_row("arb", "b", HOLDS);
    ck_assert_int_eq(stated(), V_CERTIFIED);
    claim_row("f64", "c", HOLDS);
    ck_assert_int_eq(stated(), V_MEASURED);
    claim_row("f64", "d", UNDECIDED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("sym", "e", HOLDS);                               /* all sizes, so a, b, c, d, too */
    ck_assert_int_eq(stated(), V_PROVED);
}
END_TEST

START_TEST(sym_at_one_depth_is_no_proof_for_all)
{
    begin();
    row_text(claim_row("sym", "e", HOLDS)->scope, 40, "all sizes at L=2");
    claim_row("arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_CERTIFIED);
    begin();
    claim_row("sym", "e", HOLDS);
    claim_row("sym", "f", UNDECIDED);                           /* one shape of two */
    claim_row("arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_CERTIFIED);
}
END_TEST

START_TEST(what_the_arithmetic_cannot_say_is_skipped)
{
    begin();
    claim_row("arb", "a", HOLDS);
    claim_row("q", "b", UNDECIDED)->skipped = true;
    ck_assert_int_eq(stated(), V_CERTIFIED);
    begin();
    claim_row("q", "b", UNDECIDED)->skipped = true;
    ck_assert_int_eq(stated(), V_UNDECIDED);
}
END_TEST

/* Every pair of arithmetics that disagree, in either order. */
START_TEST(contradictions)
{
    for (int a = 0; a < ARITHS; a++)
        for (int b = 0; b < ARITHS; b++) {
            if (a == b || b == A_SYM) continue;
            begin();
            claim_row(arith_names[a], "a", HOLDS);
            claim_row(arith_names[b], "b", REFUTED);
            ck_assert_msg(stated() == V_INCONSISTENT, "%s against %s: %s", arith_names[a], arith_names[b], verdict_word(stated()));
        }
    begin();
    claim_row("arb", "a", HOLDS);
    claim_row("arb", "a", REFUTED);
    ck_assert_int_eq(stated(), V_INCONSISTENT);
}
END_TEST

START_TEST(a_construction_that_fails_refutes_nothing)
{
    for (int a = 0; a < ARITHS; a++) {
        begin();
        claim_row(arith_names[a], "a", REFUTED);
        ck_assert_int_eq(stated(), V_FAILED);
    }
}
END_TEST

START_TEST(controls)
{
    begin();
    claim_row("sym", "a", HOLDS);
    control_rows("as-stated", "broken", 3, REFUTED);
    ck_assert_int_eq(stated(), V_PROVED);
    control_rows("as-stated", "broken", 1, UNDECIDED);          /* not decided: does not count */
    ck_assert_int_eq(stated(), V_PROVED);
    control_rows("as-stated", "broken", 1, HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    claim_row("sym", "a", HOLDS);
    control_rows("as-stated", "broken", 2, REFUTED);            /* fewer than three */
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    claim_row("sym", "a", HOLDS);
    control_rows("as-stated", "broken", 3, REFUTED);
    control_rows("as-stated", "other", 3, UNDECIDED);
    const claim_verdict c = judge_claim(&made, "K-X");
    ck_assert_int_eq(c.as_stated, V_UNCONTROLLED);
    ck_assert_int_eq(c.controls, 2);
    ck_assert_int_eq(c.refuted, 1);
    ck_assert_str_eq(c.part[0].unrefuted, "other");
}
END_TEST

START_TEST(counterexamples)
{
    const struct { const char *kind, *over; verdict is; } table[] = {
        { "counterexample", "q", V_REFUTED }, { "counterexample", "arb", V_REFUTED }, { "counterexample", "sym", V_REFUTED },
        { "counterexample", "mpfr", V_FAILED }, { "counterexample", "f64", V_FAILED } };
    for (size_t k = 0; k < COUNT(table); k++) {
        begin();
        add("as-stated", table[k].kind, "claim", table[k].over, "a", HOLDS);
        ck_assert_msg(stated() == table[k].is, "%s over %s: %s", table[k].kind, table[k].over, verdict_word(stated()));
    }
    begin();
    add("as-stated", "counterexample", "claim", "q", "a", HOLDS);
    add("as-stated", "counterexample", "claim", "q", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
}
END_TEST

START_TEST(a_gap_needs_its_repair)
{
    begin();
    add("as-stated", "gap", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    add("corrected", "identity", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    add("corrected", "identity", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_CAVEAT);
    ck_assert_int_eq(judge_claim(&made, "K-X").corrected, V_CERTIFIED);
}
END_TEST

START_TEST(hypotheses_that_fail)
{
    begin();
    for (int k = 0; k < 3; k++) add("as-stated", "hypothesis", "claim", "fp", "a", REFUTED);
    ck_assert_int_eq(stated(), V_HYPOTHESIS_FAILED);
    add("as-stated", "hypothesis", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_INCONSISTENT);
    begin();
    add("as-stated", "hypothesis", "claim", "fp", "a", REFUTED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
}
END_TEST

/* MEASURED at most, whatever arithmetic claims it; a missed prediction fails and refutes nothing. */
START_TEST(measurements)
{
    for (int a = 0; a < ARITHS; a++) {
        begin();
        add("as-stated", "measured", "claim", arith_names[a], "a", HOLDS);
        ck_assert_msg(stated() == V_MEASURED, "%s gives %s", arith_names[a], verdict_word(stated()));
    }
    begin();
    add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    add("as-stated", "measured", "claim", "f64", "a", UNDECIDED);
    ck_assert_int_eq(stated(), V_MEASURED);
    add("as-stated", "measured", "claim", "f64", "b", UNDECIDED);       /* one shape with nothing but wide intervals */
    ck_assert_int_eq(stated(), V_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(judge_claim(&made, "K-X").part[0].why, "too wide"));
    begin();
    for (int k = 0; k < 5; k++) add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    add("as-stated", "measured", "claim", "f64", "a", REFUTED);         /* one trial of six */
    ck_assert_int_eq(stated(), V_FAILED);
    begin();
    add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    add("as-stated", "measured", "swapped", "f64", "a", REFUTED);
    add("as-stated", "measured", "swapped", "f64", "a", REFUTED);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    add("as-stated", "measured", "swapped", "f64", "a", REFUTED);
    ck_assert_int_eq(stated(), V_MEASURED);
    add("as-stated", "measured", "swapped", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
}
END_TEST

START_TEST(a_measurement_is_the_weakest_of_its_group)
{
    begin();
    add("as-stated", "counterexample", "claim", "arb", "a", HOLDS);
    add("corrected", "identity", "claim", "arb", "a", HOLDS);
    add("corrected-exp", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_REFUTED);
    ck_assert_int_eq(judge_claim(&made, "K-X").corrected, V_MEASURED);
    begin();
    add("as-stated", "gap", "claim", "q", "a", HOLDS);
    add("corrected", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);                            /* a measurement repairs no statement */
}
END_TEST

START_TEST(informal_parts_show_facts)
{
    const char *const over[] = { "q", "arb", "fp", "f64" };
    for (size_t k = 0; k < COUNT(over); k++) {
        begin();
        add("as-stated", "informal", "claim", over[k], "a", HOLDS);
        ck_assert_int_eq(stated(), V_INFORMAL);
    }
    add("as-stated-fig", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_INFORMAL);
    add("as-stated", "informal", "claim", "q", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
    begin();
    add("as-stated", "informal", "claim", "q", "a", UNDECIDED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    begin();
    add("as-stated", "informal", "claim", "q", "a", HOLDS);
    add("as-stated", "informal", "broken", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
}
END_TEST

START_TEST(what_cannot_be_checked)
{
    begin();
    add("as-stated", "uncheckable", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_FAILED);                              /* what is missing must be shown exactly */
    add("as-stated", "uncheckable", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNCHECKABLE);
    control_rows("as-stated", "not-missing", 3, HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    add("as-stated", "uncheckable", "claim", "q", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
}
END_TEST

START_TEST(variants_are_judged_together)
{
    begin();
    claim_row("sym", "a", HOLDS);
    add("as-stated-tied", "identity", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_CERTIFIED);
    add("corrected", "identity", "claim", "fp", "a", HOLDS);
    ck_assert_int_eq(judge_claim(&made, "K-X").corrected, V_PROVED);
    add("as-stated-third", "identity", "claim", "f64", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
}
END_TEST

START_TEST(no_rows_is_pending)
{
    begin();
    ck_assert_int_eq(stated(), V_PENDING);
    claim_row("sym", "a", HOLDS);
    ck_assert_int_eq(judge_claim(&made, "K-Y").as_stated, V_PENDING);
}
END_TEST

START_TEST(verdicts_that_fail_the_run)
{
    const verdict fail[] = { V_UNDECIDED, V_UNCONTROLLED, V_INCONSISTENT, V_FAILED };
    for (verdict v = V_NONE; v <= V_FAILED; v++) {
        bool expected = false;
        for (size_t k = 0; k < COUNT(fail); k++) expected |= v == fail[k];
        ck_assert_int_eq(verdict_fails(v), expected);
        ck_assert_int_eq(verdict_word(v)[0] != '\0', v != V_NONE);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("verdict");
    TCase *all = tcase_create("rules");
    suite_add_tcase(suite, all);
    tcase_add_test(all, strengths);
    tcase_add_test(all, narrower_scope_speaks);
    tcase_add_test(all, an_error_that_is_too_large_proves_nothing);
    tcase_add_test(all, the_weakest_shape_counts);
    tcase_add_test(all, sym_at_one_depth_is_no_proof_for_all);
    tcase_add_test(all, what_the_arithmetic_cannot_say_is_skipped);
    tcase_add_test(all, contradictions);
    tcase_add_test(all, a_construction_that_fails_refutes_nothing);
    tcase_add_test(all, controls);
    tcase_add_test(all, counterexamples);
    tcase_add_test(all, a_gap_needs_its_repair);
    tcase_add_test(all, hypotheses_that_fail);
    tcase_add_test(all, measurements);
    tcase_add_test(all, a_measurement_is_the_weakest_of_its_group);
    tcase_add_test(all, informal_parts_show_facts);
    tcase_add_test(all, what_cannot_be_checked);
    tcase_add_test(all, variants_are_judged_together);
    tcase_add_test(all, no_rows_is_pending);
    tcase_add_test(all, verdicts_that_fail_the_run);
    return run_suite(suite, argc, argv);
}
