/* csv.c - a table as CSV: see csv.h. */
#include <stdlib.h>
#include "src/base/csv.h"
#include "src/report/document/csv.h"
#include "src/report/document/plain_text.h"

static bool in_csv(const doc_table *t, long column) { return !t->column || doc_is_for(t->column[column].to, TO_CSV); }

static void csv_head(FILE *f, const doc_table *t, long last)
{
    if (t->header) fprintf(f, "%s\n", t->header);
    for (long k = 0; k <= last && !t->header; k++)
        if (in_csv(t, k)) csv_field(f, t->column[k].csv ? t->column[k].csv : t->column[k].title, k < last ? ',' : '\n');
}

void csv_table(FILE *f, const doc_table *t)
{
    long last = t->columns - 1;
    while (!in_csv(t, last)) last--;
    csv_head(f, t, last);
    for (long r = 0; r < t->n; r++) {
        if (!doc_is_for(t->row[r].to, TO_CSV)) continue;
        for (long k = 0; k <= last; k++) {
            if (!in_csv(t, k)) continue;
            char *text = plain_text(&t->row[r].cell[k].text, TO_CSV);
            csv_field(f, text, k < last ? ',' : '\n');
            free(text);
        }
    }
}
