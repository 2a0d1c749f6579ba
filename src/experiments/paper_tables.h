/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_tables.h - the empirical tables of the papers, printed row by printed row, and the recorded lines about each.
 *
 * The printed rows are those of src/methods/counts/runs.c, or of the preset of the papers' own size.  Runs on made-up
 * pictures and texts are no records of a printed row.  Lines are those that results_read has checked. */
#ifndef PAPER_TABLES_H
#define PAPER_TABLES_H
#include "src/experiments/figures.h"
#include "src/experiments/sweep.h"

typedef struct {
    const char *id, *title, *claim;      /* "t2-003", "003 Table 2: ...", "K-T2-100k"                   */
    const char *table;                   /* as runs.c names it; NULL: the rows are those of the preset  */
    const char *preset[2];               /* of the papers' own size and length; the second may be NULL  */
} paper_table;
extern const paper_table paper_tables[];
extern const long paper_tables_count;
const paper_table *paper_table_of(const char *claim);      /* NULL: none is of this claim               */

typedef struct {                         /* a printed row, and where its preset has it                  */
    const char *name;                    /* "mnist_6_1_no_sym", "reduced"                               */
    const paper_table *table;
    const preset *p;
    const experiment *e;
    long row;
} printed_row;
long paper_table_rows(const paper_table *t, printed_row **out);             /* how many; free *out       */

typedef struct {
    const result *line;
    const preset *p;
    const experiment *e;
    figures_place at;                    /* what the line is about                                      */
    outcome is;
    const char *images;                  /* test images of its row, "1000"; "": there are none, or not known */
} record;
/* What line k is about: lines of a part are all there and in its order; false: no preset has it. */
bool record_find(const results *all, long k, record *r);
/* Recorded lines for metric m of a printed row, largest first: the papers' own size, then by training data. */
long printed_row_records(const results *all, const printed_row *r, long m, record **out);     /* free *out */
/* Recorded lines of the first metric of parts about the table that are of no table's rows: other widths, and arms that
 * the papers lack. */
long paper_table_others(const results *all, const paper_table *t, record **out);              /* free *out */

/* "500 epochs, as printed", "d = 128, 4M tokens a run", to be freed. */
char *record_size(const record *r);
/* The figure stands for the printed model, trained as long as printed or for a length that record_size states. */
bool record_stated(const record *r);

/* Its planned seeds are finished, and it has an interval over three or more of them, or over test images or windows. */
bool record_interval(const record *r);

/* ---- planned comparisons: the same question at several sizes --------------------------------------------- */

typedef struct { const preset *p; const experiment *e; const planned *plan; } question;
/* Every different question that presets plan about a claim; how many; free *out. */
long  questions_about(const char *claim, question **out);
/* Those that parts about a table ask of its printed rows, or of arms that the papers lack. */
long  paper_table_questions(const paper_table *t, question **out);
const char *question_metric(const question *q);           /* "validation loss"                           */
long  question_records(const results *all, const question *q, record **out);                  /* free *out */
/* The earlier table whose planned comparisons include all of this one, and its lines all that answer them; NULL: there
 * is none, or no line. */
const paper_table *paper_table_answered_with(const results *all, const paper_table *t);
/* "Printed in 003 Table 2: 3.018 for reduced and 3.026 for smaller-mlp (validation loss)", to be freed; "": the papers
 * do not ask this, or print no figure for one of the two. */
char *question_printed(const question *q);

/* ---- words ----------------------------------------------------------------------------------------------- */

typedef enum { CONSISTENT, INCONSISTENT, UNRESOLVED, NOT_JUDGED, NOT_RUN, STANDINGS } standing;
extern const char *const standing_word[STANDINGS];
/* The same of what a comparison says: "consistent" with the papers where they make it, else "answered yes". */
const char *question_standing_word(const question *q, standing is);
standing standing_of_outcome(outcome is);

typedef struct { long rows, full, stated, bare, of[STANDINGS], settings, planned[STANDINGS], plans; } table_count;
/* rows: printed; full: recorded as printed; stated: those, and those recorded for a stated length; bare: the stated
 * ones without an interval (record_interval).  of: the printed figures, and settings: how many they are; planned,
 * plans: the same of the comparisons that were planned at the papers' own size. */
table_count paper_table_count(const results *all, const paper_table *t);
char *paper_table_words(const results *all, const paper_table *t);          /* some sentences, to be freed */

/* ---- what is missing, and its price ---------------------------------------------------------------------- */

typedef struct { long runs; double flops, hours, dollars; } run_price;
/* The runs of the papers' own size that are not recorded, three or more seeds of each row: fewer are not judged. */
run_price paper_table_missing(const results *all, const paper_table *t, const run_kind *kinds);
/* "`provably reproduce vit-mnist --data=DIR` runs what is missing: 12 runs, 3.1 PFLOP, about 0.2 GPU hours, 0.5 US
 * dollars"; "" where nothing is missing.  To be freed.  kinds: NULL: without a price. */
char *paper_table_price_words(const results *all, const paper_table *t, const run_kind *kinds);
char *flops_text(double flops);                            /* "3.1 PFLOP", to be freed                   */
extern const char price_assumed[];
#endif
