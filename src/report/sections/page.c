/* SPDX-License-Identifier: GPL-3.0-or-later
 * page.c - what is only on the page: its head with the papers, the answers in words, the totals of the run, words and
 * symbols, and the method in short. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/answers.h"
#include "src/report/sections/sections.h"

/* Authors, title, number and date of each text, with what our files call it; a title that is printed again is not
 * repeated. */
static void add_texts(document *d)
{
    doc_block *list = doc_add(d, BLOCK_BULLETS, TO_HTML);
    doc_line *to = NULL;
    for (int k = 0; k < TEXTS; k++) {
        const paper_entry *p = &papers[k], *last = k ? &papers[k - 1] : NULL;
        const bool again = last && strcmp(last->paper, p->paper) == 0;
        const char *number = strstr(p->paper, "arXiv:");
        if (!again) {
            char *address = must_format("https://arxiv.org/abs/%s", number + strlen("arXiv:"));
            to = &doc_add_item(list, NULL)->text;
            line_format(to, SPAN_TEXT, "%s, ", p->authors);
            line_file(to, number, address);
            line_add(to, SPAN_TEXT, ":");
            free(address);
        }
        line_add(to, SPAN_TEXT, " ");
        if (!last || strcmp(last->title, p->title) != 0) {
            line_open(to, STYLE_QUOTE);
            line_add(to, SPAN_LATEX, p->title);
            line_close(to, STYLE_QUOTE);
            line_add(to, SPAN_TEXT, " ");
        }
        line_open(to, STYLE_SOFT);
        line_format(to, SPAN_TEXT, "(%s%s%s; in our files ", p->version, *p->version && *p->when ? ", " : "", p->when);
        line_add(to, SPAN_QUOTED, p->tag);                         /* a tag that stays one */
        line_format(to, SPAN_TEXT, ")%s", k + 1 < TEXTS && strcmp(papers[k + 1].paper, p->paper) == 0 ? "," : ".");
        line_close(to, STYLE_SOFT);
    }
}

void section_head(document *d, const evidence_set *all)
{
    doc_heading(d, TO_HTML, 0, NULL, "Provably: which claims hold");
    doc_block *p = doc_paragraph(d, TO_HTML, "Two papers say which weights transformers do not need. "
                                 "A program decides each of their claims that can be decided; each answer says how "
                                 "we know, and for which sizes.");
    if (all->partial) {
        line_add(&p->text, SPAN_TEXT, " ");
        line_styled(&p->text, STYLE_STRONG, "PARTIAL run: no verdicts.");
    }
    add_texts(d);
}

/* ---- the answers, verdict by verdict ------------------------------------------------------------------------- */

static const doc_column answer_columns[] = {
    { .title = "what we found about the sentence", .to = TO_HTML }, { .title = "claims", .kind = COLUMN_NUMBER },
    { .title = "which" } };

/* Claims with the same words have the same verdict; where that has other words, too, also the same evidence. */
static void add_answer(doc_table *t, const evidence_set *all, const claim_record *of, bool *done)
{
    const part_verdict *p = judge_speaker(&of->v, false);
    const verdict is = of->v.as_stated;
    const char *words = answer_words(is, p ? p->by : E_NONE);
    bool one = true;
    long n = 0;
    table_row(t);
    line_format(table_cell(t), SPAN_TEXT, "%s", words);
    doc_line *count = table_cell(t), *which = table_cell(t);
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        const part_verdict *q = judge_speaker(&c->v, false);
        if (c->v.as_stated != is) continue;
        if (strcmp(answer_words(is, q ? q->by : E_NONE), words) != 0) {
            one = false;
            continue;
        }
        if (n++) line_add(which, SPAN_TEXT, " ");
        line_link(which, c->id, c->id);
        done[k] = true;
    }
    char *shown = must_format("%ld", n);
    char *to = one ? must_format("verdict=%s", verdict_word(is))
                   : must_format("verdict=%s&evidence=%s", verdict_word(is), p ? evidence_word(p->by) : "none");
    line_link(count, shown, to);
    free(shown);
    free(to);
}

void section_answers(document *d, const evidence_set *all)
{
    if (all->partial) return;
    bool *done = must_calloc((size_t)all->n + 1, sizeof *done);
    doc_section(d, TO_HTML, "answers", "The answers, verdict by verdict", "Answers");
    doc_paragraph(d, TO_HTML, "A number leads to the claims that it counts. What was true only after a repair is "
                  "followed, in its entry, by the repaired statement and how we know that.");
    doc_table *t = doc_add_table(d, TO_HTML, TABLE_SCROLLS, answer_columns, COUNT(answer_columns));
    for (size_t v = 0; v < COUNT(verdict_order); v++)
        for (int by = EVIDENCES - 1; by >= 0; by--)
            for (long k = 0; k < all->n; k++) {
                const part_verdict *p = judge_speaker(&all->at[k].v, false);
                if (!done[k] && all->at[k].v.as_stated == verdict_order[v] && (int)(p ? p->by : E_NONE) == by)
                    add_answer(t, all, &all->at[k], done);
            }
    free(done);
}

static void add_fact(doc_block *facts, const char *what, char *value)               /* takes the value */
{
    line_add(&doc_add_item(facts, value)->text, SPAN_TEXT, what);
    free(value);
}

void section_totals(document *d, const evidence_set *all)
{
    const evidence_totals t = evidence_totals_of(all);
    doc_block *facts = doc_add(d, BLOCK_FACTS, TO_HTML), *run = doc_paragraph(d, TO_HTML, NULL);
    add_fact(facts, "claims with a program of their own", must_format("%ld of %ld", all->built, all->n));
    add_fact(facts, "variants with a deliberate error that were caught", must_format("%ld of %ld", t.refuted,
             t.controls));
    add_fact(facts, "trials", must_format("%ld", t.rows));
    run->soft = true;
    line_format(&run->text, SPAN_TEXT, "Version %s, seed %llu%s, BLAS threads: %d, core %s, %.0f s of trials. Built "
                "from %s.", all->version, (unsigned long long)t.seed, t.seeds > 1 ? " and others" : "", t.threads,
                t.blas, t.seconds, t.build[0] ? t.build : "unknown");
}

/* ---- words and symbols ------------------------------------------------------------------------------------- */

static const struct { const char *word, *means; } notation[] = {
    { "$d$, $h$, $d_k$, $m$, $n$, $V$, $L$", "width of the stream, heads, width of a head, width of the MLP, tokens, "
      "words of the vocabulary, layers" },
    { "$W_Q$, $W_K$, $W_V$, $W_O$", "the query, key, value and output matrix of an attention layer; $W_Q^i$ that of "
      "layer $i$" },
    { "$E$, $E_P$, $W_u$, $W_d$, $W_{LM}$", "embedding of tokens and of positions, the two matrices of an MLP, the "
      "output head" },
    { "$\\tilde E = E\\Theta_1$", "a weight of the reduced model has a tilde; $\\Theta_i$ is the change of basis "
      "before layer $i$" },
    { "$\\mathrm{GL}(d)$, $\\mathrm{O}(d)$", "the invertible and the orthogonal $d \\times d$ matrices" },
    { "$h = 1$-$4$", "in a scope: the numbers of heads that the evidence covers" },
    { "gap", "the largest difference between what the original and the reduced model compute, relative to the size of "
      "the values" },
    { "ball", "an interval that surely holds the value, rounding included; disjoint balls prove a difference" },
    { "slope", "how the gap falls with the precision: $-1$ is what rounding does, 0 is a difference that stays" },
    { "mod $p$", "arithmetic modulo a random prime of 61 bits; the figure bounds the probability that a false identity "
      "passes" },
    { "as-stated, corrected", "parts of a claim: the sentence as printed, and the statement after a repair" },
    { "by proof, unchecked", "a step that no program checks, named so that a reader can" },
    { "witness, example", "given weights that show that a sentence is false, or that it needs a repair" },
    { "deliberate error", "the same claim with one hypothesis dropped or one entry changed: it must be caught, so that "
      "a check that accepts everything is found out" },
    { "ledger", "our list of every claim of the papers: \\texttt{reports/claims.csv}" },
    { "formal", "a theorem that the kernel of the proof assistant Coq has accepted; its file and all that it needs are "
      "unchanged since" },
    { "certificate, proofcheck", "a derivation as a file, and the independent program that checks it" } };

void section_notation(document *d, const evidence_set *all)
{
    (void)all;
    doc_section(d, TO_HTML, "notation", "Words and symbols", "Words and symbols");
    line_add(&doc_add(d, BLOCK_FOLD, TO_HTML)->text, SPAN_TEXT, "What the symbols of the papers and our words mean");
    doc_block *terms = doc_add(d, BLOCK_TERMS, TO_HTML);
    for (size_t k = 0; k < COUNT(notation); k++)
        line_add(&doc_add_item(terms, notation[k].word)->text, SPAN_LATEX, notation[k].means);
    doc_add(d, BLOCK_FOLD_END, TO_HTML);
}

static const struct { const char *arith, *text; } arithmetics[] = {
    { "sym", "Words in named matrices; functions are opaque. Equal normal forms are a derivation for all sizes, and an "
      "induction over fresh layers carries it to every depth; it counts when proofcheck has accepted its "
      "certificate." },
    { "$\\mathbb F_p$", "Random weights modulo random primes of 61 bits. Equality verifies the identity at this "
      "size, but for the stated probability of error over primes, weights and functions." },
    { "$\\mathbb Q$", "Rational numbers: exact on the instance. ReLU and linear parts only." },
    { "arb", "Balls that surely contain the value. Balls that meet enclose the difference; disjoint balls are "
      "a proof of inequality." },
    { "mpfr", "The gap at five precisions: an identity falls with slope $-1$, anything else stops falling." },
    { "f64", "Doubles: the gap against a bound on the error of each entry." } };

void section_method(document *d, const evidence_set *all)
{
    (void)all;
    doc_section(d, TO_HTML, "method", "Method", "Method");
    doc_paragraph(d, TO_HTML, "A claim is one program: it draws random weights, applies the paper's construction "
                  "and asks whether the original and the reduced model are the same function. The same text runs "
                  "over six arithmetics.");
    doc_block *terms = doc_add(d, BLOCK_TERMS, TO_HTML);
    for (size_t k = 0; k < COUNT(arithmetics); k++)
        line_add(&doc_add_item(terms, arithmetics[k].arith)->text, SPAN_LATEX, arithmetics[k].text);
    doc_paragraph(d, TO_HTML, "Each claim has two answers: what we say about the sentence, and the evidence for "
                              "it. PROVED: a theorem that Coq's kernel accepts, or a derivation that proofcheck has "
                              "accepted, covers what the sentence quantifies over, and another arithmetic agrees; or "
                              "the statement is finite and was decided exactly, and a reading of its program beside it "
                              "is on record. SUPPORTED: every exact test agrees, "
                              "and its line says what is missing for a proof. CAVEAT: true after a repair, whose "
                              "own verdict follows it. SLIP: a misprint, a miscount or a wrong "
                              "reference that its context corrects. REFUTED: by an "
                              "exact or certified witness, never because a construction fails. MEASURED: by doubles, "
                              "or by a figure from random draws: shown as the mean over its trials with its 95 % "
                              "interval, judged trial by trial by the interval at $1 - 10^{-6}$; a missed prediction "
                              "fails the run and refutes nothing. INFORMAL: there is no statement to decide, and "
                              "facts are shown beside it. Evidence: formal (Coq), derived (sym), verified ($\\mathbb "
                              "F_p$), exact ($\\mathbb Q$), enclosed (balls), checked (mpfr), measured. Each claim "
                              "carries variants with a deliberate error, the same claim with one hypothesis dropped, "
                              "which must be caught in every decided trial.");
}
