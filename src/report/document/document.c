/* SPDX-License-Identifier: GPL-3.0-or-later
 * document.c - building documents: see document.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/document.h"

bool doc_is_for(unsigned to, unsigned writer) { return !to || (to & writer); }

/* ---- lines ---- */

static doc_span *add_span(doc_line *l, span_kind kind, const char *text)
{
    l->at = must_realloc(l->at, (size_t)l->n + 1, sizeof *l->at);
    l->at[l->n] = (doc_span){ .kind = kind, .text = must_strdup(text) };
    return &l->at[l->n++];
}

void line_add(doc_line *l, span_kind kind, const char *text) { line_add_to(l, 0, kind, text); }

void line_add_to(doc_line *l, unsigned to, span_kind kind, const char *text)
{
    const bool empty = !text || !*text;
    if (!empty || kind == SPAN_DASH || kind == SPAN_NEWLINE) add_span(l, kind, empty ? "" : text)->to = to;
}

static void add_formatted(doc_line *l, span_kind kind, const char *fmt, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, fmt, args) < 0) die("out of memory");
    line_add(l, kind, text);
    free(text);
}

void line_format(doc_line *l, span_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_formatted(l, kind, fmt, args);
    va_end(args);
}

void line_link(doc_line *l, const char *text, const char *target)
{
    doc_span *s = add_span(l, target ? SPAN_LINK : SPAN_TEXT, text);
    if (target) s->tag = must_strdup(target);
}

void line_file(doc_line *l, const char *text, const char *address)
{
    doc_span *s = add_span(l, address ? SPAN_FILE : SPAN_TEXT, text);
    if (address) s->tag = must_strdup(address);
}

void line_badge(doc_line *l, const char *text, const char *colour)
{
    if (*text) add_span(l, SPAN_BADGE, text)->tag = must_strdup(colour);
}

void line_styled(doc_line *l, span_style style, const char *text)
{
    line_open(l, style);
    line_add(l, SPAN_TEXT, text);
    line_close(l, style);
}

void line_open (doc_line *l, span_style style) { add_span(l, SPAN_OPEN, "")->style = style; }
void line_close(doc_line *l, span_style style) { add_span(l, SPAN_CLOSE, "")->style = style; }

void line_free(doc_line *l)
{
    for (long k = 0; k < l->n; k++) {
        free(l->at[k].text);
        free(l->at[k].tag);
    }
    free(l->at);
    *l = (doc_line){ 0 };
}

void line_append(doc_line *l, const doc_line *more)
{
    for (long k = 0; k < more->n; k++) {
        const doc_span *from = &more->at[k];
        doc_span *to = add_span(l, from->kind, from->text);
        to->style = from->style;
        to->to = from->to;
        to->tag = from->tag ? must_strdup(from->tag) : NULL;
    }
}

/* ---- tables ---- */

doc_row *table_row(doc_table *t)
{
    if ((t->n & (t->n - 1)) == 0) t->row = must_realloc(t->row, t->n ? 2 * (size_t)t->n : 1, sizeof *t->row);
    t->row[t->n] = (doc_row){ .cell = must_calloc((size_t)t->columns, sizeof(doc_cell)) };
    return &t->row[t->n++];
}

doc_line *table_cell(doc_table *t)
{
    doc_row *r = &t->row[t->n - 1];
    REQUIRE(r->n < t->columns, "more than %ld cells in a row", t->columns);
    return &r->cell[r->n++].text;
}

void table_text(doc_table *t, const char *text) { line_add(table_cell(t), SPAN_TEXT, text); }

void table_texts(doc_table *t, const char *const text[], size_t n)
{
    for (size_t k = 0; k < n; k++) table_text(t, text[k]);
}

void table_format(doc_table *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_formatted(table_cell(t), SPAN_TEXT, fmt, args);
    va_end(args);
}

void table_number(doc_table *t, const char *text) { line_add(table_cell(t), text ? SPAN_NUMBER : SPAN_DASH, text); }

void table_whole(doc_table *t, long x) { table_format(t, "%ld", x); }

void table_real(doc_table *t, const char *fmt, double x)
{
    char text[64];
    snprintf(text, sizeof text, fmt, x);
    table_text(t, isnan(x) ? "" : isfinite(x) ? text : x > 0 ? "Inf" : "-Inf");
}

static void table_free(doc_table *t)
{
    for (long k = 0; k < t->n; k++) {
        for (long i = 0; i < t->row[k].n; i++) {
            line_free(&t->row[k].cell[i].text);
            free(t->row[k].cell[i].title);
        }
        line_free(&t->row[k].below);
        free(t->row[k].cell);
        free(t->row[k].title);
    }
    free(t->row);
}

/* ---- blocks ---- */

doc_block *doc_add(document *d, block_kind kind, unsigned to)
{
    d->at = must_realloc(d->at, (size_t)d->n + 1, sizeof(void *));
    d->at[d->n] = must_calloc(1, sizeof **d->at);
    *d->at[d->n] = (doc_block){ .kind = kind, .to = to };
    return d->at[d->n++];
}

doc_block *doc_heading(document *d, unsigned to, int level, const char *id, const char *latex)
{
    doc_block *b = doc_add(d, BLOCK_HEADING, to);
    b->level = level;
    if (id) b->id = must_strdup(id);
    line_add(&b->text, SPAN_LATEX, latex);
    return b;
}

void doc_section(document *d, unsigned to, const char *id, const char *latex, const char *short_title)
{
    doc_heading(d, to, 1, id, latex)->short_title = short_title;
}

doc_block *doc_paragraph(document *d, unsigned to, const char *latex)
{
    doc_block *b = doc_add(d, BLOCK_PARAGRAPH, to);
    line_add(&b->text, SPAN_LATEX, latex);
    return b;
}

doc_table *doc_add_table(document *d, unsigned to, table_layout layout, const doc_column *column, long columns)
{
    doc_table *t = &doc_add(d, BLOCK_TABLE, to)->table;
    *t = (doc_table){ .layout = layout, .column = column, .columns = columns };
    return t;
}

doc_table *doc_data_table(document *d, const data_column *column, size_t columns)
{
    doc_table *t = doc_add_table(d, TO_DATA, TABLE_PLAIN, NULL, (long)columns);
    t->data = column;
    return t;
}

doc_item *doc_add_item(doc_block *list, const char *term)
{
    list->item = must_realloc(list->item, (size_t)list->n + 1, sizeof *list->item);
    list->item[list->n] = (doc_item){ .name = false };
    line_add(&list->item[list->n].term, SPAN_LATEX, term);
    return &list->item[list->n++];
}

void doc_add_choice(doc_block *filter, const char *key, const char *title, const char *value, const char *words)
{
    for (long k = 0; k < filter->n; k++)
        if (strcmp(filter->choice[k].key, key) == 0 && strcmp(filter->choice[k].value, value) == 0) {
            filter->choice[k].n++;
            return;
        }
    filter->choice = must_realloc(filter->choice, (size_t)filter->n + 1, sizeof *filter->choice);
    filter->choice[filter->n++] = (doc_choice){ key, title, must_strdup(value), must_strdup(words), 1 };
}

static void block_free(doc_block *b)
{
    for (long k = 0; b->choice && k < b->n; k++) {
        free(b->choice[k].value);
        free(b->choice[k].words);
    }
    free(b->choice);
    free(b->facets);
    for (long k = 0; b->item && k < b->n; k++) {
        line_free(&b->item[k].term);
        line_free(&b->item[k].text);
    }
    free(b->item);
    line_free(&b->text);
    line_free(&b->verdict);
    table_free(&b->table);
    chart_free(&b->chart);
    diagram_free(&b->diagram);
    free(b->id);
    free(b->plain);
    free(b);
}

void doc_free(document *d)
{
    for (long k = 0; k < d->n; k++) block_free(d->at[k]);
    free(d->at);
    *d = (document){ 0 };
}
