/* SPDX-License-Identifier: GPL-3.0-or-later
 * coverage.c - claim by switch of the model: with what was each claim tried? */
#include <math.h>
#include <stdlib.h>
#include "src/base/base.h"
#include "src/report/collect/coverage.h"
#include "src/report/sections/sections.h"

static void add_coverage(doc_table *t, const claim_record *c, int which)
{
    static const char *const sign[] = { [COVERAGE_CANNOT] = "\u00d7", [COVERAGE_NO_SWITCH] = "\u00b7",
                                        [COVERAGE_PENDING] = "" };
    static const char *const command[] = { [COVERAGE_TRIED] = "\\provablytried{}",
                                           [COVERAGE_CANNOT] = "\\provablycannot{}",
                                           [COVERAGE_NO_SWITCH] = "\\provablyuntried{}", [COVERAGE_PENDING] = "" };
    const char *reason;
    long count;
    doc_line *to = table_cell(t);
    const coverage_kind kind = coverage_of(c, which, &count, &reason);
    line_add_to(to, TO_LATEX, SPAN_LATEX, command[kind]);
    if (kind == COVERAGE_TRIED) {
        char *text = must_format("%ld", count);
        line_add_to(to, TO_HTML, SPAN_TEXT, text);
        free(text);
        return;
    }
    line_open(to, STYLE_SOFT);
    line_add_to(to, TO_HTML, SPAN_TEXT, sign[kind]);
    line_close(to, STYLE_SOFT);
    doc_row *r = &t->row[t->n - 1];
    r->cell[r->n - 1].title = must_strdup(reason);
}

void section_coverage(document *d, const evidence_set *all)
{
    static doc_column column[1 + SWITCHES];
    column[0] = (doc_column){ .title = "claim", .kind = COLUMN_ID };
    for (int s = 0; s < SWITCHES; s++)
        column[1 + s] = (doc_column){ .title = coverage_switch_names[s], .kind = COLUMN_NUMBER, .mm = 3.2 };
    doc_table *t = doc_add_table(d, 0, TABLE_GRID, column, COUNT(column));
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        if (!record_is_built(c)) continue;
        table_row(t);
        section_add_reference(table_cell(t), all, c->id);
        for (int s = 0; s < SWITCHES; s++) add_coverage(t, c, s);
    }
}

/* ---- on the page: how widely each switch was tried ---- */

static const doc_column switch_columns[] = {
    { .title = "switch of the model" }, { .title = "claims tried with it", .kind = COLUMN_NUMBER },
    { .title = "decided trials", .kind = COLUMN_NUMBER } };

void section_switches(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "coverage", "What the claims were tried with", "Coverage");
    doc_paragraph(d, TO_HTML, "Each entry says with which switches of the model its claim was tried; "
                  "\\texttt{coverage.csv} also says why others were not.");
    doc_table *t = doc_add_table(d, TO_HTML, TABLE_SCROLLS, switch_columns, COUNT(switch_columns));
    t->fold = "All switches";
    for (int s = 0; s < SWITCHES; s++) {
        long claims = 0, trials = 0, count;
        const char *why;
        for (long k = 0; k < all->n; k++) {
            if (!record_is_built(&all->at[k]) || coverage_of(&all->at[k], s, &count, &why) != COVERAGE_TRIED) continue;
            claims += count > 0;
            trials += count;
        }
        table_row(t);
        table_text(t, coverage_switch_names[s]);
        table_format(t, "%ld", claims);
        table_format(t, "%ld", trials);
    }
}

/* ---- for machines ---- */

void section_coverage_data(document *d, const evidence_set *all)
{
    static char name[SWITCHES][32], means[SWITCHES][64];
    static data_column columns[1 + SWITCHES] = { { "id", DATA_TEXT, "", "the claim" } };
    for (int s = 0; s < SWITCHES; s++) {
        coverage_switch_column(name[s], sizeof name[s], s);
        snprintf(means[s], sizeof means[s], "decided trials with %s", coverage_switch_names[s]);
        columns[1 + s] = (data_column){ name[s], DATA_WHOLE, "trials", means[s] };
    }
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->n; k++) {
        table_row(t);
        table_text(t, all->at[k].id);
        for (int s = 0; s < SWITCHES; s++) {
            const char *why;
            long count;
            const coverage_kind is = coverage_of(&all->at[k], s, &count, &why);
            table_real(t, "%.0f", is == COVERAGE_PENDING ? NAN : (double)count);
        }
    }
}

void section_untried(document *d, const evidence_set *all)
{
    static const data_column columns[] = {
        { "id", DATA_TEXT, "", "the claim" },
        { "switch", DATA_TEXT, "", "column of coverage.csv" },
        { "why", DATA_TEXT, "", "why no decided trial of the claim has it" } };
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->n; k++)
        for (int s = 0; s < SWITCHES; s++) {
            char name[32];
            const char *why;
            long count;
            if (coverage_of(&all->at[k], s, &count, &why) == COVERAGE_TRIED) continue;
            coverage_switch_column(name, sizeof name, s);
            table_row(t);
            table_texts(t, (const char *const[]){ all->at[k].id, name, why }, 3);
        }
}
