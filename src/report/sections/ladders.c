/* SPDX-License-Identifier: GPL-3.0-or-later
 * ladders.c - gap against precision and against condition number, for machines; slopes of each claim's ladders. */
#include <math.h>
#include <string.h>
#include "src/report/collect/ladders.h"
#include "src/report/sections/sections.h"

#define TRIAL \
    { "id", DATA_TEXT, "", "the claim" }, \
    { "part", DATA_TEXT, "", "the part of the claim" }, \
    { "case", DATA_TEXT, "", "claim, or the name of a negative control" }, \
    { "shape", DATA_TEXT, "", "sizes and switches of the model, NAME=VALUE separated by spaces" }, \
    { "seed", DATA_TEXT, "", "seed of the run: a number of 64 bits, kept as text because doubles round it" }, \
    { "trial", DATA_WHOLE, "", "number of the trial, from 0" }

/* The cells that say which trial a row is of. */
static void add_trial(doc_table *t, const char *const words[4], uint64_t seed, long trial)
{
    table_row(t);
    table_texts(t, words, 4);
    table_format(t, "%llu", (unsigned long long)seed);
    table_whole(t, trial);
}

static void add_ladder(doc_table *t, const rung *at, long n)
{
    const double slope = ladder_slope(at, n);
    for (long k = 0; k < n; k++) {
        const rung *r = &at[k];
        add_trial(t, (const char *const[]){ r->id, r->part, r->which, r->shape->text }, r->seed, r->trial);
        table_whole(t, r->bits);
        table_real(t, "%.6g", r->log2gap);
        table_real(t, "%.4f", slope);
        table_whole(t, isnan(slope));
    }
}

void section_ladder(document *d, const evidence_set *all)
{
    static const data_column columns[] = {
        TRIAL,
        { "bits", DATA_WHOLE, "bits", "precision of MPFR" },
        { "log2_gap", DATA_REAL, "log2", "largest relative gap at this precision; -Inf: none" },
        { "slope", DATA_REAL, "log2 per bit", "slope of log2_gap against bits of the whole trial; empty: exact" },
        { "exact", DATA_FLAG, "", "1: too few precisions have a gap for a slope" } };
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->n; k++) {
        const rung_list *of = &all->at[k].ladder;
        for (long i = 0, n; i < of->n; i += n) {
            n = ladder_length(of, i);
            add_ladder(t, &of->at[i], n);
        }
    }
}

void section_condition(document *d, const evidence_set *all)
{
    static const data_column columns[] = {
        TRIAL,
        { "kappa", DATA_REAL, "", "largest condition number inverted" },
        { "log2_gap", DATA_REAL, "log2", "relative gap in doubles; -Inf: none" },
        { "log2_bound", DATA_REAL, "log2", "the bound that it was judged against; Inf: none" } };
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->n; k++)
        for (long i = 0; i < all->at[k].own.n; i++) {
            const row *r = &all->at[k].own.at[i];
            if (!evidence_row_is_conditioned(r)) continue;
            add_trial(t, (const char *const[]){ r->id, r->part, r->which, r->shape->text }, r->seed, r->trial);
            table_real(t, "%.4g", r->kappa);
            table_real(t, "%.6g", r->log2gap);
            table_real(t, "%.6g", r->log2bound);
        }
}

/* ---- slopes ---- */

typedef struct { double low, high; long n; } slope_range;

/* Slopes of the identities of a claim: [0] of the claim itself, [1] of its controls; *exact: ladders without gaps. */
static void slopes_of(const claim_record *c, slope_range range[2], long *exact)
{
    const rung_list *all = &c->ladder;
    for (int k = 0; k < 2; k++) range[k] = (slope_range){ INFINITY, -INFINITY, 0 };
    *exact = 0;
    for (long i = 0, n; i < all->n; i += n) {
        n = ladder_length(all, i);
        if (!record_is_identity(c, all->at[i].part) || ladder_shows_difference(c, &all->at[i], n)) continue;
        const double x = ladder_slope(&all->at[i], n);
        slope_range *r = &range[all->at[i].subject != ROW_OF_CLAIM];
        if (isnan(x)) { ++*exact; continue; }
        *r = (slope_range){ fmin(r->low, x), fmax(r->high, x), r->n + 1 };
    }
}

static void add_slope(doc_table *t, double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.4f", x);
    table_number(t, isfinite(x) ? text : NULL);
}

void section_slopes(document *d, const evidence_set *all)
{
    static const doc_column columns[] = {
        { .title = "claim" }, { .title = "ladders", .kind = COLUMN_NUMBER },
        { .title = "lowest", .kind = COLUMN_NUMBER }, { .title = "highest", .kind = COLUMN_NUMBER },
        { .title = "ladders", .kind = COLUMN_NUMBER }, { .title = "lowest", .kind = COLUMN_NUMBER },
        { .title = "highest", .kind = COLUMN_NUMBER }, { .title = "exact", .kind = COLUMN_NUMBER } };
    doc_table *t = doc_add_table(d, TO_LATEX, TABLE_PLAIN, columns, COUNT(columns));
    t->size = "\\small";
    t->groups = "& \\multicolumn{3}{c}{claim} & \\multicolumn{3}{c}{controls} &\\\\\\cmidrule(lr){2-4}"
                "\\cmidrule(lr){5-7}\n";
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        slope_range range[2];
        long exact;
        if (!c->ladder.n) continue;
        slopes_of(c, range, &exact);
        table_row(t);
        line_link(table_cell(t), c->id, c->id);
        for (int control = 0; control < 2; control++) {
            table_format(t, "%ld", range[control].n);
            add_slope(t, range[control].low);
            add_slope(t, range[control].high);
        }
        table_format(t, "%ld", exact);
    }
}
