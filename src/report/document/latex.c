/* SPDX-License-Identifier: GPL-3.0-or-later
 * latex.c - see latex.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/latex.h"
#include "src/report/document/latex_head.h"
#include "src/report/document/latex_text.h"

/* ---- lines ---- */

static const struct { const char *begin, *end; } style_of[] = {
    [STYLE_NONE] = { "", "" }, [STYLE_SOFT] = { "", "" },
    [STYLE_SMALL] = { "\\textcolor{provablyother}{\\small ", "}" },
    [STYLE_ASIDE] = { "(", ")" }, [STYLE_LEAD] = { "\\emph{", "}" }, [STYLE_STRONG] = { "\\textbf{", "}" },
    [STYLE_CODE] = { "\\texttt{", "}" }, [STYLE_LISTING] = { "\\texttt{", "}" }, [STYLE_TOGETHER] = {
          "\\mbox{", "}" }, [STYLE_QUOTE] = { "``", "''" }, [STYLE_FOLD] = { "", "" }, [STYLE_FOLD_HEAD] = { "", "" } };

static void write_verdict(FILE *f, const doc_span *s)
{
    static const char *const coloured[] = { "PROVED", "SUPPORTED", "SLIP", "MEASURED", "CAVEAT", "REFUTED",
                                            "HYPOTHESIS-FAILED", "bad" };      /* as in latex_head.c */
    const char *colour = "other";
    for (size_t k = 0; k < COUNT(coloured); k++) if (strcmp(s->tag, coloured[k]) == 0) colour = coloured[k];
    fprintf(f, "\\provablyverdict{provably%s}{%s}", colour, s->text);
}

static void write_span(FILE *f, const doc_span *s)
{
    switch (s->kind) {
    case SPAN_TEXT:    latex_text(f, s->text); break;
    case SPAN_LATEX:   latex_math(f, s->text); break;
    case SPAN_MIXED:   latex_mixed(f, s->text); break;
    case SPAN_QUOTED:  latex_quoted(f, s->text); break;
    case SPAN_NUMBER:  latex_number(f, s->text); break;
    case SPAN_POWER:   fprintf(f, "$2^{%s}$", s->text); break;
    case SPAN_DASH:    fputs("--", f); break;
    case SPAN_BADGE:   write_verdict(f, s); break;
    case SPAN_LINK:    latex_link(f, s->text, s->tag); break;
    case SPAN_FILE:    latex_text(f, s->text); break;
    case SPAN_NEWLINE: fputs("\\newline ", f); break;
    case SPAN_OPEN:    fputs(style_of[s->style].begin, f); break;
    case SPAN_CLOSE:   fputs(style_of[s->style].end, f); break;
    }
}

static void write_line(FILE *f, const doc_line *l)
{
    for (long k = 0; k < l->n; k++) if (doc_is_for(l->at[k].to, TO_LATEX)) write_span(f, &l->at[k]);
}

/* ---- tables ---- */

static void column_types(FILE *f, const doc_table *t)
{
    fprintf(f, "@{}");
    for (long k = 0; k < t->columns; k++) {
        const doc_column *c = &t->column[k];
        if (!doc_is_for(c->to, TO_LATEX)) continue;
        if (t->layout == TABLE_GRID && c->kind == COLUMN_NUMBER)
            fprintf(f, "@{\\hspace{0.55mm}}>{\\centering\\arraybackslash}p{%gmm}", c->mm);
        else if (c->mm > 0) fprintf(f, ">{\\raggedright\\arraybackslash}p{%gmm}", c->mm);
        else fputc(c->kind == COLUMN_NUMBER ? 'r' : 'l', f);
    }
    fprintf(f, "@{}");
}

static const char *environment_of(const doc_table *t) { return t->layout == TABLE_SMALL ? "tabular" : "longtable"; }

static void table_head(FILE *f, const doc_table *t)
{
    bool first = true;
    fprintf(f, "\\begin{%s}{", environment_of(t));
    column_types(f, t);
    fprintf(f, "}\n\\toprule %s", t->groups ? t->groups : "");
    for (long k = 0; k < t->columns; k++) {
        const doc_column *c = &t->column[k];
        const bool upright = t->layout == TABLE_GRID && c->kind == COLUMN_NUMBER;
        if (!doc_is_for(c->to, TO_LATEX)) continue;
        fprintf(f, "%s%s", first ? "" : " & ", upright ? "\\provablyupright{" : "");
        latex_math(f, c->title);
        fprintf(f, "%s", upright ? "}" : "");
        first = false;
    }
    fprintf(f, "\\\\\\midrule\n%s", t->layout == TABLE_SMALL ? "" : "\\endhead\\bottomrule\\endfoot\n");
}

static bool same_line(const doc_line *a, const doc_line *b)
{
    return a->n == 1 && b->n == 1 && strcmp(a->at[0].text, b->at[0].text) == 0;
}

static void write_row(FILE *f, const doc_table *t, const doc_row *r, const doc_row *before)
{
    bool first = true, quad = r->second;
    for (long k = 0; k < r->n; k++) {
        const doc_line *text = &r->cell[k].text;
        if (!doc_is_for(t->column[k].to, TO_LATEX)) continue;
        if (!first) fprintf(f, " & ");
        first = false;
        if (t->column[k].once && before && same_line(text, &before->cell[k].text)) continue;
        if (quad && text->n) { fprintf(f, "\\quad "); quad = false; }
        write_line(f, text);
    }
    fprintf(f, "\\\\\n");
}

static void write_table(FILE *f, const doc_table *t)
{
    fprintf(f, "%s%s%s", t->size ? "{" : "", t->size ? t->size : "", t->size ? "\n" : "");
    table_head(f, t);
    const doc_row *before = NULL;
    for (long k = 0; k < t->n; k++) {
        if (!doc_is_for(t->row[k].to, TO_LATEX)) continue;
        write_row(f, t, &t->row[k], before);
        before = &t->row[k];
    }
    fprintf(f, "%s\\end{%s}%s\n", t->layout == TABLE_SMALL ? "\\bottomrule" : "", environment_of(t),
            t->size ? "}" : "");
}

/* ---- blocks ---- */

static void write_terms(FILE *f, const doc_block *b)
{
    fprintf(f, "\\provablyterms\n");
    for (long k = 0; k < b->n; k++) {
        const doc_item *x = &b->item[k];
        fprintf(f, "\\item[%s", x->name ? "\\normalfont\\emph{" : "");
        if (!x->name && x->term.n) {                       /* print begins terms with a capital letter */
            const char *word = x->term.at[0].text;
            fputc(toupper((unsigned char)*word), f);
            latex_math(f, word + 1);
        } else write_line(f, &x->term);
        fprintf(f, "%s] ", x->name ? "}" : "");
        write_line(f, &x->text);
        fprintf(f, "\n");
    }
    fprintf(f, "\\provablytermsend\n");
}

static void write_list(FILE *f, const doc_block *b)
{
    const char *kind = b->kind == BLOCK_NUMBERED ? "enumerate" : "itemize";
    fprintf(f, "\\begin{%s}\n", kind);
    for (long k = 0; k < b->n; k++) {
        fprintf(f, "\\item ");
        write_line(f, &b->item[k].text);
        fprintf(f, "\n");
    }
    fprintf(f, "\\end{%s}\n", kind);
}

static void write_heading(FILE *f, const doc_block *b)
{
    fprintf(f, "%s{", b->level == 1 ? "\\section" : "\\subsection*");
    write_line(f, &b->text);
    fprintf(f, "}\n");
}

static void write_entry(FILE *f, const doc_block *b)
{
    fprintf(f, "\\provablyhead{%s}{", b->id);
    latex_text(f, b->id);
    fprintf(f, "}{");
    write_line(f, &b->text);
    fprintf(f, "}{");
    latex_text(f, b->plain);                                                    /* for the bookmark */
    fprintf(f, "}\n");
}

static void write_chart(FILE *f, const doc_block *b)
{
    fprintf(f, "\\provablyplot{%s}{", b->chart.file);
    write_line(f, &b->text);
    fprintf(f, "}\n");
}

static void write_block(FILE *f, const doc_block *b)
{
    switch (b->kind) {
    case BLOCK_HEADING:   write_heading(f, b); break;
    case BLOCK_PARAGRAPH: write_line(f, &b->text); fprintf(f, "\n"); break;
    case BLOCK_TABLE:     write_table(f, &b->table); break;
    case BLOCK_FACTS:
    case BLOCK_TERMS:     if (b->n) write_terms(f, b); break;
    case BLOCK_BULLETS:
    case BLOCK_NUMBERED:  if (b->n) write_list(f, b); break;
    case BLOCK_CHART:     if (!chart_empty(&b->chart)) write_chart(f, b); break;
    case BLOCK_DIAGRAM:   tikz_diagram(f, &b->diagram); break;
    case BLOCK_ENTRY:     write_entry(f, b); break;
    case BLOCK_ENTRY_END:
    case BLOCK_FOLD:
    case BLOCK_FOLD_END:
    case BLOCK_FILTER:    break;
    }
}

void latex_document(FILE *f, const document *d)
{
    for (long k = 0; k < d->n; k++) if (doc_is_for(d->at[k]->to, TO_LATEX)) write_block(f, d->at[k]);
}

void latex_file(FILE *f, const char *file, const char *about, const document *d)
{
    char *body = NULL;
    size_t size;
    FILE *to = open_memstream(&body, &size);
    if (!to) die("out of memory");
    latex_document(to, d);
    fclose(to);
    latex_head(f, file, about, NULL, body);
    fputs(body, f);
    free(body);
}

void latex_macro(FILE *f, const char *name, const char *latex)
{
    fprintf(f, "\\providecommand{\\Provably%s}{", name);
    latex_math(f, latex);
    fprintf(f, "}\n");
}
