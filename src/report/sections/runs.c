/* SPDX-License-Identifier: GPL-3.0-or-later
 * runs.c - recorded runs for machines: one row for each recorded line, and one for each seed of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/sections/sections.h"

#define LINE \
    { "preset", DATA_TEXT, "", "the preset that `provably reproduce` ran" }, \
    { "part", DATA_TEXT, "", "the experiment of the preset" }, \
    { "kind", DATA_TEXT, "", "run: a figure of one row; comparison: the difference of two rows; check: of a theorem " \
      "on trained weights" }, \
    { "row", DATA_TEXT, "", "the row of the experiment" }

/* Columns whose text is that of the record. */
static const struct { result_cell cell; data_column column; } taken[] = {
    { R_TABLE, { "table", DATA_TEXT, "", "where the figure is printed" } },
    { R_METRIC, { "metric", DATA_TEXT, "", "which figure" } },
    { R_PAPER, { "paper", DATA_TEXT, "", "what is printed, letter for letter; empty: nothing" } },
    { R_MEAN, { "mean", DATA_REAL, "", "mean over the seeds; empty: not run" } },
    { R_LOW, { "low", DATA_REAL, "", "lower end of its 95 % interval" } },
    { R_HIGH, { "high", DATA_REAL, "", "upper end of it" } },
    { R_N, { "n", DATA_WHOLE, "seeds", "finished seeds" } },
    { R_PLANNED, { "planned", DATA_WHOLE, "seeds", "planned seeds" } },
    { R_VERDICT, { "verdict", DATA_TEXT, "", "the outcome in plain text" } },
    { R_P, { "p", DATA_REAL, "", "of a comparison: its p-value alone; 1e-300: at most that" } },
    { R_P_HOLM, { "p_holm", DATA_REAL, "", "of a comparison: p as it decides, by Holm's method over the part" } },
    { R_INTERVAL, { "interval", DATA_TEXT, "", "what low and high are of: seeds, test images, or both" } },
    { R_SE_SEEDS, { "se_seeds", DATA_REAL, "", "standard error over the seeds" } },
    { R_SE_EVAL, { "se_eval", DATA_REAL, "", "standard error of the evaluation" } },
    { R_EVAL_N, { "eval_n", DATA_WHOLE, "", "over how many windows or images one run was evaluated" } },
    { R_EVAL_OF, { "eval_of", DATA_TEXT, "", "windows or test images" } },
    { R_SCALE, { "scale", DATA_TEXT, "", "full, or in what the run is smaller than the paper's" } },
    { R_PARAMETERS, { "parameters", DATA_WHOLE, "", "weights of the model" } },
    { R_STEPS, { "steps", DATA_WHOLE, "steps", "optimizer steps of one run" } },
    { R_UNITS, { "units", DATA_WHOLE, "unit", "tokens, images or samples that one run has seen" } },
    { R_UNIT, { "unit", DATA_TEXT, "", "of units" } },
    { R_FLOPS, { "flops", DATA_REAL, "FLOP", "floating point operations of one run" } },
    { R_HARDWARE, { "hardware", DATA_TEXT, "", "the machine" } },
    { R_DATE, { "date", DATA_TEXT, "", "when the first run ended, YYYY-MM-DD" } },
    { R_COMMIT, { "commit", DATA_TEXT, "", "commit of the source" } },
    { R_DATA, { "data", DATA_TEXT, "", "NAME=VALUE: what it was trained and evaluated on, with checksums" } },
    { R_COMMAND, { "command", DATA_TEXT, "", "the command of the first run" } } };
enum { BEFORE = 5, BETWEEN = 3 };        /* columns before those taken, and those behind the printed figure */

/* "98.38", "4 to 6", "0 within 0.005", "at least 97", "above 0.009", "below 0", "not 0": the word, and the ends. */
static const char *relation(const char *printed, double *low, double *high)
{
    static const struct { const char *begin, *word; bool low, high; } one[] = {
        { "at least ", "at least", true, false }, { "above ", "above", true, false },
        { "below ", "below", false, true }, { "not ", "not", true, true }, { "", "equal", true, true } };
    *low = *high = NAN;
    for (size_t k = 0; k < COUNT(one); k++) {
        const size_t n = strlen(one[k].begin);
        if (strncmp(printed, one[k].begin, n) != 0) continue;
        char *end;
        const double x = strtod(printed + n, &end);
        if (isnan(x) || end == printed + n || *end) continue;
        if (one[k].low) *low = x;
        if (one[k].high) *high = x;
        return one[k].word;
    }
    double x, y;
    int done = 0;
    const bool within = sscanf(printed, "%lf within %lf%n", &x, &y, &done) == 2;
    if (!within && sscanf(printed, "%lf to %lf%n", &x, &y, &done) != 2) return *printed ? "other" : "";
    if (printed[done]) return "other";
    *low = within ? x - y : x;
    *high = within ? x + y : y;
    return "between";
}

/* A cell of a record.  Of numbers: "< 1e-300" as 1e-300, inf as Inf, nan as nothing; digits stay as they are. */
static void add_taken(doc_table *t, const char *text, data_type type)
{
    const char *number = text + strspn(text, "< ");
    const double x = strtod(number, NULL);
    if (type != DATA_REAL || !*text) table_text(t, text);
    else if (isfinite(x)) table_text(t, number);
    else table_real(t, "%g", x);
}

static void add_line(doc_table *t, const result *r)
{
    static const result_cell first[] = { R_PRESET, R_PART, R_KIND, R_ROW, R_CLAIM };
    double low, high;
    table_row(t);
    for (size_t k = 0; k < COUNT(first); k++) table_text(t, r->cell[first[k]]);
    for (size_t k = 0; k < COUNT(taken); k++) {
        add_taken(t, r->cell[taken[k].cell], taken[k].column.type);
        if (taken[k].cell != R_PAPER) continue;
        table_text(t, relation(r->cell[R_PAPER], &low, &high));
        table_real(t, "%.10g", low);
        table_real(t, "%.10g", high);
    }
}

void section_runs(document *d, const evidence_set *all)
{
    static const data_column first[] = {
        LINE, { "ids", DATA_TEXT, "", "the claims that it is about, separated by spaces" } };
    static const data_column printed[BETWEEN] = {
        { "paper_relation", DATA_TEXT, "", "equal, between, at least, above, below, not, or other: see paper" },
        { "paper_low", DATA_REAL, "", "lower end of what is printed" },
        { "paper_high", DATA_REAL, "", "upper end of what is printed; of one number both are that" } };
    static data_column columns[COUNT(first) + COUNT(taken) + BETWEEN];
    size_t n = 0;
    for (size_t k = 0; k < COUNT(first); k++) columns[n++] = first[k];
    for (size_t k = 0; k < COUNT(taken); k++) {
        columns[n++] = taken[k].column;
        for (size_t i = 0; i < BETWEEN && taken[k].cell == R_PAPER; i++) columns[n++] = printed[i];
    }
    doc_table *t = doc_data_table(d, columns, n);
    for (long k = 0; k < all->results.n; k++) add_line(t, &all->results.at[k]);
}

/* ---- seeds ---- */

/* The seed after `seed` in "1 to 3" or "1 4": *at moves on, and stays where a range goes on. */
static long next_seed(const char **at, long seed)
{
    char *end;
    if (strncmp(*at, " to ", 4) == 0) {
        const long last = strtol(*at + 4, &end, 10);
        if (seed + 1 == last) *at = end;
        return seed + 1;
    }
    const long next = strtol(*at, &end, 10);
    *at = end;
    return next;
}

void section_seeds(document *d, const evidence_set *all)
{
    static const data_column columns[] = {
        LINE,
        { "metric", DATA_TEXT, "", "which figure" },
        { "seed", DATA_WHOLE, "", "seed of the run" },
        { "value", DATA_REAL, "", "the figure of that run, or the difference of the two runs with that seed" } };
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->results.n; k++) {
        char *const *c = all->results.at[k].cell;
        const char *seeds = c[R_SEEDS], *value = c[R_VALUES];
        for (long seed = 0; *value; value += *value == ' ') {
            const int length = (int)strcspn(value, " ");
            seed = next_seed(&seeds, seed);
            table_row(t);
            table_texts(t, (const char *const[]){ c[R_PRESET], c[R_PART], c[R_KIND], c[R_ROW], c[R_METRIC] }, 5);
            table_whole(t, seed);
            char *number = must_format("%.*s", length, value);
            add_taken(t, number, DATA_REAL);
            free(number);
            value += length;
        }
    }
}
