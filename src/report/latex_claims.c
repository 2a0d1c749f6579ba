/* latex_claims.c - the entry of each built claim: what it says, why, and what was seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/book.h"

static void field(FILE *f, const char *name, const char *latex)
{
    if (!latex || !*latex) return;
    fprintf(f, "\\item[%s] ", name);
    latex_math(f, latex);
    fprintf(f, "\n");
}

static void quotations(FILE *f, const char *name, const quotation *q, long n, const char *note)
{
    if (!n) return;
    fprintf(f, "\\item[%s] ", name);
    for (long k = 0; k < n; k = quotation_next(q, n, k + 1)) {
        char *sources = quotation_sources(q, n, k);
        fprintf(f, "%s``", k ? "\\newline " : "");
        latex_quoted(f, q[k].says);
        fprintf(f, "''");
        if (sources) fprintf(f, " \\textcolor{vother}{\\small ");
        latex_plain(f, sources);
        fprintf(f, "%s\n", sources ? "}" : "");
        free(sources);
    }
    if (*note) fprintf(f, "\\newline\\textcolor{vother}{\\small %s}\n", note);
}

/* The answer to what is quoted: verdict, evidence and scope, and those of the corrected statement. */
static void answer_item(FILE *f, const book *b, const claim_verdict *v)
{
    fprintf(f, "\\item[Verdict] ");
    for (int corrected = 0; corrected < 2; corrected++) {
        char behind[64], scope[128];
        if (corrected && v->corrected == V_NONE) break;
        group_evidence(behind, sizeof behind, b, v, corrected);
        group_scope(scope, sizeof scope, b, v, corrected);
        fprintf(f, "%s\\verdict{%s} ", corrected ? "\\newline corrected statement: " : "",
                verdict_shown(b, corrected ? v->corrected : v->as_stated));
        latex_plain(f, behind);
        fprintf(f, "%s", *behind && *scope ? "; " : "");
        latex_plain(f, scope);
        fprintf(f, "\n");
    }
}

/* "(derived; any size and depth; assumes: invertible W_Q; missing: ...)" */
static void part_evidence(FILE *f, const book *b, const part_verdict *p)
{
    char behind[64], scope[128];
    if (b->partial || p->by == E_NONE) return;
    evidence_text(behind, sizeof behind, p);
    evidence_scope_text(scope, sizeof scope, p);
    fprintf(f, "(");
    latex_plain(f, behind);
    fprintf(f, "; ");
    latex_plain(f, scope);
    if (p->assumes[0]) { fprintf(f, "; assumes: "); latex_plain(f, p->assumes); }
    if (p->is == V_SUPPORTED && p->missing[0]) { fprintf(f, "; missing: "); latex_mixed(f, p->missing); }
    fprintf(f, ") ");
}

/* What a part says, how it was decided, and the verdict. */
static void part_item(FILE *f, const book *b, const chapter *c, const part_verdict *p)
{
    const part_text *t = meta_part(&c->text, p->name);
    fprintf(f, "\\item[\\normalfont\\emph{");
    latex_plain(f, p->name);
    fprintf(f, "}] \\verdict{%s} ", verdict_shown(b, p->is));
    part_evidence(f, b, p);
    if (t) latex_math(f, t->statement);
    if (t && t->basis) {
        fprintf(f, ". \\emph{Decided by} ");
        latex_math(f, t->basis);
    }
    if (t && t->without) {
        fprintf(f, ". \\emph{Not over} ");
        latex_plain(f, t->without);
        fprintf(f, ": ");
        latex_math(f, t->why_without);
    }
    if (verdict_fails(p->is) && p->why[0]) {
        fprintf(f, ". \\emph{Fails:} ");
        latex_plain(f, p->why);
    }
    fprintf(f, ".\n");
}

static void evidence_table(FILE *f, const chapter *c)
{
    fprintf(f, "\\begin{evidence}\n");
    for (long p = 0; p < c->v.parts; p++) {
        const part_verdict *v = &c->v.part[p];
        latex_plain(f, v->name);
        for (int k = 0; k < ARITHS; k++) {
            fprintf(f, " & ");
            figure_latex(f, figure_of_part(v, k));
        }
        fprintf(f, " & %ld/%ld\\\\\n", v->refuted, v->controls);
    }
    fprintf(f, "\\end{evidence}\n");
}

static void controls_table(FILE *f, const chapter *c)
{
    control_count *all;
    const long n = chapter_controls(c, &all);
    if (n) fprintf(f, "\\begin{controls}\n");
    for (long k = 0; k < n; k++) {
        const bool again = k && strcmp(all[k].part, all[k - 1].part) == 0;
        if (!again) latex_plain(f, all[k].part);
        fprintf(f, " & ");
        latex_plain(f, all[k].name);
        fprintf(f, " & ");
        latex_mixed(f, all[k].why);
        fprintf(f, " & %ld/%ld & ", all[k].refuted, all[k].decided);
        if (isfinite(all[k].margin)) fprintf(f, "$2^{%.0f}$", floor(all[k].margin));
        else fprintf(f, "--");
        fprintf(f, " & ");
        if (isnan(all[k].slope)) fprintf(f, "--");
        else fprintf(f, "\\num{%.3f}", fabs(all[k].slope) < 0.0005 ? 0 : all[k].slope);
        fprintf(f, "\\\\\n");
    }
    if (n) fprintf(f, "\\end{controls}\n");
    free(all);
}

/* Ids of other claims, linked where they have an entry. */
static void dependencies(FILE *f, const book *b, const char *ids)
{
    if (!ids || !*ids) return;
    char *copy = must_strdup(ids), *save = NULL;
    bool first = true;
    fprintf(f, "\\item[Uses] ");
    for (char *id = strtok_r(copy, " ,", &save); id; id = strtok_r(NULL, " ,", &save), first = false) {
        const chapter *c = book_find(b, id);
        if (!first) fprintf(f, ", ");
        if (c && c->own.n) fprintf(f, "\\hyperref[claim:%s]{", id);
        latex_plain(f, id);
        if (c && c->own.n) fprintf(f, "}");
        else fprintf(f, " (pending)");
    }
    fprintf(f, "\n");
    free(copy);
}

static void entry(FILE *f, const book *b, const chapter *c)
{
    fprintf(f, "\\claimhead{%s}{", c->id);
    latex_plain(f, c->id);
    fprintf(f, "}{");
    latex_title(f, c);
    fprintf(f, "}{");
    latex_plain(f, chapter_title(c));                            /* for the bookmark */
    fprintf(f, "}\n\\begin{words}\n");
    quotations(f, "Quoted", c->text.quote, c->text.quotes, quotations_note(&c->text));
    quotations(f, "Presupposed", c->text.standing, c->text.standings, "");
    if (c->text.quotes) answer_item(f, b, &c->v);
    field(f, "Where", c->text.where);
    field(f, "Hypotheses", c->text.hypotheses);
    field(f, "Construction", c->text.construction);
    field(f, "Why", c->text.why);
    dependencies(f, b, c->text.depends);
    for (long p = 0; p < c->v.parts; p++) part_item(f, b, c, &c->v.part[p]);
    if (c->entry) {
        fprintf(f, "\\item[Certificate] ");
        latex_plain(f, c->entry->certificate[0] ? c->entry->certificate : "none");
        fprintf(f, "\n");
    }
    fprintf(f, "\\end{words}\n");
    evidence_table(f, c);
    controls_table(f, c);
    latex_figures(f, c);
}

void latex_claims(const book *b, const char *out)
{
    outfile o = out_open(out, "claims.tex");
    for (long k = 0; k < b->n; k++) if (b->at[k].own.n) entry(o.f, b, &b->at[k]);
    outfile_close(&o);
}
