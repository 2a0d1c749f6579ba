/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_names.c - our files call four texts 001, 003, 000 and 002; people do not: on the page a tag becomes a name. */
#include <stdlib.h>
#include "src/report/collect/in_words.h"
#include "src/report/sections/sections.h"

static void name_in(char **text)
{
    if (!*text) return;
    char *better = papers_in_words(*text);
    free(*text);
    *text = better;
}

static void name_line(doc_line *l)
{
    for (long k = 0; k < l->n; k++) {
        const span_kind kind = l->at[k].kind;
        if (kind == SPAN_TEXT || kind == SPAN_LATEX || kind == SPAN_MIXED) name_in(&l->at[k].text);
    }
}

static void name_table(doc_table *t)
{
    for (long k = 0; k < t->n; k++) {
        name_in(&t->row[k].title);
        for (long i = 0; i < t->row[k].n; i++) {
            name_line(&t->row[k].cell[i].text);
            name_in(&t->row[k].cell[i].title);
        }
    }
}

void page_names_papers(document *d)
{
    for (long k = 0; k < d->n; k++) {
        doc_block *b = d->at[k];
        name_line(&b->text);
        name_table(&b->table);
        for (long i = 0; b->item && i < b->n; i++) {
            name_line(&b->item[i].term);
            name_line(&b->item[i].text);
        }
        for (long i = 0; i < b->diagram.nodes; i++) name_in(&b->diagram.node[i].title);
    }
}
