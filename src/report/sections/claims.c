/* SPDX-License-Identifier: GPL-3.0-or-later
 * claims.c - in print, the entry of each built claim: what it says, why, and what was seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/answer_cell.h"
#include "src/report/sections/sections.h"

/* The answer to what is quoted: verdict, evidence and scope, and those of the corrected statement. */
static void add_verdicts(doc_block *terms, const evidence_set *all, const claim_verdict *v)
{
    doc_line *to = &doc_add_item(terms, "verdict")->text;
    for (int corrected = 0; corrected < 2; corrected++) {
        char evidence[64], scope[SCOPE_ROOM];
        if (corrected && v->corrected == V_NONE) break;
        record_group_evidence(evidence, sizeof evidence, all, v, corrected);
        record_group_scope(scope, sizeof scope, all, v, corrected);
        if (corrected) {
            line_add(to, SPAN_NEWLINE, "");
            line_add(to, SPAN_TEXT, "corrected statement: ");
        }
        section_add_verdict(to, all, corrected ? v->corrected : v->as_stated);
        line_add(to, SPAN_TEXT, " ");
        line_open(to, STYLE_SOFT);
        line_format(to, SPAN_TEXT, "%s%s%s", evidence, *evidence && *scope ? "; " : "", scope);
        line_close(to, STYLE_SOFT);
    }
}

/* "derived; any size and depth, h = 1-2; assumes: invertible W_Q; missing: ..." */
static void add_part_evidence(doc_line *to, const evidence_set *all, const part_verdict *p)
{
    char evidence[64], scope[SCOPE_ROOM];
    if (all->partial || p->by == E_NONE) return;
    evidence_text(evidence, sizeof evidence, p);
    evidence_scope_text(scope, sizeof scope, p);
    line_open(to, STYLE_ASIDE);
    line_format(to, SPAN_TEXT, "%s; %s", evidence, scope);
    if (p->assumes->n) line_format(to, SPAN_TEXT, "; assumes: %s", p->assumes->text);
    if (p->theorem) line_format(to, SPAN_TEXT, "; theorem %s of %s", p->theorem->theorem, p->theorem->file);
    if (p->is == V_SUPPORTED && p->missing[0]) line_format(to, SPAN_MIXED, "; missing: %s", p->missing);
    if (p->lacks[0]) line_format(to, SPAN_MIXED, "; not shown by its program: %s", p->lacks);
    line_close(to, STYLE_ASIDE);
    line_add(to, SPAN_TEXT, " ");
}

/* " LEAD OVER: TEXT."; over "": " LEAD TEXT." */
static void add_remark(doc_line *to, const char *lead, const char *over, span_kind kind, const char *text)
{
    line_add(to, SPAN_TEXT, " ");
    line_open(to, STYLE_SOFT);
    line_styled(to, STYLE_LEAD, lead);
    line_format(to, SPAN_TEXT, " %s%s", over, *over ? ": " : "");
    line_add(to, kind, text);
    line_add(to, SPAN_TEXT, ".");
    line_close(to, STYLE_SOFT);
}

/* What a part says, how it was decided, and the verdict. */
static void add_part(doc_block *terms, const evidence_set *all, const claim_record *c, const part_verdict *p)
{
    const part_text *t = claim_text_part(&c->text, p->name);
    doc_item *item = doc_add_item(terms, NULL);
    doc_line *to = &item->text;
    item->name = true;
    line_add(&item->term, SPAN_TEXT, p->name);
    section_add_verdict(to, all, p->is);
    line_add(to, SPAN_TEXT, " ");
    add_part_evidence(to, all, p);
    if (t && t->statement) {
        line_add(to, SPAN_LATEX, t->statement);
        line_add(to, SPAN_TEXT, ".");
    }
    char *subject = part_text_subject(t);
    if (subject) add_remark(to, "Facts about", "", SPAN_TEXT, subject);
    free(subject);
    if (t && t->basis) add_remark(to, "Decided by", "", SPAN_LATEX, t->basis);
    if (t && t->without) add_remark(to, "Not over", t->without, SPAN_LATEX, t->why_without);
    if (verdict_fails(p->is) && p->why[0]) add_remark(to, "Fails:", "", SPAN_TEXT, p->why);
}

static void add_uses(doc_block *terms, const evidence_set *all, const char *ids)
{
    if (!ids || !*ids) return;
    char *copy = must_strdup(ids), *save = NULL;
    doc_line *to = &doc_add_item(terms, "uses")->text;
    for (char *id = strtok_r(copy, " ,", &save); id; id = strtok_r(NULL, " ,", &save)) {
        const claim_record *c = evidence_set_find(all, id);
        if (to->n) line_add(to, SPAN_TEXT, ", ");
        section_add_reference(to, all, id);
        if (!c || !record_is_built(c)) line_add(to, SPAN_TEXT, " (pending)");
    }
    free(copy);
}

/* ---- tables ---- */

static const doc_column evidence_columns[] = {
    { .title = "part" }, { .title = "f64", .kind = COLUMN_NUMBER }, { .title = "mpfr", .kind = COLUMN_NUMBER },
    { .title = "arb", .kind = COLUMN_NUMBER }, { .title = "$\\mathbb F_p$", .kind = COLUMN_NUMBER },
    { .title = "$\\mathbb Q$", .kind = COLUMN_NUMBER }, { .title = "sym", .kind = COLUMN_NUMBER },
    { .title = "controls refuted", .kind = COLUMN_NUMBER } };

static void add_evidence(document *d, const claim_record *c)
{
    doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, evidence_columns, COUNT(evidence_columns));
    t->size = "\\small";
    for (long k = 0; k < c->v.parts; k++) {
        const part_verdict *p = &c->v.part[k];
        table_row(t);
        table_text(t, p->name);
        section_add_answer_of_part(t, p);
        table_format(t, "%ld/%ld", p->refuted, p->controls);
    }
}

static const doc_column control_columns[] = {
    { .title = "part", .mm = 24, .once = true }, { .title = "negative control", .mm = 31 },
    { .title = "what is broken", .mm = 60 }, { .title = "caught", .kind = COLUMN_NUMBER },
    { .title = "gap/bound, f64", .kind = COLUMN_NUMBER },
    { .title = "slope", .kind = COLUMN_NUMBER, .to = TO_LATEX } };

static void add_control(doc_table *t, const control_count *c)
{
    char slope[32];
    snprintf(slope, sizeof slope, "%.3f", fabs(c->slope) < 0.0005 ? 0 : c->slope);
    table_row(t);
    table_text(t, c->part);
    table_text(t, c->name);
    line_add(table_cell(t), SPAN_MIXED, c->why);
    table_format(t, "%ld/%ld", c->refuted, c->decided);
    if (isfinite(c->margin)) line_format(table_cell(t), SPAN_POWER, "%.0f", floor(c->margin));
    else table_number(t, NULL);
    table_number(t, isnan(c->slope) ? NULL : slope);
}

static void add_controls(document *d, const claim_record *c)
{
    control_count *all;
    const long n = record_controls(c, &all);
    if (n) {
        doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, control_columns, COUNT(control_columns));
        t->size = "\\small";
        for (long k = 0; k < n; k++) add_control(t, &all[k]);
    }
    free(all);
}

/* Planned comparisons of runs with seeds that are about the claim, beside the recount of what is printed. */
static void add_runs(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    question *q;
    const long n = questions_about(c->id, &q);
    const paper_table *t = paper_table_of(c->id);
    if (t) {
        char *words = paper_table_words(&all->results, t);
        char *missing = paper_table_price_words(&all->results, t, all->kinds);
        line_format(&doc_add_item(terms, "runs")->text, SPAN_TEXT, "%s.%s%s%s", words, *missing ? "  " : "", missing,
                    *missing ? "." : "");
        free(words);
        free(missing);
    }
    for (long k = 0; k < n; k++) section_add_question(&doc_add_item(terms, "runs")->text, all, &q[k]);
    free(q);
}

static void add_entry(document *d, const evidence_set *all, const claim_record *c)
{
    doc_block *head = doc_add(d, BLOCK_ENTRY, 0), *terms = doc_add(d, BLOCK_TERMS, 0);
    char *title = record_title_latex(c);
    head->id = must_strdup(c->id);
    head->plain = must_strdup(record_title(c));
    line_add(&head->text, SPAN_LATEX, title);
    section_add_verdict(&head->verdict, all, c->v.as_stated);
    free(title);
    if (c->text.quotes) add_verdicts(terms, all, &c->v);
    section_add_field(terms, "why", c->text.why);
    section_add_quotations(terms, "quoted", c->text.quote, c->text.quotes, quotations_note(&c->text));
    section_add_field(terms, "where", c->text.where);
    section_add_field(terms, "construction", c->text.construction);
    section_add_field(terms, "hypotheses", c->text.hypotheses);
    section_add_quotations(terms, "presupposed", c->text.standing, c->text.standings, "");
    add_uses(terms, all, c->text.depends);
    add_runs(terms, all, c);
    for (long p = 0; p < c->v.parts; p++) add_part(terms, all, c, &c->v.part[p]);
    if (c->entry) {
        const char *kinds = c->entry->certificate[0] ? c->entry->certificate : "none";
        line_styled(&doc_add_item(terms, "certificate")->text, STYLE_SOFT, kinds);
    }
    add_evidence(d, c);
    add_controls(d, c);
    section_add_measured(d, c);
    doc_add(d, BLOCK_ENTRY_END, 0);
}

void section_claims(document *d, const evidence_set *all)
{
    for (long k = 0; k < all->n; k++) if (record_is_built(&all->at[k])) add_entry(d, all, &all->at[k]);
}
