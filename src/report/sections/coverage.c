/* coverage.c - claim by switch of the model: with what was each claim tried? */
#include <stdlib.h>
#include "src/base/base.h"
#include "src/report/collect/coverage.h"
#include "src/report/sections/sections.h"

static void add_coverage(doc_table *t, const claim_record *c, int which)
{
    static const char *const sign[] = { [COVERAGE_CANNOT] = "\u00d7", [COVERAGE_NO_SWITCH] = "\u00b7",
                                        [COVERAGE_PENDING] = "" };
    static const char *const command[] = { [COVERAGE_TRIED] = "\\tried", [COVERAGE_CANNOT] = "\\cannot",
                                           [COVERAGE_NO_SWITCH] = "\\untried", [COVERAGE_PENDING] = "" };
    const char *reason;
    long count;
    doc_line *to = table_cell(t);
    const coverage_kind kind = coverage_of(c, which, &count, &reason);
    line_add_to(to, TO_LATEX, SPAN_LATEX, command[kind]);
    if (kind == COVERAGE_TRIED) {
        char *text = must_format("%ld", count);
        line_add_to(to, TO_HTML | TO_CSV, SPAN_TEXT, text);
        free(text);
        return;
    }
    line_add_to(to, TO_CSV, SPAN_TEXT, reason);
    line_open(to, STYLE_SOFT);
    line_add_to(to, TO_HTML, SPAN_TEXT, sign[kind]);
    line_close(to, STYLE_SOFT);
    doc_row *r = &t->row[t->n - 1];
    r->cell[r->n - 1].title = must_strdup(reason);
}

void section_coverage(document *d, const evidence_set *all)
{
    static doc_column column[1 + SWITCHES];
    column[0] = (doc_column){ .title = "claim", .csv = "id", .kind = COLUMN_ID };
    for (int s = 0; s < SWITCHES; s++)
        column[1 + s] = (doc_column){ .title = coverage_switch_names[s], .kind = COLUMN_NUMBER, .mm = 3.2 };
    doc_table *t = doc_add_table(d, 0, TABLE_GRID, column, COUNT(column));
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        table_row(t)->to = record_is_built(c) ? 0 : TO_CSV;
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
