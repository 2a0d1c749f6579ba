/* book.h - what all reports share: one chapter per claim, and how its figures are written.
 *
 *   base, evidence, verdict  <-  meta, book  <-  figure, text, chart  <-  table, summary, coverage,
 *                                                                         ladder, latex, html
 * A book owns all it holds; nothing in it changes once it has been gathered. */
#ifndef BOOK_H
#define BOOK_H
#include "src/base/csv.h"
#include "src/base/outfile.h"
#include "src/experiments/results.h"
#include "src/claim/evidence_figures.h"
#include "src/claim/papers.h"
#include "src/report/report.h"
#include "src/claim/verdict.h"

/* ---- meta.c: the words of a claim ------------------------------------------------------------ */
typedef struct { char *name, *why; } control_text;
typedef struct {
    char *name, *kind, *statement, *about, *assumes, *basis, *by_proof, *without, *why_without;
    control_text *control;
    long controls;
} part_text;
typedef struct {
    char *id, *title, *where, *hypotheses, *construction, *why, *depends;     /* NULL: not said */
    quotation *quote, *standing;         /* the sentences judged, and what their section assumes      */
    long quotes, standings;
    part_text *part;
    long parts;
} claim_text;
claim_text meta_read(const char *path);                  /* dies with line and reason on a malformed one */
void       meta_free(claim_text *t);
const part_text *meta_part(const claim_text *t, const char *name);            /* NULL: no such part      */
const char *meta_control_why(const claim_text *t, const char *part, const char *name);     /* or ""      */
/* The first quotation from k on whose words do not stand before it: each is printed once; n: there is none. */
long       quotation_next(const quotation *q, long n, long k);
/* Where all have it that say what the k-th says, to be freed: "Karbevski & Mijoski, arXiv:2510.23912: first version,
 * Theorem 4.1; latest version, Theorem 4.2"; NULL: the next one to be printed has the same sources. */
char      *quotation_sources(const quotation *q, long n, long k);
const char *quotations_note(const claim_text *t);        /* what our copies of the quoted texts lack, or "" */

/* ---- findings.c: what is true in these papers, in sentences for people ------------------------ */
typedef struct { char about[12], sentence[700], rows[256]; } finding;       /* LaTeX; rows: "K-1=PROVED B-2=SLIP" */
typedef struct { finding *at; long n; } findings;
findings findings_read(const char *path);                /* no such file: none; dies with line and reason */
void     findings_free(findings *all);

/* ---- book.c: claims with all their evidence -------------------------------------------------- */
typedef struct {
    char id[NAME_SIZE];
    const claim_entry *entry;            /* NULL: a program the index does not know                     */
    rows   own;                          /* none: PENDING                                               */
    rung_list ladder;
    measures figures;
    claim_text text;
    claim_verdict v;
} chapter;
typedef struct {
    claim_index index;
    chapter *at;                         /* in the order of the index, then those it does not know      */
    long n, built;
    char **problem;                      /* why report_main returns 1                                   */
    long problems;
    const char *version;
    bool partial;
    results results;                     /* recorded runs                                               */
    proofs accepted;                     /* what proofcheck accepted                                    */
    ratchet agreed;                      /* reports/verdicts.csv                                        */
    findings found;                      /* reports/findings.csv                                        */
} book;
book book_read(const report_options *o);
void book_free(book *b);
void book_write_agreed(const book *b, const char *path);           /* the verdicts as the new agreed ones */
const chapter *book_find(const book *b, const char *id);           /* NULL: no such claim               */
const char *chapter_title(const chapter *c);
/* Is this part an identity?  The ladders of a witness do not fall, and do not have to. */
bool chapter_is_identity(const chapter *c, const char *part);
/* "k_t4_4", from the index or, where it names none, from the id. */
void chapter_program(char *to, size_t size, const chapter *c);
/* "003 4.4 000 4.2": where the papers have it, in few letters; two versions at most, 001 only beside one other. */
void chapter_paper(char *to, size_t size, const chapter *c);
/* "exact x9" and "any size and depth" of what speaks for a group; "" where the book is partial or nothing does. */
void group_evidence(char *to, size_t size, const book *b, const claim_verdict *v, bool corrected);
void group_scope   (char *to, size_t size, const book *b, const claim_verdict *v, bool corrected);
/* The verdict and scope words as printed: PARTIAL and "" in a partial book. */
const char *verdict_shown(const book *b, verdict v);

/* One control of one part, counted over its rows. */
typedef struct {
    const char *part, *name, *why;
    long   refuted, decided;
    double margin;                       /* smallest log2(gap/bound) in f64; +inf: none                 */
    double slope;                        /* mpfr: furthest from 0; NaN: none                            */
} control_count;
long chapter_controls(const chapter *c, control_count **out);      /* returns how many; free *out       */

/* What all rows of all built claims come to. */
typedef struct {
    long   rows, decided, ladders, with[VERDICTS], corrected_with[VERDICTS];
    long   controls, refuted, seeds;
    uint64_t seed;
    int    threads;
    char   blas[24], build[160];         /* of the first row                                            */
    double seconds, log2logit, kappa, margin, gap, width, error, slope, control_slope, control_margin;
} totals;
totals book_totals(const book *b);

/* ---- figure.c: one cell of evidence ---------------------------------------------------------- */
typedef enum {
    FIG_NONE, FIG_UNDECIDED, FIG_DIFFERENT, FIG_EQUAL, FIG_DECIMAL, FIG_POWER, FIG_SLOPE, FIG_COUNT
} figure_kind;
typedef struct { figure_kind kind; double x; long of; } figure;    /* DECIMAL and POWER: x is a log2     */
bool   answer_shows_difference(const answer *a, int over);
figure figure_of(const answer *a, int over);
figure figure_of_part(const part_verdict *p, int over);
/* The weakest answer of the parts of one group that are identities. */
figure figure_of_group(const claim_verdict *c, bool corrected, int over);
void figure_text (char *to, size_t size, figure x);                /* 3e-14  -1.00  2^-81  exact  9/9  -  */
void figure_latex(FILE *f, figure x);
void figure_html (FILE *f, figure x);

/* ---- measured.c: measured beside predicted --------------------------------------------------- */
typedef struct {                         /* one figure, the mean over its trials                        */
    const char *part, *which, *shape, *name;
    double x, value, low, high, predicted;               /* x, predicted: NaN where there is none       */
    long   trials;
} pooled;
long chapter_figures(const chapter *c, pooled **out);              /* returns how many; free *out       */
/* "measured -1.502 for -1.5": the figure that stands for a group, or the one at the largest x; false: none. */
bool chapter_headline(const chapter *c, bool corrected, char *to, size_t size);

/* ---- text.c, html_math.c: the same words in three languages ---------------------------------- */
void latex_plain(FILE *f, const char *text);                       /* everything escaped                 */
void latex_math (FILE *f, const char *text);                       /* LaTeX; escapes what cannot be meant */
bool emphasis_pairs(const char *text);   /* are there as many opening as closing asterisks outside of mathematics? */
void latex_mixed(FILE *f, const char *text);                       /* $...$ is LaTeX, the rest is plain  */
const char *latex_sign(const char *p, size_t *length);             /* LaTeX of a UTF-8 sign in quotations, or NULL */
void latex_quoted(FILE *f, const char *text);                      /* a quotation: UTF-8, *...* is emphasis */
void ascii_math (char *to, size_t size, const char *text);         /* LaTeX as a line of a terminal        */
char *title_math(const char *title);      /* LaTeX, to be freed: "pair W_Q" -> "pair $W_{Q}$"              */
void html_plain (FILE *f, const char *text);
void html_math  (FILE *f, const char *text);                       /* LaTeX into HTML                    */
void html_mixed (FILE *f, const char *text);                       /* $...$ converted, the rest is plain */
void html_quoted(FILE *f, const char *text);                       /* the same of a quotation: *...* is emphasis */

/* ---- chart.c, svg.c, gnuplot.c: plots -------------------------------------------------------- */
typedef enum { OF_CLAIM, OF_CONTROL, OF_RULE, SERIES_KINDS } series_kind;
typedef struct { series_kind kind; char name[160]; double *x, *y; long n; } series;
typedef struct {
    const char *file, *title, *x_label, *y_label;
    const char *kind_name[SERIES_KINDS];
    int  x_base, y_base;                 /* 0: the axis shows the number itself; 2, 10: its power        */
    bool joined;                         /* lines through the points                                     */
    bool ruled;                          /* rules are lines, whatever the points are                     */
    series *at;
    long n;
} chart;
chart chart_ladder(const book *b, const chapter *only);            /* gap against precision; NULL: all   */
chart chart_condition(const book *b);                              /* gap against condition number, f64  */
chart chart_figures(const chapter *c);       /* figures against x, with the power law fitted to each series */
void  chart_free(chart *c);
bool  chart_has(const chart *c, series_kind kind);
bool  chart_empty(const chart *c);
void  chart_range(const chart *c, double x[2], double y[2]);       /* rounded outwards to whole steps    */
double chart_step(double from, double to, int base);               /* between ticks: about six of them   */
void  svg_chart(FILE *f, const chart *c);
/* Writes FILE.gp into `out` and runs gnuplot on it; false: there is no gnuplot, or it failed.  An empty
 * chart is no failure; plots of an earlier run are removed in any case. */
bool  gnuplot_chart(const char *out, const chart *c);

/* ---- ladder.c: straight lines through log2 gap against bits ---------------------------------- */
/* Slope over the finite gaps of n rungs; NaN where fewer than two are finite. */
double ladder_slope(const rung *at, long n);
bool   ladder_shows_difference(const chapter *c, const rung *at, long n);
long   ladder_length(const rung_list *all, long from);             /* how many from `from` on are one ladder */

/* ---- coverage.c: which switches of the model a claim was tried with -------------------------- */
enum { SWITCHES = 35 };
extern const char *const switch_names[SWITCHES];
long coverage_count(const chapter *c, int which);                  /* decided claim rows                 */
const char *coverage_reason(const chapter *c, int which);          /* why there is none                  */

/* ---- the reports ----------------------------------------------------------------------------- */
enum { REPORT_COLUMNS = 100 };
extern const verdict verdict_order[VERDICTS - 1];                  /* as reports count them              */
void report_table   (FILE *f, const book *b);
void report_problems(FILE *f, const book *b);                      /* why report_main returns 1          */
/* `first` and the words of `text`, broken at spaces; `tail` ends each line but the last. */
void report_wrapped (FILE *f, const char *first, const char *text, const char *tail);
void report_summary (const book *b, const char *out);
void report_coverage(const book *b, const char *out);
void report_ladders (const book *b, const char *out);
void report_figures (const book *b, const char *out);
void report_plots   (const book *b, const char *out, bool quiet);
void report_latex   (const book *b, const char *out);
extern const char html_style[], html_method[];
void latex_title    (FILE *f, const chapter *c);
void html_title     (FILE *f, const chapter *c);
void latex_figures  (FILE *f, const chapter *c);
void html_figures   (FILE *f, const chapter *c);
void latex_claims   (const book *b, const char *out);               /* claims.tex, called by report_latex */
void report_html    (const book *b, const char *out);
void latex_macros   (const book *b, const char *out);               /* macros.tex, the same             */
/* Why the sentences no longer say what the run came to, one reason at a time, to be freed; NULL: no more.  *k is 0 at
 * first. */
char *findings_problem(const book *b, long *k);
void findings_latex (const book *b, const char *out);               /* findings.tex, the same           */
void findings_html  (FILE *f, const book *b);
void html_head      (FILE *f, const char *columns);
void html_verdict   (FILE *f, const book *b, verdict v);
void html_claims    (FILE *f, const book *b);                      /* called by report_html              */
outfile out_open(const char *out, const char *name);               /* OUT/NAME                           */
#endif
