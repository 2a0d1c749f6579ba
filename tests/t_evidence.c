/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_evidence.c - every column of the evidence files comes back as it was written, non-finite numbers included. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/claim/evidence/evidence_end.h"
#include "src/claim/evidence/evidence_figures.h"
#include "tests/support/evidence.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *folder, *path;

static FILE *start(void)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    return f;
}

/* No two fields of the same type are equal. */
static row full = {
    .id = "K-1", .part = "as-stated", .kind = PART_IDENTITY, .which = "some-control", .over = A_MPFR, .param = "64-1024",
    .seed = 18446744073709551557u, .trial = 7, .verdict = UNDECIDED, .log2gap = -1.25, .log2bound = -2.5,
    .slope = -0.75, .checks = 11, .log2logit = 3.5, .kappa = 17.25, .seconds = 0.125, .threads = 5, .blas = "Core",
    .scope = SCOPE_ALL_SIZES, .depth = DEPTH_EVERY, .skipped = true, .undeclared = false,
    .finite = true, .what = "what", .whole = true, .shares_side = SIDE_OTHER, .unbroken = "one block; logits",
    .note = "note", .basis = "basis", .by_proof = "step",
    .build = "abc; gcc 1.2.3; FLINT 4" };

static row written(const row *r)
{
    rows all = { 0 };
    FILE *f = start();
    evidence_row_header(f);
    evidence_row_write(f, r);
    fclose(f);
    evidence_rows_read(&all, path);
    ck_assert_int_eq(all.n, 1);
    const row back = all.at[0];
    evidence_rows_free(&all);
    return back;
}

START_TEST(every_column_of_a_row)
{
    const row r = written(&full);
    ck_assert_str_eq(r.id, "K-1");                ck_assert_str_eq(r.part, "as-stated");
    ck_assert_int_eq(r.kind, PART_IDENTITY);         ck_assert_str_eq(r.which, "some-control");
    ck_assert_int_eq(r.over, A_MPFR);            ck_assert_str_eq(r.param, "64-1024");
    ck_assert_str_eq(r.shape->text, "n=3 d=4");         ck_assert(r.seed == full.seed);
    ck_assert_int_eq(r.trial, 7);                 ck_assert_int_eq(r.verdict, UNDECIDED);
    ck_assert(r.log2gap == -1.25);                ck_assert(r.log2bound == -2.5);
    ck_assert(r.slope == -0.75);                  ck_assert_int_eq(r.checks, 11);
    ck_assert(r.log2logit == 3.5);                ck_assert(r.kappa == 17.25);
    ck_assert(r.seconds == 0.125);                ck_assert_int_eq(r.threads, 5);
    ck_assert_str_eq(r.blas, "Core");             ck_assert_int_eq(r.scope, SCOPE_ALL_SIZES);
    ck_assert_int_eq(r.depth, DEPTH_EVERY);       ck_assert_str_eq(r.uses->text, "invertible A");
    ck_assert(r.skipped);                         ck_assert(!r.undeclared);
    ck_assert(r.finite);                          ck_assert_str_eq(r.what, "what");
    ck_assert_str_eq(r.note, "note");             ck_assert_str_eq(r.basis, "basis");
    ck_assert_str_eq(r.by_proof, "step");         ck_assert_ptr_eq(r.truths, full.truths);
    ck_assert_str_eq(r.build, full.build);        ck_assert(r.whole && r.shares_side == SIDE_OTHER);
    ck_assert_int_eq(r.subject, ROW_OF_CONTROL);  ck_assert(!r.certain);
    ck_assert_str_eq(r.drawn->text, "d=4-6 L=3"); ck_assert_str_eq(r.unbroken, "one block; logits");
}
END_TEST

/* What a cell says is read once, and rows share it. */
START_TEST(sizes_are_read)
{
    row r = full;
    const size_range d = evidence_row_size(&r, DRAWN_D), n = evidence_row_size(&r, DRAWN_N), V = evidence_row_size(&r, DRAWN_V);
    ck_assert(d.least == 4 && d.most == 6);                                       /* of what was drawn, */
    ck_assert(n.least == 3 && n.most == 3 && V.most == 0);                        /* else of the shape  */
    ck_assert(!r.drawn->is_model && !evidence_sizes("")->is_model);
    r.shape = evidence_sizes("n=4 d=6 h=3 dk=2 m=8 V=7 L=2 h_kv=1 tied=1");
    ck_assert(r.shape->is_model && r.shape->model.dk == 2 && r.shape->model.h_kv == 1 && r.shape->model.tied);
    ck_assert_ptr_eq(r.shape, evidence_sizes(temp_format("%s", r.shape->text)));
    ck_assert_ptr_ne(r.shape, full.shape);
}
END_TEST

START_TEST(cases_and_certain_rows)
{
    row r = full;
    ck_assert_int_eq(evidence_subject("claim"), ROW_OF_CLAIM);
    ck_assert_int_eq(evidence_subject("claims"), ROW_OF_CONTROL);
    r.which = CASE_MINIMAL;
    r.param = PARAM_CERTAIN;
    ck_assert(written(&r).subject == ROW_OF_MINIMAL && !written(&r).certain);     /* over mpfr the word says nothing */
    r.which = CASE_CLAIM;
    r.over = A_FP;
    const row back = written(&r);
    ck_assert(evidence_row_is_claim(&back) && back.certain);
    r.param = "2 primes";
    ck_assert(!written(&r).certain);
}
END_TEST

START_TEST(names_of_checks)
{
    row r = evidence_row_blank();
    evidence_row_add_truth(&r, HOLDS, "what", 1);
    evidence_row_add_truth(&r, HOLDS, "another", 2);
    evidence_row_add_truth(&r, REFUTED, "broken", 1);
    evidence_row_add_truth(&r, HOLDS, "a name that is much longer than the column of the worst check", 1);
    ck_assert(evidence_row_shows(&r, "what") && evidence_row_shows(&r, "another"));
    ck_assert(!evidence_row_shows(&r, "wha") && !evidence_row_shows(&r, "hat") && !evidence_row_shows(&r, "") && !evidence_row_shows(&r, "broken"));
    ck_assert(evidence_row_shows(&r, "a name that is much longer than the column of the worst check"));
    ck_assert(!evidence_row_shows(&r, "a name that is much longer than the col"));         /* no beginning counts */
    r.what = r.truths->at[3].what;
    r.checks = 5;
    r.verdict = UNDECIDED;
    r.id = r.part = "K-1";
    r.which = r.param = r.blas = r.build = "x";
    ck_assert_str_eq(written(&r).what, "a name that is much longer than the column of the worst check");
}
END_TEST

/* Thirds have no end in binary: to the bit, for each number of a row, a rung and a figure. */
START_TEST(numbers_come_back_to_the_bit)
{
    row r = full;
    r.log2gap = -1e3 / 3;
    r.log2bound = -2e3 / 3;
    r.slope = -1.0 / 3;
    r.log2logit = 1e-5 / 3;
    r.kappa = 1e300 / 3;
    r.seconds = 5e-324;
    const row back = written(&r);
    ck_assert(back.log2gap == r.log2gap && back.log2bound == r.log2bound && back.slope == r.slope);
    ck_assert(back.log2logit == r.log2logit && back.kappa == r.kappa && back.seconds == r.seconds);
    const measured m = { .id = "K-1", .part = "part", .which = "case", .shape = evidence_sizes("n=3"), .name = "thirds", .x = 1.0 / 3, .value = 2.0 / 3, .low = 4.0 / 3, .high = 5.0 / 3,
                         .predicted = 7.0 / 3 };
    measures all = { 0 };
    FILE *f = start();
    evidence_figure_header(f);
    evidence_figure_write(f, &m);
    fclose(f);
    evidence_figures_read(&all, path);
    const measured *b = &all.at[0];
    ck_assert(b->x == m.x && b->value == m.value && b->low == m.low && b->high == m.high && b->predicted == m.predicted);
    free(all.at);
}
END_TEST

START_TEST(truths_of_all_checks)
{
    row r = evidence_row_blank();
    evidence_row_add_truth(&r, HOLDS, "z = (1, 2); holds", 1);
    evidence_row_add_truth(&r, HOLDS, "logits", 1);
    evidence_row_add_truth(&r, REFUTED, "logits", 2);
    evidence_row_add_truth(&r, HOLDS, "logits", 4);
    evidence_row_add_truth(&r, UNDECIDED, "logit", 1);
    ck_assert_str_eq(r.truths->text, "holds z = (1;; 2);; holds; holds*5 logits; refuted*2 logits; undecided logit");
    ck_assert_int_eq(r.truths->n, 4);
    ck_assert_str_eq(r.truths->at[0].what, "z = (1; 2); holds");
    ck_assert(evidence_row_shows(&r, "z = (1; 2); holds") && !evidence_row_shows(&r, "logit"));
    const check_truths *beside = evidence_truths("holds " DECIDED_BESIDE "AB = BA");
    ck_assert_ptr_eq(beside->at[0].decided, intern("AB = BA"));
    ck_assert_ptr_null(r.truths->at[0].decided);
    ck_assert_int_eq(evidence_row_count_truths(&r, HOLDS), 6);
    ck_assert_int_eq(evidence_row_count_truths(&r, REFUTED), 2);
    ck_assert_int_eq(evidence_row_count_truths(&r, UNDECIDED), 1);
    for (size_t k = 0; k < 4; k++) {
        const char *const wrong[] = { "perhaps logits", "holds", "holds*0 logits", "holds*x logits" };
        ck_assert_ptr_null(evidence_truths(wrong[k]));
    }
}
END_TEST

/* A row that contradicts its own checks is malformed. */
static const struct { truth verdict; long checks; const char *truths; bool good; } own_checks[] = {
    { HOLDS, 3, "holds*2 a; holds b", true },       { HOLDS, 3, "holds*2 a; refuted b", false },
    { HOLDS, 3, "holds*2 a; undecided b", false },  { HOLDS, 3, "holds*2 a", false },  { HOLDS, 0, "", false },
    { REFUTED, 2, "holds a; refuted b", true },     { REFUTED, 2, "holds a; undecided b", false },
    { UNDECIDED, 2, "holds a; refuted b", true },   { UNDECIDED, 0, "", true },        { UNDECIDED, 1, "holds a", true },
};
static void read_rows(void *with)
{
    rows all = { 0 };
    (void)with;
    evidence_rows_read(&all, path);
    evidence_rows_free(&all);
}
START_TEST(verdict_and_checks)
{
    char output[512];
    row r = full;
    r.verdict = own_checks[_i].verdict;
    r.checks = own_checks[_i].checks;
    r.truths = evidence_truths(own_checks[_i].truths);
    FILE *f = start();
    evidence_row_header(f);
    evidence_row_write(f, &r);
    fclose(f);
    ck_assert_int_eq(run_child(read_rows, NULL, output, sizeof output), own_checks[_i].good ? 0 : 2);
    ck_assert(own_checks[_i].good || strstr(output, ":2: the verdict is not that of the checks; remove the file"));
}
END_TEST

START_TEST(the_other_words)
{
    static const truth verdicts[] = { HOLDS, REFUTED, UNDECIDED };
    static const model_depth depths[] = { DEPTH_NONE, DEPTH_RUN, DEPTH_EVERY };
    row r = full;
    r.skipped = r.finite = r.whole = false;
    r.undeclared = true;
    r.verdict = verdicts[_i];
    r.checks = 1;
    r.truths = evidence_truths("");
    evidence_row_add_truth(&r, r.verdict, "logits", 1);
    r.depth = depths[_i];
    const row back = written(&r);
    ck_assert(back.verdict == verdicts[_i] && back.depth == depths[_i]);
    ck_assert(!back.skipped && !back.finite && !back.whole && back.undeclared);
    ck_assert(evidence_row_shows(&back, "logits") == (_i == 0) && !evidence_row_shows(&back, "what"));
}
END_TEST

START_TEST(numbers_that_are_not_finite)
{
    row r = full;
    r.log2gap = -INFINITY;
    r.log2bound = INFINITY;
    r.slope = r.log2logit = NAN;
    const row back = written(&r);
    ck_assert(back.log2gap == -INFINITY && back.log2bound == INFINITY && isnan(back.slope) && isnan(back.log2logit));
}
END_TEST

START_TEST(every_column_of_a_rung)
{
    const rung r = { .id = "K-1", .part = "part", .which = "case", .shape = evidence_sizes("n=3"), .seed = 5, .trial = 6, .bits = 128,
                     .log2gap = -127.5 };
    FILE *f = start();
    evidence_rung_header(f);
    evidence_rung_write(f, &r);
    fclose(f);
    const char *line = strchr(temp_read(NULL, path, NULL), '\n');
    ck_assert_ptr_nonnull(line);
    ck_assert_str_eq(line + 1, "K-1,part,case,n=3,5,6,128,-0x1.fep+6\n");
}
END_TEST

START_TEST(every_column_of_a_figure)
{
    const measured m = { .id = "K-1", .part = "part", .which = "case", .shape = evidence_sizes("n=3"), .seed = 5, .trial = 6, .name = "slope",
                         .x = 1.5, .value = 2.5, .low = 2.25, .high = 2.75, .predicted = 3.5 };
    measures all = { 0 };
    FILE *f = start();
    evidence_figure_header(f);
    evidence_figure_write(f, &m);
    fclose(f);
    evidence_figures_read(&all, path);
    ck_assert_int_eq(all.n, 1);
    const measured *b = &all.at[0];
    ck_assert(strcmp(b->id, "K-1") == 0 && strcmp(b->part, "part") == 0 && strcmp(b->which, "case") == 0);
    ck_assert(strcmp(b->shape->text, "n=3") == 0 && b->seed == 5 && b->trial == 6 && strcmp(b->name, "slope") == 0);
    ck_assert(b->x == 1.5 && b->value == 2.5 && b->low == 2.25 && b->high == 2.75 && b->predicted == 3.5);
    free(all.at);
}
END_TEST

static void require_end(void *with)
{
    (void)with;
    evidence_end_require(path);
}
/* Three rows and the last line, then one thing that somebody could do to them. */
START_TEST(rows_that_are_missing_or_changed)
{
    char output[512];
    row r = full;
    FILE *f = start();
    evidence_row_header(f);
    for (r.trial = 0; r.trial < 3; r.trial++) evidence_row_write(f, &r);
    evidence_done(f);
    size_t n;
    const char *text = temp_read(NULL, path, &n);
    const char *last = strstr(text, "# end of 4 lines with SHA-256 "), *third = last - 1;
    ck_assert_ptr_nonnull(last);
    while (third[-1] != '\n') third--;
    char *changed = temp_format("%s", text);
    *strstr(changed, "holds*7") = 'H';
    const int above = (int)(last - text), two = (int)(third - text);
    const char *const is[] = {
        text, changed, temp_format("%.*s", above, text), temp_format("%.*s", two, text), temp_format("%.*s%s", two, text, last),
        temp_format("%s%s", text, third), temp_format("%.*s%s%s", two, text, last, third), temp_format("%.*s", (int)n - 1, text),
        temp_format("%s\n", text), last, "\n", "" };
    for (size_t k = 0; k < COUNT(is); k++) {
        temp_text(NULL, path, is[k]);
        const int status = run_child(require_end, NULL, output, sizeof output);
        ck_assert_msg(status == (k ? 2 : 0), "case %zu: status %d, %s", k, status, output);
        ck_assert(!k || !is[k][0] || strstr(output, "its last lines are missing, or a line was changed; remove the file and run `make check` again"));
    }
    temp_text(NULL, path, text);
    rows all = { 0 };
    evidence_rows_read(&all, path);
    ck_assert_int_eq(all.n, 3);
    evidence_rows_free(&all);
    evidence_done_at(path);                                          /* a second last line takes the place of the first */
    ck_assert_str_eq(temp_read(NULL, path, NULL), text);
}
END_TEST

int main(int argc, char **argv)
{
    full.shape = evidence_sizes("n=3 d=4");
    full.drawn = evidence_sizes("d=4-6 L=3");
    full.uses = hypotheses_of("invertible A");
    full.truths = evidence_truths("holds*7 one block; refuted logits; undecided*3 z = (1;; 2)");
    folder = temp_folder();
    path = temp_path(folder, "rows.csv");
    Suite *suite = suite_create("evidence");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, every_column_of_a_row);
    tcase_add_test(all, sizes_are_read);
    tcase_add_test(all, cases_and_certain_rows);
    tcase_add_test(all, names_of_checks);
    tcase_add_test(all, numbers_come_back_to_the_bit);
    tcase_add_test(all, truths_of_all_checks);
    tcase_add_loop_test(all, verdict_and_checks, 0, COUNT(own_checks));
    tcase_add_loop_test(all, the_other_words, 0, 3);
    tcase_add_test(all, numbers_that_are_not_finite);
    tcase_add_test(all, every_column_of_a_rung);
    tcase_add_test(all, every_column_of_a_figure);
    tcase_add_test(all, rows_that_are_missing_or_changed);
    return run_suite(suite, argc, argv);
}
