/* SPDX-License-Identifier: GPL-3.0-or-later
 * audit.c - printed value, recomputed value, verdict and explanation of every number.  Differences of two accuracies
 * have their statistics: z of two proportions and the exact conditional (hypergeometric) p-value, for one run and
 * 10,000 images each. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/methods/counts/recount.h"
#include "src/report/document/latex.h"
#include "src/report/document/terminal.h"
#include "src/report/sections/sections.h"

typedef struct {
    const printed_value *v;
    char recomputed[96], relation[3];
    double printed, value, z, p;         /* numbers as such: 117.30M is 117300000; z and p may be NaN   */
    bool agrees, bound, ours;
} audited;

/* ---- statistics -------------------------------------------------------------------------------------- */

enum { IMAGES = 10000 };

static double value_of(const char *formula)
{
    mpq_t x;
    size_t at;
    mpq_init(x);
    const char *why = formula_value(x, formula, printed_name, &at);
    REQUIRE(!why, "`%s`: %s", formula, why);
    const double y = mpq_get_d(x);
    mpq_clear(x);
    return y;
}

/* P(at least so many of the right answers are the first model's) and its mirror image, twice the smaller. */
static double hypergeometric_p(double first, double second)
{
    const unsigned a = (unsigned)lround(first * IMAGES / 100), b = (unsigned)lround(second * IMAGES / 100);
    const unsigned right = a + b, larger = a > b ? a : b;
    return fmin(1, 2 * gsl_cdf_hypergeometric_Q(larger - 1, right, 2 * IMAGES - right, IMAGES));
}

/* Of formulas "A.acc - B.acc"; NaN for others. */
static void statistic(audited *of, const char *formula)
{
    char a[64], b[64];
    int end = 0;
    of->z = of->p = NAN;
    if (sscanf(formula, "%63[a-z0-9_].acc - %63[a-z0-9_].acc%n", a, b, &end) != 2 || !end || formula[end]) return;
    char *first = must_format("%s.acc", a), *second = must_format("%s.acc", b);
    char *z = must_format("z(%s, %s)", first, second);
    of->z = value_of(z);
    of->p = hypergeometric_p(value_of(first), value_of(second));
    free(z);
    free(second);
    free(first);
}

static void statistic_words(char *to, size_t size, const audited *a)
{
    to[0] = '\0';
    if (isnan(a->z)) return;
    if (a->p < 1e-15) snprintf(to, size, "z = %.1f, p < 1e-15", a->z);
    else              snprintf(to, size, "z = %.1f, p = %.2g", a->z, a->p);
}

static audited audit_row(size_t k)
{
    recounted r = recount(printed_at(k), printed_at(k)->formula);
    audited a = { .v = r.row, .agrees = r.agrees, .bound = r.printed.relation[0] != '\0',
                  .ours = strcmp(r.row->where, "ours") == 0 };
    recount_text(a.recomputed, sizeof a.recomputed, &r);
    statistic(&a, r.row->formula);
    cell_copy(a.relation, sizeof a.relation, a.bound ? r.printed.relation : "=");
    a.printed = mpq_get_d(r.printed.value);
    a.value = mpq_get_d(r.value);
    recount_clear(&r);
    return a;
}

static const char *audit_word(const audited *a)
{
    return a->bound ? a->agrees ? "holds" : "fails" : a->agrees ? "agrees" : "differs";
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static const doc_column audit_columns[] = {
    { .title = "claim", .kind = COLUMN_ID, .mm = 20, .to = TO_PAGES }, { .title = "where", .mm = 17, .chars = 18 },
    { .title = "what is printed", .mm = 41, .chars = 46 },
    { .title = "printed", .kind = COLUMN_NUMBER, .chars = 8 },
    { .title = "recomputed", .kind = COLUMN_NUMBER, .chars = 11 },
    { .title = "verdict" }, { .title = "explanation", .mm = 40, .to = TO_PAGES } };

typedef struct { long agree, differ, ours, ours_agree; } tally;

static void count(tally *t, const audited *a)
{
    if (a->ours) t->ours++, t->ours_agree += a->agrees;
    else if (a->agrees) t->agree++;
    else t->differ++;
}

/* A row for terminals, above the first value of each part. */
static void add_part_line(doc_table *t, const printed_value *v)
{
    doc_row *r = table_row(t);
    r->to = TO_TERMINAL;
    r->heading = true;
    table_text(t, "");
    table_format(t, "%s %s", v->claim, v->part);
}

static void add_value(doc_table *t, const evidence_set *all, const audited *a)
{
    char words_of_it[64];
    statistic_words(words_of_it, sizeof words_of_it, a);
    char *why = must_format("%s%s%s", words_of_it, *words_of_it && *a->v->note ? "; " : "", a->v->note);
    const char *const words[] = { a->v->where, a->v->says, a->v->printed, a->recomputed, audit_word(a), why };
    doc_row *r = table_row(t);
    section_add_reference(table_cell(t), all, a->v->claim);
    table_texts(t, words, COUNT(words));
    r->cell[4].title = must_strdup(a->v->formula);                       /* of the recomputed value */
    if (*why) line_format(&r->below, SPAN_TEXT, "      %s", why);
    free(why);
}

static tally add_values(document *d, const evidence_set *all, const char *only)
{
    tally sum = { 0 };
    const printed_value *last = NULL;
    doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, audit_columns, COUNT(audit_columns));
    t->size = "\\footnotesize";
    t->fold = "All printed values";
    t->indent = 2;
    for (size_t k = 0; k < printed_count(); k++) {
        if (only && strcmp(printed_at(k)->claim, only) != 0) continue;
        const audited a = audit_row(k);
        if (!last || strcmp(last->claim, a.v->claim) != 0 || strcmp(last->part, a.v->part) != 0) add_part_line(t, a.v);
        add_value(t, all, &a);
        count(&sum, &a);
        last = a.v;
    }
    return sum;
}

void section_audit(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "numbers", "Numbers", "Numbers");
    doc_paragraph(d, TO_HTML, "Every printed number that follows from definitions, recounted exactly. Its formula "
                  "is the title of the recomputed value, and in \\texttt{audit.csv}.");
    add_values(d, all, NULL);
}

/* ---- for machines ---- */

static const data_column data_columns[] = {
    { "id", DATA_TEXT, "", "the claim" },
    { "part", DATA_TEXT, "", "the part of the claim" },
    { "where", DATA_TEXT, "", "where it is printed; ours: a correction of this suite" },
    { "says", DATA_TEXT, "", "what the number is of" },
    { "as_printed", DATA_TEXT, "", "the number letter for letter" },
    { "relation", DATA_TEXT, "", "=, or the bound that is asserted: <, >, <= or >=" },
    { "printed", DATA_REAL, "unit", "the printed number" },
    { "recomputed", DATA_REAL, "unit", "what the formula gives" },
    { "unit", DATA_TEXT, "", "of printed and recomputed: %, else empty" },
    { "verdict", DATA_TEXT, "", "agrees or differs; of a bound: holds or fails" },
    { "formula", DATA_TEXT, "", "how it follows from definitions" },
    { "changed_formula", DATA_TEXT, "", "the formula with one term changed; where the printed number is wrong, the one "
      "that explains it or shows where it would be right" },
    { "z", DATA_REAL, "", "of a difference of two accuracies: the statistic z of two proportions" },
    { "p", DATA_REAL, "", "of the same: the exact conditional p-value, for one run and 10000 images each" },
    { "note", DATA_TEXT, "", "a remark" } };

void section_audit_data(document *d, const evidence_set *all)
{
    (void)all;
    doc_table *t = doc_data_table(d, data_columns, COUNT(data_columns));
    for (size_t k = 0; k < printed_count(); k++) {
        const audited a = audit_row(k);
        const bool percent = a.v->printed[strlen(a.v->printed) - 1] == '%';
        table_row(t);
        table_texts(t, (const char *const[]){ a.v->claim, a.v->part, a.v->where, a.v->says, a.v->printed,
                                              a.relation }, 6);
        table_real(t, "%.12g", a.printed);
        table_real(t, "%.12g", a.value);
        table_texts(t, (const char *const[]){ percent ? "%" : "", audit_word(&a), a.v->formula, a.v->wrong }, 4);
        table_real(t, "%.4g", a.z);
        table_real(t, "%.3g", a.p);
        table_text(t, a.v->note);
    }
}

bool audit_table(FILE *f, const char *only)
{
    const evidence_set none = { .n = 0 };
    document d = { 0 };
    const tally t = add_values(&d, &none, only);
    const doc_table *table = &d.at[0]->table;
    const bool any = table->n > 0;
    if (any) {
        const screen s = screen_of(f, 0, COLOUR_AUTO);
        terminal_table(f, table, &s);
        fprintf(f, "%ld printed values: %ld agree, %ld differ; %ld corrections of this suite, %ld agree\n",
                t.agree + t.differ, t.agree, t.differ, t.ours, t.ours_agree);
    }
    doc_free(&d);
    return any;
}

void audit_macros(FILE *f)
{
    tally t = { 0 };
    for (size_t k = 0; k < printed_count(); k++) {
        const audited a = audit_row(k);
        count(&t, &a);
    }
    const struct { const char *name; long n; } macro[] = {
        { "AuditTotal", t.agree + t.differ }, { "AuditAgree", t.agree }, { "AuditDiffer", t.differ } };
    for (size_t k = 0; k < COUNT(macro); k++) {
        char text[32];
        snprintf(text, sizeof text, "%ld", macro[k].n);
        latex_macro(f, macro[k].name, text);
    }
}
