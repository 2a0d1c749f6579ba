/* audit.c - printed value, recomputed value, verdict and explanation of every number.  Differences of two accuracies
 * have their statistics: z of two proportions and the exact conditional (hypergeometric) p-value, for one run and
 * 10,000 images each. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/methods/counts/recount.h"
#include "src/report/document/terminal.h"
#include "src/report/sections/sections.h"

typedef struct {
    const printed_value *v;
    char recomputed[96], statistic[64];
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

/* Of formulas "A.acc - B.acc". */
static void statistic(char *to, size_t size, const char *formula)
{
    char a[64], b[64];
    int end = 0;
    to[0] = '\0';
    if (sscanf(formula, "%63[a-z0-9_].acc - %63[a-z0-9_].acc%n", a, b, &end) != 2 || !end || formula[end]) return;
    char *first = must_format("%s.acc", a), *second = must_format("%s.acc", b);
    char *z = must_format("z(%s, %s)", first, second);
    const double x = value_of(z), p = hypergeometric_p(value_of(first), value_of(second));
    if (p < 1e-15) snprintf(to, size, "z = %.1f, p < 1e-15", x);
    else           snprintf(to, size, "z = %.1f, p = %.2g", x, p);
    free(z);
    free(second);
    free(first);
}

static audited audit_row(size_t k)
{
    recounted r = recount(printed_at(k), printed_at(k)->formula);
    audited a = { .v = r.row, .agrees = r.agrees, .bound = r.printed.relation[0] != '\0',
                  .ours = strcmp(r.row->where, "ours") == 0 };
    recount_text(a.recomputed, sizeof a.recomputed, &r);
    statistic(a.statistic, sizeof a.statistic, r.row->formula);
    recount_clear(&r);
    return a;
}

static const char *audit_word(const audited *a)
{
    return a->bound ? a->agrees ? "holds" : "fails" : a->agrees ? "agrees" : "differs";
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static const doc_column audit_columns[] = {
    { .title = "claim", .kind = COLUMN_ID, .mm = 20, .to = TO_CSV | TO_PAGES }, { .title = "part", .to = TO_CSV },
    { .title = "where", .mm = 17, .chars = 18 }, { .title = "what is printed", .csv = "says", .mm = 42, .chars = 46 },
    { .title = "printed", .kind = COLUMN_NUMBER, .chars = 8 },
    { .title = "recomputed", .kind = COLUMN_NUMBER, .chars = 11 },
    { .title = "verdict" }, { .title = "formula", .to = TO_CSV },
    { .title = "changed_term_or_explanation", .to = TO_CSV }, { .title = "statistic", .to = TO_CSV },
    { .title = "note", .to = TO_CSV }, { .title = "explanation", .mm = 40, .to = TO_PAGES } };

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
    table_texts(t, (const char *const[]){ "", "" }, 2);
    table_format(t, "%s %s", v->claim, v->part);
}

static void add_value(doc_table *t, const evidence_set *all, const audited *a)
{
    char *why = must_format("%s%s%s", a->statistic, *a->statistic && *a->v->note ? "; " : "", a->v->note);
    const char *const words[] = { a->v->where, a->v->says, a->v->printed, a->recomputed, audit_word(a), a->v->formula,
                                  a->v->wrong, a->statistic, a->v->note, why };
    doc_row *r = table_row(t);
    section_add_reference(table_cell(t), all, a->v->claim);
    table_text(t, a->v->part);
    table_texts(t, words, COUNT(words));
    r->cell[5].title = must_strdup(a->v->formula);                       /* of the recomputed value */
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
        fprintf(f, "%ld printed values: %ld agree, %ld differ; %ld corrections of ours, %ld agree\n",
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
    fprintf(f, "\\newcommand{\\AuditTotal}{%ld}\\newcommand{\\AuditAgree}{%ld}\\newcommand{\\AuditDiffer}{%ld}\n",
            t.agree + t.differ, t.agree, t.differ);
}
