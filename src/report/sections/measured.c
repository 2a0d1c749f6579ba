/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured.c - measured beside predicted: the figures of a claim, pooled over its trials. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/measured.h"
#include "src/report/sections/sections.h"

static const doc_column measured_columns[] = {
    { .title = "part", .mm = 27 }, { .title = "figure", .mm = 46 }, { .title = "at", .kind = COLUMN_NUMBER },
    { .title = "measured", .kind = COLUMN_NUMBER }, { .title = "95\\,\\% interval", .kind = COLUMN_NUMBER },
    { .title = "predicted", .kind = COLUMN_NUMBER }, { .title = "trials", .kind = COLUMN_NUMBER } };

static void add_number(doc_line *to, double x, const pooled_figure *p)
{
    char text[32];
    measured_pooled_number(text, sizeof text, x, p);
    line_add(to, isnan(x) ? SPAN_DASH : SPAN_NUMBER, text);
}

static void add_row(doc_table *t, const pooled_figure *p)
{
    const bool control = p->subject != ROW_OF_CLAIM;
    table_row(t);
    table_format(t, "%s%s%s", p->part, control ? ", control " : "", control ? p->which : "");
    table_text(t, p->name);
    if (isnan(p->x)) table_number(t, NULL);
    else table_format(t, "%.4g", p->x);
    add_number(table_cell(t), p->value, p);
    doc_line *interval = table_cell(t);
    if (p->high > p->low) {
        add_number(interval, p->low, p);
        line_add(interval, SPAN_TEXT, " to ");
        add_number(interval, p->high, p);
    } else line_add(interval, SPAN_DASH, "");
    add_number(table_cell(t), p->predicted, p);
    table_format(t, "%ld", p->trials);
}

/* Of controls only what was claimed of them; the rest is for the plot. */
static bool in_table(const pooled_figure *p) { return p->subject == ROW_OF_CLAIM || !isnan(p->predicted); }

static void add_plot(document *d, const claim_record *c)
{
    chart plot = chart_figures(c);
    if (chart_empty(&plot)) return;
    doc_block *b = doc_add(d, BLOCK_CHART, 0);
    b->chart = plot;
    line_format(&b->text, SPAN_TEXT, "%s, measured, and the power laws fitted to it: ", plot.y_label);
    for (long k = 0, shown = 0; k < plot.n; k++)
        if (plot.at[k].kind == OF_RULE) line_format(&b->text, SPAN_TEXT, "%s%s", shown++ ? "; " : "", plot.at[k].name);
    line_add(&b->text, SPAN_TEXT, ".");
}

/* The trials of a trained model differ by far more than the samples on which each is measured. */
static const char WITHIN[] = "Each interval is over the samples within the trials: where every trial draws weights of "
    "its own, other trials may differ by more.";

void section_add_measured(document *d, const claim_record *c)
{
    pooled_figure *all;
    const long n = record_figures(c, &all);
    if (n) {
        doc_heading(d, TO_HTML, 2, NULL, "Measured beside predicted");
        doc_paragraph(d, 0, WITHIN);
        doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, measured_columns, COUNT(measured_columns));
        t->size = "\\small";
        for (long k = 0; k < n; k++) if (in_table(&all[k])) add_row(t, &all[k]);
    }
    free(all);
    add_plot(d, c);
}

/* ---- for machines ---- */

static const data_column figure_columns[] = {
    { "id", DATA_TEXT, "", "the claim" },
    { "part", DATA_TEXT, "", "the part of the claim" },
    { "case", DATA_TEXT, "", "claim, or the name of a negative control" },
    { "shape", DATA_TEXT, "", "sizes and switches of the model, NAME=VALUE separated by spaces" },
    { "figure", DATA_TEXT, "", "what was measured" },
    { "x", DATA_REAL, "", "the size at which, where it was measured at several" },
    { "trials", DATA_WHOLE, "trials", "over how many trials value is the mean" },
    { "value", DATA_REAL, "", "the mean" },
    { "low", DATA_REAL, "", "lower end of its 95 % interval, over the samples within the trials" },
    { "high", DATA_REAL, "", "upper end of it" },
    { "predicted", DATA_REAL, "", "what theory predicts; empty: nothing" } };

void section_figures(document *d, const evidence_set *all)
{
    doc_table *t = doc_data_table(d, figure_columns, COUNT(figure_columns));
    for (long k = 0; k < all->n; k++) {
        pooled_figure *of;
        const long n = record_figures(&all->at[k], &of);
        for (long i = 0; i < n; i++) {
            const pooled_figure *p = &of[i];
            const char *const words[] = { all->at[k].id, p->part, p->which, p->shape->text, p->name };
            const double numbers[] = { p->value, p->low, p->high, p->predicted };
            table_row(t);
            table_texts(t, words, COUNT(words));
            table_real(t, "%.6g", p->x);
            table_whole(t, p->trials);
            for (size_t w = 0; w < COUNT(numbers); w++) table_real(t, "%.8g", numbers[w]);
        }
        free(of);
    }
}
