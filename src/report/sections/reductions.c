/* SPDX-License-Identifier: GPL-3.0-or-later
 * reductions.c - what goes from trained weights and what cannot: the files that `provably reduce` wrote, setting by
 * setting, beside what rounding explains (src/experiments/trained_reductions.h).  Verdicts are recomputed from the
 * recorded figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/sections/sections.h"

static const char INTRO[] = "The models at the end of training, given to provably reduce. Each construction whose "
    "hypotheses hold was applied alone, and the file that was written is compared with the model: logits may differ by "
    "what rounding to the type of the file explains. A construction whose hypotheses do not hold was forced where "
    "matrices of these shapes can be made at all: what comes out is another function, or the same one, because "
    "hypotheses are sufficient and another theorem may cover the case. Bits: log2 of the condition "
    "number of what is inverted, so many bits can be lost before the result is rounded.";
static const char WHY_NOT[] = "What cannot go, and why: no file can be made of these.";

static const doc_column written_columns[] = {
    { .title = "setting", .mm = 20 }, { .title = "construction", .mm = 29 }, { .title = "claims", .mm = 13 },
    { .title = "numbers less", .kind = COLUMN_NUMBER, .mm = 12 },
    { .title = "of the model", .kind = COLUMN_NUMBER, .mm = 10 },
    { .title = "bits", .kind = COLUMN_NUMBER, .mm = 6 },
    { .title = "logits differ by", .kind = COLUMN_NUMBER, .mm = 12 },
    { .title = "rounding explains", .kind = COLUMN_NUMBER, .mm = 13 },
    { .title = "most likely token", .kind = COLUMN_NUMBER, .mm = 13 }, { .title = "", .mm = 20 } };
static const doc_column refused_columns[] = {
    { .title = "construction", .mm = 38 }, { .title = "claims", .mm = 13 }, { .title = "settings", .mm = 48 },
    { .title = "why", .mm = 52 } };

static void add_claims(doc_line *l, const evidence_set *all, const char *claims)
{
    char *copy = must_strdup(claims), *rest = copy, *id;
    for (bool first = true; (id = strsep(&rest, " ")); first = false) {
        if (!first) line_add(l, SPAN_TEXT, " ");
        section_add_reference(l, all, id);
    }
    free(copy);
}

static bool no_file(const reduction_finding *f) { return !f->applies && isnan(f->gap); }

/* The setting stands in its first row. */
static void add_written(doc_table *t, const evidence_set *all, const reduction_finding *f, bool first)
{
    table_row(t);
    table_text(t, first ? f->setting : "");
    table_format(t, "%s%s%s", f->applies ? "" : "forced: ", f->what, f->untied ? "; the head untied" : "");
    add_claims(table_cell(t), all, f->claims);
    if (f->applies) {
        table_format(t, "%.0f", f->parameters);
        table_format(t, "%.1f %%", 100 * f->parameters / f->of);
    } else {
        table_text(t, "");
        table_text(t, "");
    }
    if (isnan(f->bits)) table_text(t, "");
    else table_format(t, "%.1f", f->bits);
    if (isnan(f->gap)) {
        for (int k = 0; k < 3; k++) table_text(t, "");
        table_text(t, "applies; no file of this kind says so");
        return;
    }
    const char *why;
    const outcome is = trained_reduction_judge(f, &why);
    table_format(t, "%.2g", f->gap);
    table_format(t, "%.2g", f->rounding);
    table_format(t, "%ld of %ld", f->same_first, f->tokens);
    table_format(t, "%s%s%s", outcome_word[is], why ? ": " : "", why ? why : "");
}

static bool same_reason(const reduction_finding *a, const reduction_finding *b)
{
    return no_file(b) && strcmp(a->what, b->what) == 0 && strcmp(a->why, b->why) == 0;
}

/* One row for all settings with the same reason, at the first of them. */
static void add_refused(doc_table *t, const evidence_set *all, long at)
{
    const reduction_findings *r = &all->reductions;
    const reduction_finding *f = &r->at[at];
    for (long k = 0; k < at; k++) if (same_reason(f, &r->at[k])) return;
    text_buffer settings = { 0 };
    for (long k = at; k < r->n; k++)
        if (same_reason(f, &r->at[k])) text_add(&settings, "%s%s", k == at ? "" : ", ", r->at[k].setting);
    char *names = text_take(&settings);
    table_row(t);
    table_text(t, f->what);
    add_claims(table_cell(t), all, f->claims);
    table_text(t, names);
    table_text(t, f->why);
    free(names);
}

static doc_table *new_table(document *d, const doc_column *columns, size_t n)
{
    doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, columns, (long)n);
    t->size = "\\footnotesize";
    return t;
}

void section_add_reductions(document *d, const evidence_set *all)
{
    const reduction_findings *r = &all->reductions;
    if (!r->n) return;
    line_add(&doc_heading(d, 0, 2, NULL, NULL)->text, SPAN_TEXT, "What goes from trained weights, and what cannot");
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, INTRO);
    doc_table *t = new_table(d, written_columns, COUNT(written_columns));
    const char *setting = "";
    for (long k = 0; k < r->n; k++) {
        if (no_file(&r->at[k])) continue;
        add_written(t, all, &r->at[k], strcmp(setting, r->at[k].setting) != 0);
        setting = r->at[k].setting;
    }
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, WHY_NOT);
    t = new_table(d, refused_columns, COUNT(refused_columns));
    for (long k = 0; k < r->n; k++) if (no_file(&r->at[k])) add_refused(t, all, k);
}

/* ---- for machines ---- */

void section_reductions(document *d, const evidence_set *all)
{
    static const data_column columns[] = {
        { "setting", DATA_TEXT, "", "how the model was trained" },
        { "step", DATA_WHOLE, "steps", "after how many steps of training" },
        { "construction", DATA_TEXT, "", "what it does, in plain text" },
        { "claims", DATA_TEXT, "", "ids of the theorems, with blanks between them" },
        { "applies", DATA_FLAG, "", "1: its hypotheses hold for this model" },
        { "untied", DATA_FLAG, "", "1: the tied head became a matrix of its own" },
        { "word", DATA_TEXT, "", "of provably reduce --apply; empty: it has no such construction" },
        { "parameters", DATA_REAL, "numbers", "that go" },
        { "of", DATA_REAL, "numbers", "of the model" },
        { "bits", DATA_REAL, "bits", "log2 of the condition number of what is inverted; empty: nothing is" },
        { "gap", DATA_REAL, "", "largest difference of a logit, of the file written; empty: none was" },
        { "rounding", DATA_REAL, "", "what rounding to the type of the file explains of it" },
        { "largest_logit", DATA_REAL, "", "the largest absolute value of a logit" },
        { "tokens", DATA_WHOLE, "tokens", "compared" },
        { "same_first", DATA_WHOLE, "tokens", "whose most likely next token is the same" },
        { "why", DATA_TEXT, "", "why it applies or does not, a sentence" } };
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->reductions.n; k++) {
        const reduction_finding *f = &all->reductions.at[k];
        const double numbers[] = { f->parameters, f->of, f->bits, f->gap, f->rounding, f->largest };
        table_row(t);
        table_text(t, f->setting);
        table_whole(t, f->step);
        table_text(t, f->what);
        table_text(t, f->claims);
        table_whole(t, f->applies);
        table_whole(t, f->untied);
        table_text(t, f->word);
        for (size_t w = 0; w < COUNT(numbers); w++) table_real(t, "%.8g", numbers[w]);
        table_whole(t, f->tokens);
        table_whole(t, f->same_first);
        table_text(t, f->why);
    }
}
