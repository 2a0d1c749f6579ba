/* evidence.h - one row per trial: the only source of every verdict and every report.
 *
 * A row is a line of CSV with a header; text fields hold no comma, quote or newline, and numbers that are no whole
 * numbers are hexadecimal (0x1.8p+1), so that they are read back to the bit.  Rows are written as they are measured
 * (before any assertion) and read back by whoever judges them. */
#ifndef EVIDENCE_H
#define EVIDENCE_H
#include "src/base/base.h"
#include "numerics/arith.h"

/* How deep the models were for which a row speaks. */
typedef enum { DEPTH_NONE,               /* no whole models were compared                        */
               DEPTH_RUN,                /* at the L of the row's shape alone                    */
               DEPTH_EVERY } model_depth;      /* at every L, by the induction of the runner           */

typedef struct {
    char id[16], part[16], kind[16];     /* K-T4.4, as-stated, identity                          */
    char which[40];                      /* "claim", or the name of a control                    */
    char arith[8], param[24];            /* mpfr, 64-1024; arb, 512; fp, 2 primes; sym, 6 sizes  */
    char shape[224];                     /* shape_print                                          */
    uint64_t seed;
    long   trial;
    truth  verdict;
    double log2gap;                      /* worst over the checks; -inf: equal                   */
    double log2bound;                    /* f64: bound; arb: width asked; fp: log2 error         */
    double slope;                        /* mpfr: of log2 gap against bits; NaN elsewhere or exact */
    long   checks;
    double log2logit, kappa, seconds;    /* NaN or 0 where they make no sense                    */
    int    threads;
    char   blas[24];                     /* core name of OpenBLAS                                */
    char   scope[40];                    /* "all sizes", "this size", "this instance"            */
    model_depth depth;
    char   uses[256];                    /* sym: the hypotheses of the derivation, "invertible W_K; invertible W_Q":
                                            sorted, each once; elsewhere empty                   */
    bool   undeclared;                   /* sym: the derivation uses a hypothesis that neither part nor claim declares:
                                            then UNDECIDED, whatever was proved                  */
    bool   skipped;                      /* UNDECIDED since this arithmetic has no such function or the question does
                                            not arise here: neither for nor against              */
    bool   finite;                       /* the part speaks of finitely many cases: ABOUT_FINITE */
    char   what[40], note[96];           /* the worst check; the reason of UNDECIDED             */
    bool   whole;                        /* some check that was refuted compared whole functions */
    char   basis[96], by_proof[96];      /* of the part, as declared                             */
    const char *truths;                  /* of every check: "holds logits; holds*2 one block; refuted step"; kept by
                                            evidence_keep_text; NULL is ""                                */
    char   build[160];                   /* commit, compiler and libraries: build_text of numerics/libraries.h */
} row;

typedef struct { row *at; long n; } rows;

/* row.param of a row over fp whose checks all need no probability; its error is 0, its scope the instance. */
#define PARAM_CERTAIN "certain"

const char *truth_word(truth is);                         /* "holds" "refuted" "undecided"       */
const char *depth_word(model_depth is);                   /* "none" "run" "every"                */
void evidence_row_header(FILE *f);
void evidence_row_write (FILE *f, const row *r);                   /* one line, flushed                   */
void evidence_row_text  (char *to, size_t size, const char *from); /* copies, without commas and quotes   */
/* A copy that lives as long as the program; equal texts share one. */
const char *evidence_keep_text(const char *text);
/* Notes `times` more checks of this name with this truth; the name loses its commas. */
void evidence_row_add_truth(row *r, truth is, const char *what, long times);
/* How many checks r->truths says to be so; -1: it is not of that form. */
long evidence_row_count_truths(const row *r, truth is);
bool evidence_row_shows  (const row *r, const char *what);          /* did a check of this name, as in row.what, hold? */
/* Appends the rows of a file; dies with line and reason on a malformed one, and on one that says another verdict than
 * its checks: holding where one of them does not, or refuted where none is.  Numbers are hexadecimal or decimal. */
void evidence_rows_read (rows *all, const char *path);
void evidence_rows_free (rows *all);

/* The rungs of the precision ladder behind an mpfr row: one line per precision. */
typedef struct { char id[16], part[16], which[40], shape[224]; uint64_t seed; long trial, bits; double log2gap; } rung;
void evidence_rung_header(FILE *f);
void evidence_rung_write (FILE *f, const rung *r);

/* The figures behind an f64 row of a measurement, each beside what was predicted. */
typedef struct {
    char id[16], part[16], which[40], shape[224];
    uint64_t seed;
    long   trial;
    char   name[48];                     /* "exponent in d"                                      */
    double x;                            /* NaN: the figure stands alone                         */
    double value, low, high;             /* with its 95 % interval                               */
    double predicted;                    /* NaN: only shown                                      */
} measured;
typedef struct { measured *at; long n; } measures;
void evidence_figure_header(FILE *f);
void evidence_figure_write (FILE *f, const measured *m);
void evidence_figures_read  (measures *all, const char *path);    /* as evidence_rows_read                        */
#endif
