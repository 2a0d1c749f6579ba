/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_quotes.c - every quotation stands in the paper that it names, word for word.
 *
 * The programs print what they quote (`--describe`); the texts of the papers are in the folder PAPERS, files 001_*.txt,
 * 003_*.txt, 000_*.txt and 002_*.txt.  Line breaks and runs of blanks count as one blank, on both sides; every other
 * character must be the same.  Where there is no such folder, the form alone is checked, and a line says so.        */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/judge/verdict.h"
#include "src/methods/counts/printed.h"
#include "src/report/document/latex_text.h"
#include "tests/support/files.h"
#include "tests/support/quoted.h"
#include "tests/support/suite.h"

static const claim_text *claims;
static size_t nclaims;

typedef void look_at_quotation(const claim_text *t, const quotation *q, char *texts[TEXTS]);

/* Calls look for every quotation of every program; returns how many there are. */
static long for_all(look_at_quotation *look, char *texts[TEXTS])
{
    long n = 0;
    for (size_t k = 0; k < nclaims; k++) {
        const claim_text *t = &claims[k];
        for (long i = 0; i < t->quotes; i++, n++) look(t, &t->quote[i], texts);
        for (long i = 0; i < t->standings; i++, n++) look(t, &t->standing[i], texts);
    }
    return n;
}

/* ---- form ---------------------------------------------------------------------------------------------------------- */

static long words(const char *text)
{
    long n = *text != '\0';
    for (; *text; text++) n += *text == ' ';
    return n;
}

/* What is wrong with the form of a quotation; NULL: nothing. */
static const char *misformed(const quotation *q)
{
    char *again = must_strdup(q->says);
    text_collapse(again);
    const bool collapsed = strcmp(again, q->says) == 0;
    free(again);
    if (!*q->place || isspace((unsigned char)*q->place)) return "no place";
    if (!collapsed) return "line breaks, or blanks side by side or at its ends";
    if (words(q->says) < 5) return "less than five words";
    if (strstr(q->says, "...") || strstr(q->says, "\u2026") || strstr(q->says, "[..]"))
        return "an ellipsis: make it two quotations";
    for (size_t length = 1, at = 0; q->says[at]; at += length, length = 1)
        if ((unsigned char)q->says[at] > 127 && !latex_sign(q->says + at, &length)) return "a sign that LaTeX cannot set";
    return NULL;
}

static void well_formed(const claim_text *t, const quotation *q, char *texts[TEXTS])
{
    (void)texts;
    ck_assert_msg(!misformed(q), "%s, %s %s, has %s: %s", t->id, papers[q->in].tag, q->place, misformed(q), q->says);
}

START_TEST(quotations_have_their_form)
{
    const long n = for_all(well_formed, NULL);
    ck_assert_int_gt(n, 0);
    printf("t_quotes: %ld quotations\n", n);
}
END_TEST

START_TEST(bad_form_is_seen)
{
    static const quotation good = { TEXT_003, "Section 3", "one two three \u201cfour\u201d five" }, bad[] = {
        { TEXT_003, "", "one two three four five" }, { TEXT_003, "Section 3", "one two three four" },
        { TEXT_003, "Section 3", "one two three ... four five" }, { TEXT_003, "Section 3", "one two three \u2026 four five" },
        { TEXT_003, "Section 3", "one  two three four five" }, { TEXT_003, "Section 3", "one two three four five " },
        { TEXT_003, "Section 3", "one two three\nfour five six" }, { TEXT_003, "Section 3", "one two three four \u0e42" },
        { TEXT_003, " ", "one two three four five" },
    };
    ck_assert_ptr_null(misformed(&good));
    for (size_t k = 0; k < COUNT(bad); k++) ck_assert_msg(misformed(&bad[k]) != NULL, "number %zu passes", k);
}
END_TEST

/* ---- word for word --------------------------------------------------------------------------------------------------- */

static void verbatim(const claim_text *t, const quotation *q, char *texts[TEXTS])
{
    ck_assert_msg(quoted_in(texts[q->in], q->says), "%s quotes what %s does not say (%s): %s", t->id, papers[q->in].tag,
                  q->place, q->says);
}

START_TEST(quotations_are_verbatim)
{
    char *texts[TEXTS];
    if (papers_read(texts)) for_all(verbatim, texts);
    else printf("t_quotes: the texts are not in %s, so only the form of quotations was checked\n", papers_folder());
}
END_TEST

/* Two words or more between `` and '' in the words of a claim are words of a paper, too. */
static void marked(const claim_text *t, const char *words_of_ours, char *texts[TEXTS])
{
    for (const char *p = words_of_ours; p && (p = strstr(p, "``")); ) {
        const char *end = strstr(p += 2, "''");
        ck_assert_msg(end != NULL, "%s: a quotation without an end: %s", t->id, p);
        char *says = temp_format("%.*s", (int)(end - p), p);
        bool found = words(says) < 2;
        for (int k = 0; k < TEXTS; k++) found |= quoted_in(texts[k], says);
        ck_assert_msg(found, "%s: no text says ``%s''", t->id, says);
    }
}

static void all_marked(const claim_text *t, char *texts[TEXTS])
{
    marked(t, t->hypotheses, texts);
    marked(t, t->construction, texts);
    marked(t, t->why, texts);
    for (long p = 0; p < t->parts; p++) {
        marked(t, t->part[p].statement, texts);
        marked(t, t->part[p].by_proof, texts);
        marked(t, t->part[p].why_without, texts);
    }
}

START_TEST(quotation_marks_are_kept)
{
    char *texts[TEXTS];
    if (papers_read(texts)) for (size_t k = 0; k < nclaims; k++) all_marked(&claims[k], texts);
}
END_TEST

/* `show` prints the statement of a part as what is shown: where recounted numbers are not the printed ones, or there are
 * none, it must not repeat the paper's sentence. */
static bool denies(const char *statement)
{
    static const char *const words_of_it[] = { "no", "not", "nor", "none", "neither", "lower", "larger", "ahead", "exception" };
    for (size_t k = 0; k < COUNT(words_of_it); k++) if (quoted_in(statement, words_of_it[k])) return true;
    return false;
}

START_TEST(a_fault_is_stated_as_one)
{
    long n = 0;
    for (size_t k = 0; k < nclaims; k++)
        for (const part_text *p = claims[k].part; p < claims[k].part + claims[k].parts; p++) {
            bool fault = strcmp(p->kind, "uncheckable") == 0;
            for (size_t i = 0; i < printed_count(); i++) {
                const printed_value *v = printed_at(i);
                fault |= printed_slips(v) && strcmp(v->claim, claims[k].id) == 0 && strcmp(v->part, p->name) == 0;
            }
            ck_assert_msg(!fault || denies(p->statement), "%s %s: %s", claims[k].id, p->name, p->statement);
            n += fault;
        }
    ck_assert_int_ge(n, 19);
    ck_assert(!denies("up to 90\\% are saved without hurting the classification performance"));
}
END_TEST

/* ---- why ---------------------------------------------------------------------------------------------------------- */

/* Does an explanation say that the printed sentence is right?  Anywhere in words that leave no doubt; at its beginning
 * in words that may also be of a part of it. */
static bool concedes(const char *why)
{
    static const char *const anywhere[] = { "true as printed", "as the sentence says", "as the text says", "as the texts say",
        "as they say", "the sentence stands", "conclusion stands", "conclusion carries over", "may stand as such" };
    static const char *const first[] = { "is right", "are right", "is true", "are true", " holds", " hold ", " hold.", "stands",
        "both are", "is reached", "carries over", "They do propose" };
    char *begins = temp_format("%.*s", (int)(strstr(why, ". ") ? strstr(why, ". ") + 1 - why : (long)strlen(why)), why);
    for (size_t k = 0; k < COUNT(anywhere); k++) if (strstr(why, anywhere[k])) return true;
    for (size_t k = 0; k < COUNT(first); k++) if (strstr(begins, first[k])) return true;
    return false;
}

/* Where the verdict finds a fault the explanation says which, and first; what is right of the sentence comes after. */
START_TEST(no_fault_is_conceded)
{
    ratchet last = ratchet_read("reports/verdicts.csv");
    long n = 0;
    for (size_t k = 0; k < nclaims; k++)
        for (long i = 0; i < last.n; i++) {
            const verdict is = last.at[i].is[0];
            if (strcmp(last.at[i].id, claims[k].id) != 0 || (is != V_CAVEAT && is != V_REFUTED)) continue;
            ck_assert_msg(!concedes(claims[k].why), "%s is %s, and its why begins: %.200s", claims[k].id, verdict_word(is),
                          claims[k].why);
            n++;
        }
    ck_assert_int_ge(n, 15);
    ratchet_free(&last);
    static const char *const seen[] = { "All 15 counts are right; one sentence rounds.", "The lines of the table hold.  The rest does not.",
        "It fails at $h = 1$.  Symmetry is reached either way, as the sentence says.", "The lemma is true as printed for every $A$." };
    for (size_t k = 0; k < COUNT(seen); k++) ck_assert_msg(concedes(seen[k]), "%s", seen[k]);
    ck_assert(!concedes("The router must be rewritten.  With that the statement is true."));
}
END_TEST

/* The index that people edit says of each claim what it came to, where it begins with the word of a verdict. */
START_TEST(the_index_expects_what_came_out)
{
    ratchet last = ratchet_read("reports/verdicts.csv");
    claim_index index = index_read("reports/claims.csv");
    long n = 0;
    for (long i = 0; i < last.n; i++) {
        const claim_entry *e = index_find(&index, last.at[i].id);
        char *word = temp_format("%.*s", (int)strcspn(e->expected, " ;:,("), e->expected);
        if (verdict_of_word(word) == V_NONE) continue;
        ck_assert_msg(verdict_of_word(word) == last.at[i].is[0], "%s: claims.csv expects %s, verdicts.csv has %s", e->id, word,
                      verdict_word(last.at[i].is[0]));
        n++;
    }
    ck_assert_int_ge(n, 140);
    index_free(&index);
    ratchet_free(&last);
}
END_TEST

/* Where ranks are decided at small sizes, the numbers at the size of a real model are those of a formula. */
START_TEST(numbers_beyond_the_ranks_are_a_formula_s)
{
    long n = 0;
    for (size_t k = 0; k < nclaims; k++) {
        bool ranks = false;
        for (long p = 0; p < claims[k].parts; p++)
            ranks |= claims[k].part[p].basis && strstr(claims[k].part[p].basis, "gauge tangents");
        for (long p = 0; ranks && p < claims[k].parts; p++) {
            const part_text *part = &claims[k].part[p];
            if (strcmp(part->about, "finite") != 0) continue;
            ck_assert_msg(strstr(part->statement, "formula"), "%s, %s: %s", claims[k].id, part->name, part->statement);
            n++;
        }
    }
    ck_assert_int_ge(n, 4);
}
END_TEST

START_TEST(one_letter_is_seen)
{
    char text[] = "  We\tremind the\n\n reader  that $W_Q$ is invertible. ", says[] = "the reader that $W_Q$ is invertible";
    text_collapse(text);
    ck_assert_str_eq(text, "We remind the reader that $W_Q$ is invertible.");
    ck_assert(quoted_in(text, says));
    ck_assert(!quoted_in(text, "remind the rea"));
    ck_assert(!quoted_in(text, "mind the reader"));
    for (char *p = says; *p; p++) {
        const char was = *p;
        *p = was == 'x' ? 'y' : 'x';
        ck_assert_msg(!quoted_in(text, says), "found: %s", says);
        *p = was;
    }
}
END_TEST

/* ---- names ------------------------------------------------------------------------------------------------------------ */

START_TEST(texts_have_names)
{
    static const char *const tags[TEXTS] = { "001", "003", "000", "002" };
    paper_text found = TEXT_002;
    for (int k = 0; k < TEXTS; k++) {
        ck_assert_str_eq(papers[k].tag, tags[k]);
        ck_assert(papers_find_tag(&found, tags[k]));
        ck_assert_int_eq(found, k);
    }
    ck_assert(!papers_find_tag(&found, "004"));
    ck_assert_int_eq(found, TEXT_002);
}
END_TEST

/* The notes on a copy are true: where formulas are lost no dollar is left. */
START_TEST(lost_formulas_are_lost)
{
    char *texts[TEXTS];
    if (papers_read(texts))
        for (int k = 0; k < TEXTS; k++) ck_assert_int_eq(strchr(texts[k], '$') == NULL, papers[k].formulas_lost);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("quotes");
    TCase *c = tcase_create("quotes");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, quotations_have_their_form);
    tcase_add_test(c, bad_form_is_seen);
    tcase_add_test(c, quotations_are_verbatim);
    tcase_add_test(c, quotation_marks_are_kept);
    tcase_add_test(c, a_fault_is_stated_as_one);
    tcase_add_test(c, no_fault_is_conceded);
    tcase_add_test(c, the_index_expects_what_came_out);
    tcase_add_test(c, numbers_beyond_the_ranks_are_a_formula_s);
    tcase_add_test(c, one_letter_is_seen);
    tcase_add_test(c, texts_have_names);
    tcase_add_test(c, lost_formulas_are_lost);
    suite_add_tcase(suite, c);
    claims = described_claims(&nclaims);
    const int status = run_suite(suite, argc, argv);
    described_forget();
    return status;
}
