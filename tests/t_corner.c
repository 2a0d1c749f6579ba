/* t_corner.c - sparse, repeated and nearly singular weights: a claim may become undecided there (W_Q is
 * singular), but an identity is never refuted.  Parts that prescribe ranks, or speak of almost all weights,
 * are left out: these draws do not have the ranks, and are not like almost all; so are differences that vanish
 * (refuted with a gap below the bound). */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/suite.h"

static const char *const corners[] = { "sparse", "repeated", "near-singular" };

START_TEST(never_refuted)
{
    char *pattern = must_format("%s/theorems/*.o", build_folder());
    glob_t found;
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        char said[8192], *program = must_strdup(found.gl_pathv[k]);
        program[strlen(program) - 2] = '\0';
        char *command = must_format("%s --scale=quick --case=claim --arith=f64,arb,fp,q --corner=%s --out=- | "
                                    "awk -F, 'function log2of(x) { return x == \"-inf\" ? -1e9 : x + 0 } $1 == \"id\" { for (i = 1; i <= NF; i++) at[$i] = i } "
                                    "$3 == \"identity\" && $at[\"basis\"] $at[\"by_proof\"] !~ /rank|almost/ && $at[\"verdict\"] == \"refuted\" && "
                                    "(log2of($at[\"log2gap\"]) > log2of($at[\"log2bound\"]) || $at[\"log2bound\"] == \"-inf\") { print } "
                                    "END { if (!(\"basis\" in at)) print \"no rows\" }'",
                                    program, corners[_i]);
        const int status = run_shell(command, said, sizeof said);
        ck_assert_msg(status == 0 && !said[0], "%s: %s", command, said);
        free(command);
        free(program);
    }
    globfree(&found);
    free(pattern);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("corner");
    TCase *all = tcase_create("draws");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, never_refuted, 0, COUNT(corners));
    return run_suite(suite, argc, argv);
}
