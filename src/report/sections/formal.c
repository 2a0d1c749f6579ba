/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal.c - theorems of Coq on the page: the text that the kernel has read with its lines as they are, and how to read
 * such a text, for somebody who knows no Coq. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/formal_guide.h"
#include "src/report/collect/link.h"
#include "src/report/sections/sections.h"

static void add_text(doc_line *to, const formal_theorem *t)
{
    const bool before = *t->setting || *t->defined;
    line_open(to, STYLE_LISTING);
    line_format(to, SPAN_TEXT, "%s%s%s%s%s", t->setting, *t->setting && *t->defined ? "\n" : "", t->defined,
                before ? "\n\n" : "", t->statement);
    line_close(to, STYLE_LISTING);
}

/* What goes wrong without each hypothesis, a line each. */
static void add_needs(doc_line *to, const formal_theorem *t)
{
    line_open(to, STYLE_SOFT);
    for (long k = 0; k < t->needs; k++) {
        const formal_need *n = &t->need[k];
        if (k) line_add(to, SPAN_NEWLINE, "");
        line_add(to, SPAN_TEXT, n->lemma[0] ? "Without " : "Hypothesis ");
        line_styled(to, STYLE_QUOTE, n->hypothesis);
        line_format(to, SPAN_TEXT, ": %s", n->says);
        if (n->lemma[0]) line_format(to, SPAN_TEXT, " (lemma %s)", n->lemma);
    }
    line_close(to, STYLE_SOFT);
}

void section_add_theorem(doc_line *to, const evidence_set *all, const formal_theorem *t)
{
    char *address = link_from(all->out, t->file);
    line_format(to, SPAN_TEXT, "FORMAL: Coq's kernel accepts theorem %s of ", t->theorem);
    line_file(to, t->file, address);
    line_format(to, SPAN_TEXT, ", for %s; axioms: %s (", t->quantifiers, t->axioms);
    line_link(to, "how to read it", "formal");
    line_add(to, SPAN_TEXT, ").");
    if (!t->whole)
        line_format(to, SPAN_TEXT, " It does not count here: %s", t->lacks ? t->lacks
                    : "no reading records that it says all of the sentence.");
    add_text(to, t);
    if (t->needs) add_needs(to, t);
    free(address);
}

/* ---- how to read one --------------------------------------------------------------------------------------- */

static const formal_theorem *guided(const evidence_set *all)
{
    for (long k = 0; k < all->formal.n; k++) {
        const formal_theorem *t = &all->formal.at[k];
        if (strcmp(t->claim, formal_guide_claim) == 0 && strcmp(t->part, formal_guide_part) == 0 && t->current)
          return t;
    }
    return NULL;
}

/* The sentence as printed, and beside it the text that the kernel read. */
static void add_both(document *d, const evidence_set *all, const formal_theorem *t)
{
    const claim_record *c = evidence_set_find(all, t->claim);
    doc_block *terms = doc_add(d, BLOCK_TERMS, TO_HTML);
    if (c) section_add_quotations(terms, "as printed", c->text.quote, c->text.quotes, "");
    section_add_theorem(&doc_add_item(terms, "formally")->text, all, t);
}

static const doc_column columns[] = { { .title = "in the text" }, { .title = "what it says" } };

static void add_rows(document *d)
{
    doc_table *t = doc_add_table(d, TO_HTML, TABLE_PLAIN, columns, COUNT(columns));
    for (size_t k = 0; k < formal_guide_rows; k++) {
        table_row(t);
        line_styled(table_cell(t), STYLE_CODE, formal_guide[k].piece);
        line_add(table_cell(t), SPAN_MIXED, formal_guide[k].says);
    }
}

void section_formal(document *d, const evidence_set *all)
{
    if (!all->formal.n) return;
    const formal_theorem *t = guided(all);
    doc_section(d, TO_HTML, "formal", "How to read a formal statement", "Formal statements");
    doc_paragraph(d, TO_HTML, "A statement with FORMAL beside it is a text that a small program, the kernel of the "
                              "proof assistant Coq, has read together with its proof, and accepted. Nobody has to "
                              "read the proof. What remains for a reader is the statement: does it say what the "
                              "paper says? Here is Theorem 4.4, piece by piece; the others are made of the same "
                              "words.");
    if (t) add_both(d, all, t);
    else doc_paragraph(d, TO_HTML, "(Theorem 4.4 is not shown: its file has changed since Coq's kernel read it. Run "
                       "\\texttt{make formal}.)");
    add_rows(d);
    doc_paragraph(d, TO_HTML, "A few more words that others have. `forall' is for all, `exists' there is; `*m' is "
                              "the product of matrices, `^T' the transpose, `invmx A' the inverse of A; `p + q' in a "
                              "size puts blocks side by side; `realFieldType' in place of comUnitRingType: the "
                              "theorem needs an order, as ReLU does. `Variable' and `Hypothesis' stand once in front "
                              "of several theorems and belong to each.");
    doc_paragraph(d, TO_HTML, "A certificate is such a theorem, too, whatever its kind. \\texttt{make formal-typed} "
                  "writes each of them as one, and the kernel accepts it, by a theorem about all certificates of "
                  "its kind (typed_golden in \\texttt{src/formal/typed.v} for the symbolic ones). This is certificate "
                  "K-P3.2-as-stated-3: for every n and d, every matrix X, W_Q_0, .., and every function of "
                  "$n \\times n$ matrices in place of softmax, where D_0_0_inv is the inverse of D_0_0. "
                  "`forall A9, A9 = .. ->' gives a name to what is used below; A9 is line 9 of the certificate.");
    doc_line *typed = &doc_add(d, BLOCK_PARAGRAPH, TO_HTML)->text;
    line_open(typed, STYLE_LISTING);
    line_add(typed, SPAN_TEXT, formal_guide_typed);
    line_close(typed, STYLE_LISTING);
    doc_paragraph(d, TO_HTML, "What a reader still trusts: Coq's kernel; that the statement says what the paper "
                              "means; and that the formal transformer, \\texttt{src/formal/transformer.v}, is the "
                              "papers' and the one our programs run, \\texttt{src/model}. The last is also tested: "
                              "on small models with rational weights both give the same logits, entry by entry "
                              "(\\texttt{make formal}). No axiom is used where the line says `axioms: none'.");
}
