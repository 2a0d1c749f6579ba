/* SPDX-License-Identifier: GPL-3.0-or-later
 * cite.c - verdicts for other people's papers: two small tables, and a macro that has each claim's verdict. */
#include <stdlib.h>
#include <string.h>
#include "src/report/document/latex_text.h"
#include "src/report/sections/sections.h"

void section_counts(document *d, const evidence_set *all)
{
    static const doc_column columns[] = {
        { .title = "verdict" }, { .title = "as printed", .kind = COLUMN_NUMBER },
        { .title = "corrected", .kind = COLUMN_NUMBER }, { .title = "what it means", .mm = 75 } };
    const evidence_totals of = evidence_totals_of(all);
    doc_table *t = doc_add_table(d, TO_LATEX, TABLE_SMALL, columns, COUNT(columns));
    for (size_t k = 0; k < COUNT(verdict_order) && !all->partial; k++) {
        const verdict v = verdict_order[k];
        if (!of.with[v] && !of.corrected_with[v]) continue;
        table_row(t);
        section_add_verdict(table_cell(t), all, v);
        table_whole(t, of.with[v]);
        table_whole(t, of.corrected_with[v]);
        table_text(t, verdict_means(v));
    }
}

/* Verdict, scope and evidence of a group. */
static void add_group(doc_table *t, const evidence_set *all, const claim_record *c, bool corrected)
{
    char evidence[64], scope[SCOPE_ROOM];
    record_group_evidence(evidence, sizeof evidence, all, &c->v, corrected);
    record_group_scope(scope, sizeof scope, all, &c->v, corrected);
    section_add_verdict(table_cell(t), all, corrected ? c->v.corrected : c->v.as_stated);
    table_text(t, scope);
    section_add_evidence(table_cell(t), evidence);
}

void section_short_verdicts(document *d, const evidence_set *all)
{
    static const doc_column columns[] = {
        { .title = "claim", .mm = 20 }, { .title = "printed as", .mm = 21 }, { .title = "statement", .mm = 42 },
        { .title = "verdict", .mm = 27 }, { .title = "holds for", .mm = 27 }, { .title = "evidence", .mm = 21 } };
    doc_table *t = doc_add_table(d, TO_LATEX, TABLE_PLAIN, columns, COUNT(columns));
    t->size = "\\footnotesize";
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        char paper[32], *title = record_title_latex(c);
        record_paper(paper, sizeof paper, c);
        table_row(t);
        section_add_reference(table_cell(t), all, c->id);
        table_text(t, paper);
        line_add(table_cell(t), SPAN_LATEX, title);
        add_group(t, all, c, false);
        free(title);
        if (c->v.corrected == V_NONE) continue;
        table_row(t)->second = true;
        table_texts(t, (const char *const[]){ "", "", "corrected statement" }, 3);
        add_group(t, all, c, true);
    }
}

/* ---- macros ---- */

static void set_text(FILE *f, const char *id, const char *field, const char *text)
{
    fprintf(f, "\\provablyset{%s}{%s}{", id, field);
    latex_text(f, text);
    fprintf(f, "}\n");
}

/* "verified 2^-89" with its power. */
static void set_evidence(FILE *f, const char *id, const char *field, const char *evidence)
{
    const char *power = strstr(evidence, "2^");
    const int n = power ? (int)(power - evidence) : (int)strlen(evidence);
    fprintf(f, "\\provablyset{%s}{%s}{%.*s", id, field, n, evidence);
    if (power) fprintf(f, "$2^{%s}$", power + 2);
    fprintf(f, "}\n");
}

static void set_group(FILE *f, const evidence_set *all, const claim_record *c, bool corrected)
{
    static const char *const field[2][3] = { { "verdict", "scope", "evidence" },
                                             { "corrected", "corrected-scope", "corrected-evidence" } };
    char evidence[64], scope[SCOPE_ROOM];
    record_group_evidence(evidence, sizeof evidence, all, &c->v, corrected);
    record_group_scope(scope, sizeof scope, all, &c->v, corrected);
    set_text(f, c->id, field[corrected][0], verdict_shown(all, corrected ? c->v.corrected : c->v.as_stated));
    set_text(f, c->id, field[corrected][1], scope);
    set_evidence(f, c->id, field[corrected][2], evidence);
}

void cite_macros(FILE *f, const evidence_set *all)
{
    fputs("\\providecommand{\\provablyset}[3]{\\expandafter\\gdef\\csname provably:#1:#2\\endcsname{#3}}\n"
          "\\providecommand{\\provablyclaim}[2]{\\ifcsname provably:#1:#2\\endcsname\\else"
          "\\PackageError{provably}{No claim #1 with #2}{See cite.tex.}\\fi\\csname provably:#1:#2\\endcsname}\n"
          "\\providecommand{\\provablyrow}[1]{#1 & \\provablyclaim{#1}{title} & \\provablyclaim{#1}{verdict} & "
          "\\provablyclaim{#1}{scope} & \\provablyclaim{#1}{evidence}}\n", f);
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        char paper[32], *title = record_title_latex(c);
        record_paper(paper, sizeof paper, c);
        fprintf(f, "\\provablyset{%s}{title}{", c->id);
        latex_math(f, title);
        fprintf(f, "}\n");
        set_text(f, c->id, "printed-as", paper);
        set_group(f, all, c, false);
        if (c->v.corrected != V_NONE) set_group(f, all, c, true);
        free(title);
    }
}
