/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_replay.c - an evidence row replays bit for bit from its own cells. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/libraries.h"
#include "src/claim/evidence/evidence.h"
#include "src/base/version.h"
#include "tests/support/evidence.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* The row as text without its seconds. */
static void as_text(char *to, size_t size, row r)
{
    r.seconds = 0;
    FILE *f = fmemopen(to, size, "w");
    if (!f) die("fmemopen failed");
    evidence_row_write(f, &r);
    fclose(f);
}

static rows evidence_of(const char *program, const char *folder, const char *options)
{
    char output[4096], *out = temp_path(folder, "rows.csv"), *ladder = temp_path(folder, "rows.ladder.csv");
    char *command = temp_format("%s/theorems/%s %s --out=%s", build_folder(), program, options, out);
    rows all = { 0 };
    const int status = run_shell(command, output, sizeof output);
    ck_assert_msg(status == 0, "%s: status %d, output: %s", command, status, output);
    evidence_rows_read(&all, out);
    unlink(out);
    unlink(ladder);
    return all;
}

START_TEST(replays)
{
    char *folder = temp_folder();
    rows all = evidence_of("k_t4_4", folder, "--scale=quick --seed=77");
    ck_assert_int_gt(all.n, 50);
    long replayed = 0;
    for (long k = 0; k < all.n; k += 7) {              /* every seventh: all arithmetics and cases come by */
        const row *r = &all.at[k];
        char *options = temp_format("--part=%s --case=%s --arith=%s --shape='%s' --seed=%llu --trial=%ld", r->part, r->which,
                                    arith_names[r->over], r->shape->text, (unsigned long long)r->seed, r->trial);
        rows again = evidence_of("k_t4_4", folder, options);
        char before[4096] = "", after[4096] = "";
        ck_assert_int_eq(again.n, 1);
        as_text(before, sizeof before, *r);
        as_text(after, sizeof after, again.at[0]);
        ck_assert_str_eq(before, after);
        replayed++;
        evidence_rows_free(&again);
    }
    ck_assert_int_gt(replayed, 10);
    evidence_rows_free(&all);
}
END_TEST

static int in_folder(const char *folder, const char *format, char *output, size_t size)
{
    return run_command(output, size, format, folder, build_folder());
}

/* What a program prints of itself, what its rows say, and what the report makes of them are the same. */
START_TEST(program_rows_and_report_agree)
{
    char *folder = temp_folder(), printed[4096], summary[4096], *path = temp_path(folder, "e/k_l3_1.csv");
    rows all = { 0 };
    ck_assert_int_eq(in_folder(folder, "mkdir %1$s/e && %2$s/theorems/k_l3_1 --describe > %1$s/e/k_l3_1.meta && "
                               "%2$s/theorems/k_l3_1 --out=%1$s/e/k_l3_1.csv", printed, sizeof printed), 0);
    evidence_rows_read(&all, path);
    for (long k = 0; k < all.n; k++) {
        const row *r = &all.at[k];
        ck_assert_str_eq(r->build, libraries_text());
        ck_assert(r->skipped || r->verdict == UNDECIDED || evidence_row_count_truths(r, r->verdict) > 0);
        ck_assert_int_eq(evidence_row_count_truths(r, HOLDS) + evidence_row_count_truths(r, REFUTED) + evidence_row_count_truths(r, UNDECIDED), r->checks);
    }
    ck_assert_int_eq(in_folder(folder, "mkdir %1$s/reports %1$s/theorems; cp theorems/k_l3_1.c %1$s/theorems; "
                               "for list in claims body_read; do sed -n '1p; /^K-L3.1,/p' reports/$list.csv > %1$s/reports/$list.csv; "
                               "done; %2$s/provably report --evidence=%1$s/e --index=%1$s/reports/claims.csv "
                               "--out=%1$s/out --quiet; cat %1$s/out/summary.csv", summary, sizeof summary), 0);
    ck_assert_msg(strstr(printed, "SUPPORTED") && strstr(summary, ",SUPPORTED,verified,"), "%s and %s", printed, summary);
    char *build = temp_format("%s\n", libraries_text());          /* commit; compiler; libraries: three cells */
    for (int k = 0; k < 2; k++) {
        char *mark = strstr(build, "; ");
        ck_assert_ptr_nonnull(mark);
        memmove(mark, mark + 1, strlen(mark));
        *mark = ',';
    }
    ck_assert_msg(strstr(summary, build) != NULL, "%s is not in %s", build, summary);
    ck_assert_ptr_nonnull(strstr(libraries_text(), version_commit()));
    ck_assert_ptr_nonnull(strstr(libraries_text(), "; FLINT "));
    evidence_rows_free(&all);
}
END_TEST

/* The last lines of the rows name the description and each certificate, by the hashes of what is written. */
START_TEST(rows_name_what_their_run_wrote)
{
    char output[8192];
    ck_assert_msg(in_folder(temp_folder(), "build=$(cd %2$s && pwd) && cd %1$s && mkdir c && $build/theorems/k_l3_1 --suite --scale=quick "
                            "--out=e.csv --certificates=c > log && $build/theorems/k_l3_1 --describe > d && "
                            "[ $(grep -c '^# certificate ' e.csv) = $(ls c | wc -l) ] && [ $(ls c | wc -l) -gt 1 ] && for f in c/*.cert; do "
                            "grep -qxF \"# certificate ${f#c/} with SHA-256 $(sha256sum $f | cut -c1-64)\" e.csv || exit 1; done && "
                            "grep -qxF \"# description with SHA-256 $(sha256sum d | cut -c1-64)\" e.csv", output, sizeof output) == 0, "%s", output);
}
END_TEST

START_TEST(another_seed_gives_another_instance)
{
    char *folder = temp_folder();
    const char *const options[] = { "--part=as-stated --case=claim --arith=f64 --trial=0 --seed=1 --shape=n=3",
                                    "--part=as-stated --case=claim --arith=f64 --trial=0 --seed=2 --shape=n=3",
                                    "--part=as-stated --case=claim --arith=f64 --trial=1 --seed=1 --shape=n=3" };
    double logit[COUNT(options)];
    for (size_t k = 0; k < COUNT(options); k++) {
        rows all = evidence_of("k_t4_4", folder, options[k]);
        ck_assert_int_eq(all.n, 1);
        logit[k] = all.at[0].log2logit;
        evidence_rows_free(&all);
    }
    ck_assert_double_ne(logit[0], logit[1]);
    ck_assert_double_ne(logit[0], logit[2]);
}
END_TEST

/* Several shapes of a plan may be one for q: each trial is of a draw of its own all the same. */
START_TEST(no_trial_runs_twice)
{
    char *folder = temp_folder();
    const char *const programs[] = { "k_e2", "k_e1_r8" };
    for (size_t p = 0; p < COUNT(programs); p++) {
        rows all = evidence_of(programs[p], folder, "--arith=q");
        long later = 0;
        for (long k = 0; k < all.n; k++) {
            const row *r = &all.at[k];
            later += r->trial > 2;
            for (long i = 0; i < k; i++) {
                const row *o = &all.at[i];
                ck_assert_msg(o->part != r->part || o->which != r->which || o->shape != r->shape || o->trial != r->trial,
                              "%s %s at %s: trial %ld twice", r->part, r->which, r->shape->text, r->trial);
            }
        }
        ck_assert_int_gt(later, 0);
        evidence_rows_free(&all);
    }
}
END_TEST

/* Malformed evidence is refused with its line. */
START_TEST(malformed_rows)
{
    const char *const bad[] = { "", "not a header\n", "K-X,too,few\n" };
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *folder = temp_folder(), *path = temp_path(folder, "k_x.csv"), output[1024];
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        if (k == 2) evidence_row_header(f);
        fputs(bad[k], f);
        if (*bad[k]) evidence_done(f);
        else fclose(f);
        const int status = run_command(output, sizeof output, "%s/provably report --evidence=%s --out=%s/out", build_folder(), folder, folder);
        ck_assert_msg(k == 0 ? status != 0 : status == 2, "case %zu: status %d, output: %s", k, status, output);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("replay");
    TCase *all = tcase_create("rows");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, program_rows_and_report_agree);
    tcase_add_test(all, replays);
    tcase_add_test(all, another_seed_gives_another_instance);
    tcase_add_test(all, rows_name_what_their_run_wrote);
    tcase_add_test(all, no_trial_runs_twice);
    tcase_add_test(all, malformed_rows);
    return run_suite(suite, argc, argv);
}
