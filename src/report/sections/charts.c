/* SPDX-License-Identifier: GPL-3.0-or-later
 * charts.c - what is plotted.
 *
 * Gap against precision: per part and case the largest gap at each precision.  Identities fall with slope -1, controls
 * level off.  Gap against condition number: one point per trial in doubles, with the bound it was judged against.
 * Figures: each measured at several x, with its power law. */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/collect/answers.h"
#include "src/report/collect/ladders.h"
#include "src/report/collect/measured.h"
#include "src/report/collect/table_charts.h"
#include "src/report/document/output.h"
#include "src/report/sections/sections.h"

static void add_rung(chart *c, const claim_record *of, const rung *r)
{
    char name[160];
    if (!isfinite(r->log2gap) || !record_is_identity(of, r->part)) return;
    snprintf(name, sizeof name, "%s %s: %s", r->id, r->part, r->which);
    chart_series *s = chart_add_series(c, r->subject == ROW_OF_CLAIM ? OF_CLAIM : OF_CONTROL, name);
    for (long k = 0; k < s->n; k++)
        if (s->x[k] == (double)r->bits) {
            s->y[k] = fmax(s->y[k], r->log2gap);
            return;
        }
    chart_add_point(s, (double)r->bits, r->log2gap);
}

static void add_ladders(chart *c, const claim_record *of)
{
    for (long i = 0, n; i < of->ladder.n; i += n) {
        n = ladder_length(&of->ladder, i);
        if (ladder_shows_difference(of, &of->ladder.at[i], n)) continue;
        for (long k = i; k < i + n; k++) add_rung(c, of, &of->ladder.at[k]);
    }
}

chart chart_ladder(const evidence_set *all, const claim_record *only)
{
    chart c = { .file = "ladder", .title = "Gap against precision", .x_label = "precision of MPFR (bits)",
                .y_label = "largest gap, relative", .y_base = 2, .joined = true,
                .kind_name = { "claims: original against reduced model", "variants with a deliberate error",
                               "rule: slope -1" } };
    for (long k = 0; k < all->n; k++) if (!only || only == &all->at[k]) add_ladders(&c, &all->at[k]);
    if (!c.n) return c;
    double x[2], y[2];
    chart_range(&c, x, y);
    chart_series *rule = chart_add_series(&c, OF_RULE, c.kind_name[OF_RULE]);
    chart_add_point(rule, 0, 0);
    chart_add_point(rule, fmin(x[1], -y[0]), -fmin(x[1], -y[0]));
    return c;
}

static chart chart_condition(const evidence_set *all)
{
    const double log10_2 = log10(2);
    chart c = { .file = "condition", .title = "Gap against condition number",
                .x_label = "largest condition number inverted",
                .y_label = "relative gap in doubles", .x_base = 10, .y_base = 10,
                .kind_name = { "claims", "variants with a deliberate error", "bound measured on the instance" } };
    for (long k = 0; k < all->n; k++)
        for (long i = 0; i < all->at[k].own.n; i++) {
            const row *r = &all->at[k].own.at[i];
            if (!evidence_row_is_conditioned(r)) continue;
            if (!isfinite(r->log2gap) || !record_is_identity(&all->at[k], r->part)) continue;
            const bool must_differ = (r->verdict == HOLDS) == (r->log2gap > r->log2bound);
            if (must_differ) continue;                                          /* no error of anything */
            const series_kind kind = evidence_row_is_claim(r) ? OF_CLAIM : OF_CONTROL;
            chart_add_point(chart_add_series(&c, kind, c.kind_name[kind]), log10(r->kappa), r->log2gap * log10_2);
            if (kind != OF_CLAIM || !isfinite(r->log2bound)) continue;
            chart_add_point(chart_add_series(&c, OF_RULE, c.kind_name[OF_RULE]), log10(r->kappa),
                            r->log2bound * log10_2);
        }
    return c;
}

enum { LEAST_POINTS = 3 };               /* fewer show no law */

static bool plotted(const pooled_figure *p) { return p->x > 0 && p->value > 0; }

/* One power law through the points of a series, log10 against log10. */
static void add_fit(chart *c, const chart_series *of)
{
    char name[160];
    double a, b, cov00, cov01, cov11, sum;
    gsl_fit_linear(of->x, 1, of->y, 1, (size_t)of->n, &a, &b, &cov00, &cov01, &cov11, &sum);
    double from = of->x[0], to = of->x[0];
    for (long k = 1; k < of->n; k++) from = fmin(from, of->x[k]), to = fmax(to, of->x[k]);
    snprintf(name, sizeof name, "fit to %.60s: exponent %.3f", of->name, b);
    chart_series *rule = chart_add_series(c, OF_RULE, name);
    chart_add_point(rule, from, a + b * from);
    chart_add_point(rule, to, a + b * to);
}

chart chart_figures(const claim_record *of)
{
    chart c = { .title = "Measured against size", .x_label = "size", .x_base = 10, .y_base = 10, .ruled = true,
                .kind_name = { "measured: claims", "measured: controls, one hypothesis broken", "fitted power laws" } };
    char program[32];
    pooled_figure *all;
    const long n = record_figures(of, &all);
    record_program(program, sizeof program, of);
    snprintf(c.file, sizeof c.file, "figures-%s", program);
    for (long k = 0; k < n; k++) {
        char name[160];
        long points = 0;
        for (long i = 0; i < n; i++)
            points += plotted(&all[i]) && strcmp(all[i].part, all[k].part) == 0
                   && strcmp(all[i].which, all[k].which) == 0 && strcmp(all[i].name, all[k].name) == 0;
        if (!plotted(&all[k]) || points < LEAST_POINTS) continue;
        snprintf(name, sizeof name, "%s %s: %s", all[k].part, all[k].which, all[k].name);
        chart_series *s = chart_add_series(&c, all[k].subject == ROW_OF_CLAIM ? OF_CLAIM : OF_CONTROL, name);
        chart_add_point(s, log10(all[k].x), log10(all[k].value));
        snprintf(c.y_label, sizeof c.y_label, "%s", all[k].name);
    }
    const long measured_series = c.n;
    for (long k = 0; k < measured_series; k++) {
        const chart_series at = c.at[k];                              /* chart_add_series moves them */
        add_fit(&c, &at);
    }
    free(all);
    return c;
}

static void add_chart(document *d, chart c, const char *caption)
{
    if (chart_empty(&c)) return;
    doc_block *b = doc_add(d, BLOCK_CHART, TO_HTML);
    b->chart = c;
    b->beside = true;
    line_add(&b->text, SPAN_LATEX, caption);
}

/* ---- on the page alone ---- */

/* How many claims have which evidence, and which verdict it led to. */
static chart chart_evidence(const evidence_set *all)
{
    static const char *const name[EVIDENCES] = { "none yet", "measured", "checked", "enclosed", "exact", "verified",
                                                 "derived", "formal" };
    chart c = { .title = "Claims by evidence and verdict", .x_label = "claims", .layout = CHART_BARS, .row_name = name,
                .rows = EVIDENCES };
    for (size_t v = 0; v < COUNT(verdict_order); v++)
        for (int by = 0; by < EVIDENCES; by++) {
            long n = 0;
            for (long k = 0; k < all->n; k++) {
                const part_verdict *p = judge_speaker(&all->at[k].v, false);
                n += all->at[k].v.as_stated == verdict_order[v] && (int)(p ? p->by : E_NONE) == by;
            }
            if (n) chart_add_point(chart_add_series(&c, OF_CLAIM, verdict_word(verdict_order[v])), (double)n, by);
        }
    return c;
}

/* Measured figures beside what was predicted of them, as a quotient; what was predicted to be 0 has none. */
static chart chart_predicted(const evidence_set *all)
{
    chart c = { .title = "Measured against predicted",
                .x_label = "measured minus predicted, per cent of the prediction", .layout = CHART_INTERVALS };
    for (long k = 0; k < all->n; k++) {
        pooled_figure *of;
        const long n = record_figures(&all->at[k], &of);
        for (long i = 0; i < n; i++) {
            const pooled_figure *p = &of[i];
            const bool shown = p->subject == ROW_OF_CLAIM && isfinite(p->predicted) && p->predicted != 0
                            && p->high > p->low && (isnan(p->x) || i + 1 == n || strcmp(of[i + 1].name, p->name) != 0);
            if (!shown) continue;
            char name[160];
            const double unit = 100 / fabs(p->predicted);
            snprintf(name, sizeof name, "%s %s", all->at[k].id, p->name);
            chart_add_interval(chart_add_series(&c, OF_CLAIM, name), (p->value - p->predicted) * unit, (double)c.n,
                               (p->low - p->predicted) * unit, (p->high - p->predicted) * unit);
        }
        free(of);
    }
    for (long k = 0; k < c.n; k++) for (long i = 0; i < c.at[k].n; i++) c.at[k].y[i] = (double)k + 1;
    return c;
}

void section_plots(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "plots", "Plots", "Plots");
    if (!all->partial) {
        char *classes = answer_classes(V_PROVED),
             *caption = must_format("The strongest evidence is at the bottom. A claim is PROVED only so: %s.", classes);
        add_chart(d, chart_evidence(all), caption);
        free(caption);
        free(classes);
    }
    add_chart(d, chart_ladder(all, NULL), "Each line is a part of a claim, or one of its variants with a deliberate "
              "error: the largest gap over its trials. Identities fall as rounding does, the others stay where they "
              "are.");
    add_chart(d, chart_condition(all), "Each mark is a trial in doubles: claims lie below the bound on their "
              "rounding errors, whatever the condition number, and variants with a deliberate error above it.");
    add_chart(d, chart_recounted(), "Values that the papers print, and the same recomputed from definitions: 1 is "
              "twice as much as it should be, $-1$ half as much.");
    add_chart(d, chart_predicted(all), "Means over random draws with their 95 % intervals, beside the papers' or our "
              "own predictions; several dots in a row are of several sizes or parts.");
}

/* verdicts.svg, for README: `make verdicts` keeps a copy beside the agreed verdicts. */
static void write_verdicts(const char *out, const evidence_set *all)
{
    chart c = chart_evidence(all);
    outfile o = output_open(out, "verdicts.svg");
    svg_chart(o.f, &c, SVG_SCREEN);
    outfile_close(&o);
    chart_free(&c);
}

/* An earlier run may have had more of a kind than these: they are numbered from 1 on. */
static void remove_further_plots(const char *out, const paper_table *t, const char *kind, const table_chart *list,
                                 long n)
{
    bool was = true;
    long number = 1;
    for (long k = 0; k < n; k++) number += strncmp(list[k].at.file, kind, strlen(kind)) == 0;
    for (; was; number++) {
        char *file = must_format("%s-%s-%ld", kind, t->id, number);
        was = chart_files_remove(out, file);
        free(file);
    }
}

void report_plots(const char *out, const evidence_set *all, bool pdf, bool quiet)
{
    chart of[] = { chart_ladder(all, NULL), chart_condition(all), chart_gaps(all), chart_gaps_in_training(all) };
    bool drawn = true;
    if (!all->partial) write_verdicts(out, all);
    for (size_t k = 0; k < COUNT(of); k++) {
        drawn &= chart_files(out, &of[k], pdf);
        chart_free(&of[k]);
    }
    for (long k = 0; k < all->n; k++) {
        chart plot = chart_figures(&all->at[k]);
        drawn &= chart_files(out, &plot, pdf);
        chart_free(&plot);
    }
    for (long k = 0; k < paper_tables_count; k++) {
        table_chart *of_table;
        const long n = table_charts(all, &paper_tables[k], &of_table);
        remove_further_plots(out, &paper_tables[k], "differences", of_table, n);
        remove_further_plots(out, &paper_tables[k], "curves", of_table, n);
        for (long i = 0; i < n; i++) {
            drawn &= chart_files(out, &of_table[i].at, pdf);
            chart_free(&of_table[i].at);
            free(of_table[i].caption);
        }
        free(of_table);
    }
    if (!drawn && !quiet) printf("no plots in the PDF: rsvg-convert is missing or failed (`make deps-report`)\n");
}
