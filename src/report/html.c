/* html.c - one self-contained page: no script, nothing fetched; narrow and wide, light and dark. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/audit.h"
#include "src/report/experiments.h"
#include "src/report/graph.h"

/* A table's head: columns apart by |, a leading # for numbers, then a . for those of wide screens only. */
void html_head(FILE *f, const char *columns)
{
    fprintf(f, "<thead><tr>");
    for (const char *p = columns; *p; p += *p == '|') {
        const bool number = *p == '#', wide = p[number] == '.';
        p += number + wide;
        fprintf(f, "<th class=\"%s%s\">%.*s</th>", number ? "num " : "", wide ? "wide" : "",
                (int)strcspn(p, "|"), p);
        p += strcspn(p, "|");
    }
    fprintf(f, "</tr></thead>\n<tbody>\n");
}

void html_verdict(FILE *f, const book *b, verdict v)
{
    const char *word = verdict_shown(b, v);
    if (*word) fprintf(f, "<span class=\"v %s\">%s</span>", verdict_fails(v) ? "bad" : word, word);
}

/* ---- the verdict table ----------------------------------------------------------------------- */

static void figures(FILE *f, const claim_verdict *v, bool corrected)
{
    for (int k = 0; k < ARITHS; k++) {
        fprintf(f, "<td class=\"num wide\">");
        figure_html(f, figure_of_group(v, corrected, k));
        fprintf(f, "</td>");
    }
}

void html_title(FILE *f, const chapter *c)
{
    char *title = title_math(chapter_title(c));
    html_math(f, title);
    free(title);
}

/* Evidence and scope of a group; the cell of its verdict is opened. */
static void group_cells(FILE *f, const book *b, const chapter *c, bool corrected)
{
    char behind[64], scope[128];
    group_evidence(behind, sizeof behind, b, &c->v, corrected);
    group_scope(scope, sizeof scope, b, &c->v, corrected);
    fprintf(f, "<td class=\"wide\">");
    html_plain(f, scope);
    fprintf(f, "</td><td>");
    html_plain(f, behind);
    fprintf(f, "</td><td>");
}

static void verdict_row(FILE *f, const book *b, const chapter *c)
{
    char paper[32];
    chapter_paper(paper, sizeof paper, c);
    fprintf(f, "<tr><td class=\"id\"><a href=\"#%s\">%s</a></td><td class=\"wide\">", c->id, c->id);
    html_plain(f, paper);
    fprintf(f, "</td><td>");
    html_title(f, c);
    fprintf(f, "</td>");
    figures(f, &c->v, false);
    group_cells(f, b, c, false);
    html_verdict(f, b, c->v.as_stated);
    fprintf(f, "</td></tr>\n");
    if (c->v.corrected == V_NONE) return;
    fprintf(f, "<tr class=\"sub\"><td></td><td class=\"wide\"></td><td>corrected statement</td>");
    figures(f, &c->v, true);
    group_cells(f, b, c, true);
    html_verdict(f, b, c->v.corrected);
    fprintf(f, "</td></tr>\n");
}

/* What 001, 003, 000 and 002 are. */
static void texts_line(FILE *f)
{
    fprintf(f, "<p class=\"soft\">");
    for (int k = 0; k < TEXTS; k++) {
        fprintf(f, "%s: ", papers[k].tag);
        html_plain(f, papers[k].paper);
        fprintf(f, "%s%s%s", papers[k].version[0] ? ", " : "", papers[k].version, k + 1 < TEXTS ? "; " : ".</p>\n");
    }
}

static void verdict_table(FILE *f, const book *b)
{
    fprintf(f, "<h2 id=\"verdicts\">Verdicts</h2>\n<table>");
    html_head(f, "claim|.paper|statement|#.f64|#.mpfr|#.ball|#.F<sub>q</sub>|#.Q|#.sym|.holds for|evidence|verdict");
    for (long k = 0; k < b->n; k++) if (b->at[k].own.n) verdict_row(f, b, &b->at[k]);
    fprintf(f, "</tbody></table>\n<p class=\"soft\">f64: largest relative gap in doubles. mpfr: slope of "
               "log<sub>2</sub> gap against bits. ball: largest relative width of balls that meet. "
               "F<sub>q</sub>: bound on the probability of error. Q and sym: trials that hold, of all. "
               "An en dash: not run.</p>\n");
    texts_line(f);
}

/* ---- coverage, pending ----------------------------------------------------------------------- */

static void coverage_grid(FILE *f, const book *b)
{
    fprintf(f, "<h2 id=\"coverage\">Coverage</h2>\n<p>Decided trials of each claim with each switch of the "
               "model. &middot; not a switch of this claim; &times; not run, for the reason in its title. "
               "Pending claims have no row.</p>\n"
               "<div class=\"scroll\" tabindex=\"0\"><table class=\"gridtable\"><thead><tr><th>claim</th>");
    for (int s = 0; s < SWITCHES; s++) fprintf(f, "<th><span>%s</span></th>", switch_names[s]);
    fprintf(f, "</tr></thead><tbody>\n");
    for (long k = 0; k < b->n; k++) {
        if (!b->at[k].own.n) continue;
        fprintf(f, "<tr><td class=\"id\">%s</td>", b->at[k].id);
        for (int s = 0; s < SWITCHES; s++) {
            const long n = coverage_count(&b->at[k], s);
            const char *reason = coverage_reason(&b->at[k], s);
            if (n) { fprintf(f, "<td>%ld</td>", n); continue; }
            fprintf(f, "<td class=\"none\" title=\"");
            html_plain(f, reason);
            fprintf(f, "\">%s</td>", strncmp(reason, "not a switch", 12) == 0 ? "&middot;" : "&times;");
        }
        fprintf(f, "</tr>\n");
    }
    fprintf(f, "</tbody></table></div>\n");
}

static void pending_list(FILE *f, const book *b)
{
    if (b->built == b->n) return;
    fprintf(f, "<h2 id=\"pending\">Pending</h2>\n<p>%ld claims have no verdict yet. What is expected of them "
               "is shown beside each; it decides nothing.</p>\n<details><summary>All pending claims</summary>\n"
               "<table>",
            b->n - b->built);
    html_head(f, "claim|.paper|statement|expected|run by");
    for (long k = 0; k < b->n; k++) {
        const chapter *c = &b->at[k];
        char paper[32], *command;
        if (c->own.n || !c->entry || c->v.as_stated != V_PENDING) continue;
        chapter_paper(paper, sizeof paper, c);
        command = results_claim_command(c->id);
        fprintf(f, "<tr><td class=\"id\">%s</td><td class=\"wide\">", c->id);
        html_plain(f, paper);
        fprintf(f, "</td><td>");
        html_title(f, c);
        fprintf(f, "</td><td>");
        html_plain(f, c->entry->expected);
        fprintf(f, "</td><td>");
        html_plain(f, command);
        fprintf(f, "</td></tr>\n");
        free(command);
    }
    fprintf(f, "</tbody></table></details>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void figure_of_chart(FILE *f, chart c, const char *caption)
{
    if (!chart_empty(&c)) {
        fprintf(f, "<figure><h4>%s</h4>\n", c.title);
        svg_chart(f, &c);
        fprintf(f, "<figcaption>%s</figcaption></figure>\n", caption);
    }
    chart_free(&c);
}

static void chip(FILE *f, const char *what, char *value)
{
    fprintf(f, "<li><b>%s</b>%s</li>\n", value, what);
    free(value);
}

static void head(FILE *f, const book *b, const totals *t)
{
    fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>Provably: verdicts</title>\n%s</head><body>\n<header>"
               "<h1>Provably: which claims hold</h1>\n"
               "<p>Every claim of four texts on removing weights from transformers, decided by programs in six "
               "arithmetics.%s</p>\n", html_style,
            b->partial ? " <strong>PARTIAL run: no verdicts.</strong>" : "");
    fprintf(f, "<nav>%s<a href=\"#verdicts\">Verdicts</a><a href=\"#graph\">Dependencies</a>"
               "<a href=\"#claims\">Claims</a>"
               "<a href=\"#plots\">Plots</a><a href=\"#experiments\">Experiments</a><a href=\"#numbers\">Numbers</a>"
               "<a href=\"#coverage\">Coverage</a><a href=\"#method\">Method</a>"
               "</nav></header>\n<main>\n<ul class=\"chips\">\n",
            b->found.n && !b->partial ? "<a href=\"#findings\">What is true</a>" : "");
    chip(f, "claims built", must_format("%ld of %ld", b->built, b->n));
    for (size_t k = 0; k < COUNT(verdict_order) && !b->partial; k++)
        if (t->with[verdict_order[k]])
            chip(f, verdict_word(verdict_order[k]), must_format("%ld", t->with[verdict_order[k]]));
    chip(f, "broken variants caught", must_format("%ld of %ld", t->refuted, t->controls));
    chip(f, "trials", must_format("%ld", t->rows));
    fprintf(f, "</ul>\n<p class=\"soft\">Version %s, seed %llu%s, BLAS threads: %d, core %s, %.0f s of "
               "trials. Built from ", b->version, (unsigned long long)t->seed, t->seeds > 1 ? " and others" : "",
            t->threads, t->blas, t->seconds);
    html_plain(f, t->build[0] ? t->build : "unknown");
    fprintf(f, ".</p>\n");
}

static void problems(FILE *f, const book *b)
{
    if (!b->problems) return;
    fprintf(f, "<h2>What fails</h2>\n<ul>\n");
    for (long k = 0; k < b->problems; k++) {
        fprintf(f, "<li>");
        html_plain(f, b->problem[k]);
        fprintf(f, "</li>\n");
    }
    fprintf(f, "</ul>\n");
}

void report_html(const book *b, const char *out)
{
    const totals t = book_totals(b);
    outfile o = out_open(out, "report.html");
    head(o.f, b, &t);
    problems(o.f, b);
    findings_html(o.f, b);
    verdict_table(o.f, b);
    graph_svg(o.f, b);
    html_claims(o.f, b);
    fprintf(o.f, "<h2 id=\"plots\">Plots</h2>\n<div class=\"plots\">\n");
    figure_of_chart(o.f, chart_ladder(b, NULL),
                    "Per claim part and control the largest gap over its trials. Identities fall with slope "
                    "&minus;1; controls stay where they are.");
    figure_of_chart(o.f, chart_condition(b),
                    "One mark per trial in doubles, and the bound it was judged against.");
    fprintf(o.f, "</div>\n");
    experiments_html(o.f, b);
    audit_html(o.f, b);
    coverage_grid(o.f, b);
    pending_list(o.f, b);
    fprintf(o.f, "%s</main>\n</body></html>\n", html_method);
    outfile_close(&o);
}
