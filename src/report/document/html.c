/* SPDX-License-Identifier: GPL-3.0-or-later
 * html.c - see html.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/html.h"
#include "src/report/document/html_text.h"

/* ---- lines ---- */

static const struct { const char *begin, *end; } style_of[] = {
    [STYLE_NONE] = { "", "" }, [STYLE_SOFT] = { "<span class=\"soft\">", "</span>" },
    [STYLE_SMALL] = { "<span class=\"soft\">", "</span>" }, [STYLE_ASIDE] = { "<span class=\"soft\">", ".</span>" },
    [STYLE_LEAD] = { "", "" }, [STYLE_STRONG] = { "<strong>", "</strong>" }, [STYLE_CODE] = { "<code>", "</code>" },
    [STYLE_LISTING] = { "<pre>", "</pre>" },
    [STYLE_TOGETHER] = { "<span class=\"row\">", "</span>" }, [STYLE_QUOTE] = { "&ldquo;", "&rdquo;" },
    [STYLE_FOLD] = { "<details class=\"also\">", "</details>" }, [STYLE_FOLD_HEAD] = { "<summary>", "</summary>" } };

/* A number with a real minus sign. */
static void write_signed(FILE *f, const char *text, size_t n)
{
    const bool minus = *text == '-';
    fprintf(f, "%s%.*s", minus ? "\u2212" : "", (int)(n - minus), text + minus);
}

static void write_number(FILE *f, const char *text)
{
    const size_t n = strcspn(text, "e");
    write_signed(f, text, n);
    if (!text[n]) return;
    fprintf(f, "\u00b710<sup>%s%ld</sup>", text[n + 1] == '-' ? "\u2212" : "", labs(strtol(text + n + 1, NULL, 10)));
}

static void write_anchor(FILE *f, const char *before, const doc_span *s)
{
    fprintf(f, "<a href=\"%s", before);
    html_text(f, s->tag);
    fprintf(f, "\">");
    html_text(f, s->text);
    fprintf(f, "</a>");
}

static void write_span(FILE *f, const doc_span *s)
{
    switch (s->kind) {
    case SPAN_TEXT:    html_ticked(f, s->text); break;
    case SPAN_LATEX:   html_math(f, s->text); break;
    case SPAN_MIXED:   html_mixed(f, s->text); break;
    case SPAN_QUOTED:  html_quoted(f, s->text); break;
    case SPAN_NUMBER:  write_number(f, s->text); break;
    case SPAN_POWER:
        fprintf(f, "2<sup>");
        write_signed(f, s->text, strlen(s->text));
        fprintf(f, "</sup>");
        break;
    case SPAN_DASH:    fputs("&ndash;", f); break;
    case SPAN_BADGE:   fprintf(f, "<span class=\"v %s\">%s</span>", s->tag, s->text); break;
    case SPAN_LINK:    write_anchor(f, "#", s); break;
    case SPAN_FILE:    write_anchor(f, "", s); break;
    case SPAN_NEWLINE: fputs("<br>", f); break;
    case SPAN_OPEN:    fputs(style_of[s->style].begin, f); break;
    case SPAN_CLOSE:   fputs(style_of[s->style].end, f); break;
    }
}

static bool is_code(span_style style) { return style == STYLE_CODE || style == STYLE_LISTING; }

/* In code ` stands for itself: Coq writes the absolute value of x as `|x|. */
static void write_line(FILE *f, const doc_line *l)
{
    bool code = false;
    for (long k = 0; k < l->n; k++) {
        const doc_span *s = &l->at[k];
        if (!doc_is_for(s->to, TO_HTML)) continue;
        if (s->kind == SPAN_OPEN || s->kind == SPAN_CLOSE) code = is_code(s->style) ? s->kind == SPAN_OPEN : code;
        if (code && s->kind == SPAN_TEXT) html_text(f, s->text);
        else write_span(f, s);
    }
}

static void write_title_attribute(FILE *f, const char *title)
{
    if (!title) return;
    fprintf(f, " title=\"");
    html_text(f, title);
    fprintf(f, "\"");
}

/* ---- tables ---- */

static void write_class(FILE *f, const doc_column *c)
{
    static const char *const class_of[] = { [COLUMN_TEXT] = "", [COLUMN_NUMBER] = "num", [COLUMN_ID] = "id" };
    const char *kind = class_of[c->kind];
    if (*kind || c->wide) fprintf(f, " class=\"%s%s%s\"", kind, *kind && c->wide ? " " : "", c->wide ? "wide" : "");
}

static void table_head(FILE *f, const doc_table *t)
{
    fprintf(f, "<thead><tr>");
    for (long k = 0; k < t->columns; k++) {
        const doc_column *c = &t->column[k];
        if (!doc_is_for(c->to, TO_HTML)) continue;
        fprintf(f, "<th");
        write_class(f, c);
        fprintf(f, ">%s", t->layout == TABLE_GRID ? "<span>" : "");
        html_math(f, c->title);
        fprintf(f, "%s</th>", t->layout == TABLE_GRID ? "</span>" : "");
    }
    fprintf(f, "</tr></thead>\n<tbody>\n");
}

static void write_row(FILE *f, const doc_table *t, const doc_row *r)
{
    fprintf(f, "<tr%s", r->second ? " class=\"sub\"" : "");
    write_title_attribute(f, r->title);
    fprintf(f, ">");
    for (long k = 0; k < r->n; k++) {
        if (!doc_is_for(t->column[k].to, TO_HTML)) continue;
        fprintf(f, "<td");
        write_class(f, &t->column[k]);
        write_title_attribute(f, r->cell[k].title);
        fprintf(f, ">");
        write_line(f, &r->cell[k].text);
        fprintf(f, "</td>");
    }
    fprintf(f, "</tr>\n");
}

static void write_table(FILE *f, const doc_table *t)
{
    const bool scrolls = t->layout != TABLE_PLAIN;
    if (t->fold) fprintf(f, "<details><summary>%s</summary>\n", t->fold);
    if (scrolls) fprintf(f, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table\">");
    fprintf(f, "<table%s>",
            t->layout == TABLE_GRID ? " class=\"gridtable\"" : "");
    table_head(f, t);
    for (long k = 0; k < t->n; k++) if (doc_is_for(t->row[k].to, TO_HTML)) write_row(f, t, &t->row[k]);
    fprintf(f, "</tbody></table>%s%s\n", scrolls ? "</div>" : "", t->fold ? "</details>" : "");
}

/* ---- blocks ---- */

/* No level is left out: inside an entry, whose head is of level 3, a part of a section is of level 4. */
static void write_heading(FILE *f, const doc_block *b, bool inside)
{
    static const char *const tag[] = { "h1", "h2", "h3", "h4" };
    const char *is = tag[b->level + (inside && b->level == 2)];
    fprintf(f, "<%s", is);
    if (b->id) fprintf(f, " id=\"%s\"", b->id);
    fprintf(f, ">");
    write_line(f, &b->text);
    fprintf(f, "</%s>\n", is);
}

static void write_terms(FILE *f, const doc_block *b)
{
    fprintf(f, "<dl>\n");
    for (long k = 0; k < b->n; k++) {
        fprintf(f, "<dt>");
        write_line(f, &b->item[k].term);
        fprintf(f, "</dt><dd>");
        write_line(f, &b->item[k].text);
        fprintf(f, "</dd>\n");
    }
    fprintf(f, "</dl>\n");
}

static void write_list(FILE *f, const doc_block *b)
{
    const char *tag = b->kind == BLOCK_NUMBERED ? "ol" : "ul";
    fprintf(f, "<%s%s>\n", tag, b->kind == BLOCK_FACTS ? " class=\"chips\"" : "");
    for (long k = 0; k < b->n; k++) {
        fprintf(f, "<li>");
        if (b->kind == BLOCK_FACTS) {
            fprintf(f, "<b>");
            write_line(f, &b->item[k].term);
            fprintf(f, "</b>");
        }
        write_line(f, &b->item[k].text);
        fprintf(f, "</li>\n");
    }
    fprintf(f, "</%s>\n", tag);
}

static void write_chart(FILE *f, const doc_block *b)
{
    fprintf(f, "<figure>");
    svg_chart(f, &b->chart, SVG_PAGE);
    fprintf(f, "<figcaption><b>%s.</b> ", b->chart.title);
    if (b->beside || b->chart.small) write_line(f, &b->text);
    fprintf(f, "</figcaption></figure>\n");
}

static void write_entry(FILE *f, const doc_block *b)
{
    fprintf(f, "<details%s class=\"entry\" data-is=\"%s\"><summary><h3>%s: ", b->open ? " open" : "",
            b->facets ? b->facets : "", b->id);
    write_line(f, &b->text);
    fprintf(f, "</h3> ");
    write_line(f, &b->verdict);
    fprintf(f, "</summary>\n<div id=\"%s\">\n", b->id);         /* inside, so that a link opens it */
}

static void write_fold(FILE *f, const doc_block *b)
{
    fprintf(f, "<details><summary>");
    write_line(f, &b->text);
    fprintf(f, "</summary>\n");
}

/* A field for words and a list for each facet.  The script shows the form: without it there is none. */
static void write_filter(FILE *f, const doc_block *b)
{
    fprintf(f, "<form id=\"filter\" role=\"search\" hidden>\n<label>Search<input type=\"search\" name=\"q\" "
               "placeholder=\"Theorem 4.4, LayerNorm, tied\"></label>\n");
    for (long k = 0; k < b->n; k++) {
        long first = 0;
        while (strcmp(b->choice[first].key, b->choice[k].key) != 0) first++;
        if (first < k) continue;
        fprintf(f, "<label>%s<select name=\"%s\"><option value=\"\">any</option>", b->choice[k].title,
                b->choice[k].key);
        for (long i = k; i < b->n; i++) {
            const doc_choice *c = &b->choice[i];
            if (strcmp(c->key, b->choice[k].key) != 0) continue;
            fprintf(f, "<option value=\"%s\">", c->value);
            html_text(f, c->words);
            fprintf(f, " (%ld)</option>", c->n);
        }
        fprintf(f, "</select></label>\n");
    }
    fprintf(f, "<button type=\"reset\">Show all</button><output aria-live=\"polite\"></output></form>\n");
}

/* A listing is a block, which no <p> may hold: then the paragraph is a <div>. */
static void write_paragraph(FILE *f, const doc_block *b)
{
    bool listing = false;
    for (long k = 0; k < b->text.n; k++) {
        const doc_span *s = &b->text.at[k];
        listing |= doc_is_for(s->to, TO_HTML) && s->kind == SPAN_OPEN && s->style == STYLE_LISTING;
    }
    const char *tag = listing ? "div" : "p";
    fprintf(f, "<%s%s>", tag, b->soft ? " class=\"soft\"" : "");
    write_line(f, &b->text);
    fprintf(f, "</%s>\n", tag);
}

static void write_block(FILE *f, const doc_block *b, bool inside)
{
    switch (b->kind) {
    case BLOCK_HEADING:   write_heading(f, b, inside); break;
    case BLOCK_PARAGRAPH: write_paragraph(f, b); break;
    case BLOCK_TABLE:     write_table(f, &b->table); break;
    case BLOCK_TERMS:     if (b->n) write_terms(f, b); break;
    case BLOCK_FACTS:
    case BLOCK_BULLETS:
    case BLOCK_NUMBERED:  if (b->n) write_list(f, b); break;
    case BLOCK_CHART:     if (!chart_empty(&b->chart)) write_chart(f, b); break;
    case BLOCK_DIAGRAM:   svg_diagram(f, &b->diagram); break;
    case BLOCK_ENTRY:     write_entry(f, b); break;
    case BLOCK_ENTRY_END: fprintf(f, "</div></details>\n"); break;
    case BLOCK_FOLD:      write_fold(f, b); break;
    case BLOCK_FOLD_END:  fprintf(f, "</details>\n"); break;
    case BLOCK_FILTER:    write_filter(f, b); break;
    }
}

void html_document(FILE *f, const document *d)
{
    bool beside = false, inside = false;
    for (long k = 0; k < d->n; k++) {
        const doc_block *b = d->at[k];
        if (!doc_is_for(b->to, TO_HTML)) continue;
        if (b->beside != beside) fprintf(f, b->beside ? "<div class=\"plots\">\n" : "</div>\n");
        beside = b->beside;
        if (b->kind == BLOCK_ENTRY || b->kind == BLOCK_ENTRY_END) inside = b->kind == BLOCK_ENTRY;
        write_block(f, b, inside);
    }
    if (beside) fprintf(f, "</div>\n");
}

static void write_navigation(FILE *f, const document *part, long parts)
{
    fprintf(f, "<nav aria-label=\"Sections\">");
    for (long p = 0; p < parts; p++)
        for (long k = 0; k < part[p].n; k++) {
            const doc_block *b = part[p].at[k];
            if (b->short_title) fprintf(f, "<a href=\"#%s\">%s</a>", b->id, b->short_title);
        }
    fprintf(f, "</nav>\n");
}

void html_page(FILE *f, const char *window_title, const document *part, long parts)
{
    fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>%s</title>\n<style>\n%s%s%s</style>\n</head><body>\n"
               "<a class=\"skip\" href=\"#claims\">To the claims</a>\n<header>", window_title, svg_colours, svg_rules,
            html_style);
    html_document(f, &part[0]);
    write_navigation(f, part, parts);
    fprintf(f, "</header>\n<main>\n");
    for (long p = 1; p < parts; p++) html_document(f, &part[p]);
    fprintf(f, "</main>\n%s</body></html>\n", html_script);
}
