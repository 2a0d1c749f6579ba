/* html_claims.c - the entry of each built claim on the page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

static void field(FILE *f, const char *name, const char *latex)
{
    if (!latex || !*latex) return;
    fprintf(f, "<dt>%s</dt><dd>", name);
    html_math(f, latex);
    fprintf(f, "</dd>\n");
}

static void quotations(FILE *f, const char *name, const quotation *q, long n, const char *note)
{
    if (!n) return;
    fprintf(f, "<dt>%s</dt><dd>", name);
    for (long k = 0; k < n; k = quotation_next(q, n, k + 1)) {
        char *sources = quotation_sources(q, n, k);
        fprintf(f, "<p class=\"quote\">&ldquo;");
        html_quoted(f, q[k].says);
        fprintf(f, "&rdquo;%s", sources ? " <span class=\"soft\">" : "");
        html_plain(f, sources);
        fprintf(f, "%s</p>\n", sources ? "</span>" : "");
        free(sources);
    }
    if (*note) fprintf(f, "<p class=\"soft\">%s</p>\n", note);
    fprintf(f, "</dd>\n");
}

/* The answer to what is quoted: verdict, evidence and scope, and those of the corrected statement. */
static void answer_field(FILE *f, const book *b, const claim_verdict *v)
{
    fprintf(f, "<dt>verdict</dt><dd>");
    for (int corrected = 0; corrected < 2; corrected++) {
        char behind[64], scope[128];
        if (corrected && v->corrected == V_NONE) break;
        group_evidence(behind, sizeof behind, b, v, corrected);
        group_scope(scope, sizeof scope, b, v, corrected);
        fprintf(f, "%s", corrected ? "<br>corrected statement: " : "");
        html_verdict(f, b, corrected ? v->corrected : v->as_stated);
        fprintf(f, " <span class=\"soft\">");
        html_plain(f, behind);
        fprintf(f, "%s", *behind && *scope ? "; " : "");
        html_plain(f, scope);
        fprintf(f, "</span>");
    }
    fprintf(f, "</dd>\n");
}

/* "derived; any size and depth, h = 1-2; assumes: invertible W_Q; missing: ..." */
static void part_evidence(FILE *f, const book *b, const part_verdict *p)
{
    char behind[64], scope[128];
    if (b->partial || p->by == E_NONE) return;
    evidence_text(behind, sizeof behind, p);
    evidence_scope_text(scope, sizeof scope, p);
    fprintf(f, "<span class=\"soft\">%s; ", behind);
    html_plain(f, scope);
    if (p->assumes[0]) { fprintf(f, "; assumes: "); html_plain(f, p->assumes); }
    if (p->is == V_SUPPORTED && p->missing[0]) { fprintf(f, "; missing: "); html_mixed(f, p->missing); }
    fprintf(f, ".</span> ");
}

static void part_field(FILE *f, const book *b, const chapter *c, const part_verdict *p)
{
    const part_text *t = meta_part(&c->text, p->name);
    fprintf(f, "<dt>%s</dt><dd>", p->name);
    html_verdict(f, b, p->is);
    fprintf(f, " ");
    part_evidence(f, b, p);
    if (t) html_math(f, t->statement);
    if (t && t->basis) {
        fprintf(f, ". <span class=\"soft\">Decided by ");
        html_math(f, t->basis);
        fprintf(f, ".</span>");
    }
    if (t && t->without) {
        fprintf(f, " <span class=\"soft\">Not over %s: ", t->without);
        html_math(f, t->why_without);
        fprintf(f, ".</span>");
    }
    if (verdict_fails(p->is) && p->why[0]) {
        fprintf(f, " Fails: ");
        html_plain(f, p->why);
    }
    fprintf(f, "</dd>\n");
}

static void evidence_table(FILE *f, const chapter *c)
{
    fprintf(f, "<h4>Evidence</h4><div class=\"scroll\" tabindex=\"0\"><table>");
    html_head(f, "part|#f64|#mpfr|#ball|#F<sub>q</sub>|#Q|#sym|#breaks caught");
    for (long p = 0; p < c->v.parts; p++) {
        const part_verdict *v = &c->v.part[p];
        fprintf(f, "<tr><td>%s</td>", v->name);
        for (int k = 0; k < ARITHS; k++) {
            fprintf(f, "<td class=\"num\">");
            figure_html(f, figure_of_part(v, k));
            fprintf(f, "</td>");
        }
        fprintf(f, "<td class=\"num\">%ld/%ld</td></tr>\n", v->refuted, v->controls);
    }
    fprintf(f, "</tbody></table></div>\n");
}

static void control_row(FILE *f, const control_count *c)
{
    fprintf(f, "<tr><td>%s</td><td>%s</td><td>", c->part, c->name);
    html_mixed(f, c->why);
    fprintf(f, "</td><td class=\"num\">%ld/%ld</td><td class=\"num\">", c->refuted, c->decided);
    if (isfinite(c->margin)) figure_html(f, (figure){ FIG_POWER, floor(c->margin), 0 });
    else fprintf(f, "&ndash;");
    fprintf(f, "</td></tr>\n");
}

static void controls_table(FILE *f, const chapter *c)
{
    control_count *all;
    const long n = chapter_controls(c, &all);
    if (n) {
        fprintf(f, "<h4>Broken variants</h4><div class=\"scroll\" tabindex=\"0\"><table>");
        html_head(f, "part|broken variant|what is broken|#caught|#gap/bound, f64");
    }
    for (long k = 0; k < n; k++) control_row(f, &all[k]);
    if (n) fprintf(f, "</tbody></table></div>\n");
    free(all);
}

static void dependencies(FILE *f, const book *b, const char *ids)
{
    if (!ids || !*ids) return;
    char *copy = must_strdup(ids), *save = NULL;
    fprintf(f, "<dt>uses</dt><dd>");
    for (char *id = strtok_r(copy, " ,", &save); id; id = strtok_r(NULL, " ,", &save)) {
        const chapter *c = book_find(b, id);
        if (c && c->own.n) fprintf(f, "<a href=\"#%s\">%s</a> ", c->id, c->id);
        else { html_plain(f, id); fprintf(f, " (pending) "); }
    }
    fprintf(f, "</dd>\n");
    free(copy);
}

static void entry(FILE *f, const book *b, const chapter *c)
{
    fprintf(f, "<details%s><summary><h3>%s: ", b->built <= 4 ? " open" : "", c->id);
    html_title(f, c);
    fprintf(f, "</h3> ");
    html_verdict(f, b, c->v.as_stated);
    fprintf(f, "</summary>\n<dl id=\"%s\">", c->id);                /* inside, so that a link opens it */
    quotations(f, "quoted", c->text.quote, c->text.quotes, quotations_note(&c->text));
    quotations(f, "presupposed", c->text.standing, c->text.standings, "");
    if (c->text.quotes) answer_field(f, b, &c->v);
    field(f, "where", c->text.where);
    field(f, "hypotheses", c->text.hypotheses);
    field(f, "construction", c->text.construction);
    field(f, "why", c->text.why);
    dependencies(f, b, c->text.depends);
    for (long p = 0; p < c->v.parts; p++) part_field(f, b, c, &c->v.part[p]);
    if (c->entry) {
        fprintf(f, "<dt>certificate</dt><dd class=\"soft\">");
        html_plain(f, c->entry->certificate[0] ? c->entry->certificate : "none");
        fprintf(f, "</dd>\n");
    }
    fprintf(f, "</dl>\n");
    evidence_table(f, c);
    controls_table(f, c);
    html_figures(f, c);
    chart plot = chart_ladder(b, c);
    if (!chart_empty(&plot)) {
        fprintf(f, "<h4>Gap against precision</h4>\n");
        svg_chart(f, &plot);
        const bool exact = figure_of_group(&c->v, false, A_MPFR).kind == FIG_EQUAL
                        || figure_of_group(&c->v, true, A_MPFR).kind == FIG_EQUAL;
        if (exact && !chart_has(&plot, OF_CLAIM))
            fprintf(f, "<p class=\"soft\">The claim is exact at every precision.</p>\n");
    }
    chart_free(&plot);
    fprintf(f, "</details>\n");
}

void html_claims(FILE *f, const book *b)
{
    fprintf(f, "<h2 id=\"claims\">Claims</h2>\n");
    for (long k = 0; k < b->n; k++) if (b->at[k].own.n) entry(f, b, &b->at[k]);
}
