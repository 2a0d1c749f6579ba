/* SPDX-License-Identifier: GPL-3.0-or-later
 * cells.c - cells that several tables share: see sections.h. */
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include "src/report/collect/answer_cell.h"
#include "src/report/sections/sections.h"

void section_add_cell(doc_line *to, answer_cell x)
{
    char text[32];
    answer_cell_text(text, sizeof text, x);
    switch (x.kind) {
    case CELL_NONE:      line_add(to, SPAN_DASH, ""); break;
    case CELL_DIFFERENT: line_add(to, SPAN_LATEX, "$\\ne$"); break;
    case CELL_DECIMAL:
    case CELL_SLOPE:     line_add(to, SPAN_NUMBER, text); break;
    case CELL_POWER:     line_format(to, SPAN_POWER, "%.0f", ceil(x.x)); break;
    default:             line_add(to, SPAN_TEXT, text);
    }
}

void section_add_answer(doc_table *t, const claim_verdict *group, bool corrected)
{
    for (int k = 0; k < ARITHS; k++) section_add_cell(table_cell(t), answer_cell_of_group(group, corrected, k));
}

void section_add_answer_of_part(doc_table *t, const part_verdict *p)
{
    for (int k = 0; k < ARITHS; k++) section_add_cell(table_cell(t), answer_cell_of_part(p, k));
}

void section_add_evidence(doc_line *l, const char *evidence)
{
    const char *power = strstr(evidence, " 2^");
    line_format(l, SPAN_TEXT, "%.*s", power ? (int)(power - evidence) + 1 : (int)strlen(evidence), evidence);
    if (power) line_add(l, SPAN_POWER, power + 3);
}

void section_add_words(doc_line *to, const char *text)
{
    for (const char *p = text; *p; ) {
        const char *power = strstr(p, "2^-");
        const size_t n = power ? (size_t)(power - p) : strlen(p), digits = power ? strspn(power + 3, "0123456789") : 0;
        char *before = must_format("%.*s", (int)n, p);
        line_add(to, SPAN_TEXT, before);
        if (power) line_format(to, SPAN_POWER, "-%.*s", (int)digits, power + 3);
        p += power ? n + 3 + digits : n;
        free(before);
    }
}

void section_add_verdict(doc_line *l, const evidence_set *all, verdict v)
{
    const char *word = verdict_shown(all, v);
    line_badge(l, word, verdict_fails(v) ? "bad" : word);
}

void section_add_reference(doc_line *l, const evidence_set *all, const char *id)
{
    const claim_record *c = evidence_set_find(all, id);
    if (c && !record_is_built(c)) {                       /* an entry on the page alone */
        line_link(l, id, id);
        l->at[l->n - 1].to = TO_HTML;
        line_add_to(l, ~(unsigned)TO_HTML, SPAN_TEXT, id);
    } else line_link(l, id, c ? id : NULL);
}

void section_add_field(doc_block *terms, const char *name, const char *latex)
{
    if (latex && *latex) line_add(&doc_add_item(terms, name)->text, SPAN_LATEX, latex);
}

/* The sentences from number k on that stand at one place of one version, then where; returns the first of another. */
static long add_quoted_place(doc_line *to, const quotation *q, long n, long k)
{
    char *source = quotation_source(&q[k]);
    const paper_entry *paper = &papers[q[k].in];
    long next = k;
    for (; next < n && quotation_same_place(&q[next], &q[k]); next++) {
        line_open(to, STYLE_QUOTE);
        line_add(to, SPAN_QUOTED, q[next].says);
        line_close(to, STYLE_QUOTE);
        line_add(to, SPAN_TEXT, " ");
    }
    line_open(to, STYLE_SMALL);
    line_format(to, SPAN_TEXT, "%s, %s", paper->paper, source);
    line_close(to, STYLE_SMALL);
    free(source);
    return next;
}

static long place_end(const quotation *q, long n, long k)
{
    long next = k;
    while (next < n && quotation_same_place(&q[next], &q[k])) next++;
    return next;
}

/* "also printed in: first version, Theorem 4.1"; on a page their texts are folded under it. */
static void add_other_versions(doc_line *to, const quotation *q, long n)
{
    const paper_text best = quotations_best(q, n);
    text_buffer places = { 0 };
    for (long k = 0; k < n; k = place_end(q, n, k)) {
        char *source = quotation_source(&q[k]);
        if (q[k].in != best) text_add(&places, "%s%s", places.length ? "; " : "also printed in: ", source);
        free(source);
    }
    char *words = text_take(&places);
    if (*words) {
        line_add_to(to, TO_LATEX, SPAN_NEWLINE, "");
        line_add_to(to, TO_LATEX, SPAN_TEXT, words);
        const long first = to->n;
        line_open(to, STYLE_FOLD);
        line_styled(to, STYLE_FOLD_HEAD, words);
        for (long k = 0, shown = 0; k < n; k = place_end(q, n, k)) {
            if (q[k].in == best) continue;
            if (shown++) line_add(to, SPAN_NEWLINE, "");
            add_quoted_place(to, q, n, k);
        }
        line_close(to, STYLE_FOLD);
        for (long k = first; k < to->n; k++) to->at[k].to = TO_HTML;
    }
    free(words);
}

void section_add_quotations(doc_block *terms, const char *name, const quotation *q, long n, const char *note)
{
    if (!n) return;
    const paper_text best = quotations_best(q, n);
    doc_line *to = &doc_add_item(terms, name)->text;
    for (long k = 0, shown = 0; k < n; k = place_end(q, n, k)) {
        if (q[k].in != best) continue;
        if (shown++) line_add(to, SPAN_NEWLINE, "");
        add_quoted_place(to, q, n, k);
    }
    add_other_versions(to, q, n);
    if (!*note) return;
    line_add(to, SPAN_NEWLINE, "");
    line_styled(to, STYLE_SMALL, note);
}
