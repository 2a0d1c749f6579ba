/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_proofs.c - the lines of proofcheck as the report reads them: what is well-formed, and what is not. */
#include <stdlib.h>
#include <string.h>
#include "src/claim/certificate/proofs.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *folder;
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define LINE "b/c/K-T4.4-corrected.cert: accepted: K-T4.4 corrected, sym, 2 equations; heads 3; depth 2; " \
             "assumes: invertible W_Q.1; orthogonal U; invertible W_Q.0; invertible W_K.0.1:2; half-odd phi.mlp.0.0; " \
             "statement " HASH "\n"

START_TEST(well_formed)
{
    proofs all = { 0 };
    char *path = temp_text(folder, "x.accepted", LINE
        "K-X.cert: accepted: K-X as-stated, sym, 1 equation; heads 1; depth every; assumes: nothing; statement " HASH "\n"
        "K-Y.cert: accepted: K-Y as-stated, sym, 1 equation; heads 1; depth none; assumes: stochastic f.a; statement " HASH "\n"
        "K-E2.cert: accepted: K-E2 as-stated, relu-eq, two ReLU networks of 4 and 5 neurons are the same function; "
        "assumes: nothing; statement " HASH "\n");
    proofs_read(&all, path);
    ck_assert_int_eq(all.n, 4);
    const proof *p = all.at;
    ck_assert_str_eq(p->id, "K-T4.4");
    ck_assert_str_eq(p->part, "corrected");
    ck_assert_str_eq(p->kind, "sym");
    ck_assert_str_eq(p->proved, "2 equations");
    ck_assert_str_eq(p->certificate, "K-T4.4-corrected");
    ck_assert_str_eq(p->statement, HASH);
    ck_assert_str_eq(p->assumes->text, "half-odd phi.mlp; invertible W_K; invertible W_Q; orthogonal U");
    ck_assert_int_eq(p->heads, 3);
    ck_assert_int_eq(p->depth, 2);
    ck_assert_int_eq(p[1].depth, -1);
    ck_assert_str_eq(p[1].assumes->text, "");
    ck_assert_int_eq(p[2].depth, 0);
    ck_assert_int_eq(p[2].heads, 1);
    ck_assert_str_eq(p[2].assumes->text, "stochastic f.a");
    ck_assert_str_eq(p[3].kind, "relu-eq");
    ck_assert_int_eq(p[3].heads, 0);
    proofs_free(&all);
    ck_assert_int_eq(all.n, 0);
    path = temp_text(folder, "x.accepted", "");
    proofs_read(&all, path);
    ck_assert_int_eq(all.n, 0);
}
END_TEST

static void read_it(void *path)
{
    proofs all = { 0 };
    proofs_read(&all, path);
}

static const struct { const char *from, *to, *says; } changes[] = {
    { ": accepted: ", ": rejected: ", "not accepted" },
    { ".cert", ".txt", "no certificate" },
    { "K-T4.4 corrected", "K-T4.4corrected", "no claim" },
    { "K-T4.4-corrected.cert", "a b.cert", "called by no name" },
    { "K-T4.4-corrected.cert", "..cert", "called by no name" },
    { "K-T4.4 corrected", "../K-T4.4 corrected", "no claim" },
    { "K-T4.4 corrected", "K-T4.4 ../corrected", "no part" },
    { "K-T4.4 corrected", "K-T4.4.K-T4.4.K-T4.4.K-T4.4.K-T4.4.K-T4.4.K-T4.4 corrected", "claim is too long" },
    { ", sym, ", ", symbolic-and-long, ", "kind is too long" },
    { "heads 3; ", "", "`heads` is missing" },
    { "heads 3", "heads 0", "heads are no number" },
    { "heads 3", "heads -3", "heads are no number" },
    { "heads 3", "heads 3x", "heads are no number" },
    { "depth 2", "depth 0", "the depth is neither" },
    { "depth 2", "depth some", "the depth is neither" },
    { "depth 2; ", "", "`depth` is missing" },
    { "; assumes: ", "; ", "`assumes` is missing" },
    { "invertible W_Q.1", "singular W_Q.1", "no hypothesis" },
    { "invertible W_Q.1", "invertible", "no hypothesis" },
    { "invertible W_Q.1", "invertible ", "no hypothesis" },
    { "invertible W_Q.1", "invertible W_Q.1 too", "no hypothesis" },
    { "; statement ", "; ", "`statement` is missing" },
    { "abcdef\n", "abcde\n", "no hash" },
    { "abcdef\n", "abcdefg\n", "no hash" },
    { "abcdef\n", "abcdeF\n", "no hash" },
    { "abcdef\n", "abcdef", "no end" },
    { "abcdef\n", "abcdef\n" LINE, "a duplicate certificate" },
};

START_TEST(malformed)
{
    const char *from = changes[_i].from, *line = LINE, *at = strstr(line, from);
    if (strcmp(from, "abcdef\n") == 0) at = line + strlen(line) - strlen(from);
    char output[1024], *text = temp_format("%.*s%s%s", (int)(at - line), line, changes[_i].to, at + strlen(from));
    char *path = temp_text(folder, "x.accepted", text);
    ck_assert_int_eq(run_child(read_it, path, output, sizeof output), 2);
    ck_assert_msg(strstr(output, changes[_i].says) != NULL, "output %s, expected %s", output, changes[_i].says);
    ck_assert_msg(strstr(output, strcmp(changes[_i].says, "a duplicate certificate") == 0 ? "x.accepted:2: " : "x.accepted:1: ") != NULL,
                  "%s", output);
}
END_TEST

START_TEST(missing)
{
    char output[1024];
    ck_assert_int_eq(run_child(read_it, (void *)"/no/such/file", output, sizeof output), 2);
    ck_assert_msg(strstr(output, "/no/such/file") != NULL, "%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    folder = temp_folder();
    Suite *suite = suite_create("proofs");
    TCase *all = tcase_create("lines");
    suite_add_tcase(suite, all);
    tcase_add_test(all, well_formed);
    tcase_add_loop_test(all, malformed, 0, COUNT(changes));
    tcase_add_test(all, missing);
    return run_suite(suite, argc, argv);
}
