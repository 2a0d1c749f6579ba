/* SPDX-License-Identifier: GPL-3.0-or-later
 * document.h - text, tables, lists and diagrams as data.  Sections build documents; the writers (html.h, latex.h,
 * data.h, terminal.h) write them out, and know nothing of claims.
 *
 * Everything that is built is copied, but for the columns of a table and strings marked static. */
#ifndef DOCUMENT_H
#define DOCUMENT_H
#include <stdbool.h>
#include <stddef.h>
#include "src/report/document/chart.h"
#include "src/report/document/diagram.h"

/* Which writers see a block, a row, a column or a span; 0 means all of them. */
enum { TO_DATA = 1, TO_LATEX = 2, TO_HTML = 4, TO_TERMINAL = 8, TO_PAGES = TO_LATEX | TO_HTML };
bool doc_is_for(unsigned to, unsigned writer);

/* ---- a line: spans of text in different notations ---- */
typedef enum {
    SPAN_TEXT,                           /* every character is literal                                  */
    SPAN_LATEX,                          /* LaTeX; what can only be meant literally is escaped          */
    SPAN_MIXED,                          /* $...$ is LaTeX, the rest is text                            */
    SPAN_QUOTED,                         /* a quotation: UTF-8, $...$ is LaTeX, *...* is emphasis       */
    SPAN_NUMBER,                         /* -1.5 or 3e-14                                               */
    SPAN_POWER,                          /* the exponent of a power of two                              */
    SPAN_DASH,                           /* nothing to show                                             */
    SPAN_BADGE,                          /* a verdict; tag: its colour                                  */
    SPAN_LINK,                           /* tag: the id of the entry it leads to                        */
    SPAN_FILE,                           /* tag: an address, of a file relative to the page             */
    SPAN_NEWLINE, SPAN_OPEN, SPAN_CLOSE  /* a style begins and ends                                     */
} span_kind;
typedef enum {
    STYLE_NONE,
    STYLE_SOFT,                          /* secondary on a page                                         */
    STYLE_SMALL,                         /* secondary and smaller                                       */
    STYLE_ASIDE,                         /* in parentheses in print, a soft sentence on a page          */
    STYLE_LEAD,                          /* in print, the words that introduce a remark                 */
    STYLE_STRONG,
    STYLE_CODE,
    STYLE_LISTING,                       /* code whose lines are kept, a block of its own on a page     */
    STYLE_TOGETHER,                      /* no line break inside                                        */
    STYLE_QUOTE,                         /* in quotation marks                                          */
    STYLE_FOLD, STYLE_FOLD_HEAD          /* on a page alone: folded under the words of the head inside  */
} span_style;
typedef struct { span_kind kind; span_style style; unsigned to; char *text, *tag; } doc_span;
typedef struct { doc_span *at; long n; } doc_line;
void line_add   (doc_line *l, span_kind kind, const char *text);            /* NULL or "": nothing is added */
void line_add_to(doc_line *l, unsigned to, span_kind kind, const char *text);
void line_format(doc_line *l, span_kind kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void line_link  (doc_line *l, const char *text, const char *target);        /* target NULL: the text alone */
void line_file  (doc_line *l, const char *text, const char *address);       /* address NULL: the text alone */
void line_badge (doc_line *l, const char *text, const char *colour);
void line_styled(doc_line *l, span_style style, const char *text);
void line_open  (doc_line *l, span_style style);
void line_close (doc_line *l, span_style style);
void line_append(doc_line *l, const doc_line *more);                        /* a copy of its spans                */
void line_free  (doc_line *l);

/* ---- a table ---- */
typedef enum { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_ID } column_kind;
typedef struct {
    const char *title;                   /* LaTeX                                                       */
    column_kind kind;
    unsigned    to;
    double      mm;                      /* width in print; 0: as wide as its text                      */
    int         chars;                   /* width on a terminal; 0: as wide as its text                 */
    bool        wide;                    /* on a page only where there is room                          */
    bool        once;                    /* in print, not repeated in rows that follow                  */
} doc_column;
/* A column of a table for machines (data.h). */
typedef enum { DATA_TEXT, DATA_WHOLE, DATA_REAL, DATA_FLAG } data_type;      /* a flag is 0 or 1         */
typedef struct {
    const char *name;                    /* of letters, digits and _: a name in R and an attribute in pandas */
    data_type   type;
    const char *unit;                    /* "s", "log2"; "": a pure number, or a text                   */
    const char *means;
} data_column;
typedef struct { doc_line text; char *title; int columns; } doc_cell;       /* title: shown on a pointer */
typedef struct {
    doc_cell *cell;
    long      n;
    unsigned  to;
    bool      second;                    /* belongs to the row above it                                 */
    bool      heading;                   /* on a terminal: not indented                                 */
    char     *title;
    doc_line  below;                     /* a wrapped line under it, on a terminal                      */
} doc_row;
typedef enum {
    TABLE_PLAIN,                         /* as wide as the page                                         */
    TABLE_SCROLLS,                       /* may be wider than a narrow page                             */
    TABLE_GRID,                          /* many narrow columns with upright titles                     */
    TABLE_SMALL                          /* in print, in one piece: also in two columns                 */
} table_layout;
typedef struct {
    table_layout layout;
    const char *size;                    /* of its letters in print: "\\small"; static                  */
    const char *groups;                  /* in print: a line above its titles, LaTeX; static            */
    const char *fold;                    /* on a page: folded under these words; static                 */
    const doc_column *column;            /* must outlive the table, and so must `data`                  */
    const data_column *data;             /* the columns of a table for machines, else NULL              */
    long  columns;
    int   indent;                        /* on a terminal                                               */
    doc_row *row;
    long  n;
} doc_table;
doc_row  *table_row(doc_table *t);                                          /* valid until the next row  */
doc_line *table_cell(doc_table *t);                                         /* of the last row; the same */
void table_text  (doc_table *t, const char *text);
void table_texts (doc_table *t, const char *const text[], size_t n);
void table_format(doc_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_number(doc_table *t, const char *text);                          /* NULL: a dash              */
void table_whole (doc_table *t, long x);
/* As `fmt` prints it; nothing for NaN; Inf and -Inf as pandas and R read them. */
void table_real  (doc_table *t, const char *fmt, double x) __attribute__((format(printf, 2, 0)));

/* ---- blocks ---- */
/* One value of a facet by which entries can be chosen: "verdict", "PROVED", 48 of them. */
typedef struct { const char *key, *title; char *value, *words; long n; } doc_choice;
typedef struct { doc_line term, text; bool name; } doc_item;                /* name: the term is printed as it is */
typedef enum {
    BLOCK_HEADING, BLOCK_PARAGRAPH, BLOCK_TABLE, BLOCK_TERMS, BLOCK_BULLETS, BLOCK_NUMBERED, BLOCK_FACTS, BLOCK_CHART,
    BLOCK_DIAGRAM, BLOCK_ENTRY, BLOCK_ENTRY_END,
    BLOCK_FOLD, BLOCK_FOLD_END,          /* what is between them is folded under the words of the first */
    BLOCK_FILTER                         /* on a page: chooses among the entries                        */
} block_kind;
typedef struct {
    block_kind kind;
    unsigned   to;
    int        level;                    /* of a heading: 1 to 3                                        */
    bool       soft;                     /* a paragraph in secondary colour                             */
    bool       open;                     /* an entry that is shown unfolded                             */
    bool       beside;                   /* charts that may stand side by side                          */
    const char *short_title;             /* of a heading: in the page's list of sections; static        */
    char      *id, *plain;               /* plain: the title of an entry for bookmarks                  */
    doc_line   text, verdict;            /* of headings, paragraphs, captions and heads of entries      */
    doc_table  table;
    doc_item  *item;
    long       n;
    chart      chart;
    diagram    diagram;
    char      *facets;                   /* of an entry: "verdict=PROVED paper=K"; NULL: none           */
    doc_choice *choice;                  /* of a filter; n of them, those of a key together             */
} doc_block;
typedef struct { doc_block **at; long n; } document;
doc_block *doc_add(document *d, block_kind kind, unsigned to);              /* valid as long as the document */
doc_block *doc_heading(document *d, unsigned to, int level, const char *id, const char *latex);
/* A section of the page, in its list of sections under this short title. */
void doc_section(document *d, unsigned to, const char *id, const char *latex, const char *short_title);
doc_block *doc_paragraph(document *d, unsigned to, const char *latex);      /* NULL: to be filled       */
doc_table *doc_add_table(document *d, unsigned to, table_layout layout, const doc_column *column, long columns);
doc_table *doc_data_table(document *d, const data_column *column, size_t columns);     /* for machines */
doc_item  *doc_add_item(doc_block *list, const char *term);                 /* valid until the next one  */
/* Counts one entry of this value; `words` are copied the first time. */
void doc_add_choice(doc_block *filter, const char *key, const char *title, const char *value, const char *words);
void doc_free(document *d);
#endif
