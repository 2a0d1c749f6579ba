/* SPDX-License-Identifier: GPL-3.0-or-later
 * verdicts.c - in print, the table of built claims, and the list of the others. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/sections/sections.h"

static const doc_column verdict_columns[] = {
    { .title = "claim", .kind = COLUMN_ID, .mm = 23 }, { .title = "paper", .mm = 27, .wide = true },
    { .title = "statement", .mm = 48 },
    { .title = "f64", .kind = COLUMN_NUMBER, .wide = true }, { .title = "mpfr", .kind = COLUMN_NUMBER, .wide = true },
    { .title = "arb", .kind = COLUMN_NUMBER, .wide = true },
    { .title = "$\\mathbb F_p$", .kind = COLUMN_NUMBER, .wide = true },
    { .title = "$\\mathbb Q$", .kind = COLUMN_NUMBER, .wide = true },
    { .title = "sym", .kind = COLUMN_NUMBER, .wide = true },
    { .title = "holds for", .mm = 36, .wide = true }, { .title = "evidence", .mm = 22 },
    { .title = "verdict", .mm = 27 } };

/* What one arithmetic after the other shows of a group, its scope, its evidence and its verdict. */
static void add_group(doc_table *t, const evidence_set *all, const claim_record *c, bool corrected)
{
    char evidence[64], scope[SCOPE_ROOM];
    record_group_evidence(evidence, sizeof evidence, all, &c->v, corrected);
    record_group_scope(scope, sizeof scope, all, &c->v, corrected);
    section_add_answer(t, &c->v, corrected);
    table_text(t, scope);
    section_add_evidence(table_cell(t), evidence);
    section_add_verdict(table_cell(t), all, corrected ? c->v.corrected : c->v.as_stated);
}

static void add_title(doc_table *t, const claim_record *c)
{
    char *title = record_title_latex(c);
    line_add(table_cell(t), SPAN_LATEX, title);
    free(title);
}

static void add_rows(doc_table *t, const evidence_set *all, const claim_record *c)
{
    char paper[32];
    record_paper(paper, sizeof paper, c);
    table_row(t);
    section_add_reference(table_cell(t), all, c->id);
    table_text(t, paper);
    add_title(t, c);
    add_group(t, all, c, false);
    if (c->v.corrected == V_NONE) return;
    table_row(t)->second = true;
    table_texts(t, (const char *const[]){ "", "", "corrected statement" }, 3);
    add_group(t, all, c, true);
}

char *section_texts(void)
{
    char *text = must_strdup("");
    for (int k = 0; k < TEXTS; k++) {
        char *longer = must_format("%s%s%s: %s%s%s", text, k ? "; " : "", papers[k].tag, papers[k].paper,
                                   papers[k].version[0] ? ", " : "", papers[k].version);
        free(text);
        text = longer;
    }
    return text;
}

void section_verdicts(document *d, const evidence_set *all)
{
    doc_table *t = doc_add_table(d, 0, TABLE_PLAIN, verdict_columns, COUNT(verdict_columns));
    t->size = "\\footnotesize\\setlength{\\tabcolsep}{2.5pt}";
    for (long k = 0; k < all->n; k++) if (record_is_built(&all->at[k])) add_rows(t, all, &all->at[k]);
}

/* ---- pending ---- */

static const doc_column pending_columns[] = {
    { .title = "claim", .kind = COLUMN_ID, .mm = 19 }, { .title = "paper", .mm = 17, .wide = true },
    { .title = "statement", .mm = 36 }, { .title = "expected", .mm = 31 }, { .title = "run by", .mm = 59 } };

static void add_pending(doc_table *t, const evidence_set *all, const claim_record *c)
{
    const paper_table *of = paper_table_of(c->id);
    char paper[32], *command = of ? paper_table_price_words(&all->results, of, all->kinds)
                                  : results_claim_command(c->id);
    record_paper(paper, sizeof paper, c);
    table_row(t);
    table_text(t, c->id);
    table_text(t, paper);
    add_title(t, c);
    table_text(t, c->entry->expected);
    table_text(t, command);
    free(command);
}

void section_pending(document *d, const evidence_set *all)
{
    doc_table *t = doc_add_table(d, TO_LATEX, TABLE_PLAIN, pending_columns, COUNT(pending_columns));
    t->size = "\\footnotesize";
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        if (!record_is_built(c) && c->entry && c->v.as_stated == V_PENDING) add_pending(t, all, c);
    }
}
