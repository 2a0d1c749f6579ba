/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_readings.c - the list of bodies that somebody has read beside their sentences: a line counts while the program is
 * the one that was read. */
#include <string.h>
#include "src/claim/judge/readings.h"
#include "src/data/checksum.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const char *root, *list;
static const char body[] = "static void of_two(trial *t) { claim_decided(t, \"2 + 2 = 4\", 2 + 2 == 4); }\n";

/* One program, and a line about it. */
static void begin(void)
{
    char hex[SHA256_HEX], out[256];
    root = temp_folder();
    ck_assert_int_eq(run_command(out, sizeof out, "mkdir %s/theorems", root), 0);
    temp_text(root, "theorems/k_x.c", body);
    checksum_sha256_bytes(body, strlen(body), hex);
    list = temp_text(root, "list.csv", temp_format("claim,part,program,reading,lacks\nK-X,as-stated,k_x,%s,\n", hex));
}

START_TEST(a_line_counts_for_its_part)
{
    readings r = readings_read(list, root);
    ck_assert_int_eq(r.n, 1);
    ck_assert_int_eq(r.rereads, 0);
    ck_assert_str_eq(r.at[0].program, "k_x");
    ck_assert(readings_find(&r, "K-X", "as-stated"));
    ck_assert(!readings_find(&r, "K-X", "corrected"));
    ck_assert(!readings_find(&r, "K-Y", "as-stated"));
    ck_assert(!readings_find(NULL, "K-X", "as-stated"));
    readings_free(&r);
    r = readings_read(temp_path(root, "none.csv"), root);
    ck_assert_int_eq(r.n + r.rereads, 0);
    readings_free(&r);
}
END_TEST

/* Whatever changes in the file of the program, be it a function that the body calls. */
START_TEST(a_changed_program_is_read_again)
{
    temp_text(root, "theorems/k_x.c", temp_format("static bool helper(void) { return true; }\n%s", body));
    readings r = readings_read(list, root);
    ck_assert_int_eq(r.n, 0);
    ck_assert_int_eq(r.rereads, 1);
    ck_assert(!readings_find(&r, "K-X", "as-stated"));
    char hex[SHA256_HEX];
    ck_assert(checksum_sha256(temp_path(root, "theorems/k_x.c"), hex));
    ck_assert_ptr_nonnull(strstr(r.reread[0], "list.csv:2: theorems/k_x.c has changed since"));
    ck_assert_ptr_nonnull(strstr(r.reread[0], hex));
    readings_free(&r);
    temp_text(root, "list.csv", "claim,part,program,reading,lacks\nK-X,as-stated,k_y,0,\n");
    r = readings_read(list, root);
    ck_assert_ptr_nonnull(strstr(r.reread[0], "there is no such file"));
    readings_free(&r);
}
END_TEST

static void outside(void *unused)
{
    (void)unused;
    temp_text(root, "list.csv", "claim,part,program,reading,lacks\nK-X,as-stated,../k_x,0,\n");
    (void)readings_read(list, root);
}

START_TEST(a_program_is_no_path)
{
    char said[1024];
    ck_assert_int_eq(run_child(outside, NULL, said, sizeof said), 2);
    ck_assert_ptr_nonnull(strstr(said, "list.csv:2: `../k_x` is no program of a claim"));
}
END_TEST

/* A line whose program is unchanged may still name another claim's: the report says so. */
START_TEST(the_program_is_that_of_the_claim)
{
    char said[16384];
    static const char index[] = "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n"
                                "K-X,,,,,,new,two,,%s,none,\n";
    ck_assert_int_eq(run_command(said, sizeof said, "cd %s && mkdir e reports && mv list.csv reports/body_read.csv",
                                 root), 0);
    for (int other = 0; other < 2; other++) {
        temp_text(root, "reports/claims.csv", temp_format(index, other ? "k_other" : "k_x"));
        (void)run_command(said, sizeof said, "%s/provably report --evidence=%s/e --index=%s/reports/claims.csv "
                          "--out=%s/out --quiet", build_folder(), root, root, root);
        ck_assert_msg((strstr(said, "k_x is not the program of K-X") != NULL) == other, "%s", said);
    }
}
END_TEST

/* A name that no finite part has, as after a slip of the pen, lifts nothing in silence. */
START_TEST(the_part_is_one_of_the_claim)
{
    char said[16384];
    for (int other = 0; other < 2; other++) {
        ck_assert_int_eq(run_command(said, sizeof said, "B=$(realpath %s) && R=$(realpath reports) && cd %s && mkdir "
                                     "-p e reports && cp $R/../theorems/b_46.c theorems && sed -n '1p; /^B-46,/p' "
                                     "$R/claims.csv > reports/claims.csv && { head -n 1 $R/body_read.csv; "
                                     "echo B-46,%s,b_46,$(sha256sum theorems/b_46.c | cut -d' ' -f1),; } > "
                                     "reports/body_read.csv && $B/theorems/b_46 --out=e/b_46.csv > log",
                                     build_folder(), root,
                                     other ? "as-stated-b" : "corrected"), 0);
        (void)run_command(said, sizeof said, "%s/provably report --evidence=%s/e --index=%s/reports/claims.csv "
                          "--out=%s/out --quiet", build_folder(), root, root, root);
        ck_assert_msg((strstr(said, "B-46 has no part as-stated-b") != NULL) == other, "%s", said);
    }
}
END_TEST

/* A control is one of the part's; a claim that quotes has a line, which its theorem's hash does not replace. */
START_TEST(controls_and_quotations_are_read)
{
    static const struct { const char *part, *says; } of[] = {
        { "as-stated+term-changed", "" }, { "as-stated+other", "B-46 has no part as-stated+other" },
        { "corrected+term-changed", "B-46 has no part corrected+term-changed" },
        { "as-quoted", "" }, { "as-quote", "B-46 has no part as-quote" },
        { NULL, "B-46: nobody has read its quotations beside its statements; add a line of the part as-quoted" } };
    char said[16384];
    for (size_t k = 0; k < COUNT(of); k++) {
        ck_assert_int_eq(run_command(said, sizeof said, "B=$(realpath %s) && R=$(realpath reports) && cd %s && mkdir "
                                     "-p e reports && cp $R/../theorems/b_46.c theorems && sed -n '1p; /^B-46,/p' "
                                     "$R/claims.csv > reports/claims.csv && { head -n 1 $R/body_read.csv; "
                                     "%s B-46,%s,b_46,$(sha256sum theorems/b_46.c | cut -d' ' -f1),; } > "
                                     "reports/body_read.csv && $B/theorems/b_46 --out=e/b_46.csv > log",
                                     build_folder(), root, of[k].part ? "echo" : ":", of[k].part ? of[k].part : ""), 0);
        (void)run_command(said, sizeof said, "%s/provably report --evidence=%s/e --index=%s/reports/claims.csv "
                          "--out=%s/out --quiet", build_folder(), root, root, root);
        ck_assert_msg(*of[k].says ? strstr(said, of[k].says) != NULL : !strstr(said, "B-46 has no part")
                                                                     && !strstr(said, "nobody has read its quotations"), "%zu: %s", k, said);
    }
}
END_TEST

/* summary.csv says whether a verdict is of the sentence as it is meant: not where nobody has read it so. */
START_TEST(the_summary_says_what_is_meant)
{
    char said[16384];
    for (int unread = 0; unread < 2; unread++) {
        ck_assert_int_eq(run_command(said, sizeof said, "B=$(realpath %s) && R=$(realpath reports) && cd %s && mkdir "
                                     "-p e reports && cp $R/../theorems/b_6.c theorems && sed -n '1p; /^B-6,/p' "
                                     "$R/claims.csv > reports/claims.csv && sed -n '1p; /^B-6,/p' $R/body_read.csv "
                                     "%s > reports/body_read.csv && $B/theorems/b_6 --out=e/b_6.csv > log "
                                     "&& $B/theorems/b_6 --describe > e/b_6.meta",
                                     build_folder(), root, unread ? "| grep -v as-meant" : ""), 0);
        (void)run_command(said, sizeof said, "%s/provably report --evidence=%s/e --index=%s/reports/claims.csv "
                          "--out=%s/out --quiet", build_folder(), root, root, root);
        ck_assert_int_eq(run_command(said, sizeof said, "awk -F, 'NR == 2 { print $7, /,yes,/ }' %s/out/summary.csv",
                                     root), 0);
        ck_assert_str_eq(said, unread ? "INFORMAL 0\n" : "SUPPORTED 1\n");
    }
}
END_TEST

/* A folder with the evidence, the theorems and the readings of B-14; the latter in read.csv. */
static void b_14_alone(void)
{
    char said[4096];
    ck_assert_int_eq(run_command(said, sizeof said, "B=$(realpath %s) && R=$(realpath reports) && cd %s && mkdir e reports "
                                 "&& ln -s $R/../src src && cp $R/../theorems/b_14.[cv] theorems && cp $R/formal_log.txt reports "
                                 "&& sed -n '1p; /^B-14,/p' $R/claims.csv > reports/claims.csv "
                                 "&& sed -n '1p; /^B-14,/p' $R/body_read.csv > reports/body_read.csv "
                                 "&& sed -n '1p; /^theorem,B-14,/p' $R/formal.csv > reports/formal.csv "
                                 "&& sed -n '1p; /^B-14,/p' $R/formal_read.csv > read.csv "
                                 "&& $B/theorems/b_14 --scale=quick --out=e/b_14.csv > log "
                                 "&& $B/theorems/b_14 --describe > e/b_14.meta", build_folder(), root), 0);
}

/* A theorem counts while theorem and sentence are those that were read, one of a paper twice, and says all of it. */
START_TEST(a_theorem_counts_as_it_was_read)
{
    static const struct { const char *change, *says; bool counts; } of[] = {
        { "0", "", true }, { "$6 = \"\"", "", false }, { "$7 = \"a clause\"", "", false },
        { "$5 = 0", "the sentence of B-14 as-stated has changed since", false } };
    char said[65536];
    b_14_alone();
    for (size_t k = 0; k < COUNT(of); k++) {
        ck_assert_int_eq(run_command(said, sizeof said, "cd %s && awk -F, -v OFS=, 'NR > 1 { %s } 1' read.csv > "
                                     "reports/formal_read.csv", root, of[k].change), 0);
        (void)run_command(said, sizeof said, "%s/provably report --evidence=%s/e --index=%s/reports/claims.csv "
                          "--out=%s/out", build_folder(), root, root, root);
        ck_assert_msg((strstr(said, "PROVED by a theorem of Coq: 0 ") == NULL) == of[k].counts, "%zu: %s", k, said);
        ck_assert_msg((strstr(said, "do not count") != NULL) != of[k].counts, "%zu: %s", k, said);
        ck_assert_msg(strstr(said, of[k].says), "%zu: %s", k, said);
    }
}
END_TEST

/* A theorem that is a case of another one is no statement of its own. */
START_TEST(a_case_is_no_statement_of_its_own)
{
    char said[65536];
    long parts, theorems, statements;
    b_14_alone();
    for (int cases = 0; cases < 2; cases++) {
        ck_assert_int_eq(run_command(said, sizeof said, "cd %s && cp read.csv reports/formal_read.csv && { echo "
                                     "file,theorem,of_file,of_theorem; %s echo theorems/b_14.v,hull_skips,theorems/b_14.v,hull; "
                                     "} > reports/formal_cases.csv", root, cases ? "" : ": "), 0);
        (void)run_command(said, sizeof said, "%s/provably report --evidence=%s/e --index=%s/reports/claims.csv "
                          "--out=%s/out", build_folder(), root, root, root);
        const char *counts = strstr(said, "PROVED by a theorem of Coq: ");
        ck_assert_msg(counts && sscanf(counts, "PROVED by a theorem of Coq: %ld (%ld theorems, %ld statements)", &parts,
                                       &theorems, &statements) == 3, "%s", said);
        ck_assert_int_gt(theorems, 1);
        ck_assert_int_eq(statements, theorems - cases);
    }
}
END_TEST

START_TEST(what_is_recorded_is_current)
{
    readings r = readings_read("reports/body_read.csv", ".");
    ck_assert_int_ge(r.n, 10);
    ck_assert_msg(r.rereads == 0, "%s", r.rereads ? r.reread[0] : "");
    readings_free(&r);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("readings");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_checked_fixture(all, begin, NULL);
    tcase_add_test(all, a_line_counts_for_its_part);
    tcase_add_test(all, a_changed_program_is_read_again);
    tcase_add_test(all, a_program_is_no_path);
    tcase_add_test(all, the_program_is_that_of_the_claim);
    tcase_add_test(all, the_part_is_one_of_the_claim);
    tcase_add_test(all, controls_and_quotations_are_read);
    tcase_add_test(all, the_summary_says_what_is_meant);
    tcase_add_test(all, a_theorem_counts_as_it_was_read);
    tcase_add_test(all, a_case_is_no_statement_of_its_own);
    tcase_add_test(all, what_is_recorded_is_current);
    return run_suite(suite, argc, argv);
}
