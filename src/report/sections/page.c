/* page.c - what is only on the page: its head, the totals of the run, and the method in short. */
#include <stdlib.h>
#include "src/base/base.h"
#include "src/report/sections/sections.h"

void section_head(document *d, const evidence_set *all)
{
    doc_heading(d, TO_HTML, 0, NULL, "Provably: which claims hold");
    doc_block *p = doc_paragraph(d, TO_HTML, "Every claim of four texts on removing weights from transformers, "
                                 "decided by programs in six arithmetics.");
    if (!all->partial) return;
    line_add(&p->text, SPAN_TEXT, " ");
    line_styled(&p->text, STYLE_STRONG, "PARTIAL run: no verdicts.");
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
    add_fact(facts, "claims built", must_format("%ld of %ld", all->built, all->n));
    for (size_t k = 0; k < COUNT(verdict_order) && !all->partial; k++)
        if (t.with[verdict_order[k]])
            add_fact(facts, verdict_word(verdict_order[k]), must_format("%ld", t.with[verdict_order[k]]));
    add_fact(facts, "broken variants caught", must_format("%ld of %ld", t.refuted, t.controls));
    add_fact(facts, "trials", must_format("%ld", t.rows));
    run->soft = true;
    line_format(&run->text, SPAN_TEXT, "Version %s, seed %llu%s, BLAS threads: %d, core %s, %.0f s of trials. Built "
                "from %s.", all->version, (unsigned long long)t.seed, t.seeds > 1 ? " and others" : "", t.threads,
                t.blas, t.seconds, t.build[0] ? t.build : "unknown");
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
    doc_paragraph(d, TO_HTML, "Each claim has two answers: what we say about the sentence, and what stands behind "
        "it. PROVED: a derivation that proofcheck has accepted covers what the sentence quantifies over, and "
        "another arithmetic agrees; or the statement is finite and was decided exactly. SUPPORTED: every exact test "
        "agrees, and what is missing for a proof is said beside it. CAVEAT: true after a repair, whose own verdict "
        "stands below. SLIP: a misprint that its context corrects. REFUTED: by an exact or certified witness, never "
        "because a construction fails. MEASURED: by doubles, or by a figure from random draws: shown as the mean "
        "over its trials with its 95 % interval, judged trial by trial by the interval at $1 - 10^{-6}$; a missed "
        "prediction fails the run and refutes nothing. INFORMAL: there is no statement to decide, and facts are "
        "shown beside it. Evidence: derived (sym), verified ($\\mathbb F_p$), exact ($\\mathbb Q$), enclosed "
        "(balls), checked (mpfr), measured. Each claim carries broken variants, the same claim with one hypothesis "
        "dropped, which must be caught in every decided trial.");
}
