/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_scripts.c - the scripts that record how the suite tests itself: tests/coverage.sh and tests/guided.sh, in small trees
 * whose programs take known branches, and whose fuzzers say known figures. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char said[1 << 14], *root;

static int shell(const char *command)
{
    return run_command(said, sizeof said, "cd '%s' && { %s\n} 2>&1", root, command);
}
static void good(const char *command) { ck_assert_msg(shell(command) == 0, "%s: %.2000s", command, said); }
static void has(const char *what) { ck_assert_msg(strstr(said, what), "missing: %s\nin: %.2000s", what, said); }

static void copy_scripts(const char *folders)
{
    root = temp_folder();
    ck_assert_msg(run_command(said, sizeof said, "d=$PWD; cd '%s' && mkdir -p tests src/build r %s && cp \"$d\"/tests/coverage.sh \"$d\"/tests/guided.sh "
                              "\"$d\"/tests/sources.sh tests && cp \"$d\"/src/build/machine.sh \"$d\"/src/build/commit.sh src/build", root, folders) == 0,
                  "%s", said);
}

/* ---- coverage.sh --------------------------------------------------------------------------------------------------------- */

/* t_one takes one of the two branches of src/base, t_two the other; t_calls, which is among those that are not run, would
 * fail.  Each says in a file that it ran. */
static void tree_of_branches(void)
{
    copy_scripts("src/base numerics b/src/base b/tests");
    good("echo 'int x(int a); int x(int a) { if (a) return 1; return 2; }' > src/base/x.c\n"
         "for t in one:0 two:1 calls:9; do f=tests/t_${t%:*}; printf '#include <stdlib.h>\\n#include <unistd.h>\\nint x(int a); int main(void) { x(%s); '"
         "'return system(\"echo %s >> ran\") || access(\"fail-%s\", F_OK) == 0 || %s == 9; }\\n' ${t#*:} ${t%:*} ${t%:*} ${t#*:} > $f.c; done\n"
         "cc -O0 --coverage -c src/base/x.c -o b/src/base/x.o && for t in one two calls; do cc tests/t_$t.c b/src/base/x.o --coverage -o b/tests/t_$t; done");
}
#define COVERAGE "sh tests/coverage.sh b r"

START_TEST(branches_are_counted)
{
    tree_of_branches();
    good("JOBS=2 " COVERAGE "; sort ran; cut -d, -f2- r/coverage.csv | rev | cut -d, -f1-7 | rev");
    has("Recorded in r/coverage.csv");
    has("\none\ntwo\n");
    ck_assert_msg(!strstr(said, "calls"), "%s", said);
    has("tests,room,sources,lines,lines_run,branches,branches_taken\n2 of 2,src/base,");
    has(",2,2\n");
    good("sh tests/sources.sh src/base; cut -d, -f7 r/coverage.csv");          /* the compiler's name may have commas */
    char *sum = temp_format("%.64s", said);
    good("cat r/coverage.csv");
    has(sum);
}
END_TEST

/* What has passed is not run again, until the sources are others; what is recorded under a limit says so. */
START_TEST(coverage_resumes)
{
    tree_of_branches();
    good("LIMIT=0 " COVERAGE "; cat r/coverage.csv");
    has(",0 of 2,src/base,");
    has(",2,0\n");
    ck_assert_int_ne(shell("test -e ran"), 0);
    good("b=$PWD; mv tests/t_two.c . && " COVERAGE " && cat r/coverage.csv");
    has(",1 of 1,src/base,");
    has(",2,1\n");
    good("mv t_two.c tests && " COVERAGE " && cat r/coverage.csv && cat ran");
    has(",2 of 2,src/base,");
    has(",2,2\n");
    has("one\ntwo\n");                                                        /* each once */
    good("echo 'int y;' > src/base/y.c && LIMIT=0 " COVERAGE " && cat r/coverage.csv");
    has(",0 of 2,src/base,");
    has(",2,0\n");
}
END_TEST

START_TEST(a_failed_test_is_not_recorded)
{
    tree_of_branches();
    good(": > fail-two");
    ck_assert_int_eq(shell(COVERAGE), 1);
    has("coverage: these tests failed, see b/log: t_two");
    ck_assert_int_ne(shell("test -e r/coverage.csv"), 0);
    good("rm fail-two; " COVERAGE " && cat ran");
    has("one\ntwo\ntwo\n");
    good("rm r/coverage.csv ran; " COVERAGE " t_one; cat ran; ls r");           /* a test that is named: nothing recorded */
    has("50.0%");
    ck_assert_msg(!strstr(said, "coverage.csv") && !strstr(said, "two"), "%s", said);
}
END_TEST

/* ---- guided.sh ------------------------------------------------------------------------------------------------------------ */

/* Fuzzers that say five executions and seven edges, and leave an input in their corpus. */
static void tree_of_readers(void)
{
    copy_scripts("bin b src/base src/data src/checkpoint src/claim src/methods/counts src/model src/experiments src/report/collect src/train "
                 "src/proofcheck tests/readers tests/guided/seeds/aa tests/guided/seeds/proofcheck");
    good("cat > b/guided <<'END'\n#!/bin/sh\necho \"${0##*/} $READER\" >> ran\n[ ! -e \"crash-$READER\" ] || { echo 'found it'; exit 77; }\n"
         "for o; do case $o in -seed=1) echo seeded >> ran ;; esac; done\n: > \"$1/input\"\n"
         "{ echo '#2 INITED cov: 3 ft: 3'; echo '#5 DONE   cov: 7 ft: 9'; echo 'stat::number_of_executed_units: 5'; } >&2\nEND\n"
         "chmod +x b/guided && cp b/guided b/guided_proofcheck && printf '#!/bin/sh\\necho clang 9\\n' > bin/clang && chmod +x bin/clang");
}
#define GUIDED "PATH=$PWD/bin:$PATH sh tests/guided.sh b "

START_TEST(readers_are_run)
{
    tree_of_readers();
    good(GUIDED "short 5; cat ran");
    has("aa                    5 executions      7 edges\nproofcheck            5 executions      7 edges\n");
    has("guided aa\nseeded\nguided_proofcheck proofcheck\nseeded\n");
    ck_assert_int_ne(shell("test -e reports/results/fuzz_guided.csv"), 0);
    good(": > crash-aa");
    ck_assert_int_eq(shell("rm ran; " GUIDED "short 5; s=$?; cat ran; exit $s"), 1);
    has("found it");
    has("guided.sh: aa: what it was given is in b/found");
    has("guided_proofcheck proofcheck\n");                                     /* the others are run all the same */
}
END_TEST

START_TEST(long_runs_are_recorded)
{
    tree_of_readers();
    good("mkdir -p reports/results; " GUIDED "long 2 && grep -c '^guided aa' ran && cat reports/results/fuzz_guided.csv");
    has("Recorded in reports/results/fuzz_guided.csv");
    const long runs = strtol(strchr(strstr(said, "Recorded in"), '\n') + 1, NULL, 10);
    ck_assert_int_gt(runs, 0);
    has(temp_format("\"clang 9\",1,aa,%ld,7,1\n", 5 * runs));
    good("echo 'int y;' > src/base/y.c; head -n 2 reports/results/fuzz_guided.csv | tail -n 1 | cut -d, -f3; sh tests/guided.sh sources");
    ck_assert_msg(strlen(said) >= 130 && strncmp(said, said + 65, 64) != 0, "%s", said);
    good("rm reports/results/*; : > crash-proofcheck");
    ck_assert_int_eq(shell(GUIDED "long 2"), 1);
    ck_assert_int_eq(shell(GUIDED "long 1 aa"), 0);                            /* of one reader: no record */
    ck_assert_int_ne(shell("test -e reports/results/fuzz_guided.csv"), 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("scripts");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, branches_are_counted);
    tcase_add_test(all, coverage_resumes);
    tcase_add_test(all, a_failed_test_is_not_recorded);
    tcase_add_test(all, readers_are_run);
    tcase_add_test(all, long_runs_are_recorded);
    return run_suite(suite, argc, argv);
}
