/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_places.c - a program finds its data and its evidence from any folder.
 *
 * Copies of this program stand in made-up trees.  As `COPY data [GIVEN]` and `COPY evidence [GIVEN]` they
 * print what they find; `provably` does the same from another folder. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/file.h"
#include "src/base/places.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* What follows `command` in a folder T of trees; its output must be `says`, after T. */
static void in_trees(const char *command, const char *says)
{
    static const char trees[] =
        "mkdir -p tree/build/theorems tree/reports tree/build/evidence usr/bin usr/share/provably here/reports empty named && for f in tree/reports usr/share/provably here/reports named; do echo >$f/claims.csv; done && "
        "for f in tree/build usr/bin empty; do cp $ME $f/find; done && ln -s tree/build/find link && unset PROVABLY_DATA";
    char output[2048], *folder = temp_folder(), *real = realpath(folder, NULL);
    char *whole = temp_format("ME=$(readlink -f /proc/%ld/exe); export LD_LIBRARY_PATH=${ME%%%%/tests/*}; T='%s'; cd \"$T\" && { %s; } && { %s; } 2>&1 | sed \"s|$T|T|g\"",
                              (long)getpid(), real, trees, command);
    const int is = run_shell(whole, output, sizeof output);
    free(real);
    ck_assert_msg(is == 0 && strcmp(output, says) == 0, "%s: status %d, output: %s", command, is, output);
}

static const struct { const char *command, *says; } calls[] = {
    { "tree/build/find data", "T/tree/reports/claims.csv\n" },
    { "cd here && ../tree/build/find data", "T/tree/reports/claims.csv\n" },
    { "cd / && $T/tree/build/find data", "T/tree/reports/claims.csv\n" },
    { "./link data", "T/tree/reports/claims.csv\n" },
    { "PATH=$T/usr/bin:$PATH; cd here && find data", "T/usr/share/provably/claims.csv\n" },
    { "mkdir usr/reports; : >usr/reports/claims.csv; usr/bin/find data", "T/usr/reports/claims.csv\n" },
    { "cd here && ../empty/find data", "reports/claims.csv\n" },
    { "cd here && PROVABLY_DATA=../named ../tree/build/find data", "../named/claims.csv\n" },
    { "cd here && PROVABLY_DATA= ../tree/build/find data", "T/tree/reports/claims.csv\n" },
    { "PROVABLY_DATA=nowhere tree/build/find data", "nowhere/claims.csv\n" },
    { "PROVABLY_DATA=named usr/bin/find data given.csv", "given.csv\n" },
    { "empty/find data; echo $?", "find: cannot find claims.csv: it is neither in T/empty/../reports nor in "
      "T/empty/../share/provably nor in reports; name its folder in the environment variable PROVABLY_DATA\n2\n" },
    { "cd here && ../tree/build/find evidence", "T/tree/build/evidence\n" },
    { "rmdir tree/build/evidence && : >tree/build/evidence && tree/build/find evidence", "build/evidence\n" },
    { "usr/bin/find evidence", "build/evidence\n" },
    { "tree/build/find evidence nowhere", "nowhere\n" },
};

START_TEST(places)
{
    in_trees(calls[_i].command, calls[_i].says);
}
END_TEST

START_TEST(parents)
{
    in_trees("$ME parents a/b/c && ls a a/b", "a:\nb\n\na/b:\n");
    in_trees("$ME parents $T/d/e/f && ls d", "e\n");
    in_trees("$ME parents f && ls", "empty\nhere\nlink\nnamed\ntree\nusr\n");
}
END_TEST

/* What a copy is asked; false: nothing. */
static bool answer(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *given = argc > 2 ? argv[2] : NULL;
    char *path = NULL;
    if (strcmp(what, "parents") == 0) { make_parents(given); return true; }
    if (strcmp(what, "data") == 0) path = data_place(given, "claims.csv");
    else if (strcmp(what, "evidence") == 0) path = evidence_place(given);
    else return false;
    puts(path);
    free(path);
    return true;
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (answer(argc, argv)) return 0;
    Suite *suite = suite_create("places");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, places, 0, COUNT(calls));
    tcase_add_test(all, parents);
    return run_suite(suite, argc, argv);
}
