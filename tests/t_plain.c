/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_plain.c - whole programs with the fast paths off come to the same outcomes, and `provably check --compare` sees where
 * they do not. */
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

#define PROGRAMS "k_t4_4 b_12 k_p3_2"                   /* attention, inverses, exp; in all arithmetics */
#define ENTER    "build=$(realpath %s) && cd %s && "
#define CHECK    "$build/provably check --programs=theorems --evidence="
#define COMPARE  CHECK "evidence --compare=plain"

/* A folder with the programs alone, and their rows, fast and plain. */
static const char *built(void)
{
    char output[4000];
    const char *folder = temp_folder();
    const int status = run_command(output, sizeof output,
        ENTER "set -e; mkdir evidence plain theorems; for n in " PROGRAMS "; do "
        "ln -s $build/theorems/$n theorems/$n; "
        "for plain in 0 1; do PROVABLY_REFERENCE=$plain theorems/$n --suite --scale=quick --seed=5 --trials=2 --out=row$plain.csv; done; "
        "mv row0.csv evidence/$n.csv; mv row1.csv plain/$n.csv; done", build_folder(), folder);
    ck_assert_msg(status == 0, "%s", output);
    return folder;
}

/* Row `line` of the plain rows of k_t4_4 with one cell changed, by a program of awk; then what compare says. */
static int changed(const char *folder, const char *awk, char *output, size_t size)
{
    return run_command(output, size, ENTER "cp plain/k_t4_4.csv kept && awk -F , -v OFS=, '%s' kept > plain/k_t4_4.csv && "
                       COMPARE "; s=$?; mv kept plain/k_t4_4.csv; exit $s", build_folder(), folder, awk);
}

#define COLUMN "NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } "

START_TEST(the_same_outcomes)
{
    static const struct { const char *what, *awk, *says; } changes[] = {
        { "a verdict", COLUMN "NR == 4 { $c[\"verdict\"] = \"refuted\" } { print }",
          ": verdict is holds, plain refuted" },
        { "a count of checks", COLUMN "NR == 4 { $c[\"checks\"]++ } { print }", ": checks is " },
        { "a truth", COLUMN "NR == 4 { sub(/holds/, \"refuted\", $c[\"truths\"]) } { print }", ": truths is holds" },
        { "the error over fp", COLUMN "$c[\"arith\"] == \"fp\" { $c[\"log2bound\"] = 0 } { print }",
          ": log2bound is " },
        { "a row less", "NR != 3", ": missing with the fast paths off" },
        { "a row more", "{ print } NR == 3", ": only with the fast paths off" },
        { "no rows", "NR == 1", "no rows" },
        { "another header", "NR == 1 { $1 = \"name\" } { print }", "other columns" },
    };
    char output[20000];
    const char *folder = built();
    ck_assert_msg(run_command(output, sizeof output, ENTER COMPARE, build_folder(), folder) == 0, "%s", output);
    ck_assert_msg(strstr(output, "The same outcomes with the fast paths off: 3 programs"), "%s", output);
    for (size_t k = 0; k < COUNT(changes); k++) {
        ck_assert_msg(changed(folder, changes[k].awk, output, sizeof output) == 1, "%s: %s", changes[k].what, output);
        ck_assert_msg(strstr(output, changes[k].says), "%s: %s", changes[k].what, output);
        ck_assert_msg(strstr(output, k < 6 ? "K-T4.4 " : "k_t4_4"), "%s: %s", changes[k].what, output);
    }
    /* what is measured may differ, and trials that were left out */
    static const char measured[] = COLUMN
        "$c[\"arith\"] == \"arb\" { $c[\"log2gap\"] = -77; $c[\"seconds\"] = 1e9 } { print }";
    ck_assert_msg(changed(folder, measured, output, sizeof output) == 0, "%s", output);
    ck_assert_msg(changed(folder, COLUMN "NR == 1 || $c[\"trial\"] == 0", output, sizeof output) == 0, "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, ENTER "echo 2 > plain/b_12.failed; " COMPARE,
                                 build_folder(), folder), 1);
    ck_assert_msg(strstr(output, "b_12: no rows to compare, exit status 2"), "%s", output);
}
END_TEST

/* A program sees the switch, and one that fails is named. */
START_TEST(the_switch_is_set)
{
    static const char program[] = "#!/bin/sh\n"
        "for w; do case $w in --describe) echo id: X-1; exit ;; --out=*) out=${w#*=} ;; esac; done\n"
        "echo id,part,case,arith,shape,seed,trial,verdict > $out\n"
        "echo X-1,p,claim,arb,s,1,0,plain=$PROVABLY_REFERENCE >> $out\n"
        "[ ! -e fails ] || exit 3\n";
    char output[4000];
    const char *folder = temp_folder();
    temp_text(folder, "program", program);
    ck_assert_msg(run_command(output, sizeof output, ENTER "set -e; mkdir theorems; chmod +x program; "
        "mv program theorems/x_1; printf '#!/bin/sh\n' > proofcheck; chmod +x proofcheck; PROVABLY_REFERENCE=0 "
        CHECK "evidence --no-report; PROVABLY_REFERENCE=1 " CHECK "plain --no-report", build_folder(), folder) == 0, "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, ENTER COMPARE, build_folder(), folder), 1);
    ck_assert_msg(strstr(output, "X-1 p claim over arb, s, seed 1 trial 0: verdict is plain=0, plain plain=1"), "%s",
                  output);
    ck_assert_int_eq(run_command(output, sizeof output, ENTER "touch fails && PROVABLY_REFERENCE=1 " CHECK
                                 "plain --all --no-report", build_folder(), folder), 1);
    ck_assert_int_eq(run_command(output, sizeof output, ENTER COMPARE, build_folder(), folder), 1);
    ck_assert_msg(strstr(output, "x_1: no rows to compare, exit status 3"), "%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("plain");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 600);
    tcase_add_test(all, the_same_outcomes);
    tcase_add_test(all, the_switch_is_set);
    return run_suite(suite, argc, argv);
}
