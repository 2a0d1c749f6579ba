/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_corner.c - sparse, repeated and nearly singular weights: a claim may become undecided there (W_Q is
 * singular), but an identity is never refuted.  Parts that prescribe ranks, or speak of almost all weights,
 * are left out: these draws do not have the ranks, and are not like almost all; so are differences that vanish
 * (refuted with a gap below the bound). */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/evidence/evidence.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const char *const corners[] = { "sparse", "repeated", "near-singular" };

static bool speaks_of(const row *r, const char *word)
{
    return strstr(r->basis, word) || strstr(r->by_proof, word);
}

static bool wrongly_refuted(const row *r)
{
    return r->kind == PART_IDENTITY && !speaks_of(r, "rank") && !speaks_of(r, "almost") && r->verdict == REFUTED
        && (r->log2gap > r->log2bound || r->log2bound == -INFINITY);
}

START_TEST(never_refuted)
{
    char *folder = temp_folder(), *file = temp_path(folder, "rows.csv");
    char *pattern = temp_format("%s/theorems/*.o", build_folder());
    glob_t found;
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        char output[8192], *program = must_strdup(found.gl_pathv[k]);
        program[strlen(program) - 2] = '\0';
        char *command = temp_format("%s --suite --scale=quick --case=claim --arith=f64,arb,fp,q --corner=%s --out=%s", program,
                                    corners[_i], file);
        run_shell(command, output, sizeof output);                       /* what is undecided fails the program, too */
        rows all = { 0 };
        evidence_rows_read(&all, file);
        ck_assert_msg(all.n > 0, "%s: no rows: %s", command, output);
        for (long r = 0; r < all.n; r++) ck_assert_msg(!wrongly_refuted(&all.at[r]), "%s: row %ld", command, r + 1);
        evidence_rows_free(&all);
        free(program);
    }
    globfree(&found);
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
