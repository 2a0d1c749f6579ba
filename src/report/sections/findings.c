/* SPDX-License-Identifier: GPL-3.0-or-later
 * findings.c - what is true in these papers: each sentence with the verdicts on which it depends. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/sections/sections.h"

/* How sure our sentence is: the verdict of the corrected statement where there is one.  A fault without one is no badge
 * of ours; the paper's verdict follows in words. */
static void add_standing(doc_line *to, const evidence_set *all, const claim_record *c, verdict paper)
{
    const verdict corrected = c ? c->v.corrected : V_NONE;
    const bool fault = paper == V_CAVEAT || paper == V_SLIP || paper == V_REFUTED || paper == V_HYPOTHESIS_FAILED;
    if (corrected != V_NONE || !fault) {
        line_add(to, SPAN_TEXT, " ");
        section_add_verdict(to, all, fault ? corrected : paper);
    }
    if (!fault) return;
    char *word = must_format(" (paper: %s)", verdict_shown(all, paper));
    for (char *at = word; *at; at++) *at = (char)tolower((unsigned char)*at);
    line_add(to, SPAN_TEXT, word);
    free(word);
}

static void add_finding(doc_line *to, const evidence_set *all, const finding *x)
{
    const char *left = x->rows;
    char id[NAME_SIZE], word[24];
    line_add(to, SPAN_LATEX, x->sentence);
    while (findings_next_row(&left, id, word)) {
        const claim_record *c = evidence_set_find(all, id);
        line_add(to, SPAN_TEXT, " ");
        line_open(to, STYLE_TOGETHER);
        section_add_reference(to, all, id);
        add_standing(to, all, c, c ? c->v.as_stated : verdict_of_word(word));
        line_close(to, STYLE_TOGETHER);
    }
}

void section_findings(document *d, const evidence_set *all)
{
    if (!all->found.n || all->partial) return;
    doc_section(d, 0, "findings", "What is true in these papers", "What is true");
    for (int g = 0; g < FINDING_GROUPS; g++) {
        doc_block *list = NULL;
        for (long k = 0; k < all->found.n; k++) {
            const finding *x = &all->found.at[k];
            if ((int)x->about != g) continue;
            if (!list) {
                doc_heading(d, 0, 2, NULL, finding_groups[g].title);
                list = doc_add(d, BLOCK_NUMBERED, 0);
            }
            add_finding(&doc_add_item(list, NULL)->text, all, x);
        }
    }
}
