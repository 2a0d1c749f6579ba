/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_work.c - what judging and reporting many rows costs, counted in comparisons of texts: no more than in proportion to
 * the rows, however many shapes, trials and controls they are of.
 *
 * `strcmp` here is the program's own, which the library calls, too: whoever looks at a row asks of which claim and part it
 * is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/intern_values.h"
#include "src/report/collect/tried_sizes.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static long compared;

int strcmp(const char *a, const char *b)
{
    compared++;
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

/* Row k of the case `which` of a part: a hundred rows of each shape, all trials of one shape apart. */
static row *add(rows *to, part_kind kind, const char *which, int over, long k, long n, truth is)
{
    row r = evidence_row_blank();
    const long shapes = n / 100;
    evidence_row_name(&r, "K-X", "as-stated", kind, which);
    r.over = over;
    r.shape = r.drawn = evidence_sizes(temp_format("n=%ld d=%ld h=2", 2 + k % shapes, 4 + k % shapes));
    r.trial = k / shapes;
    r.verdict = is;
    r.log2gap = is == HOLDS ? -60 : 0;
    r.log2bound = -83;
    r.slope = r.log2logit = NAN;
    r.what = cell_keep("logits");
    evidence_row_add_truth(&r, is, "logits", 1);
    evidence_rows_add(to, &r);
    return &to->at[to->n - 1];
}

/* The claim's own trials first, then one of a control for each; every hundredth trial of the claim alone is undecided. */
static void with_controls(rows *to, long n)
{
    for (long k = 0; k < n / 2; k++) add(to, PART_IDENTITY, CASE_CLAIM, A_FP, k, n, k % 100 ? HOLDS : UNDECIDED);
    for (long k = 0; k < n / 2; k++)
        add(to, PART_IDENTITY, temp_format("control-%ld", k % (n / 50)), A_FP, k, n, REFUTED);
}

/* Symbols show it last, and no other trial makes another check. */
static void with_symbols(rows *to, long n)
{
    for (long k = 0; k < n; k++) add(to, PART_IDENTITY, CASE_CLAIM, k < n / 2 ? A_Q : A_SYM, k, n, HOLDS);
}

static void of_figures(rows *to, long n)
{
    for (long k = 0; k < n; k++) add(to, PART_MEASURED, CASE_CLAIM, A_F64, k, n, HOLDS)->log2bound = 0;
}

/* Comparisons of texts where n rows are judged, and put into words. */
static long work_of(void (*make)(rows *, long), long n, verdict is)
{
    static proof derived = { .id = "K-X", .part = "as-stated", .kind = "sym", .derivation = true, .heads = 2, .depth = -1 };
    const proofs accepted = { .at = &derived, .n = 1 };
    claim_record c = { .id = "K-X" };
    char **lines;
    derived.assumes = hypotheses_of("");
    make(&c.own, n);
    compared = 0;
    c.v = judge_claim(&c.own, &accepted, NULL, NULL, "K-X");
    const long lines_made = tried_lines(&c, false, &lines);
    const long needed = compared;
    ck_assert_msg(c.v.as_stated == is, "%ld rows: %s: %s", n, verdict_word(c.v.as_stated), c.v.part[0].why);
    for (long k = 0; k < lines_made; k++) free(lines[k]);
    free(lines);
    evidence_rows_free(&c.own);
    return needed;
}

/* Four times the rows take at most five times the work: what is quadratic takes sixteen. */
START_TEST(rows_are_judged_in_proportion)
{
    static const struct { void (*make)(rows *, long); verdict is; } table[] = {
        { with_controls, V_UNDECIDED }, { with_symbols, V_SUPPORTED }, { of_figures, V_FAILED } };
    for (size_t k = 0; k < COUNT(table); k++) {
        const long few = work_of(table[k].make, 2000, table[k].is), many = work_of(table[k].make, 8000, table[k].is);
        ck_assert_msg(few >= 2000 && many <= 5 * few, "%zu: %ld comparisons for 2000 rows, %ld for 8000", k, few, many);
    }
}
END_TEST

/* Half of the places are free, so that a text is found in few steps. */
START_TEST(values_are_found_in_few_steps)
{
    enum { KEPT = 20000, ROUNDS = 3 };
    static char value[KEPT];
    intern_values all = { 0 };
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < KEPT; k++) {
            void **at = intern_value(&all, intern(temp_format("n=%d d=%d", k % 100, k / 100)));
            ck_assert_ptr_eq(*at, round ? &value[k] : NULL);
            *at = &value[k];
        }
    ck_assert_uint_eq(all.used, KEPT);
    ck_assert_msg(all.steps <= 4 * ROUNDS * (size_t)KEPT, "%zu steps", all.steps);
    intern_values_free(&all);
    ck_assert_ptr_null(*intern_value(&all, intern("n=1 d=1")));
    intern_values_free(&all);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("work");
    TCase *all = tcase_create("work");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, rows_are_judged_in_proportion);
    tcase_add_test(all, values_are_found_in_few_steps);
    return run_suite(suite, argc, argv);
}
