/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_sentences.c - every sentence of the four texts is quoted, declared to hold nothing to check, or listed as open.
 *
 * reports/sentences.csv has a line for each sentence that no program quotes: text, line, SHA-256 of the sentence, and
 * why it needs no claim, in one of the words below; `note` names the claim that decides it, or says what is open.  The
 * sentences themselves are the authors' and are not in the list.  reports/sentences_totals.csv has the totals.  Where
 * the texts are (PAPERS), list and texts must agree; elsewhere form and totals are checked.
 *
 * `t_sentences list` prints what is open or new with the sentences, `t_sentences list all` what is declared, too.  */
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/claim/judge/verdict.h"
#include "tests/support/files.h"
#include "tests/support/quoted.h"
#include "tests/support/sentences.h"
#include "tests/support/suite.h"

/* Why a sentence needs no claim. */
static const struct { const char *word, *means; bool names_claims; } reasons[] = {
    { "heading",    "a heading, a caption, a name or a label",                                             false },
    { "definition", "notation, a definition, an assumption or the setting of a statement",                 false },
    { "motivation", "aim, plan of the text, opinion, outlook, thanks",                                     false },
    { "citation",   "what other work is, did or found",                                                    false },
    { "method",     "how an experiment was set up",                                                        false },
    { "restated",   "says again, more loosely or in another version, what the claims of the note quote",   true  },
    { "proof",      "a step in the proof of the claims of the note",                                       true  },
    { "figure",     "a figure, or a reading of figures, that the claims of the note recount or run again", true  },
    { "open",       "to be checked: no claim decides it, and the note says what one could decide",         false },
};

typedef struct { paper_text in; long line; char sha256[SHA256_HEX]; size_t why; char note[512]; bool used; } declared;

static size_t reason_of(const char *word)
{
    size_t k = 0;
    while (k < COUNT(reasons) && strcmp(reasons[k].word, word) != 0) k++;
    return k;
}

static bool is_open(const declared *d) { return strcmp(reasons[d->why].word, "open") == 0; }

static bool is_hash(const char *text)
{
    return strlen(text) == SHA256_HEX - 1 && strspn(text, "0123456789abcdef") == SHA256_HEX - 1;
}

/* The list; *n: how many lines. */
static declared *list_read(const char *path, long *n)
{
    csv_file c = csv_open(path, "text,line,sha256,reason,note", "see tests/t_sentences.c");
    declared *all = NULL;
    for (*n = 0; csv_next(&c); ++*n) {
        all = must_realloc(all, (size_t)*n + 1, sizeof *all);
        declared *d = &all[*n];
        *d = (declared){ .line = csv_long(&c, 1) };
        if (!papers_find_tag(&d->in, c.cell[0])) csv_wrong(&c, "no text is called %s", c.cell[0]);
        if (!is_hash(c.cell[2])) csv_wrong(&c, "%s is no SHA-256", c.cell[2]);
        csv_text(&c, 2, d->sha256, sizeof d->sha256);
        if ((d->why = reason_of(c.cell[3])) == COUNT(reasons)) csv_wrong(&c, "no reason is called %s", c.cell[3]);
        csv_text(&c, 4, d->note, sizeof d->note);
    }
    csv_close(&c);
    return all;
}

typedef struct { long sentences, quoted, in_part, declared, open; } totals;

static void totals_read(const char *path, totals of[TEXTS])
{
    csv_file c = csv_open(path, "text,sentences,quoted,quoted in part,declared,open", "see tests/t_sentences.c");
    long n = 0;
    for (; csv_next(&c); n++) {
        paper_text in;
        if (!papers_find_tag(&in, c.cell[0])) csv_wrong(&c, "no text is called %s", c.cell[0]);
        of[in] = (totals){ csv_long(&c, 1), csv_long(&c, 2), csv_long(&c, 3), csv_long(&c, 4), csv_long(&c, 5) };
    }
    csv_close(&c);
    ck_assert_int_eq(n, TEXTS);
}

/* ---- the list by itself -------------------------------------------------------------------------------------- */

START_TEST(the_list_has_its_form)
{
    long n;
    declared *all = list_read("reports/sentences.csv", &n);
    claim_index index = index_read("reports/claims.csv");
    for (const declared *d = all, *was = NULL; d < all + n; was = d++) {
        const char *where = temp_format("reports/sentences.csv, %s:%ld", papers[d->in].tag, d->line);
        ck_assert_msg(!was || was->in < d->in || (was->in == d->in && was->line <= d->line), "%s: not in order", where);
        const bool noted = reasons[d->why].names_claims || is_open(d);
        ck_assert_msg(noted == (*d->note != '\0'), "%s: %s", where, noted ? "no note" : "a note that nobody reads");
        if (!reasons[d->why].names_claims) continue;
        char *rest = temp_format("%s", d->note), *id;
        while ((id = strsep(&rest, " ")))
            ck_assert_msg(index_find(&index, id) != NULL, "%s: no claim is %s", where, id);
    }
    index_free(&index);
    free(all);
}
END_TEST

START_TEST(the_totals_are_those_of_the_list)
{
    totals of[TEXTS] = { { 0 } };
    totals_read("reports/sentences_totals.csv", of);
    long n, open = 0;
    declared *all = list_read("reports/sentences.csv", &n);
    for (int k = 0; k < TEXTS; k++) {
        long here = 0, still = 0;
        for (const declared *d = all; d < all + n; d++) {
            here += d->in == (paper_text)k;
            still += d->in == (paper_text)k && is_open(d);
        }
        ck_assert_msg(of[k].declared == here - still && of[k].open == still, "%s: %ld are declared and %ld open",
                      papers[k].tag, here - still, still);
        ck_assert_int_eq(of[k].sentences, of[k].quoted + of[k].declared + of[k].open);
        ck_assert_int_le(of[k].in_part, of[k].quoted);
        open += still;
    }
    printf("t_sentences: %ld sentences are declared, %ld are open\n", n - open, open);
    free(all);
}
END_TEST

/* ---- the list and the texts ------------------------------------------------------------------------------------ */

typedef enum { SHOW_NOTHING, SHOW_OPEN, SHOW_ALL } how_much;

static void show(const sentences *s, const sentence *one, paper_text in, const declared *d)
{
    printf("%s,%ld,%s,%s,%s\n    %.*s\n", papers[in].tag, one->line, one->sha256, d ? reasons[d->why].word : "NEW",
           d ? d->note : "", (int)one->length, s->text + one->at);
}

static declared *find(declared *all, long n, paper_text in, const sentence *one)
{
    for (declared *d = all; d < all + n; d++)
        if (!d->used && d->in == in && d->line == one->line && strcmp(d->sha256, one->sha256) == 0) return d;
    return NULL;
}

/* Compares a text with the list and counts; returns how many sentences are neither quoted nor listed. */
static long go_through(totals *is, const sentences *s, paper_text in, declared *all, long n, how_much much)
{
    long fresh = 0, of;
    for (const sentence *one = s->all; one < s->all + s->n; one++) {
        const long quoted = sentence_quoted(s, one, &of);
        is->sentences++;
        is->quoted += quoted > 0;
        is->in_part += quoted > 0 && quoted < of;
        if (quoted > 0) continue;
        declared *d = find(all, n, in, one);
        if (d) d->used = true;
        is->open += d && is_open(d);
        is->declared += d && !is_open(d);
        fresh += !d;
        if (much == SHOW_ALL || (much == SHOW_OPEN && (!d || is_open(d))) || !d) show(s, one, in, d);
    }
    return fresh;
}

static const claim_text *claims;
static size_t nclaims;

/* A quotation counts by the clauses of it that are judged, where the claim names any. */
static void mark(sentences *s, const claim_text *t, const quotation *q)
{
    long clauses = 0;
    for (long i = 0; i < t->clauses; i++) {
        if (!strstr(q->says, t->judged[i])) continue;
        sentences_mark(s, t->judged[i]);
        clauses++;
    }
    if (clauses == 0) sentences_mark(s, q->says);
}

static sentences marked(const char *path, paper_text in)
{
    char *raw = temp_read(NULL, path, NULL);
    sentences s = sentences_of(raw);
    for (const claim_text *t = claims; t < claims + nclaims; t++) {
        for (long i = 0; i < t->quotes; i++) if (t->quote[i].in == in) mark(&s, t, &t->quote[i]);
        for (long i = 0; i < t->standings; i++) if (t->standing[i].in == in) sentences_mark(&s, t->standing[i].says);
    }
    return s;
}

/* Reads all; false: the texts are not here.  *stale: lines of the list that are of no sentence, or of a quoted one. */
static bool compare(totals is[TEXTS], long *fresh, long *stale, how_much much)
{
    char *path[TEXTS];
    if (!papers_paths(path)) return false;
    long n;
    declared *all = list_read("reports/sentences.csv", &n);
    *fresh = *stale = 0;
    claims = described_claims(&nclaims);
    for (int k = 0; k < TEXTS; k++) {
        sentences s = marked(path[k], (paper_text)k);
        *fresh += go_through(&is[k], &s, (paper_text)k, all, n, much);
        sentences_free(&s);
    }
    described_forget();
    for (const declared *d = all; d < all + n; d++) {
        if (d->used) continue;
        ++*stale;
        printf("%s,%ld,%s: no such sentence, or it is quoted now\n", papers[d->in].tag, d->line, d->sha256);
    }
    free(all);
    return true;
}

static bool equal(totals a, totals b)
{
    return a.sentences == b.sentences && a.quoted == b.quoted && a.in_part == b.in_part && a.declared == b.declared
        && a.open == b.open;
}

START_TEST(every_sentence_is_quoted_or_listed)
{
    totals is[TEXTS] = { { 0 } }, told[TEXTS] = { { 0 } };
    long fresh, stale;
    totals_read("reports/sentences_totals.csv", told);
    if (!compare(is, &fresh, &stale, SHOW_NOTHING)) {
        printf("t_sentences: the texts are not in %s, so only the list was checked\n", papers_folder());
        return;
    }
    ck_assert_msg(fresh == 0, "%ld sentences are neither quoted nor listed (printed above)", fresh);
    ck_assert_msg(stale == 0, "%ld lines of reports/sentences.csv are void (printed above)", stale);
    for (int k = 0; k < TEXTS; k++)
        ck_assert_msg(equal(is[k], told[k]), "reports/sentences_totals.csv must say %s,%ld,%ld,%ld,%ld,%ld",
                      papers[k].tag, is[k].sentences, is[k].quoted, is[k].in_part, is[k].declared, is[k].open);
}
END_TEST

/* ---- what a sentence is ----------------------------------------------------------------------------------------- */

static void splits(const char *raw, long n, const long *lines, const char *const *says)
{
    sentences s = sentences_of(raw);
    ck_assert_msg(s.n == n, "%ld sentences in: %s", s.n, raw);
    for (long k = 0; k < n; k++) {
        ck_assert_int_eq(s.all[k].line, lines[k]);
        const char *is = temp_format("%.*s", (int)s.all[k].length, s.text + s.all[k].at);
        ck_assert_str_eq(is, says[k]);
    }
    sentences_free(&s);
}

START_TEST(a_text_is_cut_into_sentences)
{
    splits("One  two three four.\n\nIs five six seven? Eight nine et al. Ten.\n", 3, (long[]){ 1, 3, 3 },
           (const char *[]){ "One two three four.", "Is five six seven?", "Eight nine et al. Ten." });
    splits("*See 3.016 vs. the others (here).* It holds for all $x$. $W_Q$ does not hold here", 3, (long[]){ 1, 1, 1 },
           (const char *[]){ "*See 3.016 vs. the others (here).*", "It holds for all $x$.",
                             "$W_Q$ does not hold here" });
    splits("Three words here.\n$$\\text{softmax} \\left( \\text{head} \\right) W_{Concat} x^{norm}$$\n", 0, NULL, NULL);
    splits("One two three four.\nREFERENCES\n- He and Others wrote a paper. It is good and long.\n"
           "A BLOCK-NOTATION FOR MULTI-HEAD ATTENTION\nFive six seven eight.", 3, (long[]){ 1, 4, 5 },
           (const char *[]){ "One two three four.", "A BLOCK-NOTATION FOR MULTI-HEAD ATTENTION",
                             "Five six seven eight." });
}
END_TEST

START_TEST(what_is_quoted_is_marked)
{
    sentences s = sentences_of("One two three four.\nFive six seven eight. Nine ten eleven twelve.");
    long of;
    sentences_mark(&s, "four. Five six");
    ck_assert_int_eq(s.n, 3);
    ck_assert_int_eq(sentence_quoted(&s, &s.all[0], &of), 4);
    ck_assert_int_eq(of, 15);
    ck_assert_int_eq(sentence_quoted(&s, &s.all[1], &of), 7);
    ck_assert_int_eq(sentence_quoted(&s, &s.all[2], &of), 0);
    sentences_mark(&s, "ine ten eleven");
    ck_assert_int_eq(sentence_quoted(&s, &s.all[2], &of), 0);
    ck_assert_str_eq(s.all[0].sha256, "17587407641cfce70fb128f95adcf955bba44cd7154be287eb1b847213616695");
    sentences_free(&s);
}
END_TEST

/* The texts as one string are what t_quotes looks quotations up in. */
START_TEST(sentences_are_of_the_whole_text)
{
    char *path[TEXTS], *whole[TEXTS];
    if (!papers_paths(path) || !papers_read(whole)) return;
    for (int k = 0; k < TEXTS; k++) {
        sentences s = sentences_of(temp_read(NULL, path[k], NULL));
        ck_assert_str_eq(s.text, whole[k]);
        sentences_free(&s);
    }
}
END_TEST

/* Not a check but the table that `t_sentences list` prints; it fails where something is not listed. */
static how_much wanted;

START_TEST(print_the_list)
{
    totals is[TEXTS] = { { 0 } };
    long fresh, stale;
    if (!compare(is, &fresh, &stale, wanted)) die("no texts in %s: PAPERS names their folder", papers_folder());
    printf("text,sentences,quoted,quoted in part,declared,open\n");
    for (int k = 0; k < TEXTS; k++)
        printf("%s,%ld,%ld,%ld,%ld,%ld\n", papers[k].tag, is[k].sentences, is[k].quoted, is[k].in_part,
               is[k].declared, is[k].open);
    for (size_t k = 0; k < COUNT(reasons); k++) printf("  %-11s %s\n", reasons[k].word, reasons[k].means);
    ck_assert_msg(fresh + stale == 0, "%ld sentences are not listed, %ld lines of the list are void", fresh, stale);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("sentences");
    TCase *c = tcase_create("sentences");
    tcase_set_timeout(c, 300);
    suite_add_tcase(suite, c);
    if (argc > 1 && strcmp(argv[1], "list") == 0) {
        wanted = argc > 2 && strcmp(argv[2], "all") == 0 ? SHOW_ALL : SHOW_OPEN;
        tcase_add_test(c, print_the_list);
        return run_suite(suite, 1, argv);
    }
    tcase_add_test(c, the_list_has_its_form);
    tcase_add_test(c, the_totals_are_those_of_the_list);
    tcase_add_test(c, a_text_is_cut_into_sentences);
    tcase_add_test(c, what_is_quoted_is_marked);
    tcase_add_test(c, sentences_are_of_the_whole_text);
    tcase_add_test(c, every_sentence_is_quoted_or_listed);
    return run_suite(suite, argc, argv);
}
