/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_show.c - `provably show`: the names that people use, and what a reader is told of a claim.
 *
 * The evidence of one claim, a misprint with a corrected statement, is made once by its own program and proofcheck; a
 * folder holds it as `make check` would leave it. */
#include <jansson.h>
#include <math.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/csv.h"
#include "src/base/nearest.h"
#include "src/report/collect/claim_name.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/tried_sizes.h"
#include "src/report/document/plain_text.h"
#include "src/report/show.h"
#include "tests/support/evidence.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *folder, *list;                              /* of the evidence; the list of claims, by its whole path */

static void has(const char *text, const char *piece) { ck_assert_msg(strstr(text, piece) != NULL, "`%s` is missing in:\n%s", piece, text); }
/* They follow one another, where the text may have been wrapped anywhere. */
static void follow(const char *text, const char *const *piece, size_t n)
{
    char *flat = temp_format("%s", text), *to = flat;
    for (const char *p = text; *p; ) {
        const size_t blank = strspn(p, " \n");
        if (blank) *to++ = ' ';
        p += blank;
        if (*p) *to++ = *p++;
    }
    *to = '\0';
    for (size_t k = 0; k < n; k++) {
        const char *at = strstr(flat, piece[k]);
        ck_assert_msg(at != NULL, "`%s` is missing, or comes too early, in:\n%s", piece[k], text);
        flat = (char *)at + strlen(piece[k]) - 1;
    }
}
static void lacks(const char *text, const char *piece) { ck_assert_msg(strstr(text, piece) == NULL, "`%s` is in:\n%s", piece, text); }
static void has_words(const char *text, const char *piece) { follow(text, &piece, 1); }

/* ---- names ------------------------------------------------------------------------------------------------- */

START_TEST(one_claim)
{
    static const struct { const char *name, *id; } names[] = {
        { "K-T4.4", "K-T4.4" }, { "k-t4.4", "K-T4.4" }, { "T4.4", "K-T4.4" }, { " t4.4 ", "K-T4.4" }, { "k_t4_4", "K-T4.4" },
        { "Theorem 4.4", "K-T4.4" }, { "theorem 4.4", "K-T4.4" }, { "Thm. 4.4", "K-T4.4" }, { "THM 4.4", "K-T4.4" },
        { "middle Theorem 4.4", "K-T4.4" }, { "middle, Theorem 4.4", "K-T4.4" }, { "Theorem 4.4 of the middle version", "K-T4.4" },
        { "003 Thm 4.4", "K-T4.4" }, { "v1 Theorem 4.1", "K-T4.4" }, { "latest Theorem 4.2", "K-T4.4" },
        { "v7 Theorem 4.2", "K-T4.4" }, { "Theorem 4.2 (middle)", "K-T4.2" }, { "first Theorem 4.2", "K-T4.3" },
        { "T4.2", "K-T4.2" }, { "Corollary E.2", "K-E2" }, { "cor e.2", "K-E2" }, { "E2", "K-E2" }, { "A-slice", "K-A-slice" },
        { "Lemma A.1", "K-LA.1" }, { "LC.1", "K-C1" }, { "N8", "N8" }, { "n8", "N8" }, { "B-T2", "B-T2" }, { "b-14", "B-14" },
        { "Bermeitinger Eq 9", "B-12" }, { "002 Equation 5", "B-4" }, { "Remark 8", "K-E1-R8" } };
    claim_index x = claims_index(NULL);
    for (size_t k = 0; k < COUNT(names); k++) {
        long *at;
        const long n = claims_called(&x, names[k].name, &at);
        ck_assert_msg(n == 1 && strcmp(x.at[at[0]].id, names[k].id) == 0, "%s: %ld, %s", names[k].name, n, n ? x.at[at[0]].id : "");
        ck_assert_str_eq(claim_called(&x, names[k].name)->id, names[k].id);
        free(at);
    }
    index_free(&x);
}
END_TEST

/* Every id, its program, and each alone are names of their own claim. */
START_TEST(every_id)
{
    claim_index x = claims_index(NULL);
    for (long k = 0; k < x.n; k++) {
        const claim_entry *e = &x.at[k];
        ck_assert_ptr_eq(claim_called(&x, e->id), e);
        if (e->program[0]) ck_assert_ptr_eq(claim_called(&x, e->program), e);
        if (strncmp(e->id, "K-", 2) == 0 && strcmp(e->id, "K-T2-001") != 0) ck_assert_ptr_eq(claim_called(&x, e->id + 2), e);
    }
    index_free(&x);
}
END_TEST

START_TEST(no_claim_or_several)
{
    static const struct { const char *name; long n; } names[] = {
        { "Theorem 4.2", 3 }, { "Theorem E.1", 2 }, { "Thm 8.3", 4 }, { "v1 Thm 8.3", 3 }, { "Table 1", 3 }, { "001 Table 1", 1 },
        { "", 0 }, { "K-", 0 }, { "nonsense", 0 }, { "Theorem 99", 0 }, { "v9 Theorem 4.4", 0 }, { "v1 Theorem 4.4", 0 },
        { "Theorem", 0 }, { "Lemma 4.4", 0 }, { "Theorem 4.4 4.4", 0 }, { "K-T4.44", 0 }, { "4", 2 } };
    claim_index x = claims_index(NULL);
    for (size_t k = 0; k < COUNT(names); k++) {
        long *at;
        const long n = claims_called(&x, names[k].name, &at);
        if (strcmp(names[k].name, "4") == 0) ck_assert_int_ge(n, names[k].n);
        else ck_assert_msg(n == names[k].n, "%s: %ld, not %ld", names[k].name, n, names[k].n);
        free(at);
    }
    index_free(&x);
}
END_TEST

static void call(void *name)
{
    claim_index x = claims_index(NULL);
    claim_called(&x, name);
}

START_TEST(what_is_meant)
{
    static const struct { char name[24]; const char *says, *also; } names[] = {
        { "Theorem 4.2", "`Theorem 4.2` may be one of 3 claims; give its id:\n", "K-T4.3         Thm 4.2 (first), Thm 4.3 (middle, latest): " },
        { "K-T4.5", "no claim is called `K-T4.5`; near are ", "K-T4.4 (attention-skip-only elimination in all layers)" },
        { "Theorem 4.5", "no claim is called `Theorem 4.5`; near are ", "K-T4.4 (" },
        { "free lunch", "near are K-T4.2 (single-layer free lunch); `provably list` shows all\n", "" },
        { "K-A-silce", "near are K-A-slice (slice operator indices)", "" },
        { "xyzzyplugh", "no claim is called `xyzzyplugh`; `provably list` shows all\n", "" } };
    char output[4096];
    for (size_t k = 0; k < COUNT(names); k++) {
        char name[24];
        strcpy(name, names[k].name);
        ck_assert_int_eq(run_child(call, name, output, sizeof output), 2);
        has(output, names[k].says);
        has(output, names[k].also);
    }
}
END_TEST

START_TEST(distances)
{
    static const struct { const char *a, *b; long is; } pairs[] = {
        { "", "", 0 }, { "a", "", 1 }, { "", "ab", 2 }, { "list", "LIST", 0 }, { "lsit", "list", 1 }, { "lst", "list", 1 },
        { "lists", "list", 1 }, { "kitten", "sitting", 3 }, { "report", "train", 6 } };
    static const char *const words[] = { "list", "run", "report", "train", "train-vision" };
    for (size_t k = 0; k < COUNT(pairs); k++) ck_assert_int_eq(word_distance(pairs[k].a, pairs[k].b), pairs[k].is);
    ck_assert_str_eq(nearest_word("reprot", words, COUNT(words)), "report");
    ck_assert_str_eq(nearest_word("rn", words, COUNT(words)), "run");
    ck_assert_str_eq(nearest_word("train-vison", words, COUNT(words)), "train-vision");
    ck_assert_str_eq(nearest_word("train", (const char *const[]){ "train", "trains" }, 2), "train");
    ck_assert_ptr_null(nearest_word("dance", words, COUNT(words)));
    ck_assert_ptr_null(nearest_word("x", words, COUNT(words)));
    char *hint = nearest_hint("lits", words, COUNT(words));
    ck_assert_str_eq(hint, "; did you mean `list`?");
    free(hint);
}
END_TEST

/* ---- a screen ---------------------------------------------------------------------------------------------- */

static char *wrapped(int width, const char *first, const char *text, int indent, const char *tail)
{
    size_t n;
    char *path = temp_path(temp_folder(), "wrapped");
    FILE *f = fopen(path, "w");
    screen_wrapped(f, width, first, text, indent, tail);
    fclose(f);
    return temp_read(NULL, path, &n);
}

START_TEST(words_are_wrapped)
{
    ck_assert_str_eq(wrapped(20, "a ", "one two three four five", 4, ""), "a one two three four\n    five\n");
    ck_assert_str_eq(wrapped(10, "", "one  two  three", 0, ""), "one  two\nthree\n");
    ck_assert_str_eq(wrapped(10, "", "a much-longer-word b", 2, ""), "a\n  much-longer-word\n  b\n");
    ck_assert_str_eq(wrapped(10, "", "x" NO_BREAK "= 12" NO_BREAK "3 4", 0, ""), "x = 12 3 4\n");
    ck_assert_str_eq(wrapped(9, "", "x" NO_BREAK "= 12" NO_BREAK "3 4", 0, ""), "x = 12 3\n4\n");
    ck_assert_str_eq(wrapped(8, "", "un deux trois", 2, " \\"), "un \\\n  deux \\\n  trois\n");
    ck_assert_str_eq(wrapped(12, "", "ééééé ééééé é", 0, ""), "ééééé ééééé\né\n");
    ck_assert_str_eq(wrapped(12, "\033[1mab\033[0m ", "one two three", 3, ""), "\033[1mab\033[0m one two\n   three\n");
    ck_assert_str_eq(wrapped(20, "", "one\ntwo three", 2, ""), "one\n  two three\n");
}
END_TEST

/* What a child with these variables, whose output is a terminal of so many columns or (0) a pipe, finds. */
static char *screen_seen(int columns, const char *term, const char *no_color, const char *width, colour_choice colour)
{
    struct winsize size = { .ws_row = 24, .ws_col = (unsigned short)columns };
    int from, ends[2];
    char text[64] = "";
    fflush(NULL);
    const pid_t child = columns ? forkpty(&from, NULL, NULL, &size) : (pipe(ends) == 0 ? fork() : -1);
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (!columns) dup2(ends[1], 1);
        term ? setenv("TERM", term, 1) : unsetenv("TERM");
        no_color ? setenv("NO_COLOR", no_color, 1) : unsetenv("NO_COLOR");
        width ? setenv("COLUMNS", width, 1) : unsetenv("COLUMNS");
        const screen s = screen_of(stdout, 0, colour);
        printf("%d %d", s.width, s.colour);
        fflush(stdout);
        _exit(0);
    }
    if (!columns) { from = ends[0]; close(ends[1]); }
    size_t n = 0;
    for (ssize_t got; n < sizeof text - 1 && (got = read(from, text + n, sizeof text - 1 - n)) > 0; ) n += (size_t)got;
    close(from);
    return temp_format("%s", text);
}

START_TEST(screens)
{
    ck_assert_str_eq(screen_seen(57, "xterm", NULL, NULL, COLOUR_AUTO), "57 1");
    ck_assert_str_eq(screen_seen(57, "xterm", "", "80", COLOUR_AUTO), "57 1");
    ck_assert_str_eq(screen_seen(57, "xterm", "1", NULL, COLOUR_AUTO), "57 0");
    ck_assert_str_eq(screen_seen(57, "dumb", NULL, NULL, COLOUR_AUTO), "57 0");
    ck_assert_str_eq(screen_seen(57, NULL, NULL, NULL, COLOUR_AUTO), "57 0");
    ck_assert_str_eq(screen_seen(57, "xterm", NULL, NULL, COLOUR_NEVER), "57 0");
    ck_assert_str_eq(screen_seen(20, "xterm", NULL, NULL, COLOUR_AUTO), "40 1");
    ck_assert_str_eq(screen_seen(0, "xterm", NULL, NULL, COLOUR_AUTO), "100 0");
    ck_assert_str_eq(screen_seen(0, "xterm", NULL, "133", COLOUR_AUTO), "133 0");
    ck_assert_str_eq(screen_seen(0, "xterm", NULL, "wide", COLOUR_AUTO), "100 0");
    ck_assert_str_eq(screen_seen(0, "xterm", "1", NULL, COLOUR_ALWAYS), "100 1");
}
END_TEST

/* ---- words ------------------------------------------------------------------------------------------------- */

static void says(char *text, const char *is)
{
    ck_assert_str_eq(text, is);
    free(text);
}

/* A part of finitely many cases prints no sizes and no trials: they would be those of numbers that no draw changes. */
START_TEST(finite_cases_have_no_sizes)
{
    row r = evidence_row_blank();
    evidence_row_name(&r, "K-X", "as-stated", PART_IDENTITY, "claim");
    r.shape = evidence_sizes("n=3 d=4 h=2 L=2");
    r.over = A_Q;
    r.verdict = HOLDS;
    claim_record c = { .own = { .at = &r, .n = 1 }, .v = { .as_stated = V_PROVED, .parts = 1 } };
    part_verdict *p = &c.v.part[0];
    *p = (part_verdict){ .name = "as-stated", .is = V_PROVED, .by = E_EXACT, .over = A_Q, .by_arith[A_Q].holds = 9 };
    for (int finite = 0; finite < 2; finite++) {
        char **lines;
        p->finite = finite;
        const long n = tried_lines(&c, false, &lines);
        ck_assert_int_eq(n, !finite);
        if (n) says(lines[0], "tried over the rationals at n = 3, d = 4, h = 2, L = 2: 1 shape, 1 decided trial");
        free(lines);
        says(arithmetics_in_words(&c, false), finite ? "" : "Over the rationals all 9 trials agree.");
    }
    char **lines;
    p->finite = false;
    r.shape = evidence_sizes("n=1 d=1 h=1 m=1 V=2 L=1");                        /* a recount */
    ck_assert_int_eq(tried_lines(&c, false, &lines), 0);
    free(lines);
}
END_TEST

/* Parts that one theorem proves are named together, and what the kernel says of all of them once. */
START_TEST(parts_of_one_theorem)
{
    static formal_theorem t[] = {
        { .theorem = "whole", .file = "theorems/k_x.v", .axioms = "none", .quantifiers = "all" },
        { .theorem = "one", .file = "theorems/k_x.v", .axioms = "none", .quantifiers = "any biases" },
        { .theorem = "other", .file = "theorems/k_x.v", .axioms = "choice", .quantifiers = "any C" },
        { .theorem = "one", .file = "theorems/k_x.v", .axioms = "none", .quantifiers = "any gates" } };
    static const char *const name[] = { "as-stated", "biases", "rectangular", "gates" };
    claim_record c = { .v = { .as_stated = V_PROVED, .parts = COUNT(t) } };
    for (size_t k = 0; k < COUNT(t); k++) {
        c.v.part[k] = (part_verdict){ .is = V_PROVED, .by = E_FORMAL, .theorem = &t[k] };
        cell_copy(c.v.part[k].name, sizeof c.v.part[k].name, name[k]);
    }
    says(evidence_in_words(&c, &c.v.part[0]), "By theorem whole of theorems/k_x.v, which Coq's kernel accepts without axioms.  "
         "The parts biases, gates: by theorem one of theorems/k_x.v.  The part rectangular: by theorem other of "
         "theorems/k_x.v, which Coq's kernel accepts with the axioms choice.");
}
END_TEST

START_TEST(words)
{
    part_verdict p = { .is = V_SUPPORTED, .by = E_VERIFIED, .log2 = -69.4, .basis = "witness", .scope = { .trials = 9 } };
    for (int v = V_NONE + 1; v < VERDICTS; v++) {
        char *text = verdict_in_words((verdict)v, E_EXACT, NULL);
        ck_assert_msg(strlen(text) > 10 && text[strlen(text) - 1] == '.', "%s: %s", verdict_word((verdict)v), text);
        free(text);
    }
    says(verdict_in_words(V_PROVED, E_DERIVED, &p), "True: a checked proof covers the whole statement.");
    says(verdict_in_words(V_PROVED, E_EXACT, &p), "True: it speaks of finitely many cases, and each of them was decided.");
    snprintf(p.missing, sizeof p.missing, "by proof, unchecked: $W_Q$ again");
    cell_copy(p.by_proof, sizeof p.by_proof, "$W_Q$ again");
    says(verdict_in_words(V_SUPPORTED, E_EXACT, &p), "Every exact test agrees, but there is no checked proof of the whole "
         "statement: one step has a proof that no program checks, W_Q again.");
    says(evidence_in_words(&(claim_record){ .entry = NULL }, &p), "Decided modulo random primes, at random weights and the sizes "
         "that were tried; the chance of an error is at most 2^-69.");
    p.by = E_EXACT;
    cell_copy(p.basis, sizeof p.basis, "witness: by hand");
    says(evidence_in_words(&(claim_record){ .entry = NULL }, &p),
         "Decided exactly, over the rationals, at 9 drawn instances (by hand); others are not covered.");
    cell_copy(p.basis, sizeof p.basis, "recount");
    says(evidence_in_words(&(claim_record){ .entry = NULL }, &p), "The printed numbers were counted again, exactly, over the rationals; "
         "what the sentence says beside them is not covered.");
    says(scope_in_words(&p), "the numbers that were counted again");
    cell_copy(p.basis, sizeof p.basis, "witness: by hand");
    p.finite = true;
    says(evidence_in_words(&(claim_record){ .entry = NULL }, &p), "Every case was decided exactly, over the rationals (by hand).");
    p.scope.witness = true;
    says(evidence_in_words(&(claim_record){ .entry = NULL }, &p), "By an exact witness (by hand).");
    says(scope_in_words(&p), "one instance is enough");
    p.scope = (evidence_scope){ .heads = 0x8b, .depth = -1, .sizes = true };
    p.finite = false;
    says(scope_in_words(&p), "every size and every depth, with 1 to 2 and 4 and 8 heads");
    p.scope.depth = 2;
    p.scope.heads = 1;
    says(scope_in_words(&p), "every size, with 2 layers, with 1 head");
    p.scope = (evidence_scope){ .trials = 1 };
    says(scope_in_words(&p), "the 1 instance that was tried");
    says(papers_in_words("Section 3 of 003 and of 000; 001, 1,000 and 002; 0031 k003"),
         "Section 3 of the middle version and of the latest version; the first version, 1,000 and Bermeitinger et al.; 0031 k003");
    says(papers_in_words("$32{,}000$ and 3{,}000"), "$32{,}000$ and 3{,}000");
    says(place_in_words("Thm 4.4"), "Theorem 4.4");
    says(place_in_words("5.1"), "Section 5.1");
    says(place_in_words("Table 2"), "Table 2");
    says(breaks_in_words(&(claim_record){ .v = { .controls = 5, .refuted = 4 } }),
         "Of 5 variants with a deliberate error only 4 were caught.");
}
END_TEST

/* ---- one claim --------------------------------------------------------------------------------------------- */

typedef struct { report_options o; const char *name; show_form form; } asked;

static void show(void *with)
{
    const asked *a = with;
    if (chdir(folder) != 0) _exit(99);
    const int status = show_claim(&a->o, a->name, a->form);
    fflush(stdout);
    _exit(status);
}

/* What is shown to somebody in the folder of the evidence. */
static char *shown(const char *name, report_options o, show_form form, int status)
{
    static char output[1 << 16];
    o.index = list;
    asked a = { o, name, form };
    const int is = run_child(show, &a, output, sizeof output);
    ck_assert_msg(is == status, "%s: %d, %s", name, is, output);
    return output;
}

static report_options here(int width) { return (report_options){ .evidence = "evidence", .width = width, .program = "bin/provably" }; }

START_TEST(on_one_screen)
{
    static const int widths[] = { 80, 100, 140 };
    static const char *const pieces[] = {                              /* in this order */
        "K-A-slice SLIP slice operator indices Verdict SLIP. A slip (a misprint, a miscount or a wrong reference), which its context corrects; the corrected form is stated below. Why From ad_k to (a+1)d_k are d_k+1 entries",
        " Wrong m = ad_k, p = (a+1)d_k, 0 < a < h: the ", " Corrected PROVED. True: a checked proof covers the whole statement. m = (a-1)d_k+1",
        " Where Karbevski & Mijoski, arXiv:2510.23912: Appendix A (middle), Section 8.1 (latest) ",
        "As printed middle version, Appendix A: \"Let m, p be two integers such that 0 < m < p <= d_model, and ",
        "For head i we write P_i = P_([(i-1) x d_k + 1, i x d_k]).\" also printed in: latest version, Section 8.1 Construction P_([m,p]) has the unit vectors m, ..., p as columns ",
        " How we know The fault: by an exact witness (finite exact check of all slices). The corrected statement: by a symbolic derivation, written down as a certificate and checked by proofcheck, ", "; over the rationals all 3 trials agree. ",
        " Both variants with a deliberate error were caught. Hypotheses h >= 2, d_k >= 2 ",
        (" Holds for tried over the rationals at n = 3, d = 4-6, h = 2-3, L = 1: 3 shapes, 3 decided trials "
         "the corrected statement: every size, with 2 to 4 heads; tried modulo random primes at n = 3"),
        " Do it again bin/provably run K-A-slice More bin/provably show K-A-slice --long" };
    for (size_t k = 0; k < COUNT(widths); k++) {
        const char *text = shown("a-slice", here(widths[k]), SHOW_SHORT, 0);
        long lines = 0;
        follow(text, pieces, COUNT(pieces));
        for (const char *p = text; *p; p += *p == '\n') {
            char *line = temp_format("%.*s", (int)strcspn(p, "\n"), p);
            ck_assert_msg(screen_length(line) <= widths[k], "longer than %d: %s", widths[k], line);
            p += strlen(line);
            lines++;
        }
        ck_assert_msg(lines <= 43, "%ld lines at %d columns", lines, widths[k]);
        lacks(text, "\033");
        lacks(text, "$");
        lacks(text, "Warning");
        lacks(text, "Certificates ");
    }
}
END_TEST

/* On request: the other versions, whole, the certificates, the program, and what is to be trusted. */
START_TEST(the_long_form)
{
    static const char *const pieces[] = {
        " Do it again bin/provably run K-A-slice Also printed latest version, Section 8.1 (our copy lacks most formulas): \"Let be two integers",
        "For the head we will write .\" Certificates 10, all accepted in the last run; ",
        " bin/proofcheck certificates/k_a_slice/K-A-slice-as-stated-outside.cert Program theorems/k_a_slice.c; run at commit ",
        " How sure as sure as our program for the construction" };
    const char *text = shown("a-slice", here(100), SHOW_LONG, 0);
    follow(text, pieces, COUNT(pieces));
    lacks(text, "--long");
}
END_TEST

/* What the program itself prints, beside the claims' programs, which describe themselves. */
static char *printed(const char *name, const char *options)
{
    static char output[1 << 16];
    const int status = run_command(output, sizeof output, "'%s/provably' show '%s' --evidence=nothing-here --width=100 %s", build_folder(), name, options);
    ck_assert_msg(status == 0, "%s: %d, %s", name, status, output);
    return output;
}

/* What README says of them is there: the network by hand; the sentence of findings.csv that cites the claim. */
START_TEST(answers_and_reasons)
{
    static const char *const refuted[] = { "Verdict REFUTED.", " Why ReLU(y) - ReLU(-y) = y, ",
        "By hand, h = 2, m = 8, Z = 0: let W_1 have the rows (1,0), (0,1), ", "determinant -28.",
        " In short A ReLU MLP absorbs its skip connection exactly",
        " Corollary E.2 is false as worded, and true, for MLPs of the same width, if Z' is fixed before the weights. Wrong ", " As printed ", " Construction W_1' = (I - 2 Pi_J)W_1", " Do it again " };
    follow(printed("K-E2", ""), refuted, COUNT(refuted));
    static const char *const proved[] = { " Why Block i sends X Theta_i to B_i(X)Theta_(i+1); ",
        " In short Where skips go around attention only and there is no norm", " Construction Theta_i = W_Q^i: E~ = E Theta_1" };
    follow(printed("Theorem 4.4", ""), proved, COUNT(proved));
    lacks(shown("K-A-slice", here(100), SHOW_SHORT, 0), "In short");                        /* no sentence cites it */
}
END_TEST

/* What is right of a sentence apart from what is wrong; what only illustrates comes last, and decides nothing; a clause
 * that is judged alone is named. */
START_TEST(right_wrong_and_beside)
{
    static const char *const two_sided[] = { "B-33 SLIP", " Right MNIST: symmetric about 25%", " Wrong collapsed is not about 33%",
        " Corrected PROVED. ", "MNIST, collapsed without MLP: 25.3%", " Where " };
    follow(printed("B-33", ""), two_sided, COUNT(two_sided));
    static const char *const beside[] = { "B-23 PROVED", " Why ", " What is true a mirrored W_QK makes the similarity symmetric",
        " Also PROVED. ", " Beside it W_QK = diag(1, -1) is mirrored", " Where " };
    follow(printed("B-23", ""), beside, COUNT(beside));
    static const char *const meant[] = { "B-16 PROVED", " Verdict PROVED. As it is meant (see below); ", " Why ",
        " What is true without biases, W_V = W_O = I: ", " Beside it without biases a token", " Where " };
    follow(printed("B-16", ""), meant, COUNT(meant));
    lacks(printed("B-16", ""), "Corrected");
    lacks(printed("B-23", ""), "As it is meant");
    static const char *const clause[] = { " As printed ", " matches the full 124M baseline despite 8% fewer", " Judged only \"reducing ",
        ", \"despite 8% fewer non-embedding parameters\"", "; the rest is quoted for its context" };
    follow(printed("K-N-percent", ""), clause, COUNT(clause));
    lacks(printed("B-23", ""), " Judged ");
    has_words(printed("K-S5-stable", ""), "Runs validation loss: the full model at decay 2^-5 minus the same at 0.1, d = 128: "
              "0.0026 [0.0013, 0.0040], 6 seeds validation loss: the full model at decay 2^-5 minus the same at 0.1, d = 192: ");
    lacks(printed("B-23", ""), "decay");
}
END_TEST

/* Of no claim is LaTeX left: no backslash, no dollar, no name of a command that sets type. */
START_TEST(no_latex_is_left)
{
    static const char *const left[] = { "\\", "$", "mathrm", "mathbb", "mathbf", "mathcal", "operatorname", "frac{", "widetilde",
        "widehat", "begin{", "pmatrix", "textbf", "varepsilon", "ldots", "cdot", "boxtimes", "bmod", "qquad", "emptyset", "{," };
    claim_index x = claims_index(NULL);
    long reasons = 0;
    ck_assert_int_ge(x.n, 159);
    for (long k = 0; k < x.n; k++) {
        const char *text = printed(x.at[k].id, "--long");
        for (size_t i = 0; i < COUNT(left); i++) lacks(text, left[i]);
        reasons += strstr(text, "\nWhy  ") != NULL;
    }
    ck_assert_int_ge(reasons, 150);
    index_free(&x);
}
END_TEST

static void typed(const char *latex, const char *is)
{
    char *text = latex_as_text(latex);
    ck_assert_str_eq(text, is);
    free(text);
}

START_TEST(latex_as_it_is_typed)
{
    typed("$\\begin{pmatrix}1&0\\\\0&-1\\end{pmatrix}x$, a & b", "(1, 0; 0, -1)x, a & b");
    typed("$\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}$", "[ a ,  b ;  c ,  d ]");
    typed("$\\begin{array}{cc}1&2\\end{array}$", "(1, 2)");
    typed("one\\\\two", "one two");
    typed("$\\tfrac{1}{2}\\|x\\|$, $A \\subseteq B$, $\\overline{W}$", "1/2||x||, A within B, W^");
    typed("$\\{a\\}$, 5\\%", "{a}, 5%");
    typed("``almost all'' of $f''$ on $\\mathbb R^d$, $h\\mathbf 1$", "\"almost all\" of f'' on R^d, h 1");
}
END_TEST

START_TEST(in_colour)
{
    report_options o = here(80);
    o.colour = COLOUR_ALWAYS;
    const char *text = shown("K-A-slice", o, SHOW_SHORT, 0);
    has(text, "\033[1mK-A-slice\033[0m  \033[33mSLIP\033[0m  slice operator indices\n");
    has(text, "\033[1mVerdict       \033[0mSLIP.");
}
END_TEST

static json_t *parsed(const char *text)
{
    json_error_t wrong;
    json_t *all = json_loads(text, 0, &wrong);
    ck_assert_msg(all != NULL, "line %d: %s in %s", wrong.line, wrong.text, text);
    return all;
}

static const char *at(json_t *all, const char *group, const char *key)
{
    const char *text = json_string_value(json_object_get(json_object_get(all, group), key));
    return text ? text : "";
}

/* The cell of a column in the row of the claim. */
static char *cell_of(const char *file, const char *id, const char *column)
{
    char *text = temp_read(NULL, file, NULL), *header = temp_format("%.*s", (int)strcspn(text, "\n"), text), *save = NULL, *is = NULL;
    long wanted = -1, k = 0;
    csv_file c = csv_open(file, header, "");
    for (char *name = strtok_r(header, ",", &save); name; name = strtok_r(NULL, ",", &save), k++)
        if (strcmp(name, column) == 0) wanted = k;
    ck_assert_msg(wanted >= 0, "no column %s", column);
    while (csv_next(&c)) if (strcmp(c.cell[0], id) == 0) is = temp_format("%s", c.cell[wanted]);
    csv_close(&c);
    ck_assert_msg(is != NULL, "no row %s", id);
    return is;
}

START_TEST(as_json)
{
    json_t *all = parsed(shown("A-slice", here(0), SHOW_JSON, 0));
    char *out = temp_folder(), *summary = temp_path(out, "summary.csv");
    run_command(NULL, 0, "'%s/provably' report --evidence='%s/evidence' --index='%s' --out='%s' --quiet", build_folder(), folder, list, out);
    ck_assert_int_eq(json_integer_value(json_object_get(all, "schema")), SHOW_SCHEMA);
    ck_assert_str_eq(json_string_value(json_object_get(all, "id")), "K-A-slice");
    ck_assert_str_eq(at(all, "as_stated", "verdict"), cell_of(summary, "K-A-slice", "as_stated"));
    ck_assert_str_eq(at(all, "as_stated", "verdict"), "SLIP");
    ck_assert_str_eq(at(all, "as_stated", "evidence"), cell_of(summary, "K-A-slice", "evidence"));
    ck_assert_str_eq(at(all, "as_stated", "scope"), cell_of(summary, "K-A-slice", "scope"));
    ck_assert_str_eq(at(all, "corrected", "verdict"), cell_of(summary, "K-A-slice", "corrected"));
    ck_assert_str_eq(at(all, "corrected", "evidence"), cell_of(summary, "K-A-slice", "corrected_evidence"));
    ck_assert_str_eq(at(all, "corrected", "evidence"), "derived");
    ck_assert_int_eq(json_integer_value(json_object_get(all, "breaks_caught")), atol(cell_of(summary, "K-A-slice", "controls_refuted")));
    ck_assert_int_eq(json_integer_value(json_object_get(all, "breaks")), 2);
    ck_assert(json_is_true(json_object_get(all, "run_here")));
    ck_assert_int_eq((int)json_array_size(json_object_get(all, "parts")), 2);
    ck_assert_int_eq((int)json_array_size(json_object_get(all, "certificates")), atoi(cell_of(summary, "K-A-slice", "certificates")));
    ck_assert_int_eq((int)json_array_size(json_object_get(all, "quoted")), 2);
    const char *quote = json_string_value(json_object_get(json_array_get(json_object_get(all, "quoted"), 1), "text"));
    has(quote, "For the head we will write");                                          /* whole, though the screen cuts it */
    has(json_string_value(json_array_get(json_object_get(json_object_get(all, "words"), "again"), 0)), "bin/provably run K-A-slice");
    json_decref(all);
}
END_TEST

/* Without evidence the agreed verdict is shown, and nothing is claimed to have been run. */
START_TEST(not_run_here)
{
    report_options o = here(140);
    o.evidence = "nothing-here";
    const char *text = shown("K-A-slice", o, SHOW_SHORT, 0);
    has(text, "K-A-slice  SLIP  ");
    has(text, "Not run here  this is the verdict that was agreed on (verdicts.csv); `bin/provably run K-A-slice` decides it here");
    has_words(text, "by a symbolic derivation, a certificate of which proofcheck accepts.");
    lacks(text, "accepted in the last run");
    lacks(text, "commit");
    lacks(text, "Holds for");
    lacks(text, "variants");
    json_t *all = parsed(shown("K-A-slice", o, SHOW_JSON, 0));
    ck_assert(json_is_false(json_object_get(all, "run_here")));
    ck_assert_str_eq(at(all, "as_stated", "verdict"), "SLIP");
    ck_assert_str_eq(at(all, "corrected", "verdict"), "PROVED");
    ck_assert(json_is_null(json_object_get(all, "build")));
    json_decref(all);
}
END_TEST

/* Where a paper is named that does not say it. */
START_TEST(not_of_the_paper)
{
    static const char *const ours[] = { "B-28", "B-32", "K-X-bias", "K-X-encdec" };
    for (size_t k = 0; k < COUNT(ours); k++)
        has_words(shown(ours[k], here(80), SHOW_SHORT, 0), "Where a statement of this suite, not of the paper; about ");
    has_words(shown("B-14", here(80), SHOW_SHORT, 0), "Where Bermeitinger et al., arXiv:2410.13732: Equation 10");
}
END_TEST

START_TEST(waits_for_runs)
{
    const char *text = shown("K-T2-100k", here(80), SHOW_SHORT, 0);
    has(text, "K-T2-100k  PENDING  ");
    has(text, "Not decided: only training runs can");
    has(text, "Do it again   bin/provably reproduce gpt-100k --data=DIR\n");
    lacks(text, "Holds for");
    has(text, " printed rows has been run at the papers' own");
    lacks(text, "Not run here");
    static const char *const claim[][2] = { { "K-T2-60k", "PENDING" }, { "B-T2", "MEASURED" } };
    for (size_t k = 0; k < COUNT(claim); k++) {
        json_t *all = parsed(shown(claim[k][0], here(0), SHOW_JSON, 0));
        ck_assert_str_eq(at(all, "as_stated", "verdict"), claim[k][1]);
        ck_assert(json_is_null(json_object_get(all, "corrected")));
        json_decref(all);
    }
    has(shown("B-T2", here(80), SHOW_SHORT, 0), "Holds for     the sizes at which runs are recorded\n");
}
END_TEST

/* A verdict that is not the agreed one is shown with a warning. */
START_TEST(not_as_agreed)
{
    char *other = temp_folder(), *index = temp_path(other, "claims.csv");
    ck_assert_int_eq(run_command(NULL, 0, "cp '%s' '%s' && sed 's/^K-A-slice,SLIP/K-A-slice,REFUTED/' '%.*s/verdicts.csv' >'%s/verdicts.csv'",
                                 list, other, (int)(strrchr(list, '/') - list), list, other), 0);
    ck_assert_int_eq(run_command(NULL, 0, "cd '%s' && mkdir -p src/formal theorems && cp '%.*s/../theorems/k_a_slice.c' theorems "
                                 "&& sed -n '1p; /^K-A-slice,/p' '%.*s/body_read.csv' > body_read.csv", other,
                                 (int)(strrchr(list, '/') - list), list, (int)(strrchr(list, '/') - list), list), 0);
    char *before = list;
    list = index;
    const char *text = shown("K-A-slice", here(100), SHOW_SHORT, 0);
    list = before;
    has(text, "Warning       K-A-slice, as stated: SLIP exact, but REFUTED exact was agreed");
}
END_TEST

START_TEST(bad_evidence)
{
    char *bad = temp_folder();
    temp_text(bad, "k_a_slice.csv", "nonsense\n");
    report_options o = here(80);
    o.evidence = bad;
    has(shown("K-A-slice", o, SHOW_SHORT, 2), "k_a_slice.csv");
}
END_TEST

static void make_evidence(void)
{
    folder = temp_folder();
    list = realpath("reports/claims.csv", NULL);
    ck_assert_ptr_nonnull(list);
    char output[2048];
    const int status = run_command(output, sizeof output,
        "B=$(realpath '%s') && cd '%s' && mkdir evidence certificates certificates/k_a_slice && T=$B/theorems/k_a_slice && "
        "$T --out=evidence/k_a_slice.csv --scale=quick >log && $T --describe >evidence/k_a_slice.meta && "
        "$T --certificates=certificates/k_a_slice >log && "
        "$B/proofcheck certificates/k_a_slice/*.cert >evidence/k_a_slice.accepted", build_folder(), folder);
    ck_assert_msg(status == 0, "%s", output);
    evidence_done_at(temp_path(temp_path(folder, "evidence"), "k_a_slice.accepted"));
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("show");
    TCase *all = tcase_create("names"), *one = tcase_create("claims");
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, one);
    tcase_set_timeout(all, 0);
    tcase_set_timeout(one, 0);
    tcase_add_test(all, one_claim);
    tcase_add_test(all, every_id);
    tcase_add_test(all, no_claim_or_several);
    tcase_add_test(all, what_is_meant);
    tcase_add_test(all, distances);
    tcase_add_test(all, words_are_wrapped);
    tcase_add_test(all, screens);
    tcase_add_test(all, words);
    tcase_add_test(all, finite_cases_have_no_sizes);
    tcase_add_test(all, parts_of_one_theorem);
    tcase_add_test(all, latex_as_it_is_typed);
    tcase_add_unchecked_fixture(one, make_evidence, NULL);
    tcase_add_test(one, on_one_screen);
    tcase_add_test(one, the_long_form);
    tcase_add_test(one, answers_and_reasons);
    tcase_add_test(one, right_wrong_and_beside);
    tcase_add_test(one, no_latex_is_left);
    tcase_add_test(one, in_colour);
    tcase_add_test(one, as_json);
    tcase_add_test(one, not_run_here);
    tcase_add_test(one, waits_for_runs);
    tcase_add_test(one, not_of_the_paper);
    tcase_add_test(one, not_as_agreed);
    tcase_add_test(one, bad_evidence);
    return run_suite(suite, argc, argv);
}
