/* SPDX-License-Identifier: GPL-3.0-or-later
 * data.c - see data.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/report/document/data.h"
#include "src/report/document/plain_text.h"

static char after(const doc_table *t, long column) { return column + 1 < t->columns ? ',' : '\n'; }

void csv_table(FILE *f, const doc_table *t)
{
    for (long k = 0; k < t->columns; k++) csv_field(f, t->data[k].name, after(t, k));
    for (long r = 0; r < t->n; r++)
        for (long k = 0; k < t->columns; k++) {
            char *text = plain_text(&t->row[r].cell[k].text, TO_DATA);
            csv_field(f, text, after(t, k));
            free(text);
        }
}

/* ---- JSON ---- */

static json_t *json_value(const char *text, data_type type)
{
    char *end;
    if (!*text) return json_null();
    if (type == DATA_TEXT || strcmp(text, "Inf") == 0 || strcmp(text, "-Inf") == 0) return json_string(text);
    if (type == DATA_FLAG) return json_boolean(strcmp(text, "1") == 0);
    json_t *x = type == DATA_WHOLE ? json_integer(strtoll(text, &end, 10)) : json_real(strtod(text, &end));
    REQUIRE(x && !*end, "`%s` is no number", text);
    return x;
}

json_t *json_table(const doc_table *t)
{
    json_t *all = json_array();
    for (long r = 0; r < t->n; r++) {
        json_t *row = json_object();
        for (long k = 0; k < t->columns; k++) {
            char *text = plain_text(&t->row[r].cell[k].text, TO_DATA);
            json_object_set_new(row, t->data[k].name, json_value(text, t->data[k].type));
            free(text);
        }
        json_array_append_new(all, row);
    }
    return all;
}

/* ---- the dictionary ---- */

static const data_column dictionary_columns[] = {
    { "file", DATA_TEXT, "", "the file, beside this one" },
    { "column", DATA_TEXT, "", "the column of that file" },
    { "type", DATA_TEXT, "", "text, integer, number, or flag: 0 or 1" },
    { "unit", DATA_TEXT, "", "of a number; empty for pure numbers and for text" },
    { "meaning", DATA_TEXT, "", "what a cell says" } };

doc_table *dictionary_new(document *d) { return doc_data_table(d, dictionary_columns, COUNT(dictionary_columns)); }

void dictionary_add(doc_table *to, const char *file, const doc_table *of)
{
    static const char *const type[] = { [DATA_TEXT] = "text", [DATA_WHOLE] = "integer", [DATA_REAL] = "number",
                                        [DATA_FLAG] = "flag" };
    for (long k = 0; k < of->columns; k++) {
        const data_column *c = &of->data[k];
        table_row(to);
        table_texts(to, (const char *const[]){ file, c->name, type[c->type], c->unit, c->means }, 5);
    }
}
