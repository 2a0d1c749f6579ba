/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_formal_needed.c - what goes wrong without a hypothesis: tests/formal_needed.sh with a stand-in for coqc writes the list
 * only where every hypothesis has a line, and what reads the list gives each theorem its own lines. */
#include <stdlib.h>
#include <string.h>
#include "src/claim/certificate/formal.h"
#include "tests/support/files.h"
#include "tests/support/kernel_log.h"
#include "tests/support/suite.h"

enum { ROOM = 1 << 16 };
static char output[ROOM];
static char *root;

#define PROVABLY "(* Provably: claim=K-1 part=a theorem=first quantifiers=all n *)\n"
#define THEOREM  "Theorem first n : n = n -> True.\nProof. by []. Qed.\n"
#define LEMMA    "(* Two lines that say\n * what goes wrong, 1 for 2. *)\n"
#define NEEDED   "(* Needed: theorem=first hypothesis=n is n lemma=needs_n *)\n"
#define PROVED   "Lemma needs_n : True. Proof. exact I. Qed.\n"

/* Answers of coqc: `hypotheses` for each theorem, and for each lemma what it rests on. */
static void put_coqc(int hypotheses, const char *rests)
{
    temp_text(root, "coqc", temp_format("#!/bin/sh\nfor v; do :; done\nsed -n 's/.*idtac \"\\([@%%].*\\)\"\\. exact.*/\\1/p' \"$v\" | while read -r "
        "kind a b; do echo \"$kind $a $b\"; case $kind$a in @known) seq 3 ;; @*) seq %d ;; *) echo '%s' ;; esac | sed 's/^[0-9]*$/hypothesis/'; "
        "done\n", hypotheses, rests));
    ck_assert_int_eq(run_command(output, sizeof output, "chmod +x '%s/coqc'", root), 0);
}
static void setup(void)
{
    root = temp_folder();
    ck_assert_int_eq(run_command(output, sizeof output, "mkdir -p '%s'/theorems '%s'/reports '%s'/b/formal", root, root, root), 0);
    put_coqc(1, "Closed under the global context");
}
static void teardown(void)
{
    ck_assert_int_eq(run_command(output, sizeof output, "rm -rf '%s'", root), 0);
}
static int run_script(const char *a)
{
    temp_text(root, "theorems/a.v", a);
    return run_command(output, sizeof output, "from=$PWD && cd '%s' && PATH=\"$PWD:$PATH\" sh \"$from/tests/formal_needed.sh\" b "
                       "reports/formal_needed.csv theorems/*.v 2>&1", root);
}
static void refused(const char *a, const char *why)
{
    ck_assert_int_eq(run_script(a), 1);
    ck_assert_msg(strstr(output, why) != NULL, "`%s` is missing in %s", why, output);
    ck_assert(!temp_exists(root, "reports/formal_needed.csv"));
}

START_TEST(a_line_for_each_hypothesis)
{
    temp_text(root, "theorems/c.v", "(* One token, \"x\". *)\n" PROVED);
    ck_assert_msg(run_script(PROVABLY THEOREM LEMMA NEEDED PROVED
                             "(* Needed: theorem=first hypothesis=sizes argued=without it there is no matrix *)\n"
                             "(* Needed: theorem=first hypothesis=others lemma=c.needs_n *)\n") == 0, "%s", output);
    ck_assert_msg(strstr(output, "1 theorems with 1 hypotheses; 2 lines name a lemma, of 3") != NULL, "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "sed 's/,[0-9a-f]\\{64\\},/,HASH,/' '%s'/reports/formal_needed.csv", root), 0);
    ck_assert_str_eq(output, "file,theorem,hypothesis,lemma,lemma_file,sha256,says\n"
                     "theorems/a.v,first,n is n,needs_n,theorems/a.v,HASH,\"Two lines that say what goes wrong, 1 for 2.\"\n"
                     "theorems/a.v,first,others,needs_n,theorems/c.v,HASH,\"One token, \"\"x\"\".\"\n"
                     "theorems/a.v,first,sizes,,,,without it there is no matrix\n");
}
END_TEST
START_TEST(what_is_refused)
{
    refused(PROVABLY THEOREM, "theorems/a.v first: 1 hypotheses, 0 lines");
    put_coqc(2, "Closed under the global context");
    refused(PROVABLY THEOREM LEMMA NEEDED PROVED, "theorems/a.v first: 2 hypotheses, 1 lines");
    put_coqc(1, "Axioms: cheat");
    refused(PROVABLY THEOREM LEMMA NEEDED PROVED, "needs_n rests on axioms");
    put_coqc(1, "Closed under the global context");
    refused(PROVABLY THEOREM LEMMA NEEDED, "there is no lemma theorems/a.v needs_n");
    refused(PROVABLY THEOREM NEEDED PROVED, "no comment above");
    refused(PROVABLY THEOREM LEMMA "(* ---- needed ---- *)\n" NEEDED PROVED, "no comment above");
    refused(PROVABLY LEMMA NEEDED PROVED, "there is no theorem theorems/a.v first");
    refused(PROVABLY THEOREM LEMMA "(* Needed: theorem=first lemma=needs_n *)\n" PROVED, "a.v:6: expected (* Needed");
}
END_TEST

/* ---- what reads it ----------------------------------------------------------------------------------------- */

#define FORMAL "kind,claim,part,theorem,quantifiers,file,sha256,needs,needs_sha256,axioms,log_sha256\n"
#define COMMENT(claim, part, theorem) \
    "(* Provably: claim=" claim " part=" part " theorem=" theorem " quantifiers=all n *)\n"
#define LIST   "file,theorem,hypothesis,lemma,lemma_file,sha256,says\n"
static const char *hash_of(const char *file)
{
    ck_assert_int_eq(run_command(output, sizeof output, "sha256sum < '%s/%s'", root, file), 0);
    return temp_format("%.64s", output);
}
static formal_list read_list(void)
{
    return formal_list_read(temp_path(root, "reports/formal.csv"), NULL, temp_path(root, "reports/formal_needed.csv"), root);
}
static void put_lists(void)
{
    temp_text(root, "theorems/a.v", COMMENT("K-1", "a", "first") COMMENT("K-2", "a", "first") COMMENT("K-1", "b", "second")
              "\n" THEOREM "Theorem second : True.\nProof. by []. Qed.\n" PROVED);
    temp_text(root, "theorems/c.v", PROVED);
    const char *a = hash_of("theorems/a.v");
    const char *first = kernel_line("theorems/a.v", a, "-", "first", "none");
    const char *second = kernel_line("theorems/a.v", a, "-", "second", "none");
    temp_text(root, "reports/formal_log.txt", temp_format(KERNEL_SUMMARY "%s%s", first, second));
    temp_text(root, "reports/formal.csv", temp_format(FORMAL "theorem,K-1,a,first,all n,theorems/a.v,%s,,,none,%s\n"
              "theorem,K-1,b,second,all n,theorems/a.v,%s,,,none,%s\ntheorem,K-2,a,first,all n,theorems/a.v,%s,,,none,%s\n",
              a, kernel_hash(first), a, kernel_hash(second), a, kernel_hash(first)));
    temp_text(root, "reports/formal_needed.csv", temp_format(LIST "theorems/a.v,first,n is n,needs_n,theorems/c.v,%s,1 for 2\n"
              "theorems/a.v,first,sizes,,,,no matrix\ntheorems/b.v,second,else,,,,another file\n", hash_of("theorems/c.v")));
}
START_TEST(each_theorem_has_its_lines)
{
    put_lists();
    formal_list l = read_list();
    for (long k = 0; k < 3; k += 2) {
        ck_assert_int_eq(l.at[k].needs, 2);
        ck_assert_str_eq(l.at[k].need[0].hypothesis, "n is n");
        ck_assert_str_eq(l.at[k].need[0].lemma, "needs_n");
        ck_assert_str_eq(l.at[k].need[0].file, "theorems/c.v");
        ck_assert_str_eq(l.at[k].need[0].says, "1 for 2");
        ck_assert_str_eq(l.at[k].need[1].lemma, "");
        ck_assert_str_eq(l.at[k].need[1].says, "no matrix");
    }
    ck_assert_int_eq(l.at[1].needs, 0);
    formal_list_free(&l);
}
END_TEST
START_TEST(a_changed_lemma_is_left_out)
{
    put_lists();
    temp_text(root, "theorems/c.v", "Lemma needs_n : False.\n");
    formal_list l = read_list();
    ck_assert_int_eq(l.at[0].needs, 1);
    ck_assert_str_eq(l.at[0].need[0].hypothesis, "sizes");
    formal_list_free(&l);
    temp_text(root, "theorems/a.v", "\n" THEOREM);                       /* the theorem itself does not count */
    l = read_list();
    ck_assert_int_eq(l.stale, 3);
    for (long k = 0; k < l.n; k++) ck_assert_int_eq(l.at[k].needs, 0);
    formal_list_free(&l);
}
END_TEST
/* The list as it is committed is that of the files as they are. */
START_TEST(our_list_fits)
{
    formal_list l = formal_list_read("reports/formal.csv", NULL, "reports/formal_needed.csv", ".");
    long lemmas = 0, lines = 0;
    for (long k = 0; k < l.n; k++)
        for (long i = 0; i < l.at[k].needs; i++, lines++) lemmas += l.at[k].need[i].lemma[0] != '\0';
    ck_assert_msg(lemmas > lines / 2, "%ld lines, %ld name a lemma", lines, lemmas);
    ck_assert_int_eq(run_command(output, sizeof output, "cat theorems/*.v | grep '^ *(\\* Needed: ' | sed 's/ hypothesis=.*//; s/.*theorem=//' | "
                                 "tr ',' '\\n' | wc -l"), 0);
    const long written = atol(output);
    ck_assert_int_eq(run_command(output, sizeof output, "tail -n +2 reports/formal_needed.csv | wc -l"), 0);
    ck_assert_int_eq(atol(output), written);
    formal_list_free(&l);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("formal_needed");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_line_for_each_hypothesis);
    tcase_add_test(c, what_is_refused);
    tcase_add_test(c, each_theorem_has_its_lines);
    tcase_add_test(c, a_changed_lemma_is_left_out);
    tcase_add_test(c, our_list_fits);
    suite_add_tcase(suite, c);
    return run_suite(suite, argc, argv);
}
