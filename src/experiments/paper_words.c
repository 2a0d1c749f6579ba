/* paper_words.c - sizes, counts and prices of the papers' tables as words: see paper_tables.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/experiments/paper_compare.h"
#include "src/experiments/paper_tables.h"
#include "src/experiments/reproduce.h"

/* ---- sizes ------------------------------------------------------------------------------------------------ */

static char *amount(double x)
{
    static const struct { double from; const char *unit; } scale[] = {
        { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 0, "" } };
    size_t k = 0;
    while (k + 1 < COUNT(scale) && !(x >= scale[k].from)) k++;
    return must_format("%.3g%s", scale[k].from > 0 ? x / scale[k].from : x, scale[k].unit);
}

/* ", 1000 test images", of an accuracy whose test set is not the papers' 10,000; "": nothing to say. */
static char *test_images(const record *r)
{
    const bool other = result_is(r->line, R_EVAL_OF, "test images") && !result_is(r->line, R_EVAL_N, "10000");
    return other ? must_format(", %s test images", r->line->cell[R_EVAL_N]) : must_strdup("");
}

char *record_size(const record *r)
{
    char *tested = test_images(r);                          /* what else sets it apart                   */
    const char *command = r->line->cell[R_COMMAND];
    char *epochs = command_option(command, "--epochs"), *width = command_option(command, "--width"), *text;
    char *batch = command_option(command, "--batch"), *units = amount(strtod(r->line->cell[R_UNITS], NULL));
    const char *as = r->e->full ? ", as printed" : "", *d = width ? width : "?";
    if (r->p->parts > 1) {                                  /* parts of one size differ in their options  */
        char *both = must_format("%s, %s", tested, r->e->name);
        free(tested);
        tested = both;
    }
    if (epochs) text = must_format("%s epochs%s%s", epochs, as, tested);
    else if (strcmp(r->e->command, "basis-transfer") == 0)
        text = must_format("width %s, %s steps of %s%s%s", d, r->line->cell[R_STEPS], batch ? batch : "?", as, tested);
    else if (!*r->line->cell[R_UNIT]) text = must_format("d = %s%s%s", d, as, tested);
    else text = must_format("d = %s, %s %s%s%s", d, units, r->line->cell[R_UNIT], as, tested);
    free(tested);
    free(epochs);
    free(width);
    free(batch);
    free(units);
    return text;
}

/* A basis transfer of a width that the papers print, whatever its batch. */
static bool of_printed_width(const record *r)
{
    const paper_table *t = paper_table_of("K-AppD");
    printed_row *list;
    const long n = paper_table_rows(t, &list);
    bool is = false;
    for (long k = 0; k < n; k++)
        is |= strcmp(list[k].e->command, r->e->command) == 0
           && strcmp(list[k].name, experiment_row(r->e, r->at.row)->name) == 0;
    free(list);
    return is;
}

bool record_stated(const record *r)
{
    return record_seeds(r->line) > 0 && !results_made_up(r->line->cell[R_COMMAND])
        && (r->e->full || experiment_row(r->e, r->at.row)->run || of_printed_width(r));
}

bool record_interval(const record *r)
{
    const bool judged = record_seeds(r->line) >= LEAST_SEEDS || *r->line->cell[R_EVAL_OF];
    return judged && *r->line->cell[R_LOW] && r->is != OUTCOME_PARTIAL;
}

/* ---- counts ----------------------------------------------------------------------------------------------- */

const char *const standing_word[STANDINGS] = {
    [CONSISTENT] = "consistent", [INCONSISTENT] = "inconsistent", [UNRESOLVED] = "unresolved",
    [NOT_JUDGED] = "not judged", [NOT_RUN] = "not run" };

standing standing_of_outcome(outcome is)
{
    switch (is) {
    case OUTCOME_AGREES: case OUTCOME_AS_PRINTED: case OUTCOME_HOLDS: case OUTCOME_ACCEPTED: case OUTCOME_REFUTED:
        return CONSISTENT;
    case OUTCOME_DIFFERS: case OUTCOME_NOT_AS_PRINTED: case OUTCOME_OPPOSITE: case OUTCOME_FAILS:
        return INCONSISTENT;
    case OUTCOME_NOT_RESOLVED: case OUTCOME_SEEDS_ONLY: return UNRESOLVED;
    case OUTCOME_NOT_RUN: return NOT_RUN;
    default: return NOT_JUDGED;
    }
}

table_count paper_table_count(const results *all, const paper_table *t)
{
    table_count c = { 0 };
    printed_row *row;
    c.rows = paper_table_rows(t, &row);
    for (long k = 0; k < c.rows; k++)
        for (long m = 0; m < experiment_metrics(row[k].e); m++) {
            record *r;
            const long n = printed_row_records(all, &row[k], m, &r);
            if (m == 0) {
                c.full += n && r[0].e->full;
                c.stated += n && record_stated(&r[0]);
            }
            if (experiment_paper(row[k].e, experiment_row(row[k].e, row[k].row), m)) {
                c.settings++;
                c.of[!n ? NOT_RUN : r[0].e->full ? standing_of_outcome(r[0].is) : NOT_JUDGED]++;
            }
            free(r);
        }
    free(row);
    return c;
}

/* "20 epochs: 3 rows; 50 epochs: 4 rows" of the rows that are recorded, but not as printed. */
static char *stated_lengths(const results *all, const paper_table *t)
{
    text_buffer text = { 0 };
    printed_row *row;
    const long rows = paper_table_rows(t, &row);
    for (long k = 0; k < rows; k++) {
        record *r;
        const long n = printed_row_records(all, &row[k], 0, &r);
        if (n && !r[0].e->full && record_stated(&r[0])) {
            char *size = record_size(&r[0]);
            text_add(&text, "%s%s for %s", text.length ? ", " : "", size, row[k].name);
            free(size);
        }
        free(r);
    }
    free(row);
    return text_take(&text);
}

char *paper_table_words(const results *all, const paper_table *t)
{
    const table_count c = paper_table_count(all, t);
    text_buffer text = { 0 };
    char *stated = stated_lengths(all, t);
    text_add(&text, "%ld of the %ld printed rows are recorded at the papers' own size and length", c.full, c.rows);
    if (c.stated > c.full) text_add(&text, ", %ld more at a stated length (%s)", c.stated - c.full, stated);
    text_add(&text, ".  Of %ld printed figures %ld are consistent, %ld inconsistent, %ld not judged (fewer than %d "
             "seeds, or not as long as printed) and %ld not run", c.settings, c.of[CONSISTENT], c.of[INCONSISTENT],
             c.of[NOT_JUDGED] + c.of[UNRESOLVED], LEAST_SEEDS, c.of[NOT_RUN]);
    free(stated);
    return text_take(&text);
}

/* ---- prices ----------------------------------------------------------------------------------------------- */

/* Half of the 790 TFLOP/s that bf16 matrix products reach on one H200; large products of the basis transfer in float32;
 * vision models of width 60 are bound by the start of kernels: compiled PyTorch was estimated at 45 minutes for the
 * 16.8 PFLOP of all 27 rows.  The price is our assumption of an hour of one rented H100 or H200 in 2026. */
static const struct { const char *command; double sustained; } gpu[] = {
    { "train", 395e12 }, { "basis-transfer", 40e12 }, { "train-vision", 6e12 } };
static const double dollars_an_hour = 3;
const char price_assumed[] = "GPU hours and prices are estimates: 395 TFLOP/s sustained for the language models (half "
    "of what bf16 matrix products reach on one H200), 40 for the basis transfer, 6 for the vision models, whose "
    "products are small; 3 US dollars for an hour of one rented GPU.";

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

/* Seeds that the line of row `row` of the full part has. */
static long recorded_seeds(const results *all, const preset *p, const experiment *e, long row)
{
    for (long k = 0; k < all->n; k++) {
        record r;
        if (!record_find(all, k, &r) || r.p != p || r.e != e) continue;
        if (r.at.kind == RUN && r.at.metric == 0 && r.at.row == row) return record_seeds(&all->at[k]);
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

run_price paper_table_missing(const results *all, const paper_table *t, const run_kind *kinds, char **rows)
{
    run_price sum = { 0 };
    printed_row *row;
    text_buffer names = { 0 };
    const long printed = paper_table_rows(t, &row);
    long of = 0, without = 0;
    for (size_t i = 0; i < COUNT(t->preset) && t->preset[i]; i++) {
        const preset *p = preset_find(t->preset[i]);
        const experiment *e = &p->part[0];
        const reproduce_options o = { .kinds = kinds, .more = "", .seeds = 1, .list = true };
        worklist w = { NULL, 0 };
        if (kinds) w = reproduce_part_runs(p, e, &o);
        for (long k = 0; k < experiment_rows(e); k++) {
            if (!row_is_of(row, printed, e, k)) continue;
            const long missing = experiment_row_seeds(e, k) - recorded_seeds(all, p, e, k);
            of++;
            if (missing <= 0) continue;
            without += missing == experiment_row_seeds(e, k);
            text_add(&names, "%s%s", names.length ? ", " : "", experiment_row(e, k)->name);
            add_price(&sum, e->command, kinds ? work_cost(kinds, &w.at[k]).flops : 0, missing);
        }
        worklist_free(&w);
    }
    free(row);
    *rows = text_take(&names);
    if (without < of) return sum;
    free(*rows);
    *rows = must_strdup("all rows");
    return sum;
}

char *flops_text(double flops)
{
    static const struct { double from; const char *unit; } scale[] = {
        { 1e18, "EFLOP" }, { 1e15, "PFLOP" }, { 1e12, "TFLOP" }, { 0, "GFLOP" } };
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
        long missing = 0;
        for (long k = 0; k < experiment_rows(e); k++) {
            if (!row_is_of(row, printed, e, k) || recorded_seeds(all, p, e, k) >= experiment_row_seeds(e, k)) continue;
            text_add(&some, "%s%s", missing++ ? "," : "", experiment_row(e, k)->name);
        }
        char *rows = text_take(&some);
        if (missing)
            text_add(to, "%s`provably reproduce %s%s%s%s`", between, p->name, e->data ? " --data=DIR" : "",
                     missing < experiment_rows(e) ? " --rows=" : "", missing < experiment_rows(e) ? rows : "");
        if (missing) between = "; ";
        free(rows);
    }
    free(row);
}

char *paper_table_price_words(const results *all, const paper_table *t, const run_kind *kinds)
{
    char *rows;
    const run_price p = paper_table_missing(all, t, kinds, &rows);
    text_buffer text = { 0 };
    if (p.runs) {
        add_commands(&text, all, t);
        text_add(&text, " runs what is missing (%s): %ld run%s", rows, p.runs, p.runs > 1 ? "s" : "");
        if (kinds) {
            char *flops = flops_text(p.flops), *hours = rounded(p.hours), *dollars = rounded(p.dollars);
            text_add(&text, ", %s, about %s GPU hours, %s US dollars", flops, hours, dollars);
            free(flops);
            free(hours);
            free(dollars);
        }
    }
    free(rows);
    return text_take(&text);
}
