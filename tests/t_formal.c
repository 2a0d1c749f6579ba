/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_formal.c - what guards the formal proofs, without Coq: the lint refuses whatever leaves a proof open, comments name
 * theorems that are there, and a report shows FORMAL only while every file is the one that was accepted. */
#include <stdlib.h>
#include <string.h>
#include "src/claim/certificate/formal.h"
#include "src/claim/certificate/formal_text.h"
#include "src/report/collect/formal_guide.h"
#include "tests/support/files.h"
#include "tests/support/kernel_log.h"
#include "tests/support/suite.h"

enum { ROOM = 1 << 16 };
static char output[ROOM];
static char *root;

static void setup(void)
{
    root = temp_folder();
    ck_assert_int_eq(run_command(output, sizeof output, "mkdir -p '%s'/theorems '%s'/src/formal '%s'/reports", root, root,
                                 root), 0);
}
static void teardown(void)
{
    ck_assert_int_eq(run_command(output, sizeof output, "rm -rf '%s'", root), 0);
}

/* ---- the lint ---------------------------------------------------------------------------------------------- */

static int lint(const char *text)
{
    const char *path = temp_text(root, "x.v", text);
    return run_command(output, sizeof output, "sh tests/formal_lint.sh '%s'", path);
}

#define FORTY "0123456789012345678901234567890123456789"

START_TEST(what_is_refused)
{
    static const char *const text[] = {
        "Lemma a : True.\nProof.\nAdmitted.\n", "Lemma a : True.\nProof. admit. Qed.\n", "Lemma a : True. Proof. give_up. Qed.\n",
        "Axiom a : False.\n", "Axioms a b : False.\n", "Local Axiom a : False.\n", "#[local] Axiom a : False.\n",
        "Parameter a : nat.\n", "Parameters a b : nat.\n", "Section s.\nParameter a : nat.\nEnd s.\n", "Conjecture a : False.\n",
        "Variable a : nat.\n", "Variables a b : nat.\n", "Hypothesis a : False.\n", "Hypotheses a b : False.\n",
        "Context (a : False).\n", "Module m.\nHypothesis a : False.\nEnd m.\n", "Section s.\nEnd s.\nHypothesis a : False.\n",
        "Module Type t.\nEnd t.\n", "Declare Module m.\n", "Lemma a : False.\nAbort.\n",
        "Unset Guard Checking.\n", "Unset Positivity Checking.\n", "Unset Universe Checking.\n",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.\n", "Lemma a : True.\nProof. native_compute. Qed.\n",
        "Lemma a : True. Proof. native_cast_no_check I. Qed.\n", "Extract Constant a => \"b\".\n", "Primitive a := #int63_add.\n",
        "Load x.\n", "Admit Obligations.\n", "Set Definitional UIP.\n", "Register a as b.\n",
        "(* comment *) Axiom a : False.\n", "(* a (* b *) c *) Axiom a : False.\n", "Definition s := \"(*\". Axiom a : False.\n",
        "#[local]Axiom a : False.\n", "#[ local ] Axiom a : False.\n", "#[local,\nuniverses(polymorphic)]\nParameter a : nat.\n",
        "Global Hypothesis a : False.\n", "Timeout 5 Axiom a : False.\n", "Succeed Axiom a : False.\n",
        "Module Import m. Axiom a : False. End m.\n", "Module m. Section s. End s. Variable b : nat. End m.\n",
        "Unset  Guard\n Checking.\n", "#[ bypass_check ( universes ) ] Definition a := 1.\n", "Ltac adm := admit.\n",
        "Lemma a : False. Proof. by (* x *) admit; idtac. Qed.\n", "Next Obligation. Admitted.\n", "Declare ML Module \"x\".\n",
        "Notation \"a = b\" := True.\n", "Notation \"x = y\" := (True) (at level 70).\n", "Infix \"=\" := or.\n",
        "Reserved Notation \"a =~ b\".\n", "Coercion f : a >-> b.\n", "Add Rec LoadPath \"x\".\n",
        "Lemma a : True. Axiom b : False.\n", "Lemma a : True. (* open\n", "Section s.\n", "Lemma\ta : True.\n",
        "(* Provably: claim=A part=b theorem=c quantifiers=" FORTY FORTY FORTY FORTY " *)\n",
    };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        ck_assert_msg(lint(text[k]) == 1 && *output, "not refused: %s", text[k]);
}
END_TEST
START_TEST(what_is_let_pass)
{
    static const char *const text[] = {
        "Lemma a : True.\nProof. exact I. Qed.\n", "(* Axiom a (* Admitted *) *)\nLemma a : True. Proof. exact I. Qed.\n",
        "Definition s := \"Axiom. admit. (*\".\n", "Section s.\nVariable a : nat.\nHypothesis h : a = a.\nContext (b : nat).\nEnd s.\n",
        "Section s.\nModule m.\nEnd m.\nVariable a : nat.\nEnd s.\n", "Definition parameter := 1. Definition admitted := 2.\n",
        "Section s.\nNotation d := (h * dk)%N.\nEnd s.\n", "#[local] Lemma a : True. Proof. exact I. Qed.\n",
    };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        ck_assert_msg(lint(text[k]) == 0 && !*output, "refused: %s\n%s", text[k], output);
}
END_TEST
START_TEST(our_files_pass)
{
    ck_assert_msg(run_command(output, sizeof output, "sh tests/formal_lint.sh $(ls src/formal/*.v theorems/*.v 2>/dev/null)") == 0,
                  "%s", output);
}
END_TEST

/* ---- the list ---------------------------------------------------------------------------------------------- */

#define HEADER "kind,claim,part,theorem,quantifiers,file,sha256,needs,needs_sha256,axioms,log_sha256\n"
#define OF_FIRST "(* Provably: claim=K-1 part=as-stated theorem=first quantifiers=every n, d *)\n"
static const char stated[] = "(* text *)\n" OF_FIRST "Theorem first_one : True.\nProof. exact I. Qed.\n"
                             "Theorem first n :\n  n = n :> nat.\nProof. by []. Qed.\n";
static const char *first_line, *first_row;                /* of the log; of the list, from the column `needs` on */
static const char *list, *readings;                       /* of reports/formal.csv, and of formal_read.csv */

static void hash_of(const char *files, char hex[65])
{
    ck_assert_int_eq(run_command(output, sizeof output, "cd '%s' && cat %s | sha256sum", root, files), 0);
    memcpy(hex, output, 64);
    hex[64] = '\0';
}
/* A theorem of theorems/a.v, which needs two files, and one of src/formal/b.v, which needs none. */
static void two_theorems(void)
{
    char a[65], b[65], bc[65];
    temp_text(root, "theorems/a.v", stated);
    temp_text(root, "src/formal/b.v", "(* Provably: claim=K-2 part=corrected theorem=second quantifiers=nothing *)\n"
              "Lemma second : True.\nProof. exact I. Qed.\n");
    temp_text(root, "src/formal/c.v", "Definition c := 1.\n");
    hash_of("theorems/a.v", a);
    hash_of("src/formal/b.v", b);
    hash_of("src/formal/c.v src/formal/b.v", bc);
    first_line = kernel_line("theorems/a.v", a, bc, "first", "none");
    const char *second = kernel_line("src/formal/b.v", b, "-", "second", "b.choice");
    temp_text(root, "reports/formal_log.txt", temp_format(KERNEL_SUMMARY "%s%s", second, first_line));
    first_row = temp_format("src/formal/c.v src/formal/b.v,%s,none,%s\n", bc, kernel_hash(first_line));
    list = temp_text(root, "reports/formal.csv", temp_format(
        HEADER "theorem,K-1,as-stated,first,\"every n, d\",theorems/a.v,%s,%s"
        "theorem,K-2,corrected,second,nothing,src/formal/b.v,%s,,,b.choice,%s\n"
        "certificate,K-3,as-stated,golden_text,all,K-3.cert,00,src/formal/b.v,00,none,\n", a, first_row, b,
        kernel_hash(second)));
}
static void expect(long n, long stale)
{
    formal_list l = formal_list_read(list, readings, NULL, root);
    ck_assert_int_eq(l.n - l.stale, n);
    ck_assert_int_eq(l.stale, stale);
    for (long k = 0; k < l.n; k++) {
        ck_assert_int_eq(l.at[k].current, l.at[k].statement != NULL);
        stale -= !l.at[k].current;
    }
    ck_assert_int_eq(stale, 0);
    formal_list_free(&l);
}

START_TEST(unchanged_files_count)
{
    two_theorems();
    formal_list l = formal_list_read(list, readings, NULL, root);
    ck_assert_int_eq(l.n, 2);
    ck_assert_int_eq(l.stale, 0);
    ck_assert_str_eq(l.at[0].claim, "K-1");
    ck_assert_str_eq(l.at[0].part, "as-stated");
    ck_assert_str_eq(l.at[0].quantifiers, "every n, d");
    ck_assert_str_eq(l.at[0].statement, "Theorem first n :\n  n = n :> nat.");
    ck_assert_str_eq(l.at[1].statement, "Lemma second : True.");
    ck_assert_str_eq(l.at[1].axioms, "b.choice");
    formal_list_free(&l);
    expect(2, 0);
}
END_TEST
START_TEST(a_changed_statement_does_not)
{
    two_theorems();
    temp_text(root, "theorems/a.v", "Theorem first : False.\nProof.\n");
    expect(1, 1);
}
END_TEST
START_TEST(nor_does_a_changed_file_that_is_needed)
{
    two_theorems();
    temp_text(root, "src/formal/c.v", "Definition c := 2.\n");
    expect(1, 1);
    ck_assert_int_eq(run_command(output, sizeof output, "rm '%s'/src/formal/b.v", root), 0);
    expect(0, 2);
}
END_TEST
/* Every theorem of our list is about a part that its program has. */
START_TEST(parts_that_are_there)
{
    ck_assert_msg(run_command(output, sizeof output,
                              "awk -F, '$1 == \"theorem\" { print $2, $3 }' reports/formal.csv | sort -u | {\n"
                              "claim= named=0\n"
                              "while read -r id part; do\n"
                              "    [ \"$id\" = \"$claim\" ] || parts=$(${BUILD:-build}/provably run \"$id\" --list | sed -n 's/^part //p') || exit 3\n"
                              "    claim=$id named=$((named + 1))\n"
                              "    echo \"$parts\" | grep -qxF \"$part\" || echo \"$id has no part $part\"\n"
                              "done\n"
                              "[ $named -ge 60 ] || echo \"only $named parts\"; }") == 0 && !*output, "%s", output);
}
END_TEST

/* ---- what a reader sees and has read ------------------------------------------------------------------------ */

static const char sectioned[] =
    "Section Other.\nVariable (far : nat).\nEnd Other.\nSection S.\nVariables (n m : nat)\n  (k : nat).\nNotation d := n.\n"
    "Section Inner.\nHypothesis gone : n = m.\nEnd Inner.\nHypothesis same : n = m.\nDefinition used := n.\n"
    "Definition use := m.\nTheorem first : used = m.\nProof.\nby [].\nQed.\nHypothesis late : n = k.\n"
    "Theorem second : True.\nProof. exact I. Qed.\nEnd S.\n";

START_TEST(a_theorem_is_shown_with_what_its_section_assumes)
{
    char *setting = formal_setting(sectioned, "first"), *after = formal_setting(sectioned, "second");
    ck_assert_str_eq(setting, "Variables (n m : nat)\n  (k : nat).\nNotation d := n.\nHypothesis same : n = m.\n"
                              "Definition used := n.");
    ck_assert_str_eq(after, "Variables (n m : nat)\n  (k : nat).\nNotation d := n.\nHypothesis same : n = m.\n"
                            "Hypothesis late : n = k.");
    free(setting);
    free(after);
    char *named = formal_definitions("Definition used :=\n  1.\nDefinition use := 2.\n", "used + 1");
    ck_assert_str_eq(named, "Definition used :=\n  1.");
    free(named);
}
END_TEST

static char *reading(const char *text)
{
    static char hex[2][SHA256_HEX];
    static int which;
    formal_reading(text, hex[which = !which]);
    return hex[which];
}
/* A transpose, a hypothesis, a quantifier: whatever is stated changes the reading, and proofs do not. */
START_TEST(a_reading_is_of_statements_alone)
{
    static const char before[] = "Hypothesis u : a \\in unitmx.\nTheorem t : forall n, (a *m b^T) n = 1.\nProof. by []. Qed.\n"
                                 "Theorem s : True.\nProof.\nexact I.\nQed.\n";
    static const char *const other[] = {
        "Hypothesis u : a \\in unitmx.\nTheorem t : forall n, (a *m b) n = 1.\nProof. by []. Qed.\n"
        "Theorem s : True.\nProof.\nexact I.\nQed.\n",
        "Theorem t : forall n, (a *m b^T) n = 1.\nProof. by []. Qed.\nTheorem s : True.\nProof.\nexact I.\nQed.\n",
        "Hypothesis u : a \\in unitmx.\nTheorem t : (a *m b^T) 2 = 1.\nProof. by []. Qed.\n"
        "Theorem s : True.\nProof.\nexact I.\nQed.\n",
        "Hypothesis u : a \\in unitmx.\nTheorem t : forall n, (a *m b^T) n = 1.\nProof. by []. Qed.\n"
        "Theorem s : False.\nProof.\nexact I.\nQed.\n" };
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) ck_assert_str_ne(reading(before), reading(other[k]));
    ck_assert_str_eq(reading(before),
                     reading("Hypothesis u : a \\in unitmx.\nTheorem t : forall n, (a *m b^T) n = 1.\nProof.\nby move.\nQed.\n"
                             "Theorem s : True.\nProof. exact I. Qed.\n"));
}
END_TEST
START_TEST(only_a_theorem_as_it_was_read_is_whole)
{
    two_theorems();
    readings = temp_text(root, "reports/formal_read.csv", temp_format(
        "claim,part,theorem,reading,sentence,again,lacks\nK-1,as-stated,first,%s,,,\n", reading(stated)));
    formal_list l = formal_list_read(list, readings, NULL, root);
    ck_assert(l.at[0].whole && !l.at[0].twice && !l.at[1].whole);
    ck_assert_int_eq(l.rereads, 0);
    formal_list_free(&l);
    temp_text(root, "reports/formal_read.csv", temp_format(
        "claim,part,theorem,reading,sentence,again,lacks\nK-1,as-stated,first,%s,%064d,%s,\n", reading(stated), 7, reading(stated)));
    l = formal_list_read(list, readings, NULL, root);
    ck_assert(l.at[0].twice && strcmp(l.at[0].sentence, temp_format("%064d", 7)) == 0);
    formal_list_free(&l);
    temp_text(root, "reports/formal_read.csv", temp_format(
        "claim,part,theorem,reading,sentence,again,lacks\nK-1,as-stated,first,%s,,%064d,\n", reading(stated), 0));
    l = formal_list_read(list, readings, NULL, root);
    ck_assert(l.at[0].whole && !l.at[0].twice);                     /* the second reading was of another file */
    formal_list_free(&l);
    temp_text(root, "reports/formal_read.csv", temp_format(
        "claim,part,theorem,reading,sentence,again,lacks\nK-1,as-stated,first,%s,,,the second clause\n", reading(stated)));
    l = formal_list_read(list, readings, NULL, root);
    ck_assert(!l.at[0].whole && l.rereads == 0);
    ck_assert_str_eq(l.at[0].lacks, "the second clause");
    formal_list_free(&l);
    temp_text(root, "reports/formal_read.csv", temp_format("claim,part,theorem,reading,sentence,again,lacks\nK-1,as-stated,first,%064d,,,\n", 0));
    l = formal_list_read(list, readings, NULL, root);
    ck_assert(!l.at[0].whole);
    ck_assert_int_eq(l.rereads, 1);
    ck_assert_ptr_nonnull(strstr(l.reread[0], reading(stated)));       /* what to write when it still fits */
    formal_list_free(&l);
    temp_text(root, "reports/formal_read.csv", temp_format("claim,part,theorem,reading,sentence,again,lacks\nK-1,as-stated,firs,%064d,,,\n", 0));
    l = formal_list_read(list, readings, NULL, root);
    ck_assert_ptr_nonnull(strstr(l.reread[0], "no theorem firs of K-1 as-stated"));
    formal_list_free(&l);
    readings = NULL;
}
END_TEST
/* Ours are those of the list, as it stands. */
START_TEST(our_readings_fit)
{
    formal_list l = formal_list_read("reports/formal.csv", "reports/formal_read.csv", "reports/formal_needed.csv", ".");
    ck_assert_msg(l.rereads == 0, "%s", l.rereads ? l.reread[0] : "");
    formal_list_free(&l);
}
END_TEST

START_TEST(no_list_is_no_theorem)
{
    list = temp_path(root, "reports/none.csv");
    expect(0, 0);
}
END_TEST

/* Without the list formal_cases.csv each theorem is a statement of its own. */
START_TEST(a_case_states_what_another_one_does)
{
    two_theorems();
    formal_list l = formal_list_read(list, readings, NULL, root);
    ck_assert_str_eq(l.at[0].states, "theorems/a.v first");
    ck_assert_str_eq(l.at[1].states, "src/formal/b.v second");
    formal_list_free(&l);
    temp_text(root, "reports/formal_cases.csv", "file,theorem,of_file,of_theorem\n"
              "src/formal/b.v,second,theorems/a.v,first\nsrc/formal/b.v,first,src/formal/b.v,second\n");
    l = formal_list_read(list, readings, NULL, root);
    ck_assert_str_eq(l.at[0].states, "theorems/a.v first");
    ck_assert_str_eq(l.at[1].states, "theorems/a.v first");
    formal_list_free(&l);
}
END_TEST

static void read_it(void *with)
{
    (void)with;
    formal_list l = formal_list_read(list, readings, NULL, root);
    formal_list_free(&l);
}
static void dies_on(const char *text, const char *message)
{
    list = temp_text(root, "reports/formal.csv", text);
    ck_assert_int_eq(run_child(read_it, NULL, output, sizeof output), 2);
    ck_assert_msg(strstr(output, message) != NULL, "%s is missing in %s", message, output);
}
START_TEST(other_lists_are_refused)
{
    char a[65];
    two_theorems();
    hash_of("theorems/a.v", a);
    dies_on("kind,claim\n", "formal.csv:1");
    dies_on("", "formal.csv");
    temp_text(root, "reports/formal_cases.csv", "file,theorem\n");
    dies_on(HEADER, "formal_cases.csv:1");
    ck_assert_int_eq(run_command(output, sizeof output, "rm '%s'/reports/formal_cases.csv", root), 0);
    dies_on(HEADER "theorem,K-1\n", "formal.csv:2");
    dies_on(HEADER "guess,K-1,p,t,q,f,0,,,none,\n", "kind `guess`");
    dies_on(temp_format(HEADER "theorem,K-1,p,firs,q,theorems/a.v,%s,,,none,\n", a), "states no theorem firs");
    dies_on(temp_format(HEADER "theorem,K-1,p,text,q,theorems/a.v,%s,,,none,\n", a), "states no theorem text");
}
END_TEST

/* A row that make formal did not write: of another claim or part, with other quantifiers, of a theorem that the file
 * states for another part, or whose file says the words elsewhere than in a line of their own. */
START_TEST(a_row_says_what_its_file_says)
{
    static const char *const names[] = { "K-2,as-stated,first,\"every n, d\"", "K-1,corrected,first,\"every n, d\"",
                                         "K-1,as-stated,first_one,\"every n, d\"",
                                         "K-1,as-stated,first,\"every n, d, h\"", "K-1,as-stated,first,every n" };
    char a[65];
    two_theorems();
    hash_of("theorems/a.v", a);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        dies_on(temp_format(HEADER "theorem,%s,theorems/a.v,%s,%s", names[k], a, first_row), "has no line `(* Provably: claim=");
    static const char *const other[] = { "(* " OF_FIRST "*)\n", "x" OF_FIRST, "(* Provably: claim=K-1 part=as-stated theorem=first "
                                         "quantifiers=every n, d *) \n", "(* Provably: claim=K-1  part=as-stated theorem=first "
                                         "quantifiers=every n, d *)\n" };
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        temp_text(root, "theorems/a.v", temp_format("%sTheorem first : True.\nProof. by []. Qed.\n", other[k]));
        hash_of("theorems/a.v", a);
        dies_on(temp_format(HEADER "theorem,K-1,as-stated,first,\"every n, d\",theorems/a.v,%s,%s", a, first_row),
                "has no line `(* Provably: claim=");
    }
}
END_TEST
/* Without the kernel's log, or with another one, or with another hash of it, no theorem counts. */
START_TEST(a_row_has_the_hash_of_the_log)
{
    char a[65];
    two_theorems();
    hash_of("theorems/a.v", a);
    const char *own = temp_read(NULL, list, NULL);
    expect(2, 0);
    const char *const logs[] = { "", KERNEL_SUMMARY, temp_format("%s", first_line), temp_format("coqchk: else\n%s", first_line),
                                 temp_format(KERNEL_SUMMARY "%s", kernel_line("theorems/a.v", a, "-", "first", "none")) };
    for (size_t k = 0; k < sizeof logs / sizeof *logs; k++) {
        temp_text(root, "reports/formal_log.txt", logs[k]);
        dies_on(own, "the log of the kernel does not say this of theorem first of theorems/a.v");
    }
    temp_text(root, "reports/formal_log.txt", temp_format(KERNEL_SUMMARY "%s", first_line));
    dies_on(temp_format(HEADER "theorem,K-1,as-stated,first,\"every n, d\",theorems/a.v,%s,%.*s%064d\n", a,
                        (int)(strlen(first_row) - 65), first_row, 0), "the log of the kernel");
    ck_assert_int_eq(run_command(output, sizeof output, "rm '%s'/reports/formal_log.txt", root), 0);
    dies_on(own, "run `make formal`");
}
END_TEST

/* ---- formal_compare.sh, with stand-ins for both checkers: they accept what says `good` in its third line --------------- */

static int compare(const char *rounds)
{
    return run_command(output, sizeof output, "chmod +x '%s/b/proofcheck' '%s/b/formal/compare/accepts' && TMPDIR='%s' "
                       "sh tests/formal_compare.sh '%s/b' %s 1 '%s/out'", root, root, root, root, rounds, root);
}
static void put_checkers(const char *proved)
{
    ck_assert_int_eq(run_command(output, sizeof output, "mkdir -p '%s'/b/certificates '%s'/b/formal/Provably "
                                 "'%s'/b/formal/compare", root, root, root), 0);
    temp_text(root, "b/certificates/x.cert", "a 1\nclaim K-1\npart good\nkind none\nsays that it is\n0 1 2 3 4 5\n6 7 8 9\nend\n");
    temp_text(root, "b/proofcheck", "#!/bin/sh\nfor f; do case $(sed -n 3p \"$f\") in *good*) echo \"$f: accepted: x\" ;;\n"
              "*' '*' '*) echo \"$f: rejected: line 3: too much work\" ;; *) echo \"$f: rejected: line 3: no\" ;; esac; done\n");
    temp_text(root, "b/formal/compare/accepts", temp_format("#!/bin/sh\nfor f; do case $(sed -n 3p \"$f\") in %s) "
              "echo \"$f: accepted\" ;; *) echo \"$f: rejected\" ;; esac; done\n", proved));
}
START_TEST(checkers_that_agree_are_recorded)
{
    put_checkers("*good*");
    ck_assert_msg(compare("200") == 0, "%s", output);
    ck_assert_msg(strstr(output, "accept all 1 certificates") && strstr(output, "200 of 200 altered"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "awk -F, 'NR == 2 { exit !($8 == 200 && $9 + $10 + $11 == 200 && "
                                 "$9 > 100 && $10 > 5 && $12 == 0) }' '%s'/out/formal_compare.csv", root), 0);
    ck_assert_int_eq(compare("200"), 0);                 /* goes on where it ended: nothing is left to do */
    ck_assert_msg(!strstr(output, "200 of 200"), "%s", output);
    ck_assert_int_eq(compare("1100"), 0);
    ck_assert_msg(strstr(output, "1000 of 1100") && strstr(output, "1100 of 1100"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "cut -d, -f8 '%s'/out/formal_compare.csv | paste -sd' '", root), 0);
    ck_assert_str_eq(output, "altered 200 1100\n");
}
END_TEST
START_TEST(checkers_that_differ_are_not)
{
    put_checkers("*good*|*bad*|*[0-9]*");                /* it accepts more */
    ck_assert_int_eq(compare("300"), 1);
    ck_assert_msg(strstr(output, "differ"), "%s", output);
    ck_assert_msg(!temp_exists(root, "out/formal_compare.csv"), "a record of checkers that differ");
    ck_assert_int_eq(run_command(output, sizeof output, "ls '%s'/b/formal/compare/differ/seed-1-piece-0-*.cert", root), 0);
    put_checkers("nothing");                             /* it does not accept the certificate itself */
    ck_assert_int_eq(compare("300"), 1);
    put_checkers("*good*");
    temp_text(root, "b/certificates/x.cert", "a 1\nclaim K-1\npart none\nsays x\n1 2\nend\n");
    ck_assert_int_eq(compare("300"), 1);                 /* both refuse a certificate */
    ck_assert_msg(strstr(output, "not accepted"), "%s", output);
}
END_TEST
START_TEST(altered_certificates_depend_on_the_seed)
{
    ck_assert_int_eq(run_command(output, sizeof output, "from=$PWD && cd '%s' && mkdir a b c && { echo says so; seq 40; } > x && echo x > list && "
                                 "for s in 1a 1b 2c; do awk -v rounds=60 -v seed=${s%%?} -v piece=3 -v to=${s#?} -f \"$from/tests/formal_alter.awk\" list || exit; "
                                 "done && diff -r a b && ! diff -rq a c > /dev/null && "
                                 "[ \"$(for f in a/*; do cmp -s x $f || echo; done | wc -l)\" -ge 50 ] && "
                                 "[ \"$(cat a/* | sort -u | wc -l)\" -gt 60 ]", root), 0);
}
END_TEST

/* ---- certificates as ordinary theorems ------------------------------------------------------------------------------ */

START_TEST(the_theorem_that_is_shown_is_what_is_written)
{
    ck_assert_int_eq(run_command(output, sizeof output, "'%s/theorems/k_p3_2' --certificates='%s' >/dev/null && awk -v name=$(echo %s | "
                                 "tr .- __) -v number=1 -f tests/formal_typed.awk '%s/%s.cert' | sed '/^Proof/,$d; /^(\\*/d'", build_folder(),
                                 root, formal_guide_certificate, root, formal_guide_certificate), 0);
    ck_assert_str_eq(output, temp_format("%s\n", formal_guide_typed));
    temp_text(root, "guide", temp_format("%s\n", formal_guide_typed));
    ck_assert_msg(run_command(output, sizeof output, "{ cat '%s/guide'; for k in 'f4 F4-as-stated-lifted matrix' "
                              "'k_e1_r8 K-E1-R8-corrected-m-below-h-generic matrix' 'k_n_wd K-N-wd-corrected numbers'; do "
                              "set -- $k; '%s/theorems/'$1 --certificates='%s' >/dev/null; awk -v name=$(echo $2 | tr .- __) "
                              "-v number=1 -f tests/formal_typed_$3.awk '%s'/$2.cert | sed '/^Proof/,$d; /^(\\*/d'; done; } > '%s/written'; "
                              "sed -n '/^```coq/,/^```/p' reports/CERTIFICATES.md | grep -v '^```' | diff '%s/written' -",
                              root, build_folder(), root, root, root, root) == 0, "%s", output);
}
END_TEST
static int written(const char *nodes)                    /* of a certificate with these nodes and the equation 2 = 3 */
{
    temp_text(root, "x.cert", temp_format("provably-certificate 2\nclaim K-1\npart a\nkind sym\nheads 1\ndepth none\nsays so\n%s"
                                          "equal 2 3 a = b\nend\n", nodes));
    return run_command(output, sizeof output, "awk -v name=x -v number=1 -f tests/formal_typed.awk '%s/x.cert' 2>&1", root);
}
START_TEST(given_matrices_are_written_out)
{
    temp_text(root, "m.cert", "provably-certificate 2\nclaim K-1\npart a\nkind matrix\nsays so\nmatrix A 1 2\n1 -2\nmatrix B 1 2\n1/2 3\n"
              "value u 5\nformula A B A + ' * = 1/2\nformula A B ' * != u\nformula A B ' * u - <= 3\nend\n");
    ck_assert_int_eq(run_command(output, sizeof output, "awk -v name=x -v number=1 -f tests/formal_typed_matrix.awk '%s/m.cert' | "
                                 "sed '/^Proof/,$d'", root), 0);
    ck_assert_str_eq(output, "(* K-1 a: so *)\nTheorem x (F : numFieldType) :\n"
                     "  let A : 'M[F]_(1, 2) := whole_matrix F 1 2\n    [:: [:: 1; -2]]%Z in\n"
                     "  let B : 'M[F]_(1, 2) := rational_matrix F 1 2\n"
                     "    [:: [:: (1, 2%positive); (3, 1%positive)]]%Z in\n"
                     "  let u : 'M[F]_1 := whole_matrix F 1 1\n    [:: [:: 5]]%Z in\n"
                     "  A *m (B + A)^T = number F (1) 2 /\\\n  A *m B^T <> u /\\\n  (A *m B^T - u) 0 0 <= (number F (3) 1) 0 0.\n");
}
END_TEST
START_TEST(networks_are_written_out)
{
    const char *net = "matrix W1 1 2\n1 -2\nmatrix W2 1 1\n3\nmatrix Z 1 2\n1/2 0\n", *other = "matrix V1 1 2\n1 2\nmatrix V2 1 1\n3\nmatrix Y 1 2\n0 0\n";
    const char *head = "provably-certificate 2\nclaim K-1\npart a\nkind %s\nsays so\n%s%s%send\n";
    const char *run = "awk -v name=t -v number=1 -f tests/formal_typed_matrix.awk '%s/n.cert' | grep -v ':= \\|^ *\\[::'";
    const char *left = "  W2 *m map_mx (@relu F) (W1 *m x) + Z *m x", *right = "  V2 *m map_mx (@relu F) (V1 *m x) + Y *m x.\nProof.";
    temp_text(root, "n.cert", temp_format(head, "relu-eq", net, other, ""));
    ck_assert_int_eq(run_command(output, sizeof output, run, root), 0);
    ck_assert_ptr_nonnull(strstr(output, temp_format("Theorem t (F : realFieldType) (x : 'cV[F]_2) :\n%s =\n%s", left, right)));
    temp_text(root, "n.cert", temp_format(head, "relu-neq", net, other, "matrix x 2 1\n1\n0\n"));
    ck_assert_int_eq(run_command(output, sizeof output, run, root), 0);
    ck_assert_ptr_nonnull(strstr(output, temp_format("Theorem t (F : realFieldType) :\n%s <>\n%s", left, right)));
    temp_text(root, "n.cert", temp_format(head, "no-j", net, "", "matrix y 1 2\n0 7\n"));
    ck_assert_int_eq(run_command(output, sizeof output, run, root), 0);
    ck_assert_ptr_nonnull(strstr(output, "Theorem t (F : numFieldType) (J : pred 'I_1) :\n  \\sum_(j | J j) col j W2 *m row j W1 + Z <> 0.\n"));
    ck_assert_int_eq(run_command(output, sizeof output, "awk -v name=t -v number=1 -f tests/formal_typed_matrix.awk '%s/n.cert'", root), 0);
    ck_assert_msg(!strstr(output, "let y"), "how it is shown is no part of what is shown: %s", output);
}
END_TEST
START_TEST(printed_numbers_are_written_out)
{
    temp_text(root, "r.cert", "provably-certificate 2\nclaim K-1\npart a\nkind recount\nsays so\nvalue a.b 1533/1000\nvalue c -7/4\n"
              "formula a.b c + 2 * = 3/4 c -\nformula c 1/3 + ' a.b - <= -5\nformula 3/10 c a.b * * < a.b c a.b - -\nformula 1/2 != 7/100\nend\n");
    ck_assert_int_eq(run_command(output, sizeof output, "awk -v name=t -v number=1 -f tests/formal_typed_numbers.awk '%s/r.cert' | "
                                 "sed '/^Proof/,$d'", root), 0);
    ck_assert_str_eq(output, "(* K-1 a: so *)\nTheorem t :\n  let a_b : Q := 1.533 in\n  let c : Q := (-1.75) in\n"
                     "  (a_b + c) * 2 == (3 # 4) - c /\\\n  c + (1 # 3) - a_b <= (-5) /\\\n"
                     "  0.3 * (c * a_b) < a_b - (c - a_b) /\\\n  ~ 1 # 2 == 0.07.\n");
}
END_TEST
START_TEST(what_has_no_such_theorem_says_why)
{
    ck_assert_int_eq(written("0 matrix A n d\n1 matrix B d d\n2 product 0 1\n3 sum 1/2 2\n"), 0);
    ck_assert_ptr_nonnull(strstr(output, "  (0 < n)%N -> (0 < d)%N -> (2%:R : R) \\is a GRing.unit ->\n"
                                 "  forall A2 : 'M[R]_(n, d), A2 = A *m B ->\n  A2 = (1%:R / 2%:R) *: A2.\n"));
    ck_assert_int_eq(written("0 matrix A n d\n1 matrix B d d\n2 product 0 1\n3 sum 9999 2\n"), 3);
    ck_assert_str_eq(output, "a coefficient of 9999\n");
    ck_assert_int_eq(written("0 matrix A n 1000\n1 matrix B 1000 d\n2 product 0 1\n3 sum 1 2\n"), 3);
    ck_assert_str_eq(output, "a size of 1000\n");
    ck_assert_int_eq(written("0 matrix A n d\n1 matrix B d n\n2 value f n n 0\n3 value f d d 1\n"), 3);
    ck_assert_msg(strncmp(output, "function f has values", 21) == 0, "%s", output);
}
END_TEST
/* formal_typed.sh with a stand-in for coqc, which counts its calls */
static void type(const char *limit, const char *calls, const char *outcomes)
{
    run_command(output, sizeof output, "rm -f '%s/calls'; touch '%s/calls'; PATH='%s:'\"$PATH\" LIMIT=%s JOBS=1 sh tests/formal_typed.sh '%s/b' "
                "> '%s/said' 2>&1", root, root, root, limit, root, root);
    ck_assert_int_eq(run_command(output, sizeof output, "wc -l < '%s/calls'; cut -d, -f5 '%s/b/formal/typed.csv' | paste -sd' '", root, root), 0);
    ck_assert_str_eq(output, temp_format("%s\noutcome %s\n", calls, outcomes));
}
START_TEST(what_coqc_said_is_kept)
{
    const char *cert = "provably-certificate 2\nclaim K-1\npart a\nkind recount\nsays so\nformula %s < 2\nend\n";
    const char *coqc = "#!/bin/sh\necho >> '%s/calls'\nfor v; do :; done\n%s\necho '%s'\n";
    ck_assert_int_eq(run_command(output, sizeof output, "mkdir -p '%s/b/certificates'", root), 0);
    temp_text(root, "b/certificates/one.cert", temp_format(cert, "1"));
    temp_text(root, "b/certificates/two.cert", temp_format(cert, "1/2"));
    temp_text(root, "coqc", temp_format(coqc, root, "case $v in *two.v) kill -9 $$ ;; esac", "Closed under the global context"));
    ck_assert_int_eq(run_command(output, sizeof output, "chmod +x '%s/coqc'", root), 0);
    type("5", "2", "\"accepted\" \"not finished: 5 s\"");
    type("5", "0", "\"accepted\" \"not finished: 5 s\"");
    type("9", "1", "\"accepted\" \"not finished: 9 s\"");
    temp_text(root, "b/certificates/one.cert", temp_format(cert, "0"));
    type("9", "1", "\"accepted\" \"not finished: 9 s\"");
    temp_text(root, "b/certificates/two.cert", "provably-certificate 2\nclaim K-1\npart a\nkind recount\nsays so\nmatrix A 1 1\n0\n");
    type("9", "0", "\"accepted\" \"not written: a matrix in a recount\"");
    temp_text(root, "b/certificates/one.cert", temp_format(cert, "-1"));
    temp_text(root, "coqc", temp_format(coqc, root, "", "cheat : forall P : Prop, P"));
    ck_assert_int_eq(run_command(output, sizeof output, "chmod +x '%s/coqc'", root), 0);
    type("9", "1", "\"refused\" \"not written: a matrix in a recount\"");
    ck_assert_int_eq(run_command(output, sizeof output, "grep -c 'one.v rests on an axiom' '%s/said'", root), 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("formal");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, what_is_refused);
    tcase_add_test(c, what_is_let_pass);
    tcase_add_test(c, our_files_pass);
    tcase_add_test(c, unchanged_files_count);
    tcase_add_test(c, a_changed_statement_does_not);
    tcase_add_test(c, nor_does_a_changed_file_that_is_needed);
    tcase_add_test(c, parts_that_are_there);
    tcase_add_test(c, a_theorem_is_shown_with_what_its_section_assumes);
    tcase_add_test(c, a_reading_is_of_statements_alone);
    tcase_add_test(c, only_a_theorem_as_it_was_read_is_whole);
    tcase_add_test(c, our_readings_fit);
    tcase_add_test(c, no_list_is_no_theorem);
    tcase_add_test(c, a_case_states_what_another_one_does);
    tcase_add_test(c, other_lists_are_refused);
    tcase_add_test(c, a_row_says_what_its_file_says);
    tcase_add_test(c, a_row_has_the_hash_of_the_log);
    tcase_add_test(c, checkers_that_agree_are_recorded);
    tcase_add_test(c, checkers_that_differ_are_not);
    tcase_add_test(c, altered_certificates_depend_on_the_seed);
    tcase_add_test(c, the_theorem_that_is_shown_is_what_is_written);
    tcase_add_test(c, given_matrices_are_written_out);
    tcase_add_test(c, networks_are_written_out);
    tcase_add_test(c, printed_numbers_are_written_out);
    tcase_add_test(c, what_has_no_such_theorem_says_why);
    tcase_add_test(c, what_coqc_said_is_kept);
    suite_add_tcase(suite, c);
    return run_suite(suite, argc, argv);
}
