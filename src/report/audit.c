/* audit.c - printed value, recomputed value, verdict and explanation of every number, as a table for the
 * terminal, CSV, LaTeX and HTML.  Differences of two accuracies carry their statistics: z of two proportions and
 * the exact conditional (hypergeometric) p-value, one run and 10,000 images each. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/methods/counts/recount.h"
#include "src/report/audit.h"

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

static const char *word(const audited *a)
{
    return a->bound ? a->agrees ? "holds" : "fails" : a->agrees ? "agrees" : "differs";
}

static char *explanation(const audited *a)
{
    return must_format("%s%s%s", a->statistic, *a->statistic && *a->v->note ? "; " : "", a->v->note);
}

/* ---- the terminal ------------------------------------------------------------------------------------ */

enum { INDENT = 2, WHERE = 18, SAYS = 46, PRINTED = 8, RECOMPUTED = 11 };

static void cell(FILE *f, const char *text, int width)
{
    if ((int)strlen(text) <= width) fprintf(f, "%-*s ", width, text);
    else fprintf(f, "%.*s.. ", width - 2, text);
}

static void audit_line(FILE *f, const audited *a)
{
    char *text = explanation(a);
    fprintf(f, "%*s", INDENT, "");
    cell(f, a->v->where, WHERE);
    cell(f, a->v->says, SAYS);
    fprintf(f, "%*s %*s %s\n", PRINTED, a->v->printed, RECOMPUTED, a->recomputed, word(a));
    if (*text) report_wrapped(f, "      ", text, "");
    free(text);
}

typedef struct { long agree, differ, ours, ours_agree; } tally;

static void count(tally *t, const audited *a)
{
    if (a->ours) t->ours++, t->ours_agree += a->agrees;
    else if (a->agrees) t->agree++;
    else t->differ++;
}

static void audit_head(FILE *f)
{
    fprintf(f, "%*s", INDENT, "");
    cell(f, "where", WHERE);
    cell(f, "what is printed", SAYS);
    fprintf(f, "%*s %*s %s\n", PRINTED, "printed", RECOMPUTED, "recomputed", "verdict");
}

bool audit_table(FILE *f, const char *only)
{
    tally t = { 0 };
    const printed_value *last = NULL;
    for (size_t k = 0; k < printed_count(); k++) {
        if (only && strcmp(printed_at(k)->claim, only) != 0) continue;
        const audited a = audit_row(k);
        if (!last) audit_head(f);
        if (!last || strcmp(last->claim, a.v->claim) != 0 || strcmp(last->part, a.v->part) != 0)
            fprintf(f, "%s %s\n", a.v->claim, a.v->part);
        audit_line(f, &a);
        count(&t, &a);
        last = a.v;
    }
    if (!last) return false;
    fprintf(f, "%ld printed values: %ld agree, %ld differ; %ld corrections of ours, %ld agree\n", t.agree + t.differ,
            t.agree, t.differ, t.ours, t.ours_agree);
    return true;
}

/* ---- files ------------------------------------------------------------------------------------------- */

void audit_csv(const char *out)
{
    outfile o = out_open(out, "audit.csv");
    fprintf(o.f, "claim,part,where,says,printed,recomputed,verdict,formula,changed_term_or_explanation,statistic,"
                 "note\n");
    for (size_t k = 0; k < printed_count(); k++) {
        const audited a = audit_row(k);
        const char *const words[] = { a.v->claim, a.v->part, a.v->where, a.v->says, a.v->printed, a.recomputed,
                                      word(&a), a.v->formula, a.v->wrong, a.statistic, a.v->note };
        for (size_t i = 0; i < COUNT(words); i++) csv_field(o.f, words[i], i + 1 < COUNT(words) ? ',' : '\n');
    }
    outfile_close(&o);
}

/* Rows of the table in reports/report.tex, and its sums as macros. */
void audit_latex(const book *b, const char *out)
{
    tally t = { 0 };
    outfile o = out_open(out, "audit.tex");
    for (size_t k = 0; k < printed_count(); k++) {
        const audited a = audit_row(k);
        const chapter *c = book_find(b, a.v->claim);
        char *why = explanation(&a);
        const char *const words[] = { a.v->where, a.v->says, a.v->printed, a.recomputed, word(&a), why };
        if (c && c->own.n) fprintf(o.f, "\\hyperref[claim:%s]{", a.v->claim);
        latex_plain(o.f, a.v->claim);
        if (c && c->own.n) fprintf(o.f, "}");
        for (size_t i = 0; i < COUNT(words); i++) {
            fprintf(o.f, " & ");
            latex_plain(o.f, words[i]);
        }
        fprintf(o.f, "\\\\\n");
        count(&t, &a);
        free(why);
    }
    outfile_close(&o);
    o = out_open(out, "audit-macros.tex");
    fprintf(o.f, "\\newcommand{\\AuditTotal}{%ld}\\newcommand{\\AuditAgree}{%ld}\\newcommand{\\AuditDiffer}{%ld}\n",
            t.agree + t.differ, t.agree, t.differ);
    outfile_close(&o);
}

void audit_html(FILE *f, const book *b)
{
    fprintf(f, "<h2 id=\"numbers\">Numbers</h2>\n<p>Every printed number that follows from definitions, recounted "
               "exactly. Its formula is the title of the recomputed value, and in <code>audit.csv</code>.</p>\n"
               "<details><summary>All printed values</summary><div class=\"scroll\" tabindex=\"0\"><table>");
    html_head(f, "claim|where|what is printed|#printed|#recomputed|verdict|explanation");
    for (size_t k = 0; k < printed_count(); k++) {
        const audited a = audit_row(k);
        const chapter *c = book_find(b, a.v->claim);
        char *why = explanation(&a);
        if (c && c->own.n) fprintf(f, "<tr><td class=\"id\"><a href=\"#%s\">%s</a></td><td>", c->id, c->id);
        else fprintf(f, "<tr><td class=\"id\">%s</td><td>", a.v->claim);
        html_plain(f, a.v->where);
        fprintf(f, "</td><td>");
        html_plain(f, a.v->says);
        fprintf(f, "</td><td class=\"num\">");
        html_plain(f, a.v->printed);
        fprintf(f, "</td><td class=\"num\" title=\"");
        html_plain(f, a.v->formula);
        fprintf(f, "\">");
        html_plain(f, a.recomputed);
        fprintf(f, "</td><td>%s</td><td>", word(&a));
        html_plain(f, why);
        fprintf(f, "</td></tr>\n");
        free(why);
    }
    fprintf(f, "</tbody></table></div></details>\n");
}
