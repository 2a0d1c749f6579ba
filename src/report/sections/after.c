/* SPDX-License-Identifier: GPL-3.0-or-later
 * after.c - what the papers' empirical claims look like after all evidence: a paragraph for each, made from the
 * records.
 *
 * No sentence holds a measured figure or an outcome of its own: what is printed comes from the tables of the papers,
 * what was measured from a recorded line, the last word from the outcome of that line. */
#include <stdlib.h>
#include <string.h>
#include "src/report/collect/table_charts.h"
#include "src/report/sections/sections.h"

static void add_measured(doc_line *to, const record *r, const char *word)
{
    char *value = result_interval_text(r->line), *size = record_size(r);
    line_format(to, SPAN_TEXT, "%s at %s, n = %s (%s.csv): ", *value ? value : "no figure of every run", size,
                r->line->cell[R_N], r->p->name);
    line_styled(to, STYLE_STRONG, word);
    if (r->is == OUTCOME_SEEDS_ONLY) line_format(to, SPAN_TEXT, ", %s", section_seeds_only);
    else if (!r->e->full) line_add(to, SPAN_TEXT, " at this size");
    free(value);
    free(size);
}

/* What the papers print, and what is asked. */
static void add_asked(doc_line *to, const question *q)
{
    char *printed = question_printed(q);
    if (*printed) line_format(to, SPAN_TEXT, "%s.  ", printed);
    free(printed);
    line_add(to, SPAN_TEXT, q->e->full ? "Tested: " : "Asked here, not by the papers: ");
    if (q->plan->kind == BELOW) line_format(to, SPAN_TEXT, "%s is below %s", q->plan->first, q->plan->second);
    else line_format(to, SPAN_TEXT, "%s and %s are the same within %g, a margin chosen here,", q->plan->first,
                     q->plan->second, q->plan->margin);
    line_format(to, SPAN_TEXT, " in %s", question_metric(q));
    if (q->plan->note) line_format(to, SPAN_TEXT, " (%s)", q->plan->note);
    line_add(to, SPAN_TEXT, ".");
}

void section_add_question(doc_line *to, const evidence_set *all, const question *q)
{
    record *r;
    const long n = question_records(&all->results, q, &r);
    add_asked(to, q);
    line_add(to, SPAN_TEXT, "  ");
    if (!n) line_styled(to, STYLE_STRONG, "No record compares them");
    else line_add(to, SPAN_TEXT, "Measured difference: ");
    for (long k = 0; k < n; k++) {
        if (k) line_add(to, SPAN_TEXT, "; ");
        add_measured(to, &r[k], question_standing_word(q, standing_of_outcome(r[k].is)));
    }
    line_add(to, SPAN_TEXT, ".");
    free(r);
}

/* ---- a table without planned comparisons: what is printed for several rows, in one sentence ---------------- */

static const char *printed_figure(const printed_row *of, long m)
{
    return experiment_paper(of->e, experiment_row(of->e, of->row), m);
}

/* Row k is the first for which this is printed of metric m. */
static bool printed_before(const printed_row *list, long k, long m)
{
    for (long i = 0; i < k; i++) {
        const char *other = printed_figure(&list[i], m);
        if (other && strcmp(other, printed_figure(&list[k], m)) == 0) return true;
    }
    return false;
}

static void add_figure(doc_line *to, const evidence_set *all, const printed_row *list, long k, long n, long m)
{
    const char *printed = printed_figure(&list[k], m), *of = "";
    text_buffer missing = { 0 };
    line_format(to, SPAN_TEXT, "Printed of %s: %s.  Measured: ", list[k].e->shown[m].shown, printed);
    for (long i = k; i < n; i++) {
        const char *other = printed_figure(&list[i], m);
        record *r;
        if (!other || strcmp(other, printed) != 0) continue;
        if (printed_row_records(&all->results, &list[i], m, &r)) {
            line_format(to, SPAN_TEXT, "%s%s ", of, list[i].name);
            add_measured(to, &r[0], standing_word[standing_of_outcome(r[0].is)]);
            of = "; ";
        } else text_add(&missing, "%s%s", missing.length ? ", " : "", list[i].name);
        free(r);
    }
    char *names = text_take(&missing);
    if (*names) {
        line_add(to, SPAN_TEXT, of);
        line_styled(to, STYLE_STRONG, standing_word[NOT_RUN]);
        line_format(to, SPAN_TEXT, " for %s", names);
    }
    line_add(to, SPAN_TEXT, ".");
    free(names);
}

static void add_figures(doc_block *bullets, const evidence_set *all, const paper_table *t)
{
    printed_row *list;
    const long n = paper_table_rows(t, &list);
    for (long m = 0; m < PRESET_METRICS; m++)
        for (long k = 0; k < n; k++)
            if (list[k].e->shown[m].name && printed_figure(&list[k], m) && !printed_before(list, k, m))
                add_figure(&doc_add_item(bullets, NULL)->text, all, list, k, n, m);
    free(list);
}

static bool has_record(const evidence_set *all, const question *q)
{
    record *r;
    const long n = question_records(&all->results, q, &r);
    free(r);
    return n > 0;
}

/* What its printed figures say, where the measured differences stand under another table. */
static void add_answered(doc_block *bullets, const question *q, long n, const paper_table *shown)
{
    for (long k = 0; k < n; k++) add_asked(&doc_add_item(bullets, NULL)->text, &q[k]);
    line_format(&doc_add_item(bullets, NULL)->text, SPAN_TEXT, "The measured differences at the sizes that are named "
                "here stand above, under %s.", shown->title);
}

/* Those that a record answers, one by one; how many are left. */
static void add_questions(doc_block *bullets, const evidence_set *all, const paper_table *t, const question *q, long n)
{
    long left = 0;
    for (long k = 0; k < n; k++) {
        if (has_record(all, &q[k])) section_add_question(&doc_add_item(bullets, NULL)->text, all, &q[k]);
        else                        left++;
    }
    if (!left) return;
    doc_line *to = &doc_add_item(bullets, NULL)->text;
    line_styled(to, STYLE_STRONG, "No record");
    char *count = left > 1 ? must_format("%ld ", left) : must_strdup("");
    line_format(to, SPAN_TEXT, " answers the %s%splanned comparison%s; ", left < n ? "other " : "", count,
                left > 1 ? "s" : "");
    line_link(to, "the table's own chapter", t->id);
    line_format(to, SPAN_TEXT, " lists %s.", left > 1 ? "them" : "it");
    free(count);
}

/* Each row of 002 has figures of its own; its table shows them. */
static bool list_of_runs(const paper_table *t) { return t->table != NULL; }

static void add_table(document *d, const evidence_set *all, const paper_table *t)
{
    char *words = paper_table_words(&all->results, t), *missing = paper_table_price_words(&all->results, t, all->kinds);
    question *q;
    const long n = paper_table_questions(t, &q);
    const paper_table *shown = paper_table_answered_with(&all->results, t);
    char *id = must_format("after-%s", t->id);
    line_add(&doc_heading(d, 0, 2, id, NULL)->text, SPAN_TEXT, t->title);
    free(id);
    doc_line *to = &doc_paragraph(d, 0, NULL)->text;
    line_add(to, SPAN_TEXT, words);
    line_add(to, SPAN_TEXT, *missing ? ".  To complete the table, " : ".");
    line_add(to, SPAN_TEXT, missing);
    if (*missing) line_add(to, SPAN_TEXT, ".");
    doc_block *list = doc_add(d, BLOCK_BULLETS, 0);
    if (shown) add_answered(list, q, n, shown);
    else add_questions(list, all, t, q, n);
    if (!n && !list_of_runs(t)) add_figures(list, all, t);
    free(q);
    free(words);
    free(missing);
}

void section_after(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "after", "What the papers' claims look like after all evidence", "After all evidence");
    line_format(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, "A paragraph for each empirical table, made from the "
                "records: consistent, inconsistent and unresolved are the outcomes of comparisons that were planned "
                "before the runs; questions that we added are answered yes or no.  A difference is the first less the "
                "second; a comparison is inconsistent if its 95 %% interval lies on the other side of 0 or beyond the "
                "margin, and that is not corrected for the number of comparisons.  Printed figures are counted "
                "apart: one is consistent if it lies within two standard deviations of our seeds from their mean, an "
                "accuracy also within three standard errors of our test images, which is the easier the more the seeds "
                "scatter, while chance alone makes one printed run in five miss the mean of three seeds.  What holds "
                "at a smaller size holds for that size only.  Losses are in nats: a token in the printed language "
                "models, a byte in those trained here, a picture in the vision models.  %s", price_assumed);
    for (long k = 0; k < paper_tables_count; k++) add_table(d, all, &paper_tables[k]);
}
