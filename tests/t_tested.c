/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_tested.c - what the page says of the tests of the programs themselves: recorded figures, and nothing without a record. */
#include <stdlib.h>
#include <string.h>
#include "src/report/document/html.h"
#include "src/report/sections/sections.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *page_of(const char *recorded)
{
    document d = { 0 };
    evidence_set all = { .results_path = temp_format("%s", recorded) };
    char *folder = temp_folder(), *path = temp_path(folder, "page.html");
    section_tested(&d, &all);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    html_page(f, "tested", &d, 1);
    ck_assert_int_eq(fclose(f), 0);
    doc_free(&d);
    return temp_read(NULL, path, NULL);
}

static void has(const char *page, const char *what) { ck_assert_msg(strstr(page, what), "missing: %s\nin: %s", what, page); }

START_TEST(figures_are_shown)
{
    const char *recorded = temp_folder();
    temp_text(recorded, "coverage.csv", "date,commit,hardware,compiler,tests,room,sources,lines,lines_run,branches,branches_taken\n"
              "2026-01-02,c,h,\"cc (a, b)\",7 of 9,src/base,00,200,120,80,60\n2026-01-02,c,h,cc,7 of 9,src/none,00,10,10,0,0\n");
    temp_text(recorded, "fuzz_guided.csv", "date,commit,sources,hardware,compiler,seconds,reader,executions,edges,corpus\n"
              "d,c,s,h,cc,8,idx,1000,10,1\nd,c,s,h,cc,8,tar,234,10,1\n");
    temp_text(recorded, "oom.csv", "date,commit,hardware,command,allocations,refused,failures\nd,c,h,\"a, b\",9,60,0\nd,c,h,x,9,5,0\n");
    const char *page = page_of(recorded);
    has(page, "measured by gcov on 2026-01-02 (tests run: 7 of 9)");
    has(page, "src/base");
    has(page, "60.0 %");
    has(page, "75.0 %");
    has(page, "100.0 %");
    has(page, "2 readers of files are fuzzed along the branches that an input takes: 1234 executions");
    has(page, "Memory is refused to 2 commands, at 65 allocations");
    ck_assert_ptr_null(strstr(page, "nan"));
}
END_TEST

START_TEST(nothing_without_a_record)
{
    const char *page = page_of(temp_folder());
    ck_assert_ptr_null(strstr(page, "gcov"));
    ck_assert_ptr_null(strstr(page, "fuzzed"));
    ck_assert_ptr_null(strstr(page, "Memory"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("tested");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, figures_are_shown);
    tcase_add_test(all, nothing_without_a_record);
    return run_suite(suite, argc, argv);
}
