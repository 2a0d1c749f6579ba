/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_prices.c - which runs of the papers' own size are missing, and what they would cost: see paper_tables.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/paper_compare.h"
#include "src/experiments/paper_tables.h"
#include "src/experiments/reproduce.h"

/* As measured: GPT-2 124M on an H100, the mean of two runs (reports/results/bench_gpu_h100.csv); on an H200 the basis
 * transfer at widths 512 and 768, two runs at once, start to end, and mnist_6_1_mlp_full (bench_gpu_h200.csv).  The
 * price is our assumption of an hour of one rented GPU of this kind in 2026. */
static const struct { const char *command; double sustained; } gpu[] = {
    { "train", 406e12 }, { "basis-transfer", 387e12 }, { "train-vision", 4.3e12 } };
static const double dollars_an_hour = 3;
const char price_assumed[] = "GPU hours and prices are estimates from what was measured: 406 TFLOP/s for the "
    "language models, on an H100; 387 for the basis transfer and 4.3 for the vision models, on an H200; 3 US dollars "
    "for an hour of one rented GPU.";

static void add_price(run_price *sum, const char *command, double flops, long runs)
{
    for (size_t k = 0; k < COUNT(gpu); k++) {
        if (strcmp(gpu[k].command, command) != 0) continue;
        sum->runs += runs;
        sum->flops += flops * (double)runs;
        sum->hours += flops * (double)runs / gpu[k].sustained / 3600;
    }
    sum->dollars = sum->hours * dollars_an_hour;
}

/* Seeds of a row that can settle something: those planned, and not fewer than what is judged. */
static long wanted_seeds(const experiment *e, long row)
{
    const long own = experiment_row_seeds(e, row);
    return own < LEAST_SEEDS ? LEAST_SEEDS : own;
}

/* Seeds that the line of row `row` of the full part has, run by its own command. */
static long recorded_seeds(const results *all, const preset *p, const experiment *e, long row)
{
    for (long k = 0; k < all->n; k++) {
        record r;
        if (!record_find(all, k, &r) || r.p != p || r.e != e || r.is == OUTCOME_OTHER_OPTIONS) continue;
        if (r.at.kind == RUN && r.at.metric == 0 && r.at.row == row) return all->at[k].seeds;
    }
    return 0;
}

static bool row_is_of(const printed_row *row, long n, const experiment *e, long k)
{
    const char *name = experiment_row(e, k)->name;
    for (long i = 0; i < n; i++) {
        const size_t length = strlen(row[i].name);
        if (row[i].e != e || strncmp(row[i].name, name, length) != 0) continue;
        if (!name[length] || (!experiment_row(e, k)->run && name[length] == '-' && name[length + 1] >= '0'
                              && name[length + 1] <= '9')) return true;
    }
    return false;
}

/* What a run of each row costs.  It is worked out once: a process reads the options of each run. */
static const double *flops_of_rows(const preset *p, const experiment *e, const run_kind *kinds)
{
    static struct { const experiment *e; const run_kind *kinds; double *flops; } *known;
    static size_t n;
    for (size_t k = 0; k < n; k++) if (known[k].e == e && known[k].kinds == kinds) return known[k].flops;
    const reproduce_options o = { .kinds = kinds, .more = "", .seeds = 1, .list = true };
    worklist w = reproduce_part_runs(p, e, &o);
    double *flops = must_calloc((size_t)w.n + 1, sizeof *flops);
    for (long k = 0; k < w.n; k++) flops[k] = work_cost(kinds, &w.at[k]).flops;
    worklist_free(&w);
    known = must_realloc(known, n + 1, sizeof *known);
    known[n].e = e;
    known[n].kinds = kinds;
    return known[n++].flops = flops;
}

run_price paper_table_missing(const results *all, const paper_table *t, const run_kind *kinds)
{
    run_price sum = { 0 };
    printed_row *row;
    const long printed = paper_table_rows(t, &row);
    for (size_t i = 0; i < COUNT(t->preset) && t->preset[i]; i++) {
        const preset *p = preset_find(t->preset[i]);
        const experiment *e = &p->part[0];
        for (long k = 0; k < experiment_rows(e); k++) {
            if (!row_is_of(row, printed, e, k)) continue;
            const long missing = wanted_seeds(e, k) - recorded_seeds(all, p, e, k);
            if (missing > 0) add_price(&sum, e->command, kinds ? flops_of_rows(p, e, kinds)[k] : 0, missing);
        }
    }
    free(row);
    return sum;
}

char *flops_text(double flops)
{
    static const struct { double from; const char *unit; } scale[] = {
        { 1e21, "ZFLOP" }, { 1e18, "EFLOP" }, { 1e15, "PFLOP" }, { 1e12, "TFLOP" }, { 0, "GFLOP" } };
    size_t k = 0;
    while (k + 1 < COUNT(scale) && !(flops >= scale[k].from)) k++;
    return must_format("%.3g %s", flops / (scale[k].from > 0 ? scale[k].from : 1e9), scale[k].unit);
}

/* Two digits, "0.041", "2.3", "130": it is an estimate. */
static char *rounded(double x)
{
    if (x < 10) return must_format("%.2g", x);
    const double unit = pow(10, floor(log10(x)) - 1);
    return must_format("%.0f", round(x / unit) * unit);
}

/* "`provably reproduce vit-mnist --data=DIR --rows=a,b`; ..." for the rows of the table that are not complete. */
static void add_commands(text_buffer *to, const results *all, const paper_table *t)
{
    printed_row *row;
    const long printed = paper_table_rows(t, &row);
    const char *between = "";
    for (size_t i = 0; i < COUNT(t->preset) && t->preset[i]; i++) {
        const preset *p = preset_find(t->preset[i]);
        const experiment *e = &p->part[0];
        text_buffer some = { 0 };
        long missing = 0, seeds = 0;
        bool more = false;                                    /* seeds than the preset plans             */
        for (long k = 0; k < experiment_rows(e); k++) {
            if (!row_is_of(row, printed, e, k) || recorded_seeds(all, p, e, k) >= wanted_seeds(e, k)) continue;
            if (wanted_seeds(e, k) > seeds) seeds = wanted_seeds(e, k);
            more |= wanted_seeds(e, k) > experiment_row_seeds(e, k);
            text_add(&some, "%s%s", missing++ ? "," : "", experiment_row(e, k)->name);
        }
        char *rows = text_take(&some);
        if (missing) {
            text_add(to, "%s`provably reproduce %s%s%s%s", between, p->name, e->data ? " --data=DIR" : "",
                     missing < experiment_rows(e) ? " --rows=" : "", missing < experiment_rows(e) ? rows : "");
            if (more) text_add(to, " --seeds=%ld", seeds);
            text_add(to, "`");
            between = "; ";
        }
        free(rows);
    }
    free(row);
}

char *paper_table_price_words(const results *all, const paper_table *t, const run_kind *kinds)
{
    const run_price p = paper_table_missing(all, t, kinds);
    text_buffer text = { 0 };
    if (p.runs) {
        add_commands(&text, all, t);
        text_add(&text, " runs what is missing: %ld run%s", p.runs, p.runs > 1 ? "s" : "");
        if (kinds) {
            char *flops = flops_text(p.flops), *hours = rounded(p.hours), *dollars = rounded(p.dollars);
            text_add(&text, ", %s, about %s GPU hours, %s US dollars", flops, hours, dollars);
            free(flops);
            free(hours);
            free(dollars);
        }
    }
    return text_take(&text);
}
