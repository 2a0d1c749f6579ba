/* cells.c - cells that several tables share: see sections.h. */
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

void section_add_quotations(doc_block *terms, const char *name, const quotation *q, long n, const char *note)
{
    if (!n) return;
    doc_line *to = &doc_add_item(terms, name)->text;
    for (long k = 0; k < n; k = quotation_next(q, n, k + 1)) {
        char *sources = quotation_sources(q, n, k);
        if (k) line_add(to, SPAN_NEWLINE, "");
        line_open(to, STYLE_QUOTE);
        line_add(to, SPAN_QUOTED, q[k].says);
        line_close(to, STYLE_QUOTE);
        if (sources) {
            line_add(to, SPAN_TEXT, " ");
            line_styled(to, STYLE_SMALL, sources);
        }
        free(sources);
    }
    if (!*note) return;
    line_add(to, SPAN_NEWLINE, "");
    line_styled(to, STYLE_SMALL, note);
}
