/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_library.c - libprovably.so: which of its functions are for whom (src/provably.map), what it is linked with, and a theorem
 * outside of the tree. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char output[1 << 16];

/* The shell's $B is the build folder, $T a scratch folder, $HERE the tree. */
static void good(const char *command)
{
    char *whole = temp_format("HERE=$PWD; B=$(realpath %s); T=%s; %s", build_folder(), temp_folder(), command);
    ck_assert_msg(run_shell(whole, output, sizeof output) == 0, "%s: %s", command, output);
}

/* What the theorem programs take from the library is for others, too; the rest of it is not. */
START_TEST(theorems_use_the_public_half)
{
    good("nm -D --defined-only $B/libprovably.so | sed -n 's/.* \\([^ ]*\\)@@PROVABLY_\\(.*\\)/\\1 \\2/p' | sort > $T/all;"
         " nm -u $B/theorems/*.o | awk '$1 == \"U\" { print $2 }' | sort -u > $T/used;"
         " join $T/used $T/all > $T/both; grep -c . $T/both; grep -v ' 0.1$' $T/both | head; grep -c PRIVATE $T/all");
    char *end;
    const long used = strtol(output, &end, 10), private = strtol(end, &end, 10);
    ck_assert_msg(used >= 200 && private >= 500 && *end == '\n' && !end[1], "%s", output);
}
END_TEST

/* Check is the programs' alone, OpenBLAS is opened when it is needed, and nothing is taken from whoever links the library. */
START_TEST(linked_with)
{
    good("objdump -p $B/libprovably.so $B/provably | sed -n 's/^ *NEEDED *//p'");
    ck_assert_msg(strstr(output, "libprovably.so\n") && strstr(output, "libmpfr.so"), "%s", output);
    static const char *const none[] = { "openblas", "lapack", "blas.so", "subunit", "check" };
    for (size_t k = 0; k < COUNT(none); k++) ck_assert_msg(!strstr(output, none[k]), "%s: %s", none[k], output);
    good("nm -D --defined-only $B/libprovably.so | grep -E ' (malloc|calloc|realloc|free|srunner_.*|suite_create|main)(@|$)' || echo none");
    ck_assert_str_eq(output, "none\n");
}
END_TEST

START_TEST(blas_is_opened_when_it_is_needed)
{
    good("for c in list 'show K-T4.4' 'run K-E2 --list' 'run K-T4.4 --arith=f64 --trials=1'; do"
         " LD_DEBUG=files LD_DEBUG_OUTPUT=$T/log $B/provably $c > /dev/null || exit; cat $T/log.* | grep -c 'init: .*openblas'; rm $T/log.*; done");
    ck_assert_msg(strncmp(output, "0\n0\n0\n", 6) == 0 && strtol(output + 6, NULL, 10) > 0, "%s", output);
}
END_TEST

/* A library of that name that is another one. */
START_TEST(a_blas_without_its_functions)
{
    good("cc -shared -x c /dev/null -o $T/libopenblas.so.0 && { LD_LIBRARY_PATH=$T $B/provably run K-L3.1 --arith=f64; echo $?; } 2>&1");
    ck_assert_msg(strstr(output, "provably: the installed OpenBLAS or LAPACKE has no openblas_get_corename; `make deps` installs one that has it\n2\n"),
                  "%s", output);
}
END_TEST

/* The theorem a + b = b + a, with a main of its own. */
START_TEST(a_theorem_outside_the_tree)
{
    good("cat > $T/sum.c <<'END'\n"
         "#include \"src/claim/claim.h\"\n"
         "static void draw(trial *t, const mat **a, const mat **b)\n"
         "{\n"
         "    *a = mat_draw(&t->s, \"a\", t->sh.n, t->sh.d, 0);\n"
         "    *b = mat_draw(&t->s, \"b\", t->sh.n, t->sh.d, 0);\n"
         "}\n"
         "static void commutes(trial *t)\n"
         "{\n"
         "    const mat *a, *b;\n"
         "    draw(t, &a, &b);\n"
         "    claim_equal(t, \"sum\", mat_add(&t->s, a, b), mat_add(&t->s, b, a));\n"
         "}\n"
         "static void difference(trial *t)\n"
         "{\n"
         "    const mat *a, *b;\n"
         "    draw(t, &a, &b);\n"
         "    claim_equal(t, \"sum\", mat_sub(&t->s, a, b), mat_sub(&t->s, b, a));\n"
         "}\n"
         "static const control controls[] = { { \"difference\", difference, \"minus\" } };\n"
         "static const part parts[] = { { .name = \"as-stated\", .kind = PART_IDENTITY, .run = commutes, .statement = \"$a+b=b+a$\","
         " .no_minimal = true, CONTROLS(controls) } };\n"
         "static const claim sum = { .id = \"MY-SUM\", .title = \"a sum\", .where = \"\", .parts = parts, .nparts = 1 };\n"
         "THEOREM_PROGRAM(sum)\n"
         "int main(int argc, char **argv) { return theorem_main(claim_of_program(NULL), argc, argv); }\n"
         "END\n"
         "cc -std=c17 -D_GNU_SOURCE -I$HERE $T/sum.c -L$B -lprovably -Wl,-rpath,$B -o $T/sum && $T/sum --arith=q,fp");
    ck_assert_msg(strstr(output, "MY-SUM         as-stated") && strstr(output, "controls refuted"), "%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("library");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, theorems_use_the_public_half);
    tcase_add_test(all, linked_with);
    tcase_add_test(all, blas_is_opened_when_it_is_needed);
    tcase_add_test(all, a_blas_without_its_functions);
    tcase_add_test(all, a_theorem_outside_the_tree);
    return run_suite(suite, argc, argv);
}
