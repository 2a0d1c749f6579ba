/* SPDX-License-Identifier: GPL-3.0-or-later
 * papers.c - which texts these are, in full. */
#include <string.h>
#include "src/report/sections/sections.h"

void section_papers(document *d, const evidence_set *all)
{
    (void)all;
    doc_block *terms = doc_add(d, BLOCK_TERMS, TO_LATEX);
    for (int k = 0; k < TEXTS; k++) {
        const paper_entry *p = &papers[k];
        const char *arxiv = strstr(p->paper, "arXiv:");
        doc_item *item = doc_add_item(terms, NULL);
        item->name = true;
        line_format(&item->term, SPAN_TEXT, "%s, %s", p->tag, p->called);
        line_format(&item->text, SPAN_TEXT, "%s, ", p->authors);
        line_format(&item->text, SPAN_LATEX, "\\emph{%s}, ", p->title);
        line_format(&item->text, SPAN_TEXT, "%s%s%s%s%s%s.%s", arxiv ? arxiv : "", *p->version ? ", " : "", p->version,
                    *p->when ? " (" : "", p->when, *p->when ? ")" : "",
                    p->formulas_lost ? "  Our copy of it lacks most formulas." : "");
    }
}
