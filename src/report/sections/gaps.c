/* SPDX-License-Identifier: GPL-3.0-or-later
 * gaps.c - trained weights on the way to W_Q = I: how much each change of basis changes the function, beside what was
 * predicted (src/experiments/trained_gap.h).  All verdicts are recomputed from the recorded figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/sections/sections.h"

static const char INTRO[] = "Models trained in each setting, and their streams rewritten step by step until every "
    "$W_Q$ is $I$: $\\Theta_i(t) = I + t(W_Q^i - I)$, $W_Q$ scaled to the size of an orthogonal matrix and gains "
    "folded. What the theorems allow must leave the function alone up to an estimate of rounding, "
    "$16u((\\kappa + 16)A + F)$ with $\\kappa$ the condition number inverted, $A$ the effect of one draw of relative "
    "noise in the weights and $F$ the figure itself. Of LayerNorm's models that is the orthogonal part that fixes the "
    "mean direction, of models with all skips what all layers have in common; the rest must change the loss by $t$ "
    "times the gradient's prediction. A control leaves $W_K$ in its old basis at $t = 1$, and must be told from "
    "rounding: a model that does not use its scores shows nothing.";
static const char AGAINST_T[] = "Change of a window's loss against $t$, models at the end of training. Circles: what "
    "the theorems allow, at the level of rounding; triangles: the whole change where they do not apply; lines: the "
    "slope predicted from the gradient.";
static const char AGAINST_STEP[] = "The same at $t = 1$, all $W_Q$ eliminated, against the step of training; lines: "
    "the predicted slopes at $t = 0$.";

static long last_step(const gap_curves *g)
{
    long last = 0;
    for (long k = 0; k < g->n; k++) if (g->at[k].step > last) last = g->at[k].step;
    return last;
}

/* log10, where there is one. */
static void add_point(chart_series *s, double x, double y) { if (y > 0) chart_add_point(s, x, log10(y)); }

static chart new_chart(const char *file, const char *title, const char *x_label, int x_base)
{
    chart c = { .title = title, .x_label = x_label, .x_base = x_base, .y_base = 10, .ruled = true,
                .kind_name = { "what the theorems allow", "the whole change, where they do not apply",
                               "predicted: first order" } };
    snprintf(c.file, sizeof c.file, "%s", file);
    snprintf(c.y_label, sizeof c.y_label, "change of a window's loss");
    return c;
}

/* One for each setting and curve. */
static chart_series *measured_series(chart *c, const gap_curve *of)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", of->setting, of->allowed ? ": allowed" : ": the whole change");
    return chart_add_series(c, of->allowed ? OF_CLAIM : OF_CONTROL, name);
}

static chart_series *predicted_series(chart *c, const gap_curve *of)
{
    char name[96];
    snprintf(name, sizeof name, "%s: predicted slope", of->setting);
    return chart_add_series(c, OF_RULE, name);
}

chart chart_gaps(const evidence_set *all)
{
    const gap_curves *g = &all->gaps;
    chart c = new_chart("trained-gap", "Gap against the change of basis", "t", 10);
    for (long i = 0; i < g->n; i++) {
        const gap_curve *of = &g->at[i];
        if (of->step != last_step(g)) continue;
        chart_series *s = measured_series(&c, of);
        for (int k = 0; k < GAP_POINTS; k++) add_point(s, -k * log10(2), of->at[k].rms);
        if (of->allowed) continue;
        s = predicted_series(&c, of);
        add_point(s, (1 - GAP_POINTS) * log10(2), ldexp(of->slope, 1 - GAP_POINTS));
        add_point(s, 0, of->slope);
    }
    return c;
}

chart chart_gaps_in_training(const evidence_set *all)
{
    const gap_curves *g = &all->gaps;
    chart c = new_chart("trained-gap-steps", "Gap against the step of training", "step", 0);
    for (long i = 0; i < g->n; i++) {
        const gap_curve *of = &g->at[i];
        add_point(measured_series(&c, of), (double)of->step, of->at[0].rms);
        if (!of->allowed) add_point(predicted_series(&c, of), (double)of->step, of->slope);
    }
    return c;
}

static const doc_column allowed_columns[] = {
    { .title = "what the theorems allow", .mm = 46 }, { .title = "step", .kind = COLUMN_NUMBER },
    { .title = "largest, loss", .kind = COLUMN_NUMBER }, { .title = "rounding allows", .kind = COLUMN_NUMBER },
    { .title = "$W_K$ left", .kind = COLUMN_NUMBER }, { .title = "$\\kappa$", .kind = COLUMN_NUMBER },
    { .title = "", .mm = 24 } };
static const doc_column whole_columns[] = {
    { .title = "the whole change", .mm = 46 }, { .title = "step", .kind = COLUMN_NUMBER },
    { .title = "slope", .kind = COLUMN_NUMBER }, { .title = "$\\pm$", .kind = COLUMN_NUMBER },
    { .title = "predicted", .kind = COLUMN_NUMBER }, { .title = "exponent", .kind = COLUMN_NUMBER },
    { .title = "$\\pm$", .kind = COLUMN_NUMBER }, { .title = "", .mm = 30 } };

static doc_table *new_table(document *d, const doc_column *columns, size_t n)
{
    doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, columns, (long)n);
    t->size = "\\footnotesize";
    return t;
}

static void begin_row(doc_table *t, const gap_curve *c)
{
    table_row(t);
    table_text(t, c->setting);
    table_format(t, "%ld", c->step);
}

static void end_row(doc_table *t, const gap_judgement *j)
{
    table_format(t, "%s%s%s", outcome_word[j->is], j->why ? ": " : "", j->why ? j->why : "");
}

/* The figures of the point with the largest difference; the largest condition number of all. */
static void add_allowed(doc_table *t, const gap_curve *c)
{
    const gap_judgement j = trained_gap_judge(c);
    double largest = 0, room = c->at[0].bound, kappa = 1;
    for (int k = 0; k < GAP_POINTS; k++) {
        if (c->at[k].largest > largest) largest = c->at[k].largest, room = c->at[k].bound;
        kappa = fmax(kappa, c->at[k].condition);
    }
    begin_row(t, c);
    table_format(t, "%.2g", largest);
    table_format(t, "%.2g", room);
    table_format(t, "%.2g", c->control);
    table_format(t, "%.2g", kappa);
    end_row(t, &j);
}

static void add_whole(doc_table *t, const gap_curve *c)
{
    const gap_judgement j = trained_gap_judge(c);
    begin_row(t, c);
    table_format(t, "%.9f", j.slope);
    table_format(t, "%.0e", j.slope_room);
    table_format(t, "%.9f", c->slope);
    table_format(t, "%.9f", j.exponent);
    table_format(t, "%.0e", j.exponent_room);
    end_row(t, &j);
}

static void add_table(document *d, const gap_curves *g, bool allowed)
{
    doc_table *t = allowed ? new_table(d, allowed_columns, COUNT(allowed_columns))
                           : new_table(d, whole_columns, COUNT(whole_columns));
    for (long k = 0; k < g->n; k++) {
        const gap_curve *c = &g->at[k];
        if (c->step != last_step(g) || c->allowed != allowed) continue;
        if (allowed) add_allowed(t, c);
        else         add_whole(t, c);
    }
}

/* Where the theorems do not apply, does W_Q move away from what they allow, and does the gap grow? */
static const doc_column training_columns[] = {
    { .title = "setting", .mm = 50 }, { .title = "step", .kind = COLUMN_NUMBER },
    { .title = "predicted slope", .kind = COLUMN_NUMBER }, { .title = "gap at $t = 1$", .kind = COLUMN_NUMBER },
    { .title = "not allowed", .kind = COLUMN_NUMBER }, { .title = "from orthogonal", .kind = COLUMN_NUMBER } };
static const char IN_TRAINING[] = "The same models in training. Not allowed: root mean square of the singular values "
    "of what the theorems do not allow of $W_Q - I$; from orthogonal: that of $\\sigma(W_Q) - 1$. Of a Gaussian matrix "
    "the latter is 0.55.";

static void add_training(document *d, const gap_curves *g)
{
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_LATEX, IN_TRAINING);
    doc_table *t = new_table(d, training_columns, COUNT(training_columns));
    for (long k = 0; k < g->n; k++) {
        const gap_curve *c = &g->at[k];
        if (c->allowed) continue;
        begin_row(t, c);
        table_format(t, "%.3g", c->slope);
        table_format(t, "%.3g", c->at[0].rms);
        table_format(t, "%.3f", c->away);
        table_format(t, "%.3f", c->spread);
    }
}

static void add_chart(document *d, chart c, const char *caption)
{
    if (chart_empty(&c)) {
        chart_free(&c);
        return;
    }
    doc_block *b = doc_add(d, BLOCK_CHART, 0);
    b->chart = c;
    line_add(&b->text, SPAN_LATEX, caption);
}

void section_add_gaps(document *d, const evidence_set *all)
{
    const gap_curves *g = &all->gaps;
    if (!g->n) return;
    line_add(&doc_heading(d, 0, 2, NULL, NULL)->text, SPAN_TEXT, "Trained weights on the way to the theorems");
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_LATEX, INTRO);
    add_table(d, g, true);
    add_table(d, g, false);
    add_chart(d, chart_gaps(all), AGAINST_T);
    add_training(d, g);
    add_chart(d, chart_gaps_in_training(all), AGAINST_STEP);
}
