/* SPDX-License-Identifier: GPL-3.0-or-later
 * theorem_program.c - the main of a theorem program, whose tests are run by Check.
 *
 * Not in the library: `provably run` and what is installed run the same tests by program_tests.c, without Check. */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include "src/base/outfile.h"
#include "src/claim/program/program.h"

/* ---- signals: Check's handlers would send them on to the whole process group, the caller included */

static const int ending[] = { SIGINT, SIGTERM };
static struct sigaction before_check[COUNT(ending)];

static void remember_handlers(void)
{
    for (size_t k = 0; k < COUNT(ending); k++) sigaction(ending[k], NULL, &before_check[k]);
}

/* Before each TCase, in the process of the suite; Check has installed its handlers by then. */
static void take_handlers_back(void)
{
    for (size_t k = 0; k < COUNT(ending); k++) sigaction(ending[k], &before_check[k], NULL);
}

static void run_test(int k)
{
    char *why = program_test_run(k);
    ck_assert_msg(!why, "%s", why);
}

static program_tests_runner *without_check;

/* One TCase for each group, a run of tests of the same.  Check does not tell a test in a process of its own that had to
 * end from one that failed: those run without it. */
static int run_by_check(const char *id, const program_test *tests, int n, bool fork)
{
    if (fork) return without_check(id, tests, n, fork);
    Suite *suite = suite_create(id);
    TTest *of = must_calloc((size_t)n + 1, sizeof *of);
    TCase *group = NULL;
    remember_handlers();
    for (int k = 0; k < n; k++) {
        if (!k || tests[k].group != tests[k - 1].group) {
            group = tcase_create(tests[k].group);
            tcase_set_timeout(group, 0);
            tcase_add_unchecked_fixture(group, take_handlers_back, NULL);
            suite_add_tcase(suite, group);
        }
        of[k] = (TTest){ tests[k].name, run_test, __FILE__, __LINE__ };
        tcase_add_loop_test(group, &of[k], k, k + 1);
    }
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(of);
    return failed;
}

int main(int argc, char **argv)
{
    const claim *C = claim_of_program(NULL);
    REQUIRE(C, "%s registers more than one claim", argv[0]);
    without_check = program_tests_run;
    program_tests_run = run_by_check;
    return theorem_main(C, argc, argv);
}
