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
    doc_section(d, TO_HTML, "coverage", "Coverage", "Coverage");
    doc_paragraph(d, TO_HTML, "Decided trials of each claim with each switch of the model. \u00b7 not a switch of this "
                  "claim; \u00d7 not run, for the reason in its title. Pending claims have no row.");
    doc_table *t = doc_add_table(d, 0, TABLE_GRID, column, COUNT(column));
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        table_row(t)->to = record_is_built(c) ? 0 : TO_CSV;
        section_add_reference(table_cell(t), all, c->id);
        for (int s = 0; s < SWITCHES; s++) add_coverage(t, c, s);
    }
}
