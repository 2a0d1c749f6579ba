/* t_evidence.c - every column of the evidence files comes back as it was written, non-finite numbers included. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/evidence.h"
#include "tests/support/suite.h"

static char *folder, *path;

static FILE *start(void)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    return f;
}

/* No two fields of the same type are equal. */
static const row full = {
    .id = "K-1", .part = "as-stated", .kind = "identity", .which = "some-control", .arith = "mpfr", .param = "64-1024",
    .shape = "n=3 d=4", .seed = 18446744073709551557u, .trial = 7, .verdict = UNDECIDED, .log2gap = -1.25, .log2bound = -2.5,
    .slope = -0.75, .checks = 11, .log2logit = 3.5, .kappa = 17.25, .seconds = 0.125, .threads = 5, .blas = "Core",
    .scope = "all sizes", .depth = DEPTH_EVERY, .uses = "invertible A", .skipped = true, .undeclared = false,
    .finite = true, .what = "what", .note = "note", .basis = "basis", .by_proof = "step" };

static row written(const row *r)
{
    rows all = { 0 };
    FILE *f = start();
    row_header(f);
    row_write(f, r);
    fclose(f);
    rows_read(&all, path);
    ck_assert_int_eq(all.n, 1);
    const row back = all.at[0];
    rows_free(&all);
    return back;
}

START_TEST(every_column_of_a_row)
{
    const row r = written(&full);
    ck_assert_str_eq(r.id, "K-1");                ck_assert_str_eq(r.part, "as-stated");
    ck_assert_str_eq(r.kind, "identity");         ck_assert_str_eq(r.which, "some-control");
    ck_assert_str_eq(r.arith, "mpfr");            ck_assert_str_eq(r.param, "64-1024");
    ck_assert_str_eq(r.shape, "n=3 d=4");         ck_assert(r.seed == full.seed);
    ck_assert_int_eq(r.trial, 7);                 ck_assert_int_eq(r.verdict, UNDECIDED);
    ck_assert(r.log2gap == -1.25);                ck_assert(r.log2bound == -2.5);
    ck_assert(r.slope == -0.75);                  ck_assert_int_eq(r.checks, 11);
    ck_assert(r.log2logit == 3.5);                ck_assert(r.kappa == 17.25);
    ck_assert(r.seconds == 0.125);                ck_assert_int_eq(r.threads, 5);
    ck_assert_str_eq(r.blas, "Core");             ck_assert_str_eq(r.scope, "all sizes");
    ck_assert_int_eq(r.depth, DEPTH_EVERY);       ck_assert_str_eq(r.uses, "invertible A");
    ck_assert(r.skipped);                         ck_assert(!r.undeclared);
    ck_assert(r.finite);                          ck_assert_str_eq(r.what, "what");
    ck_assert_str_eq(r.note, "note");             ck_assert_str_eq(r.basis, "basis");
    ck_assert_str_eq(r.by_proof, "step");
}
END_TEST

START_TEST(the_other_words)
{
    static const truth verdicts[] = { HOLDS, REFUTED, UNDECIDED };
    static const model_depth depths[] = { DEPTH_NONE, DEPTH_RUN, DEPTH_EVERY };
    row r = full;
    r.skipped = r.finite = false;
    r.undeclared = true;
    r.verdict = verdicts[_i];
    r.depth = depths[_i];
    const row back = written(&r);
    ck_assert(back.verdict == verdicts[_i] && back.depth == depths[_i]);
    ck_assert(!back.skipped && !back.finite && back.undeclared);
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
    const rung r = { .id = "K-1", .part = "part", .which = "case", .shape = "n=3", .seed = 5, .trial = 6, .bits = 128,
                     .log2gap = -127.5 };
    char line[256] = "";
    FILE *f = start();
    rung_header(f);
    rung_write(f, &r);
    fclose(f);
    f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    for (int k = 0; k < 2; k++) ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    fclose(f);
    ck_assert_str_eq(line, "K-1,part,case,n=3,5,6,128,-127.5\n");
}
END_TEST

START_TEST(every_column_of_a_figure)
{
    const measured m = { .id = "K-1", .part = "part", .which = "case", .shape = "n=3", .seed = 5, .trial = 6, .name = "slope",
                         .x = 1.5, .value = 2.5, .low = 2.25, .high = 2.75, .predicted = 3.5 };
    measures all = { 0 };
    FILE *f = start();
    measured_header(f);
    measured_write(f, &m);
    fclose(f);
    measures_read(&all, path);
    ck_assert_int_eq(all.n, 1);
    const measured *b = &all.at[0];
    ck_assert(strcmp(b->id, "K-1") == 0 && strcmp(b->part, "part") == 0 && strcmp(b->which, "case") == 0);
    ck_assert(strcmp(b->shape, "n=3") == 0 && b->seed == 5 && b->trial == 6 && strcmp(b->name, "slope") == 0);
    ck_assert(b->x == 1.5 && b->value == 2.5 && b->low == 2.25 && b->high == 2.75 && b->predicted == 3.5);
    free(all.at);
}
END_TEST

int main(int argc, char **argv)
{
    folder = scratch_folder();
    path = must_format("%s/rows.csv", folder);
    Suite *suite = suite_create("evidence");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, every_column_of_a_row);
    tcase_add_loop_test(all, the_other_words, 0, 3);
    tcase_add_test(all, numbers_that_are_not_finite);
    tcase_add_test(all, every_column_of_a_rung);
    tcase_add_test(all, every_column_of_a_figure);
    const int status = run_suite(suite, argc, argv);
    unlink(path);
    rmdir(folder);
    free(path);
    free(folder);
    return status;
}
